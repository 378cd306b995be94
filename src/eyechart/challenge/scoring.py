"""Results into numbers: each split scored by the track's metrics, with intervals, and compared with its guard.

The numbers are those of :mod:`eyechart.metrics`; here is only which questions they are about.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from eyechart.challenge.truth import Truth
from eyechart.errors import MissingDependencyError
from eyechart.metrics import (
    Absent,
    ItemMetric,
    Number,
    SetMetric,
    clustered_means,
    graded,
    human_accuracies,
    item_numbers,
    metric_named,
    set_numbers,
)

__all__ = ["Gap", "Scored", "gap_between", "score", "score_people"]

_Z95 = 1.959963984540054

Report = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Gap:
    """How much better a split went than the one that guards it, and how much chance explains."""

    guard: str
    value: float
    bound: float
    """The half width of the 95 % interval of the difference."""

    @property
    def wide(self) -> bool:
        """Whether chance does not explain it."""
        return abs(self.value) > self.bound


@dataclass(frozen=True)
class Scored:
    """What one result gave."""

    numbers: Mapping[str, list[Number]]
    """By split."""
    gaps: list[Gap]
    made_with: Mapping[str, str]


def score(
    truth: Truth,
    results: pl.DataFrame,
    splits: Sequence[str],
    *,
    guards: Mapping[str, str] | None = None,
    report: Report = lambda _share, _doing: None,
) -> Scored:
    """Score results on these splits; ``guards`` says which split guards which.

    >>> import tempfile; from eyechart.challenge.truth import Truth
    >>> asked = pl.DataFrame({"question_id": ["1", "2"], "image_id": ["a", "b"], "answer": ["cat", "dog"]})
    >>> truth = Truth({"questions": asked.lazy()}, asked, {"dev": asked.select("question_id")}, ("accuracy",), (), "")
    >>> given = pl.DataFrame({"question_id": ["1", "2"], "answer": ["cat", "cow"]})
    >>> [(number.metric, number.value) for number in score(truth, given, ["dev"]).numbers["dev"]]
    [('accuracy', 0.5)]
    """
    predictions = _admitted(truth, results, splits)
    metrics = [metric_named(name) for name in truth.metrics]
    if any(isinstance(metric, SetMetric) for metric in metrics):
        predictions = graded(predictions, truth.tables)
    numbers: dict[str, list[Number]] = {slug: [] for slug in splits}
    gaps: list[Gap] = []
    for place, metric in enumerate(metrics):
        report(place / len(metrics), f"computing {metric.title}")
        if isinstance(metric, SetMetric):
            _measure_sets(metric, truth, predictions, numbers)
            continue
        scores = _scores(metric, truth, predictions)
        if isinstance(scores, str):
            _add_absent(numbers, metric, scores)
            continue
        by_split = {slug: scores.join(truth.splits[slug], on="question_id", how="semi") for slug in splits}
        for slug, part in by_split.items():
            numbers[slug] += item_numbers(metric, part, truth.groups if place == 0 else ())
        if place == 0:
            gaps = [gap_between(guard, by_split[split], by_split[guard]) for guard, split in (guards or {}).items()]
    sources = {metric.name: metric.made_with() for metric in metrics if metric.made_with is not None}
    return Scored(numbers, gaps, sources)


def score_people(truth: Truth, splits: Sequence[str]) -> Scored:
    """How well the people did whose answers the results are compared with, under the name of the ranking metric."""
    ranking = metric_named(truth.metrics[0])
    seen = human_accuracies(truth.tables["answers"].collect()).filter(pl.col("shown") == "image")
    scores = seen.select("question_id", "score").join(truth.columns, on="question_id", maintain_order="left")
    people = ItemMetric(ranking.name, ranking.title, (), lambda predictions, _tables: predictions)
    parts = {slug: scores.join(truth.splits[slug], on="question_id", how="semi") for slug in splits}
    return Scored({slug: item_numbers(people, part, truth.groups) for slug, part in parts.items()}, [], {})


def gap_between(guard: str, split: pl.DataFrame, guarding: pl.DataFrame) -> Gap:
    """The difference of two means over different images, and the half width of its 95 % interval.

    >>> rows = pl.DataFrame({"image_id": [str(i) for i in range(100)], "score": [i % 2 / 1 for i in range(100)]})
    >>> gap = gap_between("reserve", rows, rows)
    >>> gap.value, round(gap.bound, 3), gap.wide
    (0.0, 0.139, False)
    """
    means = [clustered_means(part).row(0, named=True) for part in (split, guarding)]
    values, errors = [each["value"] for each in means], [each["error"] for each in means]
    if None in values or None in errors:
        return Gap(guard, 0.0, 1.0)
    return Gap(guard, values[0] - values[1], _Z95 * math.hypot(*errors))


def _admitted(truth: Truth, results: pl.DataFrame, splits: Sequence[str]) -> pl.DataFrame:
    """The answers that count, and those to questions of no split at all, which follow from others; with their image."""
    counted = pl.concat([truth.splits[slug] for slug in splits]).unique()
    placed = pl.concat(list(truth.splits.values())).unique()
    elsewhere = placed.join(counted, on="question_id", how="anti")
    kept = results.join(elsewhere, on="question_id", how="anti", maintain_order="left") if elsewhere.height else results
    return kept.join(truth.questions.select("question_id", "image_id"), on="question_id", maintain_order="left")


def _scores(metric: ItemMetric, truth: Truth, predictions: pl.DataFrame) -> pl.DataFrame | str:
    """The score of every question with what it is counted by, or why there is none."""
    try:
        scored = metric.score(predictions, truth.tables)
    except (Absent, MissingDependencyError) as reason:
        return str(reason)
    return scored.select("question_id", "score").join(truth.columns, on="question_id", maintain_order="left")


def _measure_sets(
    metric: SetMetric, truth: Truth, predictions: pl.DataFrame, numbers: Mapping[str, list[Number]]
) -> None:
    placed = pl.concat(list(truth.splits.values())).unique()
    free = predictions.join(placed, on="question_id", how="anti", maintain_order="left")
    for slug, told in numbers.items():
        part = predictions.join(truth.splits[slug], on="question_id", how="semi", maintain_order="left")
        try:
            told.extend(set_numbers(metric, pl.concat([part, free]), truth.tables))
        except MissingDependencyError as reason:
            told.append(Number(metric.name, "part", "overall", None, absent=str(reason), unit=metric.unit))


def _add_absent(numbers: Mapping[str, list[Number]], metric: ItemMetric, reason: str) -> None:
    for kept in numbers.values():
        kept.append(Number(metric.name, "overall", "overall", None, absent=reason, unit=metric.unit))
