"""Pages to come in by: sign in and out, accept an invitation, sign up where that is open, one's own account."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from sqlalchemy import select, update
from starlette.responses import HTMLResponse, Response

from eyechart.database import accounts as t
from eyechart.database import now
from eyechart.errors import UsageError
from eyechart.web.ui import accounts, throttle
from eyechart.web.ui.auditing import record
from eyechart.web.ui.pages import answer, moved
from eyechart.web.ui.passwords import fits, hashed, weakness
from eyechart.web.ui.people import SESSION_COOKIE, Anybody, Someone, remember
from eyechart.web.ui.refusals import RefusalError
from eyechart.web.ui.site import Here, Site

__all__ = ["pages"]

pages = APIRouter(default_response_class=HTMLResponse)

Line = Annotated[str, Form(max_length=200)]
_WRONG = "The login or the password is not right; check both and try again."
_WAIT = "There were too many tries for this login or from this place; wait a quarter of an hour and try again."


@pages.get("/sign-in")
def sign_in_page(
    request: Request, account: Anybody, onward: Annotated[str, Query(alias="next", max_length=2000)] = "/"
) -> Response:
    """The form to sign in with."""
    return moved(onward) if account else answer(request, "ui/sign-in.html", onward=onward, login="", problem="")


@pages.post("/sign-in")
def sign_in(
    request: Request,
    site: Here,
    login: Line,
    password: Line,
    onward: Annotated[str, Form(alias="next", max_length=2000)] = "/",
) -> Response:
    """Check a password and start a session; tries are counted, whether or not the login exists."""
    address = request.client.host if request.client else ""
    with site.database.reading() as rows:
        waiting = throttle.too_many_failures(rows, login, address)
        found = accounts.find_account(rows, login)
    if waiting:
        page = answer(request, "ui/sign-in.html", status=429, onward=onward, login=login, problem=_WAIT)
        page.headers["Retry-After"] = str(int(throttle.WINDOW.total_seconds()))
        return page
    if not fits(password, found[1] if found else None) or found is None:
        with site.database.writing() as rows:
            throttle.note_failure(rows, login, address)
        return answer(request, "ui/sign-in.html", status=403, onward=onward, login=login, problem=_WRONG)
    with site.database.writing() as rows:
        throttle.forget_failures(rows, login, address)
        token = accounts.start_session(rows, found[0])
        record(rows, found[0].account_id, "sign in", login, address=address)
    return remember(request, moved(onward), token)


@pages.post("/sign-out")
def sign_out(request: Request, site: Here) -> Response:
    """End this browser's session."""
    with site.database.writing() as rows:
        accounts.end_session(rows, request.cookies.get(SESSION_COOKIE, ""))
    page = moved("/")
    page.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax", secure=site.settings.secure)
    return page


@pages.get("/invitations/{token}")
def invitation_page(request: Request, site: Here, token: str) -> Response:
    """The form that makes an account of an invitation."""
    return answer(
        request, "ui/join.html", role=_invited(site, token), login="", problem="", action=f"/invitations/{token}"
    )


@pages.post("/invitations/{token}")
def accept_invitation(request: Request, site: Here, token: str, login: Line, password: Line) -> Response:
    """Make the account and sign in; the link works once."""
    role = _invited(site, token)
    try:
        with site.database.writing() as rows:
            account = accounts.use_invitation(rows, token, login, password)
            session = accounts.start_session(rows, account) if account else ""
    except UsageError as error:
        where = f"/invitations/{token}"
        return answer(request, "ui/join.html", status=422, role=role, login=login, problem=str(error), action=where)
    if account is None:
        raise RefusalError(404, _GONE)
    return remember(request, moved("/"), session)


_GONE = "This invitation was used or is too old; ask whoever sent it for a new one."


def _invited(site: Site, token: str) -> str:
    with site.database.reading() as rows:
        role = accounts.invitation_role(rows, token)
    if role is None:
        raise RefusalError(404, _GONE)
    return role


