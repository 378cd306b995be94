"""``eyechart accounts``: who may sign in to the web application."""

import getpass
import sys
from datetime import timedelta
from typing import Any

from cyclopts import App

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.cli.site import Site, needed
from eyechart.errors import UsageError

__all__ = ["accounts"]

accounts = App(name="accounts", help="Say who may sign in to the web application.")


def _site(site: Site) -> Any:  # a Site of web, imported only when asked for
    web = needed()
    return web.application(web.Settings(folder=site.data, database=site.database)).state.site


@accounts.command
def add(login: str, role: str, /, *, site: Site = Site()) -> None:  # frozen
    """Make an account; the password is asked for, or read from standard input.

    Parameters
    ----------
    login
        What its owner signs in with.
    role
        admin, requester, worker or participant.
    """
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    here = _site(site)
    with here.database.writing() as rows:
        needed().accounts.create_account(rows, login, role, password)
    print(f"{login} may sign in as {role}.")


@accounts.command
def invite(role: str, /, *, address: str = "http://127.0.0.1:8000", site: Site = Site()) -> None:  # frozen
    """Print a link with which one person makes an account within a week.

    Parameters
    ----------
    role
        admin, requester, worker or participant.
    address
        How people reach the site.
    """
    here = _site(site)
    with here.database.writing() as rows:
        token = needed().accounts.invite(rows, role, None)
    print(f"{address.rstrip('/')}/invitations/{token}")


@accounts.command(name="list")
def list_accounts(*, site: Site = Site(), speech: Speech = Speech()) -> None:  # frozen
    """List the accounts."""
    here = _site(site)
    with here.database.reading() as rows:
        found = needed().accounts.all_accounts(rows)
    if speech.json:
        print_json({"accounts": found})
        return
    print(columns([list(each.values()) for each in found], head=("login", "role", "since", "open")))


@accounts.command
def close(login: str, /, *, site: Site = Site()) -> None:  # frozen
    """Close an account: nobody comes in by it any more, and what it did stays.

    Parameters
    ----------
    login
        Whose.
    """
    here = _site(site)
    with here.database.writing() as rows:
        needed().accounts.close_account(rows, login)
    print(f"{login} is closed.")


@accounts.command
def token(
    login: str, /, *, name: str = "command line", days: int = 90, write: bool = False, site: Site = Site()
) -> None:  # frozen
    """Print a token by which a program acts for an account; it is shown this once.

    Parameters
    ----------
    login
        Whose.
    name
        What it is for.
    days
        When it expires.
    write
        Whether it may change things.
    """
    here, doors = _site(site), needed().accounts
    scopes = ("read", "write") if write else ("read",)
    with here.database.writing() as rows:
        found = doors.find_account(rows, login)
        if found is None:
            raise UsageError(f"account {login!r}: found none of this login, expected an open one; list them first")
        print(doors.create_token(rows, found[0], name, scopes, timedelta(days=days)))
