"""Visual7W's accuracy: the right answer is among a model's first k (Zhu et al. 2016; official toolkit).

Answers are compared in lower case and nothing else is changed. The toolkit divides by the number of results, so that a
file without the hard questions scores higher; here a missing question is an error, and the toolkit's way a profile.
"""

from typing import Literal

import polars as pl

from eyechart.errors import DataError, UsageError
from eyechart.metrics.agreement import check_questions, named_ids
from eyechart.metrics.correctness import picked_columns
from eyechart.metrics.kinds import Absent, ItemMetric, Tables

__all__ = ["VISUAL7W", "Visual7WProfile", "top_k_accuracy", "top_k_scores"]

Visual7WProfile = Literal["eyechart", "official"]


def top_k_scores(results: pl.DataFrame, questions: pl.DataFrame, k: int = 1) -> pl.DataFrame:
    """1 for every result whose first k answers hold the right one, otherwise 0; null for unknown questions.

    Results have the question_id and the answers, best first.

    >>> questions = pl.DataFrame({"question_id": ["1"], "answer": ["A cat."]})
    >>> top_k_scores(pl.DataFrame({"question_id": ["1"], "answers": [["a dog.", "a cat."]]}), questions, 2).rows()
    [('1', 1.0)]
    """
    if k < 1:
        raise UsageError(f"k: found {k}, expected 1 or more; give the number of answers that count")
    right = questions.drop_nulls("answer").select("question_id", _right=pl.col("answer").str.to_lowercase())
    joined = results.select("question_id", _first=pl.col("answers").list.head(k)).join(
        right, on="question_id", how="left", maintain_order="left"
    )
    lowered = pl.col("_first").list.eval(pl.element().str.to_lowercase())
    found = lowered.list.contains(pl.col("_right"), nulls_equal=False).fill_null(value=False).cast(pl.Float64)
    return joined.select("question_id", score=pl.when(pl.col("_right").is_not_null()).then(found))


def top_k_accuracy(
    results: pl.DataFrame, questions: pl.DataFrame, k: int = 1, profile: Visual7WProfile = "eyechart"
) -> float:
    """The share of questions with the right answer among the first k; under ``official``, the share of results.

    >>> questions = pl.DataFrame({"question_id": ["1", "2"], "answer": ["cat", "dog"]})
    >>> top_k_accuracy(pl.DataFrame({"question_id": ["1"], "answers": [["cat"]]}), questions, profile="official")
    1.0
    """
    if profile == "eyechart":
        check_questions(results, questions)
    scores = top_k_scores(results, questions, k)
    unknown = scores.filter(pl.col("score").is_null())["question_id"]
    if unknown.len():
        raise DataError(
            f"results: found {unknown.len():,} for questions that the benchmark does not have or not answer "
            f"({named_ids(unknown)}), expected only its questions; check that both belong together"
        )
    if not scores.height:
        raise Absent("there are no results")
    return float(scores["score"].to_numpy().mean())


def _score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    questions = picked_columns(tables, "questions", "question_id", "answer")
    if not questions["answer"].count():
        raise Absent("no question has a reference answer")
    return top_k_scores(predictions.select("question_id", answers=pl.concat_list("answer")), questions)


VISUAL7W = ItemMetric("visual7w", "right answer, in lower case", ("questions", "choices"), _score)
