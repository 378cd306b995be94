"""From a specification to SVG and PNG, without a browser and without a network (vl-convert)."""

import re
from typing import Any

from eyechart.errors import MissingDependencyError
from eyechart.report.theme import PAPER, VARIABLES

__all__ = ["draw", "inline", "picture"]

Json = Any  # a Vega-Lite specification is JSON

_VEGA_LITE = "5.20"
_COLOUR = re.compile("|".join(VARIABLES))
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"[^>]*>')
_SPOKEN = re.compile(r' (?:role|aria-roledescription|aria-hidden|aria-label)="[^"]*"')
_TIP = re.compile(
    r' aria-label="([^"]*)" role="graphics-symbol"'
    r'| role="graphics-symbol" aria-roledescription="[^"]*" aria-label="([^"]*)"'
)
_IDS = re.compile(r'(id="|url\(#)')


def _converter() -> Any:  # the module has no types
    try:
        import vl_convert
    except ImportError as error:
        raise MissingDependencyError(
            "figures: found no vl-convert, expected it to draw them; pip install 'eyechart[report]'"
        ) from error
    return vl_convert


def draw(specification: Json) -> str:
    """A figure as SVG, in the colours of paper.

    >>> draw({"mark": "bar", "data": {"values": [{}]}})[:4]
    '<svg'
    """
    svg: str = _converter().vegalite_to_svg(specification, vl_version=_VEGA_LITE)
    return svg


def picture(specification: Json, *, scale: float = 2.0) -> bytes:
    """A figure as PNG, on paper.

    >>> picture({"mark": "bar", "data": {"values": [{}]}})[1:4]
    b'PNG'
    """
    whole = {**specification, "background": PAPER}
    png: bytes = _converter().vegalite_to_png(whole, vl_version=_VEGA_LITE, scale=scale)
    return png


def inline(svg: str, *, key: str = "") -> str:
    """A figure for a page: in its colours, as wide as its column, silent but for what a pointer asks of its marks.

    What it shows is said by its caption and by the table below it, so that nobody has to listen to a hundred bars.

    >>> inline('<svg width="9" height="6"><rect aria-label="cat: 3" role="graphics-symbol" fill="#1f6f8b"/></svg>')
    '<svg viewBox="0 0 9 6" width="9" aria-hidden="true"><rect data-tip="cat: 3" fill="var(--accent)"/></svg>'
    """
    tipped = _TIP.sub(lambda found: f' data-tip="{found[1] or found[2]}"', svg)
    silent = _IDS.sub(rf"\g<1>{key}", _SPOKEN.sub("", tipped))
    sized = _SIZE.sub(r'<svg viewBox="0 0 \1 \2" width="\1" aria-hidden="true">', silent, count=1)
    return _COLOUR.sub(lambda colour: VARIABLES[colour[0]], sized)
