"""Smoother answers: how many questions of each answer to keep, so that the frequent ones weigh less but stay frequent.

For each group of questions the answers are walked from the most frequent on, and the head (the answers up to here) is
scaled down until it is comparable to its tail (the answers after). Ratios between neighbours are bounded, so that the
order of the answers stays as it is in the world (Hudson and Manning 2019, sections 3.4 and 8).

What holds for the counts t of a group, most frequent first, up to whole questions:

- none grows, and no answer overtakes another: t[i+1] <= t[i] <= c[i];
- every pair of neighbours: ``least_ratio`` <= t[i+1] / t[i] <= max(``most_ratio``, c[i+1] / c[i]);
- each head that has a tail of at least ``tail`` of the group's questions: it is at most ``bound`` * i times the tail,
  or its last answer stands as near to the next one as ``most_ratio`` allows.

An answer that is rarer than its neighbour by more than ``least_ratio``, and stands for less than ``cliff`` of the group
together with all after it, is left out: one curious question would otherwise be the measure of all the others.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Smoothing", "smoothed_counts"]

Counts = NDArray[np.int64]
Shares = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Smoothing:
    """How strongly answers are evened out.

    >>> Smoothing(bound=0)
    Traceback (most recent call last):
    ValueError: bound: found 0, expected more than 0; a head may be at most bound times its tail
    """

    bound: float = 1.0
    """The most frequent answer may be so many times all the others together; a head of i answers i times as much."""
    least_ratio: float = 0.5
    """An answer is at least this share of the next more frequent one."""
    most_ratio: float = 0.95
    """An answer that is rarer is kept rarer: at most this share of the next more frequent one."""
    tail: float = 0.1
    """Heads are bounded while the rest has at least this share of the group."""
    cliff: float = 0.01
    """Answers behind a steep fall are left out if they have less than this share of the group."""

    def __post_init__(self) -> None:
        if not self.bound > 0:
            raise ValueError(
                f"bound: found {self.bound}, expected more than 0; a head may be at most bound times its tail"
            )
        if not 0 < self.least_ratio <= self.most_ratio <= 1:
            raise ValueError(
                f"ratios: found {self.least_ratio} and {self.most_ratio}, expected 0 < least_ratio <= most_ratio <= 1"
            )
        for name in ("tail", "cliff"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(
                    f"{name}: found {getattr(self, name)}, expected a share from 0 up to, not including, 1"
                )


def smoothed_counts(groups: NDArray[np.integer], counts: Counts, how: Smoothing = Smoothing()) -> Counts:
    """How many questions of each answer to keep; rows are answers, groups stand together, most frequent first.

    >>> smoothed_counts(np.array([0, 0, 1]), np.array([900, 100, 7])).tolist()
    [105, 100, 7]
    """
    if not len(counts):
        return counts.copy()
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    sizes = np.diff(np.r_[starts, len(counts)])
    place = np.arange(len(counts)) - np.repeat(starts, sizes)
    kept = np.where(_behind_a_cliff(starts, sizes, counts, how), 0.0, counts)
    level = _levelled(place, sizes, kept, how)
    scale = _head_scales(starts, sizes, np.where(kept > 0, level, 0.0), kept, how)
    # A little more than nothing, so that 2.9999999 is three; never more than there are.
    return np.minimum(counts, np.floor(level * scale + 1e-6).astype(np.int64))


def _behind_a_cliff(starts: Places, sizes: Places, counts: Counts, how: Smoothing) -> NDArray[np.bool_]:
    total = np.repeat(np.add.reduceat(counts, starts), sizes)
    rest = total - _running_sums(counts, starts, sizes) + counts
    first = np.zeros(len(counts), dtype=bool)
    first[starts] = True
    steep = ~first & (counts < how.least_ratio * np.r_[counts[:1], counts[:-1]]) & (rest < how.cliff * total)
    # Everything after the first such fall.
    return _running_sums(steep.astype(np.int64), starts, sizes) > 0


def _running_sums(values: NDArray[np.int64], starts: Places, sizes: Places) -> NDArray[np.int64]:
    """Sums from the start of each group up to and with each row."""
    sums = np.cumsum(values)
    return sums - np.repeat(sums[starts] - values[starts], sizes)


def _levelled(place: Places, sizes: Places, kept: Shares, how: Smoothing) -> Shares:
    """As many as the rarer answers allow: an answer has at most 1 / least_ratio times as many as the next one.

    In logarithms that is the least of all that come after, each raised by a step per place between.
    """
    step = -np.log(how.least_ratio)
    with np.errstate(divide="ignore"):
        height = np.where(kept > 0, np.log(kept), np.inf) + step * place
    # From the last row to the first; a group begins anew because all groups after it are lifted above it.
    group = np.repeat(np.arange(len(sizes)), sizes)
    finite = height[np.isfinite(height)]
    span = float(np.ptp(finite)) + 1 if finite.size else 1.0
    lifted = np.where(np.isfinite(height), height, finite.max(initial=0.0)) + span * group
    least = np.minimum.accumulate(lifted[::-1])[::-1] - span * group
    return np.where(kept > 0, np.minimum(np.exp(least - step * place), kept), 0.0)


def _head_scales(starts: Places, sizes: Places, level: Shares, kept: Shares, how: Smoothing) -> Shares:
    """By what each answer is scaled: the product of the factors of all heads that it is in.

    All groups walk together, the n-th answer of each at the n-th step.
    """
    total = np.repeat(np.add.reduceat(kept, starts), sizes)
    rest = total - _float_running(kept, starts, sizes)
    tail = np.repeat(np.add.reduceat(level, starts), sizes) - _float_running(level, starts, sizes)
    bounded = (rest >= how.tail * total) & (rest > 0)
    logs = np.zeros(len(level))
    head = np.zeros(len(starts))
    active = np.flatnonzero(sizes > 1)
    for place in range(int(sizes.max()) - 1):
        rows = starts[active] + place
        going = bounded[rows]
        active, rows = active[going], rows[going]
        if not active.size:
            break
        whole = head[active] + level[rows]
        allowed = how.bound * (place + 1) * tail[rows] / whole
        nearest = level[rows + 1] / (level[rows] * np.maximum(how.most_ratio, kept[rows + 1] / kept[rows]))
        factor = np.minimum(1.0, np.maximum(allowed, nearest))
        logs[rows] = np.log(factor)
        head[active] = factor * whole
        active = active[sizes[active] > place + 2]
    ends = starts + sizes - 1
    sums = np.cumsum(logs)
    scales: Shares = np.exp(np.repeat(sums[ends], sizes) - sums + logs)
    return scales


def _float_running(values: Shares, starts: Places, sizes: Places) -> Shares:
    sums = np.cumsum(values)
    return sums - np.repeat(sums[starts] - values[starts], sizes)
