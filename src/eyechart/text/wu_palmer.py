"""Wu-Palmer similarity of nouns (Wu and Palmer 1994) as NLTK 3.10 computes it, for arrays of pairs.

NLTK takes the common ancestor with the largest *minimum* depth (the first synset itself if it is among those, else the
first by name), but scores with its *maximum* depth D, counted from 1: 2 D / (l1 + l2 + 2 D), where l1 and l2 are the
fewest steps from both synsets to it. Hence a similarity is neither symmetric, nor always 1 for a synset with itself.

Two facts make it fast. An ancestor that has itself an ancestor of larger minimum depth is never taken, so it leaves the
lists. And the largest 2 D / (l1 + l2 + 2 D) over all common ancestors and all senses of two words is their similarity,
unless it comes from an ancestor that NLTK would not have taken; the lists say where that cannot be (``doubt``), and
only pairs with a doubt are compared sense by sense.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from eyechart.text.wordnet_tables import Ints, NounTables, expand, split_rows

__all__ = ["Hierarchy", "Senses", "Similarities"]

Bools = npt.NDArray[np.bool_]
Similarities = npt.NDArray[np.float64]

_DOUBT_BITS = 2
_NONE = 1 << 28
"""A code larger than any; two of them still fit an int32."""
_FAR = 255
_ROWS = 256
"""So many first words share one table of ancestors; what all of them meet stays in the cache of the processor."""
_CELLS = 1 << 16
"""So many ancestors are looked up at once."""


@dataclass(frozen=True, slots=True)
class Senses:
    """The senses of some words, as rows of synset numbers; a word without a noun sense has an empty row."""

    start: Ints
    synset: Ints

    def __len__(self) -> int:
        return self.start.size - 1

    def of(self, words: Ints) -> "Senses":
        """The senses of some of the words.

        >>> some = Senses(np.array([0, 2, 2, 3]), np.array([5, 6, 9])).of(np.array([2, 0]))
        >>> some.start.tolist(), some.synset.tolist()
        ([0, 1, 3], [9, 5, 6])
        """
        counts = self.start[words + 1] - self.start[words]
        return Senses(split_rows(counts), self.synset[expand(self.start[words], counts)])

    @property
    def first(self) -> "Senses":
        """Only the most frequent sense of each."""
        has = np.diff(self.start) > 0
        return Senses(split_rows(has.astype(np.int64)), self.synset[self.start[:-1][has]])


@dataclass(frozen=True, slots=True)
class _Lists:
    """A list of ancestors per row (a synset or a word), each with a value, in one piece."""

    start: Ints
    ancestor: Ints
    value: Ints


class _Padded:
    """Lists put into matrices by length, so that many are read at once; padding is ``nowhere``."""

    def __init__(self, lists: _Lists, nowhere: int) -> None:
        lengths = np.diff(lists.start)
        widths = [0, 4, *sorted({size for power in range(3, 12) for size in (2**power, 3 * 2 ** (power - 1))})]
        self.kind = np.searchsorted(widths, lengths).astype(np.int64)
        self.place = np.zeros(lengths.size, np.int64)
        self.matrices: dict[int, tuple[Ints, Ints]] = {}
        for kind in np.unique(self.kind):
            rows = np.flatnonzero(self.kind == kind)
            self.place[rows] = np.arange(rows.size)
            ancestors = np.full((rows.size, widths[kind]), nowhere, np.int32)
            values = np.zeros((rows.size, widths[kind]), lists.value.dtype)
            filled = np.arange(widths[kind]) < lengths[rows][:, None]
            cells = expand(lists.start[:-1][rows], lengths[rows])
            ancestors[filled], values[filled] = lists.ancestor[cells], lists.value[cells]
            self.matrices[int(kind)] = ancestors, values


class _Table:
    """Values of the ancestors of some first words, one row each, to look up those of the second words in."""

    def __init__(self, lists: _Lists, columns: int, empty: int) -> None:
        self._lists, self._stride, self._empty = lists, columns + 1, empty
        rows = min(_ROWS, lists.start.size - 1)
        self._cells = np.full(rows * self._stride, empty, lists.value.dtype)

    def lookups(self, first: Ints, second: Ints, padded: _Padded) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
        """Pieces of the pairs: which pairs, and matrices of the second's ancestors, their values, and the first's."""
        blocks = first // _ROWS
        kinds = len(padded.matrices) and max(padded.matrices) + 1
        keys = blocks * kinds + padded.kind[second]
        # NumPy sorts 16-bit numbers without comparing them, five times faster.
        order = np.argsort(keys.astype(np.uint16) if keys.max(initial=0) < 1 << 16 else keys, kind="stable")
        sorted_keys = keys[order]
        bounds = [0, *(np.flatnonzero(np.diff(sorted_keys)) + 1).tolist(), order.size]
        filled: Ints = np.zeros(0, np.int64)
        block = -1
        for low, high in pairwise(bounds):
            if low == high:
                continue
            block_here, kind = divmod(int(sorted_keys[low]), kinds)
            if block_here != block:
                self._cells[filled] = self._empty
                block, filled = block_here, self._fill(block_here)
            ancestors, values = padded.matrices[kind]
            step = max(1, _CELLS // max(1, ancestors.shape[1]))
            for begin in range(low, high, step):
                pairs = order[begin : min(begin + step, high)]
                places = padded.place[second[pairs]]
                columns = ancestors[places]
                row = ((first[pairs] - block * _ROWS) * self._stride).astype(np.int32)
                yield pairs, columns, values[places], self._cells.take(columns + row[:, None])
        self._cells[filled] = self._empty

    def _fill(self, block: int) -> Ints:
        start = self._lists.start[block * _ROWS : block * _ROWS + _ROWS + 1]
        rows = np.repeat(np.arange(start.size - 1), np.diff(start))
        cells = rows * self._stride + self._lists.ancestor[start[0] : start[-1]]
        self._cells[cells] = self._lists.value[start[0] : start[-1]]
        return cells


class Hierarchy:
    """Which ancestors of each synset may be taken, and the similarities that follow."""

    def __init__(self, tables: NounTables) -> None:
        self._size = tables.min_depth.size
        self._depth = tables.max_depth.astype(np.int32) + 1
        owner = np.repeat(np.arange(self._size, dtype=np.int32), np.diff(tables.start))
        above = tables.min_depth[tables.ancestor]
        never = np.maximum.reduceat(above, tables.start[:-1]) > tables.min_depth
        # With an earlier name of the same depth above it, a synset is taken only when it is itself first of the pair.
        tied = (above == tables.min_depth[owner]) & (tables.name_order[tables.ancestor] < tables.name_order[owner])
        self._only_itself = np.zeros(self._size, bool)
        self._only_itself[owner[tied]] = True
        rank = np.empty(self._size, np.int32)
        by_choice = (tables.name_order, ~self._only_itself, -tables.min_depth.astype(np.int64))
        rank[np.lexsort(by_choice)] = np.arange(self._size, dtype=np.int32)
        rows = np.flatnonzero(~never[tables.ancestor])
        rows = rows[np.argsort(owner[rows].astype(np.int64) * self._size + rank[tables.ancestor[rows]])]
        mine = ~self._only_itself[tables.ancestor[rows]] | (owner[rows] == tables.ancestor[rows])
        self._second = self._lists(tables, owner, rows)
        self._first = self._lists(tables, owner, rows[mine])

    def _lists(self, tables: NounTables, owner: Ints, rows: Ints) -> _Lists:
        start = split_rows(np.bincount(owner[rows], minlength=self._size))
        return _Lists(start, tables.ancestor[rows], tables.detour[rows].astype(np.uint8))

    def of_synsets(self, first: Ints, second: Ints) -> Similarities:
        """The similarity of pairs of synsets, by number."""
        result = np.zeros(first.size)
        table = _Table(self._first, self._size, _FAR)
        for pairs, columns, down, up in table.lookups(first, second, self._padded_synsets):
            # Lists are in the order of choice, so the first common ancestor is the one that is taken.
            taken = (up != _FAR).argmax(axis=1)
            each = np.arange(taken.size)
            steps = up[each, taken].astype(np.int64) + down[each, taken]
            twice = 2.0 * self._depth[np.minimum(columns[each, taken], self._size - 1)]
            result[pairs] = np.where(up[each, taken] == _FAR, 0.0, twice / (steps + twice))
        return result

    def of_words(self, senses: Senses, first: Ints, second: Ints) -> Similarities:
        """The largest similarity of any two senses, for pairs of rows of ``senses``; 0 without a noun sense."""
        result = np.zeros(first.size)
        doubtful = [np.zeros(0, np.int64)]
        table = _Table(self._of_words(senses, self._coded_first), self._size, _NONE)
        padded = _Padded(self._of_words(senses, self._coded_second), self._size)
        for pairs, columns, down, up in table.lookups(first, second, padded):
            if not columns.shape[1]:
                continue
            code = np.add(up, down, out=up).min(axis=1)
            common = code < _NONE
            result[pairs] = np.where(common, self._decoded.take(code >> _DOUBT_BITS, mode="clip"), 0.0)
            doubtful.append(pairs[common & (code & (1 << _DOUBT_BITS) - 1 > 0)])
        again = np.concatenate(doubtful)
        result[again] = self._sense_by_sense(senses, first[again], second[again])
        return result

    def _sense_by_sense(self, senses: Senses, first: Ints, second: Ints) -> Similarities:
        counts = np.diff(senses.start)
        result = np.empty(first.size)
        for begin in range(0, first.size, _CELLS):
            one, other = first[begin : begin + _CELLS], second[begin : begin + _CELLS]
            many = counts[one] * counts[other]
            within = expand(np.zeros(one.size, np.int64), many)
            width = np.repeat(counts[other], many)
            left = senses.synset[np.repeat(senses.start[one], many) + within // width]
            right = senses.synset[np.repeat(senses.start[other], many) + within % width]
            result[begin : begin + _CELLS] = np.maximum.reduceat(self.of_synsets(left, right), split_rows(many)[:-1])
        return result

    @cached_property
    def _padded_synsets(self) -> _Padded:
        return _Padded(self._second, self._size)

    @cached_property
    def _unit(self) -> int:
        """Codes count steps / D in such parts; two different values of (l1 + l2) / D are at least four apart."""
        deepest = int(self._depth.max())
        return 4 * deepest * deepest

    @cached_property
    def _decoded(self) -> Similarities:
        """The similarity for each code of (l1 + l2) / D; rounding twice may miss a code by one."""
        deepest, most = int(self._depth.max()), 2 * int(self._second.value.max(initial=0))
        depth, steps = np.meshgrid(np.arange(1, deepest + 1), np.arange(most + 1), indexing="ij")
        codes = np.rint(self._unit * steps / depth).astype(np.int64)
        decoded = np.zeros(int(codes.max()) + 2)
        for miss in (-1, 1, 0):
            decoded[codes + miss] = 2.0 * depth / (steps + 2 * depth)
        return decoded

    @cached_property
    def _coded_first(self) -> _Lists:
        return self._coded(self._first, strictly=True)

    @cached_property
    def _coded_second(self) -> _Lists:
        return self._coded(self._second, strictly=False)

    def _coded(self, lists: _Lists, *, strictly: bool) -> _Lists:
        """Steps as codes, with a bit for doubt."""
        codes = np.rint(self._unit * lists.value.astype(np.float64) / self._depth[lists.ancestor]).astype(np.int32)
        return _Lists(lists.start, lists.ancestor, codes << _DOUBT_BITS | self._doubt(lists, codes, strictly=strictly))

    def _doubt(self, lists: _Lists, codes: Ints, *, strictly: bool) -> Bools:
        """Whether one of the ancestors that NLTK would rather take is no nearer for its depth.

        If the common ancestor of largest similarity has no doubt on either side, each that NLTK would rather take would
        have a larger one, which cannot be. One of both sides needs to be strict.
        """
        doubt = np.zeros(codes.size, bool)
        lengths = np.diff(lists.start)
        # Of the ancestors taken only as themselves a pair has one, so they do not rival each other.
        single = self._only_itself[lists.ancestor]
        farthest, farthest_other = np.full((2, lengths.size), -1, np.int32)
        for row in range(int(lengths.max(initial=0))):
            here = np.flatnonzero(lengths > row)
            at = lists.start[:-1][here] + row
            rival = np.where(single[at], farthest_other[here], farthest[here])
            doubt[at] = rival >= codes[at] + (not strictly)
            farthest[here] = np.maximum(farthest[here], codes[at])
            farthest_other[here] = np.where(
                single[at], farthest_other[here], np.maximum(farthest_other[here], codes[at])
            )
        return doubt

    def _of_words(self, senses: Senses, lists: _Lists) -> _Lists:
        """The lists of all senses of each word as one, with the least code of each ancestor."""
        lengths = np.diff(lists.start)[senses.synset]
        cells = expand(lists.start[:-1][senses.synset], lengths)
        word = np.repeat(np.repeat(np.arange(len(senses)), np.diff(senses.start)), lengths)
        keys = word * self._size + lists.ancestor[cells]
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        values = np.minimum.reduceat(lists.value[cells][order], begins) if begins.size else np.zeros(0, np.int32)
        words, ancestors = np.divmod(keys[begins], self._size)
        return _Lists(split_rows(np.bincount(words, minlength=len(senses))), ancestors.astype(np.int32), values)
