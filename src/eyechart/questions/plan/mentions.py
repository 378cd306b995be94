"""Which words name which things: word spans of questions and answers, read off the cells of their sentences."""

from functools import cache

import numpy as np
import polars as pl

from eyechart.questions.arrays.ragged import Ints, Ragged
from eyechart.questions.plan.speaking import PHRASE, THING_SHIFT

__all__ = ["mentions", "texts_of"]

_MOST_WORDS = 128


def texts_of(cells: Ragged, phrases: int) -> Ragged:
    """The phrases of sentences by their numbers, the first of each with a capital."""
    numbers = cells.values & PHRASE
    begins = cells.offsets[:-1][cells.lengths > 0]
    numbers[begins] += phrases
    return Ragged(numbers, cells.offsets)


def mentions(cells: Ragged, breaks: Ints) -> tuple[Ints, Ints, pl.Series]:
    """For each mention the sentence, the thing, and which words; ``breaks`` says how many blanks each phrase has.

    Words that follow each other and name the same thing are one mention.
    """
    words = breaks[cells.values & PHRASE]
    begins = cells.offsets[:-1][cells.lengths > 0]
    # Whoever speaks first has no blank before the first word.
    words[begins] = np.maximum(words[begins], 1)
    before = np.concatenate([[0], np.cumsum(words)])
    start = before[:-1] - before[cells.offsets[cells.rows]]
    thing = (cells.values >> THING_SHIFT) - 1
    named = np.flatnonzero(thing >= 0)
    row = cells.rows[named]
    goes_on = np.zeros(len(named), dtype=bool)
    goes_on[1:] = (np.diff(named) == 1) & (np.diff(row) == 0) & (np.diff(thing[named]) == 0)
    first = np.flatnonzero(~goes_on)
    last = np.concatenate([first[1:], [len(named)]])[: len(first)] - 1
    begin, end = start[named[first]], start[named[last]] + words[named[last]]
    spans = np.minimum(begin, _MOST_WORDS - 1) * _MOST_WORDS + np.minimum(end, _MOST_WORDS - 1)
    return row[first], thing[named[first]], _spans().gather(spans)


@cache
def _spans() -> pl.Series:
    """Every span of words as it is written."""
    numbers = range(_MOST_WORDS)
    return pl.Series(
        [str(first) if end - first == 1 else f"{first}:{end}" for first in numbers for end in numbers], dtype=pl.String
    )
