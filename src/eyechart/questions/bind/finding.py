"""Further variables of a binding: what it is not, what is not there, what would be the opposite.

A decoy has to be wrong for sure and plausible all the same: values that a thing's own value contradicts, kinds that an
inventory says are absent, relations that cannot hold at the same time; drawn by how often such things occur together.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from eyechart.questions.arrays.codes import COUNT, NONE
from eyechart.questions.arrays.ragged import Floats, Ints, Keys, Ragged
from eyechart.questions.bind.binding import everything_called
from eyechart.questions.bind.choosing import either, other
from eyechart.questions.bind.company import absent_kind, elsewhere, kind_of, many, number_of, one, present_kind
from eyechart.questions.bind.drawing import race
from eyechart.questions.bind.frames import Frame, Shard, Sort, Variable, several_or_one

__all__ = ["FINDERS", "Finder"]

_LEAST = 1e-6
_CONTEXT = 0.01


@dataclass(frozen=True)
class Finder:
    """A way to find a variable; rows where there is none get NONE and are not asked about."""

    about: str
    takes: tuple[Sort | Literal["any"], ...]
    """any stands for one and the same sort wherever it is written."""
    gives: Sort | Literal["any"]
    find: Callable[..., Variable]


def _won(candidates: Ragged, places: Ints) -> Ints:
    return np.where(places == NONE, NONE, candidates.values[places] if len(candidates.values) else NONE)


def _of_type(shard: Shard, type_: Ints) -> Ragged:
    """All values of a type that the language knows."""
    codes = shard.codes
    known = np.flatnonzero(shard.forms.knows_value())
    by_type = Ragged.grouped(codes.type_of[known], known, len(codes.types))
    return by_type.take(type_)


def _keys(shard: Shard, purpose: str, frame: Frame, candidates: Ragged, names: Keys) -> Keys:
    return shard.keyed(purpose, frame.key[candidates.rows], names[candidates.values])


def _contrary_value(shard: Shard, frame: Frame, thing: Variable, value: Variable) -> Variable:
    """A value of the same type that the thing has not, as its own value proves."""
    codes = shard.codes
    candidates = _of_type(shard, codes.type_of[value.code])
    row = candidates.rows
    lacking = shard.world.lacks(thing.code[row], candidates.values)
    kind = shard.world.thing_kind[thing.code][row]
    weight = np.where(lacking, shard.counts.value_weight[kind, candidates.values], 0)
    places = race(candidates, _keys(shard, "contrary value", frame, candidates, codes.values.keys), weight)
    return Variable("value", _won(candidates, places))


def _contrary_of_scene(shard: Shard, frame: Frame, value: Variable) -> Variable:
    """Another value of a scene's type."""
    codes = shard.codes
    candidates = _of_type(shard, codes.type_of[value.code])
    weight = codes.contradict[value.code[candidates.rows], candidates.values].astype(np.float64)
    places = race(candidates, _keys(shard, "contrary scene", frame, candidates, codes.values.keys), weight)
    return Variable("value", _won(candidates, places))


def _other_place(shard: Shard, frame: Frame, kind: Variable) -> Variable:
    """Another kind of place than the one that the picture shows."""
    codes = shard.codes
    places, counts = codes.places
    candidates = Ragged.of(np.full(len(frame), len(places)), np.tile(places, len(frame)))
    row = candidates.rows
    weight = np.sqrt(np.tile(counts, len(frame))) * codes.apart[kind.code[row], candidates.values]
    # A room is likelier taken for another room than for a field.
    rooms = np.asarray(codes.below[:, codes.kinds.codes(["room"])].any(axis=1))
    weight = weight * np.where(rooms[kind.code[row]] == rooms[candidates.values], 1, 0.05)
    weight = weight * shard.forms.knows_kind()[candidates.values]
    won = race(candidates, _keys(shard, "other place", frame, candidates, codes.kinds.keys), weight)
    return Variable("kind", _won(candidates, won), several=np.zeros(len(frame), dtype=np.int64))


def _value_of_none(shard: Shard, frame: Frame, kind: Variable, value: Variable) -> Variable:
    """A value of the same type that not one thing of the kind has."""
    codes, world = shard.codes, shard.world
    everybody = _everybody(shard, frame, kind.code)
    candidates = _of_type(shard, codes.type_of[value.code])
    pairs = everybody.take(candidates.rows)
    lacking = world.lacks(pairs.values, candidates.values[pairs.rows])
    nobody = np.bincount(pairs.rows, ~lacking, len(candidates.values)) == 0
    weight = np.where(nobody, shard.counts.value_weight[kind.code[candidates.rows], candidates.values], 0)
    places = race(candidates, _keys(shard, "value of none", frame, candidates, codes.values.keys), weight)
    return Variable("value", _won(candidates, places))


def _everybody(shard: Shard, frame: Frame, kind: Ints) -> Ragged:
    """All things of a kind in the picture of each row."""
    return everything_called(shard.world, frame.image, kind)


