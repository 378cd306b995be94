"""Forms are taken only from our own pages: by where the browser says they come from, and by a signed token."""

import hmac
from urllib.parse import urlsplit

from fastapi import Request

from eyechart.web.ui.people import SESSION_COOKIE, pass_of
from eyechart.web.ui.refusals import RefusalError

__all__ = ["form_token", "refuse_forgery"]

_SAFE = {"GET", "HEAD", "OPTIONS"}
_FORM = ("application/x-www-form-urlencoded", "multipart/form-data")


def form_token(request: Request, visitor: str = "") -> str:
    """What a form of this browser carries: signed with the session, or with a visitor's cookie."""
    session = request.cookies.get(SESSION_COOKIE) or visitor or request.cookies.get("eyechart_form", "")
    token: str = request.app.state.site.sign("form", session)
    return token


async def refuse_forgery(request: Request) -> None:
    """Refuse what another site made a browser send; programs with a token of their own are not browsers.

    >>> import asyncio
    >>> asyncio.run(refuse_forgery(Request({"type": "http", "method": "GET", "path": "/", "headers": []})))
    """
    told_apart = pass_of(request) or request.headers.get("authorization", "").lower().startswith("bearer ")
    if request.method in _SAFE or told_apart:
        return  # what came with its own secret was not sent by a browser on somebody else's behalf
    if not _from_here(request):
        raise RefusalError(
            403, "This form was sent by another site, so nothing was done; open the page here and try again."
        )
    given = request.headers.get("x-csrf-token", "")
    if not given and request.headers.get("content-type", "").startswith(_FORM):
        given = str((await request.form()).get("csrf", ""))
    if not hmac.compare_digest(given.encode(), form_token(request).encode()):
        raise RefusalError(403, "This form is too old to be taken; go back, reload the page and send it again.")


def _from_here(request: Request) -> bool:
    fetched = request.headers.get("sec-fetch-site", "")
    if fetched and fetched not in {"same-origin", "none"}:
        return False
    origin = request.headers.get("origin", "")
    here = {request.headers.get("host", ""), urlsplit(request.app.state.site.settings.address).netloc}
    return not origin or urlsplit(origin).netloc in here
