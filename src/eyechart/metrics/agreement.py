"""Do predictions and questions speak of the same things? Asked before any number is computed."""

import polars as pl

from eyechart.errors import DataError

__all__ = ["check_questions", "named_ids"]

_EXAMPLES = 3
_LONGEST_SHOWN = 40


def check_questions(
    predictions: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    known: pl.DataFrame | None = None,
    subset: bool = False,
    name: str = "predictions",
) -> None:
    """Refuse predictions that miss questions, name unknown ones, or answer one twice.

    ``known`` are all questions that may be answered, if more than must be. With ``subset`` missing and unknown ones are
    let pass, as long as something is left. ``name`` is what messages call the predictions, such as their file.

    >>> asked = pl.DataFrame({"question_id": ["1", "2"]})
    >>> check_questions(asked.head(1), asked)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.errors.DataError: predictions: found none for 1 of 2 questions (2), expected one for each; ...
    """
    twice = predictions.filter(pl.col("question_id").is_duplicated())["question_id"].unique(maintain_order=True)
    if twice.len():
        raise DataError(
            f"{name}: found more than one for {twice.len():,} questions ({named_ids(twice)}), "
            "expected one for each; remove the others"
        )
    if subset and predictions.join(questions, on="question_id", how="semi").height:
        return
    allowed = questions if known is None else known
    unknown = predictions.join(allowed, on="question_id", how="anti", maintain_order="left")["question_id"]
    if unknown.len():
        raise DataError(
            f"{name}: found {unknown.len():,} for questions that the benchmark does not have "
            f"({named_ids(unknown)}), expected only its questions; check that both belong together, "
            "or grade what fits with --subset"
        )
    missing = questions.join(predictions, on="question_id", how="anti", maintain_order="left")["question_id"]
    if missing.len():
        raise DataError(
            f"{name}: found none for {missing.len():,} of {questions.height:,} questions ({named_ids(missing)}), "
            "expected one for each; add them, or grade what is there with --subset"
        )


def named_ids(ids: pl.Series) -> str:
    """The first ids, for a message.

    >>> named_ids(pl.Series(["1", "2", "3", "4"]))
    '1, 2, 3, …'
    """
    shown = (key if len(key) <= _LONGEST_SHOWN else f"{key[:_LONGEST_SHOWN]}…" for key in ids.head(_EXAMPLES))
    return ", ".join(shown) + (", …" if ids.len() > _EXAMPLES else "")
