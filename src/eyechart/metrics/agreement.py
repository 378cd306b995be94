"""Do predictions and questions speak of the same things? Asked before any number is computed."""

import polars as pl

from eyechart.errors import DataError

__all__ = ["check_questions"]

_EXAMPLES = 3


def check_questions(
    predictions: pl.DataFrame, questions: pl.DataFrame, *, known: pl.DataFrame | None = None, subset: bool = False
) -> None:
    """Refuse predictions that miss questions, name unknown ones, or answer one twice.

    ``known`` are all questions that may be answered, if more than must be. With ``subset`` missing and unknown ones are
    let pass, as long as something is left.

    >>> asked = pl.DataFrame({"question_id": ["1", "2"]})
    >>> check_questions(asked.head(1), asked)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.errors.DataError: predictions: found none for 1 of 2 questions (2), expected one for each; ...
    """
    twice = predictions.filter(pl.col("question_id").is_duplicated())["question_id"].unique(maintain_order=True)
    if twice.len():
        raise DataError(
            f"predictions: found more than one for {twice.len():,} questions ({_examples(twice)}), "
            "expected one for each; remove the others"
        )
    if subset and predictions.join(questions, on="question_id", how="semi").height:
        return
    allowed = questions if known is None else known
    unknown = predictions.join(allowed, on="question_id", how="anti", maintain_order="left")["question_id"]
    if unknown.len():
        raise DataError(
            f"predictions: found {unknown.len():,} for questions that the benchmark does not have "
            f"({_examples(unknown)}), expected only its questions; check that both belong together, "
            "or grade what fits with --subset"
        )
    missing = questions.join(predictions, on="question_id", how="anti", maintain_order="left")["question_id"]
    if missing.len():
        raise DataError(
            f"predictions: found none for {missing.len():,} of {questions.height:,} questions ({_examples(missing)}), "
            "expected one for each; add them, or grade what is there with --subset"
        )


def _examples(ids: pl.Series) -> str:
    return ", ".join(ids.head(_EXAMPLES)) + (", …" if ids.len() > _EXAMPLES else "")
