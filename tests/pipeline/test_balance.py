"""The balancing stage: what belongs to a question goes with it, and the same questions are chosen however it runs."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_graphs import made_graphs

from eyechart.cli.main import main
from eyechart.errors import DataError, UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages.balance import ONCE, BalanceAnswers
from eyechart.questions import Program, engine
from eyechart.remedies import MIXED, PUBLISHED_MIX, Balance, Level
from eyechart.store import Benchmark
from eyechart.tables import TABLES

KIND = Balance(levels=(Level(("question_type",)),), even_by=("question_type",))
ANSWERS = ["green"] * 60 + ["red"] * 20 + ["blue"] * 15 + ["yes"] * 30 + ["no"] * 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Questions in two parts, with answers and pairs that refer to them."""
    made = tmp_path / "asked"
    rows = pl.DataFrame({"question_id": [str(number) for number in range(len(ANSWERS))], "answer": ANSWERS})
    rows = rows.with_columns(
        image_id="question_id",
        question=pl.format("question {}?", "question_id"),
        question_type=pl.when(pl.col("answer").is_in(["yes", "no"])).then(pl.lit("is it")).otherwise(pl.lit("what")),
    )
    with Benchmark.create(made) as draft:
        draft.write("images", rows.select("image_id"))
        draft.write("questions", rows.drop("answer"))
        draft.write("answers", rows.select("question_id", "answer", worker_id=pl.lit("1")))
        draft.write("pairs", rows.head(60).select("question_id", complement_id=pl.lit("60")))
    return made


def made(folder: Path, output: Path, where: Where | None = None, **changes: object) -> Benchmark:
    """The balanced benchmark."""
    return run(BalanceAnswers(str(folder), KIND, **changes), Output(output), where=where or Where())  # type: ignore[arg-type]


def test_what_belongs_to_a_question_goes_with_it(folder: Path, tmp_path: Path) -> None:
    """Answers and pairs of questions that are left out are left out, pictures stay, and what is there agrees."""
    balanced = made(folder, tmp_path / "balanced")
    kept = set(balanced.read("questions")["question_id"])
    assert 0 < len(kept) < len(ANSWERS)
    assert set(balanced.read("answers")["question_id"]) == kept
    pairs = balanced.read("pairs")
    assert set(pairs["question_id"]) == kept & {str(number) for number in range(60)} if "60" in kept else not len(pairs)
    assert balanced.rows("images") == len(ANSWERS)
    counts = dict(balanced.read("answers")["answer"].value_counts().iter_rows())
    assert counts["yes"] == counts["no"] == 10
    assert counts["green"] >= counts["red"] >= counts["blue"] == 15
    assert counts["green"] < 40


def test_all_questions_can_be_kept_and_marked(folder: Path, tmp_path: Path) -> None:
    """The same questions that would stay are marked."""
    marked = made(folder, tmp_path / "marked", keep_all=True).read("questions")
    chosen = made(folder, tmp_path / "balanced").read("questions")
    assert marked.height == len(ANSWERS)
    assert set(marked.filter("balanced")["question_id"]) == set(chosen["question_id"])


def test_workers_change_nothing(folder: Path, tmp_path: Path) -> None:
    """A pool chooses what one process chooses, new splits included."""
    splits = {"train": 0.7, "val": 0.3}
    one = made(folder, tmp_path / "one", splits=splits)
    pool = made(folder, tmp_path / "pool", Where("pool", workers=2), splits=splits)
    for table in one:
        assert one.read(table).equals(pool.read(table))
    assert one.read("questions").join(one.read("images"), on=["image_id", "split"]).height == one.rows("questions")


def test_the_same_meaning_is_asked_once(tmp_path: Path) -> None:
    """Of two wordings with one canonical program one stays; other things, and other pictures, are other questions."""
    red = "select: cup (7)->filter color: red [0]->filter size: big [1]->exist: ? [2]"
    big = "select: cup (7)->filter size: big [0]->filter color: red [1]->exist: ? [2]"
    asked = [("1", red), ("1", big), ("2", red), ("1", red.replace("7", "8"))]
    rows = [
        {
            "question_id": str(n),
            "image_id": image,
            "question": f"{n}?",
            "answer": "yes",
            "program": Program.parse(text).rows,
        }
        for n, (image, text) in enumerate(asked)
    ]
    with Benchmark.create(tmp_path / "asked") as draft:
        frame = pl.DataFrame(rows, schema_overrides={"program": TABLES["questions"].schema["program"]})
        draft.write("questions", frame.with_columns(question_type=pl.lit("is it")))
    how = Balance(levels=(Level(("question_type",)),), even_by=(), once=ONCE)
    kept = run(BalanceAnswers(str(tmp_path / "asked"), how), Output(tmp_path / "kept")).read("questions")
    assert kept.height == 3
    assert {"2", "3"} < set(kept["question_id"])


