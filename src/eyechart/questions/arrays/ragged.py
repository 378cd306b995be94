"""Rows of different lengths as two arrays, and the few moves that everything else is made of.

A sentence is a row of word numbers, a program a row of step numbers. Laying parts side by side, taking rows and turning
numbers into text are a handful of array operations for a million rows at once, whatever the rows are made of.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["Flags", "Floats", "Ints", "Keys", "Ragged", "joined", "side_by_side", "spread", "stacked"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of numbers: row i is ``values[offsets[i]:offsets[i + 1]]``.

    >>> rows = Ragged.of([2, 0, 1], np.array([7, 8, 9]))
    >>> rows.take(np.array([2, 0])).values.tolist(), rows.rows.tolist()
    ([9, 7, 8], [0, 0, 2])
    """

    values: Ints
    offsets: Ints

    @classmethod
    def of(cls, lengths: npt.ArrayLike, values: Ints) -> Self:
        """From the length of each row and all values in order."""
        return cls(values, np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]))

    @classmethod
    def grouped(cls, rows: Ints, values: Ints, height: int) -> Self:
        """From pairs of row and value in any order."""
        order = np.argsort(rows, kind="stable")
        return cls.of(np.bincount(rows, minlength=height), values[order])

    @classmethod
    def column(cls, values: Ints) -> Self:
        """Rows of one value each; none where it is 0."""
        there = values != 0
        return cls.of(there, values[there])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Ints:
        """How long each row is."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> Ints:
        """The row of each value."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def take(self, rows: Ints) -> "Ragged":
        """Some rows, in any order and as often as one likes; a row below 0 is empty."""
        starts = self.offsets[rows]
        lengths = np.where(rows < 0, 0, self.offsets[rows + 1] - starts)
        return Ragged.of(lengths, self.values[spread(starts, lengths)])


def spread(starts: Ints, lengths: Ints) -> Ints:
    """The numbers of all ranges, one range after the other.

    >>> spread(np.array([5, 20]), np.array([2, 3])).tolist()
    [5, 6, 20, 21, 22]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    places: Ints = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return places


def side_by_side(parts: Sequence["Ragged | Ints"]) -> Ragged:
    """Row by row, one part after the other; a plain column stands for rows of one value, none where it is 0.

    >>> side_by_side([np.array([1, 0]), Ragged.of([0, 2], np.array([5, 6]))]).values.tolist()
    [1, 5, 6]
    """
    columns = [part if isinstance(part, Ragged) else None for part in parts]
    sizes = np.stack(
        [part.lengths if isinstance(part, Ragged) else (part != 0).astype(np.int64) for part in parts], axis=1
    )
    flat = np.concatenate([part.values if isinstance(part, Ragged) else part for part in parts])
    bases = np.cumsum([0, *(len(part.values) if isinstance(part, Ragged) else len(part) for part in parts[:-1])])
    height = len(sizes)
    starts = np.stack(
        [
            base + (column.offsets[:-1] if column is not None else np.arange(height))
            for base, column in zip(bases, columns, strict=True)
        ],
        axis=1,
    )
    values = flat[spread(starts.ravel(), sizes.ravel())]
    return Ragged.of(sizes.sum(axis=1), values)


def stacked(parts: Sequence[Ragged]) -> Ragged:
    """Rows of one part, then rows of the next.

    >>> stacked([Ragged.of([1], np.array([4])), Ragged.of([0, 1], np.array([6]))]).lengths.tolist()
    [1, 0, 1]
    """
    lengths = np.concatenate([part.lengths for part in parts]) if parts else np.zeros(0, dtype=np.int64)
    values = np.concatenate([part.values for part in parts]) if parts else np.zeros(0, dtype=np.int64)
    return Ragged.of(lengths, values)


def joined(words: pl.Series, rows: Ragged) -> pl.Series:
    """The text of each row: its words by their numbers, without anything between them.

    >>> joined(pl.Series(["", "a", " b"]), Ragged.of([2, 0], np.array([1, 2]))).to_list()
    ['a b', '']
    """
    texts = _lists(pl.DataFrame({"cell": words.gather(rows.values)}), rows, pl.col("cell"))
    return texts.list.join("")


def _lists(cells: pl.DataFrame, rows: Ragged, cell: pl.Expr) -> pl.Series:
    """A list per row; Polars makes them fastest by grouping what is sorted already."""
    keyed = cells.with_columns(pl.Series("row", rows.rows.astype(np.uint32)).set_sorted())
    lists = keyed.group_by("row", maintain_order=True).agg(cell.alias("cells"))
    if lists.height < len(rows):
        numbers = pl.DataFrame({"row": pl.int_range(len(rows), dtype=pl.UInt32, eager=True)})
        lists = numbers.join(lists, on="row", how="left", maintain_order="left").with_columns(
            pl.col("cells").fill_null([])
        )
    return lists["cells"]


def listed(cells: pl.DataFrame, rows: Ragged) -> pl.Series:
    """A list of records per row, from the records in order.

    >>> listed(pl.DataFrame({"n": [1, 2]}), Ragged.of([2], np.array([0, 1]))).to_list()
    [[{'n': 1}, {'n': 2}]]
    """
    return _lists(cells, rows, pl.struct(cells.columns))
