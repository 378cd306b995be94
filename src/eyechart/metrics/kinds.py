"""The two kinds of metrics, a type each: those that score every question, and those that only make sense for a set.

An item metric gives a number per question; whatever is said of more questions is a mean of these, with an interval that
knows that questions about one image are not independent. A set metric (a harmonic mean of types, a distance between
distributions) gives numbers for a whole set; its interval comes from leaving out groups of images in turn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from eyechart.errors import EyechartError

__all__ = ["Absent", "ItemMetric", "Measure", "SetMetric", "Tables", "Unit"]

Tables = Mapping[str, pl.LazyFrame]
"""The tables of a benchmark; one that is not there has no rows, or is missing."""

Unit = Literal["percent", "points", "number", "years"]
"""A percent is a share, from 0 to 1; points are hundredths too, but may be below 0 or above 1."""


class Absent(EyechartError):  # noqa: N818  # a reason, not a fault
    """Raised by a metric that cannot be computed here; the message is the reason, and no number is shown."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a set metric, or the reason why there is none.

    >>> Measure("harmonic mean per type", 0.61, questions=120).value
    0.61
    """

    part: str
    value: float | None
    questions: int = 0
    absent: str | None = None


@dataclass(frozen=True, slots=True)
class ItemMetric:
    """A number per question.

    >>> def length(predictions, tables):
    ...     return predictions.select("question_id", score=pl.col("answer").str.len_chars().cast(pl.Float64))
    >>> ItemMetric("length", "letters in the answer", ("questions",), length, unit="number").name
    'length'
    """

    name: str
    title: str
    needs: tuple[str, ...]
    """The tables without rows in which it makes no sense."""
    score: Callable[[pl.DataFrame, Tables], pl.DataFrame]
    """From predictions and tables: question_id, score (null where there is none; shares lie between 0 and 1), and a
    flag where there is something to say of a score."""
    unit: Unit = "percent"
    higher_is_better: bool = True
    made_with: Callable[[], str] | None = None
    """Name, version and hash of what else decides the number, such as WordNet or word vectors; part of every result."""
    of_answers: bool = True
    """Whether it looks at predicted answers; without one in the whole file it is not computed."""


@dataclass(frozen=True, slots=True)
class SetMetric:
    """Numbers for a set of questions.

    >>> def answered(predictions, tables):
    ...     return [Measure("answered", float(predictions.height), predictions.height)]
    >>> SetMetric("answered", "predictions made", (), answered, unit="number").measure(pl.DataFrame(), {})
    [Measure(part='answered', value=0.0, questions=0, absent=None)]
    """

    name: str
    title: str
    needs: tuple[str, ...]
    measure: Callable[[pl.DataFrame, Tables], Sequence[Measure]]
    """From predictions (of the questions that count) and tables: one number per part."""
    unit: Unit = "percent"
    higher_is_better: bool = True
    made_with: Callable[[], str] | None = None
    """As for an item metric."""
    of_answers: bool = True
    """As for an item metric."""
