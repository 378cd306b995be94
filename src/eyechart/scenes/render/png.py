"""Pictures of scenes: SVG through resvg, which draws the same bytes on every run."""

import re
import xml.etree.ElementTree as ET
from functools import cache

from resvg import render, usvg

from eyechart.errors import DataError, UsageError
from eyechart.scenes.art import Scene
from eyechart.scenes.render.svg import to_svg

__all__ = ["rasterize", "to_png"]

_WIDTHS = range(1, 4097)
_UNCHANGED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The binding takes the rows of the matrix, not the columns as SVG does."""
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def to_png(picture: Scene | str, width: int = 400) -> bytes:
    r"""A PNG of a scene, or of an SVG document that this room made, so many pixels wide.

    >>> to_png(Scene("beach"), 40)[:4]
    b'\x89PNG'
    """
    if width not in _WIDTHS:
        raise UsageError(f"width is {width}, expected {_WIDTHS[0]} to {_WIDTHS[-1]}; choose one of these")
    return rasterize(to_svg(picture, width) if isinstance(picture, Scene) else _resized(picture, width))


def rasterize(svg: str) -> bytes:
    """The PNG of an SVG document in its own size; text is not drawn, since there are no fonts.

    >>> len(rasterize('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')) < 100
    True
    """
    return render(usvg.Tree.from_str(svg, _options()), _UNCHANGED)


@cache
def _options() -> usvg.Options:
    return usvg.Options.default()


def _resized(svg: str, width: int) -> str:
    """The document at another size; the binding panics at what is not well-formed, so that is found out before."""
    found = _SIZE.search(svg)
    try:
        ET.fromstring(svg)  # noqa: S314  # entities are refused below
    except ET.ParseError as error:
        raise DataError(f"picture: found {error}, expected an SVG document; correct it") from None
    if found is None or "<!" in svg:
        raise DataError(
            "picture: found no width and height or a declaration, expected SVG as to_svg makes it; use that"
        )
    height = round(width * int(found[2]) / int(found[1]))
    return f'{svg[: found.start()]}width="{width}" height="{height}"{svg[found.end() :]}'
