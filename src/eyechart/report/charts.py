"""From what an analysis found to a Vega-Lite specification: one function per kind of chart."""

import math
from collections.abc import Callable
from typing import Any

import polars as pl

from eyechart.analysis import Chart, Result
from eyechart.report.cloud import placed_words
from eyechart.report.sunburst import arcs, legible
from eyechart.report.theme import INK, PALETTE, PAPER, QUIET, SHADES, config

__all__ = ["WIDTH", "specification"]

Json = Any  # a Vega-Lite specification is JSON

WIDTH = 660
"""Points that a chart is wide on a page; on a phone, it is drawn again for less."""

_ROW = 22
_LETTER = 7
"""Points that a letter is wide, at the most."""
_NUMBER = 52
"""Points that a number behind a bar needs."""
_FEW = 6
"""So many colours can be told apart."""
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"]
_LABELLED = 0.07
"""The smallest part of a bar that has room for a word."""


def specification(result: Result, *, width: int = WIDTH) -> Json | None:
    """The picture of a result, as Vega-Lite; None for what is only a table.

    >>> rows = pl.DataFrame({"pet": ["cat"], "n": [3]})
    >>> specification(Result("pets", "Cats", "", rows, Chart("bars", x="pet", y="n")))["layer"][0]["mark"]["type"]
    'bar'
    """
    if result.chart.kind == "table" or not result.rows.height:
        return None
    body = _KINDS[result.chart.kind](result.rows, result.chart, width)
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "description": result.title,
        "config": config(),
        "padding": 4,
        "autosize": {"type": "fit-x" if "layer" in body else "pad", "contains": "padding"},
        **body,
    }


def _values(rows: pl.DataFrame) -> Json:
    return {"values": rows.to_dicts()}


def _format(chart: Chart) -> Json:
    return {"format": ".0%" if chart.percent else "~s"}


def _exact(chart: Chart) -> str:
    return ".1%" if chart.percent else ",.4~f"


def _category(rows: pl.DataFrame, name: str, width: int) -> Json:
    """A column whose values stand below each other in the order of the rows; room for them is left in any font."""
    longest = max(len(str(value)) for value in rows[name])
    limit = width * 3 // 10
    axis = {"labelLimit": limit, "minExtent": min(limit, longest * _LETTER), "title": None, "labelPadding": 6}
    return {"field": name, "type": "nominal", "sort": None, "axis": axis}


def _label(chart: Chart) -> Json:
    return {"field": chart.y, "type": "quantitative", "format": _exact(chart)}


