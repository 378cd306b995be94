"""Bindings: rows in which variables stand for things, kinds, values and relations of one picture."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.codes import NONE, Codes
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Keys, Ragged
from eyechart.questions.bind.counts import Counts
from eyechart.questions.bind.references import References, refer
from eyechart.questions.bind.world import World
from eyechart.questions.language.forms import Forms

__all__ = ["Frame", "Shard", "Sort", "Variable"]

Sort = Literal["thing", "kind", "value", "type", "relation", "position", "number"]


@dataclass(frozen=True)
class Variable:
    """One variable in every row."""

    sort: Sort
    code: Ints
    several: Ints | None = None
    """For kinds: 1 where one speaks of several."""
    thing: Ints | None = None
    """For kinds: the only thing that is meant, NONE where there are several or none."""
    reference: Ints | None = None
    """For things: how they are named, NONE where they are not."""
    members: Ragged | None = None
    """For kinds: the things of the kind."""

    def take(self, rows: Ints) -> "Variable":
        """Some rows."""
        parts: dict[str, Any] = {
            name: part.take(rows) if isinstance(part, Ragged) else part[rows]
            for name in ("several", "thing", "reference", "members")
            if (part := getattr(self, name)) is not None
        }
        return replace(self, code=self.code[rows], **parts)


@dataclass(frozen=True)
class Frame:
    """Rows of variables; the key of a row is what draws about this fact are keyed by."""

    image: Ints
    key: Keys
    variables: Mapping[str, Variable]
    features: Mapping[str, Ints | Flags | Floats]
    """What else guards may ask of a row."""

    def __len__(self) -> int:
        return len(self.image)

    def __getitem__(self, name: str) -> Variable:
        return self.variables[name]

    def take(self, rows: Ints) -> "Frame":
        """Some rows."""
        return Frame(
            self.image[rows],
            self.key[rows],
            {name: variable.take(rows) for name, variable in self.variables.items()},
            {name: column[rows] for name, column in self.features.items()},
        )

    def having(self, **variables: Variable) -> "Frame":
        """With more variables."""
        return replace(self, variables={**self.variables, **variables})


@dataclass(frozen=True)
class Shard:
    """Some pictures with all that questions about them are made from."""

    world: World
    forms: Forms
    counts: Counts
    seed: int
    frames: dict[str, Frame] = field(default_factory=dict)

    @property
    def codes(self) -> Codes:
        """The ontology."""
        return self.world.codes

    @cached_property
    def references(self) -> References:
        """All ways to name a thing."""
        return refer(self.world, self.forms, seed=self.seed)

    @cached_property
    def context(self) -> Floats:
        """``context[image, kind]``: how well a kind fits to what is in the picture."""
        world = self.world
        # What occurs nowhere fits nowhere, and most of an ontology occurs nowhere.
        seen = np.flatnonzero(self.counts.kinds)
        place = np.full(len(self.codes.kinds), NONE, dtype=np.int64)
        place[seen] = np.arange(len(seen))
        known = place[world.thing_kind] != NONE
        named = np.zeros((world.images, len(seen)), dtype=np.float32)
        named[world.thing_image[known], place[world.thing_kind[known]]] = 1
        fits: Floats = np.zeros((world.images, len(self.codes.kinds)), dtype=np.float32)
        fits[:, seen] = named @ self.counts.given[np.ix_(seen, seen)] / np.maximum(named.sum(axis=1, keepdims=True), 1)
        return fits

    def kept(self, name: str, make: Callable[["Shard"], Frame]) -> Frame:
        """A frame that several ask for, made once."""
        if name not in self.frames:
            self.frames[name] = make(self)
        return self.frames[name]

    def keyed(self, purpose: str, *parts: Ints | Keys) -> Keys:
        """Draws for rows by what the parts are; whole numbers that are places stand for nothing outside."""
        return Key(self.seed, purpose).array(*(part.astype(np.uint64) for part in parts))


def several_or_one(codes: Codes, kinds: Ints, keys: Keys) -> Ints:
    """Whether one asks for an apple or for apples, for kinds that have both: a coin."""
    return np.where(codes.number[kinds] == 0, (keys & np.uint64(1)).astype(np.int64), 0)


def nothing(height: int) -> Ints:
    """A column of NONE."""
    return np.full(height, NONE, dtype=np.int64)
