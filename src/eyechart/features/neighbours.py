"""The k nearest rows of a matrix, exactly: blocks of approximate scores, a running threshold, an exact second look.

Scores are dot products, computed block by block in half precision where the processor multiplies that fast, else in
single precision. A row keeps what may still be among its k best: scores above the k-th best so far, less twice the
largest error that rounding can have made. What is left at the end is scored again in double precision, so that the
result is that of comparing everything with everything, whatever the processor, the threads and the blocks.

Scores that agree to six decimals count as equal, and the row that comes first in the matrix is then nearer.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["FlatIndex", "Nearest", "nearest", "nearest_by_distance"]

Matrix = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Precision = Literal["auto", "single", "half"]

_ROWS, _COLUMNS = 1024, 8192
_DECIMALS = 6
_PENDING = 200_000
"""So many candidates of a block of rows are looked through at once."""
_RESCORED = 1 << 12
"""So many pairs are scored exactly at once; their vectors stay in the cache of the processor."""
_WORTH_HALF = 1 << 36
"""From this many multiplications on, loading what multiplies in half precision pays."""
_UNIT_SINGLE, _UNIT_HALF = 2.0**-24, 2.0**-9


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest rows of each query, best first; -1 and minus infinity where there are no more."""

    places: Places
    scores: Exact


@dataclass(frozen=True, slots=True)
class _Candidates:
    row: Places
    column: Places
    score: Scores

    def chosen(self, which: npt.NDArray[Any]) -> "_Candidates":
        return _Candidates(self.row[which], self.column[which], self.score[which])


class _Scorer(Protocol):
    """Approximate scores of blocks."""

    error: float
    """By how much a score may be wrong."""

    def dense(self, rows: slice, columns: slice) -> Scores:
        """All scores of a block."""

    def above(self, rows: slice, columns: slice, least: Scores) -> _Candidates:
        """The cells of a block that reach the threshold of their row; rows and columns are counted from the block."""


class _Single:
    """Scores in single precision, by NumPy."""

    def __init__(self, queries: Matrix, base: Matrix) -> None:
        self._queries, self._base = queries, base
        self._out = np.empty(_ROWS * _COLUMNS, np.float32)
        self.error = _rounding(queries.shape[1], _UNIT_SINGLE) * _longest(queries) * _longest(base)

    def dense(self, rows: slice, columns: slice) -> Scores:
        queries, base = self._queries[rows], self._base[columns]
        # A piece of the buffer that is in one piece, so that no memory is asked for and no copy is made.
        out = self._out[: len(queries) * len(base)].reshape(len(queries), len(base))
        return np.matmul(queries, base.T, out=out)

    def above(self, rows: slice, columns: slice, least: Scores) -> _Candidates:
        scores = self.dense(rows, columns)
        row, column = np.divmod(np.flatnonzero(scores >= least[:, None]), scores.shape[1])
        return _Candidates(row, column, scores[row, column])


class _Halved:
    """A matrix in half precision (bfloat16), by torch, and what rounding has lost of its longest row."""

    def __init__(self, matrix: Matrix) -> None:
        import torch

        self.rows = torch.from_numpy(matrix).bfloat16()
        self.lost = _longest(matrix - self.rows.float().numpy())
        self.longest = _longest(matrix) + self.lost


class _Half:
    """Scores in half precision."""

    def __init__(self, queries: _Halved, base: _Halved) -> None:
        import torch

        self._torch = torch
        self._queries, self._base = queries.rows, base.rows
        products = queries.lost * base.longest + base.lost * queries.longest
        # Sums are kept in single precision; the result is rounded once more to half.
        summed = _rounding(queries.rows.shape[1], _UNIT_SINGLE) + _UNIT_HALF * 1.01
        self.error = products + summed * queries.longest * base.longest

    def dense(self, rows: slice, columns: slice) -> Scores:
        scores: Scores = (self._queries[rows] @ self._base[columns].T).float().numpy()
        return scores

    def above(self, rows: slice, columns: slice, least: Scores) -> _Candidates:
        scores = self._queries[rows] @ self._base[columns].T
        # The threshold is rounded to half precision too; downwards, so that nothing is lost.
        lowered = self._torch.from_numpy(least - np.abs(least) * np.float32(2 * _UNIT_HALF)).bfloat16()
        # The sign of a difference survives its rounding, and NumPy sees signs faster than torch compares.
        signs = (scores - lowered[:, None]).view(self._torch.int16).numpy()
        flat = np.flatnonzero(signs >= 0)
        row, column = np.divmod(flat, scores.shape[1])
        return _Candidates(row, column, scores.view(-1)[self._torch.from_numpy(flat)].float().numpy())


