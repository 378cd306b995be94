"""A question's page has everything that the tables hold of it."""

from pathlib import Path

import polars as pl
import pytest
from shelved import PROGRAM, models, shelved

from eyechart.errors import UnknownNameError
from eyechart.pipeline.browsing import Leaf, Shelf, leaf
from eyechart.store import Benchmark


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Leaf:
    return leaf(Shelf(shelved(tmp_path_factory.mktemp("leaf") / "b"), models()), "1")


def test_what_people_said(shown: Leaf) -> None:
    """The most frequent answer first, with how many were sure."""
    assert shown.said.rows() == [("image", "red", 9, 1.0), ("image", "crimson", 1, 1.0)]


def test_the_program_is_executed_on_the_picture(shown: Leaf) -> None:
    """Each step says what it gives, and which things those are."""
    assert [(step.operation, step.takes, step.result, step.things) for step in shown.steps] == [
        ("select", (), "cup", ("1",)),
        ("query", (0,), "red", ()),
    ]


def test_kin(shown: Leaf) -> None:
    """Entailed questions, the pair, the other questions of the picture and its neighbours."""
    assert shown.entailed.select("question_id", "rule").rows() == [("2", "made up")]
    assert shown.pairs["question_id"].to_list() == ["6"]
    assert shown.siblings["question_id"].to_list() == ["2", "6"]
    assert shown.neighbours["neighbour_id"].to_list() == ["b"]


def test_models(shown: Leaf) -> None:
    """What each model answered, and how right it was by people's answers."""
    assert [(each.run, each.answer, each.score) for each in shown.predictions] == [
        ("right", "red", 1.0),
        ("yes", "yes", 0.0),
    ]


def test_a_pair_is_seen_from_both_sides(tmp_path: Path) -> None:
    """Who looks at the complement sees the original."""
    assert leaf(Shelf(shelved(tmp_path / "b")), "6").pairs["question_id"].to_list() == ["1"]


def test_a_foreign_program_is_shown_without_results(tmp_path: Path) -> None:
    """An operation that nobody has defined does not break the page."""
    foreign = [PROGRAM[0], {"operation": "levitate", "argument": "?", "dependencies": [0]}]
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("questions", pl.DataFrame({"question_id": ["1"], "image_id": ["a"], "program": [foreign]}))
    steps = leaf(Shelf(Benchmark.open(tmp_path / "b")), "1").steps
    assert [(step.operation, step.result) for step in steps] == [("select", ""), ("levitate", "")]


def test_no_such_question(tmp_path: Path) -> None:
    """A link that leads nowhere says so."""
    with pytest.raises(UnknownNameError, match="found no question '99'"):
        leaf(Shelf(shelved(tmp_path / "b")), "99")
