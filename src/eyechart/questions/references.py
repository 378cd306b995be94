"""How a program speaks of things: a name or a relation, and the filters behind it."""

from dataclasses import dataclass

from eyechart.questions.operations import Filter, Operation, Order, Relate, Select
from eyechart.questions.programs import Program

__all__ = ["ANYTHING", "PRONOUNS", "Reference", "reference"]

PRONOUNS = {"he": "person", "she": "person", "they": "person", "it": "thing", "this": "thing", "that": "thing"}
"""Words that name nothing, and the category of what they may stand for."""
ANYTHING = "thing"
"""The category of everything, for a relation that names nothing."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The steps of a program that lead to some things."""

    head: Operation
    """A Scene, Select or Relate."""
    narrowing: tuple[Filter | Order, ...]
    """What follows the head, in the order of the program."""
    anchor: int | None
    """For a Relate the step that gives the things at the other end."""
    ids: tuple[str, ...] | None

    @property
    def name(self) -> str:
        """The name or category that the program gives to the things."""
        match self.head:
            case Select(things=things):
                return things.name
            case Relate(related=related):
                return related.name or ANYTHING
            case _:
                return "scene"

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters among what narrows."""
        return tuple(each for each in self.narrowing if isinstance(each, Filter))


def reference(program: Program, place: int) -> Reference:
    """The reference that ends with a step.

    >>> found = reference(Program.parse("select: cup (7)->filter color: red [0]->query: material [1]"), 1)
    >>> found.name, [each.argument for each in found.narrowing], found.ids
    ('cup', ['red'], ('7',))
    """
    narrowing: list[Filter | Order] = []
    step = program.steps[place]
    while isinstance(step.operation, Filter | Order):
        narrowing.append(step.operation)
        step = program.steps[step.dependencies[0]]
    return Reference(
        head=step.operation,
        narrowing=tuple(reversed(narrowing)),
        anchor=step.dependencies[0] if isinstance(step.operation, Relate) else None,
        ids=program.referents[place],
    )
