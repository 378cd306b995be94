"""The two kinds of models: those that only count, and networks that are trained; and what each has to say of itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy.typing as npt
import polars as pl

from eyechart.models.examples import Examples

if TYPE_CHECKING:
    from torch import Tensor, nn

    from eyechart.models.inputs import Batch

__all__ = ["Arrays", "Fitted", "HoldsArrays", "Inputs", "Network", "Ranks", "Reply", "Sizes", "State", "Statistic"]

State = dict[str, Any]  # JSON
Arrays = Mapping[str, npt.NDArray[Any]]


class Fitted(Protocol):
    """A model that has seen its training set."""

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """A predictions table, one row per question."""

    def state(self) -> State:
        """What it knows, as JSON."""


@runtime_checkable
class HoldsArrays(Protocol):
    """A fitted model that also keeps numbers."""

    def arrays(self) -> Arrays:
        """What it knows, as arrays."""


@runtime_checkable
class Ranks(Protocol):
    """A fitted model that has a share for every answer that it knows."""

    def ranked(self, examples: Examples, most: int) -> pl.DataFrame:
        """The most probable answers of each question: question_id, rank (from 1), answer, share."""


@dataclass(frozen=True)
class Statistic:
    """A model that is fitted in one look at the training set."""

    fit: Callable[[Examples, Mapping[str, Any]], Fitted]
    restore: Callable[[State, Arrays], Fitted]


@dataclass(frozen=True)
class Inputs:
    """What a network looks at."""

    question: Literal["none", "words", "bow", "meaning"] = "none"
    """Words one by one, counted, or the mean of their vectors."""
    picture: Literal["none", "vector", "rows"] = "none"
    """One vector, or a row per region."""
    normalise: Literal["none", "row", "whole"] = "none"
    """Features to length 1: each row, or all rows of a picture as one vector."""
    place: bool = False
    """Whether each row also says where it lies: its box's corners and area."""
    caption: bool = False
    choices: bool = False
    """Whether it scores offered choices; otherwise it scores the answers that it knows."""


@dataclass(frozen=True)
class Sizes:
    """How large a network's inputs and outputs are."""

    words: int = 0
    bag: int = 0
    caption: int = 0
    meaning: int = 0
    picture: int = 0
    rows: int = 0
    answers: int = 0


@dataclass(frozen=True)
class Reply:
    """What a network says to a batch."""

    scores: "Tensor"
    """Question by answer; or one score per offered choice of the batch."""
    attention: "Tensor | None" = None
    """Question by row of the picture; each question's weights sum to 1."""


@dataclass(frozen=True)
class Network:
    """A model that is trained: its settings, what it looks at, and how it is built."""

    settings: type[Any]  # a msgspec Struct
    inputs: Callable[[Any], Inputs]  # of these settings
    build: Callable[[Any, Sizes], "nn.Module"]
    """A module whose ``forward`` takes a ``Batch`` and gives a ``Reply``."""
    first: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings by another name of the same network."""


def ask(module: "nn.Module", batch: "Batch") -> Reply:
    """Call a module; its reply is typed here once, because torch does not say what a module gives."""
    reply: Reply = module(batch)
    return reply
