"""Shapes of drawings as masks: each outline is drawn once, then turned, scaled and put together without a renderer."""

import io
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, floor

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from eyechart.scenes.art import Box, Clip, Matrix, Part, Piece, Point
from eyechart.scenes.render.png import rasterize
from eyechart.scenes.render.svg import drawing

__all__ = ["Labels", "Stamp", "drawn_box", "mask", "stamp"]

Labels = npt.NDArray[np.uint8]

_DENSITY = 2
"""Pixels of a mask per scene pixel, so that turned masks keep their edges."""
_MARGIN = 2.0
"""Scene pixels around a drawing, for its edge."""
_SOLID = 64
"""The least opacity, of 255, that hides what is behind: glass does, soft shadows and the outer half of edges do not."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """The pixels that a clip covers, relative to where it stands; it faces left."""

    labels: Labels
    """0 is nothing; the other numbers are places in tags, plus one."""
    left: int
    top: int
    tags: tuple[str, ...]
    areas: tuple[int, ...]
    """Pixels of each tag."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """A drawing's shape; drawings of one outline are equal."""

    outline: str
    svg: str = field(compare=False)
    box: Box = field(compare=False)


def stamp(clip: Clip, piece: Piece, scale: float) -> Stamp:
    """What a clip covers at a size; stiff pieces are kept, since they come again.

    >>> from eyechart.scenes.art import piece_of
    >>> tree = Clip("tree", 0, 0)
    >>> stamp(tree, piece_of(tree), 0.5).areas[0] > 1000
    True
    """
    if piece.limbs:
        return _put_together(piece.parts(clip), scale)
    piece.form(clip)
    return _stiff(_Stiff(clip.name, clip.variant, clip.pose, clip.style, clip.expression, round(scale, 6), clip, piece))


def drawn_box(clip: Clip, piece: Piece) -> Box:
    """Around what a clip draws at full size, relative to where it stands; it faces left.

    >>> from eyechart.scenes.art import piece_of
    >>> egg = Clip("egg", 0, 0)
    >>> drawn_box(egg, piece_of(egg))[3] <= piece_of(egg).form(egg).box[3] + 1
    True
    """
    shape = stamp(clip, piece, 1.0)
    height, width = shape.labels.shape
    return float(shape.left), float(shape.top), float(shape.left + width), float(shape.top + height)


@dataclass(frozen=True, slots=True)
class _Stiff:
    """What a stiff piece's shape depends on, and the piece."""

    name: str
    variant: int
    pose: int
    style: int
    expression: int
    scale: float
    clip: Clip = field(compare=False)
    piece: Piece = field(compare=False)


@lru_cache(maxsize=1 << 13)
def _stiff(key: _Stiff) -> Stamp:
    return _put_together(key.piece.parts(key.clip), key.scale)


def _put_together(parts: tuple[Part, ...], scale: float) -> Stamp:
    matrices = [_scaled(part.matrix, scale) for part in parts]
    boxes = [_bounds(_padded(part), matrix) for part, matrix in zip(parts, matrices, strict=True)]
    left, top = (min(box[side] for box in boxes) for side in (0, 1))
    right, bottom = (max(box[side] for box in boxes) for side in (2, 3))
    tags = tuple(dict.fromkeys(part.tag for part in parts))
    paper = Image.new("L", (right - left, bottom - top))
    for part, matrix, box in zip(parts, matrices, boxes, strict=True):
        label = tags.index(part.tag) + 1
        if part.polygon:
            _draw_polygon(paper, part, (*matrix[:4], matrix[4] - left, matrix[5] - top), label)
        else:
            paper.paste(label, (box[0] - left, box[1] - top), _turned(part, matrix, box))
    return _trimmed(np.asarray(paper), left, top, tags)


def _scaled(matrix: Matrix, scale: float) -> Matrix:
    a, b, c, d, e, f = matrix
    return a * scale, b * scale, c * scale, d * scale, e * scale, f * scale


def _padded(part: Part) -> Box:
    left, top, right, bottom = part.box
    margin = _MARGIN + part.edge
    return left - margin, top - margin, right + margin, bottom + margin


def _bounds(box: Box, matrix: Matrix) -> tuple[int, int, int, int]:
    corners = [_moved((x, y), matrix) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return floor(min(xs)), floor(min(ys)), ceil(max(xs)), ceil(max(ys))


def _moved(point: Point, matrix: Matrix) -> Point:
    (x, y), (a, b, c, d, e, f) = point, matrix
    return a * x + c * y + e, b * x + d * y + f


def _draw_polygon(paper: Image.Image, part: Part, matrix: Matrix, label: int) -> None:
    corners = [_moved(point, matrix) for point in part.polygon]
    pen = ImageDraw.Draw(paper)
    pen.polygon(corners, fill=label)
    size = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
    if (width := round(2 * part.edge * size)) > 0:
        pen.line([*corners, corners[0]], fill=label, width=width, joint="curve")


def _turned(part: Part, matrix: Matrix, box: tuple[int, int, int, int]) -> Image.Image:
    """The part's mask as it lies in a box of the picture."""
    shape, (left, top) = mask(_Outline(part.outline or part.svg, part.svg, _padded(part)))
    a, b, c, d, e, f = matrix
    size = (a * d - b * c) / _DENSITY
    x, y = box[0] - e, box[1] - f
    back = (
        *(d / size, -c / size, (d * x - c * y) / size - left * _DENSITY),
        *(-b / size, a / size, (a * y - b * x) / size - top * _DENSITY),
    )
    return shape.transform((box[2] - box[0], box[3] - box[1]), Image.Transform.AFFINE, back)


@lru_cache(maxsize=1 << 13)
def mask(outline: _Outline) -> tuple[Image.Image, Point]:
    """What a drawing covers, in pixels of the density, and where the corner of the mask is."""
    left, top, right, bottom = outline.box
    size = (ceil((right - left) * _DENSITY), ceil((bottom - top) * _DENSITY))
    frame = (left, top, left + size[0] / _DENSITY, top + size[1] / _DENSITY)
    with Image.open(io.BytesIO(rasterize(drawing(outline.svg, frame, size)))) as picture:
        covered = picture.convert("RGBA").getchannel("A").point([0] * _SOLID + [255] * (256 - _SOLID))
    return covered, (left, top)


def _trimmed(labels: Labels, left: int, top: int, tags: tuple[str, ...]) -> Stamp:
    """Without the empty margin."""
    rows, columns = np.flatnonzero(labels.any(axis=1)), np.flatnonzero(labels.any(axis=0))
    if not rows.size:
        return Stamp(labels[:0, :0], left, top, tags, (0,) * len(tags))
    y, x = int(rows[0]), int(columns[0])
    kept = np.ascontiguousarray(labels[y : int(rows[-1]) + 1, x : int(columns[-1]) + 1])
    areas = np.bincount(kept.ravel(), minlength=len(tags) + 1)[1:]
    return Stamp(kept, left + x, top + y, tags, tuple(areas.tolist()))
