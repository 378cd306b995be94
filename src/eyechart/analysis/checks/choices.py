"""Faults of multiple choice: no right choice or several, equal choices, a place that gives the answer away."""

import polars as pl

from eyechart.analysis.distributions import chi_square, chi_square_p_value
from eyechart.analysis.evidence import Evidence
from eyechart.analysis.findings import Check

__all__ = ["CHOICE_CHECKS"]

_SIGNIFICANT = 0.001
_FEWEST_EXPECTED = 5
"""The chi-square approximation is not trusted with fewer questions per position."""


def _targets(evidence: Evidence) -> pl.LazyFrame:
    """Per question: choices, and how many are right; questions whose right choice is not published are left out."""
    known = (
        evidence["choices"]
        .group_by("question_id")
        .agg(
            pl.len().alias("choices"),
            pl.col("is_target").sum().alias("targets"),
            pl.col("is_target").is_not_null().any().alias("published"),
        )
    )
    return known.filter("published")


def _without_target(evidence: Evidence) -> pl.LazyFrame:
    return _targets(evidence).filter(pl.col("targets") == 0).select(example="question_id")


def _several_targets(evidence: Evidence) -> pl.LazyFrame:
    return _targets(evidence).filter(pl.col("targets") > 1).select(example="question_id")


def _target_not_answer(evidence: Evidence) -> pl.LazyFrame:
    right = evidence.offers.filter("is_target").select("question_id", "normal").unique()
    answers = evidence.answered.select("question_id", "normal")
    both = right.join(answers, on="question_id", suffix="_answer")
    return (
        both.filter(pl.col("normal") != pl.col("normal_answer"))
        .select("question_id")
        .unique()
        .select(example="question_id")
    )


def _same(evidence: Evidence) -> pl.LazyFrame:
    """Per question and normalised choice that comes more than once: how many of them are right."""
    repeated = evidence.offers.filter(pl.struct("question_id", "normal").hash().is_duplicated())
    groups = repeated.group_by("question_id", "normal").agg(
        pl.len().alias("times"), pl.col("is_target").sum().alias("right")
    )
    return groups.filter(pl.col("times") > 1)


def _second_right(evidence: Evidence) -> pl.LazyFrame:
    ambiguous = (pl.col("right") > 0) & (pl.col("right") < pl.col("times"))
    return _same(evidence).filter(ambiguous).select(example=_offer())


def _equal_choices(evidence: Evidence) -> pl.LazyFrame:
    return _same(evidence).filter(pl.col("right") == 0).select(example=_offer())


def _offer() -> pl.Expr:
    return pl.format("{} ({})", "question_id", "normal")


def _broken_positions(evidence: Evidence) -> pl.LazyFrame:
    position = pl.col("position")
    groups = (
        evidence["choices"]
        .group_by("question_id")
        .agg((position.min() != 0).alias("late"), (position.max() != pl.len() - 1).alias("gaps"))
    )
    return groups.filter(pl.col("late") | pl.col("gaps")).select(example="question_id")


def _position_bias(evidence: Evidence) -> pl.LazyFrame:
    """One row per question whose number of choices shows a bias; the worst bias in the detail."""
    single = _targets(evidence).filter(pl.col("targets") == 1, pl.col("choices") > 1)
    right = evidence["choices"].filter("is_target").join(single, on="question_id")
    placed = right.select("question_id", "choices", "position").collect()
    tally = placed.group_by("choices", "position").len().sort("choices", "position")
    biased = [bias for (size,), rows in tally.group_by("choices") if (bias := _bias(int(str(size)), rows))]
    schema = {"choices": pl.UInt32, "p": pl.Float64, "detail": pl.String}
    found = pl.DataFrame(biased, schema=schema, orient="row")
    worst = found.sort("p", "choices")["detail"].head(1)
    hit = placed.join(found, on="choices", how="semi")
    return hit.lazy().select(example="question_id", detail=pl.lit(worst.item() if worst.len() else ""))


def _bias(size: int, rows: pl.DataFrame) -> tuple[int, float, str] | None:
    inside = rows.filter(pl.col("position").is_between(0, size - 1))
    found = dict(zip(inside["position"], inside["len"], strict=True))
    counts = [found.get(position, 0) for position in range(size)]
    total = sum(counts)
    if total < _FEWEST_EXPECTED * size:
        return None
    p = chi_square_p_value(chi_square(counts), size - 1)
    if p >= _SIGNIFICANT:
        return None
    most = max(range(size), key=counts.__getitem__)
    told = f"p = {p:.1g}" if p > 0 else "p < 1e-300"
    return (
        size,
        p,
        (
            f"of {total:,} questions with {size} choices {counts[most] / total:.1%} have it at position {most}, where "
            f"{1 / size:.1%} are expected ({told})"
        ),
    )


CHOICE_CHECKS = (
    Check("no-target", "error", "None of a question's choices is the right one.", ("choices",), _without_target),
    Check("several-targets", "error", "Several choices of a question are right.", ("choices",), _several_targets),
    Check(
        "target-not-answer",
        "error",
        "The right choice is not the reference answer.",
        ("choices", "questions"),
        _target_not_answer,
    ),
    Check(
        "second-right-choice",
        "error",
        "A wrong choice is the same as the right one after normalisation.",
        ("choices",),
        _second_right,
    ),
    Check("equal-choices", "warning", "Wrong choices are the same after normalisation.", ("choices",), _equal_choices),
    Check(
        "broken-positions",
        "error",
        "The positions of a question's choices are not 0, 1, 2 and so on.",
        ("choices",),
        _broken_positions,
    ),
    Check(
        "position-bias",
        "warning",
        "The place of the right choice gives it away: {detail}.",
        ("choices",),
        _position_bias,
    ),
)
