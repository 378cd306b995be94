"""Faults of scene graphs: boxes that cannot be, and things related to themselves."""

import polars as pl

from eyechart.analysis.evidence import Evidence
from eyechart.analysis.findings import Check

__all__ = ["SCENE_CHECKS"]

_TOLERANCE = 1.0
"""Pixels: published boxes are rounded, and some count the last pixel."""


def _boxes(evidence: Evidence) -> pl.LazyFrame:
    """Boxes of objects and regions, named by image and id."""
    return pl.concat(
        evidence[table].select("image_id", "x", "y", "w", "h", example=pl.format("{}/{}", "image_id", key))
        for table, key in (("objects", "object_id"), ("regions", "region_id"))
    )


def _outside(evidence: Evidence) -> pl.LazyFrame:
    sizes = evidence["images"].select("image_id", "width", "height")
    x, y, right, bottom = (pl.col("x"), pl.col("y"), pl.col("x") + pl.col("w"), pl.col("y") + pl.col("h"))
    beyond = (right > pl.col("width") + _TOLERANCE) | (bottom > pl.col("height") + _TOLERANCE)
    before = (x < -_TOLERANCE) | (y < -_TOLERANCE)
    return _boxes(evidence).join(sizes, on="image_id", how="left").filter(before | beyond).select("example")


def _empty(evidence: Evidence) -> pl.LazyFrame:
    no_size = [(pl.col(side) <= 0) | ~pl.col(side).is_finite() for side in ("w", "h")]
    return _boxes(evidence).filter(pl.any_horizontal(no_size)).select("example")


def _itself(evidence: Evidence) -> pl.LazyFrame:
    itself = evidence["relations"].filter(pl.col("subject_id") == pl.col("object_id"))
    return itself.select(example=pl.format("{}/{} ({})", "image_id", "subject_id", "predicate"))


SCENE_CHECKS = (
    Check("box-outside-picture", "warning", "Boxes reach beyond their picture by more than a pixel.", (), _outside),
    Check("empty-box", "warning", "Boxes have no area.", (), _empty),
    Check("self-relation", "warning", "Objects are related to themselves.", ("relations",), _itself),
)
