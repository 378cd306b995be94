"""Which targets of which triplets become decoys: candidates in order, and the first k that are not too much alike.

QoU candidates are the targets of the nearest questions, IoU candidates the other targets of the image (Chao et al.
2018, section 4.1). Most questions find theirs among the first few candidates, so these are looked at first; what is
farther is searched only for questions that are still short: questions with the same words, then the nearest 64, 512
and at last 10,000 groups of questions. The result is that of going through all candidates one after the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from eyechart._lib.keyed import Key
from eyechart._lib.shuffles import shuffled, unshuffled
from eyechart.remedies.triplets import Places, Pool, Triplets
from eyechart.text import expand, split_rows

__all__ = ["ORIGINAL", "POPULAR", "Found", "Search", "Searching"]

ORIGINAL, POPULAR = -2, -3
"""Rows of decoys that no search has found."""

Bools = npt.NDArray[np.bool_]
Exact = npt.NDArray[np.float64]

_DRAWN = (16, 128)
"""How many of the questions with the same words are drawn before all of their answers are looked at."""
_DEEPER = (64, 512, 10_000)
"""So many groups of questions are found, if fewer did not suffice."""
_AT_ONCE = 16
"""So many answers that pass are followed to their questions at once."""
_CELLS = 1 << 22
"""So many candidates are held at once."""
_RANDOM = (8, 32, 128)
_POPULAR = 10


@dataclass(frozen=True)
class Searching:
    """What counts as a candidate, and in which order."""

    k: int = 3
    most: int = 10_000
    """So many of the nearest triplets are looked at."""
    same_image: bool = False
    """Whether a QoU decoy may come from a question about the same image; it is often right as well."""
    ties: Literal["random", "id"] = "random"
    """The order of equally similar questions: a shuffle of its own for each question, or by id."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Candidates of several questions, each question's in order."""

    query: Places
    row: Places
    """The row of the pool whose target it is."""
    place: Places
    """Which candidate of the question it is, from 1."""
    score: Exact

    def chosen(self, which: npt.NDArray[np.generic]) -> "_Candidates":
        return _Candidates(self.query[which], self.row[which], self.place[which], self.score[which])


@dataclass(slots=True)
class Found:
    """Decoys of some questions so far, as matrices: a row per question, a column per decoy, -1 for none."""

    target: Places
    answer: Places
    row: Places
    place: Places
    score: Exact

    @classmethod
    def none(cls, target: Places, k: int) -> "Found":
        """Nothing yet.

        >>> Found.none(np.array([3, 4]), 2).count.tolist()
        [0, 0]
        """
        empty = np.full((target.size, k), -1, np.int64)
        return cls(target, empty, empty.copy(), empty.copy(), np.full(empty.shape, np.nan))

    @property
    def count(self) -> Places:
        """How many each question has."""
        count: Places = np.count_nonzero(self.answer >= 0, axis=1)
        return count

    def short(self) -> Places:
        """The questions that lack some."""
        return np.flatnonzero(self.answer[:, -1] < 0) if self.answer.shape[1] else np.zeros(0, np.int64)


@dataclass(frozen=True)
class Pick:
    """Takes candidates one after the other if they are unlike the target and all that is taken."""

    triplets: Triplets

    def unlike(self, first: Places, second: Places) -> Bools:
        """Whether answers are different."""
        different: Bools = self.triplets.answers.alike(first, second) == 0
        return different

    def passing(self, target: Places, taken: list[Places], query: Places, answer: Places) -> Bools:
        """Which candidates are unlike the target and everything taken."""
        ok = self.unlike(target[query], answer)
        for column in (column for matrix in taken for column in matrix.T):
            there = np.flatnonzero(ok & (column[query] >= 0))
            ok[there] = self.unlike(column[query[there]], answer[there])
        return ok

    def greedily(self, found: Found, others: list[Places], candidates: _Candidates, answer: Places) -> None:
        """Take what passes, the first candidate of each question first."""
        first = _first_of_each(candidates.query, answer)
        candidates, answer = candidates.chosen(first), answer[first]
        ok = self.passing(found.target, [*others, found.answer], candidates.query, answer)
        left, answer = candidates.chosen(ok), answer[ok]
        while left.query.size:
            query, first = np.unique(left.query, return_index=True)
            column = found.count[query]
            room = column < found.answer.shape[1]
            query, first, column = query[room], first[room], column[room]
            found.answer[query, column] = answer[first]
            found.row[query, column] = left.row[first]
            found.place[query, column] = left.place[first]
            found.score[query, column] = left.score[first]
            newest = np.full(found.target.size, -1, np.int64)
            newest[query] = answer[first]
            open_ = (newest[left.query] >= 0) & (found.answer[left.query, -1] < 0)
            left, answer = left.chosen(open_), answer[open_]
            ok = self.unlike(newest[left.query], answer)
            left, answer = left.chosen(ok), answer[ok]


