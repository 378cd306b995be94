"""What is common: how often kinds, values and links occur, alone and together. Counts of shards add up."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.questions.arrays.codes import Codes
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Ragged, spread
from eyechart.questions.bind.world import World
from eyechart.tables import TABLES

__all__ = ["Counts", "count"]

_MOST_CANDIDATES = 24
_ENOUGH = 6
"""So many different things in a relation make a list to draw from; with fewer, that of the next kind above is used."""
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

    @property
    def tallies(self) -> pl.DataFrame:
        """As rows of the table ``tallies``: image for kinds, together, attribute, and relation."""
        kinds, values, relations = (
            pl.Series(names.names, dtype=pl.String)
            for names in (self.codes.kinds, self.codes.values, self.codes.relations)
        )
        seen = np.flatnonzero(self.kinds)
        pairs, worn = np.nonzero(self.together), np.nonzero(self.values)
        subject, rest = np.divmod(self.links, len(relations) * len(kinds))
        relation, target = np.divmod(rest, len(kinds))
        parts = [
            {"kind": "image", "count": np.array([self.images])},
            {"kind": "image", "subject": kinds.gather(seen), "count": self.kinds[seen]},
            {
                "kind": "together",
                "subject": kinds.gather(pairs[0]),
                "object": kinds.gather(pairs[1]),
                "count": self.together[pairs],
            },
            {
                "kind": "attribute",
                "subject": kinds.gather(worn[0]),
                "value": values.gather(worn[1]),
                "count": self.values[worn],
            },
            {
                "kind": "relation",
                "subject": kinds.gather(subject),
                "value": relations.gather(relation),
                "object": kinds.gather(target),
                "count": self.link_counts,
            },
        ]
        return pl.concat([TABLES["tallies"].conform(pl.DataFrame(part)) for part in parts])

    @classmethod
    def of(cls, tallies: pl.DataFrame, codes: Codes) -> "Counts":
        """From rows of the table ``tallies``; rows that are there twice add up.

        >>> from eyechart.scenes.ontology import packaged_ontology
        >>> codes = Codes(packaged_ontology())
        >>> dogs = TABLES["tallies"].conform(pl.DataFrame({"kind": ["image"], "subject": ["dog"], "count": [3]}))
        >>> int(Counts.of(dogs, codes).kinds[codes.kinds.code["dog"]])
        3
        """
        coded = tallies.with_columns(
            pl.col(name).replace_strict(names.code, default=None, return_dtype=pl.Int64)
            for name, names in (("subject", codes.kinds), ("object", codes.kinds))
        )
        values = pl.col("value").replace_strict(codes.values.code, default=None, return_dtype=pl.Int64)
        relations = pl.col("value").replace_strict(codes.relations.code, default=None, return_dtype=pl.Int64)
        images = coded.filter(pl.col("kind") == "image")
        width = len(codes.kinds)
        links = coded.filter(pl.col("kind") == "relation").with_columns(value=relations).drop_nulls()
        numbers = (links["subject"] * len(codes.relations) + links["value"]) * width + links["object"]
        unique, inverse = np.unique(numbers.to_numpy(), return_inverse=True)
        return cls(
            codes,
            int(images.filter(pl.col("subject").is_null())["count"].sum()),
            _summed(images, ["subject"], (width,)),
            _summed(coded.filter(pl.col("kind") == "together"), ["subject", "object"], (width, width)),
            _summed(
                coded.filter(pl.col("kind") == "attribute").with_columns(value=values),
                ["subject", "value"],
                (width, len(codes.values)),
            ),
            unique,
            np.bincount(inverse, links["count"].to_numpy(), len(unique)).astype(np.int64),
        )

    @cached_property
    def given(self) -> npt.NDArray[np.float32]:
        """``given[a, b]``: the share of pictures with a that have b."""
        shares: npt.NDArray[np.float32] = (self.together / np.maximum(self.kinds, 1)[:, None]).astype(np.float32)
        return shares

    @cached_property
    def value_weight(self) -> npt.NDArray[np.float32]:
        """``value_weight[kind, value]``: how plausible a value is: by the kind, the one above it, and all things."""
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


def _summed(rows: pl.DataFrame, by: list[str], shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    found = np.zeros(shape, dtype=np.float32)
    known = rows.select(*by, "count").drop_nulls()
    np.add.at(found, tuple(known[name].to_numpy() for name in by), known["count"].to_numpy())
    return found
