"""The area of challenges: its pages, its programming interface, and the worker beside them."""

from pathlib import Path

from fastapi import APIRouter

from eyechart.web.leaderboard import hosting, interface, running, taking_part, visiting
from eyechart.web.ui import Area

__all__ = ["AREA"]

_PAGES = APIRouter()
# Addresses with fixed words come before those with names in their place.
for _router in (taking_part.pages, hosting.pages, visiting.pages):
    _PAGES.include_router(_router)

AREA = Area(
    name="leaderboard",
    title="Challenges",
    about="Result files in, scores out: who answers best where nobody has seen the answers.",
    home="/challenges",
    shown_to=frozenset({"anybody", "participant", "requester"}),
    folder=Path(__file__).parent,
    pages=_PAGES,
    api=interface.api,
    running=running.scoring,
)
