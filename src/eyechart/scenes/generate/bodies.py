"""What the generator needs to know of people's bodies: poses by name, spots of the body, limbs that reach."""

from collections.abc import Mapping
from typing import Protocol, TypeGuard, runtime_checkable

from eyechart.scenes.art import Clip, Piece, Point, Wear

__all__ = ["Person", "is_person"]


@runtime_checkable
class Person(Piece, Protocol):
    """A person among the pieces."""

    @property
    def gender(self) -> str:
        """Woman or girl: female; man or boy: male."""

    @property
    def age(self) -> str:
        """toddler, child, teenager, adult or elderly."""

    @property
    def expressions(self) -> tuple[str, ...]:
        """Names of the faces; the first is blank."""

    @property
    def poses(self) -> Mapping[str, tuple[float, ...]]:
        """Turns of the limbs by the name of the pose."""

    def wears(self, clip: Clip) -> Mapping[str, Wear]:
        """What the tags of its drawing are: clothes, shoes one by one, and hair."""

    def spots(self, clip: Clip) -> Mapping[str, Point]:
        """Where parts of the body are in the pose of a clip, in the piece's coordinates."""

    def reach(self, clip: Clip, limb: str, point: Point) -> tuple[float, ...] | None:
        """The turns with one limb's end at a point; None if it is too far away."""


def is_person(piece: Piece) -> TypeGuard[Person]:
    """Whether a piece is a person.

    >>> from eyechart.scenes.art import pieces
    >>> is_person(pieces()["apple"])
    False
    """
    return piece.kind == "human"
