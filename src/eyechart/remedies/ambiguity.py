"""How many decoys are right as well: a sheet for people or a model to judge, and the rate that follows."""

import math
from typing import NamedTuple

import polars as pl

from eyechart._lib.keyed import Key
from eyechart.errors import DataError
from eyechart.remedies.offers import keyed_draws

__all__ = ["FalseDecoys", "ambiguity_sheet", "false_decoys"]

_YES, _NO = ("yes", "y", "1", "true"), ("no", "n", "0", "false")
_SHOWN = ("question_id", "image_id", "picture", "kind", "question", "answer", "decoy")
_QUANTILE = 1.959964
"""Of the normal distribution, for an interval of 95 %."""


def ambiguity_sheet(questions: pl.DataFrame, decoys: pl.DataFrame, most: int, seed: int = 0) -> pl.DataFrame:
    """A keyed sample of decoys, as many of each kind, with an empty column ``also_right`` to fill in.

    ``questions`` says where each picture is, in its column ``picture``.

    >>> asked = {"question_id": ["1"], "image_id": ["7"], "question": ["Who?"], "answer": ["woman"]}
    >>> questions = pl.DataFrame({**asked, "picture": ["7.jpg"]})
    >>> decoys = pl.DataFrame({"question_id": ["1"], "kind": ["qou"], "decoy": ["lady"]})
    >>> ambiguity_sheet(questions, decoys, 10).rows()
    [('1', '7', '7.jpg', 'qou', 'Who?', 'woman', 'lady', None)]
    """
    drawn = keyed_draws(decoys, ("question_id", "decoy"), Key(seed, "ambiguity"))
    kinds = max(1, decoys["kind"].n_unique())
    chosen = decoys.with_columns(draw=drawn).filter(pl.col("draw").rank("ordinal").over("kind") <= -(-most // kinds))
    return (
        chosen.join(questions, on="question_id")
        .sort("draw", "question_id", "decoy")
        .head(most)
        .select(*_SHOWN, also_right=pl.lit(None, pl.String))
    )


class FalseDecoys(NamedTuple):
    """How many of the judged decoys are right as well, with Wilson's interval of 95 %."""

    judged: int
    right: int
    rate: float
    low: float
    high: float


def false_decoys(sheet: pl.DataFrame) -> dict[str, FalseDecoys]:
    """The rate of each kind and of all, from a sheet with yes or no in ``also_right``.

    >>> sheet = pl.DataFrame({"kind": ["qou", "qou", "iou"], "also_right": ["yes", "no", ""]})
    >>> false_decoys(sheet)["all"][:3]
    (2, 1, 0.5)
    """
    said = pl.col("also_right").cast(pl.String).str.strip_chars().str.to_lowercase()
    judged = sheet.select("kind", said=said).filter(pl.col("said").fill_null("") != "")
    wrong = judged.filter(~pl.col("said").is_in([*_YES, *_NO]))
    if wrong.height:
        raise DataError(f"sheet: found {wrong['said'][0]!r} in also_right, expected yes or no; correct it")
    found = {}
    for kind in [*judged["kind"].unique().sort(), "all"]:
        answers = judged.filter((pl.col("kind") == kind) | pl.lit(kind == "all"))["said"]
        found[kind] = _rate(answers.len(), int(answers.is_in(_YES).sum()))
    return found


def _rate(judged: int, right: int) -> FalseDecoys:
    if not judged:
        return FalseDecoys(0, 0, 0.0, 0.0, 1.0)
    share, square = right / judged, _QUANTILE**2 / judged
    centre = (share + square / 2) / (1 + square)
    half = _QUANTILE * math.sqrt(share * (1 - share) / judged + square / (4 * judged)) / (1 + square)
    return FalseDecoys(judged, right, share, max(0.0, centre - half), min(1.0, centre + half))
