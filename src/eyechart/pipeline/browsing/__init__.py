"""A benchmark to look around in: what is wanted, which questions that is, and everything that hangs on one of them."""

from eyechart.pipeline.browsing.leaf import Answered, Leaf, StepShown, leaf
from eyechart.pipeline.browsing.pictures import picture_of
from eyechart.pipeline.browsing.shelf import Found, Page, Pictures, Shelf
from eyechart.pipeline.browsing.wanted import COLUMNS, MATCHES, ORDERS, WITHIN, Span, Wanted

__all__ = [
    "COLUMNS",
    "MATCHES",
    "ORDERS",
    "WITHIN",
    "Answered",
    "Found",
    "Leaf",
    "Page",
    "Pictures",
    "Shelf",
    "Span",
    "StepShown",
    "Wanted",
    "leaf",
    "picture_of",
]