def test_mistakes_are_told(folder: Path, tmp_path: Path) -> None:
    """Columns that are not there, groups without values, no questions, no answers."""
    wrong = Balance(levels=(Level(("color",)),))
    with pytest.raises(UsageError, match="no column of questions is called 'color'"):
        run(BalanceAnswers(str(folder), wrong), Output(tmp_path / "x"))
    with pytest.raises(UsageError, match="found no values in group_global, group_local"):
        run(BalanceAnswers(str(folder), Balance()), Output(tmp_path / "x"))
    with Benchmark.create(tmp_path / "empty"):
        pass
    with pytest.raises(DataError, match="found no questions"):
        made(tmp_path / "empty", tmp_path / "x")
    with Benchmark.create(tmp_path / "unanswered") as draft:
        draft.write("questions", pl.DataFrame({"question_id": ["7"], "question_type": ["what"]}))
    with pytest.raises(DataError, match=r"found 1 questions without an answer \('7'\)"):
        made(tmp_path / "unanswered", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_the_verb(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says how entropy changed, what was dropped by which rule, and shows the largest groups."""
    arguments = ["balance", str(folder), "-o", str(tmp_path / "made"), "--by", "question_type", "-q"]
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--json"])
    assert left.value.code == 0
    told = json.loads(capsys.readouterr().out)
    before, after = told["entropy"]["question_type"].values()
    assert after > before
    assert [each["group"] for each in told["groups"]] == ["what", "is it"]
    assert told["groups"][0]["answers"]["green"][0] == 60
    assert told["questions"]["before"] - sum(told["dropped"].values()) == told["questions"]["after"]
    with pytest.raises(SystemExit):
        main([*arguments, "--show", "1"])
    shown = capsys.readouterr().out
    assert "question_type what" in shown
    assert "█" in shown


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions of all types about made-up graphs."""
    asked, tables = engine(), made_graphs(60, seed=8)
    folder = tmp_path_factory.mktemp("generated") / "asked"
    with Benchmark.create(folder) as draft:
        draft.write("images", tables["images"])
        draft.write("questions", asked.ask(tables, asked.count(tables)).questions)
    return folder


def verb(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """What the verb says to machines."""
    with pytest.raises(SystemExit) as left:
        main(["balance", *map(str, arguments), "-q", "--json"])
    assert left.value.code == 0
    return json.loads(capsys.readouterr().out)


def test_if_nothing_is_said_generated_questions_are_mixed_as_published(
    generated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The entropy of the answers rises by half; within groups, and by evening out alone, it rises too."""
    told = verb(capsys, generated, "-o", tmp_path / "mixed")
    assert told["entropy"]["all"]["after"] >= 1.5 * told["entropy"]["all"]["before"]
    for bits in told["entropy"].values():
        assert bits["before"] < min(bits["evened"], bits["after"])
    kept = dict(Benchmark.open(tmp_path / "mixed").read("questions")["structural"].value_counts().iter_rows())
    for kind, count in kept.items():
        assert count <= kept["query"] * PUBLISHED_MIX[kind] / PUBLISHED_MIX["query"] + 1
    assert abs(kept["verify"] / kept["query"] - PUBLISHED_MIX["verify"] / PUBLISHED_MIX["query"]) < 0.03


def test_the_mix_can_be_left_out(generated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The types come as they were asked, and there is nothing between before and after."""
    told = verb(capsys, generated, "-o", tmp_path / "unmixed", "--unmixed")
    assert list(told["entropy"]["all"]) == ["before", "after"]
    assert not set(MIXED) & set(told["dropped"])
    with pytest.raises(SystemExit) as left:
        main(["balance", str(generated), "-o", str(tmp_path / "x"), "--unmixed", "--mix.query", "1"])
    assert left.value.code == 2
    assert "expected one of them" in capsys.readouterr().err
