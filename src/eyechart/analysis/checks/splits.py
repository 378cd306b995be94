"""Leaks between splits, and questions that are asked more than once.

A split and what follows a hyphen count as one: questions of test-dev may be questions of test.
"""

import polars as pl

from eyechart.analysis.evidence import Evidence, main_split
from eyechart.analysis.findings import Check

__all__ = ["SPLIT_CHECKS"]

_ASKED = pl.col("question").str.to_lowercase().str.strip_chars(" \t\n?.!").str.replace_all(r"\s+", " ")
"""The text without what typists vary."""


def _id_in_two_splits(evidence: Evidence) -> pl.LazyFrame:
    placed = evidence["questions"].select("question_id", main_split()).drop_nulls()
    repeated = placed.filter(pl.col("question_id").is_duplicated())
    return _in_several(repeated, "question_id").select(example="question_id")


def _image_in_two_splits(evidence: Evidence) -> pl.LazyFrame:
    return _in_several(evidence.places, "image_id").select(example="image_id")


def _question_in_two_splits(evidence: Evidence) -> pl.LazyFrame:
    placed = _repeated_texts(evidence).drop_nulls("split").group_by("image_id", "asked")
    places = placed.agg(pl.col("split").n_unique().alias("places"), pl.col("question_id").sort().head(2))
    return places.filter(pl.col("places") > 1).select(example=pl.col("question_id").list.join(" and "))


def _in_several(placed: pl.LazyFrame, key: str) -> pl.LazyFrame:
    return placed.group_by(key).agg(pl.col("split").n_unique().alias("places")).filter(pl.col("places") > 1)


def _repeated_texts(evidence: Evidence) -> pl.LazyFrame:
    """Questions whose text is asked more than once about their image."""
    asked = evidence["questions"].select("question_id", "image_id", main_split(), asked=_ASKED)
    return asked.drop_nulls(["image_id", "asked"]).filter(
        pl.col("asked") != "", pl.struct("image_id", "asked").hash().is_duplicated()
    )


def _repeats(evidence: Evidence, *, contradicting: bool) -> pl.LazyFrame:
    answered = _repeated_texts(evidence).join(evidence.answered, on="question_id", how="left")
    groups = answered.group_by("image_id", "asked").agg(
        pl.col("question_id").n_unique().alias("times"),
        pl.col("normal").drop_nulls().n_unique().alias("answers"),
        pl.col("question_id").sort().unique(maintain_order=True).head(2),
    )
    differ = pl.col("answers") > 1
    wanted = groups.filter(pl.col("times") > 1, differ if contradicting else ~differ)
    return wanted.select(example=pl.col("question_id").list.join(" and "))


def _no_split(evidence: Evidence) -> pl.LazyFrame:
    questions = evidence["questions"]
    some = questions.select(pl.col("split").is_not_null().any().alias("some"))
    unplaced = questions.filter(pl.col("split").is_null()).select(example="question_id")
    return unplaced.join(some, how="cross").filter("some").select("example")


SPLIT_CHECKS = (
    Check(
        "id-in-two-splits", "error", "Questions of the same id are in two splits.", ("questions",), _id_in_two_splits
    ),
    Check(
        "image-in-two-splits",
        "error",
        "Images are used in two splits, so what is learned from one can be remembered in the other.",
        ("questions",),
        _image_in_two_splits,
    ),
    Check(
        "question-in-two-splits",
        "error",
        "The same question about the same image is asked in two splits.",
        ("questions",),
        _question_in_two_splits,
    ),
    Check("missing-split", "warning", "Questions are in no split, while others are.", ("questions",), _no_split),
    Check(
        "repeated-question",
        "note",
        "The same question is asked twice about the same image, with the same answer.",
        ("questions",),
        lambda evidence: _repeats(evidence, contradicting=False),
    ),
    Check(
        "contradicting-question",
        "warning",
        "The same question is asked twice about the same image, with different answers.",
        ("questions",),
        lambda evidence: _repeats(evidence, contradicting=True),
    ),
)
