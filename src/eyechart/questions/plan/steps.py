"""Programs in bulk: every step is a number, every argument a row of words, until they become text in one go.

A reference contributes the steps that find its thing; a pattern adds its own. Steps are kept in a growing list, so that a
program is a row of step numbers.
"""

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from eyechart.questions.arrays.codes import NONE, Codes
from eyechart.questions.arrays.ragged import Ints, Ragged, joined, listed, side_by_side, stacked
from eyechart.questions.bind.frames import Shard
from eyechart.questions.bind.references import References
from eyechart.questions.language.forms import INCOMING

__all__ = ["FIRST", "FOLLOWING", "Steps", "Words"]

FIRST, FOLLOWING = -1, -2
"""A step that takes nothing, and one that takes the result of the step before it."""
_MOST_STEPS = 64


class Words:
    """The words of arguments by their numbers: what the ontology has, the things of a shard, and whatever patterns add."""

    def __init__(self, codes: Codes, literals: tuple[str, ...]) -> None:
        self._literal = {text: place for place, text in enumerate(dict.fromkeys(("", *literals)))}
        parts = {
            "kind": codes.kinds.names,
            "value": codes.values.names,
            "type": codes.types.names,
            "relation": codes.relations.names,
        }
        self._texts = list(self._literal)
        self._starts = {}
        for name, words in parts.items():
            self._starts[name] = len(self._texts)
            self._texts += words
        self._fixed = pl.Series("word", self._texts, dtype=pl.String)

    def literal(self, text: str) -> int:
        """The number of a text."""
        return self._literal[text]

    def of(self, sort: str, code: Ints) -> Ints:
        """The numbers of the names of codes; nothing for NONE."""
        return np.where(code == NONE, 0, self._starts[sort] + code)

    def things(self, thing: Ints) -> Ints:
        """The numbers of the ids of things."""
        return np.where(thing == NONE, 0, len(self._texts) + thing)

    def texts(self, thing_ids: pl.Series) -> pl.Series:
        """All texts of a shard."""
        return pl.concat([self._fixed, thing_ids.rename("word")])


