"""``eyechart decoys`` over whole benchmarks: the same whatever runs it, and what each option promises."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from command_line import call

from eyechart._lib.keyed import Key
from eyechart.metrics import wups
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages.decoys import MakeDecoys
from eyechart.remedies import Answers, Searching
from eyechart.store import Benchmark
from eyechart.text import normalize_answer, packaged_nouns

KINDS = {
    "What color is the {}?": ("red", "blue", "green", "white", "black", "dark red"),
    "What is on the {}?": ("cat", "dog", "ball", "hat", "lamp", "two dogs", "book", "cup"),
    "Where is the {}?": ("in the park", "the kitchen", "on a table", "park", "street", "at the beach"),
    "Is there a {}?": ("yes", "no"),
}
THINGS = ("car", "table", "chair", "boat", "tree", "box", "bench", "wall")


class KilledError(Exception):
    """Stands for the end of a process in the middle of its work."""


def questions(images: int = 60, per_image: int = 6) -> pl.DataFrame:
    """Questions about some images."""
    draw = Key(5, "questions")
    rows = []
    for number in range(images * per_image):
        template = list(KINDS)[draw.choice([3, 3, 2, 1], number, 0)]
        answers = KINDS[template]
        answer = answers[draw.choice([1 / (rank + 1) for rank in range(len(answers))], number, 1)]
        thing = THINGS[int(draw.uniform(number, 2) * len(THINGS))]
        image = number // per_image
        rows.append((f"q{number:04}", f"i{image:03}", ("train", "val")[image % 2], template.format(thing), answer))
    return pl.DataFrame(rows, schema=["question_id", "image_id", "split", "question", "answer"], orient="row")


def benchmark(folder: Path, asked: pl.DataFrame | None = None, **tables: pl.DataFrame) -> Path:
    """A benchmark of these."""
    asked = questions() if asked is None else asked
    with Benchmark.create(folder) as draft:
        draft.write("images", asked.select("image_id", "split").unique(maintain_order=True))
        draft.write("questions", asked)
        for name, rows in tables.items():
            draft.write(name, rows)
    return folder


def originals(asked: pl.DataFrame) -> pl.DataFrame:
    """Three choices of each question that are never targets."""
    rows = [
        (key, place, choice, choice == answer)
        for key, answer in asked.select("question_id", "answer").iter_rows()
        for place, choice in enumerate([answer, "tiger", "a spoon"])
    ]
    return pl.DataFrame(rows, schema=["question_id", "position", "choice", "is_target"], orient="row")


def contents(folder: Path) -> dict[str, bytes]:
    """Every part of the tables, by name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def test_output_is_the_same_for_any_executor_and_after_a_break(tmp_path: Path) -> None:
    """One process, two, or a run that was stopped after a shard: every byte is the same."""
    source = benchmark(tmp_path / "asked")
    stage = MakeDecoys(str(source), ("qou", "iou", "random"), per_shard=100)
    local = run(stage, Output(tmp_path / "local"))
    pool = run(stage, Output(tmp_path / "pool"), where=Where("pool", 2))
    assert contents(local.folder) == contents(pool.folder)

    def stop(*_: object) -> None:
        raise KilledError

    broken = tmp_path / "broken"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MakeDecoys, "_carry", stop)
        with pytest.raises(KilledError):
            run(stage, Output(broken))
    assert any(broken.with_name(".broken.unfinished").rglob("*.parquet"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MakeDecoys, "_found", stop)  # the finished searches are not made again
        assert contents(run(stage, Output(broken)).folder) == contents(local.folder)


def test_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    """Shuffled questions get the same choices."""
    asked = questions()
    shuffled = asked.sample(fraction=1, shuffle=True, seed=1)
    made = [
        run(MakeDecoys(str(benchmark(tmp_path / name, rows))), Output(tmp_path / f"{name}-made"))
        for name, rows in (("a", asked), ("b", shuffled))
    ]
    for table in ("choices", "decoys"):
        first, second = (each.read(table) for each in made)
        assert first.equals(second)


def test_each_decoy_says_where_it_came_from(tmp_path: Path) -> None:
    """Sources have the decoy as their answer; QoU sources are about other images, IoU sources about the same."""
    asked = questions()
    made = run(MakeDecoys(str(benchmark(tmp_path / "asked", asked))), Output(tmp_path / "made"))
    decoys = made.read("decoys")
    assert set(decoys["kind"]) == {"qou", "iou"}
    found = decoys.drop_nulls("source_id").join(asked, left_on="source_id", right_on="question_id")
    assert (found["decoy"] == found["answer"]).all()
    own = found.join(asked.select("question_id", own="image_id"), on="question_id")
    assert (own.filter(kind="iou")["own"] == own.filter(kind="iou")["image_id"]).all()
    assert (own.filter(kind="qou")["own"] != own.filter(kind="qou")["image_id"]).all()
    assert own.filter(kind="qou")["similarity"].is_between(0, 1).all()
    assert set(decoys["filters"]) == {"equal contained inflected synonym similar"}
    offered = made.read("choices").filter(~pl.col("is_target")).select("question_id", "choice")
    assert (
        offered.join(decoys, left_on=["question_id", "choice"], right_on=["question_id", "decoy"]).height
        == offered.height
    )


def test_shortfalls_are_filled_in_the_papers_order(tmp_path: Path) -> None:
    """First from the question's own choices, then from the most frequent targets; and counted."""
    asked = questions(8, 2)
    plain, with_choices = (
        run(MakeDecoys(str(source), how=Searching(k=5)), Output(tmp_path / f"made-{source.name}"))
        for source in (
            benchmark(tmp_path / "plain", asked),
            benchmark(tmp_path / "choices", asked, choices=originals(asked)),
        )
    )
    assert set(plain.read("decoys").filter(kind="iou")["origin"]) == {"iou", "popular"}
    filled = with_choices.read("decoys").filter(kind="iou", origin="orig")
    assert set(filled["decoy"]) == {"tiger", "a spoon"}
    first = with_choices.read("decoys").filter(kind="iou").sort("question_id", "rank")
    order = first.with_columns(pl.col("origin").replace_strict({"iou": 0, "orig": 1, "popular": 2}))
    assert order.group_by("question_id", maintain_order=True).agg(pl.col("origin").is_sorted())["origin"].all()


def test_decoys_within_a_split_come_from_it(tmp_path: Path) -> None:
    """Nothing leaks from one split to the other."""
    asked = questions()
    stage = MakeDecoys(str(benchmark(tmp_path / "asked", asked)), within_split=True)
    decoys = run(stage, Output(tmp_path / "made")).read("decoys").drop_nulls("source_id")
    splits = asked.select("question_id", "split")
    both = decoys.join(splits, on="question_id").join(splits, left_on="source_id", right_on="question_id")
    assert (both["split"] == both["split_right"]).all()


def test_yes_and_no_can_be_left_out(tmp_path: Path) -> None:
    """Their questions go, with all that is said of them, and their answers are nobody's decoys."""
    asked = questions()
    answers = asked.select("question_id", "answer", worker_id=pl.lit("w"))
    stage = MakeDecoys(str(benchmark(tmp_path / "asked", asked, answers=answers)), yes_no="drop")
    made = run(stage, Output(tmp_path / "made"))
    left = asked.filter(~pl.col("answer").is_in(["yes", "no"]))["question_id"]
    assert sorted(made.read("questions")["question_id"]) == sorted(left)
    assert set(made.read("answers")["question_id"]) == set(left)
    assert not set(made.read("choices")["choice"]) & {"yes", "no"}


def test_splits_of_another_benchmark_are_contained(tmp_path: Path) -> None:
    """Images that the other one has keep its split."""
    other = benchmark(tmp_path / "other", questions(10).with_columns(split=pl.lit("test")))
    stage = MakeDecoys(
        str(benchmark(tmp_path / "asked")), splits_of=str(other), shares=(("train", 0.5), ("val", 0.2), ("test", 0.3))
    )
    made = run(stage, Output(tmp_path / "made"))
    splits = dict(made.read("images").select("image_id", "split").iter_rows())
    assert {splits[f"i{n:03}"] for n in range(10)} == {"test"}
    assert {"train", "val", "test"} == set(splits.values())
    assert made.manifest.splits.keys() == {"train", "val", "test"}


def test_all_variants_in_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each variant is a benchmark; choices are those of its kinds; numbers and sheet are printed."""
    asked = questions()
    source = benchmark(tmp_path / "asked", asked, choices=originals(asked))
    sheet = tmp_path / "sheet.csv"
    typed = ["decoys", source, "-o", tmp_path / "out", "--variants", "every", "--sheet", sheet, "--quiet"]
    code, printed, _ = call(capsys, *map(str, typed))
    assert code == 0
    assert "principle" in printed
    sizes = {}
    for name in ("orig", "iou", "qou", "iou+qou", "all", "random"):
        choices = Benchmark.open(tmp_path / "out" / name).read("choices")
        sizes[name] = choices.height / choices["question_id"].n_unique()
        assert choices.filter("is_target").height == asked.height
    assert sizes["orig"] == 3
    assert 3.5 < sizes["iou"] <= 4 == round(sizes["qou"])
    assert sizes["iou+qou"] == pytest.approx(sizes["iou"] + sizes["qou"] - 1)
    assert sizes["all"] > sizes["iou+qou"] + 1
    assert "also_right" in sheet.read_text()


@pytest.mark.slow
def test_no_decoy_of_a_million_is_alike_its_target(tmp_path: Path) -> None:
    """None equals, contains or is contained in its target, or is 0.9 similar to it, by the literal filters."""
    draw = np.random.default_rng(7)
    nouns = [w.replace("_", " ") for w in packaged_nouns().words if w.isascii() and len(w) > 2]
    vocabulary = np.array([*draw.choice(nouns, 3000, replace=False), *(w for words in KINDS.values() for w in words)])
    count = 168_000
    frequent = 1 / np.arange(1, vocabulary.size + 1)
    asked = pl.DataFrame(
        {
            "question_id": [f"q{n:06}" for n in range(count)],
            "image_id": [f"i{n // 14}" for n in range(count)],
            "split": "train",
            "question": np.char.add("What is by the ", draw.choice(vocabulary[:500], count)),
            "answer": draw.permutation(vocabulary)[draw.choice(vocabulary.size, count, p=frequent / frequent.sum())],
        }
    )
    made = run(MakeDecoys(str(benchmark(tmp_path / "asked", asked))), Output(tmp_path / "made"))
    decoys = made.read("decoys").join(asked, on="question_id")
    assert decoys.height >= 1_000_000
    pairs = decoys.select("answer", "decoy").unique()
    answers = Answers([*pairs["answer"], *pairs["decoy"]])
    target, decoy = (answers.coded(pairs[name].to_list()) for name in ("answer", "decoy"))
    assert (target != decoy).all()
    squeezed = [normalize_answer(each).replace(" ", "") or each for each in answers.normal]
    one, other = (pl.Series(squeezed).gather(codes).alias(name) for codes, name in ((target, "a"), (decoy, "b")))
    contained = pl.col("a").str.contains(pl.col("b"), literal=True) | pl.col("b").str.contains(
        pl.col("a"), literal=True
    )
    assert not pl.DataFrame([one, other]).select(contained.any()).item()
    assert answers.similarities(target, decoy).max() < 0.9
    for first, second in pairs.sample(2000, seed=1).iter_rows():
        assert wups(normalize_answer(first), normalize_answer(second), 0.9) < 0.9
