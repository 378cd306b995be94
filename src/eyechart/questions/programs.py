"""What a question means: typed steps, each on the results of earlier ones, written as GQA writes them.

>>> program = Program.parse("select: table (3)->filter color: white [0]->relate: apple,on,s (7) [1]->query: color [2]")
>>> program.steps[2].operation.related.relation, program.reasoning_steps
('on', 4)
>>> str(program.canonical)
'select: table->filter color: white [0]->relate: apple,on,s [1]->query: color [2]'
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Self

from eyechart._lib.keyed import draw
from eyechart.errors import DataError
from eyechart.questions.arguments import Related, Things
from eyechart.questions.operations import (
    ChooseRelation,
    Fewer,
    Filter,
    Kind,
    More,
    Operation,
    Order,
    Relate,
    Select,
    VerifyRelation,
    read_operation,
)

__all__ = ["Program", "Step"]

_ARROW = "->"
_STEP = re.compile(r"(?P<operation>[^:]+): (?P<argument>.*?)(?: \[(?P<dependencies>\d+(?:, \d+)*)\])?")
_NOT_REASONING = ("exist", "query: name", "choose name")
"""What GQA leaves out of the length of a program: any step whose text contains one of these."""


@lru_cache(maxsize=1 << 16)
def _operation(operation: str, argument: str) -> Operation:
    """An operation from its texts; the same texts come back in many programs."""
    return read_operation(operation, argument)


@dataclass(frozen=True, slots=True)
class Step:
    """An operation, and the places in the program of the steps whose results it takes."""

    operation: Operation
    dependencies: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text()

    def text(self, blank: str = "") -> str:
        """As in a program, with what stands behind the argument."""
        places = f" [{', '.join(map(str, self.dependencies))}]" if self.dependencies else ""
        return f"{self.operation.operation}: {self.operation.argument}{blank}{places}"


@dataclass(frozen=True)
class Program:
    """Steps in an order in which each comes after those that it depends on; the last one gives the answer.

    A program whose last step gives things is a reference: the white table.

    >>> Program.parse("select: cup (7)->query: color [0]->exist: ? [1]")
    Traceback (most recent call last):
    eyechart.errors.DataError: step 2 (exist: ? [1]) of 'select: cup (7)->query: color [0]->exist: ? [1]': \
found a word from step 1, expected things; correct the dependencies
    """

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise DataError("found a program without steps, expected one or more; write at least a select")
        for place in range(len(self.steps)):
            if fault := self._fault(place):
                raise DataError(
                    f"step {place} ({self.steps[place]}) of {str(self)!r}: {fault}; correct the dependencies"
                )
        if unused := set(range(len(self.steps) - 1)) - {each for step in self.steps for each in step.dependencies}:
            place = min(unused)
            raise DataError(
                f"step {place} ({self.steps[place]}) of {str(self)!r}: found that nothing takes its result, "
                "expected a later step that does; remove the step"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """From one line, GQA's ``semanticStr``."""
        return cls(tuple(_parsed(part, text) for part in text.split(_ARROW)))

    @classmethod
    def read(cls, steps: Iterable[Mapping[str, Any]]) -> Self:
        """From records with operation, argument and dependencies: GQA's ``semantic`` and the column ``program``.

        >>> str(Program.read([{"operation": "select", "argument": "scene", "dependencies": []}]))
        'select: scene'
        """
        # The records come from JSON or from a table; a wrong one fails in the lines below with what is wrong.
        return cls(
            tuple(Step(_operation(each["operation"], each["argument"]), tuple(each["dependencies"])) for each in steps)
        )

    def __str__(self) -> str:
        return _ARROW.join(step.text(blank) for step, blank in zip(self.steps, self._blanks(), strict=True))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """As records, the keys in GQA's order.

        >>> Program.parse("select: scene->query: place [0]").rows[1]
        {'operation': 'query', 'dependencies': [0], 'argument': 'place'}
        """
        return [
            {
                "operation": step.operation.operation,
                "dependencies": list(step.dependencies),
                "argument": step.operation.argument + blank,
            }
            for step, blank in zip(self.steps, self._blanks(), strict=True)
        ]

    @property
    def last(self) -> Operation:
        """The operation that gives the answer, and from which the structural type follows."""
        return self.steps[-1].operation

    @property
    def reasoning_steps(self) -> int:
        """The length that GQA states: steps without existence and naming.

        >>> Program.parse("select: cup (-)->exist: ? [0]").reasoning_steps
        1
        """
        return sum(not any(words in str(step) for words in _NOT_REASONING) for step in self.steps)

    def branch(self, place: int) -> "Program":
        """The program whose last step is this one.

        >>> both = Program.parse("select: cup->exist: ? [0]->select: pan ->exist: ? [2]->and:  [1, 3]")
        >>> str(both.branch(3))
        'select: pan->exist: ? [0]'
        """
        return Program(_steps(_node(self.steps, place)))

    @cached_property
    def referents(self) -> tuple[tuple[str, ...] | None, ...]:
        """For each step the ids of the things it gives, where the program says so.

        >>> Program.parse("select: cup (7,8)->filter color: red [0]->exist: ? [1]").referents
        (('7', '8'), ('7', '8'), None)
        """
        found: list[tuple[str, ...] | None] = []
        for step in self.steps:
            match step.operation:
                case Select(things=Things(ids=ids)) | Relate(related=Related(ids=ids)):
                    found.append(ids)
                case Filter() | Order():
                    found.append(found[step.dependencies[0]])
                case _:
                    found.append(None)
        return tuple(found)

    @cached_property
    def canonical(self) -> "Program":
        """The same for all programs that mean the same: without ids, in one order, without what is said twice.

        >>> one = Program.parse("select: cup (7)->verify size: big [0]->verify color: red  [0]->and:  [1, 2]")
        >>> two = Program.parse("select: cup (9)->verify color: red [0]->verify size: big  [0]->and:  [1, 2]")
        >>> one.canonical == two.canonical, str(Program.parse("select: cup->at least: 1 [0]").canonical)
        (True, 'select: cup->exist: ? [0]')
        """
        return Program(_steps(_canonical(_node(_nameless(self.steps), len(self.steps) - 1))))

    @cached_property
    def grounded(self) -> "Program":
        """The canonical form with its ids: the same for programs that mean the same of the same things.

        >>> big_red = Program.parse("select: cup (7)->filter size: big [0]->filter color: red [1]->exist: ? [2]")
        >>> str(big_red.grounded)
        'select: cup (7)->filter color: red [0]->filter size: big [1]->exist: ? [2]'
        """
        return Program(_steps(_canonical(_node(self.steps, len(self.steps) - 1))))

    @property
    def key(self) -> int:
        """64 bits that are the same wherever the canonical form is."""
        return draw(0, "program", str(self.canonical))

    def _blanks(self) -> Iterator[str]:
        """GQA leaves a blank behind the first argument of a second branch."""
        taken = self.steps[-1].dependencies
        second = taken[0] + 1 if len(taken) > 1 else len(self.steps)
        return (" " if place == second < len(self.steps) - 1 else "" for place in range(len(self.steps)))

    def _fault(self, place: int) -> str | None:
        step = self.steps[place]
        taken, takes = step.dependencies, step.operation.takes
        if len(taken) != len(takes):
            return f"found {len(taken)} dependencies, expected {len(takes)}"
        for dependency, kinds in zip(taken, takes, strict=True):
            if not 0 <= dependency < place:
                return f"found a dependency on step {dependency}, expected one before step {place}"
            given = self.steps[dependency].operation.gives
            if given not in kinds:
                return f"found {given.value} from step {dependency}, expected {_or(kinds)}"
        return None


