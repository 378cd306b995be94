"""The columns of a board as a table shows them: a layer of splits over a layer of numbers."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from eyechart.challenge import Board, Column, Entry
from eyechart.metrics import metric_named

__all__ = ["Layer", "about", "heads_of", "layers_of", "title_of", "whiskers_of"]


@dataclass(frozen=True, slots=True)
class Layer:
    """A split and the columns below it."""

    split: str
    columns: list[Column]


def layers_of(columns: Sequence[Column]) -> list[Layer]:
    """Columns by split, in their order.

    >>> [layer.split for layer in layers_of([Column("dev", "vqa", "overall", "overall")])]
    ['dev']
    """
    return [Layer(split, list(each)) for split, each in groupby(columns, key=lambda column: column.split)]


def title_of(column: Column, ranking: Column | None) -> str:
    """What stands above a column: of the ranking metric the group alone, of others their name too.

    >>> title_of(Column("dev", "vqa", "answer_type", "yes/no"), Column("dev", "vqa", "overall", "overall"))
    'yes/no'
    """
    whole = column.group == "overall"
    if ranking is not None and column.metric == ranking.metric:
        return "overall" if whole else column.group
    return column.metric if whole else f"{column.metric}: {column.group}"


def about(column: Column) -> str:
    """What a column says, in words.

    >>> about(Column("dev", "vqa", "overall", "overall"))
    'VQA accuracy (official-2021) on dev'
    """
    of = "" if column.group == "overall" else f" of {column.group}"
    return f"{metric_named(column.metric).title}{of} on {column.split}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where an interval and its value stand on a line 120 long."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class Whiskers:
    """The intervals of the ranking column, on one scale for the whole board."""

    column: Column
    low: float
    high: float

    def of(self, entry: Entry) -> Drawn | None:
        """Where an entry's interval is; None without one."""
        cell = entry.cells.get(self.column.key)
        if cell is None or cell.value is None:
            return None
        ends = (
            cell.value if cell.low is None else cell.low,
            cell.value,
            cell.value if cell.high is None else cell.high,
        )
        return Drawn(*(round(_MARGIN + (end - self.low) / (self.high - self.low) * _LENGTH, 1) for end in ends))


_MARGIN, _LENGTH = 5.0, 110.0


def whiskers_of(board: Board) -> Whiskers | None:
    """The scale of a board's ranking column: whole numbers that hold every interval; none without two entries."""
    if board.ranking is None:
        return None
    cells = [cell for entry in board.entries if (cell := entry.cells.get(board.ranking.key)) is not None]
    ends = [end for cell in cells for end in (cell.low, cell.value, cell.high) if end is not None]
    if len(cells) < 2 or min(ends) == max(ends):  # noqa: PLR2004 - one alone has nothing to be compared with
        return None
    return Whiskers(board.ranking, math.floor(min(ends)), math.ceil(max(ends)))


def heads_of(columns: Sequence[Column]) -> Iterator[str]:
    """The heads of a CSV file: each number with the two ends of its interval."""
    for column in columns:
        yield from (column.key, f"{column.key} low", f"{column.key} high")
