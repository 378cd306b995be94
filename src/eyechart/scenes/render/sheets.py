"""Contact sheets: many pieces in a grid, each as large as its cell allows, with a label that is not part of the art."""

import io
from collections.abc import Sequence
from math import ceil

from PIL import Image, ImageDraw, ImageFont

from eyechart.errors import UsageError
from eyechart.scenes.art import Clip, Piece, piece_of
from eyechart.scenes.render.masks import stamp
from eyechart.scenes.render.png import rasterize
from eyechart.scenes.render.svg import drawing, matrix_of, parts_of

__all__ = ["contact_sheet"]

_PAPER, _INK = "#fbfaf7", "#1b1f24"
_CAPTION = 16
"""Pixels below each drawing for its label."""
_MARGIN = 6
_LARGEST = 1.6
"""Small things are not enlarged further, so that a cup stays smaller than a car."""
_COLORS = 96
"""Flat drawings need no more, and the files stay small."""


def contact_sheet(clips: Sequence[tuple[str, Clip]], columns: int = 8, cell: tuple[int, int] = (118, 104)) -> bytes:
    """A PNG of labelled clips; where they are in their scenes and how deep makes no difference.

    >>> from eyechart.scenes.art import Clip
    >>> contact_sheet([("a tree", Clip("tree", 0, 0))], columns=1)[1:4]
    b'PNG'
    """
    if not clips or columns < 1:
        raise UsageError(f"found {len(clips)} clips in {columns} columns, expected one of each at least; name some")
    width, height = cell[0], cell[1] + _CAPTION
    size = (width * min(columns, len(clips)), height * ceil(len(clips) / columns))
    corners = [(place % columns * width, place // columns * height) for place in range(len(clips))]
    inside = "".join(_cell(clip, corner, cell) for (_, clip), corner in zip(clips, corners, strict=True))
    paper = f'<rect width="{size[0]}" height="{size[1]}" fill="{_PAPER}" stroke="none"/>'
    with Image.open(io.BytesIO(rasterize(drawing(paper + inside, (0, 0, *size), size)))) as picture:
        sheet = picture.convert("RGB")
    _label([label for label, _ in clips], corners, cell, sheet)
    written = io.BytesIO()
    sheet.quantize(_COLORS, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()


def _cell(clip: Clip, corner: tuple[int, int], cell: tuple[int, int]) -> str:
    """One clip in the middle of its cell, standing on the label."""
    piece: Piece = piece_of(clip)
    shape = stamp(clip, piece, 1.0)
    height, width = shape.labels.shape
    scale = min(_LARGEST, (cell[0] - _MARGIN) / max(width, 1), (cell[1] - _MARGIN) / max(height, 1))
    sign = -1 if clip.flip else 1
    x = corner[0] + cell[0] / 2 - sign * (shape.left + width / 2) * scale
    y = corner[1] + cell[1] - (shape.top + height) * scale
    return f'<g transform="{matrix_of((sign * scale, 0, 0, scale, x, y))}">{parts_of(piece.parts(clip))}</g>'


def _label(
    labels: Sequence[str], corners: Sequence[tuple[int, int]], cell: tuple[int, int], sheet: Image.Image
) -> None:
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(10)
    for label, (x, y) in zip(labels, corners, strict=True):
        pen.text((x + cell[0] / 2, y + cell[1] + _CAPTION / 2), label, fill=_INK, font=font, anchor="mm")
