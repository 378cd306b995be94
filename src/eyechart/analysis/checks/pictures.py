"""Faults of picture files: gone, damaged, of another size than stated, or nearly the same as others."""

import polars as pl

from eyechart.analysis.evidence import Evidence
from eyechart.analysis.findings import Check

__all__ = ["PICTURE_CHECKS"]

_GONE = "there is no such file"


def _missing(evidence: Evidence) -> pl.LazyFrame:
    return evidence["fingerprints"].filter(pl.col("problem") == _GONE).select(example="image_id")


def _unreadable(evidence: Evidence) -> pl.LazyFrame:
    broken = evidence["fingerprints"].filter(pl.col("problem") != _GONE)
    return broken.select(example="image_id", detail="problem")


def _other_size(evidence: Evidence) -> pl.LazyFrame:
    stated = evidence["images"].select("image_id", "width", "height")
    both = evidence["fingerprints"].join(stated, on="image_id", suffix="_stated")
    differs = [pl.col(side) != pl.col(f"{side}_stated") for side in ("width", "height")]
    return both.filter(pl.any_horizontal(differs)).select(example="image_id")


def _near(evidence: Evidence, *, across: bool) -> pl.LazyFrame:
    """Images that look like another one, in another split or in their own, each with one that it looks like."""
    here, there = pl.col("split"), pl.col("split_other")
    wanted = (here != there) & (here != "") & (there != "") if across else here == there
    # Two of the near images are enough to name one that is not the image itself.
    alike = (
        evidence.hashed.join(evidence.alike, left_on="phash", right_on="one", suffix="_other")
        .filter(wanted)
        .with_columns(pl.when(pl.col("first") == pl.col("image_id")).then("last").otherwise("first").alias("twin"))
        .filter(pl.col("twin") != pl.col("image_id"))
    )
    found = alike.group_by("image_id").agg(pl.col("twin").min())
    return found.select(example=pl.format("{} ~ {}", "image_id", "twin"))


PICTURE_CHECKS = (
    Check("missing-picture", "warning", "Picture files are not there, while others are.", ("fingerprints",), _missing),
    Check("unreadable-picture", "error", "Picture files cannot be read: {detail}.", ("fingerprints",), _unreadable),
    Check(
        "wrong-picture-size",
        "warning",
        "Pictures are not as wide and high as the images table says, so boxes are in the wrong places.",
        ("fingerprints", "images"),
        _other_size,
    ),
    Check(
        "near-pictures-in-two-splits",
        "warning",
        "Pictures look like a picture of another split, so what is learned from one can be remembered in the other.",
        ("fingerprints",),
        lambda evidence: _near(evidence, across=True),
    ),
    Check(
        "near-pictures",
        "note",
        "Pictures look like another picture of their split.",
        ("fingerprints",),
        lambda evidence: _near(evidence, across=False),
    ),
)
