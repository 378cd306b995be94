"""Other kinds beside the one that a fact is about: present or absent ones, and those that stand elsewhere."""

from dataclasses import replace

import numpy as np

from eyechart.questions.arrays.codes import COUNT, NONE
from eyechart.questions.arrays.ragged import Ragged, spread
from eyechart.questions.bind.binding import BINDINGS
from eyechart.questions.bind.drawing import race
from eyechart.questions.bind.frames import Frame, Shard, Variable

__all__ = ["absent_kind", "elsewhere", "kind_of", "many", "number_of", "one", "present_kind"]


def absent_kind(shard: Shard, frame: Frame, kind: Variable) -> Variable:
    """A kind that is known not to be in the picture."""
    return _one_of(shard, frame, kind, shard.kept("absent", BINDINGS["absent"].make))


def present_kind(shard: Shard, frame: Frame, kind: Variable) -> Variable:
    """Another kind that is in the picture."""
    return _one_of(shard, frame, kind, shard.kept("present", BINDINGS["present"].make))


def _one_of(shard: Shard, frame: Frame, kind: Variable, others: Frame) -> Variable:
    """One of the kinds of the same picture with which the first cannot be confused."""
    starts, ends = (np.searchsorted(others.image, frame.image, side=side) for side in ("left", "right"))
    candidates = Ragged.of(ends - starts, spread(starts, ends - starts))
    row, place = candidates.rows, candidates.values
    fits = ~shard.codes.confused[kind.code[row], others["k"].code[place]]
    keys = shard.keyed("company", frame.key[row], others.key[place])
    won = race(candidates, keys, fits.astype(np.float64))
    return _at(others["k"], np.where(won == NONE, NONE, place[won] if len(place) else NONE))


def _at(kinds: Variable, places: np.ndarray) -> Variable:
    """The kinds at some places, NONE where there is no place."""
    if not len(kinds.code):
        nothing = np.full(len(places), NONE, dtype=np.int64)
        empty = Ragged.of(np.zeros(len(places), dtype=np.int64), np.zeros(0, dtype=np.int64))
        return Variable("kind", nothing, several=np.zeros_like(nothing), thing=nothing, members=empty)
    found = kinds.take(np.maximum(places, 0))
    return Variable(
        "kind",
        np.where(places == NONE, NONE, found.code),
        several=found.several,
        thing=found.thing,
        members=found.members,
    )


def elsewhere(shard: Shard, frame: Frame, relation: Variable, target: Variable) -> Variable:
    """A kind whose only thing stands to the target as the relation excludes: to the right of it, not to the left."""
    world, codes = shard.world, shard.codes
    contrary = codes.contrary[relation.code]
    width = max(world.things, 1)
    number = world.relation * width + world.object
    order = np.argsort(number, kind="stable")
    wanted = np.where(contrary == NONE, NONE, contrary * width + target.code)
    starts, ends = (np.searchsorted(number[order], wanted, side=side) for side in ("left", "right"))
    candidates = Ragged.of(ends - starts, world.subject[order][spread(starts, ends - starts)])
    row, thing = candidates.rows, candidates.values
    image, kind = frame.image[row], world.thing_kind[thing]
    alone = _count_of(shard)[image, kind] == 1
    fits = alone & world.known[image, kind] & shard.forms.knows_kind()[kind]
    keys = shard.keyed("elsewhere", frame.key[row], world.thing_keys[thing])
    won = race(candidates, keys, fits.astype(np.float64))
    found = np.where(won == NONE, NONE, thing[won] if len(thing) else NONE)
    return Variable(
        "kind",
        np.where(found == NONE, NONE, world.thing_kind[found] if world.things else NONE),
        several=world.several[found] if world.things else np.zeros_like(found),
        thing=found,
        members=Ragged.of(found != NONE, found[found != NONE]),
    )


def _count_of(shard: Shard) -> np.ndarray:
    """``[image, kind]``: how many things may be called so."""
    world = shard.world
    counted = np.zeros((world.images, len(world.codes.kinds)), dtype=np.int64)
    np.add.at(counted, (world.thing_image[world.called.rows], world.called.values), 1)
    return counted


def kind_of(shard: Shard, frame: Frame, thing: Variable) -> Variable:
    """What a thing is."""
    _ = frame
    code = thing.code
    members = Ragged.of(np.ones(len(code), dtype=np.int64), code)
    return Variable(
        "kind", shard.world.thing_kind[code], several=shard.world.several[code], thing=code, members=members
    )


def many(shard: Shard, frame: Frame, kind: Variable) -> Variable:
    """A kind in the plural, where it has one."""
    _ = frame
    several = (shard.codes.number[kind.code] == COUNT).astype(np.int64)
    return replace(kind, several=several, thing=np.full_like(kind.code, NONE))


def one(shard: Shard, frame: Frame, kind: Variable) -> Variable:
    """A kind in the singular, where it has one."""
    _ = (shard, frame)
    return replace(kind, several=np.zeros_like(kind.code))


def number_of(shard: Shard, frame: Frame, kind: Variable) -> Variable:
    """How many things of a kind there are."""
    _ = (shard, frame)
    if kind.members is None:
        raise AssertionError("a kind came without its members")
    return Variable("number", kind.members.lengths)
