"""GQA distribution: do predicted answers occur as often as the true ones (Hudson and Manning 2019, section 4.4)?

Three forms. The published script takes the chi-square statistic of each global group, weighted by the group's size; it
grows with the number of questions and does not see predictions that are no true answer of the group. The unfinished
later script adds local groups: two thirds global, one third local. The distance is free of size: half the summed
differences of the shares (total variation), all answers included, averaged over questions; 0 is perfect, 1 the worst.
"""

import polars as pl

from eyechart.metrics.gqa_accuracy import balanced_questions, gqa_judged
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables

__all__ = ["GQA_DISTRIBUTION", "answer_distance", "chi_square"]

_SCALE = 100
"""The published script divides by this."""
_GLOBAL_SHARE = 2 / 3


def chi_square(answered: pl.DataFrame, group: str = "group_global") -> float:
    """The released statistic over the groups of a column; ``answered`` also has gold and predicted.

    >>> rows = pl.DataFrame({"group_global": ["x"] * 4, "gold": list("aabb"), "predicted": list("aaab")})
    >>> chi_square(rows)
    0.01
    """
    counts = _counts(answered, group).filter(pl.col("true") > 0)
    statistic = ((pl.col("made") - pl.col("true")).pow(2) / pl.col("true")).sum()
    groups = counts.group_by(group).agg(statistic=statistic, size=pl.col("true").sum()).sort(group)
    return float(groups.select((pl.col("statistic") * pl.col("size")).sum() / pl.col("size").sum()).item()) / _SCALE


def answer_distance(answered: pl.DataFrame, group: str = "group_global") -> float:
    """The mean distance between predicted and true answers, over the questions of the groups of a column.

    >>> rows = pl.DataFrame({"group_global": ["x"] * 4, "gold": list("aabb"), "predicted": list("aaab")})
    >>> answer_distance(rows)
    0.25
    """
    counts = _counts(answered, group)
    apart = (pl.col("made") - pl.col("true")).abs().sum() / 2
    groups = counts.group_by(group).agg(apart=apart, size=pl.col("true").sum()).sort(group)
    return float(groups.select(pl.col("apart").sum() / pl.col("size").sum()).item())


def _counts(answered: pl.DataFrame, group: str) -> pl.DataFrame:
    """How often each answer of a group is true, and how often it is predicted."""
    rows = answered.drop_nulls([group, "gold", "predicted"])
    if not rows.height:
        raise Absent(f"distribution: found no predicted question with a {group.replace('_', ' ')}, expected some")
    true = rows.group_by(group, answer="gold").agg(true=pl.len().cast(pl.Float64))
    made = rows.group_by(group, answer="predicted").agg(made=pl.len().cast(pl.Float64))
    both = true.join(made, on=[group, "answer"], how="full", coalesce=True)
    return both.with_columns(pl.col("true", "made").fill_null(0.0)).sort(group, "answer")


def _measure(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    questions = balanced_questions(tables, "question_id", "answer", "group_global", "group_local")
    answered = gqa_judged(predictions, questions).drop_nulls(["predicted", "gold"])
    in_global = answered["group_global"].count()
    released = chi_square(answered)
    parts = [
        Measure("chi-square", released, in_global),
        Measure("distance", answer_distance(answered), in_global),
    ]
    try:
        local = chi_square(answered, "group_local")
    except Absent as reason:
        return [*parts, Measure("chi-square, global and local", None, absent=str(reason))]
    mixed = _GLOBAL_SHARE * released + (1 - _GLOBAL_SHARE) * local
    return [*parts, Measure("chi-square, global and local", mixed, answered.height)]


GQA_DISTRIBUTION = SetMetric(
    "gqa-distribution",
    "GQA distribution: how far predicted answers are from the true ones",
    ("questions",),
    _measure,
    unit="number",
    higher_is_better=False,
)
