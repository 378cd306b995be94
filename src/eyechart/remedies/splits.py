"""Splits by picture, so that nothing of a picture that is tested was trained on."""

from collections.abc import Mapping
from functools import partial

import polars as pl

from eyechart._lib.keyed import Key, key_of, uniform
from eyechart.errors import UsageError

__all__ = ["split_by_image"]


def split_by_image(images: pl.Expr, shares: Mapping[str, float], seed: int = 0) -> pl.Expr:
    """The split of each image, by a keyed draw: images that are added later move none of the others.

    >>> pictures = pl.DataFrame({"image_id": [str(number) for number in range(1000)]})
    >>> drawn = pictures.select(split=split_by_image(pl.col("image_id"), {"train": 0.7, "val": 0.3}))
    >>> 650 < drawn["split"].to_list().count("train") < 750
    True
    """
    if not shares or min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > 1e-6:  # noqa: PLR2004  # rounding
        raise UsageError(f"splits: found {dict(shares)}, expected shares above 0 that add up to 1; correct them")
    drawn, names = uniform(images.map_batches(partial(_drawn, seed), return_dtype=pl.UInt64)), list(shares)
    chosen, reached = pl.lit(names[-1]), 1.0
    for name in reversed(names[:-1]):
        reached -= shares[names[names.index(name) + 1]]
        chosen = pl.when(drawn < reached).then(pl.lit(name)).otherwise(chosen)
    return chosen


def _drawn(seed: int, ids: pl.Series) -> pl.Series:
    """All at once: as an expression the codes of the ids would be made anew in each step of the draw."""
    codes = pl.select(key_of(pl.lit(ids))).to_series()
    return pl.Series(Key(seed, "split").array(codes.to_numpy()))
