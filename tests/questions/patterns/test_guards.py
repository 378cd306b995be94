"""Guards are read once and tested on whole columns; what is not known passes none."""

import numpy as np
import polars as pl
import pytest

from eyechart.errors import DataError
from eyechart.questions.asking import engine
from eyechart.questions.bind.binding import BINDINGS
from eyechart.questions.bind.frames import Frame, Shard
from eyechart.questions.patterns.guards import guard
from eyechart.questions.patterns.scope import Place, Scope
from eyechart.questions.toy import toy_tables

HERE = Place("mine.toml", 7, "tinted")


@pytest.fixture(scope="module")
def shard() -> Shard:
    tables = toy_tables()
    return engine().shard(tables, engine().count(tables), seed=0)


def _passing(shard: Shard, bind: str, text: str) -> Frame:
    binding = BINDINGS[bind]
    frame = binding.make(shard)
    return frame.take(
        np.flatnonzero(guard(text, Scope(binding.variables, tuple(binding.features)), HERE)(shard, frame))
    )


def _names(shard: Shard, frame: Frame) -> set[str]:
    return {shard.codes.kinds[shard.world.thing_kind[thing]] for thing in frame["o"].code}


def test_features_of_things(shard: Shard) -> None:
    assert _names(shard, _passing(shard, "thing", "o.animal")) == {"dog", "cat", "horse", "cow"}
    assert _names(shard, _passing(shard, "thing", "o.female")) >= {"woman", "girl"}
    assert "dog" not in _names(shard, _passing(shard, "thing", "o.sole and o.animal")) | {"cat"}
    assert _names(shard, _passing(shard, "thing", "isa(o, 'fruit', 'vegetable')")) == {"apple", "pear", "banana"}


def test_logic(shard: Shard) -> None:
    """And, or, not, membership: of all facts each is on one side."""
    every = len(BINDINGS["value"].make(shard))
    for one, other in [
        ("t == 'color'", "t != 'color'"),
        ("t in ('color', 'shape')", "t not in ('color', 'shape')"),
        ("o.person or single", "not (o.person or single)"),
        ("o.person and v.before", "not o.person or not v.before"),
    ]:
        assert len(_passing(shard, "value", one)) + len(_passing(shard, "value", other)) == every
        assert len(_passing(shard, "value", one))


def test_what_nobody_knows_passes_no_comparison() -> None:
    """Nobody knows how many apples "apples" are: neither n == 1 nor n != 1."""
    tables = {
        "images": pl.DataFrame({"image_id": ["1"], "width": [9], "height": [9]}),
        "objects": pl.DataFrame({"image_id": "1", "object_id": ["a", "b"], "name": ["apples", "cup"]}),
    }
    shard = engine().shard(tables, engine().count(tables), seed=0)
    counted = [_passing(shard, "present", text) for text in ("n == 1", "n != 1", "n >= 0")]
    assert [{shard.codes.kinds[kind] for kind in frame["k"].code} & {"apple", "cup"} for frame in counted] == [
        {"cup"},
        set(),
        {"cup"},
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("o.person and", "is no expression"),
        ("o.people", "of a thing one may ask several, person"),
        ("x.person", "found the variable 'x', in scope are o (thing)"),
        ("o.person + 1", "found 'o.person + 1'"),
        ("__import__('os')", "found \"__import__('os')\""),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        guard(text, Scope({"o": "thing"}, ()), HERE)
    assert message in str(error.value)
    assert str(error.value).startswith("mine.toml, line 7, tinted: ")
