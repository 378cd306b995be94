"""Operations that count things, and quantifiers. GQA has none of them."""

from dataclasses import dataclass, replace
from typing import ClassVar

from eyechart.questions.arguments import Value
from eyechart.questions.operations.kinds import THINGS, Kind, Operation, Taken, Typed
from eyechart.questions.operations.truths import Exist

__all__ = ["All", "AllBut", "AsMany", "AtLeast", "AtMost", "Count", "Exactly", "Fewer", "More", "NoneOf", "Only"]


@dataclass(frozen=True, slots=True)
class Count(Operation):
    """How many things there are."""

    gives: ClassVar[Kind] = Kind.NUMBER
    operation: ClassVar[str] = "count"
    argument: ClassVar[str] = "?"


@dataclass(frozen=True, slots=True)
class _Threshold(Operation):
    """A bound on how many things there are."""

    number: int

    @property
    def argument(self) -> str:
        """The number."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class AtLeast(_Threshold):
    """Whether there are so many things or more."""

    operation: ClassVar[str] = "at least"

    def canonical(self) -> Operation:
        """At least one: there are some."""
        return Exist() if self.number == 1 else self


@dataclass(frozen=True, slots=True)
class AtMost(_Threshold):
    """Whether there are so many things or fewer."""

    operation: ClassVar[str] = "at most"


@dataclass(frozen=True, slots=True)
class Exactly(_Threshold):
    """Whether there are just so many things."""

    operation: ClassVar[str] = "exactly"


@dataclass(frozen=True, slots=True)
class All(Typed):
    """Whether each of the things has a value."""

    value: Value
    verb: ClassVar[str] = "all"

    @property
    def argument(self) -> str:
        """As in ``red`` or ``not(red)``."""
        return self.value.written


@dataclass(frozen=True, slots=True)
class NoneOf(Typed):
    """Whether not one of the things has a value."""

    value: Value
    verb: ClassVar[str] = "none"

    @property
    def argument(self) -> str:
        """As in ``red`` or ``not(red)``."""
        return self.value.written

    def canonical(self) -> Operation:
        """None is red: all are not red."""
        return All(self.type, replace(self.value, negated=not self.value.negated))


@dataclass(frozen=True, slots=True)
class AllBut(Typed):
    """Whether all of the things have a value but for so many."""

    number: int
    value: Value
    verb: ClassVar[str] = "all but"

    @property
    def argument(self) -> str:
        """As in ``1,red``."""
        return f"{self.number},{self.value.written}"


@dataclass(frozen=True, slots=True)
class Only(Operation):
    """Whether the first things are all that there is of the second."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    operation: ClassVar[str] = "only"


@dataclass(frozen=True, slots=True)
class More(Operation):
    """Whether there are more of the first things than of the second."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    operation: ClassVar[str] = "more"


@dataclass(frozen=True, slots=True)
class Fewer(Operation):
    """Whether there are fewer of the first things than of the second."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    operation: ClassVar[str] = "fewer"


@dataclass(frozen=True, slots=True)
class AsMany(Operation):
    """Whether there are as many of the first things as of the second."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    commutes: ClassVar[bool] = True
    operation: ClassVar[str] = "as many"
