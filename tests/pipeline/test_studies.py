"""Tables of the papers as data, and rebuilt."""

from pathlib import Path

import polars as pl
import pytest

from eyechart.errors import DataError, MissingBenchmarkError, UnknownNameError, UsageError
from eyechart.metrics import METRICS
from eyechart.pipeline.studies import PEOPLE, parse_study, study, study_names
from eyechart.pipeline.studying import missing_predictions, rebuild, study_page
from eyechart.report import html
from eyechart.store import Benchmark

MINIMAL = b"""
title = "t"
paper = "p"
place = "table 1"
comparable = "All of it."
tables = ["questions"]
"""


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    """Four questions with four answers each."""
    questions = pl.DataFrame(
        {
            "question_id": ["1", "2", "3", "4"],
            "image_id": ["a", "a", "b", "b"],
            "question": ["Is it?", "Is it red?", "What is it?", "What color is it?"],
            "answer_type": ["yes/no", "yes/no", "other", "other"],
            "answer": ["yes", "no", "cup", "red"],
        }
    )
    said = [
        (q, str(worker), answer)
        for q, answer in questions.select("question_id", "answer").iter_rows()
        for worker in range(4)
    ]
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("questions", questions)
        draft.write("answers", pl.DataFrame(said, schema=["question_id", "worker_id", "answer"], orient="row"))
    return Benchmark.open(tmp_path / "b")


@pytest.mark.parametrize("name", study_names())
def test_studies_are_whole(name: str) -> None:
    """Every study is understood, its metrics exist, and what is published belongs to one of its models."""
    found = study(name)
    assert {cell.metric for cell in found.numbers} <= {*METRICS, PEOPLE}
    assert set(found.published) <= set(found.models)
    assert found.models or found.figures
    assert not found.models or found.numbers or found.diagnoses
    assert len({cell.label for cell in found.numbers}) == len(found.numbers)


def test_recipes_of_models_are_known() -> None:
    """A model of a study can be trained by its name, so that the command that is told works."""
    from eyechart.models import recipe_names

    wanted = {model.partition("@")[0] for name in study_names() for model in study(name).models}
    assert wanted - set(recipe_names()) <= {
        PEOPLE,
        "majority",
        "average",
        "explainer",
        "explainer-random",
        "explainer-distance",
        "explainer-vqa",
    }


def test_numbers_of_models_that_are_there(benchmark: Benchmark, tmp_path: Path) -> None:
    """A model that always says yes is right once in two yes/no questions; the others are told to be missing."""
    rows = pl.DataFrame({"question_id": ["1", "2", "3", "4"], "answer": ["yes"] * 4})
    rows.write_csv(tmp_path / "prior.csv")
    found = rebuild(study("vqa-table-2"), benchmark, predictions=tmp_path)
    ours = dict(found.rows.select("number", "ours").iter_rows())
    assert ours == {"all": 25.0, "yes/no": 50.0, "number": None, "other": 0.0}
    assert found.rows.filter(number="all")["published"].item() == 29.66
    assert "eyechart train bow-q BENCHMARK" in found.absent["bow-q"]
    assert found.absent["prior (“yes”), number"] == "there are no such questions"
    assert "29.66" in html(study_page(found, benchmark))


def test_settings_are_names_behind_an_at(benchmark: Benchmark, tmp_path: Path) -> None:
    """The same model in four settings is four rows."""
    for setting, answers in {"uu": ["yes", "no", "cup", "red"], "ub": ["yes"] * 4}.items():
        pl.DataFrame({"question_id": ["1", "2", "3", "4"], "answer": answers}).write_csv(
            tmp_path / f"prior@{setting}.csv"
        )
    rows = rebuild(study("vqa2-table-1"), benchmark, predictions=tmp_path).rows
    assert dict(rows.select("model", "ours").iter_rows()) == {"Prior, UU": 100.0, "Prior, UB": 25.0}


def test_curves_over_a_setting(benchmark: Benchmark, tmp_path: Path) -> None:
    """A model that learned from ten questions is right once, from a hundred three times; numbers, not names, order."""
    for number, answers in {"100": ["yes", "no", "cup", "blue"], "20": ["yes"] * 4}.items():
        rows = pl.DataFrame({"question_id": ["1", "2", "3", "4"], "answer": answers})
        rows.write_csv(tmp_path / f"mac-objects@train-{number}.csv")
    found = rebuild(study("gqa-figure-11"), benchmark, predictions=tmp_path)
    (curve,) = found.results
    assert curve.rows.select("training questions", "model", "accuracy").rows() == [
        (20, "MAC", 0.25),
        (100, "MAC", 0.75),
    ]
    assert curve.title == "MAC is right on 75.0% with 100 training questions, 25.0% with 20"
    assert "--set settings.steps=NUMBER" in found.absent["curve over cells of the network"]
    assert "training questions" in html(study_page(found, benchmark))


def test_people_are_a_model(benchmark: Benchmark) -> None:
    """Everybody agrees."""
    rows = rebuild(study("vqa-table-1"), benchmark).rows
    assert rows.filter(number="Question + Image, all")["ours"].item() == 100.0
    assert rows.filter(number="Question, all")["ours"].item() is None


def test_what_is_missing_is_said_in_a_sentence(benchmark: Benchmark, tmp_path: Path) -> None:
    """No predictions, no table, no second benchmark, no such study: each names the way out."""
    with pytest.raises(DataError, match=r"expected those of one at least; eyechart train prior .* --predictions"):
        rebuild(study("vqa-table-2"), benchmark, predictions=tmp_path)
    with pytest.raises(MissingBenchmarkError, match="found no choices, expected what decoys-table-1 is about"):
        rebuild(study("decoys-table-1"), benchmark)
    with pytest.raises(UsageError, match="name the other with --beside"):
        rebuild(study("gqa-table-3"), benchmark)
    with pytest.raises(UnknownNameError, match="did you mean 'gqa-table-1'"):
        study("gqa-tabel-1")
    assert set(missing_predictions(study("gqa-table-1"), None)) == set(study("gqa-table-1").models)


def test_two_benchmarks_side_by_side(benchmark: Benchmark) -> None:
    """A study of two has their figures."""
    found = rebuild(study("gqa-table-3"), benchmark, other=benchmark)
    assert {"head-to-head", "covered", "question-length"} <= {result.name for result in found.results}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (b'titel = "x"', "unknown field `titel`"),
        (b'figures = ["first-word"]', "found 'first-word' among figures, did you mean 'first-words'"),
        (b"[published.x]\nall = 1.0", "found 'all' published of 'x'"),
        (b'[[numbers]]\nlabel = "a"\nmetric = "vqa"\ngroup = "yes"', "found the group 'yes' of no column"),
        (b"\xff", "invalid"),
    ],
)
def test_a_mistaken_study_is_told(more: bytes, message: str) -> None:
    """The file and what is wrong in it."""
    with pytest.raises(DataError, match=message) as error:
        parse_study(MINIMAL + more, "mine")
    assert str(error.value).startswith("mine.toml: ")
