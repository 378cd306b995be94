"""From scores to an answer: the best of the offered choices, whatever order they are offered in."""

import polars as pl

from eyechart._lib.keyed import Key, key_of

__all__ = ["choose", "restrict"]


def choose(scored: pl.DataFrame, seed: int = 0) -> pl.DataFrame:
    """Predictions from a score per choice: question_id, position, choice, score.

    Equal scores are decided by a draw that knows the choice and not its position, so that another order of the choices
    permutes the scores and changes nothing else.

    >>> rows = pl.DataFrame({"question_id": "1", "position": [1, 0], "choice": ["red", "blue"], "score": [0.9, 0.1]})
    >>> choose(rows).select("answer", "scores").row(0)
    ('red', [0.1, 0.9])
    """
    keyed = scored.with_columns(_draw=Key(seed, "equal scores").over(_code("question_id"), _code("choice")))
    best = keyed.sort("score", "_draw", descending=True, maintain_order=True)
    answers = best.group_by("question_id").agg(answer=pl.col("choice").first(), confidence=pl.col("score").first())
    ordered = scored.sort("position", maintain_order=True).group_by("question_id")
    lists = ordered.agg(scores=pl.col("score").cast(pl.Float64))
    asked = scored.select("question_id").unique(maintain_order=True)
    return asked.join(answers, on="question_id", maintain_order="left").join(
        lists, on="question_id", maintain_order="left"
    )


def _code(column: str) -> pl.Expr:
    return key_of(pl.col(column))


def restrict(scores: pl.DataFrame, choices: pl.DataFrame, seed: int = 0) -> tuple[pl.DataFrame, float]:
    """An open model asked with choices: its scores of those that are offered, and for how many questions it knows none.

    A choice that the model has no word for gets less than any that it has. If it has a word for none, the draw among
    equals decides.

    >>> scores = pl.DataFrame({"question_id": "1", "choice": ["red"], "score": [0.2]})
    >>> offered = pl.DataFrame({"question_id": "1", "position": [0, 1], "choice": ["blue", "red"]})
    >>> predicted, unknown = restrict(scores, offered)
    >>> predicted["answer"].to_list(), unknown
    (['red'], 0.0)
    """
    joined = choices.join(scores, on=["question_id", "choice"], how="left", maintain_order="left")
    lowest = scores["score"].min() if scores.height else None
    # Scores are numbers, and the least of none is none.
    below = (float(lowest) if isinstance(lowest, int | float) else 0.0) - 1.0
    unknown = joined.group_by("question_id").agg(pl.col("score").is_null().all())["score"].mean()
    filled = joined.with_columns(pl.col("score").fill_null(below))
    return choose(filled, seed), float(unknown) if isinstance(unknown, int | float) else 0.0
