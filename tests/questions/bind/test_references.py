"""Every reference fits exactly one thing, by the naive executor; none says more than it needs."""

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from made_graphs import made_graphs

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Ragged
from eyechart.questions.asking import SCENES, Engine, engine
from eyechart.questions.bind.frames import Shard
from eyechart.questions.bind.references import DEPTH, HORIZONTAL_POSITIONS, PRONOUN, THAT, THE, THIS
from eyechart.questions.graph import SceneGraph
from eyechart.questions.interpret import Found, interpret
from eyechart.questions.plan.references import Used
from eyechart.questions.plan.steps import Programs, Steps, Words
from eyechart.questions.programs import Program, Step

IMAGES = 8


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    return made_graphs(IMAGES, seed=7)


@pytest.fixture(scope="module")
def shard(tables: dict[str, pl.DataFrame]) -> Shard:
    made: Engine = engine()
    return made.shard(tables, made.count(tables), seed=3)


@pytest.fixture(scope="module")
def programs(shard: Shard) -> list[Program]:
    """The program of each reference."""
    every = np.arange(len(shard.references))
    steps = Steps(shard, Words(shard.codes, ()), Used.of(shard.references, every))
    rows = steps.finding(every)
    place = np.arange(len(rows.values)) - rows.offsets[rows.rows]
    texts = steps.texts(Programs(Ragged(rows.values, rows.offsets), place - 1, np.full(len(place), NONE)))
    return [Program.read(each) for each in texts.to_list()]


@pytest.fixture(scope="module")
def graphs(tables: dict[str, pl.DataFrame]) -> dict[str, SceneGraph]:
    named = {name: tables[name] for name in SCENES}
    return {each: SceneGraph.from_tables(each, named) for each in tables["images"]["image_id"]}


def sample(shard: Shard, step: int) -> Iterator[int]:
    return iter(range(0, len(shard.references), step))


def test_every_reference_is_unique(shard: Shard, programs: list[Program], graphs: dict[str, SceneGraph]) -> None:
    """The executor finds the thing and no other that is surely meant."""
    world = shard.world
    for number in sample(shard, 3):
        thing = shard.references.thing[number]
        found = interpret(programs[number], graphs[world.image_ids[int(world.thing_image[thing])]]).trace[-1]
        assert isinstance(found, Found)
        assert found.sure == (world.thing_ids[int(thing)],), str(programs[number])


def test_no_modifier_could_be_left_out(shard: Shard, programs: list[Program], graphs: dict[str, SceneGraph]) -> None:
    """Without one of its filters a reference fits something else as well, or might."""
    world, references = shard.world, shard.references
    filtered = np.flatnonzero((references.first != NONE) | (references.position != NONE))
    for number in filtered[::5]:
        graph = graphs[world.image_ids[int(world.thing_image[references.thing[number]])]]
        for shorter in _without_one_filter(programs[number]):
            found = interpret(shorter, graph).trace[-1]
            assert isinstance(found, Found)
            assert len(found.sure) + len(found.maybe) > 1, str(programs[number])


def _without_one_filter(program: Program) -> Iterator[Program]:
    last = len(program.steps) - 1
    while program.steps[last].operation.operation.startswith("filter"):
        kept = [step for place, step in enumerate(program.steps) if place != last]
        yield Program(tuple(Step(step.operation, (place - 1,) if place else ()) for place, step in enumerate(kept)))
        last -= 1


def test_all_kinds_of_reference_occur() -> None:
    """Direct and general names, values, places, relations both ways, up to three deep, this, that and pronouns."""
    tables = made_graphs(400, seed=9)
    shard = engine().shard(tables, engine().count(tables), seed=3)
    found, codes = shard.references, shard.codes
    own = found.kind == shard.world.thing_kind[found.thing]
    plain = (found.first == NONE) & (found.relation == NONE) & (found.position == NONE)
    kinds = {
        "direct": plain & own & (found.style == THE),
        "category": plain & ~own & (found.style == THE),
        "attribute": (found.first != NONE) & (found.second == NONE) & ~found.negated,
        "two attributes": found.second != NONE,
        "not": found.negated,
        "position": found.position != NONE,
        "outgoing": (found.relation != NONE) & (found.direction == 0),
        "incoming": (found.relation != NONE) & (found.direction == 1),
        "passive": (found.relation != NONE) & codes.is_passive[found.relation],
        "this": found.style == THIS,
        "that": found.style == THAT,
        "pronoun": found.style == PRONOUN,
        **{f"depth {depth}": found.depth == depth for depth in range(DEPTH + 1)},
    }
    assert {name for name, flags in kinds.items() if not flags.any()} == set()


def test_nothing_is_mentioned_twice(shard: Shard) -> None:
    """A reference does not mention its own thing again, nor another one twice."""
    found = shard.references
    for thing, touched in zip(found.thing, found.touched, strict=True):
        mentioned = [each for each in touched.tolist() if each != NONE]
        assert len({thing, *mentioned}) == 1 + len(mentioned)


def test_nothing_is_described_twice_in_the_same_manner(shard: Shard) -> None:
    """No cup to the left of the pan to the left of the bowl; no cup to the left of the pan on the right."""
    found, codes = shard.references, shard.codes
    nested = np.flatnonzero((found.anchor != NONE) & (found.depth > 1))
    relation, inner = found.relation[nested], found.anchor[nested]
    assert len(nested)
    assert not ((found.relation[inner] == relation) | (found.relation[inner] == codes.inverse[relation])).any()
    described = np.flatnonzero(found.anchor != NONE)
    relation, inner = found.relation[described], found.anchor[described]
    aside = np.isin(relation, codes.relations.codes(["to the left of", "to the right of"]))
    assert aside.any()
    assert not (found.position[inner[aside]] // HORIZONTAL_POSITIONS == 0).any()


def test_no_value_is_said_that_the_name_says(shard: Shard) -> None:
    """No glass glass."""
    valued = np.flatnonzero(shard.references.first != NONE)
    found = shard.references.take(valued)
    assert not shard.codes.says[found.kind, found.first][~found.negated].any()
    glass, wine_glass = (shard.codes.kinds.code[name] for name in ("glass", "wine glass"))
    material = shard.codes.values.code["glass"]
    assert shard.codes.says[[glass, wine_glass], material].all()
