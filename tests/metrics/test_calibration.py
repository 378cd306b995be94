"""Calibration, risk and reliability equal literal loops, whatever the order of the file."""

from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError, UsageError
from eyechart.metrics.calibration import (
    CALIBRATION_ERROR,
    COVERAGE_AT_RISK,
    EFFECTIVE_RELIABILITY,
    RISK_COVERAGE,
    best_threshold,
    calibration_error,
    coverage_at_risk,
    effective_reliability,
    reliability_curve,
    risk_coverage_area,
    risk_coverage_curve,
)
from eyechart.metrics.kinds import Absent
from eyechart.metrics.summary import set_numbers

Rows = list[tuple[float, float]]  # confidence, score
CONFIDENCES = st.one_of(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.7, 1.0]), st.floats(0, 1))
ROWS = st.lists(st.tuples(CONFIDENCES, st.sampled_from([0.0, 0.3, 0.9, 1.0])), min_size=1, max_size=20)


def table(rows: Rows) -> pl.DataFrame:
    """Confidences and scores as a table."""
    return pl.DataFrame(rows, schema={"confidence": pl.Float64, "score": pl.Float64}, orient="row")


def literal_error(rows: Rows, bins: int) -> float:
    """Bin by bin, a bin's upper edge belonging to it."""
    total = 0.0
    for number in range(1, bins + 1):
        low, high = (number - 1) / bins, number / bins
        inside = [row for row in rows if low < row[0] <= high or (number == 1 and row[0] == 0)]
        if inside:
            confidence, accuracy = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            total += len(inside) / len(rows) * abs(accuracy - confidence)
    return total


@given(ROWS, st.integers(1, 20))
def test_equal_width(rows: Rows, bins: int) -> None:
    """The expected calibration error of Guo et al., in any order."""
    assert calibration_error(table(rows), bins=bins) == pytest.approx(literal_error(rows, bins))
    assert calibration_error(table(rows[::-1]), bins=bins) == calibration_error(table(rows), bins=bins)


