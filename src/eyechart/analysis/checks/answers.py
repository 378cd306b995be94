"""Empty and contradictory texts: of questions, of reference answers, of people, of complementary pairs.

Answers are compared as the official VQA evaluation compares them, so "Two." and "2" are the same.
"""

import polars as pl

from eyechart.analysis.evidence import Evidence
from eyechart.analysis.findings import Check

__all__ = ["ANSWER_CHECKS"]


def _blank(column: str) -> pl.Expr:
    return pl.col(column).str.strip_chars() == ""


def _empty_question(evidence: Evidence) -> pl.LazyFrame:
    blank = _blank("question").fill_null(value=True)
    return evidence["questions"].filter(blank).select(example="question_id")


def _empty_answer(evidence: Evidence) -> pl.LazyFrame:
    tables = [evidence[name].filter(_blank("answer")) for name in ("questions", "answers")]
    return pl.concat([table.select(example="question_id") for table in tables])


def _vanishing_answer(evidence: Evidence) -> pl.LazyFrame:
    vanished = evidence.answered.filter(pl.col("normal") == "", ~_blank("answer"))
    return vanished.select(example=pl.format("{} ({})", "question_id", "answer"))


def _reference_votes(evidence: Evidence) -> pl.LazyFrame:
    """Answered questions with how many people gave the reference answer, and how many the most frequent ones."""
    most = evidence.votes.group_by("question_id").agg(
        pl.col("people").max().alias("most"),
        (pl.col("people") == pl.col("people").max()).sum().alias("leaders"),
    )
    return evidence.answered.join(most, on="question_id").join(evidence.votes, on=["question_id", "normal"], how="left")


def _nobody_gave(evidence: Evidence) -> pl.LazyFrame:
    return _reference_votes(evidence).filter(pl.col("people").is_null()).select(example="question_id")


def _not_most_frequent(evidence: Evidence) -> pl.LazyFrame:
    fewer = pl.col("people") < pl.col("most")
    return _reference_votes(evidence).filter(fewer).select(example="question_id")


def _tied(evidence: Evidence) -> pl.LazyFrame:
    tied = (pl.col("people") == pl.col("most")) & (pl.col("leaders") > 1)
    return _reference_votes(evidence).filter(tied).select(example="question_id")


def _wrong_type(evidence: Evidence) -> pl.LazyFrame:
    kind = pl.col("answer_type").str.to_lowercase()
    yes_or_no = pl.col("normal").is_in(["yes", "no"])
    misfit = ((kind == "yes/no") & ~yes_or_no) | ((kind == "number") & yes_or_no)
    typed = evidence["questions"].select("question_id", "answer_type").drop_nulls()
    return evidence.answered.join(typed, on="question_id").filter(misfit).select(example="question_id")


def _pairs(evidence: Evidence) -> pl.LazyFrame:
    """Pairs with image and text of both questions."""
    sides = evidence["questions"].select("question_id", "image_id", pl.col("question").str.to_lowercase())
    others = sides.rename({"question_id": "complement_id"})
    return evidence["pairs"].join(sides, on="question_id").join(others, on="complement_id", suffix="_other")


def _equal_pair(evidence: Evidence) -> pl.LazyFrame:
    answers = evidence.answered.select("question_id", "normal")
    others = answers.rename({"question_id": "complement_id"})
    return (
        evidence["pairs"]
        .join(answers, on="question_id")
        .join(others, on=["complement_id", "normal"])
        .select(example=_pair())
    )


def _no_complement(evidence: Evidence) -> pl.LazyFrame:
    same_image = pl.col("image_id") == pl.col("image_id_other")
    other_text = pl.col("question") != pl.col("question_other")
    return _pairs(evidence).filter(same_image | other_text).select(example=_pair())


def _pair() -> pl.Expr:
    return pl.format("{}/{}", "question_id", "complement_id")


ANSWER_CHECKS = (
    Check("empty-question", "warning", "Questions have no text.", ("questions",), _empty_question),
    Check("empty-answer", "warning", "Answers are empty.", (), _empty_answer),
    Check(
        "vanishing-answer",
        "note",
        "Reference answers are emptied by the official VQA normalisation, so an empty prediction matches them.",
        ("questions",),
        _vanishing_answer,
    ),
    Check(
        "answer-nobody-gave",
        "warning",
        "The reference answer is none of the answers that people gave.",
        ("questions", "answers"),
        _nobody_gave,
    ),
    Check(
        "answer-not-most-frequent",
        "note",
        "People gave another answer more often than the reference answer.",
        ("questions", "answers"),
        _not_most_frequent,
    ),
    Check(
        "tied-answer",
        "note",
        "People gave another answer as often as the reference answer.",
        ("questions", "answers"),
        _tied,
    ),
    Check(
        "wrong-answer-type",
        "warning",
        "The reference answer of a yes/no question is neither, or that of a number question is yes or no.",
        ("questions",),
        _wrong_type,
    ),
    Check(
        "equal-pair",
        "note",
        "Complementary pairs have the same answer twice (9 % have in VQA v2).",
        ("pairs", "questions"),
        _equal_pair,
    ),
    Check(
        "broken-pair",
        "warning",
        "Complementary pairs ask different questions, or ask about one and the same image.",
        ("pairs", "questions"),
        _no_complement,
    ),
)
