"""GQA grounding: how much of a model's attention lies on what the question is about (Hudson and Manning 2019, 4.4).

The regions are the boxes of the objects that words of the question and of the full answer name. Two forms: the released
one repeats the published script, which adds regions up (so a score may exceed 100), never adds the whole picture for
questions about the scene, and counts questions without regions as 0. The other one is a share: attention on the union
of the regions over all attention, the whole picture for the scene, questions without regions left out.
"""

from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from eyechart.errors import DataError
from eyechart.metrics.gqa_accuracy import balanced_questions, named, table
from eyechart.metrics.gqa_overlaps import boxes_attention, disjoint, grids_attention
from eyechart.metrics.kinds import Absent, ItemMetric, Tables

__all__ = ["GQA_GROUNDING", "GQA_GROUNDING_RELEASED", "GroundingForm", "about_scene", "gqa_groundings", "gqa_regions"]

GroundingForm = Literal["released", "union"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BOX = 5
"""Numbers of a box: x0, y0, x1, y1, weight."""
_SIDES = ("x0", "y0", "x1", "y1")


def about_scene() -> pl.Expr:
    """Whether a question is about the whole picture: a step of its program has the scene as argument.

    >>> program = [[{"operation": "select", "argument": "scene"}], [{"operation": "select", "argument": "cup (7)"}]]
    >>> pl.DataFrame({"program": program}).select(about_scene()).to_series().to_list()
    [True, False]
    """
    argument = pl.element().struct.field("argument").str.strip_chars()
    return pl.col("program").list.eval(argument == "scene").list.any()


def gqa_regions(questions: pl.DataFrame, tables: Tables, *, lenient: bool = False) -> pl.DataFrame:
    """The regions of questions (question_id, image_id): one row per naming word, corners from 0 to 1.

    An object that the picture does not have makes grounding absent; if ``lenient``, it is left out.

    >>> tables = {
    ...     "mentions": pl.LazyFrame({"question_id": ["1"], "object_id": ["7"], "where": ["question"]}),
    ...     "objects": pl.LazyFrame({"image_id": ["p"], "object_id": ["7"], "x": [0], "y": [5], "w": [5], "h": [5]}),
    ...     "images": pl.LazyFrame({"image_id": ["p"], "width": [10], "height": [10]}),
    ... }
    >>> gqa_regions(pl.DataFrame({"question_id": ["1"], "image_id": ["p"]}), tables).rows()
    [('1', 0.0, 0.5, 0.5, 1.0)]
    """
    named_objects = table(tables, "mentions").filter(pl.col("where").is_in(["question", "full_answer"]))
    # An image of two splits has a row for each.
    sizes = table(tables, "images").select("image_id", "width", "height").drop_nulls().unique("image_id")
    width, height = pl.col("width"), pl.col("height")
    boxes = (
        table(tables, "objects")
        .join(sizes, on="image_id")
        .select(
            "image_id",
            "object_id",
            x0=pl.col("x") / width,
            y0=pl.col("y") / height,
            x1=(pl.col("x") + pl.col("w")) / width,
            y1=(pl.col("y") + pl.col("h")) / height,
        )
    )
    found = (
        named_objects.select("question_id", "object_id")
        .join(questions.lazy().select("question_id", "image_id"), on="question_id", maintain_order="left")
        .join(boxes, on=["image_id", "object_id"], how="left", maintain_order="left")
        .collect()
    )
    placed = pl.all_horizontal(pl.col(side).is_finite().fill_null(value=False) for side in _SIDES)
    without = found.filter(~placed)
    if without.height and not lenient:
        raise Absent(
            f"grounding: found no box for objects of {named(without['question_id'].unique(maintain_order=True))} "
            f"questions (first object {without['object_id'][0]} of image {without['image_id'][0]}), expected one for "
            "each object that words name; add the scene graphs of the split (only training and validation have some)"
        )
    return found.filter(placed).select("question_id", *_SIDES)


def gqa_groundings(
    looked: pl.DataFrame, regions: pl.DataFrame, form: GroundingForm = "union", *, rows_first: bool = False
) -> pl.DataFrame:
    """The grounding of every question, from 0 to 1 as a share and without bound as released.

    ``looked`` has question_id and attention_grid or attention_boxes, and scene (is it about the whole picture?) for the
    union. Maps have x as first index; ``rows_first`` takes maps that have y.

    >>> looked = pl.DataFrame({"question_id": ["1"], "attention_grid": [[[0.2, 0.3], [0.5, 0.0]]], "scene": [False]})
    >>> corners = {"x0": [0.0] * 2, "y0": [0.0] * 2, "x1": [0.5] * 2, "y1": [1.0] * 2}
    >>> regions = pl.DataFrame({"question_id": ["1"] * 2, **corners})
    >>> [gqa_groundings(looked, regions, form).row(0) for form in ("released", "union")]
    [('1', 1.0), ('1', 0.5)]
    """
    if form == "union":
        regions = _with_scenes(regions, looked).unique(maintain_order=True)
    parts = []
    for column in ("attention_grid", "attention_boxes"):
        if column in looked.columns and looked[column].count():
            parts += _by_shape(looked.drop_nulls(column), column)
    if not parts:
        raise Absent(
            "grounding: found no attention in the predictions, expected some; models without it have no grounding"
        )
    scored = [_scored(part, column, regions, form, rows_first=rows_first) for part, column in parts]
    return looked.select("question_id").join(pl.concat(scored), on="question_id", how="left", maintain_order="left")


def _with_scenes(regions: pl.DataFrame, looked: pl.DataFrame) -> pl.DataFrame:
    """Regions, and the whole picture for questions about it."""
    scenes = looked.filter(pl.col("scene").fill_null(value=False)).select("question_id")
    whole = scenes.with_columns(x0=pl.lit(0.0), y0=pl.lit(0.0), x1=pl.lit(1.0), y1=pl.lit(1.0))
    return pl.concat([regions, whole])


def _by_shape(looked: pl.DataFrame, column: str) -> list[tuple[pl.DataFrame, str]]:
    """Questions apart by the size of their maps; boxes stay together."""
    rows = looked.select("question_id", column)
    if column == "attention_boxes" or isinstance(rows[column].dtype, pl.Array):
        return [(rows, column)]
    sized = rows.with_columns(side=pl.col(column).list.len()).partition_by("side", maintain_order=True)
    return [(part, column) for part in sized]


def _scored(
    part: pl.DataFrame, column: str, regions: pl.DataFrame, form: GroundingForm, *, rows_first: bool
) -> pl.DataFrame:
    places = part.select("question_id").with_row_index("place")
    own = regions.join(places, on="question_id", maintain_order="left")
    corners, owners = own.select(_SIDES).to_numpy(), own["place"].cast(pl.Int64).to_numpy()
    if form == "union":
        corners, owners = disjoint(corners, owners)
    if column == "attention_grid":
        grids = _grids(part[column])
        on_regions = grids_attention(grids.transpose(0, 2, 1) if rows_first else grids, corners, owners)
        total = grids.sum(axis=(1, 2))
        least = grids.min(axis=(1, 2)) if form == "union" else None
    else:
        boxes, box_owners = _boxes(part)
        on_regions = boxes_attention(boxes, box_owners, corners, owners, part.height)
        total = np.bincount(box_owners, weights=boxes[:, 4], minlength=part.height)
        least = np.zeros(part.height) if form == "union" else None
        if least is not None:
            np.minimum.at(least, box_owners, boxes[:, 4])
    _refuse_unfit(part, total, least)
    score = pl.Series("score", on_regions)
    if form == "union":
        asked = np.bincount(own["place"].to_numpy(), minlength=part.height) > 0
        share = np.divide(on_regions, total, out=np.zeros(part.height), where=total > 0).clip(0, 1)
        score = pl.Series("score", share).set(pl.Series(~asked | ~(total > 0)), None)
    return part.select("question_id", score)


def _grids(column: pl.Series) -> Floats:
    """Square maps of one size as an array."""
    if isinstance(column.dtype, pl.Array):
        return column.to_numpy()
    side = int(column.list.len()[0])
    lengths = column.explode().list.len()
    if not side or lengths.null_count() or not (lengths == side).all():
        raise DataError(
            f"predictions: found attention_grid that is not a square of {side} rows, expected as many columns as rows; "
            "write square maps"
        )
    return column.explode().explode().to_numpy().reshape(-1, side, side)


def _boxes(part: pl.DataFrame) -> tuple[Floats, Ints]:
    """All boxes in a row, and the question of each."""
    listed = part.with_row_index("place").select("place", "attention_boxes").explode("attention_boxes")
    listed = listed.drop_nulls("attention_boxes").with_columns(pl.col("attention_boxes").cast(pl.List(pl.Float64)))
    if not (listed["attention_boxes"].list.len() == _BOX).all():
        raise DataError(
            "predictions: found attention_boxes of other than five numbers, expected x0, y0, x1, y1, weight; add them"
        )
    boxes = listed["attention_boxes"].explode().to_numpy().reshape(-1, _BOX)
    owners = listed["place"].cast(pl.Int64).to_numpy()
    turned = (boxes[:, 2] < boxes[:, 0]) | (boxes[:, 3] < boxes[:, 1])
    if turned.any():
        ids = part["question_id"].gather(np.unique(owners[turned]))
        raise DataError(
            f"predictions: found attention boxes with x1 < x0 or y1 < y0 for {named(ids)} questions, expected corners "
            "x0, y0, x1, y1; write them in this order"
        )
    return boxes, owners


def _refuse_unfit(part: pl.DataFrame, total: Floats, least: Floats | None) -> None:
    unfit = ~np.isfinite(total) | (False if least is None else least < 0)
    if unfit.any():
        ids = part["question_id"].filter(pl.Series(unfit))
        raise DataError(
            f"predictions: found negative or infinite attention for {named(ids)} questions, expected weights from 0; "
            "write the weights after the softmax"
        )


def _metric(name: str, title: str, form: GroundingForm) -> ItemMetric:
    def score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
        columns = ("question_id", "image_id", "program")
        questions = balanced_questions(tables, *columns).with_columns(scene=about_scene())
        kinds = [name for name in ("attention_grid", "attention_boxes") if name in predictions.columns]
        looked = questions.join(predictions.select("question_id", *kinds), on="question_id", maintain_order="left")
        if not any(looked[kind].count() for kind in kinds):
            raise Absent("grounding: found no attention in the predictions, expected some")
        scores = gqa_groundings(looked, gqa_regions(looked, tables), form)
        if form == "released":
            scores = scores.with_columns(pl.col("score") * 100)
        return predictions.select("question_id").join(scores, on="question_id", how="left", maintain_order="left")

    needs = ("questions", "mentions", "objects", "images")
    unit: Literal["percent", "number"] = "percent" if form == "union" else "number"
    return ItemMetric(name, title, needs, score, unit=unit, of_answers=False)


GQA_GROUNDING = _metric("gqa-grounding", "GQA grounding: share of attention on what the question is about", "union")
GQA_GROUNDING_RELEASED = _metric(
    "gqa-grounding-released", "GQA grounding as the published script adds it up; may exceed 100", "released"
)
