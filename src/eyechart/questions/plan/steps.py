"""Programs in bulk: every step is a number, every argument a row of words, until all become text in one go.

A reference contributes the steps that find its thing; a group adds its own. A program is a row of numbers in the list
of all steps of a shard.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import polars as pl

from eyechart.questions.arrays.codes import NONE, Codes
from eyechart.questions.arrays.ragged import Ints, Ragged, joined, listed, side_by_side, spread, stacked
from eyechart.questions.bind.frames import Frame, Shard, Variable
from eyechart.questions.bind.references import HORIZONTAL_POSITIONS, References
from eyechart.questions.bind.world import POSITIONS
from eyechart.questions.groups import group_of
from eyechart.questions.language.forms import INCOMING
from eyechart.questions.patterns.model import Group, Hole, Label, Naming, Sorted, StepPlan
from eyechart.questions.plan.references import Used, only

__all__ = ["Programs", "Steps", "Words"]

FIRST, FOLLOWING = -1, -2
"""A step that takes nothing, and one that takes the result of the step before it."""
_MOST_STEPS = 64
_MOST_NUMBER = 100
_FIXED = ("", " (", ")", ",", ",s (", ",o (", "not(", "select", "relate", "filter", "-", "_", "person")


class Words:
    """The words of programs and labels by their numbers: of the ontology, of groups, and the ids of things."""

    def __init__(self, codes: Codes, groups: Iterable[Group]) -> None:
        parts = [part for group in groups for part in group.program if isinstance(part, StepPlan)]
        labels = [
            piece for group in groups for label in (group.local, group.overall, group.detailed) for piece in label
        ]
        sorted_ = [each for piece in labels if isinstance(piece, Sorted) for each in (piece.one, piece.other)]
        pieces = [*(piece for part in parts for piece in part.argument), *labels, *sorted_]
        literals = [*_FIXED, *(part.operation for part in parts), *(each for each in pieces if isinstance(each, str))]
        self._literal = {text: place for place, text in enumerate(dict.fromkeys(literals))}
        self.texts = list(self._literal)
        self._starts: dict[str, int] = {}
        blocks = {
            "kind": codes.kinds.names,
            "value": codes.values.names,
            "type": codes.types.names,
            "relation": codes.relations.names,
            "position": POSITIONS,
            "number": tuple(map(str, range(_MOST_NUMBER))),
        }
        blocks["plural"] = tuple(_plural(codes, name) for name in codes.kinds.names)
        blocks["category"] = tuple(group_of(codes.ontology, name) for name in codes.kinds.names)
        for verb in ("filter", *(part.operation for part in parts if part.type)):
            blocks[f"{verb} type"] = tuple(f"{verb} {name}" for name in codes.types.names)
            comparatives = (each.comparative for each in codes.ontology.attributes.values())
            blocks[f"{verb} value"] = tuple(f"{verb} {name}" for name in comparatives)
        for name, words in blocks.items():
            self._starts[name] = len(self.texts)
            self.texts += words
        self._fixed = pl.Series("word", self.texts, dtype=pl.String)
        self.rank = np.argsort(np.argsort(np.array(self.texts, dtype=object), kind="stable"), kind="stable")
        """The place of each word in the order of the alphabet."""

    def literal(self, text: str) -> int:
        """The number of a text."""
        return self._literal[text]

    def of(self, block: str, code: Ints) -> Ints:
        """The numbers of the names of codes; nothing for NONE."""
        return np.where(code == NONE, 0, self._starts[block] + code)

    def things(self, thing: Ints) -> Ints:
        """The numbers of the ids of things."""
        return np.where(thing == NONE, 0, len(self.texts) + thing)

    def block(self, counts: Ints, block: str, names: Sequence[str]) -> dict[str, int]:
        """How often words of a block occur, of counts by number."""
        start = self._starts[block]
        found = counts[start : start + len(names)]
        return {names[place]: int(found[place]) for place in np.flatnonzero(found).tolist()}

    def with_things(self, thing_ids: pl.Series) -> pl.Series:
        """All texts of a shard."""
        return pl.concat([self._fixed, thing_ids.rename("word")])


@dataclass(frozen=True)
class Programs:
    """Rows of steps, each with the places in its row of the one or two steps from which it takes."""

    steps: Ragged
    first: Ints
    second: Ints

    def take(self, rows: Ints) -> "Programs":
        """Some rows."""
        lengths = self.steps.lengths[rows]
        flat = spread(self.steps.offsets[rows], lengths)
        return Programs(Ragged.of(lengths, self.steps.values[flat]), self.first[flat], self.second[flat])


@dataclass
class Steps:
    """The steps of all questions of a shard."""

    shard: Shard
    words: Words
    used: Used
    _operations: list[Ints] = field(default_factory=list)
    _arguments: list[Ragged] = field(default_factory=list)
    _size: int = 0
    _references: Ragged | None = None

    def add(self, operation: Ints | int, argument: Ragged) -> Ints:
        """Steps of many rows, operation and argument in words."""
        numbers = np.arange(self._size, self._size + len(argument))
        self._operations.append(np.broadcast_to(operation, (len(argument),)))
        self._arguments.append(argument)
        self._size += len(argument)
        return numbers

    # ------------------------------------------------------------------ references

    def finding(self, references: Ints) -> Ragged:
        """The steps that find the things of references; each takes the result of the one before."""
        if self._references is None:
            self._references = self._found()
        return self._references.take(self.used.place[references])

    def _found(self) -> Ragged:
        found = self.used.found
        own = side_by_side(
            [
                self._heads(found),
                self._filter(found, found.first, found.negated),
                self._filter(found, found.second, np.zeros(len(found), dtype=bool)),
                self._position(found),
            ]
        )
        parts: list[Ragged] = []
        for places in self.used.levels():
            anchor = found.anchor[places]
            parts.append(side_by_side([stacked(parts).take(anchor), own.take(places)]) if parts else own.take(places))
        return stacked(parts)

    def _heads(self, found: References) -> Ragged:
        """The select or relate of each reference."""
        word, height = self.words.literal, len(found)
        related = found.relation != NONE
        argument = side_by_side(
            [
                self.words.of("kind", found.kind),
                np.where(related, word(","), 0),
                self.words.of("relation", found.relation),
                np.where(related, np.where(found.direction == INCOMING, word(",o ("), word(",s (")), word(" (")),
                self.words.things(found.thing),
                np.full(height, word(")")),
            ]
        )
        return Ragged.of(np.ones(height), self.add(np.where(related, word("relate"), word("select")), argument))

    def _filter(self, found: References, value: Ints, negated: np.ndarray) -> Ragged:
        rows = np.flatnonzero(value != NONE)
        no = negated[rows]
        argument = side_by_side(
            [
                np.where(no, self.words.literal("not("), 0),
                self.words.of("value", value[rows]),
                np.where(no, self.words.literal(")"), 0),
            ]
        )
        operation = self.words.of("filter type", self.shard.codes.type_of[value[rows]])
        return _one(len(found), rows, self.add(operation, argument))

    def _position(self, found: References) -> Ragged:
        rows = np.flatnonzero(found.position != NONE)
        code = self.shard.codes.types.code
        axis = np.where(found.position[rows] < HORIZONTAL_POSITIONS, code["hposition"], code["vposition"])
        argument = Ragged.column(self.words.of("position", found.position[rows]))
        return _one(len(found), rows, self.add(self.words.of("filter type", axis), argument))

    # ------------------------------------------------------------------ groups

    def programs(self, group: Group, frame: Frame) -> Programs:
        """The programs of all facts of a group."""
        parts = [self._part(part, frame) for part in group.program]
        ends = np.cumsum(np.stack([part.lengths for part in parts], axis=1), axis=1) - 1
        steps = side_by_side(parts)
        place = np.arange(len(steps.values)) - steps.offsets[steps.rows]
        first, second = place - 1, np.full(len(place), NONE)
        for number, part in enumerate(group.program):
            if isinstance(part, Naming):
                begins = ends[:, number] - parts[number].lengths + 1
                first[steps.offsets[:-1] + begins] = NONE
                continue
            places = steps.offsets[:-1] + ends[:, number]
            if part.taken != FOLLOWING:
                one, other = divmod(part.taken, _MOST_STEPS) if part.taken >= 0 else (_MOST_STEPS, _MOST_STEPS)
                first[places] = ends[:, one] if part.taken >= 0 else NONE
                second[places] = ends[:, other] if other < len(parts) else NONE
        return Programs(steps, first, second)

    def _part(self, part: Naming | StepPlan, frame: Frame) -> Ragged:
        if isinstance(part, Naming):
            return self.finding(np.asarray(frame[part.variable].reference))
        argument = side_by_side([self.piece(piece, frame) for piece in part.argument] or [_zeros(frame)])
        operation: Ints | int = self.words.literal(part.operation)
        if part.type:
            variable = frame[part.type]
            operation = self.words.of(f"{part.operation} {variable.sort}", variable.code)
        return Ragged.of(np.ones(len(frame)), self.add(operation, argument))

    def piece(self, piece: str | Hole, frame: Frame) -> Ints | Ragged:
        """The words of one piece of an argument or a label."""
        if isinstance(piece, str):
            return np.full(len(frame), self.words.literal(piece))
        variable = frame[piece.variable]
        match piece.what:
            case "id":
                return self.words.things(variable.code)
            case "ids":
                return self._ids(variable)
            case "own":
                return self.words.of("kind", self._own(variable))
            case "plural" | "category":
                return self.words.of(piece.what, self._kind(variable))
            case _:
                return self.name(variable)

    def label(self, label: Label, frame: Frame) -> Ragged:
        """The words of a label."""
        pieces: list[Ints | Ragged] = []
        for piece in label:
            pieces += self._sorted(piece, frame) if isinstance(piece, Sorted) else [self.piece(piece, frame)]
        return side_by_side(pieces or [_zeros(frame)])

    def _sorted(self, both: Sorted, frame: Frame) -> list[Ints | Ragged]:
        """Two words in the order of the alphabet."""
        one, other = (np.asarray(self.piece(each, frame)) for each in (both.one, both.other))
        rank = self.words.rank
        turned = rank[one] > rank[other]
        joint = np.full(len(frame), self.words.literal("_"))
        return [np.where(turned, other, one), joint, np.where(turned, one, other)]

    def _kind(self, variable: Variable) -> Ints:
        return self.shard.world.thing_kind[variable.code] if variable.sort == "thing" else variable.code

    def _own(self, variable: Variable) -> Ints:
        """What a kind stands for: the kind of its thing where there is just one."""
        members = variable.members
        if members is None or not len(members.values):
            return self._kind(variable)
        alone = members.lengths == 1
        first = members.values[np.where(alone, members.offsets[:-1], 0)]
        return np.where(alone, self.shard.world.thing_kind[first], variable.code)

    def name(self, variable: Variable) -> Ints:
        """The ontology's names; of things, what they are."""
        return self.words.of("kind" if variable.sort == "thing" else variable.sort, self._kind(variable))

    def _ids(self, variable: Variable) -> Ragged:
        """The ids of the things of a kind, with commas between them; a dash where there are none."""
        members = variable.members
        if members is None:
            raise AssertionError("ids were asked of a variable that stands for no things")
        nobody = np.where(members.lengths == 0, self.words.literal("-"), 0)
        cells = np.stack(
            [np.full(len(members.values), self.words.literal(",")), self.words.things(members.values)], axis=1
        )
        begins = np.zeros(len(members.values), dtype=bool)
        begins[members.offsets[:-1][members.lengths > 0]] = True
        cells[begins, 0] = 0
        flat = cells.ravel()
        rows = np.repeat(members.rows, 2)[flat != 0]
        listed_ids = Ragged.of(np.bincount(rows, minlength=len(members)), flat[flat != 0])
        return side_by_side([nobody, listed_ids])

    # ------------------------------------------------------------------ text

    def texts(self, programs: Programs) -> pl.Series:
        """The column ``program``."""
        words = self.words.with_things(self.shard.world.thing_ids)
        flat = programs.steps.values
        operation = np.concatenate([np.zeros(0, dtype=np.int64), *self._operations])
        arguments = joined(words, stacked(self._arguments))
        cells = pl.DataFrame(
            {
                "operation": words.gather(operation[flat]),
                "argument": arguments.gather(flat),
                "dependencies": _lists_of_places().gather((1 + programs.first) * _MOST_STEPS + 1 + programs.second),
            }
        )
        return listed(cells, programs.steps)

    def counted(self, programs: Programs) -> Ints:
        """How often each word stands in the arguments of programs."""
        arguments = stacked(self._arguments)
        times = np.bincount(programs.steps.values, minlength=len(arguments))
        return np.bincount(arguments.values, np.repeat(times, arguments.lengths), len(self.words.texts)).astype(
            np.int64
        )


@cache
def _lists_of_places() -> pl.Series:
    """Every list of no, one or two step numbers."""
    numbers = range(_MOST_STEPS)
    lists = [[each - 1 for each in (first, second) if each] for first in numbers for second in numbers]
    return pl.Series("dependencies", lists, dtype=pl.List(pl.Int32))


def _plural(codes: Codes, name: str) -> str:
    noun = codes.ontology.nouns.get(name)
    return noun.plural if noun else name


def _one(height: int, rows: Ints, numbers: Ints) -> Ragged:
    """One step in some of the rows."""
    return only(height, rows, Ragged.of(np.ones(len(rows)), numbers))


def _zeros(frame: Frame) -> Ints:
    return np.zeros(len(frame), dtype=np.int64)
