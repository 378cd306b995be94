"""Does a model know when it is right? Calibration, risk and coverage, effective reliability.

Calibration error and curve follow Guo et al. 2017 (section 2), risk and coverage Geifman and El-Yaniv 2017 (section 2),
effective reliability and coverage at a risk Whitehead et al. 2022. Accuracy may be any score from 0 to 1,
the risk of an answer is 1 - its score. Answers of the same confidence are given or withheld together, since no
threshold tells them apart; so the order of the file never matters.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from eyechart.errors import UsageError
from eyechart.metrics.correctness import check_shares, correctness
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables

__all__ = [
    "CALIBRATION_ERROR",
    "COVERAGE_AT_RISK",
    "EFFECTIVE_RELIABILITY",
    "RISK_COVERAGE",
    "best_threshold",
    "calibration_error",
    "confident_scores",
    "coverage_at_risk",
    "effective_reliability",
    "reliability_curve",
    "risk_coverage_area",
    "risk_coverage_curve",
]

Bins = Literal["width", "mass"]

_BINS = 15
_RISKS = (0.01, 0.05, 0.1, 0.2)
_COSTS = (1, 10, 100)
_ROUNDING = 1e-12


def reliability_curve(rows: pl.DataFrame, *, bins: int = _BINS, by: Bins = "width") -> pl.DataFrame:
    """Mean confidence and accuracy of each bin that has answers: bin, questions, confidence, accuracy.

    By width, bin m of M holds confidences above (m - 1)/M up to m/M, the first also 0. By mass, each bin holds about
    the same number of answers, those of the same confidence together: the bin of an answer is M times the share of
    answers of less confidence, plus half of those of the same.

    >>> rows = pl.DataFrame({"confidence": [0.1, 0.9, 0.8], "score": [0.0, 1.0, 0.5]})
    >>> reliability_curve(rows, bins=2).rows()
    [(1, 1, 0.1, 0.0), (2, 2, 0.8500000000000001, 0.75)]
    """
    if bins < 1:
        raise UsageError(f"bins: found {bins}, expected 1 or more; give another number")
    ordered = rows.select("confidence", "score").sort("confidence", "score")
    place = _by_width(ordered["confidence"], bins) if by == "width" else _by_mass(ordered["confidence"], bins)
    return (
        ordered.with_columns(pl.Series("bin", place, dtype=pl.Int64))
        .group_by("bin", maintain_order=True)
        .agg(questions=pl.len().cast(pl.Int64), confidence=pl.col("confidence").mean(), accuracy=pl.col("score").mean())
        .sort("bin")
    )


def _by_width(confidence: pl.Series, bins: int) -> NDArray[np.int64]:
    edges = np.arange(1, bins) / bins
    return np.searchsorted(edges, confidence.to_numpy(), side="left") + 1


def _by_mass(confidence: pl.Series, bins: int) -> NDArray[np.int64]:
    middle = confidence.rank("average").to_numpy() - 0.5
    return np.minimum(np.floor(bins * middle / max(confidence.len(), 1)), bins - 1).astype(np.int64) + 1


def calibration_error(rows: pl.DataFrame, *, bins: int = _BINS, by: Bins = "width") -> float:
    """The expected calibration error: mean distance of accuracy from confidence over bins, weighted by their answers.

    >>> rows = pl.DataFrame({"confidence": [0.1, 0.9, 0.8], "score": [0.0, 1.0, 0.5]})
    >>> round(calibration_error(rows, bins=2), 4)
    0.1
    """
    curve = reliability_curve(rows, bins=bins, by=by)
    if not curve.height:
        raise Absent("there are no answers with a confidence")
    distance = np.abs(curve["accuracy"].to_numpy() - curve["confidence"].to_numpy())
    return float((distance * curve["questions"].to_numpy()).sum() / rows.height)


def risk_coverage_curve(rows: pl.DataFrame) -> pl.DataFrame:
    """For every confidence, highest first, the share of questions answered at or above it and the risk of those.

    >>> rows = pl.DataFrame({"confidence": [0.9, 0.5, 0.5, 0.2], "score": [1.0, 1.0, 0.0, 0.0]})
    >>> risk_coverage_curve(rows).rows()
    [(0.9, 0.25, 0.0), (0.5, 0.75, 0.33333333333333337), (0.2, 1.0, 0.5)]
    """
    levels = _levels(rows)
    # NumPy divides; Polars would multiply by the reciprocal of a scalar, by which 49/49 falls short of 1.
    answered = np.cumsum(levels["answered"].to_numpy())
    risk = 1 - np.cumsum(levels["score"].to_numpy()) / answered
    return pl.DataFrame(
        {"threshold": levels["confidence"], "coverage": answered / max(rows.height, 1), "risk": risk},
        schema=dict.fromkeys(("threshold", "coverage", "risk"), pl.Float64),
    )


def _levels(rows: pl.DataFrame) -> pl.DataFrame:
    """How many answers have each confidence, highest first, and the sum of their scores."""
    ordered = rows.select("confidence", "score").sort("confidence", "score", descending=True)
    return ordered.group_by("confidence", maintain_order=True).agg(
        answered=pl.len().cast(pl.Int64), score=pl.col("score").sum()
    )


def risk_coverage_area(rows: pl.DataFrame, *, rule: Literal["mean", "trapezoid"] = "mean") -> float:
    """The area under the risk-coverage curve: the mean of the risks at the coverages 1/n, 2/n up to 1.

    Answers of the same confidence enter with their mean score, which is the expectation over their orders.
    ``trapezoid`` is the area as Whitehead et al.'s program has it: from 1/n on, and between the points.

    >>> rows = pl.DataFrame({"confidence": [0.9, 0.5, 0.5, 0.2], "score": [1.0, 1.0, 0.0, 0.0]})
    >>> round(risk_coverage_area(rows), 4)
    0.2708
    """
    if not rows.height:
        raise Absent("there are no answers with a confidence")
    levels = _levels(rows)
    count = levels["answered"].to_numpy()
    mean_score = np.repeat(levels["score"].to_numpy() / count, count)
    risks = 1 - np.cumsum(mean_score) / np.arange(1, rows.height + 1)
    if rule == "mean":
        return float(risks.mean())
    return float(((risks[1:] + risks[:-1]) / 2).sum() / rows.height)


def coverage_at_risk(rows: pl.DataFrame, risk: float = 0.01) -> float:
    """The largest share of questions that can be answered, by a threshold of confidence, at no more than this risk.

    >>> rows = pl.DataFrame({"confidence": [0.9, 0.5, 0.5, 0.2], "score": [1.0, 1.0, 0.0, 0.0]})
    >>> coverage_at_risk(rows, 0.01), coverage_at_risk(rows, 0.4)
    (0.25, 0.75)
    """
    curve = risk_coverage_curve(rows)
    return float(curve.filter(pl.col("risk") <= risk + _ROUNDING)["coverage"].max() or 0.0)  # type: ignore[arg-type]  # a number


def effective_reliability(rows: pl.DataFrame, cost: float, threshold: float) -> pl.Series:
    """What each answer is worth: its score; minus the cost if it is entirely wrong; 0 if it was withheld.

    An answer is withheld if its confidence is below the threshold.

    >>> rows = pl.DataFrame({"confidence": [0.9, 0.8, 0.1], "score": [0.6, 0.0, 1.0]})
    >>> effective_reliability(rows, cost=10, threshold=0.5).to_list()
    [0.6, -10.0, 0.0]
    """
    worth = pl.when(pl.col("score") == 0).then(-float(cost)).otherwise("score")
    return rows.select(worth=pl.when(pl.col("confidence") >= threshold).then(worth).otherwise(0.0))["worth"]


def best_threshold(rows: pl.DataFrame, cost: float) -> float:
    """The confidence from which answering is worth most; of several, the lowest, which answers most.

    Choose it on other questions than those that are reported. It is above 1 if silence is best.

    >>> rows = pl.DataFrame({"confidence": [0.9, 0.8, 0.1], "score": [0.6, 0.0, 1.0]})
    >>> best_threshold(rows, cost=10)
    0.9
    """
    valued = rows.select("confidence", score=effective_reliability(rows, cost, 0.0))
    levels = _levels(valued)
    worth = levels["score"].cum_sum().to_numpy()
    if not len(worth) or worth.max() < 0:
        return float(np.nextafter(1.0, 2.0))
    last_best = int(np.flatnonzero(worth >= worth.max() - _ROUNDING)[-1])
    return float(levels["confidence"][last_best])


def confident_scores(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    """The graded predictions with their confidence: question_id, confidence, answered, score.

    A prediction without an answer abstains: it counts as a wrong answer of confidence 0, and calibration leaves it out.

    >>> tables = {"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["cat"]})}
    >>> confident_scores(pl.DataFrame({"question_id": ["1"], "answer": ["cat"], "confidence": [0.7]}), tables).rows()
    [('1', 0.7, True, 1.0)]
    """
    if "confidence" not in predictions.columns or not predictions["confidence"].count():
        raise Absent("the predictions hold no confidence")
    silent = pl.col("answer").is_null()
    stated = predictions.select(
        "question_id", confidence=pl.when(silent).then(0.0).otherwise("confidence"), answered=~silent
    )
    check_shares(stated, "confidence", "the confidence")
    return stated.join(correctness(predictions, tables), on="question_id")


def _measures(
    parts: Sequence[tuple[str, Callable[[pl.DataFrame], float]]],
) -> Callable[[pl.DataFrame, Tables], list[Measure]]:
    def measure(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
        rows = confident_scores(predictions, tables)
        return [Measure(part, value(rows), rows.height) for part, value in parts]

    return measure


def _miscalibrated(by: Bins) -> tuple[str, Callable[[pl.DataFrame], float]]:
    return f"equal {by}", lambda rows: calibration_error(rows.filter("answered"), by=by)


def _covered(risk: float) -> tuple[str, Callable[[pl.DataFrame], float]]:
    return f"at {100 * risk:g} % risk", lambda rows: coverage_at_risk(rows, risk)


def _reliable(cost: float) -> list[tuple[str, Callable[[pl.DataFrame], float]]]:
    """At the threshold that is best for calibrated confidences, at none, and at the best one in hindsight."""

    def worth(rows: pl.DataFrame, threshold: float) -> float:
        return float(effective_reliability(rows.sort("confidence", "score"), cost, threshold).to_numpy().mean())

    return [
        (f"cost {cost:g}", lambda rows: worth(rows, cost / (1 + cost))),
        (f"cost {cost:g}, always answering", lambda rows: worth(rows, 0.0)),
        (f"cost {cost:g}, best threshold in hindsight", lambda rows: worth(rows, best_threshold(rows, cost))),
    ]


CALIBRATION_ERROR = SetMetric(
    "calibration-error",
    "expected calibration error, 15 bins",
    (),
    _measures([_miscalibrated("width"), _miscalibrated("mass")]),
    higher_is_better=False,
)
RISK_COVERAGE = SetMetric(
    "risk-coverage-area",
    "area under risk over coverage",
    (),
    _measures(
        [("area", risk_coverage_area), ("area, trapezoid", lambda rows: risk_coverage_area(rows, rule="trapezoid"))]
    ),
    higher_is_better=False,
)
COVERAGE_AT_RISK = SetMetric(
    "coverage-at-risk", "questions answered at a risk", (), _measures([_covered(risk) for risk in _RISKS])
)
EFFECTIVE_RELIABILITY = SetMetric(
    "effective-reliability",
    "worth of answers when wrong ones cost",
    (),
    _measures([part for cost in _COSTS for part in _reliable(cost)]),
    unit="points",  # wrong answers cost
)