def _opposite_relation(shard: Shard, frame: Frame, relation: Variable) -> Variable:
    """A relation that cannot hold at the same time."""
    _ = frame
    code = shard.codes.contrary[relation.code]
    known = (code != NONE) & shard.forms.knows_relation()[code]
    return Variable("relation", np.where(known, code, NONE))


def _absent_object(shard: Shard, frame: Frame, subject: Variable, relation: Variable) -> Variable:
    """A kind that is not in the picture, but often stands in the relation to such subjects."""
    kind = shard.world.thing_kind[subject.code]
    return _absent_at_end(shard, frame, shard.counts.objects.candidates(kind, relation.code), "absent object")


def _absent_subject(shard: Shard, frame: Frame, relation: Variable, target: Variable) -> Variable:
    """A kind that is not in the picture, but often stands in the relation to such objects."""
    kind = shard.world.thing_kind[target.code]
    return _absent_at_end(shard, frame, shard.counts.subjects.candidates(kind, relation.code), "absent subject")


def _absent_at_end(shard: Shard, frame: Frame, likely: tuple[Ragged, Floats], purpose: str) -> Variable:
    candidates, weight = likely
    image = frame.image[candidates.rows]
    absent = shard.world.absent[image, candidates.values] & shard.forms.knows_kind()[candidates.values]
    fitting = weight * (shard.context[image, candidates.values] + _CONTEXT) * absent
    places = race(candidates, _keys(shard, purpose, frame, candidates, shard.codes.kinds.keys), fitting)
    return _kind(shard, frame, _won(candidates, places), purpose)


def _other_object(shard: Shard, frame: Frame, subject: Variable, relation: Variable, category: Variable) -> Variable:
    """An absent kind of the same category that often stands in the relation to such subjects."""
    kind = shard.world.thing_kind[subject.code]
    likely = shard.counts.objects.candidates(kind, relation.code)
    found = _absent_at_end(shard, frame, _within(shard, likely, category), "other object")
    return _as_many_as(shard, found, category)


def _other_subject(shard: Shard, frame: Frame, relation: Variable, target: Variable, category: Variable) -> Variable:
    """An absent kind of the same category that often stands in the relation to such objects."""
    kind = shard.world.thing_kind[target.code]
    likely = shard.counts.subjects.candidates(kind, relation.code)
    found = _absent_at_end(shard, frame, _within(shard, likely, category), "other subject")
    return _as_many_as(shard, found, category)


def _as_many_as(shard: Shard, kind: Variable, category: Variable) -> Variable:
    """A kind in the number of a thing, for which its category stands: a ball or a frisbee, balls or frisbees."""
    if kind.several is None or category.several is None or category.thing is None:
        raise AssertionError("a kind came without its number")
    counted = (shard.codes.number[kind.code] == COUNT) & (category.thing != NONE)
    return replace(kind, several=np.where(counted, category.several, kind.several))


def _within(shard: Shard, likely: tuple[Ragged, Floats], category: Variable) -> tuple[Ragged, Floats]:
    candidates, weight = likely
    return candidates, weight * shard.codes.below[candidates.values, category.code[candidates.rows]]


def _kind(shard: Shard, frame: Frame, code: Ints, purpose: str) -> Variable:
    keys = shard.keyed(f"{purpose}: several", frame.key)
    height = len(code)
    nobody = Ragged.of(np.zeros(height, dtype=np.int64), np.zeros(0, dtype=np.int64))
    several = several_or_one(shard.codes, np.maximum(code, 0), keys)
    return Variable("kind", code, several=several, thing=np.full(height, NONE), members=nobody)


def _other_kind(shard: Shard, frame: Frame, thing: Variable, category: Variable) -> Variable:
    """Another kind of the same category, for which nobody would take the thing, in the same number."""
    codes, world = shard.codes, shard.world
    counted = shard.counts.kinds > 0
    known = np.flatnonzero(shard.forms.knows_kind() & codes.is_named & ~codes.is_category & counted)
    chain = codes.chain.take(known)
    members = Ragged.grouped(chain.values, known[chain.rows], len(codes.kinds))
    candidates = members.take(category.code)
    row = candidates.rows
    own = world.thing_kind[thing.code][row]
    fits = ~codes.confused[own, candidates.values] & ~world.present[frame.image[row], candidates.values]
    fits &= codes.number[own] == codes.number[candidates.values]
    weight = np.sqrt(shard.counts.kinds[candidates.values]) * (
        shard.context[frame.image[row], candidates.values] + _CONTEXT
    )
    places = race(candidates, _keys(shard, "other kind", frame, candidates, codes.kinds.keys), weight * fits)
    found = _kind(shard, frame, _won(candidates, places), "other kind")
    return Variable("kind", found.code, several=world.several[thing.code], thing=found.thing, members=found.members)


def _category(shard: Shard, frame: Frame, thing: Variable) -> Variable:
    """A category that people say, of a thing: the nearer the likelier."""
    codes, world = shard.codes, shard.world
    chain = codes.chain.take(world.thing_kind[thing.code])
    row = chain.rows
    steps = np.arange(len(row)) - chain.offsets[row]
    said = codes.is_category & codes.is_named & shard.forms.knows_kind()
    weight = np.where(said[chain.values] & (steps > 0), 0.4**steps, 0)
    places = race(chain, _keys(shard, "category", frame, chain, codes.kinds.keys), weight)
    return Variable("kind", _won(chain, places), several=world.several[thing.code], thing=thing.code)


