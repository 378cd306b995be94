"""Tell everything that can be told of a benchmark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from eyechart.analysis.gallery import COMPARISONS, DESCRIPTIONS
from eyechart.analysis.results import Result
from eyechart.analysis.views import Views
from eyechart.metrics import Absent

__all__ = ["Told", "describe", "describe_both"]


@dataclass(frozen=True, slots=True)
class Told:
    """What one description gave, or why it gave nothing.

    >>> Told("age", "People", [], "the benchmark has no judgements").results
    []
    """

    name: str
    chapter: str
    results: list[Result]
    absent: str | None = None


def describe(
    tables: Mapping[str, pl.LazyFrame], *, names: Sequence[str] | None = None, prefix: str = ""
) -> Iterator[Told]:
    """Every description that applies, or those that are asked for, one after the other.

    ``prefix`` keeps, of the first words of questions, only those that begin with these words.

    >>> asked = {"question_id": ["1", "2"], "question": ["Is it red?", "What is it?"], "answer": ["yes", "cup"]}
    >>> [told.results[0].title for told in describe({"questions": pl.LazyFrame(asked)}, names=["answer-length"])]
    ['100% of answers are a single word']
    """
    views = Views(tables, tuple(prefix.lower().split()))
    for name in names or DESCRIPTIONS:
        description = DESCRIPTIONS[name]
        missing = [table for table in description.needs if table not in tables]
        if missing:
            yield Told(name, description.chapter, [], f"the benchmark has no {' and no '.join(missing)}")
            continue
        try:
            yield Told(name, description.chapter, description.describe(views))
        except Absent as reason:
            yield Told(name, description.chapter, [], str(reason))


def describe_both(one: Mapping[str, pl.LazyFrame], other: Mapping[str, pl.LazyFrame]) -> Iterator[Told]:
    """Everything that can be told of two benchmarks side by side: what a remedy changed, or what sets two apart.

    >>> asked = pl.LazyFrame({"question_id": ["1"], "question": ["Is it red?"], "answer": ["yes"]})
    >>> next(describe_both({"questions": asked}, {"questions": asked})).results[0].title
    '1 questions here, 1 there'
    """
    sides = Views(one), Views(other)
    for name, compare in COMPARISONS.items():
        try:
            yield Told(name, "Side by side", compare(*sides))
        except Absent as reason:
            yield Told(name, "Side by side", [], str(reason))
