"""Bindings have as many facts as a loop over each graph finds, and what they say of them is true."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from made_graphs import made_graphs

from eyechart.questions.asking import SCENES, engine
from eyechart.questions.bind.binding import BINDINGS
from eyechart.questions.bind.frames import Frame, Shard
from eyechart.questions.facts import Facts
from eyechart.questions.graph import SceneGraph, Thing
from eyechart.scenes.ontology import packaged_ontology

WORDS = packaged_ontology()


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    return made_graphs(10, seed=31)


@pytest.fixture(scope="module")
def shard(tables: dict[str, pl.DataFrame]) -> Shard:
    return engine().shard(tables, engine().count(tables), seed=3)


@pytest.fixture(scope="module")
def graphs(tables: dict[str, pl.DataFrame]) -> list[Facts]:
    named = {name: tables[name] for name in SCENES}
    return [Facts(SceneGraph.from_tables(each, named), WORDS) for each in tables["images"]["image_id"]]


def called(thing: Thing) -> list[str]:
    """What people may call a thing."""
    noun = WORDS.nouns.get(thing.name) or WORDS.noun(thing.name)
    assert noun is not None
    every = (noun.name, *WORDS.ancestors(noun.name))
    return [each for each in every if each not in WORDS.categories or WORDS.categories[each].named]


def things(graphs: list[Facts]) -> Iterator[tuple[Facts, Thing]]:
    return ((facts, thing) for facts in graphs for thing in facts.graph.things.values())


def frame(shard: Shard, name: str) -> Frame:
    return BINDINGS[name].make(shard)


def test_as_many_as_by_hand(shard: Shard, graphs: list[Facts]) -> None:
    """The counts of joins are the counts of loops."""
    kinds = [Counter(kind for thing in facts.graph.things.values() for kind in called(thing)) for facts in graphs]
    above = [(kind, thing) for _, thing in things(graphs) for kind in called(thing)[1:]]
    categories = sum(kind in WORDS.categories for kind, _ in above)
    # One says in the middle of left and right, not of top and bottom.
    across = sum(facts.position(thing, "hposition") is not None for facts, thing in things(graphs))
    places = across + sum(facts.position(thing, "vposition") in {"top", "bottom"} for facts, thing in things(graphs))
    by_hand = {
        "thing": sum(1 for _ in things(graphs)),
        "present": sum(len(each) for each in kinds),
        "group": sum(number > 1 for each in kinds for number in each.values()),
        "category": categories,
        "position": places,
        "value": sum(len(thing.attributes) for _, thing in things(graphs)),
        "link": sum(one != other for facts in graphs for one, _, other in facts.graph.relations),
    }
    assert {name: len(frame(shard, name)) for name in by_hand} == by_hand


def test_absent_kinds_are_absent(shard: Shard, graphs: list[Facts]) -> None:
    """Of every kind that is said to be absent the executor says so of each thing."""
    found = frame(shard, "absent")
    assert len(found) > 0
    for image, kind in zip(found.image, found["k"].code, strict=True):
        facts, name = graphs[image], shard.codes.kinds[kind]
        assert facts.is_complete(name)
        assert {facts.named(thing, name) for thing in facts.graph.things.values()} <= {False}


def test_pairs_are_what_they_say(shard: Shard, graphs: list[Facts]) -> None:
    """Two things agree or differ in a type as the executor finds."""
    found = frame(shard, "pair")
    ids = shard.world.thing_ids
    for row in range(0, len(found), 7):
        facts = graphs[found.image[row]]
        one, other = (facts.graph.things[ids[int(found[name].code[row])]] for name in ("a", "b"))
        truth = facts.agree(one, other, shard.codes.types[found["t"].code[row]])
        if found.features["agree"][row]:
            assert truth is True
        if found.features["differ"][row]:
            assert truth is False


def test_only_objects_are_the_only_ones(shard: Shard, graphs: list[Facts]) -> None:
    """What s alone may stand in a relation to: no other thing is known to be related so."""
    found = frame(shard, "link")
    ids, rows = shard.world.thing_ids, np.flatnonzero(found.features["only_object"])
    for row in rows[::5]:
        facts = graphs[found.image[row]]
        subject, target = (facts.graph.things[ids[int(found[name].code[row])]] for name in ("s", "o"))
        relation = shard.codes.relations[found["r"].code[row]]
        related = [each.id for each in facts.graph.things.values() if facts.stand(subject, relation, each)]
        assert related == [target.id]