@dataclass
class Steps:
    """The steps of all questions of a shard."""

    shard: Shard
    words: Words
    _operations: list[Ints] = field(default_factory=list)
    _arguments: list[Ragged] = field(default_factory=list)
    _taken: list[Ints] = field(default_factory=list)
    _size: int = 0

    def add(self, operation: Ints, argument: Ragged, taken: Ints | int) -> Ints:
        """Steps of many rows; operation and argument in words, what they take as FIRST, FOLLOWING, or a code of pairs."""
        numbers = np.arange(self._size, self._size + len(argument))
        self._operations.append(np.broadcast_to(operation, (len(argument),)))
        self._arguments.append(argument)
        self._taken.append(np.broadcast_to(np.asarray(taken, dtype=np.int64), (len(argument),)))
        self._size += len(argument)
        return numbers

    def finding(self, numbers: Ints) -> Ragged:
        """The steps that find the things of references."""
        found = self.shard.references.take(numbers)
        linked = np.flatnonzero(found.relation != NONE)
        parts: list[Ragged | Ints] = []
        if len(linked):
            before = self.finding(found.anchor[linked])
            parts.append(before.take(_places(len(found), linked)))
            parts.append(_only(len(found), linked, self._relate(found.take(linked))))
        direct = np.flatnonzero(found.relation == NONE)
        parts.append(_only(len(found), direct, self._select(found.take(direct))))
        parts += [self._filters(found, value, negated) for value, negated in self._values(found)]
        parts.append(self._positions(found))
        return side_by_side([part if isinstance(part, Ragged) else part for part in parts])

    def _values(self, found: References) -> list[tuple[Ints, Ints]]:
        never = np.zeros(len(found), dtype=bool)
        return [(found.first, found.negated), (found.second, never)]

    def _literal(self, text: str, height: int) -> Ints:
        return np.full(height, self.words.literal(text))

    def _select(self, found: References) -> Ints:
        height = len(found)
        argument = side_by_side(
            [
                self.words.of("kind", found.kind),
                self._literal(" (", height),
                self.words.things(found.thing),
                self._literal(")", height),
            ]
        )
        return self.add(self._literal("select", height), argument, FIRST)

    def _relate(self, found: References) -> Ints:
        height = len(found)
        side = np.where(found.direction == INCOMING, self.words.literal(",o ("), self.words.literal(",s ("))
        argument = side_by_side(
            [
                self.words.of("kind", found.kind),
                self._literal(",", height),
                self.words.of("relation", found.relation),
                side,
                self.words.things(found.thing),
                self._literal(")", height),
            ]
        )
        return self.add(self._literal("relate", height), argument, FOLLOWING)

    def _filters(self, found: References, value: Ints, negated: Ints) -> Ragged:
        rows = np.flatnonzero(value != NONE)
        height = len(rows)
        not_ = negated[rows]
        argument = side_by_side(
            [
                np.where(not_, self.words.literal("not("), 0),
                self.words.of("value", value[rows]),
                np.where(not_, self.words.literal(")"), 0),
            ]
        )
        operation = self.operation("filter", self.shard.codes.type_of[value[rows]])
        return _only(len(found), rows, self.add(operation, argument, FOLLOWING))

    def _positions(self, found: References) -> Ragged:
        rows = np.flatnonzero(found.position != NONE)
        names = np.array([self.words.literal(name) for name in ("left", "right", "middle", "top", "bottom")])
        code = self.shard.codes.types.code
        axis = np.where(found.position[rows] < 3, code["hposition"], code["vposition"])  # noqa: PLR2004  # as in POSITIONS
        argument = Ragged.column(names[found.position[rows]])
        return _only(len(found), rows, self.add(self.operation("filter", axis), argument, FOLLOWING))

    def operation(self, verb: str, type_: Ints) -> Ints:
        """The number of an operation on attribute types."""
        return self.words.literal(f"{verb} {self.shard.codes.types[0]}") + type_

    # ------------------------------------------------------------------ text

    def programs(self, rows: Ragged, ends: Ints, texts: pl.Series) -> pl.Series:
        """The column ``program``: per row its steps. ``ends[row, block]`` is where each part of the program ends."""
        operation = np.concatenate(self._operations)[rows.values]
        arguments = joined(texts, stacked(self._arguments)).gather(rows.values)
        taken = np.concatenate(self._taken)[rows.values]
        place = np.arange(len(rows.values)) - rows.offsets[rows.rows]
        first, second = self._dependencies(taken, place, ends, rows.rows)
        lists = _lists_of_places().gather(
            np.where(first < 0, 0, 1 + first) * _MOST_STEPS + np.where(second < 0, 0, 1 + second)
        )
        cells = pl.DataFrame(
            {
                "operation": texts.gather(operation),
                "argument": arguments,
                "dependencies": lists,
            }
        )
        return listed(cells, rows)

    def _dependencies(self, taken: Ints, place: Ints, ends: Ints, row: Ints) -> tuple[Ints, Ints]:
        """The steps that each step takes from: none, the one before, or the ends of two parts."""
        explicit = np.flatnonzero(taken >= 0)
        first = np.where(taken == FOLLOWING, place - 1, NONE)
        second = np.full(len(place), NONE)
        blocks = taken[explicit]
        one, other = blocks // _MOST_STEPS, blocks % _MOST_STEPS
        first[explicit] = ends[row[explicit], one]
        second[explicit] = np.where(
            other == _MOST_STEPS - 1, NONE, ends[row[explicit], np.minimum(other, ends.shape[1] - 1)]
        )
        return first, second


def taking(one: int, other: int | None = None) -> int:
    """The code of a step that takes the results of one or two parts of its program."""
    return one * _MOST_STEPS + (_MOST_STEPS - 1 if other is None else other)


def _lists_of_places() -> pl.Series:
    """Every list of no, one or two step numbers."""
    lists = [
        [each - 1 for each in (first, second) if each] for first in range(_MOST_STEPS) for second in range(_MOST_STEPS)
    ]
    return pl.Series("dependencies", lists, dtype=pl.List(pl.Int32))


def _places(height: int, rows: Ints) -> Ints:
    places = np.full(height, NONE, dtype=np.int64)
    places[rows] = np.arange(len(rows))
    return places


def _only(height: int, rows: Ints, numbers: Ints) -> Ragged:
    """One step in some of the rows."""
    lengths = np.zeros(height, dtype=np.int64)
    lengths[rows] = 1
    return Ragged.of(lengths, numbers)