def _category_of_object(
    shard: Shard, frame: Frame, subject: Variable, relation: Variable, target: Variable
) -> Variable:
    """A category of the object to which nothing else belongs that the subject may stand in the relation to."""
    return _sole_category(shard, frame, (subject, relation, target), forward=True)


def _category_of_subject(
    shard: Shard, frame: Frame, subject: Variable, relation: Variable, target: Variable
) -> Variable:
    """A category of the subject to which nothing else belongs that may stand in the relation to the object."""
    return _sole_category(shard, frame, (subject, relation, target), forward=False)


def _sole_category(shard: Shard, frame: Frame, link: tuple[Variable, Variable, Variable], *, forward: bool) -> Variable:
    subject, relation, target = link
    own = target if forward else subject
    found = _category(shard, frame, own)
    mates = _everybody(shard, frame, np.maximum(found.code, 0))
    row = mates.rows
    ends = (subject.code[row], mates.values) if forward else (mates.values, target.code[row])
    rival = shard.world.linked(ends[0], relation.code[row], ends[1], possibly=True) & (mates.values != own.code[row])
    sole = np.bincount(row, rival, len(frame)) == 0
    return Variable("kind", np.where(sole, found.code, NONE), several=found.several, thing=found.thing)


def _one_more(shard: Shard, frame: Frame, number: Variable) -> Variable:
    """The next number."""
    _ = (shard, frame)
    return Variable("number", np.where(number.code == NONE, NONE, number.code + 1))


def _one_less(shard: Shard, frame: Frame, number: Variable) -> Variable:
    """The number before, from one."""
    _ = (shard, frame)
    return Variable("number", np.where(number.code > 1, number.code - 1, NONE))


def _opposite_value(shard: Shard, frame: Frame, value: Variable) -> Variable:
    """The opposite of a value."""
    _ = frame
    code = shard.codes.opposite[value.code]
    return Variable("value", np.where((code != NONE) & shard.forms.knows_value()[code], code, NONE))


def _type_of(shard: Shard, frame: Frame, value: Variable) -> Variable:
    """The type of a value."""
    _ = frame
    return Variable("type", np.where(value.code == NONE, NONE, shard.codes.type_of[value.code]))


FINDERS: Mapping[str, Finder] = {
    "contrary_value": Finder("a value that the thing has not", ("thing", "value"), "value", _contrary_value),
    "contrary_of_scene": Finder("a value that the scene has not", ("value",), "value", _contrary_of_scene),
    "other_place": Finder("another kind of place", ("kind",), "kind", _other_place),
    "value_of_none": Finder("a value that nothing of the kind has", ("kind", "value"), "value", _value_of_none),
    "opposite_relation": Finder("what cannot hold as well", ("relation",), "relation", _opposite_relation),
    "absent_object": Finder("what s could relate to but is absent", ("thing", "relation"), "kind", _absent_object),
    "absent_subject": Finder("what could relate to o but is absent", ("relation", "thing"), "kind", _absent_subject),
    "other_object": Finder("the same within a category", ("thing", "relation", "kind"), "kind", _other_object),
    "other_subject": Finder("the same within a category", ("relation", "thing", "kind"), "kind", _other_subject),
    "other_kind": Finder("another kind of the category", ("thing", "kind"), "kind", _other_kind),
    "category": Finder("a category of the thing", ("thing",), "kind", _category),
    "category_of_object": Finder(
        "a category of o alone among what s relates to", ("thing", "relation", "thing"), "kind", _category_of_object
    ),
    "category_of_subject": Finder(
        "a category of s alone among what relates to o", ("thing", "relation", "thing"), "kind", _category_of_subject
    ),
    "one_more": Finder("the next number", ("number",), "number", _one_more),
    "one_less": Finder("the number before", ("number",), "number", _one_less),
    "opposite_value": Finder("the opposite of a value", ("value",), "value", _opposite_value),
    "type_of": Finder("the type of a value", ("value",), "type", _type_of),
    "absent_kind": Finder("another kind, which is absent", ("kind",), "kind", absent_kind),
    "present_kind": Finder("another kind, which is present", ("kind",), "kind", present_kind),
    "elsewhere": Finder(
        "a kind whose only thing stands to o as the relation excludes", ("relation", "thing"), "kind", elsewhere
    ),
    "kind_of": Finder("what a thing is", ("thing",), "kind", kind_of),
    "many": Finder("a kind in the plural", ("kind",), "kind", many),
    "one": Finder("a kind in the singular", ("kind",), "kind", one),
    "number_of": Finder("how many things of a kind there are", ("kind",), "number", number_of),
    "either": Finder("one of two options, by a coin", ("any", "any"), "any", either),
    "other": Finder("the one of two options that either is not", ("any", "any"), "any", other),
}
"""Every finder by the name that patterns use."""
