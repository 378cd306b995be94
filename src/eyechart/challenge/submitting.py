"""Handing results in: a file and what is said about it become a submission, a slot of the quota and a job, at once."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, insert, select, update

from eyechart.challenge.files import Files
from eyechart.challenge.finding import Row
from eyechart.challenge.quotas import free_slot, next_slot, take_slot
from eyechart.challenge.texts import link, one_line, paragraphs
from eyechart.database import Database, jobs, now
from eyechart.database import challenges as t
from eyechart.errors import UsageError

__all__ = [
    "JOB",
    "MOST_BYTES",
    "Method",
    "check_open",
    "job_of",
    "show",
    "submission",
    "submit",
    "submit_people",
    "withdraw",
]

JOB = "score a submission"
MOST_BYTES = 256 << 20
"""The largest result file, unpacked."""


@dataclass(frozen=True, slots=True)
class Method:
    """What participants say about a result.

    >>> Method("MCB + attention", public=True).checked().name
    'MCB + attention'
    """

    name: str
    about: str = ""
    link: str = ""
    members: str = ""
    external_data: str = ""
    public: bool = False
    """Whether it may stand on the board."""

    def checked(self) -> "Method":
        """The same, after everything in it was found fit to be kept and shown."""
        return Method(
            one_line(self.name, "the method's name", most=120),
            paragraphs(self.about, "the description", most=4000),
            link(self.link, "the reference", most=500),
            one_line(self.members, "the people", most=500, required=False),
            paragraphs(self.external_data, "the external data", most=1000),
            self.public,
        )

    def columns(self) -> dict[str, object]:
        """As the database keeps it."""
        return {
            "method": self.name,
            "about": self.about,
            "link": self.link,
            "members": self.members,
            "external_data": self.external_data,
            "public": self.public,
        }


def check_open(phase: Row, at: datetime) -> None:
    """Refuse what comes too early or too late."""
    if phase["opens"] is not None and at < phase["opens"]:
        raise UsageError(f"{phase['title']} opens on {_said(phase['opens'])}; hand in from then on.")
    if phase["closes"] is not None and at >= phase["closes"]:
        raise UsageError(f"{phase['title']} closed on {_said(phase['closes'])}; it takes nothing any more.")


def submit(
    database: Database,
    files: Files,
    phase_id: int,
    upload: Path,
    method: Method,
    *,
    name: str,
    account_id: int | None,
    team_id: int | None,
    kind: str = "entry",
    once: str | None = None,
    at: datetime | None = None,
) -> int:
    """Take a result file; returns the submission's number.

    The same ``once`` from the same account is the same submission, so whoever hears no answer may send it again. A host
    hands in without a team, as often as needed.
    """
    checked = method.checked()
    shown = one_line(name, "the file's name", most=200, required=False)
    key = None if once is None else f"{account_id}:{once}"[:80]
    if (before := _sent_before(database, key)) is not None:
        return before
    _refuse_early(database, phase_id, team_id, kind, at)
    file = files.keep(upload, most=MOST_BYTES)
    size = files.path(file).stat().st_size
    with database.writing() as rows:
        moment = at or now()
        phase = rows.execute(select(t.PHASES).where(t.PHASES.c.phase_id == phase_id)).mappings().one()
        if team_id is not None:
            team = rows.execute(select(t.TEAMS).where(t.TEAMS.c.team_id == team_id).with_for_update()).mappings().one()
            if team["barred"]:
                raise UsageError("The hosts have barred your team from handing in; write to them.")
            check_open(phase, moment)
        if key is not None and (before := _with_key(rows, key)) is not None:
            return before
        submission_id = _add(
            rows,
            {"phase_id": phase_id, "team_id": team_id, "account_id": account_id, "once": key, "kind": kind}
            | {"created": moment, "file": file, "file_name": shown, "file_size": size}
            | checked.columns(),
        )
        if team_id is not None:
            take_slot(rows, phase_id, team_id, submission_id, moment)
        jobs.enqueue(rows, JOB, str(submission_id))
    return submission_id


def submit_people(rows: Connection, phase_id: int) -> int:
    """A row for the people whose answers are compared with; scored like any other."""
    said = Method("People", "The people whose answers the results are compared with, each against the others.")
    values = {"phase_id": phase_id, "kind": "human", "created": now(), "file_name": "", "file_size": 0}
    submission_id = _add(rows, values | said.columns() | {"public": True})
    jobs.enqueue(rows, JOB, str(submission_id))
    return submission_id


def submission(rows: Connection, submission_id: int) -> Row | None:
    """A submission with its phase, track, challenge and team, by its number."""
    query = (
        select(
            t.SUBMISSIONS,
            t.PHASES.c.slug.label("phase"),
            t.PHASES.c.title.label("phase_title"),
            t.TRACKS.c.track_id,
            t.TRACKS.c.slug.label("track"),
            t.TRACKS.c.title.label("track_title"),
            t.TRACKS.c.metrics,
            t.TRACKS.c.groups,
            t.CHALLENGES.c.challenge_id,
            t.CHALLENGES.c.slug.label("challenge"),
            t.CHALLENGES.c.title.label("challenge_title"),
            t.TEAMS.c.name.label("team"),
            t.TEAMS.c.barred.label("team_barred"),
        )
        .select_from(t.SUBMISSIONS.join(t.PHASES).join(t.TRACKS).join(t.CHALLENGES).outerjoin(t.TEAMS, _ITS_TEAM))
        .where(t.SUBMISSIONS.c.submission_id == submission_id)
    )
    return rows.execute(query).mappings().one_or_none()


_ITS_TEAM = t.TEAMS.c.team_id == t.SUBMISSIONS.c.team_id


def job_of(rows: Connection, submission_id: int) -> Row | None:
    """How far the scoring of a submission is."""
    of_it = (jobs.JOBS.c.kind == JOB) & (jobs.JOBS.c.subject == str(submission_id))
    return rows.execute(select(jobs.JOBS).where(of_it)).mappings().one_or_none()


def show(rows: Connection, submission_id: int, *, public: bool) -> None:
    """Let an entry stand on the board, or take it off."""
    rows.execute(update(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).values(public=public))


def withdraw(rows: Connection, submission_id: int, *, by_host: bool) -> None:
    """Take a submission back: it leaves the boards for good.

    What waits is not scored. Its slot is free again only where the hosts took it back before it was scored: a score
    that was seen has been paid for.
    """
    found = rows.execute(
        select(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).with_for_update()
    ).mappings()
    state = found.one()["state"]
    if state == "cancelled":
        return
    jobs.call_off(rows, JOB, str(submission_id))
    if by_host and state == "queued":
        free_slot(rows, submission_id)
    gone = {"state": "cancelled", "ended": now()}
    rows.execute(update(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).values(**gone))


def _add(rows: Connection, values: dict[str, object]) -> int:
    fresh = {"state": "queued", "problems": [], "made_with": {}}
    added: int = rows.execute(
        insert(t.SUBMISSIONS).values(**fresh | values).returning(t.SUBMISSIONS.c.submission_id)
    ).scalar_one()
    return added


def _refuse_early(database: Database, phase_id: int, team_id: int | None, kind: str, at: datetime | None) -> None:
    """Refuse before a file is kept what would be refused afterwards."""
    with database.reading() as rows:
        phase = rows.execute(select(t.PHASES).where(t.PHASES.c.phase_id == phase_id)).mappings().one()
        if team_id is None:
            if kind == "entry":
                raise UsageError("Results are handed in by teams; found one, or join one, first.")
            return
        check_open(phase, at or now())
        next_slot(rows, phase_id, team_id, at or now())


def _sent_before(database: Database, key: str | None) -> int | None:
    if key is None:
        return None
    with database.reading() as rows:
        return _with_key(rows, key)


def _with_key(rows: Connection, key: str) -> int | None:
    found: int | None = rows.execute(
        select(t.SUBMISSIONS.c.submission_id).where(t.SUBMISSIONS.c.once == key)
    ).scalar_one_or_none()
    return found


def _said(moment: datetime) -> str:
    return f"{moment:%d %B %Y at %H:%M} UTC"
