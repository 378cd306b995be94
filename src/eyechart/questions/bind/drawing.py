"""Draws over whole columns: one candidate of each row by weight, one reference for each thing that a question names."""

from dataclasses import dataclass, fields

import numpy as np

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Keys, Ragged, spread
from eyechart.questions.bind.references import DEPTH, HORIZONTAL_POSITIONS, PRONOUN, THE, References, sides
from eyechart.questions.bind.world import World

__all__ = ["Wanted", "chosen", "race", "uniform"]

_TRIES = 3


def uniform(keys: Keys) -> Floats:
    """Draws as numbers from 0 up to, not including, 1."""
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53


def race(rows: Ragged, keys: Keys, weights: Floats) -> Ints:
    """The place within ``values`` of one candidate per row, likely by its weight; NONE where no weight is positive.

    Every candidate gets a draw of its own, so that one more candidate changes the outcome only where it wins.

    >>> candidates = Ragged.of([2, 0], np.array([7, 8]))
    >>> race(candidates, np.array([1, 2], dtype=np.uint64), np.array([0.0, 1.0])).tolist()
    [1, -1]
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing over nothing never wins either
        times = -np.log1p(-uniform(keys)) / weights
    times[~(weights > 0)] = np.inf
    filled = np.flatnonzero(rows.lengths)
    winners = np.full(len(rows), NONE, dtype=np.int64)
    if not len(filled):
        return winners
    best = np.full(len(rows), np.inf)
    best[filled] = np.minimum.reduceat(times, rows.offsets[filled])
    places = np.flatnonzero((times == best[rows.rows]) & np.isfinite(times))
    winners[rows.rows[places][::-1]] = places[::-1]
    return winners


@dataclass(frozen=True)
class Wanted:
    """Things that need a reference, and what the reference must not say."""

    thing: Ints
    key: Keys
    kind: Ints
    """What it has to be called, NONE for anything."""
    avoided: Ints
    """``avoided[row, n]``: things that must not be mentioned."""
    unlike: Ints
    """``unlike[row, n]``: kinds for which nothing that is mentioned may be taken."""
    hidden: Ints
    """``hidden[row, n]``: attribute types that would give the answer away."""
    linked: Ints
    """``linked[row, n]``: relations that the question asks about, in which nothing is described then."""
    pronouns: bool = True

    def take(self, rows: Ints) -> "Wanted":
        """Some of them."""
        columns = {each.name: getattr(self, each.name)[rows] for each in fields(self) if each.name != "pronouns"}
        return Wanted(**columns, pronouns=self.pronouns)


def chosen(world: World, references: References, wanted: Wanted) -> Ints:
    """A reference for each thing, likely by its weight; NONE where none is allowed."""
    found = np.full(len(wanted.thing), NONE, dtype=np.int64)
    if not len(references):
        return found
    open_ = np.arange(len(found))
    for attempt in range(_TRIES):
        part = wanted.take(open_)
        drawn = references.drawn(part.thing, Key(attempt, "attempt").array(part.key))
        fits = (drawn != NONE) & _allowed(world, references, drawn, part)
        found[open_[fits]] = drawn[fits]
        open_ = open_[~fits]
    part = wanted.take(open_)
    starts, ends = references.ranges(part.thing)
    every = Ragged.of(ends - starts, spread(starts, ends - starts))
    keys = Key(_TRIES, "attempt").array(
        part.key[every.rows], every.values.astype(np.uint64) - starts[every.rows].astype(np.uint64)
    )
    weights = np.where(
        _allowed(world, references, every.values, part.take(every.rows)), references.weight[every.values], 0
    )
    places = race(every, keys, weights)
    found[open_[places != NONE]] = every.values[places[places != NONE]]
    return found


def _allowed(world: World, references: References, drawn: Ints, wanted: Wanted) -> Flags:
    """Whether references keep quiet about what they have to."""
    touched = references.touched[drawn]
    fits: Flags = (wanted.kind == NONE) | (
        (references.kind[drawn] == wanted.kind) & (references.style[drawn] != PRONOUN)
    )
    if not wanted.pronouns:
        fits &= references.style[drawn] == THE
    for mentioned in touched.T:
        rows = np.flatnonzero((mentioned != NONE) & fits)
        fits[rows] &= _is_new(world, mentioned[rows], wanted, rows)
    types = world.codes.type_of
    for hidden in wanted.hidden.T:
        for value in (references.first[drawn], references.second[drawn]):
            fits &= (value == NONE) | (types[value] != hidden)
        fits &= (references.position[drawn] == NONE) | (_position_type(world, references.position[drawn]) != hidden)
    for _ in range(DEPTH):
        rows = np.flatnonzero(fits & (references.relation[drawn] != NONE) & (drawn != NONE))
        fits[rows] &= _speaks_of_others(world, references.relation[drawn[rows]], wanted, rows)
        drawn = np.where(drawn == NONE, NONE, references.anchor[drawn])
    return fits


def _speaks_of_others(world: World, relation: Ints, wanted: Wanted, rows: Ints) -> Flags:
    """Whether relations in references are not those asked about; nor sides, where the question asks for one."""
    sideways = (wanted.hidden[rows] == world.codes.types.code["hposition"]).any(axis=1)
    fits: Flags = ~(relation[:, None] == wanted.linked[rows]).any(axis=1) & ~(sideways & sides(world.codes)[relation])
    return fits


def _is_new(world: World, mentioned: Ints, wanted: Wanted, rows: Ints) -> Flags:
    """Whether things may be mentioned: not those that are avoided, nor what could be taken for the kinds that are."""
    kind = world.thing_kind[mentioned]
    repeated = (wanted.avoided[rows] == mentioned[:, None]).any(axis=1)
    unlike = wanted.unlike[rows]
    confused: Flags = (world.codes.confused[kind[:, None], unlike] & (unlike != NONE)).any(axis=1)
    new: Flags = ~(repeated | confused)
    return new


def _position_type(world: World, position: Ints) -> Ints:
    code = world.codes.types.code
    return np.where(position < HORIZONTAL_POSITIONS, code["hposition"], code["vposition"])
