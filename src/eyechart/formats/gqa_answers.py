"""GQA's files around answers: valid and plausible choices, a model's predictions, what it looked at."""

from collections.abc import Sequence
from math import isqrt
from typing import Annotated

import msgspec
import polars as pl

from eyechart.formats.layout import Batch, Encoded, Frames
from eyechart.formats.values import Id, grouped, lists

__all__ = [
    "Attention",
    "Choices",
    "ExactAttention",
    "ExactChoices",
    "ExactPrediction",
    "Prediction",
    "decode_choices",
    "decode_predictions",
    "encode_attentions",
    "encode_choices",
    "encode_predictions",
    "has_choices",
]

_BOX = 5
"""Numbers of a region: x0, y0, x1, y1, weight."""


Weight = Annotated[float, msgspec.Meta(gt=-(2**53), lt=2**53)]
"""A number that is as exact as its text."""


class Choices(msgspec.Struct, gc=False):
    """Answers that are of the right kind, and those that occur for the subject."""

    valid: list[str] = []
    plausible: list[str] = []


class ExactChoices(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """Both lists, nothing else."""

    valid: list[str]
    plausible: list[str]


def has_choices(records: list[ExactChoices]) -> bool:
    """The table has a row only where a choice is."""
    return all(record.valid or record.plausible for record in records)


def decode_choices(batch: Batch) -> Frames:
    """Valid answers, then plausible ones: positions run on, because a question has each position once."""
    records: list[Choices] = batch["choices"]
    flat = pl.Series([choice for r in records for choice in (*r.valid, *r.plausible)], dtype=pl.String)
    listed = pl.DataFrame(
        {
            "question_id": batch.keys,
            "choice": lists(flat, [len(r.valid) + len(r.plausible) for r in records]),
            "valid": pl.Series([len(r.valid) for r in records], dtype=pl.Int64),
        },
        schema_overrides={"question_id": pl.String},
    ).with_columns(position=pl.int_ranges(pl.col("choice").list.len()))
    origin = pl.when(pl.col("position") < pl.col("valid")).then(pl.lit("valid")).otherwise(pl.lit("plausible"))
    rows = listed.explode("choice", "position", empty_as_null=False)
    return {"choices": rows.select("question_id", "position", "choice", origin=origin)}


def encode_choices(frames: Frames) -> Encoded:
    """The two lists of each question that has one."""
    rows = frames["choices"].filter(pl.col("origin").is_in(["valid", "plausible"]))
    keys = rows["question_id"].unique(maintain_order=True).to_list()
    rows = rows.sort("position", maintain_order=True)
    found = {
        origin: grouped(part["question_id"], part["choice"].to_list())
        for origin in ("valid", "plausible")
        for part in [rows.filter(pl.col("origin") == origin)]
    }
    return Encoded(keys, [{origin: listed.get(key, []) for origin, listed in found.items()} for key in keys])


class Prediction(msgspec.Struct, gc=False, rename="camel"):
    """One answer of a model."""

    question_id: Id
    prediction: str


class ExactPrediction(msgspec.Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    """A prediction as documented."""

    question_id: str
    prediction: str


class Attention(msgspec.Struct, gc=False, rename="camel"):
    """What a model looked at: a square grid of weights, in rows or in a row, or regions with weights."""

    question_id: Id
    attention: list[list[float] | float]

    def __post_init__(self) -> None:
        """Refuse other shapes."""
        _check(self.attention)


class ExactAttention(msgspec.Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    """Attention as the published scorer reads it."""

    question_id: str
    attention: list[list[Weight]]

    def __post_init__(self) -> None:
        """Refuse other shapes."""
        _check(self.attention)


def _check(attention: Sequence[list[float] | float]) -> None:
    """What is neither a square grid nor regions could not be placed on the picture."""
    rows = _rows(attention)
    if rows is None or not (_is_square(rows) or all(len(row) == _BOX for row in rows)):
        raise ValueError("attention that is neither a square grid of weights nor regions of x0, y0, x1, y1, weight")


def _rows(attention: Sequence[list[float] | float]) -> list[list[float]] | None:
    """The map in rows; one flat list is cut into as many rows as columns, and a mixture has none."""
    rows = [row for row in attention if isinstance(row, list)]
    flat = [weight for weight in attention if not isinstance(weight, list)]
    if not flat:
        return rows
    side = isqrt(len(flat))
    return None if rows or side * side != len(flat) else [flat[i : i + side] for i in range(0, len(flat), side)]


def _is_square(rows: list[list[float]]) -> bool:
    return all(len(row) == len(rows) for row in rows)


def _is_regions(rows: list[list[float]]) -> bool:
    """Rows of five; a grid of five rows is meant unless every row has the corners of a box."""
    if not all(len(row) == _BOX for row in rows):
        return False
    return len(rows) != _BOX or all(row[0] < row[2] and row[1] < row[3] for row in rows)


def decode_predictions(batch: Batch) -> Frames:
    """Predictions joined with attention by question."""
    answers = {str(record.question_id): record.prediction for record in batch["predictions"]}
    maps = {str(record.question_id): _rows(record.attention) or [] for record in batch["attentions"]}
    looked = [maps.get(key) for key in batch.keys]
    regions = [rows is not None and _is_regions(rows) for rows in looked]
    return {
        "predictions": pl.DataFrame(
            {
                "question_id": pl.Series(batch.keys, dtype=pl.String),
                "answer": pl.Series([answers.get(key) for key in batch.keys], dtype=pl.String),
                "attention_boxes": _tables(
                    [rows if boxes else None for rows, boxes in zip(looked, regions, strict=True)]
                ),
                "attention_grid": _tables(
                    [None if boxes else rows for rows, boxes in zip(looked, regions, strict=True)]
                ),
            }
        )
    }


def _tables(tables: list[list[list[float]] | None]) -> pl.Series:
    rows = [row for table in tables for row in table or ()]
    flat = pl.Series([number for row in rows for number in row], dtype=pl.Float64)
    return lists(lists(flat, [len(row) for row in rows]), [None if table is None else len(table) for table in tables])


def encode_predictions(frames: Frames) -> Encoded:
    """A model's answers as the scorer reads them."""
    rows = frames["predictions"].drop_nulls("answer").select("question_id", "answer")
    keys = rows["question_id"].to_list()
    return Encoded(keys, [{"questionId": key, "prediction": answer} for key, answer in rows.iter_rows()])


def encode_attentions(frames: Frames) -> Encoded:
    """What a model looked at, as the scorer reads it."""
    looked = pl.coalesce("attention_grid", "attention_boxes").alias("attention")
    rows = frames["predictions"].select("question_id", looked).drop_nulls("attention")
    keys = rows["question_id"].to_list()
    return Encoded(keys, [{"questionId": key, "attention": found} for key, found in rows.iter_rows()])
