"""``eyechart complement``: every pair is proved, answers become more even, and a prior loses what it had."""

import json
from pathlib import Path

import polars as pl
import pytest
from command_line import call

from eyechart.errors import DataError
from eyechart.pipeline import Output, run
from eyechart.pipeline.complements_report import answers_figure, report_complements
from eyechart.pipeline.stages.complement import MakeComplements
from eyechart.pipeline.stages.generate_scenes import GenerateScenes
from eyechart.pipeline.stages.neighbours import FindNeighbours
from eyechart.questions.graph import SceneGraph
from eyechart.questions.interpret import interpret
from eyechart.questions.programs import Program
from eyechart.scenes import generate
from eyechart.store import Benchmark

GRAPH = ("images", "objects", "attributes", "relations", "inventories")


def world(folder: Path, scenes: int, *, bias: str = "answer", strength: float | None = 0.8) -> Benchmark:
    """Abstract scenes with a question each, whose answers are mostly the same."""
    return run(GenerateScenes(generate.world_text(bias), scenes, strength=strength), Output(folder))


@pytest.fixture(scope="module")
def balanced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Benchmark, Benchmark]:
    """A biased world, and what complements make of it."""
    folder = tmp_path_factory.mktemp("balanced")
    before = world(folder / "before", 260)
    near = run(FindNeighbours(str(before.folder), k=100), Output(folder / "near"))
    stage = MakeComplements(str(before.folder), "graphs", str(near.folder), candidates=100)
    after = run(stage, Output(folder / "after"))
    return before, after


def unproved(benchmark: Benchmark) -> list[str]:
    """New questions that the naive executor answers otherwise, or as it answers the old ones."""
    tables = {name: benchmark.read(name) for name in GRAPH}
    rows = {row["question_id"]: row for row in benchmark.read("questions").iter_rows(named=True)}
    wrong = []
    for old, new in benchmark.read("pairs").select("question_id", "complement_id").iter_rows():
        said = []
        for row in (rows[old], rows[new]):
            graph = SceneGraph.from_tables(row["image_id"], tables)
            said.append(interpret(Program.read(row["program"]).canonical, graph).answer)
        if said != [rows[old]["answer"], rows[new]["answer"]] or said[0] == said[1]:
            wrong.append(old)
    return wrong


def test_every_pair_is_proved(balanced: tuple[Benchmark, Benchmark]) -> None:
    """Both questions have their answers by the naive executor, and these differ; most questions have a pair."""
    before, after = balanced
    pairs = after.read("pairs")
    assert pairs.height > 0.6 * before.rows("questions")
    assert unproved(after) == []
    assert not pairs["same_answer"].any()
    assert pairs["rank"].is_between(1, 100).all()
    assert after.rows("questions") == before.rows("questions") + pairs.height
    unpaired = after.read("unpaired")
    assert unpaired.height == before.rows("questions") - pairs.height
    assert unpaired["reason"].str.contains("nearest pictures|cannot answer").all()


def test_pictures_of_a_pair_are_of_one_split(balanced: tuple[Benchmark, Benchmark]) -> None:
    """Neighbours are looked for within the split."""
    _, after = balanced
    splits = dict(after.read("images").select("image_id", "split").iter_rows())
    questions = after.read("questions")
    assert all(splits[image] == split for image, split in questions.select("image_id", "split").iter_rows())


def test_the_neighbours_come_along(balanced: tuple[Benchmark, Benchmark]) -> None:
    """Who learns to explain by the pairs finds, for each, the pictures among which it was found."""
    _, after = balanced
    near = after.read("neighbours").select("image_id", "neighbour_id", "rank")
    images = after.read("questions").select("question_id", "image_id")
    pairs = after.read("pairs").select("question_id", "complement_id", pl.col("rank").cast(pl.Int32))
    found = pairs.join(images, on="question_id").join(
        images.select(complement_id="question_id", neighbour_id="image_id"), on="complement_id"
    )
    assert found.height
    assert found.join(near, on=["image_id", "neighbour_id", "rank"], how="anti").height == 0


def test_entropy_rises_by_half_and_priors_fall(balanced: tuple[Benchmark, Benchmark]) -> None:
    """As in section 3 and table 1 of Goyal et al. 2017: +56 %, and 27.38 to 24.04 for the prior."""
    before, after = balanced
    report = report_complements(before, after, "question_type")
    assert report["entropy"]["change"] >= 0.5
    parts = after.read("splits").join(
        after.read("questions").select("question_id", "question_type", "answer"), on="question_id"
    )

    def prior(scheme: str) -> float:
        """Accuracy of the most frequent training answer of each question type."""
        own = parts.filter(scheme=scheme)
        train = own.filter(part="train").group_by("question_type").agg(guess=pl.col("answer").mode().sort().first())
        test = own.filter(part="test").join(train, on="question_type")
        return float((test["guess"] == test["answer"]).mean())

    assert prior("UU") > prior("UB") + 0.1
    sizes = dict(parts.filter(part="train").group_by("scheme").len().iter_rows())
    assert sizes["BhalfB"] == pytest.approx(sizes["UU"], rel=0.15)
    assert sizes["BB"] > 1.5 * sizes["UU"]
    half = set(parts.filter(scheme="BhalfB", part="train")["question_id"])
    pairs = after.read("pairs").select("question_id", "complement_id").rows()
    assert all((old in half) == (new in half) for old, new in pairs if {old, new} & half)


