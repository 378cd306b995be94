"""The art that worlds draw on, with what the generator asks of it again and again."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from eyechart.errors import DataError
from eyechart.scenes.art import DEPTHS, Background, Clip, Piece, backgrounds, pieces
from eyechart.scenes.generate.bodies import Person, is_person

__all__ = ["Stock", "packaged_stock"]


@dataclass(frozen=True)
class Stock:
    """Pieces and backgrounds by name.

    >>> stock = packaged_stock()
    >>> "yellow" in stock.slots("banana")["peel"], "park" in stock.backgrounds
    (True, True)
    """

    pieces: Mapping[str, Piece]
    backgrounds: Mapping[str, Background]

    @property
    def depths(self) -> range:
        """From 0, nearest, to the farthest."""
        return range(DEPTHS)

    @cached_property
    def people(self) -> dict[str, Person]:
        """Those pieces that are people."""
        return {name: piece for name, piece in self.pieces.items() if is_person(piece)}

    @cached_property
    def ages(self) -> dict[str, list[str]]:
        """The people of each age."""
        found: dict[str, list[str]] = {}
        for name, person in self.people.items():
            found.setdefault(person.age, []).append(name)
        return found

    @cached_property
    def faces(self) -> dict[str, int]:
        """The number of each expression."""
        return {face: number for person in self.people.values() for number, face in enumerate(person.expressions)}

    @cached_property
    def poses(self) -> frozenset[str]:
        """Every ready-made pose of people."""
        return frozenset(pose for person in self.people.values() for pose in person.poses)

    @cached_property
    def _forms(self) -> dict[str, dict[str, int]]:
        drawn = {**self.backgrounds, **self.pieces}
        found = {name: {form.name: at for at, form in enumerate(piece.forms)} for name, piece in drawn.items()}
        animals = [name for name, piece in self.pieces.items() if piece.kind == "animal"]
        return found | {"animal": dict.fromkeys((form for name in animals for form in found[name]), 0)}

    @cached_property
    def _slots(self) -> dict[str, dict[str, tuple[str, ...]]]:
        drawn = {**self.backgrounds, **self.pieces}
        found = {name: {slot.name: slot.colors for slot in piece.slots} for name, piece in drawn.items()}
        everybody: dict[str, tuple[str, ...]] = {}
        for name in self.people:
            for slot, colors in found[name].items():
                everybody[slot] = tuple(dict.fromkeys((*everybody.get(slot, ()), *colors)))
        return found | {"person": everybody}

    def forms(self, name: str) -> dict[str, int]:
        """Forms of a piece, or looks of a background, with their numbers; ``animal`` has those of all animals."""
        return self._forms.get(name, {})

    def slots(self, name: str) -> dict[str, tuple[str, ...]]:
        """Slots of a piece or background with the colours that they may have; ``person`` has those of all people."""
        return self._slots.get(name, {})

    def piece(self, clip: Clip) -> Piece:
        """The piece that a clip shows."""
        if (found := self.pieces.get(clip.name)) is None:
            raise DataError(f"{clip.name}-{clip.instance}: found a piece that is not drawn; name one that is")
        return found


@cache
def packaged_stock() -> Stock:
    """The art that comes with the package.

    >>> packaged_stock().piece(Clip("apple", 0, 0)).kind
    'smallObject'
    """
    return Stock(pieces(), backgrounds())
