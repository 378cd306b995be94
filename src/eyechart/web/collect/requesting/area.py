"""The area of those who ask for work."""

from pathlib import Path

from fastapi import APIRouter

from eyechart.web.collect.requesting import reviewing, studying
from eyechart.web.collect.requesting.interface import interface
from eyechart.web.ui import Area

__all__ = ["AREA"]

_PAGES = APIRouter()
_PAGES.include_router(studying.pages)
_PAGES.include_router(studying.one)
_PAGES.include_router(reviewing.pages)

AREA = Area(
    name="studies",
    title="Studies",
    about="Ask people: make a study of a benchmark, watch it, look at what comes back, pay.",
    home="/studies",
    shown_to=frozenset({"requester"}),
    folder=Path(__file__).parent,
    pages=_PAGES,
    api=interface,
)
