"""Sums and means of columns as plain floats."""

import polars as pl

__all__ = ["total", "weighted_mean"]


def total(values: pl.Series) -> float:
    """The sum of a column.

    >>> total(pl.Series([1, 2, None]))
    3.0
    """
    return float(values.drop_nulls().cast(pl.Float64).to_numpy().sum())


def weighted_mean(values: pl.Series, weights: pl.Series) -> float:
    """The mean of a column by the weights of another; 0 if there are none.

    >>> weighted_mean(pl.Series([1.0, 2.0]), pl.Series([3, 1]))
    1.25
    """
    weight = total(weights)
    return total(values * weights) / weight if weight else 0.0