def _or(kinds: Iterable[Kind]) -> str:
    return " or ".join(sorted(kind.value for kind in kinds))


def _parsed(part: str, text: str) -> Step:
    match = _STEP.fullmatch(part)
    if not match:
        raise DataError(
            f"step {part!r} of {text!r}: found no operation, expected 'operation: argument [dependencies]'; write it so"
        )
    taken = match["dependencies"]
    dependencies = tuple(int(each) for each in taken.split(", ")) if taken else ()
    return Step(_operation(match["operation"], match["argument"]), dependencies)


def _without_ids(operation: Operation) -> Operation:
    match operation:
        case Select(things=things):
            return Select(replace(things, ids=None))
        case Relate(related=related) | VerifyRelation(related=related) | ChooseRelation(related=related):
            return replace(operation, related=replace(related, ids=None))
        case _:
            return operation


def _nameless(steps: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(replace(step, operation=_without_ids(step.operation)) for step in steps)


class _Node(NamedTuple):
    """A step with the steps that it takes from, so that programs can be compared whatever the order of their steps."""

    operation: Operation
    taken: tuple["_Node", ...]

    @property
    def written(self) -> str:
        """A text to sort by, without ids, so that the order is the same in all pictures."""
        step = _without_ids(self.operation)
        return f"{step.operation}: {step.argument}({', '.join(each.written for each in self.taken)})"


def _node(steps: Sequence[Step], place: int) -> _Node:
    step = steps[place]
    return _Node(step.operation, tuple(_node(steps, each) for each in step.dependencies))


def _canonical(node: _Node) -> _Node:
    operation = node.operation.canonical()
    taken = tuple(_canonical(each) for each in node.taken)
    if isinstance(operation, Fewer):
        return _Node(More(), taken[::-1])
    if isinstance(operation, Filter):
        return _filtered(taken[0], operation)
    if operation.commutes:
        taken = tuple(sorted(taken, key=lambda each: each.written))
    return _Node(operation, taken)


def _filtered(things: _Node, operation: Filter) -> _Node:
    """Filters in the order of the alphabet, each once: they may be swapped and repeated without a difference."""
    below = things.operation
    if below == operation:
        return things
    if isinstance(below, Filter) and (operation.operation, operation.argument) < (below.operation, below.argument):
        return _Node(below, (_filtered(things.taken[0], operation),))
    return _Node(operation, (things,))


def _steps(node: _Node) -> tuple[Step, ...]:
    """The steps of a tree, each after those it takes from; what is there twice becomes one step."""
    places: dict[_Node, int] = {}
    steps: list[Step] = []

    def place_of(each: _Node) -> int:
        if each not in places:
            taken = tuple(place_of(other) for other in each.taken)
            places[each] = len(steps)
            steps.append(Step(each.operation, taken))
        return places[each]

    place_of(node)
    return tuple(steps)
