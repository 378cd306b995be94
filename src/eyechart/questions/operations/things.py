"""Operations that give things: selecting them by name, keeping some, following a relation."""

from dataclasses import dataclass
from typing import ClassVar

from eyechart.questions.arguments import Related, Things, Value
from eyechart.questions.operations.kinds import Kind, Operation, Taken, Typed

__all__ = ["Filter", "Order", "Relate", "Scene", "Select"]


@dataclass(frozen=True, slots=True)
class Scene(Operation):
    """The picture as a whole."""

    takes: ClassVar[Taken] = ()
    gives: ClassVar[Kind] = Kind.SCENE
    operation: ClassVar[str] = "select"
    argument: ClassVar[str] = "scene"


@dataclass(frozen=True, slots=True)
class Select(Operation):
    """All things of a name or category."""

    things: Things
    takes: ClassVar[Taken] = ()
    gives: ClassVar[Kind] = Kind.THINGS
    operation: ClassVar[str] = "select"

    @property
    def argument(self) -> str:
        """As in ``cup (7)``."""
        return self.things.written


@dataclass(frozen=True, slots=True)
class Filter(Typed):
    """Those of the things that have a value, or that have it not."""

    value: Value
    gives: ClassVar[Kind] = Kind.THINGS
    verb: ClassVar[str] = "filter"

    @property
    def argument(self) -> str:
        """As in ``red`` or ``not(red)``."""
        return self.value.written


@dataclass(frozen=True, slots=True)
class Relate(Operation):
    """What stands in a relation to the things."""

    related: Related
    gives: ClassVar[Kind] = Kind.THINGS
    operation: ClassVar[str] = "relate"

    @property
    def argument(self) -> str:
        """As in ``cup,on,s (7)``."""
        return self.related.written


@dataclass(frozen=True, slots=True)
class Order(Operation):
    """The n-th of the things, counted from a side of the picture."""

    side: str
    place: int
    gives: ClassVar[Kind] = Kind.THINGS
    operation: ClassVar[str] = "order"

    @property
    def argument(self) -> str:
        """As in ``left,2``: the second from the left."""
        return f"{self.side},{self.place}"
