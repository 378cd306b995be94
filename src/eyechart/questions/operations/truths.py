"""Operations on existence and on truths."""

from dataclasses import dataclass
from typing import ClassVar

from eyechart.questions.operations.kinds import TRUTH, Operation, Taken

__all__ = ["And", "Exist", "Or"]


@dataclass(frozen=True, slots=True)
class Exist(Operation):
    """Whether there are such things."""

    operation: ClassVar[str] = "exist"
    argument: ClassVar[str] = "?"


@dataclass(frozen=True, slots=True)
class And(Operation):
    """Whether both are true."""

    takes: ClassVar[Taken] = (TRUTH, TRUTH)
    commutes: ClassVar[bool] = True
    operation: ClassVar[str] = "and"


@dataclass(frozen=True, slots=True)
class Or(Operation):
    """Whether one or both are true."""

    takes: ClassVar[Taken] = (TRUTH, TRUTH)
    commutes: ClassVar[bool] = True
    operation: ClassVar[str] = "or"
