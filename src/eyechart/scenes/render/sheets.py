"""Contact sheets: many pieces or scenes in a grid, each as large as its cell allows, with labels beside the art."""

import io
from collections.abc import Sequence
from math import ceil

from PIL import Image, ImageDraw, ImageFont

from eyechart.errors import UsageError
from eyechart.scenes.art import HEIGHT, WIDTH, Box, Clip, Piece, Scene, piece_of
from eyechart.scenes.render.masks import stamp
from eyechart.scenes.render.png import rasterize, to_png
from eyechart.scenes.render.svg import drawing, matrix_of, parts_of

__all__ = ["close_ups", "contact_sheet", "scene_sheet"]

_PAPER, _INK = "#fbfaf7", "#1b1f24"
_CAPTION = 16
"""Pixels below each drawing for its label."""
_MARGIN = 6
_LARGEST = 1.6
"""Small things are not enlarged further, so that a cup stays smaller than a car."""
_COLORS, _SCENE_COLORS = 192, 192
"""Flat drawings need no more, and the files stay small."""


def contact_sheet(clips: Sequence[tuple[str, Clip]], columns: int = 8, cell: tuple[int, int] = (118, 104)) -> bytes:
    """A PNG of labelled clips; where they are in their scenes and how deep makes no difference.

    >>> from eyechart.scenes.art import Clip
    >>> contact_sheet([("a tree", Clip("tree", 0, 0))], columns=1)[1:4]
    b'PNG'
    """
    grid = _Grid([label for label, _ in clips], columns, cell)
    inside = "".join(_cell(clip, corner, cell) for (_, clip), corner in zip(clips, grid.corners, strict=True))
    paper = f'<rect width="{grid.size[0]}" height="{grid.size[1]}" fill="{_PAPER}" stroke="none"/>'
    with Image.open(io.BytesIO(rasterize(drawing(paper + inside, (0, 0, *grid.size), grid.size)))) as picture:
        return grid.labelled(picture.convert("RGB"))


def close_ups(clips: Sequence[tuple[str, Clip]], look: Box, columns: int = 9, side: int = 104) -> bytes:
    """A PNG of labelled squares, each of which shows one part of a piece, such as faces.

    >>> from eyechart.scenes.art import Clip
    >>> close_ups([("happy", Clip("doll01", 0, 0, expression=1))], (-30, -110, 30, -50), 1)[1:4]
    b'PNG'
    """
    grid = _Grid([label for label, _ in clips], columns, (side, side))
    sheet = Image.new("RGB", grid.size, _PAPER)
    for (_, clip), corner in zip(clips, grid.corners, strict=True):
        svg = drawing(parts_of(piece_of(clip).parts(clip)), look, (side, side))
        with Image.open(io.BytesIO(rasterize(svg))) as picture:
            sheet.paste(picture, corner, picture)
    return grid.labelled(sheet)


def scene_sheet(scenes: Sequence[tuple[str, Scene]], columns: int = 4, width: int = 250) -> bytes:
    """A PNG of labelled scenes.

    >>> scene_sheet([("a beach", Scene("beach"))], columns=1)[1:4]
    b'PNG'
    """
    gap = 6
    grid = _Grid([label for label, _ in scenes], columns, (width + gap, width * HEIGHT // WIDTH + gap))
    sheet = Image.new("RGB", grid.size, _PAPER)
    for (_, scene), (x, y) in zip(scenes, grid.corners, strict=True):
        with Image.open(io.BytesIO(to_png(scene, width))) as picture:
            sheet.paste(picture, (x + gap // 2, y + gap // 2))
    return grid.labelled(sheet, _SCENE_COLORS)


class _Grid:
    """Cells with a line for a label below each."""

    def __init__(self, labels: Sequence[str], columns: int, cell: tuple[int, int]) -> None:
        if not labels or columns < 1:
            raise UsageError(
                f"found {len(labels)} clips in {columns} columns, expected one of each at least; name some"
            )
        self.labels, self.cell = labels, cell
        width, height = cell[0], cell[1] + _CAPTION
        self.size = (width * min(columns, len(labels)), height * ceil(len(labels) / columns))
        self.corners = [(place % columns * width, place // columns * height) for place in range(len(labels))]

    def labelled(self, sheet: Image.Image, colors: int = _COLORS) -> bytes:
        """The PNG of a sheet with its labels."""
        pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(10)
        for label, (x, y) in zip(self.labels, self.corners, strict=True):
            spot = (x + self.cell[0] / 2, y + self.cell[1] + _CAPTION / 2)
            pen.text(spot, label, fill=_INK, font=font, anchor="mm")
        written = io.BytesIO()
        sheet.quantize(colors, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
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
