"""Pages: templates of all areas in one environment, and the answer that carries one with the right headers."""

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from eyechart.web.ui.headers import content_policy
from eyechart.web.ui.writing import FILTERS

__all__ = ["answer", "environment", "moved"]

Context = Any  # whatever a template shows
_FORM_COOKIE = "eyechart_form"


def environment(folders: Mapping[str, Path]) -> Environment:
    """The templates of all areas: ``collect/studies.html`` is in the folder of ``collect``."""
    loaders = {area: FileSystemLoader(folder) for area, folder in folders.items()}
    made = Environment(
        loader=PrefixLoader(loaders), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= FILTERS
    return made


def answer(
    request: Request,
    template: str,
    /,
    *,
    status: int = 200,
    framed_by: Sequence[str] = (),
    posts_to: Sequence[str] = (),
    **context: Context,
) -> Response:
    """A page: the template with its context, and who is signed in, where one can go, and how forms are signed.

    ``framed_by`` names the origins that may show the page in a frame, ``posts_to`` those that its forms go to.

    >>> import tempfile
    >>> from eyechart.web import Settings, application
    >>> app = application(Settings(Path(tempfile.mkdtemp())))
    >>> page = answer(Request({"type": "http", "app": app, "path": "/", "headers": []}), "ui/first.html", offered=[])
    >>> page.status_code, b"<h1>" in page.body
    (200, True)
    >>> app.state.site.database.close()
    """
    from eyechart.web.ui.forgery import form_token
    from eyechart.web.ui.people import somebody

    site = request.app.state.site
    account = somebody(request)
    visitor = request.cookies.get(_FORM_COOKIE) or secrets.token_urlsafe(16)
    shared = {
        "site": site,
        "status": status,
        "path": request.url.path,
        "account": account,
        "navigation": _navigation(site, account.role if account else "anybody"),
        "csrf": form_token(request, visitor),
        "static": site.statics.address,
        "language": site.settings.language,
        "direction": site.settings.direction,
        "framed": bool(framed_by),
    }
    page = HTMLResponse(site.templates.get_template(template).render(shared | context), status)
    page.headers["Content-Security-Policy"] = content_policy(framed_by, posts_to)
    page.headers["Cache-Control"] = "no-store"
    if account is None and _FORM_COOKIE not in request.cookies:
        page.set_cookie(_FORM_COOKIE, visitor, httponly=True, samesite="lax", secure=site.settings.secure)
    return page


def moved(path: str) -> RedirectResponse:
    """On to another page after a form was taken; only ever within this site.

    >>> moved("/studies").headers["location"], moved("https://elsewhere.example/").headers["location"]
    ('/studies', '/')
    """
    parts = urlsplit(path.replace("\\", "/"))
    local = path.startswith("/") and not path.startswith("//") and not parts.netloc and path.isprintable()
    return RedirectResponse(path if local else "/", 303)


def _navigation(site: Any, role: str) -> list[Any]:  # a Site, which is made of pages
    return [area for area in site.areas if role in area.shown_to or role == "admin"]
