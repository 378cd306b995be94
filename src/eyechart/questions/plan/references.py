"""References in words and in steps, each once for all questions that use it.

A reference that leads to another thing contains that thing's reference; both words and steps are therefore put together
level by level, from those without relations upwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags, Ints, Ragged
from eyechart.questions.bind.references import DEPTH, References

__all__ = ["Used", "only"]


@dataclass(frozen=True)
class Used:
    """The references that questions use, with those that they contain, by depth; anchors are places in this list."""

    found: References
    place: Ints
    """``place[reference]`` in the list; NONE for those that nobody uses."""

    @classmethod
    def of(cls, references: References, numbers: Ints) -> "Used":
        """Of all references of a shard the ones with these numbers."""
        wanted = np.zeros(len(references), dtype=bool)
        wanted[numbers] = True
        for _ in range(DEPTH):
            anchors = references.anchor[wanted]
            wanted[anchors[anchors != NONE]] = True
        kept = np.flatnonzero(wanted)
        kept = kept[np.argsort(references.depth[kept], kind="stable")]
        place = np.full(len(references), NONE, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        found = references.take(kept)
        anchor = np.where(found.anchor == NONE, NONE, place[found.anchor]) if len(kept) else found.anchor
        return cls(replace(found, anchor=anchor), place)

    def levels(self) -> Iterator[Ints]:
        """The places of each depth, from those without relations upwards."""
        starts = np.searchsorted(self.found.depth, np.arange(DEPTH + 2))
        for begin, end in pairwise(starts):
            yield np.arange(begin, end)


def only(height: int, rows: Ints | Flags, part: Ragged) -> Ragged:
    """A part that some of the rows have."""
    lengths = np.zeros(height, dtype=np.int64)
    lengths[rows] = part.lengths
    return Ragged.of(lengths, part.values)
