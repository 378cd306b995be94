"""How often a team may hand in: a ledger of numbered slots, in which no number is given twice.

A submission takes the lowest free number of its day and of the phase, so a quota of five has the numbers 1 to 5 and
there is no sixth, however many uploads arrive at once. A file that cannot be scored moves to the ledger of failures,
which has numbers of its own; once those are used up, failures count as results, so probing with broken files is not
free. Days are those of UTC.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Row, delete, insert, select, update

from eyechart.database import challenges as t
from eyechart.errors import UsageError

__all__ = ["Left", "day_of", "fail_slot", "free_slot", "left", "next_slot", "take_slot"]

_ACCEPTED, _FAILED = "accepted", "failed"


@dataclass(frozen=True, slots=True)
class Left:
    """What a team may still hand in; None is no limit."""

    today: int | None
    in_all: int | None
    failures_today: int

    @property
    def anything(self) -> bool:
        """Whether another file is taken now."""
        return self.today != 0 and self.in_all != 0 and self.failures_today > 0


def day_of(moment: datetime) -> str:
    """The day of a moment, in UTC.

    >>> day_of(datetime(2026, 3, 1, 1, 30, tzinfo=__import__("datetime").timezone(timedelta(hours=2))))
    '2026-02-28'
    """
    return moment.astimezone(UTC).date().isoformat()


def left(rows: Connection, phase_id: int, team_id: int, at: datetime) -> Left:
    """How many submissions a team has left."""
    limits = _limits(rows, phase_id)
    used = {kind: _used(rows, phase_id, team_id, kind) for kind in (_ACCEPTED, _FAILED)}
    today = [slot for slot in used[_ACCEPTED] if slot.day == day_of(at)]
    failed = [slot for slot in used[_FAILED] if slot.day == day_of(at)]
    return Left(
        None if limits.per_day is None else max(0, limits.per_day - len(today)),
        None if limits.total is None else max(0, limits.total - len(used[_ACCEPTED])),
        max(0, limits.failed_per_day - len(failed)),
    )


def take_slot(rows: Connection, phase_id: int, team_id: int, submission_id: int, at: datetime) -> None:
    """Give a submission its numbers, or refuse as :func:`next_slot` does.

    Whoever calls holds the team's row, so that others of the team wait; the unique keys would stop them anyway.
    """
    numbers = next_slot(rows, phase_id, team_id, at)
    owner = {"submission_id": submission_id, "phase_id": phase_id, "team_id": team_id}
    rows.execute(insert(t.QUOTA_SLOTS).values(**owner, **numbers))


def next_slot(rows: Connection, phase_id: int, team_id: int, at: datetime) -> dict[str, object]:
    """The numbers that a submission would get now, or a refusal in a sentence that says when there are new ones."""
    limits = _limits(rows, phase_id)
    used, failed = (_used(rows, phase_id, team_id, kind) for kind in (_ACCEPTED, _FAILED))
    today = day_of(at)
    in_day = _lowest_free({slot.in_day for slot in used if slot.day == today})
    in_all = _lowest_free({slot.in_all for slot in used})
    if limits.total is not None and in_all > limits.total:
        raise UsageError(
            f"Your team has used all {limits.total} submissions of this phase; what it handed in stays as it is."
        )
    if limits.per_day is not None and in_day > limits.per_day:
        raise UsageError(
            f"Your team has used its {limits.per_day} submissions of today; there are new ones at 00:00 UTC, in "
            f"{_until_tomorrow(at)}."
        )
    if sum(slot.day == today for slot in failed) >= limits.failed_per_day:
        raise UsageError(
            f"Your team handed in {limits.failed_per_day} files today that could not be scored, as many as a day has; "
            f"try again at 00:00 UTC, in {_until_tomorrow(at)}."
        )
    return {"kind": _ACCEPTED, "day": today, "in_day": in_day, "in_all": in_all}


def fail_slot(rows: Connection, submission_id: int) -> None:
    """Move a submission that could not be scored to the failures of its day, if there is room among them."""
    found = (
        rows.execute(select(t.QUOTA_SLOTS).where(t.QUOTA_SLOTS.c.submission_id == submission_id))
        .mappings()
        .one_or_none()
    )
    if found is None:
        return
    limits = _limits(rows, found["phase_id"])
    _lock_team(rows, found["team_id"])
    failed = _used(rows, found["phase_id"], found["team_id"], _FAILED)
    in_day = _lowest_free({slot.in_day for slot in failed if slot.day == found["day"]})
    if in_day <= limits.failed_per_day:
        numbers = {"kind": _FAILED, "in_day": in_day, "in_all": _lowest_free({slot.in_all for slot in failed})}
        rows.execute(update(t.QUOTA_SLOTS).where(t.QUOTA_SLOTS.c.submission_id == submission_id).values(**numbers))


def free_slot(rows: Connection, submission_id: int) -> None:
    """Give a submission's numbers back: it failed through no fault of the team."""
    rows.execute(delete(t.QUOTA_SLOTS).where(t.QUOTA_SLOTS.c.submission_id == submission_id))


def _limits(rows: Connection, phase_id: int) -> Row[int | None, int | None, int]:
    columns = (t.PHASES.c.per_day, t.PHASES.c.total, t.PHASES.c.failed_per_day)
    return rows.execute(select(*columns).where(t.PHASES.c.phase_id == phase_id)).one()


def _used(rows: Connection, phase_id: int, team_id: int, kind: str) -> Sequence[Row[str, int, int]]:
    slots = t.QUOTA_SLOTS.c
    of_team = (slots.phase_id == phase_id) & (slots.team_id == team_id) & (slots.kind == kind)
    return rows.execute(select(slots.day, slots.in_day, slots.in_all).where(of_team)).all()


def _lock_team(rows: Connection, team_id: int) -> None:
    rows.execute(select(t.TEAMS.c.team_id).where(t.TEAMS.c.team_id == team_id).with_for_update()).one()


def _lowest_free(taken: Collection[int]) -> int:
    number = 1
    while number in taken:
        number += 1
    return number


def _until_tomorrow(at: datetime) -> str:
    now = at.astimezone(UTC)
    midnight = datetime(now.year, now.month, now.day, tzinfo=UTC) + timedelta(days=1)
    minutes = max(1, round((midnight - now).total_seconds() / 60))
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"  # noqa: PLR2004  # of an hour
