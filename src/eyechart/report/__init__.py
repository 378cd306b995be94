"""Figures and pages made from what analyses found."""

from eyechart.report.charts import specification
from eyechart.report.drawing import draw, inline, picture
from eyechart.report.pages import Big, Page, Section, html, tokens

__all__ = ["Big", "Page", "Section", "draw", "html", "inline", "picture", "specification", "tokens"]
