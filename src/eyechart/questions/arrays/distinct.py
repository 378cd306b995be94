"""Rows that come back again and again, found, so that each is worked on once."""

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["distinct"]

Places = npt.NDArray[np.int64]


def distinct(rows: pl.DataFrame) -> tuple[Places, Places]:
    """Where each different row stands first, in this order; and for every row the number of the one like it.

    Rows are compared by 64 bits of hash: of a million different ones, one in 37 million runs takes two for one.

    >>> first, number = distinct(pl.DataFrame({"word": ["cup", "pan", "cup"]}))
    >>> first.tolist(), number.tolist()
    ([0, 1], [0, 1, 0])
    """
    keys = rows.hash_rows(seed=1).rename("key").to_frame()
    first = keys.with_row_index("place").unique("key", keep="first", maintain_order=True).with_row_index("number")
    numbers = keys.join(first.select("key", "number"), on="key", how="left", maintain_order="left")["number"]
    return first["place"].to_numpy().astype(np.int64), numbers.to_numpy().astype(np.int64)
