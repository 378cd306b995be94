"""Bindings that compare: which of two things is more of something, and whether all things of a kind agree."""

from functools import cache

import numpy as np

from eyechart.questions.arrays.codes import NONE, Codes
from eyechart.questions.arrays.ragged import Flags, Ints, Ragged
from eyechart.questions.bind.drawing import uniform
from eyechart.questions.bind.frames import Frame, Shard, Variable

__all__ = ["agreement", "genders", "likeness", "order"]

_COMPARED = ("color", "material", "shape")
_PAIRS_PER_THING = 2


@cache
def _ranks(codes: Codes) -> tuple[Ints, Ints]:
    """For each value its place in the order of its type, and whether its comparative points up (1) or down (0).

    NONE for values without an order, and for those without a comparative of their own.
    """
    rank, upwards = (np.full(len(codes.values), NONE, dtype=np.int64) for _ in range(2))
    said: set[str] = set()
    for place, each in enumerate(codes.ontology.attributes.values()):
        order = codes.ontology.types[each.type].order
        if each.name not in order:
            continue
        rank[place] = order.index(each.name)
        # Two values may share a comparative; the first of them is what it means.
        # "Less ripe" is the other one's being riper; only words of their own are asked for.
        stated = each.comparative if not each.comparative.startswith("less ") else ""
        if stated and stated not in said:
            said.add(stated)
            upwards[place] = int(rank[place] * 2 >= len(order))
    return rank, upwards


def order(shard: Shard) -> Frame:
    """Two things of one sort, of which one is more of a value than the other."""
    world, codes = shard.world, shard.codes
    rank, upwards = _ranks(codes)
    types = codes.type_of[world.value]
    one_of_it = world.the_value[world.value_thing, types] == world.value
    ranked = np.flatnonzero((rank[world.value] != NONE) & one_of_it & shard.forms.knows_value()[world.value])
    thing, value, type_ = world.value_thing[ranked], world.value[ranked], types[ranked]
    place = world.thing_image[thing] * len(codes.types) + type_
    mates = Ragged.grouped(place, np.arange(len(ranked)), int(place.max(initial=0)) + 1).take(place)
    more, less = mates.rows, mates.values
    kinds = world.thing_kind
    fits = (rank[value[more]] != rank[value[less]]) & _one_sort(codes, kinds[thing[more]], kinds[thing[less]])
    more, less = more[fits], less[fits]
    words = np.flatnonzero(upwards != NONE)
    by_type = Ragged.grouped(codes.type_of[words], words, len(codes.types)).take(type_[more])
    row, word = by_type.rows, by_type.values
    above = rank[value[more]] > rank[value[less]]
    right = above[row] == (upwards[word] == 1)
    row, word = row[right], word[right]
    a, b = thing[more][row], thing[less][row]
    key = shard.keyed("fact order", world.thing_keys[a], world.thing_keys[b], codes.values.keys[word])
    variables = {
        "a": Variable("thing", a),
        "b": Variable("thing", b),
        "v": Variable("value", word),
        "t": Variable("type", codes.type_of[word]),
    }
    frame = Frame(world.thing_image[a], key, variables, {"people": codes.is_person[kinds[a]]})
    return frame.take(np.flatnonzero(uniform(key) * mates.lengths[more[row]] < _PAIRS_PER_THING))


def _one_sort(codes: Codes, one: Ints, other: Ints) -> Flags:
    """Whether two kinds are worth comparing: both people, or of one category that people say, but not the same."""
    said = codes.is_category & codes.is_named
    row = codes.chain.take(one)
    shared = codes.below[other[row.rows], row.values] & said[row.values]
    found = np.bincount(row.rows, shared, len(one)) > 0
    return found & ~codes.confused[one, other]


# ---------------------------------------------------------------------- all things of a kind


def _groups(several: Frame) -> tuple[Frame, Ragged]:
    """Kinds of which there are two or more things and all are known."""
    frame = several.take(np.flatnonzero(np.asarray(several.features["complete"])))
    members = frame["k"].members
    if members is None:
        raise AssertionError("a binding of kinds came without their members")
    return frame, members


def _every(rows: Ragged, flags: Flags) -> Flags:
    """Whether a flag holds for all of a row."""
    found: Flags = np.bincount(rows.rows, ~flags, len(rows)) == 0
    return found


def _first(rows: Ragged) -> Ints:
    return rows.values[rows.offsets[:-1]] if len(rows) else rows.values


def likeness(shard: Shard, several: Frame) -> Frame:
    """All things of a category are called the same, or not."""
    frame, things = _groups(several)
    codes, kinds = shard.codes, shard.world.thing_kind
    category = codes.is_category[frame["k"].code]
    first = kinds[_first(things)]
    own = kinds[things.values]
    same = _every(things, own == first[things.rows])
    differ = np.bincount(things.rows, codes.apart[own, first[things.rows]], len(things)) > 0
    kept = np.flatnonzero(category & (same | differ) & (first != frame["k"].code))
    such = codes.below[own, first[things.rows]]
    those = Ragged.of(np.bincount(things.rows[such], minlength=len(things)), things.values[such])
    j = Variable("kind", first, several=np.ones_like(first), thing=np.full_like(first, NONE), members=those)
    found = Frame(frame.image, frame.key, {**frame.variables, "j": j}, {"same": same, "differ": differ})
    return found.take(kept)


def genders(shard: Shard, several: Frame) -> Frame:
    """All people of a kind are of one gender, or not."""
    frame, things = _groups(several)
    codes = shard.codes
    gender = codes.gender[shard.world.thing_kind[things.values]]
    known = _every(things, gender != 0)
    same = known & _every(things, gender == gender[things.offsets[:-1]][things.rows] if len(things) else gender == 0)
    mixed = (np.bincount(things.rows, gender == 1, len(things)) > 0) & (
        np.bincount(things.rows, gender == 2, len(things)) > 0  # noqa: PLR2004  # male
    )
    features = {"same": same, "differ": mixed, "female": gender[things.offsets[:-1]] == 1}
    found = Frame(frame.image, frame.key, frame.variables, features)
    # Of women one need not ask whether they are of one gender.
    said = codes.is_person[frame["k"].code] & (codes.gender[frame["k"].code] == 0)
    return found.take(np.flatnonzero(said & (same | mixed)))


def agreement(shard: Shard, several: Frame) -> Frame:
    """All things of a kind have one value of a type, or not."""
    frame, things = _groups(several)
    world, codes = shard.world, shard.codes
    parts = []
    for name in _COMPARED:
        type_ = codes.types.code[name]
        value = world.the_value[things.values, type_]
        known = _every(things, (value != NONE) & shard.forms.knows_value()[value])
        first = value[things.offsets[:-1]] if len(things) else value
        other = codes.contradict[first[things.rows], value]
        same = known & _every(things, value == first[things.rows])
        differ = known & (np.bincount(things.rows, other, len(things)) > 0)
        rows = np.flatnonzero(same | differ)
        parts.append((rows, np.full(len(rows), type_), first[rows], same[rows]))
    rows, types, values, same = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    found = frame.take(rows)
    variables = {**found.variables, "t": Variable("type", types), "v": Variable("value", values)}
    key = shard.keyed("fact agreement", found.key, codes.types.keys[types])
    return Frame(found.image, key, variables, {"same": same, "differ": ~same})
