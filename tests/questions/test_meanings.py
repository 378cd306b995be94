"""Meanings over columns of programs: equal where the canonical forms with ids are, and only there."""

from random import Random

import polars as pl
import pytest
from small_worlds import Asking, random_graph

from eyechart.questions import Program
from eyechart.questions.meanings import meanings

STEP = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})


def numbered(*texts: str) -> list[int | None]:
    """The meanings of programs."""
    return meanings(pl.Series([Program.parse(each).rows for each in texts], dtype=pl.List(STEP))).to_list()


@pytest.mark.parametrize("seed", range(5))
def test_equal_where_canonical_forms_are(seed: int) -> None:
    """Many random questions about small pictures fall into the same classes either way."""
    random = Random(seed)
    texts = [text for _ in range(4) for text in Asking(random_graph(random), random).programs(60)]
    forms = [str(Program.parse(each).grounded) for each in texts]
    found = numbered(*texts)
    assert len(set(found)) == len(set(forms)) == len(set(zip(found, forms, strict=True)))


def test_what_makes_no_difference() -> None:
    """Order of filters, sides and options, and the two ways to say none, some and fewer."""
    same = [
        (
            "select: cup (7)->filter color: red [0]->filter size: big [1]->exist: ? [2]",
            "select: cup (7)->filter size: big [0]->filter color: red [1]->exist: ? [2]",
        ),
        (
            "select: cup (7)->choose rel: pan,on|under,s (8) [0]",
            "select: cup (7)->choose rel: pan,under|on,s (8) [0]",
        ),
        (
            "select: cup (7)->exist: ? [0]->select: pan (8)->exist: ? [2]->or:  [1, 3]",
            "select: pan (8)->exist: ? [0]->select: cup (7)->exist: ? [2]->or:  [1, 3]",
        ),
        ("select: cup (7)->none color: red [0]", "select: cup (7)->all color: not(red) [0]"),
        ("select: cup (7)->none color: not(red) [0]", "select: cup (7)->all color: red [0]"),
        ("select: cup (7)->at least: 1 [0]", "select: cup (7)->exist: ? [0]"),
        ("select: cup (7)->select: pan (8)->more:  [0, 1]", "select: pan (8)->select: cup (7)->fewer:  [0, 1]"),
    ]
    for one, other in same:
        assert len(set(numbered(one, other))) == 1
        assert str(Program.parse(one).grounded) == str(Program.parse(other).grounded)


def test_what_makes_a_difference() -> None:
    """Ids, which side is meant, and the place of a filter."""
    texts = [
        "select: cup (7)->exist: ? [0]",
        "select: cup (8)->exist: ? [0]",
        "select: cup (7)->select: pan (8)->more:  [0, 1]",
        "select: pan (8)->select: cup (7)->more:  [0, 1]",
        "select: cup (7)->filter color: red [0]->select: cup (8)->same material:  [1, 2]",
        "select: cup (7)->select: cup (8)->filter color: red [1]->same material:  [0, 2]",
        "select: cup (7)->filter color: red [0]->filter color: blue [1]->query: size [2]",
        "select: cup (7)->filter color: red [0]->query: size [1]",
    ]
    assert len(set(numbered(*texts))) == len(texts)


def test_questions_without_programs_have_no_meaning() -> None:
    """Null stays null, also where none has a program."""
    assert meanings(pl.Series([None, []], dtype=pl.List(STEP))).to_list() == [None, None]
