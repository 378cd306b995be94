"""Accounts and what lets somebody in: sessions, invitations and tokens, all kept as hashes."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from fastapi import Path as PathParameter
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from eyechart.database import Database, now
from eyechart.database import accounts as t
from eyechart.errors import UsageError
from eyechart.web.ui.auditing import record
from eyechart.web.ui.passwords import digest, hashed, new_token, weakness

__all__ = [
    "KEY",
    "ROLES",
    "SCOPES",
    "Account",
    "account_of_session",
    "account_of_token",
    "all_accounts",
    "close_account",
    "create_account",
    "create_token",
    "end_session",
    "end_sessions",
    "find_account",
    "first_administrator",
    "invitation_role",
    "invite",
    "linked_account",
    "start_session",
    "use_invitation",
]

ROLES = ("admin", "requester", "worker", "participant")
"""From who may do everything to who hands in results."""
SCOPES = ("read", "write")
KEY = PathParameter(ge=1, lt=2**31)
"""What the database can hold as a row's number, for parameters in paths."""
SESSION_LASTS = timedelta(days=14)
INVITATION_LASTS = timedelta(days=7)
_LOGIN = re.compile(r"[\w.@+-]{2,120}")


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who is signed in.

    >>> Account(1, "ada", "worker").scopes
    ('read', 'write')
    """

    account_id: int
    login: str
    role: str
    scopes: tuple[str, ...] = SCOPES


_COLUMNS = (t.ACCOUNTS.c.account_id, t.ACCOUNTS.c.login, t.ACCOUNTS.c.role)


def create_account(rows: Connection, login: str, role: str, password: str | None = None) -> Account:
    """A new account; without a password, only a link lets somebody in."""
    if role not in ROLES:
        raise UsageError(f"role {role!r}: found no such role, expected one of {', '.join(ROLES)}; choose one")
    if not _LOGIN.fullmatch(login):
        raise UsageError(
            f"The login {login[:40]!r} cannot be used; choose 2 to 120 letters, digits and the signs . @ + - _ ."
        )
    problem = "" if password is None else weakness(password, login)
    if problem:
        raise UsageError(problem)
    kept = None if password is None else hashed(password)
    values = {"login": login, "role": role, "password_hash": kept, "created": now(), "closed": False}
    try:
        with rows.begin_nested():
            made = rows.execute(insert(t.ACCOUNTS).values(values).returning(*_COLUMNS)).one()
    except IntegrityError:
        raise UsageError(f"The login {login!r} is taken; choose another.") from None
    return Account(*made)


def linked_account(rows: Connection, name: str) -> Account:
    """The account of a worker who comes by signed links only, made at the first visit; nobody can sign in to it."""
    login = f"~{name}"
    values = {"login": login, "role": "worker", "password_hash": None, "created": now(), "closed": False}
    try:
        with rows.begin_nested():
            return Account(*rows.execute(insert(t.ACCOUNTS).values(values).returning(*_COLUMNS)).one())
    except IntegrityError:
        found = find_account(rows, login)
    if found is None:
        raise UsageError("This account is closed; ask whoever gave you the link.")
    return found[0]


def find_account(rows: Connection, login: str) -> tuple[Account, str | None] | None:
    """An open account by its login, with the hash of its password."""
    query = select(*_COLUMNS, t.ACCOUNTS.c.password_hash).where(
        t.ACCOUNTS.c.login == login, t.ACCOUNTS.c.closed.is_(False)
    )
    found = rows.execute(query).one_or_none()
    return None if found is None else (Account(*found[:3]), found[3])


def all_accounts(rows: Connection) -> list[dict[str, str]]:
    """Every account, for lists."""
    found = rows.execute(select(t.ACCOUNTS).order_by(t.ACCOUNTS.c.login))
    return [
        {
            "login": row.login,
            "role": row.role,
            "since": row.created.strftime("%Y-%m-%d"),
            "open": "no" if row.closed else "yes",
        }
        for row in found
    ]


def close_account(rows: Connection, login: str) -> None:
    """Nobody comes in by this account any more; what it did stays."""
    query = update(t.ACCOUNTS).where(t.ACCOUNTS.c.login == login).values(closed=True).returning(t.ACCOUNTS.c.account_id)
    found = rows.execute(query).scalar_one_or_none()
    if found is None:
        raise UsageError(f"account {login!r}: found none of this login, expected an existing one; list them first")
    rows.execute(delete(t.SESSIONS).where(t.SESSIONS.c.account_id == found))
    rows.execute(update(t.API_TOKENS).where(t.API_TOKENS.c.account_id == found).values(revoked=True))


def start_session(rows: Connection, account: Account, lasts: timedelta = SESSION_LASTS) -> str:
    """Let somebody in; the secret goes into a cookie and is kept nowhere."""
    token, moment = new_token(), now()
    rows.execute(delete(t.SESSIONS).where(t.SESSIONS.c.expires < moment))
    rows.execute(
        insert(t.SESSIONS).values(
            token_hash=digest(token), account_id=account.account_id, created=moment, expires=moment + lasts
        )
    )
    return token


def end_sessions(rows: Connection, account: Account) -> None:
    """Sign an account out everywhere."""
    rows.execute(delete(t.SESSIONS).where(t.SESSIONS.c.account_id == account.account_id))


def end_session(rows: Connection, token: str) -> None:
    """Sign out."""
    rows.execute(delete(t.SESSIONS).where(t.SESSIONS.c.token_hash == digest(token)))


def account_of_session(rows: Connection, token: str) -> Account | None:
    """Whose session this is."""
    query = (
        select(*_COLUMNS)
        .join(t.SESSIONS, t.SESSIONS.c.account_id == t.ACCOUNTS.c.account_id)
        .where(
            t.SESSIONS.c.token_hash == digest(token),
            t.SESSIONS.c.expires > now(),
            t.ACCOUNTS.c.closed.is_(False),
        )
    )
    found = rows.execute(query).one_or_none()
    return None if found is None else Account(*found)


def create_token(
    rows: Connection, account: Account, name: str, scopes: tuple[str, ...], lasts: timedelta | None
) -> str:
    """A secret by which a program acts for an account, within scopes and for a while."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        raise UsageError(f"scopes: found {', '.join(unknown) or 'none'}, expected some of {', '.join(SCOPES)}")
    token = new_token()
    rows.execute(
        insert(t.API_TOKENS).values(
            account_id=account.account_id,
            name=name,
            token_hash=digest(token),
            scopes=list(scopes),
            created=now(),
            expires=None if lasts is None else now() + lasts,
            revoked=False,
        )
    )
    record(rows, account.account_id, "create token", name, scopes=list(scopes))
    return token


