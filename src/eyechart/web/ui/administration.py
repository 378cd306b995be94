"""Pages of those who run the site: accounts, invitations, and the log of who did what."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from sqlalchemy import func, select
from starlette.responses import HTMLResponse, Response

from eyechart.database import accounts as t
from eyechart.web.ui import accounts
from eyechart.web.ui.auditing import record
from eyechart.web.ui.listing import Heading, Listing, Wanted, listed
from eyechart.web.ui.pages import answer, moved
from eyechart.web.ui.people import Administrator
from eyechart.web.ui.refusals import RefusalError
from eyechart.web.ui.site import Here, Site

__all__ = ["pages"]

pages = APIRouter(prefix="/admin", default_response_class=HTMLResponse)

_ACCOUNTS = {
    "login": Heading("Login", t.ACCOUNTS.c.login),
    "role": Heading("Role", t.ACCOUNTS.c.role),
    "since": Heading("Since", t.ACCOUNTS.c.created, largest_first=True),
}
_LOG = {
    "at": Heading("When", t.AUDIT.c.at, largest_first=True),
    "who": Heading("Who", func.coalesce(t.ACCOUNTS.c.login, "")),
    "action": Heading("What", t.AUDIT.c.action),
    "subject": Heading("To what", t.AUDIT.c.subject),
    "details": Heading("Details"),
}


@pages.get("/accounts")
def accounts_page(request: Request, site: Here, _: Administrator, wanted: Annotated[Wanted, Depends()]) -> Response:
    """Every account."""
    return answer(request, "ui/accounts.html", listing=_accounts(site, wanted), link="", roles=accounts.ROLES)


@pages.post("/accounts/invite")
def invite(
    request: Request,
    site: Here,
    account: Administrator,
    role: Annotated[str, Form(pattern=f"^({'|'.join(accounts.ROLES)})$")],
) -> Response:
    """Make a link that makes one account; it is shown this once."""
    with site.database.writing() as rows:
        token = accounts.invite(rows, role, account.account_id)
    link = site.link(f"/invitations/{token}")
    return answer(request, "ui/accounts.html", listing=_accounts(site, Wanted("", "")), link=link, roles=accounts.ROLES)


@pages.post("/accounts/close")
def close(site: Here, account: Administrator, login: Annotated[str, Form(max_length=120)]) -> Response:
    """Nobody comes in by this account any more."""
    if login == account.login:
        raise RefusalError(409, "This is the account you are signed in with; ask another administrator to close it.")
    with site.database.writing() as rows:
        if accounts.find_account(rows, login) is None:
            raise RefusalError(404, f"There is no open account {login!r}; it may have been closed meanwhile.")
        accounts.close_account(rows, login)
        record(rows, account.account_id, "close account", login)
    return moved("/admin/accounts")


@pages.get("/log")
def log_page(request: Request, site: Here, _: Administrator, wanted: Annotated[Wanted, Depends()]) -> Response:
    """Who did what, newest first."""
    query = select(t.AUDIT, t.ACCOUNTS.c.login).outerjoin(t.ACCOUNTS, t.AUDIT.c.account_id == t.ACCOUNTS.c.account_id)
    with site.database.reading() as rows:
        return answer(request, "ui/log.html", listing=listed(rows, query, _LOG, t.AUDIT.c.audit_id, wanted))


def _accounts(site: Site, wanted: Wanted) -> Listing:
    query = select(
        t.ACCOUNTS.c.account_id,
        t.ACCOUNTS.c.login,
        t.ACCOUNTS.c.role,
        t.ACCOUNTS.c.created,
        t.ACCOUNTS.c.closed,
    )
    with site.database.reading() as rows:
        return listed(rows, query, _ACCOUNTS, t.ACCOUNTS.c.account_id, wanted)
