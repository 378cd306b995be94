"""What every step of a program has: kinds of values that it takes and gives, and two texts that say what it does."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

__all__ = ["ANY", "THINGS", "TRUTH", "Kind", "Operation", "Taken", "Typed"]


class Kind(Enum):
    """What a step gives to the next one, or as the answer."""

    SCENE = "the scene"
    THINGS = "things"
    TRUTH = "yes or no"
    WORD = "a word"
    NUMBER = "a number"


Taken = tuple[frozenset[Kind], ...]
"""What an operation takes: one set of accepted kinds per dependency."""

THINGS = frozenset({Kind.THINGS})
TRUTH = frozenset({Kind.TRUTH})
ANY = frozenset({Kind.THINGS, Kind.SCENE})


@dataclass(frozen=True, slots=True)
class Operation(ABC):
    """One step, without what it depends on."""

    takes: ClassVar[Taken] = (THINGS,)
    gives: ClassVar[Kind] = Kind.TRUTH
    commutes: ClassVar[bool] = False
    """Whether the order of what it takes makes no difference."""

    @property
    @abstractmethod
    def operation(self) -> str:
        """Its name in a program."""

    @property
    def argument(self) -> str:
        """Its argument in a program."""
        return ""

    def canonical(self) -> "Operation":
        """The same step, where an order that makes no difference is the alphabet's."""
        return self


@dataclass(frozen=True, slots=True)
class Typed(Operation):
    """An operation on one attribute type; empty for a value whose type has no name."""

    type: str
    verb: ClassVar[str]

    @property
    def operation(self) -> str:
        """The verb, and the type where it has a name."""
        return f"{self.verb} {self.type}".rstrip()