def account_of_token(rows: Connection, token: str) -> Account | None:
    """Whose program this is, and what it may do."""
    kept = t.API_TOKENS.c
    query = (
        select(*_COLUMNS, kept.scopes, kept.expires)
        .join(t.API_TOKENS, kept.account_id == t.ACCOUNTS.c.account_id)
        .where(kept.token_hash == digest(token), kept.revoked.is_(False), t.ACCOUNTS.c.closed.is_(False))
    )
    found = rows.execute(query).one_or_none()
    if found is None or (found.expires is not None and found.expires <= now()):
        return None
    return Account(found.account_id, found.login, found.role, tuple(found.scopes))


def invite(rows: Connection, role: str, by: int | None, lasts: timedelta = INVITATION_LASTS) -> str:
    """The secret of a link that makes one account."""
    if role not in ROLES:
        raise UsageError(f"role {role!r}: found no such role, expected one of {', '.join(ROLES)}; choose one")
    token, moment = new_token(), now()
    rows.execute(
        insert(t.INVITATIONS).values(
            token_hash=digest(token), role=role, invited_by=by, created=moment, expires=moment + lasts
        )
    )
    record(rows, by, "invite", role)
    return token


def first_administrator(database: Database) -> str:
    """The secret of a link for whoever runs the site, as long as nobody does; empty afterwards."""
    with database.writing() as rows:
        known = (
            select(t.ACCOUNTS.c.account_id).where(t.ACCOUNTS.c.role == "admin", t.ACCOUNTS.c.closed.is_(False)).limit(1)
        )
        return "" if rows.execute(known).first() else invite(rows, "admin", None)


def invitation_role(rows: Connection, token: str, at: datetime | None = None) -> str | None:
    """The role that a link gives; none if it was used or is too old."""
    kept = t.INVITATIONS.c
    query = select(kept.role).where(
        kept.token_hash == digest(token), kept.used_by.is_(None), kept.expires > (at or now())
    )
    return rows.execute(query.with_for_update()).scalar_one_or_none()


def use_invitation(rows: Connection, token: str, login: str, password: str) -> Account | None:
    """Make the account of a link; none if it was used meanwhile."""
    role = invitation_role(rows, token)
    if role is None:
        return None
    account = create_account(rows, login, role, password)
    rows.execute(
        update(t.INVITATIONS).where(t.INVITATIONS.c.token_hash == digest(token)).values(used_by=account.account_id)
    )
    record(rows, account.account_id, "accept invitation", login, role=role)
    return account
