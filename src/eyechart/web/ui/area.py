"""The pages that belong to no other area: the first page, sign-in, administration, the programming interface."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from eyechart.web.ui import administration, signing_in
from eyechart.web.ui.pages import answer
from eyechart.web.ui.people import somebody
from eyechart.web.ui.site import Area, Here

__all__ = ["AREA"]

_FIRST = APIRouter(default_response_class=HTMLResponse)


@_FIRST.get("/")
def first_page(request: Request, site: Here) -> Response:
    """What there is, for whoever asks."""
    account = somebody(request)
    role = account.role if account else "anybody"
    offered = [area for area in site.areas if area.title and (role in area.shown_to or role == "admin")]
    return answer(request, "ui/first.html", offered=offered)


@_FIRST.get("/api")
def interface_page(request: Request) -> Response:
    """What programs may call, for people to read."""
    described: dict[str, Any] = request.app.openapi()
    calls = [
        (method.upper(), path, call.get("summary", ""), call.get("description", ""))
        for path, methods in sorted(described["paths"].items())
        for method, call in methods.items()
    ]
    return answer(request, "ui/interface.html", calls=calls)


_PAGES = APIRouter()
for _router in (_FIRST, signing_in.pages, administration.pages):
    _PAGES.include_router(_router)

AREA = Area(
    name="ui",
    title="",
    about="",
    home="/",
    shown_to=frozenset(),
    folder=Path(__file__).parent,
    pages=_PAGES,
)
