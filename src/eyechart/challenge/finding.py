"""Challenges, tracks and phases by their names, and who somebody is to a challenge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from eyechart.challenge.viewing import ShownSplit
from eyechart.database import accounts
from eyechart.database import challenges as t
from eyechart.errors import UnknownNameError
from eyechart.registry import did_you_mean

__all__ = [
    "NOBODY",
    "Viewer",
    "find_challenge",
    "find_phase",
    "find_track",
    "is_host",
    "listed",
    "phases_of",
    "team_of",
]

Row = Mapping[Any, Any]
"""A row by the names of its columns."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: somebody who is signed in, or nobody in particular."""

    account_id: int | None = None
    admin: bool = False


NOBODY = Viewer()
"""A visitor."""


def listed(rows: Connection) -> list[Row]:
    """All challenges, the newest first."""
    order = (t.CHALLENGES.c.created.desc(), t.CHALLENGES.c.challenge_id.desc())
    return list(rows.execute(select(t.CHALLENGES).order_by(*order)).mappings())


def find_challenge(rows: Connection, slug: str) -> Row:
    """A challenge by its name."""
    found = rows.execute(select(t.CHALLENGES).where(t.CHALLENGES.c.slug == slug)).mappings().one_or_none()
    if found is None:
        raise UnknownNameError(f"There is no challenge called {slug[:60]!r}; choose one of the list.")
    return found


def find_track(rows: Connection, challenge_id: int, slug: str) -> Row:
    """A track of a challenge by its name."""
    where = (t.TRACKS.c.challenge_id == challenge_id) & (t.TRACKS.c.slug == slug)
    found = rows.execute(select(t.TRACKS).where(where)).mappings().one_or_none()
    if found is None:
        raise UnknownNameError(f"This challenge has no track called {slug[:60]!r}; choose one of its tracks.")
    return found


def find_phase(rows: Connection, track_id: int, slug: str) -> Row:
    """A phase of a track by its name."""
    where = (t.PHASES.c.track_id == track_id) & (t.PHASES.c.slug == slug)
    found = rows.execute(select(t.PHASES).where(where)).mappings().one_or_none()
    if found is None:
        raise UnknownNameError(f"This track has no phase called {slug[:60]!r}; choose one of its phases.")
    return found


def phases_of(rows: Connection, challenge_id: int) -> list[tuple[Row, list[Row]]]:
    """The tracks of a challenge, each with its phases."""
    tracks = rows.execute(
        select(t.TRACKS).where(t.TRACKS.c.challenge_id == challenge_id).order_by(t.TRACKS.c.position)
    ).mappings()
    of_track = select(t.PHASES).order_by(t.PHASES.c.position)
    return [
        (track, list(rows.execute(of_track.where(t.PHASES.c.track_id == track["track_id"])).mappings()))
        for track in tracks.all()
    ]


def splits_of(rows: Connection, phase_id: int) -> list[ShownSplit]:
    """The splits that a phase is scored on and who sees their scores, in the order of the track."""
    query = (
        select(t.SPLITS.c.slug, t.VISIBILITIES.c.visibility, t.SPLITS.c.questions)
        .join(t.VISIBILITIES, t.VISIBILITIES.c.split_id == t.SPLITS.c.split_id)
        .where(t.VISIBILITIES.c.phase_id == phase_id)
        .order_by(t.SPLITS.c.position)
    )
    return [ShownSplit(*row) for row in rows.execute(query)]


def is_host(rows: Connection, challenge_id: int, viewer: Viewer) -> bool:
    """Whether somebody runs this challenge."""
    if viewer.account_id is None:
        return False
    where = (t.HOSTS.c.challenge_id == challenge_id) & (t.HOSTS.c.account_id == viewer.account_id)
    return viewer.admin or rows.execute(select(t.HOSTS).where(where)).first() is not None


def team_of(rows: Connection, challenge_id: int, viewer: Viewer) -> Row | None:
    """The team in which somebody takes part, if any."""
    mine = (t.MEMBERS.c.challenge_id == challenge_id) & (t.MEMBERS.c.account_id == viewer.account_id)
    query = select(t.TEAMS).join(t.MEMBERS, t.MEMBERS.c.team_id == t.TEAMS.c.team_id).where(mine)
    return None if viewer.account_id is None else rows.execute(query).mappings().one_or_none()


def team_called(rows: Connection, challenge_id: int, name: str) -> int:
    """A team by its name, to the letter."""
    where = (t.TEAMS.c.challenge_id == challenge_id) & (t.TEAMS.c.name == name)
    found: int | None = rows.execute(select(t.TEAMS.c.team_id).where(where)).scalar_one_or_none()
    if found is None:
        known = rows.execute(select(t.TEAMS.c.name).where(t.TEAMS.c.challenge_id == challenge_id)).scalars()
        raise UnknownNameError(f"This challenge has no team called {name[:80]!r}: {did_you_mean(name, known)}.")
    return found


def account_called(rows: Connection, login: str) -> int:
    """An account by its login."""
    found: int | None = rows.execute(
        select(accounts.ACCOUNTS.c.account_id).where(accounts.ACCOUNTS.c.login == login)
    ).scalar_one_or_none()
    if found is None:
        raise UnknownNameError(f"There is no account called {login[:120]!r}; make it first (eyechart accounts).")
    return found
