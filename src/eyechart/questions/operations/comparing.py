"""Operations that compare things with each other."""

from dataclasses import dataclass
from typing import ClassVar

from eyechart.questions.operations.kinds import THINGS, Kind, Operation, Taken, Typed

__all__ = ["Common", "Different", "DifferentPair", "Same", "SamePair"]


@dataclass(frozen=True, slots=True)
class _OfASet(Operation):
    """Something about all the things at once."""

    type: str

    @property
    def argument(self) -> str:
        """``type`` for what they are, ``gender``, or an attribute type."""
        return self.type


@dataclass(frozen=True, slots=True)
class Same(_OfASet):
    """Whether all the things agree."""

    operation: ClassVar[str] = "same"


@dataclass(frozen=True, slots=True)
class Different(_OfASet):
    """Whether the things do not all agree."""

    operation: ClassVar[str] = "different"


@dataclass(frozen=True, slots=True)
class SamePair(Typed):
    """Whether two things have the same value of a type."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    commutes: ClassVar[bool] = True
    verb: ClassVar[str] = "same"


@dataclass(frozen=True, slots=True)
class DifferentPair(Typed):
    """Whether two things have different values of a type."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    commutes: ClassVar[bool] = True
    verb: ClassVar[str] = "different"


@dataclass(frozen=True, slots=True)
class Common(Operation):
    """The type in which two things agree."""

    takes: ClassVar[Taken] = (THINGS, THINGS)
    gives: ClassVar[Kind] = Kind.WORD
    commutes: ClassVar[bool] = True
    operation: ClassVar[str] = "common"
