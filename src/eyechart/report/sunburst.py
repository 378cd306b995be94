"""Rings: every part of a path gets an arc, inside the arc of what comes before it."""

import math
from collections.abc import Sequence

import polars as pl

__all__ = ["arcs"]

_LABELLED = 0.02
"""The smallest share of a full turn, at the outer edge of three rings, in which a word can be read."""


def arcs(rows: pl.DataFrame, path: Sequence[str], size: str, *, radius: float) -> pl.DataFrame:
    """One row per part of a ring: path, label, share, ring, theta, theta2, inner, outer, and a colour.

    >>> rows = pl.DataFrame({"a": ["is", "is", "what"], "b": ["it", "he", None], "n": [2, 1, 1]})
    >>> arcs(rows, ["a", "b"], "n", radius=100).select("path", "share", "outer").rows()
    [('is', 0.75, 55.0), ('what', 0.25, 55.0), ('is it', 0.5, 100.0), ('is he', 0.25, 100.0)]
    """
    total = float(rows[size].sum())
    inner, rings = 0.1 * radius, len(path)
    thickness = (radius - inner) / rings
    ordered = _ordered(rows, list(path), size)
    drawn = []
    for ring in range(rings):
        levels = list(path[: ring + 1])
        known = ordered.drop_nulls(levels[-1])
        parts = known.group_by(levels, maintain_order=True).agg(pl.col("begin").min(), pl.col(size).sum())
        drawn.append(
            parts.select(
                path=pl.concat_str(levels, separator=" "),
                label=pl.col(levels[-1]),
                share=pl.col(size) / total,
                ring=pl.lit(ring),
                theta=pl.col("begin") / total * 2 * math.pi,
                theta2=(pl.col("begin") + pl.col(size)) / total * 2 * math.pi,
                inner=pl.lit(inner + ring * thickness),
                outer=pl.lit(inner + (ring + 1) * thickness),
                colour=(pl.col(levels[0]).rle_id() % 6).cast(pl.Int64),
            )
        )
    return pl.concat(drawn)


def _ordered(rows: pl.DataFrame, path: list[str], size: str) -> pl.DataFrame:
    """The largest first in every ring, "…" last, with where each row begins."""
    sizes = [pl.col(size).sum().over(path[: ring + 1]).alias(f"_size_{ring}") for ring in range(len(path))]
    rest = [(pl.col(name) == "…").fill_null(value=True).alias(f"_rest_{ring}") for ring, name in enumerate(path)]
    keys = [(f"_rest_{ring}", f"_size_{ring}", name) for ring, name in enumerate(path)]
    by = [key for level in keys for key in level]
    down = [flag for _ in keys for flag in (False, True, False)]
    ordered = rows.with_columns(*sizes, *rest).sort(by, descending=down, nulls_last=True)
    return ordered.with_columns(begin=pl.col(size).cum_sum() - pl.col(size))


def legible(share: pl.Expr, ring: pl.Expr) -> pl.Expr:
    """Whether an arc has room for its word."""
    return share > _LABELLED / (1 + ring * 0.35)
