"""What an analysis gives: a sentence, the rows that it stands on, and how one would rather look at them."""

from dataclasses import dataclass, field
from typing import Literal

import polars as pl

__all__ = ["Chart", "Kind", "Result"]

Kind = Literal["bars", "stack", "columns", "lines", "dots", "heatmap", "sunburst", "words", "table"]


@dataclass(frozen=True, slots=True)
class Chart:
    """How rows become a picture; the names are columns. What a chart looks like is the affair of the report.

    ==========  ==================================================================
    bars        a bar to the right for each x, as they stand, as long as y
    stack       a bar for each x in parts, one per color, which add up
    columns     a column upwards for each x, which is a number or in order
    lines       y over x, a line per color
    dots        a dot at y for each x, with its interval from low to high
    heatmap     a cell at x and color, as dark as y
    sunburst    rings from the middle outwards, one per column of path
    words       words (x) as large as y, in groups (color)
    table       the rows themselves
    ==========  ==================================================================
    """

    kind: Kind
    x: str = ""
    y: str = ""
    color: str = ""
    low: str = ""
    high: str = ""
    path: tuple[str, ...] = ()
    x_title: str = ""
    y_title: str = ""
    facet: str = ""
    """For lines: a panel of its own for each of these."""
    log: bool = False
    """Whether x grows by factors."""
    percent: bool = False
    """Whether y is a share of 1, to be shown in percent."""


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that an analysis found.

    >>> rows = pl.DataFrame({"pet": ["cat"], "n": [3]})
    >>> Result("pets", "Most pets are cats", "Counted.", rows, Chart("bars", x="pet", y="n")).name
    'pets'
    """

    name: str
    title: str
    """What the rows say, as a sentence."""
    about: str
    """How it was found, and where it stands in a paper."""
    rows: pl.DataFrame
    chart: Chart = field(default_factory=lambda: Chart("table"))
