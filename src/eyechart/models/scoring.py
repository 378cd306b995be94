"""How right predictions are, by what a benchmark knows: people, the right answer, or the target among choices."""

from typing import Any

import polars as pl

from eyechart.metrics import correctness
from eyechart.models.examples import Examples

__all__ = ["accuracy", "scored"]


def accuracy(predictions: pl.DataFrame, examples: Examples) -> float:
    """The benchmark's own measure: agreement with people, or the right answer, or the target among choices.

    >>> from eyechart.models.examples import examples_of
    >>> asked = examples_of({"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["yes"]})})
    >>> accuracy(pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}), asked)
    1.0
    """
    return float(scored(predictions, examples)["score"].mean() or 0.0)  # type: ignore[arg-type]  # a mean of numbers


def scored(predictions: pl.DataFrame, examples: Examples) -> pl.DataFrame:
    """question_id, score: of the questions that can be graded.

    >>> from eyechart.models.examples import examples_of
    >>> asked = examples_of({"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["yes"]})})
    >>> scored(pl.DataFrame({"question_id": ["1"], "answer": ["no"]}), asked).rows()
    [('1', 0.0)]
    """
    plain = predictions.select("question_id", "answer")
    targets = examples.choices.filter(pl.col("is_target"))
    if targets.height and not examples.answers.height:
        right = targets.select("question_id", answer="choice", score=pl.lit(1.0)).unique(maintain_order=True)
        asked = plain.join(targets.select("question_id").unique(), on="question_id", how="semi", maintain_order="left")
        joined = asked.join(right, on=["question_id", "answer"], how="left", maintain_order="left")
        return joined.select("question_id", pl.col("score").fill_null(0.0))
    tables: dict[str, Any] = {"questions": examples.questions.lazy(), "answers": examples.answers.lazy()}
    return correctness(plain, tables)
