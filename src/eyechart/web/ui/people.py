"""Who asks: by the session's cookie, or by a program's token; and the one way to demand a role."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.responses import Response

from eyechart.web.ui.accounts import Account, account_of_session, account_of_token
from eyechart.web.ui.refusals import RefusalError
from eyechart.web.ui.site import Site

__all__ = [
    "SESSION_COOKIE",
    "Administrator",
    "Anybody",
    "Participant",
    "Requester",
    "Someone",
    "Worker",
    "demand",
    "pass_of",
    "remember",
    "somebody",
]

SESSION_COOKIE = "eyechart_session"
_COOKIE = APIKeyCookie(name=SESSION_COOKIE, auto_error=False, description="The cookie of a browser's session.")
_BEARER = HTTPBearer(auto_error=False, description="A token of `eyechart accounts token` or of the account's page.")


def somebody(request: Request) -> Account | None:
    """Who asks, looked up once per request."""
    if not hasattr(request.state, "account"):
        request.state.account = _look_up(request)
    account: Account | None = request.state.account
    return account


def pass_of(request: Request) -> str:
    """The session that a link carries, where a frame of a platform keeps cookies away; it opens ``/work`` only."""
    return request.query_params.get("pass", "") if request.url.path.startswith("/work/") else ""


def _look_up(request: Request) -> Account | None:
    site: Site = request.app.state.site
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    session = pass_of(request) or request.cookies.get(SESSION_COOKIE, "")
    if kind.lower() == "bearer":
        with site.database.reading() as rows:
            return account_of_token(rows, token.strip())
    if not session:
        return None
    with site.database.reading() as rows:
        return account_of_session(rows, session)


def remember(request: Request, response: Response, token: str) -> Response:
    """Put a session into the browser's cookie."""
    secure = request.app.state.site.settings.secure
    response.set_cookie(SESSION_COOKIE, token, max_age=14 * 86400, httponly=True, samesite="lax", secure=secure)
    return response


def demand(*roles: str) -> Callable[..., Awaitable[Account] | Account]:
    """A dependency that lets only these roles in, and administrators always; no role means anybody signed in.

    >>> demand("requester").__name__
    'demanded'
    """

    def demanded(
        request: Request,
        cookie: Annotated[object, Security(_COOKIE)] = None,  # noqa: ARG001 - for the description of the interface
        bearer: Annotated[object, Security(_BEARER)] = None,  # noqa: ARG001 - as above
    ) -> Account:
        account = somebody(request)
        if account is None:
            raise RefusalError(401, headers={"WWW-Authenticate": "Bearer"})
        if roles and account.role not in {*roles, "admin"}:
            raise RefusalError(403)
        if request.method not in {"GET", "HEAD"} and "write" not in account.scopes:
            raise RefusalError(403, "This token may only read; make one with the scope write.")
        return account

    return demanded


Anybody = Annotated[Account | None, Depends(somebody)]
Someone = Annotated[Account, Depends(demand())]
Worker = Annotated[Account, Depends(demand("worker", "requester"))]
Requester = Annotated[Account, Depends(demand("requester"))]
Participant = Annotated[Account, Depends(demand("participant", "requester"))]
Administrator = Annotated[Account, Depends(demand("admin"))]
