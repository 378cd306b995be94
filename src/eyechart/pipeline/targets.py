"""The one right answer of each question, where people gave several."""

import polars as pl

from eyechart.store import Benchmark

__all__ = ["most_said", "with_targets"]


def with_targets(questions: pl.DataFrame, benchmark: Benchmark) -> pl.DataFrame:
    """Questions with an answer each: their own, or else what most people who saw the picture said.

    Of equally frequent answers the alphabetically first is taken. Questions that nobody answered keep none.
    """
    if not questions["answer"].null_count() or "answers" not in benchmark:
        return questions
    return most_said(questions, benchmark.scan("answers"))


def most_said(questions: pl.DataFrame, answers: pl.LazyFrame) -> pl.DataFrame:
    """Questions with their own answer, or else what most people who saw the picture said.

    >>> asked = pl.DataFrame({"question_id": ["1"], "answer": [None]}, schema_overrides={"answer": pl.String})
    >>> said = pl.LazyFrame({"question_id": ["1"] * 3, "answer": ["a", "b", "b"], "shown": ["image"] * 3})
    >>> most_said(asked, said)["answer"].to_list()
    ['b']
    """
    shown = pl.col("shown").fill_null("image") == "image"
    said = (
        answers.filter(shown)
        .group_by("question_id", "answer")
        .len()
        .sort("question_id", "len", "answer", descending=[False, True, False])
        .unique("question_id", keep="first")
        .select("question_id", said="answer")
        .collect()
    )
    joined = questions.join(said, on="question_id", how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("answer", "said").alias("answer")).drop("said")
