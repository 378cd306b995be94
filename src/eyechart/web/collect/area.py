"""The area of collected work: pages for workers, pages for requesters, and both for programs."""

from pathlib import Path

from fastapi import APIRouter

from eyechart.web.collect import drawing, platforms, working
from eyechart.web.ui import Area

__all__ = ["WORK"]

_FOLDER = Path(__file__).parent

_WORK = APIRouter()
_WORK.include_router(platforms.pages)
_WORK.include_router(working.pages)
_WORK.include_router(drawing.pages)

WORK = Area(
    name="collect",
    title="Work",
    about="Answer questions about pictures, ask them, describe, compare and draw.",
    home="/work",
    shown_to=frozenset({"worker", "requester"}),
    folder=_FOLDER,
    pages=_WORK,
)
