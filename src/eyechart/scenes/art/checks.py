"""Scenes that can be drawn: every clip is known and has the numbers that its piece understands."""

from math import isfinite

from eyechart.errors import DataError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.backgrounds import DEPTHS, Background
from eyechart.scenes.art.catalogue import backgrounds, pieces
from eyechart.scenes.art.errors import name_of
from eyechart.scenes.art.model import Clip, Piece, Scene

__all__ = ["background_clip", "background_of", "check", "piece_of"]

_FARTHEST = 10_000.0
"""Pixels that a clip's x and y may be away from the picture's corner; more is a mistake."""


def background_of(scene: Scene) -> Background:
    """Where a scene plays.

    >>> background_of(Scene("prak"))
    Traceback (most recent call last):
    eyechart.errors.DataError: background: found 'prak', expected one that is drawn; did you mean 'park'?
    """
    if (found := backgrounds().get(scene.background)) is None:
        near = did_you_mean(scene.background, backgrounds())
        raise DataError(f"background: found {scene.background!r}, expected one that is drawn; {near}")
    return found


def background_clip(scene: Scene) -> Clip:
    """The background as a clip, for its look and its colours.

    >>> background_clip(Scene("park", colors=("blue",))).name
    'park'
    """
    return Clip(scene.background, 0, 0, variant=scene.variant, colors=scene.colors)


def piece_of(clip: Clip) -> Piece:
    """What a clip shows, if its place and its name are good; its piece checks the rest when it is drawn.

    >>> piece_of(Clip("tree", float("nan"), 0))
    Traceback (most recent call last):
    eyechart.errors.DataError: tree-0: found the place nan, 0, expected finite pixels near the picture; correct it
    """
    if (piece := pieces().get(clip.name)) is None:
        raise DataError(
            f"{name_of(clip)}: found no such piece, expected one that is drawn; {did_you_mean(clip.name, pieces())}"
        )
    if not (abs(clip.x) < _FARTHEST and abs(clip.y) < _FARTHEST):
        raise DataError(
            f"{name_of(clip)}: found the place {clip.x}, {clip.y}, expected finite pixels near the picture; correct it"
        )
    if clip.depth not in range(DEPTHS):
        raise DataError(f"{name_of(clip)}: found depth {clip.depth}, expected 0 to {DEPTHS - 1}; choose one of these")
    if clip.turns and len(clip.turns) != len(piece.limbs):
        raise DataError(
            f"{name_of(clip)}: found {len(clip.turns)} turns, expected {len(piece.limbs)}, one a limb; correct them"
        )
    if not all(map(isfinite, clip.turns)):
        raise DataError(f"{name_of(clip)}: found turns {clip.turns}, expected finite radians; correct them")
    return piece


def check(scene: Scene) -> None:
    """Raise an error that names the clip and its mistake, unless the scene can be drawn.

    >>> check(Scene("park", (Clip("tree", 100, 150, depth=7),)))
    Traceback (most recent call last):
    eyechart.errors.DataError: tree-0: found depth 7, expected 0 to 4; choose one of these
    """
    background_of(scene).parts(background_clip(scene))
    for clip in scene.clips:
        piece_of(clip).parts(clip)
