"""A benchmark to look around in: what is wanted, which questions that is, and everything that hangs on one of them."""

from eyechart.pipeline.browsing.leaf import Answered, Leaf, StepShown, leaf
from eyechart.pipeline.browsing.shelf import Found, Page, Shelf
from eyechart.pipeline.browsing.wanted import ORDERS, WITHIN, Span, Wanted

__all__ = ["ORDERS", "WITHIN", "Answered", "Found", "Leaf", "Page", "Shelf", "Span", "StepShown", "Wanted", "leaf"]
