"""One look for every figure: ink on paper, one accent, data in the Okabe and Ito palette, no boxes.

Figures are drawn in the colours of paper. In a page, each colour is replaced by the page's own variable for it, so that
the same drawing is right in the dark.
"""

from typing import Any

__all__ = ["ACCENT", "FONT", "INK", "PALETTE", "QUIET", "SHADES", "VARIABLES", "config"]

Json = Any  # a Vega-Lite specification is JSON

INK, QUIET, LINE, PAPER = "#1b1f24", "#5b636c", "#d9d7d0", "#fbfaf7"
ACCENT, WARNING = "#1f6f8b", "#b5541c"
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98")
"""Okabe and Ito's colours in the order of their contrast on paper; the last is for whatever is left."""
SHADES = ("#1f6f8b", "#4d8ea5", "#7badbe", "#a5c8d3", "#c6dce3", "#dbe8ec", "#e8f0f2", "#f0f5f6")
"""The accent, ever lighter: for parts in order of size."""
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

VARIABLES = {
    INK: "var(--ink)",
    QUIET: "var(--quiet)",
    LINE: "var(--line)",
    PAPER: "var(--paper)",
    ACCENT: "var(--accent)",
    WARNING: "var(--warning)",
    **{colour: f"var(--data-{place})" for place, colour in enumerate(PALETTE, 1)},
    **{colour: f"var(--shade-{place})" for place, colour in enumerate(SHADES, 1) if colour != ACCENT},
}
"""What a page replaces each colour with."""


def config() -> Json:
    """What every figure has in common, as Vega-Lite's config."""
    text = {
        "labelColor": INK,
        "titleColor": QUIET,
        "labelFont": FONT,
        "titleFont": FONT,
        "titleFontWeight": "normal",
        "aria": False,
    }
    return {
        "background": None,
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            **text,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "gridColor": LINE,
            "domainColor": LINE,
            "tickColor": LINE,
        },
        "axisY": {
            "domain": False,
            "ticks": False,
            "titleAngle": 0,
            "titleAlign": "left",
            "titleAnchor": "start",
            "titleY": -12,
        },
        "header": {"labelColor": INK, "labelFont": FONT, "labelFontSize": 12, "title": None, "labelAnchor": "start"},
        "legend": {
            **text,
            "labelFontSize": 12,
            "title": None,
            "orient": "top",
            "symbolStrokeWidth": 2,
            "labelLimit": 300,
            "columnPadding": 32,
        },
        "text": {"color": INK, "font": FONT, "fontSize": 12},
        "bar": {"color": ACCENT},
        "line": {"color": ACCENT, "strokeWidth": 2},
        "point": {"color": ACCENT, "size": 60, "filled": True, "opacity": 1},
        "rule": {"color": ACCENT},
        "range": {"category": list(PALETTE)},
    }
