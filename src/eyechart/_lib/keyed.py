"""Keyed randomness: a draw is a hash of a seed, a purpose and ids, never the next number of a stream.

Shuffled rows, more workers, a resumed or an incremental run draw the same. The hash is splitmix64, here three times: in
plain Python, over NumPy arrays, and as a Polars expression; all three agree to the last bit and depend on no library's
version.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["Key", "draw", "key_of", "uniform"]

_MASK = (1 << 64) - 1
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_SHIFTS = (30, 27, 31)
_UNIT = 1 / (1 << 53)
_TO_53_BITS = 11


def _mixed(value: int) -> int:
    value = ((value ^ value >> _SHIFTS[0]) * _FIRST) & _MASK
    value = ((value ^ value >> _SHIFTS[1]) * _SECOND) & _MASK
    return value ^ value >> _SHIFTS[2]


def _text_code(text: str) -> int:
    """FNV-1a over UTF-8, mixed once more: the code of a purpose or of a string id."""
    code = 0xCBF29CE484222325
    for byte in text.encode():
        code = ((code ^ byte) * 0x100000001B3) & _MASK
    return _mixed(code)


def draw(seed: int, purpose: str, *ids: int | str) -> int:
    """A draw of 64 bits for one thing.

    >>> draw(1, "colour", 7) == draw(1, "colour", 7), draw(1, "colour", 7) == draw(1, "shape", 7)
    (True, False)
    """
    return Key(seed, purpose).of(*ids)


def key_of(values: pl.Expr) -> pl.Expr:
    """Codes of string ids, for a draw over a whole column: 64 bits that depend on nothing but the string.

    >>> pl.select(key_of(pl.lit(pl.Series(["7"])))).item() == _text_code("7")
    True
    """
    return values.map_batches(_text_codes, return_dtype=pl.UInt64)


def _text_codes(values: pl.Series) -> pl.Series:
    """FNV-1a of every string, each different one once."""
    unique = values.unique()
    if len(unique) * 2 > len(values):
        return pl.Series(values.name, _hashed(values))
    coded = pl.DataFrame({"text": unique, "code": _hashed(unique)})
    return values.to_frame("text").join(coded, on="text", how="left", nulls_equal=True, maintain_order="left")["code"]


def _hashed(texts: pl.Series) -> npt.NDArray[np.uint64]:
    """FNV-1a of all strings at once: one NumPy step per character position, over the strings that reach it."""
    sizes = texts.str.len_bytes().fill_null(0).to_numpy().astype(np.int64)
    joined = np.frombuffer(texts.drop_nulls().str.join("").item().encode(), dtype=np.uint8)
    starts = np.cumsum(sizes) - sizes
    codes = np.full(len(sizes), 0xCBF29CE484222325, dtype=np.uint64)
    shortest = int(sizes.min()) if len(sizes) else 0
    for place in range(int(sizes.max(initial=0))):
        reached = slice(None) if place < shortest else np.flatnonzero(sizes > place)
        codes[reached] = (codes[reached] ^ joined[starts[reached] + place]) * np.uint64(0x100000001B3)
    return _mixed_array(codes)


def uniform(bits: pl.Expr) -> pl.Expr:
    """A draw as a number from 0 up to, not including, 1.

    >>> pl.select(uniform(pl.lit(1 << 63, dtype=pl.UInt64))).item()
    0.5
    """
    return (bits // (1 << _TO_53_BITS)).cast(pl.Float64) * _UNIT


class Key:
    """What a draw is for: a seed and a purpose; the ids come with each draw.

    >>> key = Key(1, "colour")
    >>> rows = pl.DataFrame({"image": [3, 4], "object": ["a", "b"]})
    >>> drawn = rows.select(key.over("image", key_of(pl.col("object")))).to_series()
    >>> drawn.to_list() == [key.of(3, "a"), key.of(4, "b")]
    True
    >>> [int(bits) for bits in key.array(np.array([3, 4], dtype=np.uint64))] == [key.of(3), key.of(4)]
    True
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self.start = _mixed((seed & _MASK) ^ _text_code(purpose))

    def of(self, *ids: int | str) -> int:
        """The draw for one thing."""
        state = self.start
        for each in ids:
            code = _text_code(each) if isinstance(each, str) else each & _MASK
            state = _mixed(((state ^ code) + _STEP) & _MASK)
        return state

    def uniform(self, *ids: int | str) -> float:
        """The draw for one thing as a number from 0 up to, not including, 1."""
        return (self.of(*ids) >> _TO_53_BITS) * _UNIT

    def choice(self, weights: Sequence[float], *ids: int | str) -> int:
        """A place in a list, likely by its weight.

        >>> Key(1, "side").choice([0, 1, 0], 7)
        1
        """
        left = self.uniform(*ids) * sum(weights)
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        return max(place for place, weight in enumerate(weights) if weight > 0)

    def array(self, *ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Draws over arrays of whole-number ids."""
        state = np.full(1, self.start, dtype=np.uint64)
        for each in ids:
            state = _mixed_array((state ^ each) + np.uint64(_STEP))
        return state

    def over(self, *ids: str | pl.Expr) -> pl.Expr:
        """Draws over columns of whole-number ids, as an expression; strings pass through ``key_of`` first."""
        state = pl.lit(self.start, dtype=pl.UInt64)
        for each in ids:
            column = pl.col(each) if isinstance(each, str) else each
            state = _mixed_expression((state ^ column.cast(pl.UInt64)) + pl.lit(_STEP, dtype=pl.UInt64))
        return state


def _mixed_array(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    values = (values ^ values >> np.uint64(_SHIFTS[0])) * np.uint64(_FIRST)
    values = (values ^ values >> np.uint64(_SHIFTS[1])) * np.uint64(_SECOND)
    return values ^ values >> np.uint64(_SHIFTS[2])


def _mixed_expression(values: pl.Expr) -> pl.Expr:
    # Polars has no shift of columns; for unsigned numbers a whole division is the same.
    values = (values ^ values // (1 << _SHIFTS[0])) * pl.lit(_FIRST, dtype=pl.UInt64)
    values = (values ^ values // (1 << _SHIFTS[1])) * pl.lit(_SECOND, dtype=pl.UInt64)
    return values ^ values // (1 << _SHIFTS[2])
