"""What pages of the documentation take for granted: small benchmarks and files under the names that they use."""

import csv
import json
import shutil
from pathlib import Path

import polars as pl
from walkthrough import run

from eyechart.store import Benchmark, Draft, MadeBy

__all__ = ["prepare"]

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "formats"
_FILES = {
    "v2_OpenEnded_mscoco_val2014_questions.json": "vqa/open_ended/v2_OpenEnded_mscoco_val2014_questions.json",
    "v2_mscoco_val2014_annotations.json": "vqa/open_ended/v2_mscoco_val2014_annotations.json",
    "q.json": "vqa/open_ended/v2_OpenEnded_mscoco_val2014_questions.json",
    "a.json": "vqa/open_ended/v2_mscoco_val2014_annotations.json",
    "v2_OpenEnded_mscoco_val2014_mine_results.json": "vqa/results/v2_OpenEnded_mscoco_val2014_mine_results.json",
    "run7.json": "vqa/results/v2_OpenEnded_mscoco_val2014_mine_results.json",
    "val_balanced_questions.json": "gqa/train/train_all_questions_3.json",
    "objects.json": "visual-genome/together/objects.json",
    "relationships.json": "visual-genome/together/relationships.json",
    "attributes.json": "visual-genome/together/attributes.json",
    "val_sceneGraphs.json": "gqa/train/train_sceneGraphs.json",
}
_SPLITS = ("--split.train", "0.6", "--split.val", "0.2", "--split.test", "0.2")


def prepare() -> None:
    """Make all of it in the working directory."""
    _do("scenes", "generate", "-o", "world", "-n", "12", "--pictures", "--width", "160")
    _do("ask", "world", "-o", "asked", "--per-image", "16")
    _do("balance", "asked", "-o", "balanced", *_SPLITS)
    crowd(Benchmark.open("balanced"), Path("vqa"))
    _do("encode", "vqa", "--encoder", "colors", "--name", "vqa-features")
    shutil.move("vqa/features/vqa-features", "vqa-features")
    _do("decoys", "asked", "-o", "v7w")
    for name, like in {
        "scenes": "world", "vg": "asked", "gqa": "balanced", "my-benchmark": "vqa", "before": "asked", "B": "balanced",
        "vqa-val": "vqa",
    }.items():  # fmt: skip
        shutil.copytree(like, name)
    for name, like in _FILES.items():
        shutil.copy(FIXTURES / like, name)
    _results()
    _picks()
    Path("edits.csv").write_text("action,image,what,object,other,was,became,rule,change,note\n", "utf-8")
    shutil.copy(ROOT / "experiments" / "bow-q.toml", "my-recipe.toml")
    shutil.copytree(ROOT / "src" / "eyechart" / "scenes" / "ontology" / "data", "my-ontology")
    Path("glove.6B.300d.txt").write_text("yes 1 0\nno 0 1\n", "utf-8")


def _do(*arguments: str) -> None:
    code, printed = run([*arguments, "--quiet"])
    assert code == 0, f"{arguments}: {printed}"


def crowd(asked: Benchmark, folder: Path) -> None:
    """The same questions, each answered by ten people who mostly agree."""
    questions = asked.read("questions")
    worker = pl.DataFrame({"worker_id": [str(number) for number in range(10)], "place": range(10)})
    given = questions.select("question_id", "answer").join(worker, how="cross")
    other = pl.col("answer").shift(7).fill_null("no")
    said = given.select(
        "question_id",
        "worker_id",
        answer=pl.when(pl.col("place") < 8).then("answer").otherwise(other),  # of ten
        confidence=pl.when(pl.col("place") < 6).then(pl.lit("yes")).otherwise(pl.lit("maybe")),  # of ten
        shown=pl.lit("image"),
    )
    with Draft(folder, MadeBy("by hand"), image_root=str(Path("world/images").resolve())) as draft:
        for table in ("images", "objects", "attributes", "relations"):
            if table in asked:
                draft.write(table, asked.read(table))
        labels = pl.col("question").str.to_lowercase().str.split(" ").list.head(2).list.join(" ")
        kind = pl.when(pl.col("answer").is_in(["yes", "no"])).then(pl.lit("yes/no")).otherwise(pl.lit("other"))
        draft.write("questions", questions.with_columns(question_type=labels, answer_type=kind, balanced=None))
        draft.write("answers", said)


def _results() -> None:
    """Five files of answers: some guess, some look."""
    asked = Benchmark.open("vqa").read("questions").select("question_id", "answer")
    for number, name in enumerate(("my_results", "baseline", "mine", "guessing", "looking")):
        guessed = asked.with_columns(
            answer=pl.when(pl.int_range(pl.len()) % 5 < number).then("answer").otherwise(pl.lit("yes"))
        )
        Path(f"{name}.json").write_text(json.dumps(guessed.to_dicts()), "utf-8")


def _picks() -> None:
    """What people pick of the tasks for complementary pairs, and what others answer about the picked pictures."""
    _do("complement", "vqa", "-o", "tasks.jsonl", "--how", "people", "--features", "vqa-features")
    tasks = [json.loads(line) for line in Path("tasks.jsonl").read_text("utf-8").splitlines()]
    picks = [{"question_id": task["question_id"], "image_id": _first(task)} for task in tasks]
    with Path("picks.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["question_id", "image_id"])
        writer.writeheader()
        writer.writerows(picks)
    answers = [(pick["question_id"], str(worker), "no") for pick in picks for worker in range(10)]
    pl.DataFrame(answers, schema=["question_id", "worker_id", "answer"], orient="row").write_csv("answers.csv")


def _first(task: dict[str, object]) -> str:
    near = next(value for value in task.values() if isinstance(value, list) and value)
    return str(near[0]["image_id"] if isinstance(near[0], dict) else near[0])