@given(ROWS, st.integers(1, 20))
def test_equal_mass(rows: Rows, bins: int) -> None:
    """An answer's bin depends on how many are less sure; the same confidence is in the same bin."""
    place = {}
    for confidence, _ in rows:
        less = sum(other < confidence for other, _ in rows)
        same = sum(other == confidence for other, _ in rows)
        place[confidence] = int(bins * (2 * less + same) // (2 * len(rows)))
    expected = 0.0
    for number in set(place.values()):
        inside = [row for row in rows if place[row[0]] == number]
        expected += abs(sum(score - confidence for confidence, score in inside)) / len(rows)
    assert calibration_error(table(rows), bins=bins, by="mass") == pytest.approx(expected, abs=1e-9)


def test_equal_mass_without_ties() -> None:
    """Ten distinct confidences fall into five bins of two."""
    curve = reliability_curve(table([(number / 10, 1.0) for number in range(10)]), bins=5, by="mass")
    assert curve["questions"].to_list() == [2] * 5


def taken(rows: Rows, threshold: float) -> list[float]:
    """The scores of answers that are given."""
    return [score for confidence, score in rows if confidence >= threshold]


@given(ROWS)
def test_risk_coverage_literally(rows: Rows) -> None:
    """One point per distinct confidence."""
    expected = []
    for threshold in sorted({confidence for confidence, _ in rows}, reverse=True):
        given_scores = taken(rows, threshold)
        risk = 1 - sum(given_scores) / len(given_scores)
        expected.append(pytest.approx((threshold, len(given_scores) / len(rows), risk)))
    assert risk_coverage_curve(table(rows)).rows() == expected


@given(ROWS, st.sampled_from([0.0, 0.01, 0.1, 0.5]))
def test_coverage_at_risk_literally(rows: Rows, risk: float) -> None:
    """The threshold that answers most at the risk, of all thresholds; none is 0."""
    best = 0.0
    for threshold in {confidence for confidence, _ in rows}:
        given_scores = taken(rows, threshold)
        if sum(1 - score for score in given_scores) <= risk * len(given_scores) + 1e-9:
            best = max(best, len(given_scores) / len(rows))
    assert coverage_at_risk(table(rows), risk) == pytest.approx(best)


@given(ROWS)
def test_area_literally(rows: Rows) -> None:
    """The mean risk of the first 1, 2, 3 … answers, those of the same confidence at their mean."""
    smooth = []
    for confidence, _ in rows:
        same = [score for other, score in rows if other == confidence]
        smooth.append((confidence, sum(same) / len(same)))
    smooth.sort(reverse=True)
    risks = [1 - sum(score for _, score in smooth[:count]) / count for count in range(1, len(rows) + 1)]
    assert risk_coverage_area(table(rows)) == pytest.approx(sum(risks) / len(risks))
    steps = [(one + other) / 2 / len(rows) for one, other in pairwise(risks)]
    assert risk_coverage_area(table(rows), rule="trapezoid") == pytest.approx(sum(steps))
    assert risk_coverage_area(table(rows[::-1])) == risk_coverage_area(table(rows))


@given(ROWS, st.sampled_from([1, 10, 100]), st.sampled_from([0.0, 0.5, 0.9]))
def test_reliability_literally(rows: Rows, cost: float, threshold: float) -> None:
    """Score, minus cost, or nothing; and no threshold is worth more than the best one."""
    expected = []
    for confidence, score in rows:
        if confidence < threshold:
            expected.append(0.0)
        else:
            expected.append(-cost if score == 0 else score)
    worth = effective_reliability(table(rows), cost, threshold)
    assert worth.to_list() == expected
    best = best_threshold(table(rows), cost)
    assert effective_reliability(table(rows), cost, best).sum() >= worth.sum() - 1e-9


def test_silence_is_best() -> None:
    """If every answer costs more than it brings, the best threshold is above every confidence."""
    assert effective_reliability(table([(1.0, 0.0)]), 1, best_threshold(table([(1.0, 0.0)]), 1)).to_list() == [0.0]


QUESTIONS = {"questions": pl.LazyFrame({"question_id": ["1", "2", "3", "4"], "answer": ["a", "b", "c", "d"]})}


def predicted(confidences: list[float | None], answers: str | list[str | None] = "abxd") -> pl.DataFrame:
    """Four answers, the third wrong."""
    return pl.DataFrame(
        {"question_id": ["1", "2", "3", "4"], "answer": list(answers), "confidence": confidences},
        schema={"question_id": pl.String, "answer": pl.String, "confidence": pl.Float64},
    )


def test_as_metrics() -> None:
    """The parts and their numbers, from predictions with confidences."""
    predictions = predicted([0.9, 0.95, 0.4, 0.6])
    parts = {
        measure.part: measure.value
        for metric in (CALIBRATION_ERROR, RISK_COVERAGE, COVERAGE_AT_RISK, EFFECTIVE_RELIABILITY)
        for measure in metric.measure(predictions, QUESTIONS)
    }
    assert parts == {
        "equal width": pytest.approx((0.1 + 0.05 + 0.4 + 0.4) / 4),
        "equal mass": pytest.approx((0.1 + 0.05 + 0.4 + 0.4) / 4),
        "area": pytest.approx(0.25 / 4),
        "area, trapezoid": pytest.approx(0.125 / 4),
        "at 1 % risk": 0.75,
        "at 5 % risk": 0.75,
        "at 10 % risk": 0.75,
        "at 20 % risk": 0.75,
        "cost 1": 0.75,
        "cost 1, always answering": 0.5,
        "cost 1, best threshold in hindsight": 0.75,
        "cost 10": 0.25,
        "cost 10, always answering": -1.75,
        "cost 10, best threshold in hindsight": 0.75,
        "cost 100": 0.0,
        "cost 100, always answering": -24.25,
        "cost 100, best threshold in hindsight": 0.75,
    }


def test_abstaining() -> None:
    """No answer needs no confidence; calibration leaves it out, coverage never reaches it without risk."""
    predictions = predicted([1.0, 1.0, None, 1.0], ["a", "b", None, "d"])
    assert [each.value for each in CALIBRATION_ERROR.measure(predictions, QUESTIONS)] == [0.0, 0.0]
    assert COVERAGE_AT_RISK.measure(predictions, QUESTIONS)[0].value == 0.75
    assert EFFECTIVE_RELIABILITY.measure(predictions, QUESTIONS)[0].value == 0.75


@pytest.mark.parametrize(
    ("confidences", "message"),
    [
        ([0.1, float("nan"), 0.2, 0.3], r"found nan as the confidence of 1 questions \(2\), expected 0 to 1"),
        ([0.1, 0.2, 1.01, -1], r"found 1.01 as the confidence of 2 questions \(3, 4\)"),
        ([0.1, None, 0.2, 0.3], r"found no value for the confidence for 1 of 4 questions \(2\)"),
    ],
)
def test_bad_confidences(confidences: list[float | None], message: str) -> None:
    """Missing, impossible and undefined confidences are refused with the ids."""
    with pytest.raises(DataError, match=message):
        CALIBRATION_ERROR.measure(predicted(confidences), QUESTIONS)


def test_nothing_to_measure() -> None:
    """Without confidences, or predictions, there is a reason and no number."""
    for predictions in (predicted([None] * 4), predicted([0.1] * 4).clear(), predicted([0.1] * 4).drop("confidence")):
        with pytest.raises(Absent, match="no confidence"):
            RISK_COVERAGE.measure(predictions, QUESTIONS)
    empty = table([])
    for measure in (calibration_error, risk_coverage_area):
        with pytest.raises(Absent, match="no answers with a confidence"):
            measure(empty)
    assert coverage_at_risk(empty) == 0.0
    assert risk_coverage_curve(empty).height == 0
    with pytest.raises(UsageError, match="bins: found 0"):
        reliability_curve(empty, bins=0)


def test_a_single_question() -> None:
    """One right answer: perfectly covered at no risk."""
    one = table([(0.5, 1.0)])
    assert (coverage_at_risk(one), risk_coverage_area(one), risk_coverage_area(one, rule="trapezoid")) == (
        1.0,
        0.0,
        0.0,
    )


def test_worth_may_be_negative() -> None:
    """An interval of a worth below 0 lies around it, and is not cut at 0 as that of a share."""
    predictions = pl.DataFrame(
        {
            "question_id": [str(number) for number in range(20)],
            "image_id": [str(number) for number in range(20)],
            "answer": ["cat"] * 20,
            "confidence": [0.95] * 20,
        }
    )
    answers = ["cat", "dog"] * 10
    tables = {"questions": pl.LazyFrame({"question_id": predictions["question_id"], "answer": answers})}
    costly = set_numbers(EFFECTIVE_RELIABILITY, predictions, tables)[3]
    assert costly.group == "cost 10"
    assert costly.value is not None
    assert costly.low is not None
    assert costly.high is not None
    assert costly.low < costly.value < costly.high < 0
