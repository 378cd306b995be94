"""Operations that ask for a value, a name or a relation of one thing or of the scene."""

from dataclasses import dataclass, replace
from typing import ClassVar

from eyechart.questions.arguments import Related, options
from eyechart.questions.operations.kinds import ANY, THINGS, Kind, Operation, Taken, Typed

__all__ = ["Choose", "ChooseCompared", "ChooseRelation", "Query", "Verify", "VerifyRelation"]


@dataclass(frozen=True, slots=True)
class Query(Operation):
    """The name or a value of the one thing, or of the scene."""

    type: str
    takes: ClassVar[Taken] = (ANY,)
    gives: ClassVar[Kind] = Kind.WORD
    operation: ClassVar[str] = "query"

    @property
    def argument(self) -> str:
        """As in ``name`` or ``color``."""
        return self.type


@dataclass(frozen=True, slots=True)
class Verify(Typed):
    """Whether the one thing, or the scene, has a value."""

    value: str
    takes: ClassVar[Taken] = (ANY,)
    verb: ClassVar[str] = "verify"

    @property
    def argument(self) -> str:
        """As in ``red``."""
        return self.value


@dataclass(frozen=True, slots=True)
class VerifyRelation(Operation):
    """Whether the one thing is in a relation to another."""

    related: Related
    operation: ClassVar[str] = "verify rel"

    @property
    def argument(self) -> str:
        """As in ``cup,holding,o (7)``."""
        return self.related.written


@dataclass(frozen=True, slots=True)
class Choose(Typed):
    """Which of two values the one thing, or the scene, has."""

    options: tuple[str, str]
    takes: ClassVar[Taken] = (ANY,)
    gives: ClassVar[Kind] = Kind.WORD
    verb: ClassVar[str] = "choose"

    @property
    def argument(self) -> str:
        """As in ``red|green``."""
        return "|".join(self.options)

    def canonical(self) -> Operation:
        """The options in the order of the alphabet."""
        return replace(self, options=(min(self.options), max(self.options)))


@dataclass(frozen=True, slots=True)
class ChooseRelation(Operation):
    """In which of two relations the one thing is to another; ``related.relation`` holds both, as ``on|under``."""

    related: Related
    gives: ClassVar[Kind] = Kind.WORD
    operation: ClassVar[str] = "choose rel"

    @property
    def argument(self) -> str:
        """As in ``cup,to the left of|to the right of,s (7)``."""
        return self.related.written

    @property
    def options(self) -> tuple[str, str]:
        """The two relations."""
        return options(self.related.relation)

    def canonical(self) -> Operation:
        """The options in the order of the alphabet."""
        return replace(self, related=replace(self.related, relation="|".join(sorted(self.options))))


@dataclass(frozen=True, slots=True)
class ChooseCompared(Operation):
    """Which of two things is older, taller …; with ``more`` and ``fewer``, of which there are."""

    comparative: str
    takes: ClassVar[Taken] = (THINGS, THINGS)
    gives: ClassVar[Kind] = Kind.WORD
    commutes: ClassVar[bool] = True

    @property
    def operation(self) -> str:
        """As in ``choose older``."""
        return f"choose {self.comparative}"
