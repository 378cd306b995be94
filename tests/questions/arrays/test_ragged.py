"""Rows of different lengths do what lists of lists do."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eyechart.questions.arrays.ragged import Ragged, side_by_side, stacked

ROWS = st.lists(st.lists(st.integers(1, 9), max_size=4), min_size=1, max_size=6)


def ragged(rows: list[list[int]]) -> Ragged:
    return Ragged.of([len(row) for row in rows], np.array([each for row in rows for each in row], dtype=np.int64))


def lists(rows: Ragged) -> list[list[int]]:
    return [rows.values[begin:end].tolist() for begin, end in zip(rows.offsets, rows.offsets[1:], strict=False)]


@given(ROWS, st.lists(st.integers(0, 5), max_size=8))
def test_take(rows: list[list[int]], places: list[int]) -> None:
    wanted = [place % len(rows) for place in places]
    assert lists(ragged(rows).take(np.array(wanted, dtype=np.int64))) == [rows[place] for place in wanted]


@given(ROWS, st.data())
def test_side_by_side(rows: list[list[int]], data: st.DataObject) -> None:
    column = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    found = side_by_side([ragged(rows), np.array(column), ragged(rows)])
    assert lists(found) == [row + [each] * (each != 0) + row for row, each in zip(rows, column, strict=True)]


@given(ROWS, ROWS)
def test_stacked(one: list[list[int]], other: list[list[int]]) -> None:
    assert lists(stacked([ragged(one), ragged(other)])) == one + other


@given(ROWS)
def test_grouped(rows: list[list[int]]) -> None:
    pairs = [(number, each) for number, row in enumerate(rows) for each in row]
    numbers, values = (np.array([pair[place] for pair in pairs], dtype=np.int64) for place in (0, 1))
    assert lists(Ragged.grouped(numbers, values, len(rows))) == rows
