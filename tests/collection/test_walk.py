"""A whole benchmark by the commands that its makers use: pictures, questions, answers, choices, pairs, grades."""

import json
from pathlib import Path

import polars as pl
import pytest

from eyechart.cli.main import main
from eyechart.metrics import human_accuracy, multiple_choice_accuracy
from eyechart.store import Benchmark

PICTURES = 8


def pictures(folder: Path) -> None:
    """Pictures with neighbours; nobody has asked anything yet."""
    ids = [str(number) for number in range(1, PICTURES + 1)]
    images = {"image_id": ids, "split": ["train"] * PICTURES, "file": [f"{each}.jpg" for each in ids]}
    near = [(a, rank, b) for a in ids for rank, b in enumerate([each for each in ids if each != a], 1)]
    with Benchmark.create(folder) as draft:
        draft.write("images", pl.DataFrame(images))
        schema = {"image_id": pl.String, "rank": pl.Int32, "neighbour_id": pl.String}
        draft.write("neighbours", pl.DataFrame(near, schema=schema, orient="row"))


def run(*arguments: object) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(each) for each in arguments])
    assert not left.value.code


def collect(verb: str, *arguments: object) -> None:
    run("collect", verb, *arguments, "--database", "w.db")


def simulate(people: int, *studies: str) -> None:
    for study in studies:
        collect("simulate", study, "--people", people, "--low", 0.7)


def ask() -> Benchmark:
    """Three questions a picture, ten answers and three blind ones, by others than who asked."""
    collect("create", "--task", "answer", "--pool", "pictures")
    collect("create", "--task", "answer_blind", "--name", "blind", "--pool", "pictures")
    collect("create", "pictures", "--task", "question", "--wording", "alien", "--feeds", "answer", "blind")
    simulate(6, "question")
    simulate(20, "answer", "blind")
    collect("export", "question", "answer", "blind", "-o", "asked")
    asked = Benchmark.open("asked")
    assert (asked.rows("questions"), asked.rows("answers")) == (3 * PICTURES, 13 * 3 * PICTURES)
    both = asked.read("answers").join(asked.read("questions"), on="question_id")
    assert both.filter(both["worker_id"] == both["author_id"]).height == 0
    return asked


def choose() -> pl.DataFrame:
    """18 choices, and what three people pick."""
    run("choices", "asked", "-o", "chosen")
    offered = Benchmark.open("chosen").read("choices").group_by("question_id").len()
    assert (offered.height, offered["len"].max()) == (3 * PICTURES, 18)
    collect("create", "chosen", "--task", "choose", "--pool", "pictures", "--k", 3)
    simulate(60, "choose")
    collect("export", "choose", "-o", "picked.jsonl")
    return pl.read_ndjson("picked.jsonl")


def pair() -> Benchmark:
    """A picture with another answer, or why there is none; ten new people answer about it."""
    collect("create", "--task", "answer", "--name", "second", "--pool", "pictures")
    collect("create", "asked", "--task", "complement", "--feeds", "second")
    simulate(60, "complement", "second")
    collect("export", "complement", "-o", "picks.csv")
    collect("export", "second", "-o", "answers.csv")
    run("complement", "asked", "-o", "balanced", "--how", "people", "--picks", "picks.csv", "--answers", "answers.csv")
    balanced = Benchmark.open("balanced")
    picks = pl.read_csv("picks.csv", infer_schema=False)
    pairs = picks.filter(pl.col("image_id").is_not_null()).height
    assert 0 < pairs < picks.height == 3 * PICTURES
    assert (balanced.rows("pairs"), balanced.rows("unpaired")) == (pairs, 3 * PICTURES - pairs)
    assert balanced.rows("answers") == 13 * 3 * PICTURES + 10 * pairs
    return balanced


def test_from_pictures_to_grades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Questions, answers, choices, a second round, a check, a grade, and how well people do."""
    monkeypatch.chdir(tmp_path)
    pictures(tmp_path / "pictures")
    asked, picked, balanced = ask(), choose(), pair()
    run("check", "balanced")
    with Benchmark.create("predictions") as draft:
        draft.write("predictions", balanced.read("questions").select("question_id", answer=pl.lit("yes")))
    capsys.readouterr()
    run("grade", "balanced", "predictions", "--json")
    assert "vqa-official" in capsys.readouterr().out
    table = human_accuracy(balanced.read("answers"), balanced.read("questions"))
    accuracy = {(shown, kind): value for shown, kind, _, value in table.iter_rows()}
    assert accuracy["image", "all"] > 0.5
    assert {"image", "nothing"} == {shown for shown, _ in accuracy}
    assert {"all", "other"} <= {kind for _, kind in accuracy}
    majority, average = multiple_choice_accuracy(picked, asked.read("answers"))
    assert (majority.value or 0) >= (average.value or 0) > 0.5
    collect("status", "--json")
    told = {each["study"]: each for each in json.loads(capsys.readouterr().out)}
    assert all(each["done"] == each["wanted"] for each in told.values())