def _bars(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Bars to the right with their number at the end: no axis is needed."""
    value = {"field": chart.y, "type": "quantitative", "axis": None}
    colour = {"color": _few_colours(rows, chart)} if chart.color else {}
    end = {"mark": {"type": "text", "align": "left", "dx": 4, "color": QUIET, "clip": False}}
    largest = max(rows[chart.y].drop_nulls(), default=0)
    room = {"scale": {"domain": [0, largest * (1 + _NUMBER / (0.6 * width)) or 1], "nice": False}}
    return {
        "data": _values(rows),
        "width": width,
        "height": {"step": _ROW},
        "encoding": {"y": _category(rows, chart.x, width), "x": value | room},
        "layer": [
            {"mark": {"type": "bar", "height": {"band": 0.7}}, "encoding": colour},
            {**end, "encoding": {"text": _label(chart)}},
        ],
    }


def _few_colours(rows: pl.DataFrame, chart: Chart) -> Json:
    names = rows[chart.color].unique(maintain_order=True).to_list()
    shown = [PALETTE[min(place, len(PALETTE) - 1)] for place in range(len(names))]
    return {"field": chart.color, "type": "nominal", "scale": {"domain": names, "range": shown}, "sort": None}


def _stack(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Bars in parts; few parts have colours and a legend, many have shades in order of size and their names on them."""
    few = rows[chart.color].n_unique() <= _FEW
    end = pl.col(chart.y).cum_sum().over(chart.x)
    drawn = rows.with_columns(_end=end, _begin=end - pl.col(chart.y), _place=pl.int_range(pl.len()).over(chart.x))
    drawn = drawn.with_columns(
        _middle=(pl.col("_begin") + pl.col("_end")) / 2, _shade=pl.col("_place").clip(0, len(SHADES) - 1)
    )
    shade = {
        "field": "_shade",
        "type": "ordinal",
        "legend": None,
        "scale": {"domain": list(range(len(SHADES))), "range": list(SHADES)},
    }
    colour = _few_colours(rows, chart) if few else shade
    room = _LABELLED * WIDTH / width
    axis = {
        "axis": {**_format(chart), "title": chart.y_title, "tickCount": 4, "grid": False},
        "scale": {"domain": [0, 1]},
    }
    words = {
        "transform": [{"filter": f"datum['{chart.y}'] >= {room} * max(1, length(datum['{chart.color}']) / 6)"}],
        "mark": {"type": "text", "color": INK, "fontSize": 11},
        "encoding": {
            "x": {"field": "_middle", "type": "quantitative"},
            "text": {"field": chart.color},
            "color": {"condition": {"test": "datum._shade < 1", "value": PAPER}, "value": INK},
        },
    }
    bar = {
        "mark": {"type": "bar", "height": {"band": 0.8}, "stroke": PAPER, "strokeWidth": 0.5},
        "encoding": {
            "x": {"field": "_begin", "type": "quantitative", **axis},
            "x2": {"field": "_end"},
            "color": colour,
            "description": {"field": chart.color},
        },
    }
    bar["encoding"]["description"] = {"field": "_told"}
    told = pl.format(
        "{}: {}, {} %",
        pl.col(chart.x).cast(pl.String),
        pl.col(chart.color).cast(pl.String),
        (pl.col(chart.y) * 100).round(1),
    )
    return {
        "data": _values(drawn.with_columns(_told=told)),
        "width": width,
        "height": {"step": _ROW},
        "encoding": {"y": _category(rows, chart.x, width)},
        "layer": [bar] if few else [bar, words],
    }


def _columns(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Columns upwards; where they are few, their number stands on them."""
    x = {
        "field": chart.x,
        "type": "ordinal",
        "sort": None,
        "axis": {"title": chart.x_title or chart.x, "labelAngle": 0, "grid": False, "labelOverlap": True},
    }
    numbered = rows.height * 42 <= width
    y_axis = None if numbered else {**_format(chart), "title": chart.y_title, "tickCount": 4}
    layers: list[Json] = [{"mark": {"type": "bar", "width": {"band": 0.8}}}]
    if numbered:
        layers.append({"mark": {"type": "text", "dy": -8, "color": QUIET}, "encoding": {"text": _label(chart)}})
    return {
        "data": _values(rows),
        "width": width,
        "height": 200,
        "encoding": {"x": x, "y": {"field": chart.y, "type": "quantitative", "axis": y_axis}},
        "layer": layers,
    }


def _lines(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Lines with points; several have colours and shapes, and stand beside each other if there are many kinds."""
    x_scale = {"scale": {"type": "log"}} if chart.log else {}
    several = bool(chart.color) and rows[chart.color].n_unique() > 1
    encoding = {
        "x": {
            "field": chart.x,
            "type": "quantitative",
            **x_scale,
            "axis": {"title": chart.x_title or chart.x, "tickCount": 5, "grid": False, "format": "~s"},
        },
        "y": {
            "field": chart.y,
            "type": "quantitative",
            "axis": {**_format(chart), "title": None if chart.facet else chart.y_title, "tickCount": 4},
        },
    }
    if several:
        encoding |= {"color": _few_colours(rows, chart), "shape": _shapes(rows, chart)}
    layers: list[Json] = [{"mark": {"type": "line"}}, {"mark": {"type": "point"}}]
    layers[0]["encoding"] = {"shape": {"value": None}} if several else {}
    if chart.low:
        ends = {"y": {**encoding["y"], "field": chart.low}, "y2": {"field": chart.high}}
        layers.insert(0, {"mark": {"type": "rule", "strokeWidth": 1}, "encoding": ends})
    if not chart.facet:
        return {"data": _values(rows), "width": width, "height": 220, "encoding": encoding, "layer": layers}
    panels = rows[chart.facet].n_unique()
    across = max(1, width // 200)
    return {
        "data": _values(rows),
        "facet": {"field": chart.facet, "type": "nominal", "sort": None},
        "columns": min(panels, across),
        "spec": {"width": width // min(panels, across) - 60, "height": 160, "encoding": encoding, "layer": layers},
    }


def _shapes(rows: pl.DataFrame, chart: Chart) -> Json:
    names = rows[chart.color].unique(maintain_order=True).to_list()
    return {
        "field": chart.color,
        "type": "nominal",
        "scale": {"domain": names, "range": (_SHAPES * 9)[: len(names)]},
        "sort": None,
    }


def _dots(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """A dot per row and series with its interval, along one axis."""
    encoding: dict[str, Json] = {"y": _category(rows, chart.x, width)}
    if chart.color and rows[chart.color].n_unique() > 1:
        names = rows[chart.color].unique(maintain_order=True).to_list()
        encoding |= {
            "color": _few_colours(rows, chart),
            "yOffset": {"field": chart.color, "type": "nominal", "sort": names},
        }
    axis = {"axis": {**_format(chart), "title": chart.y_title, "tickCount": 5}, "scale": {"zero": not chart.low}}
    point: Json = {"mark": {"type": "point"}, "encoding": {"x": {"field": chart.y, "type": "quantitative", **axis}}}
    if "color" in encoding:
        point["encoding"]["shape"] = _shapes(rows, chart)
    layers = [point]
    if chart.low:
        ends = {"x": {"field": chart.low, "type": "quantitative", **axis}, "x2": {"field": chart.high}}
        layers.insert(0, {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": ends})
    many = max(1, rows[chart.color].n_unique() if chart.color else 1)
    return {
        "data": _values(rows),
        "width": width,
        "height": {"step": _ROW if many == 1 else 9 * many + 8, "for": "position"},
        "encoding": encoding,
        "layer": layers,
    }


def _heatmap(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Cells as dark as their number, which stands in them."""
    largest = max(rows[chart.y].drop_nulls(), default=1)
    scale = {"range": [SHADES[-1], SHADES[0]], "domain": [0, largest]}
    seen = {"condition": {"test": f"datum['{chart.y}'] > 0", "value": 1}, "value": 0}
    light = {"condition": {"test": f"datum['{chart.y}'] > {largest * 0.6}", "value": PAPER}, "value": INK}
    x = {
        "field": chart.x,
        "type": "ordinal",
        "sort": None,
        "axis": {"title": chart.x_title or chart.x, "labelAngle": 0, "grid": False, "labelOverlap": True},
    }
    return {
        "data": _values(rows),
        "width": width,
        "height": {"step": _ROW + 4},
        "encoding": {"x": x, "y": _category(rows, chart.color, width)},
        "layer": [
            {
                "mark": {"type": "rect"},
                "encoding": {"color": {"field": chart.y, "type": "quantitative", "scale": scale, "legend": None}},
            },
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {"text": _label(chart), "color": light, "opacity": seen},
            },
        ],
    }


def _sunburst(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Rings with their words on them, upright at the side of the arc where they can be read."""
    side = min(width, 560)
    drawn = arcs(rows, chart.path, chart.y, radius=side / 2 - 4).with_columns(
        middle=(pl.col("theta") + pl.col("theta2")) / 2, radius=(pl.col("inner") + pl.col("outer")) / 2
    )
    drawn = drawn.with_columns(
        legible=legible(pl.col("share"), pl.col("ring")),
        angle=(pl.col("middle") / math.pi * 180 - 90 + pl.when(pl.col("middle") > math.pi).then(180).otherwise(0)),
        opacity=1 - pl.col("ring") * 0.17,
        told=pl.format("{}: {} %", "path", (pl.col("share") * 100).round(1)),
    )
    theta = {"theta": {"field": "theta", "type": "quantitative", "scale": None}, "theta2": {"field": "theta2"}}
    ring = {"radius": {"field": "inner", "type": "quantitative", "scale": None}, "radius2": {"field": "outer"}}
    colour = {
        "field": "colour",
        "type": "nominal",
        "legend": None,
        "scale": {"domain": list(range(_FEW)), "range": list(PALETTE[:_FEW])},
    }
    size = {"field": "opacity", "type": "quantitative", "scale": None}
    room = (side / 2 - 4) * 0.9 / len(chart.path) / 6.2
    words = drawn.filter("legible", pl.col("label").str.len_chars() <= room)
    return {
        "width": side,
        "height": side,
        "layer": [
            {
                "data": _values(drawn),
                "mark": {"type": "arc", "stroke": PAPER, "strokeWidth": 1},
                "encoding": {**theta, **ring, "color": colour, "opacity": size, "description": {"field": "told"}},
            },
            {
                "data": _values(words),
                "mark": {"type": "text", "fontSize": 11, "color": INK, "aria": False},
                "encoding": {
                    "theta": {"field": "middle", "type": "quantitative", "scale": None},
                    "radius": {"field": "radius", "type": "quantitative", "scale": None},
                    "angle": {"field": "angle", "type": "quantitative", "scale": None},
                    "text": {"field": "label"},
                },
            },
        ],
    }


def _words(rows: pl.DataFrame, chart: Chart, width: int) -> Json:
    """Words as large as they are frequent, one cloud beside another; their headings say what each is."""
    drawn, heads, height = placed_words(rows, chart.x, chart.y, chart.color, width=width)
    place = {
        "x": {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [0, width], "nice": False}},
        "y": {"field": "y", "type": "quantitative", "axis": None, "scale": {"domain": [height, 0], "nice": False}},
    }
    size = {"field": "size", "type": "quantitative", "scale": None, "legend": None}
    clouds = drawn[chart.color].unique(maintain_order=True).to_list()
    colour = {
        "field": chart.color,
        "type": "nominal",
        "legend": None,
        "scale": {"domain": clouds, "range": list(PALETTE[: len(clouds)])},
    }
    return {
        "width": width,
        "height": height,
        "layer": [
            {
                "data": _values(drawn),
                "mark": {"type": "text", "align": "left", "baseline": "alphabetic"},
                "encoding": {**place, "size": size, "text": {"field": chart.x}, "color": colour},
            },
            {
                "data": _values(heads),
                "mark": {"type": "text", "align": "left", "baseline": "alphabetic", "color": QUIET},
                "encoding": {**place, "text": {"field": chart.color}},
            },
        ],
    }


_KINDS: dict[str, Callable[[pl.DataFrame, Chart, int], Json]] = {
    "bars": _bars,
    "stack": _stack,
    "columns": _columns,
    "lines": _lines,
    "dots": _dots,
    "heatmap": _heatmap,
    "sunburst": _sunburst,
    "words": _words,
}
