"""Teams: who hands in together and shares a quota. One team per person and challenge; people join by invitation."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from eyechart.challenge.texts import one_line
from eyechart.database import accounts, now
from eyechart.database import challenges as t
from eyechart.errors import UsageError

__all__ = ["found_team", "invitations_to", "invite", "join", "leave", "listed", "members_of"]

_MOST_MEMBERS = 50
_LONGEST = 80


def found_team(rows: Connection, challenge_id: int, account_id: int, name: str) -> int:
    """A new team, with its founder in it."""
    shown = one_line(name, "the team's name", most=_LONGEST)
    try:
        with rows.begin_nested():
            team_id: int = rows.execute(
                insert(t.TEAMS)
                .values(challenge_id=challenge_id, name=shown, key=_key(shown), created=now(), barred=False)
                .returning(t.TEAMS.c.team_id)
            ).scalar_one()
            _enter(rows, challenge_id, account_id, team_id)
    except IntegrityError:
        if _team_id(rows, challenge_id, account_id) is not None:
            raise UsageError("You are in a team of this challenge already; leave it first to found another.") from None
        raise UsageError(f"Another team is called {shown!r}; choose another name.") from None
    return team_id


def invite(rows: Connection, team_id: int, login: str) -> None:
    """Let somebody join; whether there is such an account is not told."""
    named = one_line(login, "the login", most=120)
    count = rows.execute(select(func.count()).where(t.INVITED.c.team_id == team_id)).scalar_one()
    if count >= _MOST_MEMBERS:
        raise UsageError(f"A team invites at most {_MOST_MEMBERS} people; take an invitation back first.")
    already = (t.INVITED.c.team_id == team_id) & (t.INVITED.c.login == named)
    if rows.execute(select(t.INVITED).where(already)).first() is None:
        rows.execute(insert(t.INVITED).values(team_id=team_id, login=named, invited=now()))


def invitations_to(rows: Connection, challenge_id: int, account_id: int) -> list[Mapping[Any, Any]]:
    """The teams that somebody may join."""
    query = (
        select(t.TEAMS)
        .join(t.INVITED, t.INVITED.c.team_id == t.TEAMS.c.team_id)
        .join(accounts.ACCOUNTS, accounts.ACCOUNTS.c.login == t.INVITED.c.login)
        .where(t.TEAMS.c.challenge_id == challenge_id, accounts.ACCOUNTS.c.account_id == account_id)
        .order_by(t.TEAMS.c.team_id)
    )
    return list(rows.execute(query).mappings())


def listed(rows: Connection, challenge_id: int) -> list[Mapping[Any, Any]]:
    """The teams of a challenge, by name."""
    query = select(t.TEAMS).where(t.TEAMS.c.challenge_id == challenge_id).order_by(t.TEAMS.c.key)
    return list(rows.execute(query).mappings())


def join(rows: Connection, challenge_id: int, account_id: int, team_id: int) -> None:
    """Accept an invitation."""
    if team_id not in {team["team_id"] for team in invitations_to(rows, challenge_id, account_id)}:
        raise UsageError("This team has not invited you; ask one of its members to.")
    try:
        with rows.begin_nested():
            _enter(rows, challenge_id, account_id, team_id)
    except IntegrityError:
        raise UsageError("You are in a team of this challenge already; leave it first to join another.") from None
    login = select(accounts.ACCOUNTS.c.login).where(accounts.ACCOUNTS.c.account_id == account_id).scalar_subquery()
    rows.execute(delete(t.INVITED).where(t.INVITED.c.team_id == team_id, t.INVITED.c.login == login))


def leave(rows: Connection, challenge_id: int, account_id: int) -> None:
    """Leave a team; not after it has handed something in, or one person could use the quotas of many teams."""
    team_id = _team_id(rows, challenge_id, account_id)
    if team_id is None:
        raise UsageError("You are in no team of this challenge.")
    if rows.execute(select(t.SUBMISSIONS.c.submission_id).where(t.SUBMISSIONS.c.team_id == team_id)).first():
        raise UsageError("Your team has handed in results, so its members stay; write to the hosts about a change.")
    rows.execute(
        delete(t.MEMBERS).where(t.MEMBERS.c.challenge_id == challenge_id, t.MEMBERS.c.account_id == account_id)
    )
    if not members_of(rows, team_id):
        rows.execute(delete(t.TEAMS).where(t.TEAMS.c.team_id == team_id))


def members_of(rows: Connection, team_id: int) -> list[str]:
    """The logins of a team."""
    query = (
        select(accounts.ACCOUNTS.c.login)
        .join(t.MEMBERS, t.MEMBERS.c.account_id == accounts.ACCOUNTS.c.account_id)
        .where(t.MEMBERS.c.team_id == team_id)
        .order_by(t.MEMBERS.c.joined)
    )
    return list(rows.execute(query).scalars())


def _enter(rows: Connection, challenge_id: int, account_id: int, team_id: int) -> None:
    rows.execute(
        insert(t.MEMBERS).values(challenge_id=challenge_id, account_id=account_id, team_id=team_id, joined=now())
    )


def _team_id(rows: Connection, challenge_id: int, account_id: int) -> int | None:
    where = (t.MEMBERS.c.challenge_id == challenge_id) & (t.MEMBERS.c.account_id == account_id)
    found: int | None = rows.execute(select(t.MEMBERS.c.team_id).where(where)).scalar_one_or_none()
    return found


def _key(name: str) -> str:
    """A name as it is compared: names that look alike in case, width or spaces are one.

    >>> _key("The  Cats") == _key("the cats")
    True
    """
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()[:_LONGEST]