@pages.get("/sign-up")
def sign_up_page(request: Request, site: Here) -> Response:
    """The form to make an account by oneself, where the site is open."""
    return answer(request, "ui/join.html", role=_open_role(site), login="", problem="", action="/sign-up")


@pages.post("/sign-up")
def sign_up(request: Request, site: Here, login: Line, password: Line) -> Response:
    """Make the account and sign in."""
    role = _open_role(site)
    try:
        with site.database.writing() as rows:
            account = accounts.create_account(rows, login, role, password)
            record(rows, account.account_id, "sign up", login)
            session = accounts.start_session(rows, account)
    except UsageError as error:
        return answer(
            request, "ui/join.html", status=422, role=role, login=login, problem=str(error), action="/sign-up"
        )
    return remember(request, moved("/"), session)


def _open_role(site: Site) -> str:
    if not site.settings.sign_up:
        raise RefusalError(403, "This site is open by invitation only; ask the people who run it for a link.")
    return "participant" if "participant" in site.settings.sign_up else min(site.settings.sign_up)


@pages.get("/account")
def account_page(request: Request, site: Here, account: Someone) -> Response:
    """One's own account: the password, and tokens for programs."""
    return _account(request, site, account)


@pages.post("/account/password")
def change_password(request: Request, site: Here, account: Someone, current: Line, password: Line) -> Response:
    """Change the password; other sessions end."""
    with site.database.reading() as rows:
        found = accounts.find_account(rows, account.login)
    problem = weakness(password, account.login)
    if not problem and not fits(current, found[1] if found else None):
        problem = "The current password is not right; type it again."
    if problem:
        return _account(request, site, account, status=422, problem=problem)
    with site.database.writing() as rows:
        rows.execute(
            update(t.ACCOUNTS)
            .where(t.ACCOUNTS.c.account_id == account.account_id)
            .values(password_hash=hashed(password))
        )
        accounts.end_sessions(rows, account)
        session = accounts.start_session(rows, account)
        record(rows, account.account_id, "change password", account.login)
    return remember(request, moved("/account"), session)


@pages.post("/account/tokens")
def new_token(
    request: Request,
    site: Here,
    account: Someone,
    name: Annotated[str, Form(min_length=1, max_length=100)],
    scope: Annotated[str, Form(pattern="^(read|write)$")] = "read",
    days: Annotated[int, Form(ge=1, le=365)] = 90,
) -> Response:
    """Make a token; it is shown this once."""
    scopes = ("read", "write") if scope == "write" else ("read",)
    with site.database.writing() as rows:
        token = accounts.create_token(rows, account, name, scopes, timedelta(days=days))
    return _account(request, site, account, token=token)


@pages.post("/account/tokens/{token_id}/revoke")
def revoke_token(site: Here, account: Someone, token_id: Annotated[int, accounts.KEY]) -> Response:
    """A token stops working."""
    with site.database.writing() as rows:
        mine = (t.API_TOKENS.c.token_id == token_id) & (t.API_TOKENS.c.account_id == account.account_id)
        found = rows.execute(update(t.API_TOKENS).where(mine).values(revoked=True)).rowcount
        if not found:
            raise RefusalError(404, "There is no such token of yours; it may have been typed wrongly.")
        record(rows, account.account_id, "revoke token", str(token_id))
    return moved("/account")


def _account(
    request: Request, site: Site, account: accounts.Account, *, status: int = 200, problem: str = "", token: str = ""
) -> Response:
    kept = t.API_TOKENS.c
    query = select(kept.token_id, kept.name, kept.scopes, kept.created, kept.expires).where(
        kept.account_id == account.account_id, kept.revoked.is_(False)
    )
    with site.database.reading() as rows:
        found = rows.execute(query.order_by(kept.token_id)).all()
        password = accounts.find_account(rows, account.login)
    return answer(
        request,
        "ui/account.html",
        status=status,
        problem=problem,
        token=token,
        tokens=found,
        today=now(),
        has_password=bool(password and password[1]),
    )
