"""The area of the site where people try a model."""

from pathlib import Path

from eyechart.web.ask.models import ready
from eyechart.web.ask.pages import pages
from eyechart.web.ui import Area

__all__ = ["AREA"]

AREA = Area(
    name="ask",
    title="Ask a model",
    about="Show a picture, ask a question, and see what a model answers, where it looked, and what it would say blind.",
    home="/ask",
    shown_to=frozenset({"requester"}),
    folder=Path(__file__).parent,
    pages=pages,
    running=ready,
)
