"""What of a scene can be seen: boxes from the drawn shapes, and the share of each thing that nothing hides.

Every thing is put onto a canvas of numbers in the order in which it is painted; what then still has a thing's number is
seen. What lies outside of the picture is hidden, too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from eyechart.scenes.art import HEIGHT, WIDTH, Box, Clip, Scene, background_clip, background_of
from eyechart.scenes.render.masks import Stamp, stamp
from eyechart.scenes.render.svg import placed

__all__ = ["Measures", "Seen", "measure"]

Canvas = npt.NDArray[np.unsignedinteger[Any]]
Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen of a thing."""

    box: Box | None
    """Around what is seen, in scene pixels; none if nothing is."""
    area: int
    """Pixels that are seen."""
    share: float
    """Of all its pixels, also those outside of the picture."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What is seen of everything in a scene."""

    clips: tuple[Seen, ...]
    """In the order of the scene."""
    tags: tuple[Mapping[str, Seen], ...]
    """Of each clip, what is seen of its tagged parts: shirt, hair."""
    regions: Mapping[str, Seen]
    """Of the background; shares are of what is seen without any clips."""


@dataclass(frozen=True, slots=True)
class _Put:
    """A clip on the canvas."""

    clip: Clip
    shape: Stamp
    window: Window
    first: int
    """The number of its first tag."""


def measure(scene: Scene) -> Measures:
    """Boxes and visible shares of a scene's clips, of their tagged parts and of the background's regions.

    >>> scene = Scene("park", (Clip("tree", 250, 200), Clip("tree", 250, 190, depth=4)))
    >>> near, far = measure(scene).clips
    >>> near.share, far.share < 0.1
    (1.0, True)
    """
    behind, names, areas = _background(scene.background, scene.variant)
    things = [(place, clip, stamp(clip, piece, scale)) for place, clip, piece, scale in placed(scene)]
    last = len(names) + sum(len(shape.tags) for _, _, shape in things)
    canvas: Canvas = behind.astype(np.min_scalar_type(last))
    put: dict[int, _Put] = {}
    first = len(names) + 1
    for place, clip, shape in things:
        put[place] = _Put(clip, shape, _paint(canvas, clip, shape, first), first)
        first += len(shape.tags)
    order = range(len(scene.clips))
    return Measures(
        clips=tuple(_seen(canvas, put[place]) for place in order),
        tags=tuple(dict(_tags(canvas, put[place])) for place in order),
        regions={name: _region(canvas, number, areas[number]) for number, name in enumerate(names, start=1)},
    )


def _paint(canvas: Canvas, clip: Clip, shape: Stamp, first: int) -> Window:
    """Put a shape onto the canvas; where it is, if only in part, in the picture."""
    height, width = shape.labels.shape
    left = round(clip.x) + (-shape.left - width if clip.flip else shape.left)
    top = round(clip.y) + shape.top
    x, y = _within(left, width, WIDTH), _within(top, height, HEIGHT)
    facing = shape.labels[:, ::-1] if clip.flip else shape.labels
    part = facing[y.start - top : y.stop - top, x.start - left : x.stop - left]
    numbers = part if first == 1 else part + canvas.dtype.type(first - 1)
    np.copyto(canvas[y, x], numbers, where=part != 0)
    return y, x


def _within(start: int, length: int, limit: int) -> slice:
    begin = min(max(start, 0), limit)
    return slice(begin, max(begin, min(start + length, limit)))


def _seen(canvas: Canvas, put: _Put) -> Seen:
    part, count, whole = canvas[put.window], len(put.shape.tags), sum(put.shape.areas)
    hit = part == put.first if count == 1 else (part >= put.first) & (part < put.first + count)
    area = int(np.count_nonzero(hit))
    box = _whole_box(put) if area == whole else _box(hit, put.window)
    return Seen(box, area, area / whole if whole else 0.0)


def _tags(canvas: Canvas, put: _Put) -> Iterator[tuple[str, Seen]]:
    for number, (tag, whole) in enumerate(zip(put.shape.tags, put.shape.areas, strict=True), start=put.first):
        if tag:
            hit = canvas[put.window] == number
            area = int(np.count_nonzero(hit))
            yield tag, Seen(_box(hit, put.window), area, area / whole if whole else 0.0)


def _region(canvas: Canvas, number: int, whole: int) -> Seen:
    hit = canvas == number
    area = int(np.count_nonzero(hit))
    return Seen(_box(hit, (slice(0, HEIGHT), slice(0, WIDTH))), area, area / whole if whole else 0.0)


def _box(hit: npt.NDArray[np.bool_], window: Window) -> Box | None:
    rows = np.flatnonzero(hit.any(axis=1))
    if not rows.size:
        return None
    columns = np.flatnonzero(hit.any(axis=0))
    x, y = window[1].start, window[0].start
    return float(x + columns[0]), float(y + rows[0]), float(x + columns[-1] + 1), float(y + rows[-1] + 1)


def _whole_box(put: _Put) -> Box | None:
    """Of a thing that nothing hides: its own box, to the fraction of a pixel by which the clip is off the grid."""
    rows, columns = put.window
    if rows.start == rows.stop:
        return None
    x, y = float(put.clip.x - round(put.clip.x)), float(put.clip.y - round(put.clip.y))
    left, top, right, bottom = columns.start + x, rows.start + y, columns.stop + x, rows.stop + y
    return max(left, 0.0), max(top, 0.0), min(right, float(WIDTH)), min(bottom, float(HEIGHT))


@lru_cache(maxsize=64)
def _background(name: str, variant: int) -> tuple[npt.NDArray[np.uint8], tuple[str, ...], tuple[int, ...]]:
    """The canvas before any clip, the regions in the order of their numbers, and pixels by number."""
    scene = Scene(name, variant=variant)
    background = background_of(scene)
    clip = background_clip(scene)
    shape = stamp(clip, background, 1.0)
    canvas = np.zeros((HEIGHT, WIDTH), dtype=np.uint8)
    _paint(canvas, clip, shape, 1)
    return canvas, shape.tags, tuple(np.bincount(canvas.ravel(), minlength=len(shape.tags) + 1).tolist())
