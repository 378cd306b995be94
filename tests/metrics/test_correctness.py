"""The score that metrics over sets build on fits the benchmark, and bad values are refused by name."""

import polars as pl
import pytest

from eyechart.errors import DataError
from eyechart.metrics.correctness import check_shares, correctness, graded, picked_columns, seen_answers
from eyechart.metrics.kinds import Absent

QUESTIONS = pl.LazyFrame({"question_id": ["1", "2"], "answer": ["cat", "dog"]})


def test_agreement_counts_where_people_answered() -> None:
    """With several people a question the score is VQA accuracy, not equality with the reference."""
    said = pl.LazyFrame({"question_id": ["1"] * 10, "answer": ["cat"] * 8 + ["kitten"] * 2, "shown": ["image"] * 10})
    predictions = pl.DataFrame({"question_id": ["1"], "answer": ["Kitten"]})
    scored = correctness(predictions, {"questions": QUESTIONS, "answers": said})
    assert scored.rows() == [("1", pytest.approx(0.6))]


def test_one_answer_a_question_is_a_reference() -> None:
    """VQA accuracy of a single answer is always 0, so the reference is compared instead."""
    said = pl.LazyFrame({"question_id": ["1", "2"], "answer": ["cat", "dog"]})
    predictions = pl.DataFrame({"question_id": ["1", "2"], "answer": ["cat", "cat"]})
    assert correctness(predictions, {"questions": QUESTIONS, "answers": said})["score"].to_list() == [1.0, 0.0]


def test_answers_without_the_picture_do_not_count() -> None:
    """Only people who saw the picture are asked."""
    said = pl.LazyFrame({"question_id": ["1"] * 3, "answer": ["a", "b", "c"], "shown": ["caption", None, "nothing"]})
    assert seen_answers({"answers": said})["answer"].to_list() == ["b"]


def test_no_answer_is_wrong() -> None:
    """Abstaining scores 0, where people answered and where there is a reference."""
    silent = pl.DataFrame(
        {"question_id": ["1"], "answer": [None]}, schema={"question_id": pl.String, "answer": pl.String}
    )
    said = pl.LazyFrame({"question_id": ["1"] * 4, "answer": [""] * 4})
    assert correctness(silent, {"answers": said})["score"].to_list() == [0.0]
    assert correctness(silent, {"questions": QUESTIONS})["score"].to_list() == [0.0]


def test_nothing_to_compare_with() -> None:
    """Without answers and references there is a reason and no number; without predictions there are no rows."""
    predictions = pl.DataFrame({"question_id": ["1"], "answer": ["cat"]})
    with pytest.raises(Absent, match="no reference answers"):
        correctness(predictions, {})
    assert correctness(predictions.clear(), {"questions": QUESTIONS}).rows() == []


def test_grading_once() -> None:
    """Graded predictions keep their scores and order, and what cannot be graded stays out of sets."""
    predictions = pl.DataFrame({"question_id": ["9", "2", "1"], "answer": ["x", "dog", "dog"]})
    once = graded(predictions, {"questions": QUESTIONS})
    assert once["score"].to_list() == [None, 1.0, 0.0]
    assert correctness(once, {}).rows() == [("2", 1.0), ("1", 0.0)]
    nothing = graded(predictions, {})
    assert nothing["score"].to_list() == [None] * 3
    with pytest.raises(Absent, match="no reference answers"):
        correctness(nothing, {})


def test_absent_columns_and_tables_are_empty() -> None:
    """A table that is not there has no rows; a column that is not there is null and keeps its type."""
    assert picked_columns({}, "pairs", "question_id").height == 0
    picked = picked_columns({"questions": QUESTIONS}, "questions", "question_id", "answerable")
    assert picked.schema["answerable"] == pl.Boolean
    assert picked["answerable"].null_count() == 2


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.5, None], r"no value for a share for 1 of 2 questions \(b\)"),
        ([0.5, float("nan")], r"found nan as a share of 1 questions \(b\), expected 0 to 1"),
        ([-0.1, 1.1], r"found -0.1 as a share of 2 questions \(a, b\), expected 0 to 1"),
    ],
)
def test_shares_are_checked(values: list[float | None], message: str) -> None:
    """What is missing, not a number or out of range is refused, with the ids."""
    with pytest.raises(DataError, match=message):
        check_shares(pl.DataFrame({"question_id": ["a", "b"], "share": values}), "share", "a share")
