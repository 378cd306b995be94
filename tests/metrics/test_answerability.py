"""Average precision and F1 equal their definitions, literally, whatever the order of the file."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.metrics.answerability import ANSWERABILITY, average_precision, f1_score
from eyechart.metrics.kinds import Absent

ROWS = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0, 1e-20])), min_size=1, max_size=25)


def literal_average_precision(labels: list[int], scores: list[float]) -> float:
    """Every distinct score is a threshold; precision times gain in recall, from the highest threshold down."""
    area, recall_before = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        taken = [label for label, score in zip(labels, scores, strict=True) if score >= threshold]
        recall = sum(taken) / sum(labels)
        area += (recall - recall_before) * sum(taken) / len(taken)
        recall_before = recall
    return area


def literal_f1(labels: list[int], scores: list[float]) -> float:
    """From counts of true and false positives and false negatives."""
    pairs = list(zip(labels, scores, strict=True))
    hits = sum(1 for label, score in pairs if label and score > 0.5)
    false = sum(1 for label, score in pairs if not label and score > 0.5)
    missed = sum(1 for label, score in pairs if label and not score > 0.5)
    precision = hits / (hits + false) if hits + false else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def measured(rows: list[tuple[bool, float]]) -> list[float | None]:
    """Both numbers of the metric."""
    ids = [str(number) for number in range(len(rows))]
    predictions = pl.DataFrame({"question_id": ids, "answerable": [row[1] for row in rows]})
    questions = pl.LazyFrame({"question_id": ids, "answerable": [row[0] for row in rows]})
    return [measure.value for measure in ANSWERABILITY.measure(predictions, {"questions": questions})]


@given(ROWS)
def test_the_definitions(rows: list[tuple[bool, float]]) -> None:
    """Unanswerable is what is looked for; its score is 1.0 minus the prediction."""
    labels, scores = [1 - truth for truth, _ in rows], [1.0 - predicted for _, predicted in rows]
    precision, f1 = measured(rows)
    if any(labels):
        assert precision == pytest.approx(literal_average_precision(labels, scores))
        assert f1 == pytest.approx(literal_f1(labels, scores))
    else:
        assert precision is None
        assert f1 in {None, 0.0}
    assert measured(rows[::-1]) == [precision, f1]


def test_known_values() -> None:
    """The textbook example of ranked retrieval: found at ranks 1, 3 and 5."""
    labels, scores = np.array([1, 0, 1, 0, 1]), np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    assert average_precision(labels, scores) == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)
    assert average_precision(labels, np.zeros(5)) == pytest.approx(3 / 5)
    assert f1_score(labels, scores > 0.65) == pytest.approx(2 / 3)


def test_reasons_and_errors() -> None:
    """Nothing to find, nothing predicted, nobody asked; missing and impossible probabilities."""
    predictions = pl.DataFrame({"question_id": ["1", "2"], "answerable": [0.1, 0.2]})
    truth = {"questions": pl.LazyFrame({"question_id": ["1", "2"], "answerable": [True, True]})}
    precision, f1 = ANSWERABILITY.measure(predictions, truth)
    assert (precision.value, precision.absent) == (None, "every predicted question is answerable")
    assert (f1.value, f1.absent) == (0.0, None)
    with pytest.raises(Absent, match="do not say"):
        ANSWERABILITY.measure(predictions.select("question_id"), truth)
    with pytest.raises(Absent, match="do not say"):
        ANSWERABILITY.measure(predictions.clear(), truth)
    with pytest.raises(Absent, match="nobody has said"):
        ANSWERABILITY.measure(predictions, {})
    with pytest.raises(DataError, match=r"found 1.5 as the probability of being answerable of 1 questions \(2\)"):
        ANSWERABILITY.measure(predictions.with_columns(answerable=pl.Series([0.1, 1.5])), truth)
    with pytest.raises(DataError, match=r"found no value for the probability of being answerable for 1 of 2 questions"):
        ANSWERABILITY.measure(predictions.with_columns(answerable=pl.Series([0.1, None])), truth)