class FlatIndex:
    """A matrix whose rows are compared with many queries; nothing is estimated.

    >>> index = FlatIndex(np.eye(3, dtype=np.float32))
    >>> index.nearest(np.array([[0.6, 0.8, 0.0]], np.float32), 2).places.tolist()
    [[1, 0]]
    """

    def __init__(self, base: Matrix, precision: Precision = "auto") -> None:
        self._base, self._precision = base, precision

    @cached_property
    def _halved(self) -> _Halved:
        return _Halved(self._base)

    def nearest(self, queries: Matrix, k: int) -> Nearest:
        """The rows with the largest dot products: for unit vectors, the largest cosines."""
        base = self._base
        wanted = min(k, len(base))
        places = np.full((len(queries), k), -1, np.int64)
        scores = np.full((len(queries), k), -np.inf)
        if wanted and len(queries):
            scorer = self._scorer(queries)
            for first in range(0, len(queries), _ROWS):
                rows = slice(first, min(first + _ROWS, len(queries)))
                found = _candidates(scorer, rows, len(base), wanted)
                exact = _exact(queries[rows], base, found)
                places[rows, :wanted], scores[rows, :wanted] = _best(found, exact, wanted)
        return Nearest(places, scores)

    def _scorer(self, queries: Matrix) -> _Scorer:
        large = queries.size * len(self._base) >= _WORTH_HALF
        half = self._precision == "half" or (self._precision == "auto" and large and _multiplies_half())
        return _Half(_Halved(queries), self._halved) if half else _Single(queries, self._base)


def nearest(queries: Matrix, base: Matrix, k: int, *, precision: Precision = "auto") -> Nearest:
    """The rows of ``base`` with the largest dot products, for queries that are compared once.

    >>> base = np.eye(3, dtype=np.float32)
    >>> found = nearest(np.array([[0.6, 0.8, 0.0]], np.float32), base, 2)
    >>> found.places.tolist(), found.scores.tolist()
    ([[1, 0]], [[0.8, 0.6]])
    """
    return FlatIndex(base, precision).nearest(queries, k)


def nearest_by_distance(queries: Matrix, base: Matrix, k: int) -> Nearest:
    """The rows of ``base`` at the least Euclidean distances, which are the scores.

    >>> base = np.array([[0.0], [3.0], [4.0]], np.float32)
    >>> found = nearest_by_distance(np.array([[3.4]], np.float32), base, 2)
    >>> found.places.tolist(), found.scores.round(3).tolist()
    ([[1, 2]], [[0.4, 0.6]])
    """
    # Of all dot products 2 q b - b b, the largest has the least (q - b)²; around their mean the numbers are small.
    centre = base.mean(axis=0, dtype=np.float64) if len(base) else np.zeros(base.shape[1])
    ours, theirs = (np.asarray(each - centre, np.float32) for each in (queries, base))
    squares = np.einsum("ij,ij->i", theirs, theirs, dtype=np.float64)
    found = nearest(
        np.column_stack([2 * ours, np.ones(len(ours), np.float32)]),
        np.column_stack([theirs, -squares.astype(np.float32)]),
        min(len(base), k + _SPARE),
        precision="single",
    )
    return _by_distance(queries, base, found, k)


_SPARE = 8
"""So many more are found by dot products than are wanted, since squared lengths are rounded once more."""


def _by_distance(queries: Matrix, base: Matrix, found: Nearest, k: int) -> Nearest:
    apart = np.full(found.places.shape, np.inf)
    for column in range(found.places.shape[1]):
        gap = queries.astype(np.float64) - base[found.places[:, column]]
        apart[:, column] = np.round(np.sqrt(np.einsum("ij,ij->i", gap, gap)), _DECIMALS)
    order = np.lexsort((found.places, apart))[:, :k]
    places, distances = np.full((len(queries), k), -1, np.int64), np.full((len(queries), k), np.inf)
    places[:, : order.shape[1]] = np.take_along_axis(found.places, order, 1)
    distances[:, : order.shape[1]] = np.take_along_axis(apart, order, 1)
    return Nearest(places, distances)


