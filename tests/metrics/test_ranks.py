"""Ranks of the right choice are expectations over all orders of equal scores."""

from itertools import permutations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.metrics.kinds import Absent, Tables
from eyechart.metrics.ranks import MEAN_RANK, RECALL_AT_1, RECIPROCAL_RANK, recall_at

QUESTION = st.lists(st.sampled_from([0.0, 0.25, 0.5]), min_size=1, max_size=5).flatmap(
    lambda scores: st.tuples(st.just(scores), st.integers(0, len(scores) - 1))
)


def choices(targets: list[tuple[int, int]]) -> Tables:
    """Choices of questions 0, 1, 2 …: how many, and which is right; rows are in no order."""
    rows = [(str(q), place, place == right) for q, (count, right) in enumerate(targets) for place in range(count)]
    schema = {"question_id": pl.String, "position": pl.Int32, "is_target": pl.Boolean}
    return {"choices": pl.DataFrame(rows[::-1], schema=schema, orient="row").lazy()}


def predicted(scores: list[list[float]]) -> pl.DataFrame:
    """A model's scores."""
    ids = [str(number) for number in range(len(scores))]
    return pl.DataFrame(
        {"question_id": ids, "scores": scores}, schema={"question_id": pl.String, "scores": pl.List(pl.Float64)}
    )


def literal(scores: list[float], right: int, k: int) -> tuple[float, float, float]:
    """Rank, reciprocal rank and recall, each the mean over all orders of the choices, sorted stably."""
    found = []
    for order in permutations(range(len(scores))):
        ranked = sorted(order, key=lambda place: -scores[place])
        found.append(ranked.index(right) + 1)
    return (
        sum(found) / len(found),
        sum(1 / rank for rank in found) / len(found),
        sum(rank <= k for rank in found) / len(found),
    )


@settings(max_examples=60)
@given(st.lists(QUESTION, min_size=1, max_size=4))
def test_ranks_are_expectations(questions: list[tuple[list[float], int]]) -> None:
    """All three measures are what they are on average if ties are broken by chance."""
    tables = choices([(len(scores), right) for scores, right in questions])
    predictions = predicted([scores for scores, _ in questions])
    expected = [literal(scores, right, 2) for scores, right in questions]
    measured = [metric.score(predictions, tables) for metric in (MEAN_RANK, RECIPROCAL_RANK, recall_at(2))]
    assert [scored["question_id"].to_list() for scored in measured] == [predictions["question_id"].to_list()] * 3
    columns = zip(*(scored["score"].to_list() for scored in measured), strict=True)
    assert [tuple(row) for row in columns] == [pytest.approx(row) for row in expected]


def test_a_model_that_does_not_choose() -> None:
    """Equal scores for 18 choices: rank 9.5, recall at 1 of 1/18, wherever the right choice stands."""
    tables, predictions = choices([(18, 0), (18, 17)]), predicted([[0.1] * 18] * 2)
    assert MEAN_RANK.score(predictions, tables)["score"].to_list() == [9.5, 9.5]
    assert RECALL_AT_1.score(predictions, tables)["score"].to_list() == [pytest.approx(1 / 18)] * 2


def test_marked_choices() -> None:
    """A question without exactly one right choice has no score and says why."""
    rows = {"question_id": ["0", "0"], "position": [0, 1], "is_target": [True, True]}
    for metric in (MEAN_RANK, RECIPROCAL_RANK, RECALL_AT_1):
        scored = metric.score(predicted([[0.1, 0.2]]), {"choices": pl.LazyFrame(rows)})
        assert scored.row(0) == ("0", None, "2 choices are marked as right")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.1]], r"found 1 scores for the 2 choices of a question in 1 questions \(0\)"),
        ([[0.1, float("nan")]], r"found scores that are not numbers for 1 questions \(0\)"),
        ([[0.1, None]], r"found scores that are not numbers for 1 questions \(0\)"),
    ],
)
def test_bad_scores(scores: list[list[float]], message: str) -> None:
    """Scores must be numbers, one a choice."""
    with pytest.raises(DataError, match=message):
        MEAN_RANK.score(predicted(scores), choices([(2, 0)]))


def test_some_questions_without_scores() -> None:
    """Scores for some questions only are an error."""
    predictions = predicted([[0.1, 0.2], [0.1, 0.2]]).with_columns(
        scores=pl.when(pl.col("question_id") == "0").then("scores")
    )
    with pytest.raises(DataError, match=r"found 0 scores for the 2 choices of a question in 1 questions \(1\)"):
        MEAN_RANK.score(predictions, choices([(2, 0), (2, 0)]))


def test_no_scores_at_all() -> None:
    """Predictions without scores have no ranks; no predictions have no rows."""
    with pytest.raises(Absent, match="no scores of choices"):
        MEAN_RANK.score(pl.DataFrame({"question_id": ["0"]}), choices([(2, 0)]))
    with pytest.raises(Absent, match="no scores of choices"):
        MEAN_RANK.score(predicted([[0.1]]).with_columns(scores=pl.lit(None, pl.List(pl.Float64))), choices([(1, 0)]))
    assert RECIPROCAL_RANK.score(predicted([]), choices([(2, 0)])).height == 0
