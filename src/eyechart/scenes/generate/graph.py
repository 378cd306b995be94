"""The scene graph of one picture as small records, for a person, a test or an edit to hold; tables hold many."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Box", "Graph", "Link", "Thing"]


class Box(NamedTuple):
    """Left edge, top edge, width and height in pixels."""

    x: float
    y: float
    w: float
    h: float


class Link(NamedTuple):
    """A relation between two things, named by their ids."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing in a picture."""

    object_id: str
    name: str
    box: Box
    attributes: tuple[str, ...] = ()
    scenery: bool = False
    """Whether it is part of the background: the sky, the floor."""
    part_of: str = ""
    """Whose part or clothes it is, if it is."""
    count: int | None = 1
    """How many things of its name it is; None where nobody can say, as of the buildings of a street."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Everything that is in a picture.

    >>> dog = Thing("dog-0", "dog", Box(10, 10, 5, 5), ("brown",))
    >>> graph = Graph(500, 400, "park", "sunny", (dog,), ())
    >>> [thing.object_id for thing in graph.named("dog")], graph["dog-0"].attributes
    (['dog-0'], ('brown',))
    """

    width: int
    height: int
    location: str
    weather: str | None
    things: tuple[Thing, ...]
    links: tuple[Link, ...]
    unnamed: tuple[str, ...] = ()
    """Names of what can be seen though it is none of the things: what is hardly seen, and what drawings show."""

    def __getitem__(self, object_id: str) -> Thing:
        return next(thing for thing in self.things if thing.object_id == object_id)

    def __contains__(self, object_id: object) -> bool:
        return any(thing.object_id == object_id for thing in self.things)

    def named(self, name: str) -> Iterator[Thing]:
        """The things of a name."""
        return (thing for thing in self.things if thing.name == name)

    def linked(self, subject: str, predicate: str, target: str) -> bool:
        """Whether a relation holds."""
        return Link(subject, predicate, target) in self.links
