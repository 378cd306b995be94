"""Visual7W's accuracy equals the toolkit's loop; what the toolkit overlooks is an error unless asked for."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError, UsageError
from eyechart.metrics.kinds import Absent
from eyechart.metrics.visual7w import VISUAL7W, top_k_accuracy

QUESTIONS = pl.DataFrame({"question_id": ["1", "2", "3"], "answer": ["A cat.", "Two.", "RED"]})
RESULTS = st.lists(
    st.tuples(st.sampled_from("123"), st.lists(st.sampled_from(["a CAT.", "two.", "red", "cat"]), max_size=4)),
    min_size=1,
    max_size=8,
)


def table(results: list[tuple[str, list[str]]]) -> pl.DataFrame:
    """Results as a table."""
    schema = {"question_id": pl.String, "answers": pl.List(pl.String)}
    return pl.DataFrame(results, schema=schema, orient="row")


@given(RESULTS, st.integers(1, 4))
def test_official_profile(results: list[tuple[str, list[str]]], k: int) -> None:
    """One count per result, however often a question is answered, over the number of results."""
    right = dict(QUESTIONS.iter_rows())
    hits = 0
    for question, answers in results:
        hits += any(str(answer).lower() == str(right[question]).lower() for answer in answers[:k])
    assert top_k_accuracy(table(results), QUESTIONS, k, "official") == pytest.approx(hits / len(results))


def test_missing_and_repeated_results() -> None:
    """A partial file scores higher in the toolkit; here it is refused."""
    partial = table([("1", ["a cat."]), ("1", ["a cat."])])
    assert top_k_accuracy(partial, QUESTIONS, profile="official") == 1.0
    with pytest.raises(DataError, match="found more than one for 1 questions"):
        top_k_accuracy(partial, QUESTIONS)
    with pytest.raises(DataError, match="found none for 2 of 3 questions"):
        top_k_accuracy(partial.head(1), QUESTIONS)


def test_bad_calls() -> None:
    """Unknown questions, no results and k below 1 say so."""
    with pytest.raises(DataError, match=r"found 1 for questions that the benchmark does not have or not answer \(9\)"):
        top_k_accuracy(table([("9", ["x"])]), QUESTIONS, profile="official")
    with pytest.raises(Absent, match="no results"):
        top_k_accuracy(table([]), QUESTIONS, profile="official")
    with pytest.raises(UsageError, match="k: found 0"):
        top_k_accuracy(table([("1", ["x"])]), QUESTIONS, 0, "official")


def test_as_a_metric() -> None:
    """Predictions are lists of one answer; none at all is wrong."""
    predictions = pl.DataFrame({"question_id": ["2", "1", "3"], "answer": ["TWO.", "cat", None]})
    scored = VISUAL7W.score(predictions, {"questions": QUESTIONS.lazy()})
    assert scored.rows() == [("2", 1.0), ("1", 0.0), ("3", 0.0)]
    with pytest.raises(Absent, match="no question has a reference answer"):
        VISUAL7W.score(predictions, {})
