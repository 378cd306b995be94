"""Who asks, and for what: names in addresses become rows, and what somebody may not see is not there."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Query
from sqlalchemy import Connection

from eyechart.challenge import Audience, Viewer, finding, submitting
from eyechart.web.ui import Account, RefusalError, accounts

__all__ = [
    "Asked",
    "Key",
    "Name",
    "Order",
    "Place",
    "There",
    "audience_of",
    "challenge_of_host",
    "submission_seen",
    "viewer",
]

Row = Any  # a row by the names of its columns

Name = Annotated[str, Path(max_length=60)]
Key = Annotated[int, accounts.KEY]
"""What the database can hold as a row's number."""


@dataclass(frozen=True, slots=True)
class Place:
    """A phase by the names in an address."""

    challenge: Name
    track: Name
    phase: Name

    @property
    def path(self) -> str:
        """Its address."""
        return f"/challenges/{self.challenge}/{self.track}/{self.phase}"

    def found(self, rows: Connection) -> tuple[Row, Row, Row]:
        """The challenge, its track and the track's phase."""
        challenge = finding.find_challenge(rows, self.challenge)
        track = finding.find_track(rows, challenge["challenge_id"], self.track)
        return challenge, track, finding.find_phase(rows, track["track_id"], self.phase)


There = Annotated[Place, Depends()]
"""The phase in an address, as a parameter of a handler."""


@dataclass(frozen=True, slots=True)
class Order:
    """How a board is sorted and told apart."""

    by: Annotated[str, Query(max_length=60, description="The column of questions to tell numbers apart by.")] = ""
    sort: Annotated[str, Query(max_length=400, description="A column's key, team, method or rank.")] = ""
    order: Annotated[str, Query(pattern="^(asc|desc)?$", description="asc or desc.")] = ""


Asked = Annotated[Order, Depends()]
"""How a board is asked for, as a parameter of a handler."""

_NO_SUBMISSION = "There is no such submission, or it is not for you to see."


def viewer(account: Account | None) -> Viewer:
    """Who somebody is to challenges."""
    return Viewer() if account is None else Viewer(account.account_id, account.role == "admin")


def challenge_of_host(rows: Connection, challenge: str, account: Account) -> Row:
    """A challenge that this account runs."""
    found = finding.find_challenge(rows, challenge)
    if not finding.is_host(rows, found["challenge_id"], viewer(account)):
        raise RefusalError(403, "This page is for the hosts of the challenge; ask one of them.")
    return found


def audience_of(rows: Connection, found: Row, account: Account | None) -> Audience | None:
    """As whom somebody looks at a submission; None if it is not there for them."""
    who = viewer(account)
    if finding.is_host(rows, found["challenge_id"], who):
        return "host"
    team = finding.team_of(rows, found["challenge_id"], who)
    if team is not None and team["team_id"] == found["team_id"]:
        return "team"
    shown = found["public"] and found["state"] == "scored" and not found["team_barred"]
    return "public" if shown else None


def submission_seen(rows: Connection, number: int, account: Account | None) -> tuple[Row, Audience]:
    """A submission and as whom this account sees it."""
    found = submitting.submission(rows, number)
    audience = None if found is None else audience_of(rows, found, account)
    if found is None or audience is None:
        raise RefusalError(404, _NO_SUBMISSION)
    return found, audience