@cache
def _multiplies_half() -> bool:
    """Whether the processor has instructions for it, and torch is there to use them."""
    about = Path("/proc/cpuinfo")
    flags = about.read_text() if about.is_file() else ""
    return ("avx512_bf16" in flags or "amx_bf16" in flags) and find_spec("torch") is not None


def _longest(matrix: Matrix) -> float:
    return float(np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64).max(initial=0.0)))


def _rounding(terms: int, unit: float) -> float:
    """The largest relative error of a sum of products, in any order (Higham 2002, section 3.1)."""
    return (terms + 1) * unit / (1 - (terms + 1) * unit)


def _candidates(scorer: _Scorer, rows: slice, size: int, k: int) -> _Candidates:
    """Everything that may be among the k best of a block of rows."""
    first = min(size, max(2 * k, _COLUMNS // 8), _COLUMNS)
    least = _lowest(scorer.dense(rows, slice(0, first)), k, scorer.error)
    held: list[_Candidates] = []
    pending = 0
    for begin, end in [(0, first), *((low, min(low + _COLUMNS, size)) for low in range(first, size, _COLUMNS))]:
        found = scorer.above(rows, slice(begin, end), least)
        held.append(_Candidates(found.row, found.column + begin, found.score))
        pending += found.row.size
        if pending > max(_PENDING, 4 * k * least.size):
            kept, least = _kept(_joined(held), least, k, scorer.error)
            held, pending = [kept], 0
    return _kept(_joined(held), least, k, scorer.error)[0]


def _lowest(scores: Scores, k: int, error: float) -> Scores:
    """The first thresholds, from the scores of a few columns."""
    if scores.shape[1] < k:
        return np.full(len(scores), -np.inf, np.float32)
    kth = np.partition(scores, scores.shape[1] - k, axis=1)[:, scores.shape[1] - k]
    return kth - np.float32(2 * error)


def _joined(held: list[_Candidates]) -> _Candidates:
    return _Candidates(
        np.concatenate([each.row for each in held]),
        np.concatenate([each.column for each in held]),
        np.concatenate([each.score for each in held]),
    )


def _kept(found: _Candidates, least: Scores, k: int, error: float) -> tuple[_Candidates, Scores]:
    """What may still be among the k best, and the thresholds that follow."""
    ordered = found.chosen(np.argsort(_by_row(found.row, found.score)))
    counts = np.bincount(ordered.row, minlength=least.size)
    starts = np.cumsum(counts) - counts
    full = np.flatnonzero(counts >= k)
    higher = least.copy()
    higher[full] = np.maximum(least[full], ordered.score[starts[full] + k - 1] - np.float32(2 * error))
    return ordered.chosen(ordered.score >= higher[ordered.row]), higher


def _by_row(rows: Places, scores: Scores) -> npt.NDArray[np.uint64]:
    """Keys that sort by row, then by falling score; NumPy sorts whole numbers much faster than two columns."""
    bits = scores.view(np.uint32)
    rising = np.where(bits >> np.uint32(31), ~bits, bits | np.uint32(1 << 31))
    return rows.astype(np.uint64) << np.uint64(32) | ~rising


def _exact(queries: Matrix, base: Matrix, found: _Candidates) -> Exact:
    """The scores of candidates in double precision; a pair's score depends on nothing but the pair."""
    scores = np.empty(found.row.size)
    for begin in range(0, scores.size, _RESCORED):
        some = slice(begin, begin + _RESCORED)
        ours, theirs = queries[found.row[some]].astype(np.float64), base[found.column[some]].astype(np.float64)
        scores[some] = np.einsum("ij,ij->i", ours, theirs)
    return np.round(scores, _DECIMALS)


def _best(found: _Candidates, exact: Exact, k: int) -> tuple[Places, Exact]:
    order = np.lexsort((found.column, -exact, found.row))
    rows = found.row[order]
    counts = np.bincount(rows)
    within = np.arange(rows.size) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = order[within < k]
    return found.column[chosen].reshape(-1, k), exact[chosen].reshape(-1, k)
