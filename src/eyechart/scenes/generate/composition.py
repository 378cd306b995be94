"""A composed scene: the picture as clips, and what is true in it because it was put together so."""

from dataclasses import dataclass

from eyechart.scenes.art import Scene
from eyechart.scenes.generate.graph import Link

__all__ = ["Composition", "clip_id"]


@dataclass(frozen=True, slots=True)
class Composition:
    """A scene and its story.

    Ids of clips are those of the table of clip art (dog-0), those of regions are their names (sky).
    """

    scene: Scene
    place: str
    weather: str | None = None
    acts: tuple[Link, ...] = ()
    """Relations that hold by construction."""
    said: tuple[tuple[str, str], ...] = ()
    """Attributes that hold by construction, with the ids that have them, such as the pose of a person."""
    probe: str | None = None
    """The thing that a planted world asks about."""


def clip_id(name: str, instance: int) -> str:
    """The id of a clip in its scene.

    >>> clip_id("dog", 1)
    'dog-1'
    """
    return f"{name}-{instance}"