def test_answers_are_drawn_before_and_after(balanced: tuple[Benchmark, Benchmark]) -> None:
    """A bar per question type, twice."""
    pytest.importorskip("vl_convert")
    drawn = answers_figure(*balanced, "question_type")
    assert drawn.startswith("<svg")
    assert "before" in drawn
    assert "after" in drawn


def test_scenes_are_edited_as_little_as_changes_the_answer(tmp_path: Path) -> None:
    """New pictures have ids, splits and graphs of their own, and the executor proves them."""
    before = world(tmp_path / "before", 10, bias="none", strength=None)
    after = run(MakeComplements(str(before.folder), "edits"), Output(tmp_path / "after"))
    pairs = after.read("pairs")
    assert pairs.height >= 8
    assert set(pairs["change"].str.split(" ").list.first()) <= {"color", "kind", "piece", "absence"}
    assert unproved(after) == []
    assert after.rows("images") == before.rows("images") + pairs.height
    new = after.read("questions").filter(pl.col("question_id").is_in(pairs["complement_id"].implode()))
    splits = dict(after.read("images").select("image_id", "split").iter_rows())
    assert all(splits[image] == split for image, split in new.select("image_id", "split").iter_rows())
    assert set(new["image_id"]) <= set(after.read("cliparts")["image_id"])


def photographs(folder: Path) -> Path:
    """Questions about pictures without scene graphs, answered by people."""
    ids = [str(number) for number in range(4)]
    with Benchmark.create(folder) as draft:
        draft.write("images", pl.DataFrame({"image_id": ids, "split": "val"}))
        asked = {"question_id": ["a", "b"], "image_id": ["0", "1"], "split": "val", "question": ["Is it red?", "Who?"]}
        draft.write("questions", pl.DataFrame(asked).with_columns(question_type=pl.lit("is")))
        answers = [("a", str(worker), "yes") for worker in range(3)] + [("b", "0", "a man")]
        draft.write("answers", pl.DataFrame(answers, schema=["question_id", "worker_id", "answer"], orient="row"))
        near = [(one, rank, ids[(int(one) + rank) % 4], float(rank)) for one in ids for rank in (1, 2, 3)]
        names = ["image_id", "rank", "neighbour_id", "distance"]
        draft.write("neighbours", pl.DataFrame(near, schema=names, orient="row"))
    return folder


def test_people_pick_and_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tasks go out with the nearest pictures; picks, reasons and second answers come back."""
    source = photographs(tmp_path / "photos")
    tasks = tmp_path / "tasks.jsonl"
    assert call(capsys, "complement", str(source), "-o", str(tasks), "--how", "people", "-q")[0] == 0
    first = json.loads(tasks.read_text().splitlines()[0])
    assert first == {
        "question_id": "a",
        "image_id": "0",
        "question": "Is it red?",
        "answer": "yes",
        "candidates": ["1", "2", "3"],
    }
    picks, answers = tmp_path / "picks.csv", tmp_path / "answers.jsonl"
    picks.write_text("question_id,image_id,reason,worker_id\na,2,,w\nb,not possible,nobody is there,w\n")
    answers.write_text("".join(f'{{"question_id": "a-c", "worker_id": "{n}", "answer": "Yes"}}\n' for n in range(3)))
    typed = ["complement", source, "-o", tmp_path / "out", "--how", "people", "--picks", picks, "--answers", answers]
    code, printed, _ = call(capsys, *map(str, typed), "--json", "-q")
    report = json.loads(printed)
    assert code == 0
    assert report["questions"]["with the same answer after all"] == 1
    assert report["not possible"] == {"nobody is there": 1}
    made = Benchmark.open(tmp_path / "out")
    assert made.read("pairs").select("rank", "origin", "same_answer").rows() == [(2, "people", True)]
    assert made.read("answers").filter(question_id="a-c").height == 3
    picks.write_text("question_id,image_id\na,99\n")
    with pytest.raises(DataError, match="found the image '99'"):
        run(MakeComplements(str(source), "picks", picks=str(picks)), Output(tmp_path / "wrong"))


def test_scenes_without_a_world_are_told(tmp_path: Path) -> None:
    """Edits need to know how a scene was composed."""
    with pytest.raises(DataError, match="found no world"):
        run(MakeComplements(str(photographs(tmp_path / "photos")), "edits"), Output(tmp_path / "out"))


def test_resplits_and_choices_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scheme of the table becomes the split; 18 choices say how many people gave."""
    source = world(tmp_path / "before", 60)
    after = tmp_path / "after"
    assert call(capsys, "complement", str(source.folder), "-o", str(after), "-q")[0] == 0
    assert (
        call(capsys, "resplit", str(after), "-o", str(tmp_path / "ub"), "--scheme", "apply", "--apply", "UB", "-q")[0]
        == 0
    )
    assert set(Benchmark.open(tmp_path / "ub").read("questions")["split"].drop_nulls()) == {"train", "test"}
    code, printed, _ = call(
        capsys,
        "resplit",
        str(after),
        "-o",
        str(tmp_path / "ht"),
        "--scheme",
        "head-tail",
        "--by",
        "question_type",
        "-q",
    )
    assert code == 0
    assert "head" in printed or "part" in printed
    assert call(capsys, "resplit", str(after), "-o", str(tmp_path / "cp"), "--scheme", "changing-priors", "-q")[0] == 0
    code, printed, _ = call(capsys, "choices", str(source.folder), "-o", str(tmp_path / "c"), "--scheme", "vqa18", "-q")
    assert code == 0
    assert "0 of " in printed
    code, _, error = call(capsys, "resplit", str(after), "-o", str(tmp_path / "x"), "--scheme", "superset", "-q")
    assert code == 2
    assert "--like" in error
