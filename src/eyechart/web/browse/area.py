"""The area of the site where benchmarks are looked at."""

from pathlib import Path

from eyechart.web.browse.pages import pages
from eyechart.web.browse.programs import api
from eyechart.web.browse.shelves import warming
from eyechart.web.ui import Area

__all__ = ["AREA"]

AREA = Area(
    name="browse",
    title="Browse",
    about="Look at a benchmark question by question: pictures, answers, programs, choices, and what models said.",
    home="/browse",
    shown_to=frozenset({"requester"}),
    folder=Path(__file__).parent,
    pages=pages,
    api=api,
    running=warming,
)
