"""Draws for one scene: each is a hash of the seed, a purpose, the scene's number and ids, and none moves another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from eyechart._lib.keyed import Key

__all__ = ["Lots"]

T = TypeVar("T")


@lru_cache(maxsize=4096)
def _key(seed: int, purpose: str) -> Key:
    return Key(seed, purpose)


@dataclass(frozen=True, slots=True)
class Lots:
    """The lots of one scene.

    >>> lots = Lots(seed=1, scene=7)
    >>> lots.choose({"red": 1, "blue": 0}, "color"), lots.chance(0, "rain"), lots.number([0, 0, 1], "people")
    ('red', False, 2)
    """

    seed: int
    scene: int

    def uniform(self, purpose: str, *ids: int | str) -> float:
        """A number from 0 up to, not including, 1."""
        return _key(self.seed, purpose).uniform(self.scene, *ids)

    def between(self, low: float, high: float, purpose: str, *ids: int | str) -> float:
        """A number in a range."""
        return low + (high - low) * self.uniform(purpose, *ids)

    def chance(self, probability: float, purpose: str, *ids: int | str) -> bool:
        """Whether it happens."""
        return self.uniform(purpose, *ids) < probability

    def choose(self, weights: Mapping[T, float], purpose: str, *ids: int | str) -> T:
        """One of the keys, likely by its weight; there must be one that is not zero."""
        left = self.uniform(purpose, *ids) * sum(weights.values())
        chosen = None
        for each, weight in weights.items():
            if weight > 0:
                chosen = each
                left -= weight
                if left < 0:
                    break
        if chosen is None:
            raise ValueError(f"found no weight above 0 in {weights!r}, expected one; give one of them a weight")
        return chosen

    def number(self, weights: Sequence[float], purpose: str, *ids: int | str) -> int:
        """A whole number from 0, likely by the weight at its place."""
        return self.choose(dict(enumerate(weights)), purpose, *ids)

    def of(self, purpose: str, *ids: int | str) -> int:
        """A whole number of 64 bits."""
        return _key(self.seed, purpose).of(self.scene, *ids)

    def order(self, items: Sequence[T], purpose: str, *ids: int | str) -> list[T]:
        """The items in a random order."""
        drawn = [(self.uniform(purpose, *ids, place), place) for place in range(len(items))]
        return [items[place] for _, place in sorted(drawn)]