def _first_of_each(query: Places, answer: Places) -> Places:
    """Of equal answers to a question the first is enough."""
    if not query.size:
        return query
    keys = query * (int(answer.max()) + 1) + answer
    return np.sort(np.unique(keys, return_index=True)[1])


class Search:
    """Finds decoys for a range of rows of a pool."""

    def __init__(self, triplets: Triplets, pool: Pool, rows: range, how: Searching) -> None:
        self.triplets, self.pool, self.how = triplets, pool, how
        self.rows = np.arange(rows.start, rows.stop)
        self.pick = Pick(triplets)
        self.target = triplets.target[pool.triplet[self.rows]]
        self.key = triplets.key[pool.triplet[self.rows]]
        self.group = pool.group[self.rows]
        self.image = pool.image[self.rows]

    def qou(self, others: list[Places]) -> Found:
        """Targets of the nearest questions."""
        found = Found.none(self.target, self.how.k)
        self._draw(found, others)
        done = 0
        for groups in (1, *_DEEPER):
            wanted = min(groups, self.how.most, self.pool.members.start.size - 1)
            short = self._worth(found.short(), wanted)
            if wanted <= done or not short.size:
                continue
            for some, near, scores in self._nearest(short, wanted):
                for low, high in _steps(done, wanted):
                    left = found.answer[some, -1] < 0
                    self._follow(found, others, some[left], _Level(near[left], scores[left], low, high))
            done = wanted
        return found

    def _worth(self, short: Places, wanted: int) -> Places:
        """The questions that have something left: unseen answers to the same words, or words with a vector."""
        group = self.group[short]
        return short[self.pool.members.sizes[group] > _DRAWN[-1]] if wanted == 1 else short[self.pool.known[group]]

    def iou(self, others: list[Places]) -> Found:
        """Other targets of the same image in keyed random order."""
        found = Found.none(self.target, self.how.k)
        step = max(1, _CELLS // 64)
        for begin in range(0, self.rows.size, step):
            some = np.arange(begin, min(begin + step, self.rows.size))
            query, row = self.pool.by_image.of(self.image[some])
            query = some[query]
            another = row != self.rows[query]
            query, row = query[another], row[another]
            drawn = Key(self.how.seed, "iou").array(self.key[query], self.triplets.key[self.pool.triplet[row]])
            order = np.lexsort((drawn, query))
            self._take(found, others, (query[order], row[order]))
        return found

    def random(self, others: list[Places], k: int) -> Found:
        """Targets of any questions, as often as they are targets: neutral, but nothing else."""
        found = Found.none(self.target, k)
        begin = 0
        for end in _RANDOM:
            short = found.short()
            query = np.repeat(short, end - begin)
            number = np.tile(np.arange(begin, end), short.size).astype(np.uint64)
            drawn = Key(self.how.seed, "random").array(self.key[query], number)
            row = (drawn % np.uint64(max(1, len(self.pool)))).astype(np.int64)
            self._take(found, others, (query, row), first=begin)
            begin = end
        return found

    def fill(self, found: Found, others: list[Places], originals: tuple[Places, Places]) -> None:
        """Where a question is short, random ones of its original decoys, then of the most frequent targets.

        The originals are pairs of question, counted from the first row, and answer. What is filled has the row
        ``ORIGINAL`` or ``POPULAR``.
        """
        short = found.short()
        query, answer = (each[np.isin(originals[0], short)] for each in originals)
        self._fill(found, others, (query, answer), ORIGINAL)
        short, popular = found.short(), self.triplets.popular[:_POPULAR]
        self._fill(found, others, (np.repeat(short, popular.size), np.tile(popular, short.size)), POPULAR)

    def offer(self, found: Found, others: list[Places], offered: tuple[Places, Places]) -> None:
        """Take answers that somebody offers, pairs of question and answer, in keyed random order."""
        self._fill(found, others, offered, ORIGINAL)

    def _fill(self, found: Found, others: list[Places], offered: tuple[Places, Places], origin: int) -> None:
        query, answer = offered
        drawn = Key(self.how.seed, "fill").array(self.key[query], self.triplets.answer_key[answer])
        order = np.lexsort((drawn, query))
        query = query[order]
        unknown = np.full(query.size, np.nan)
        candidates = _Candidates(query, np.full(query.size, origin), _within(query) + 1, unknown)
        self.pick.greedily(found, others, candidates, answer[order])

    def _take(self, found: Found, others: list[Places], drawn: tuple[Places, Places], first: int = 0) -> None:
        query, row = drawn
        place, score = _within(query) + first + 1, np.full(query.size, np.nan)
        answer = self.triplets.target[self.pool.triplet[row]]
        self.pick.greedily(found, others, _Candidates(query, row, place, score), answer)

    # ------------------------------------------------------------------ questions with the same words

    def _draw(self, found: Found, others: list[Places]) -> None:
        """The first few of each question's own group, in its own order."""
        sizes = self.pool.members.sizes[self.group]
        begin = 0
        for end in _DRAWN:
            short = found.short()
            short = short[sizes[short] > begin]
            for some in _pieces(short, end - begin):
                count = np.maximum(np.minimum(sizes[some], min(end, self.how.most)) - begin, 0)
                query, place = np.repeat(some, count), expand(np.full(some.size, begin), count)
                row = self._member(query, place)
                usable = self._usable(query, row)
                candidates = _Candidates(query, row, place + 1, np.ones(query.size)).chosen(usable)
                self.pick.greedily(found, others, candidates, self.triplets.target[self.pool.triplet[candidates.row]])
            begin = end

    def _member(self, query: Places, place: Places) -> Places:
        """What stands at a place of a question's own group, in its order."""
        group = self.group[query]
        if self.how.ties == "random":
            place = shuffled(place, self.pool.members.sizes[group], self._tie_keys(query, group))
        return self.pool.members.start[group] + place

    def _place(self, query: Places, row: Places) -> Places:
        """At which place of its group a question has a row."""
        group = self.pool.group[row]
        within = row - self.pool.members.start[group]
        if self.how.ties == "random":
            return unshuffled(within, self.pool.members.sizes[group], self._tie_keys(query, group))
        return within

    def _tie_keys(self, query: Places, group: Places) -> npt.NDArray[np.uint64]:
        return Key(self.how.seed, "ties").array(self.key[query], self.pool.group_key[group])

    def _usable(self, query: Places, row: Places) -> Bools:
        """Not the question itself, and not of its image unless that is allowed."""
        another: Bools = row != self.rows[query]
        return another if self.how.same_image else another & (self.pool.image[row] != self.image[query])

    # ------------------------------------------------------------------ other groups

    def _nearest(self, short: Places, wanted: int) -> Iterator[tuple[Places, Places, Exact]]:
        """For some questions at a time, their nearest groups, their own first, and the cosines."""
        groups, which = np.unique(self.group[short], return_inverse=True)
        step = max(1, _CELLS // max(wanted, 64))
        for begin in range(0, groups.size, step):
            own = groups[begin : begin + step]
            near, scores = self._near_groups(own, wanted)
            asked = np.flatnonzero((which >= begin) & (which < begin + step))
            yield short[asked], near[which[asked] - begin], scores[which[asked] - begin]

    def _near_groups(self, own: Places, wanted: int) -> tuple[Places, Exact]:
        near, scores = own[:, None], np.ones((own.size, 1))
        if wanted == 1:
            return near, scores
        found = self.pool.index.nearest(self.pool.vectors[own], wanted)
        # The own group comes first even if another has the same direction, and is found once.
        others = found.places != own[:, None]
        others[others.all(axis=1), -1] = False
        shape = (own.size, found.places.shape[1] - 1)
        return (
            np.hstack([near, found.places[others].reshape(shape)]),
            np.hstack([scores, found.scores[others].reshape(shape)]),
        )

    def _follow(self, found: Found, others: list[Places], some: Places, level: "_Level") -> None:
        """Go on among the groups of one level: first see which of their answers pass, then whose these are."""
        sizes, entries = (
            self.pool.members.sizes[level.near],
            self.pool.entries.sizes[level.near[:, level.low : level.high]],
        )
        begins = np.cumsum(sizes, axis=1) - sizes
        for piece in _parts(entries.sum(axis=1)):
            asked, rank = np.nonzero(begins[piece, level.low : level.high] < self.how.most)
            asked, rank = asked + piece.start, rank + level.low
            held, entry = self.pool.entries.of(level.near[asked, rank])
            asked, rank = asked[held], rank[held]
            ok = self.pick.passing(found.target, [*others, found.answer], some[asked], self.pool.entry_target[entry])
            left = (asked[ok], rank[ok], entry[ok])
            while left[0].size:
                now = left[1] <= _cuts(*left[:2])[left[0]]
                candidates = self._placed(some, tuple(each[now] for each in left), begins, level.scores)
                self.pick.greedily(found, others, candidates, self.triplets.target[self.pool.triplet[candidates.row]])
                later = ~now & (found.answer[some[left[0]], -1] < 0)
                left = (left[0][later], left[1][later], left[2][later])

    def _placed(self, some: Places, cells: tuple[Places, ...], begins: Places, scores: Exact) -> _Candidates:
        """The questions that gave some answers, in their order."""
        asked, rank, entry = cells
        held, row = self.pool.entry_rows.of(entry)
        local, rank = asked[held], rank[held]
        usable = self._usable(some[local], row)
        local, rank, row = local[usable], rank[usable], row[usable]
        place = begins[local, rank] + self._place(some[local], row)
        order = np.lexsort((place, some[local]))
        order = order[place[order] < self.how.most]
        return _Candidates(some[local[order]], row[order], place[order] + 1, scores[local[order], rank[order]])


class _Level(NamedTuple):
    """The nearest groups of some questions, of which a range of ranks is looked at."""

    near: Places
    scores: Exact
    low: int
    high: int


def _steps(done: int, wanted: int) -> Iterator[tuple[int, int]]:
    """Ranges of ranks, each eight times as far as the one before."""
    while done < wanted:
        farther = min(wanted, max(8 * done, 1))
        yield done, farther
        done = farther


def _parts(sizes: Places) -> Iterator[slice]:
    """Ranges of rows that hold about so many cells together."""
    ends = np.cumsum(sizes)
    begin = 0
    while begin < sizes.size:
        reached = int(np.searchsorted(ends, (ends[begin - 1] if begin else 0) + _CELLS, "right"))
        yield slice(begin, max(begin + 1, reached))
        begin = max(begin + 1, reached)


def _pieces(places: Places, width: int) -> Iterator[Places]:
    step = max(1, _CELLS // max(1, width))
    for begin in range(0, places.size, step):
        yield places[begin : begin + step]


def _within(query: Places) -> Places:
    """The place of each row among those of its question; rows of a question stand together."""
    if not query.size:
        return query
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    sizes = np.diff(np.append(starts, query.size))
    return np.arange(query.size) - np.repeat(starts, sizes)


def _cuts(asked: Places, rank: Places) -> Places:
    """For each question the rank of the group in which its 16th answer stands, or that of its last."""
    starts = np.flatnonzero(np.diff(asked, prepend=-1))
    ends = split_rows(np.diff(np.append(starts, asked.size)))[1:] - 1
    cuts = np.zeros(int(asked.max()) + 1, np.int64)
    cuts[asked[starts]] = rank[np.minimum(starts + _AT_ONCE - 1, ends)]
    return cuts
