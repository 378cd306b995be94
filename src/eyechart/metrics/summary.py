"""From scores to numbers: every metric that applies, overall and by group, each with interval and count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from eyechart.metrics.gqa_accuracy import GQA_GROUPS
from eyechart.metrics.intervals import bootstrap_interval, clustered_means, jackknife_interval
from eyechart.metrics.kinds import Absent, ItemMetric, SetMetric, Tables, Unit

__all__ = ["Number", "groups_of", "item_numbers", "set_numbers"]

OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a report.

    >>> Number("vqa", "overall", "overall", 0.62, 0.6, 0.64, 1200).value
    0.62
    """

    metric: str
    by: str
    """The column by which questions were grouped, or overall; for set metrics, part."""
    group: str
    value: float | None
    low: float | None = None
    high: float | None = None
    questions: int = 0
    absent: str | None = None
    """Why there is no value."""
    unit: Unit = "percent"


def groups_of(questions: pl.DataFrame) -> pl.DataFrame:
    """What questions can be grouped by, beside their own columns: kind, number of words and of steps, first words.

    >>> from eyechart.tables import TABLES
    >>> asked = pl.DataFrame({"question_id": ["1"], "question": ["What color is the cat?"]})
    >>> groups_of(TABLES["questions"].conform(asked)).select("words", "first_words").row(0)
    ('5', 'what color')
    """
    words = pl.col("question").str.to_lowercase().str.strip_chars().str.split(" ")
    return questions.with_columns(
        pl.when(pl.col("structural").is_not_null()).then(GQA_GROUPS["kind"]).alias("kind"),
        GQA_GROUPS["words"].cast(pl.String).alias("words"),
        GQA_GROUPS["steps"].cast(pl.String).alias("steps"),
        words.list.head(2).list.join(" ").alias("first_words"),
    )


def item_numbers(
    metric: ItemMetric, scores: pl.DataFrame, by: Sequence[str], *, bootstrap: bool = False
) -> list[Number]:
    """Means of an item metric's scores, overall and by each of these columns.

    >>> metric = ItemMetric("m", "m", (), lambda predictions, tables: predictions)
    >>> rows = pl.DataFrame({"image_id": ["a", "b"], "score": [1.0, 0.0], "kind": ["x", "y"]})
    >>> [(number.group, number.value) for number in item_numbers(metric, rows, ["kind"])]
    [('overall', 0.5), ('x', 1.0), ('y', 0.0)]
    """
    known = scores.drop_nulls("score")
    if not known.height:
        reason = "no question has a score"
        return [Number(metric.name, OVERALL, OVERALL, None, absent=reason, unit=metric.unit)]
    overall = clustered_means(known).with_columns(group=pl.lit(OVERALL))
    if bootstrap and (interval := bootstrap_interval(known)):
        overall = overall.with_columns(low=pl.lit(interval[0]), high=pl.lit(interval[1]))
    numbers = [_number(metric, OVERALL, row) for row in overall.iter_rows(named=True)]
    for column in by:
        means = clustered_means(known.drop_nulls(column).with_columns(group=column), by=["group"])
        numbers += [
            _number(metric, column, row)
            for row in means.sort("questions", "group", descending=[True, False]).iter_rows(named=True)
        ]
    return numbers


def _number(metric: ItemMetric, by: str, row: Mapping[str, object]) -> Number:
    facts = {name: row[name] for name in ("value", "low", "high", "questions")}
    if metric.unit == "percent":
        # A share lies between 0 and 1, whatever the normal approximation says.
        facts |= {name: _share(row[name]) for name in ("low", "high")}
    # Columns of clustered_means have these types.
    return Number(metric.name, by, str(row["group"]), unit=metric.unit, **facts)  # type: ignore[arg-type]


def _share(bound: object) -> float | None:
    return None if bound is None else min(1.0, max(0.0, float(str(bound))))


def set_numbers(metric: SetMetric, predictions: pl.DataFrame, tables: Tables) -> list[Number]:
    """The numbers of a set metric; predictions carry image_id, by whose groups the intervals are found.

    >>> def share(predictions, tables):
    ...     from eyechart.metrics import Measure
    ...     return [Measure("yes", (predictions["answer"] == "yes").mean(), predictions.height)]
    >>> guesses = pl.DataFrame({"image_id": ["a", "b"], "answer": ["yes", "no"]})
    >>> set_numbers(SetMetric("share", "share of yes", (), share), guesses, {})[0].value
    0.5
    """
    try:
        measures = metric.measure(predictions, tables)
    except Absent as reason:
        return [Number(metric.name, "part", OVERALL, None, absent=str(reason), unit=metric.unit)]
    intervals = jackknife_interval(partial(_values, metric, tables), predictions)
    numbers = []
    for measure in measures:
        low, high = intervals.get(measure.part) or (None, None)
        if metric.unit == "percent":
            low, high = _share(low), _share(high)
        facts = (measure.part, measure.value, low, high, measure.questions, measure.absent, metric.unit)
        numbers.append(Number(metric.name, "part", *facts))
    return numbers


def _values(metric: SetMetric, tables: Tables, kept: pl.DataFrame) -> dict[str, float | None]:
    try:
        return {measure.part: measure.value for measure in metric.measure(kept, tables)}
    except Absent:
        return {}
