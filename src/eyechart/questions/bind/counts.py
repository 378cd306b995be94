"""What is common: how often kinds, values and links occur, alone and together. Counts of shards add up."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from eyechart.questions.arrays.codes import Codes
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Ragged, spread
from eyechart.questions.bind.world import World

__all__ = ["Counts", "count"]

_MOST_CANDIDATES = 24
_ENOUGH = 6
"""So many different things in a relation make a list to draw from; with fewer, the next more general kind's list is used."""
_FROM_PARENT, _FROM_ALL = 0.05, 0.002


@dataclass(frozen=True)
class Counts:
    """Counts over pictures."""

    codes: Codes
    images: int
    kinds: npt.NDArray[np.float32]
    """Pictures with a kind."""
    together: npt.NDArray[np.float32]
    """Pictures with two kinds."""
    values: npt.NDArray[np.float32]
    """``values[kind, value]``: things."""
    links: Ints
    """Kinds of subject and object and the relation, as sorted numbers."""
    link_counts: Ints

    def __add__(self, other: "Counts") -> "Counts":
        numbers, inverse = np.unique(np.concatenate([self.links, other.links]), return_inverse=True)
        sums = np.bincount(inverse, np.concatenate([self.link_counts, other.link_counts]), len(numbers))
        return Counts(
            self.codes,
            self.images + other.images,
            self.kinds + other.kinds,
            self.together + other.together,
            self.values + other.values,
            numbers,
            sums.astype(np.int64),
        )

    @cached_property
    def given(self) -> npt.NDArray[np.float32]:
        """``given[a, b]``: the share of pictures with a that have b."""
        shares: npt.NDArray[np.float32] = self.together / np.maximum(self.kinds, 1)[:, None]
        return shares

    @cached_property
    def value_weight(self) -> npt.NDArray[np.float32]:
        """``value_weight[kind, value]``: how plausible a value is, by the kind, what stands above it, and all things."""
        below = self.codes.below.astype(np.float32)
        above = below.T @ self.values
        parents = self.codes.chain.values[
            np.minimum(self.codes.chain.offsets[:-1] + 1, self.codes.chain.offsets[1:] - 1)
        ]
        total = self.values.sum(axis=0)
        weight = self.values + _FROM_PARENT * above[parents] + _FROM_ALL * total
        plausible: npt.NDArray[np.float32] = np.sqrt(weight) * self.codes.carries
        return plausible

    @cached_property
    def objects(self) -> "Likely":
        """By kind of subject and relation: what stands at the other end."""
        return self._likely(forward=True)

    @cached_property
    def subjects(self) -> "Likely":
        """By relation and kind of object: what stands at the other end."""
        return self._likely(forward=False)

    def _likely(self, *, forward: bool) -> "Likely":
        kinds, relations = len(self.codes.kinds), len(self.codes.relations)
        subject, rest = np.divmod(self.links, relations * kinds)
        relation, target = np.divmod(rest, kinds)
        own, far = (subject, target) if forward else (target, subject)
        chain = self.codes.chain.take(own)
        numbers = (chain.values * relations + relation[chain.rows]) * kinds + far[chain.rows]
        unique, inverse = np.unique(numbers, return_inverse=True)
        sums = np.bincount(inverse, self.link_counts[chain.rows], len(unique))
        heads, candidates = np.divmod(unique, kinds)
        order = np.lexsort((-sums, heads))
        heads, candidates, sums = heads[order], candidates[order], sums[order]
        first = np.searchsorted(heads, heads)
        top = np.arange(len(heads)) - first < _MOST_CANDIDATES
        heads, candidates, sums = heads[top], candidates[top], sums[top]
        rows = Ragged.of(np.bincount(heads, minlength=kinds * relations), candidates)
        return Likely(self.codes, rows, np.sqrt(sums))


@dataclass(frozen=True)
class Likely:
    """For a kind and a relation, the kinds at the other end and how likely they are."""

    codes: Codes
    rows: Ragged
    weights: Floats

    def candidates(self, kinds: Ints, relations: Ints) -> tuple[Ragged, Floats]:
        """The candidates of the nearest kind, upwards, that has enough of them."""
        width = len(self.codes.relations)
        lengths = self.rows.lengths
        chain = self.codes.chain.take(kinds)
        heads = chain.values * width + relations[chain.rows]
        enough: Flags = lengths[heads] >= _ENOUGH
        # The first that has enough; if none has, the most general one.
        order = np.where(enough, np.arange(len(heads)), len(heads) + np.arange(len(heads))[::-1])
        best = np.minimum.reduceat(order, chain.offsets[:-1]) if len(kinds) else order
        places = np.where(best < len(heads), best, 2 * len(heads) - 1 - best)
        head = heads[places] if len(kinds) else heads
        starts = self.rows.offsets[head]
        flat = spread(starts, lengths[head])
        return Ragged.of(lengths[head], self.rows.values[flat]), self.weights[flat]


def count(world: World) -> Counts:
    """The counts of some pictures."""
    codes = world.codes
    present = world.present.sum(axis=0, dtype=np.float32)
    values = np.zeros((len(codes.kinds), len(codes.values)), dtype=np.float32)
    np.add.at(values, (world.thing_kind[world.value_thing], world.value), 1)
    subject, target = world.thing_kind[world.subject], world.thing_kind[world.object]
    numbers = (subject * len(codes.relations) + world.relation) * len(codes.kinds) + target
    links, counts = np.unique(numbers, return_counts=True)
    return Counts(codes, world.images, present, _together(world), values, links, counts)


def _together(world: World) -> npt.NDArray[np.float32]:
    """Pictures with things of two names."""
    width = len(world.codes.kinds)
    pairs = np.unique(world.thing_image * width + world.thing_kind)
    image, kind = np.divmod(pairs, width)
    others = Ragged.grouped(image, kind, world.images).take(image)
    counted = np.bincount(kind[others.rows] * width + others.values, minlength=width * width)
    return counted.reshape(width, width).astype(np.float32)


def nothing(codes: Codes) -> Counts:
    """No pictures."""
    kinds, values = len(codes.kinds), len(codes.values)
    empty = np.zeros(0, dtype=np.int64)
    shape = np.float32
    return Counts(
        codes,
        0,
        np.zeros(kinds, shape),
        np.zeros((kinds, kinds), shape),
        np.zeros((kinds, values), shape),
        empty,
        empty,
    )
