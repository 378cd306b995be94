"""Work that must be done once, whoever dies: rows that a process leases, renews while it works, and crosses off.

A job is claimed for a short time and the claim is renewed by a heartbeat. A process that is killed renews nothing, so
another takes its job when the lease has run out. What a job changes is committed in the same transaction that crosses
it off, and only if the lease is still held: a job may be begun several times, it is finished once.
"""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

from sqlalchemy import Column, Connection, Float, Index, Integer, String, Table, Text, UniqueConstraint, or_, select
from sqlalchemy import insert as inserted
from sqlalchemy import update as updated

from eyechart.database.columns import METADATA, Instant, Json, now
from eyechart.database.engine import Database
from eyechart.errors import EyechartError

__all__ = [
    "JOBS",
    "LEASE",
    "Job",
    "LeaseLost",
    "Tending",
    "ahead_of",
    "call_off",
    "claim",
    "enqueue",
    "finish",
    "put_back",
    "renew",
    "tended",
]

LEASE = timedelta(seconds=20)
"""How long a claim lasts without a heartbeat."""
_BEATS = 5
"""Heartbeats in a lease, so that one that comes late loses nothing."""
_MOST_ATTEMPTS = 8
"""A job that killed so many workers is told to the next one as worn out, instead of killing it too."""

JOBS = Table(
    "jobs",
    METADATA,
    Column("job_id", Integer, primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("subject", String(120), nullable=False),
    Column("payload", Json, nullable=False),
    Column("state", String(12), nullable=False),  # waiting, running, done, off
    Column("queued", Instant, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("lease", String(32)),
    Column("expires", Instant),
    Column("heartbeat", Instant),
    Column("share", Float, nullable=False, default=0.0),  # how much is done, 0 to 1
    Column("doing", Text, nullable=False, default=""),
    Column("ended", Instant),
    UniqueConstraint("kind", "subject"),
    Index("ix_jobs_state_kind", "state", "kind", "job_id"),
)


@dataclass(frozen=True, slots=True)
class Job:
    """A job in the hands of whoever claimed it."""

    job_id: int
    kind: str
    subject: str
    payload: Any  # whatever JSON the kind of job needs
    lease: str
    attempts: int

    @property
    def worn_out(self) -> bool:
        """Whether it was begun so often, and never ended, that it should not be tried again."""
        return self.attempts > _MOST_ATTEMPTS


class LeaseLost(EyechartError):  # noqa: N818  # a reason, not a fault
    """Raised where a job is no longer ours: it took too long between heartbeats, or was called off."""


def enqueue(rows: Connection, kind: str, subject: str, payload: object = None) -> None:
    """Ask for a job, once per kind and subject: one that waits or runs is left alone, one that ended waits again.

    >>> import tempfile; database = Database(f"{tempfile.mkdtemp()}/work.db")
    >>> with database.writing() as rows:
    ...     enqueue(rows, "score", "7"); enqueue(rows, "score", "7")
    >>> claim(database, ["score"]).subject, claim(database, ["score"])
    ('7', None)
    """
    of_it = (JOBS.c.kind == kind) & (JOBS.c.subject == subject)
    found = rows.execute(select(JOBS.c.state).where(of_it).with_for_update()).scalar_one_or_none()
    fresh = {"payload": payload or {}, "state": "waiting", "queued": now(), "attempts": 0, "share": 0.0, "doing": ""}
    if found is None:
        rows.execute(inserted(JOBS).values(kind=kind, subject=subject, **fresh))
    elif found not in {"waiting", "running"}:
        rows.execute(updated(JOBS).where(of_it).values(lease=None, expires=None, ended=None, **fresh))


def claim(
    database: Database, kinds: Collection[str], *, lease: timedelta = LEASE, at: datetime | None = None
) -> Job | None:
    """Take the oldest job of these kinds that waits, or whose worker has gone quiet; None if there is none."""
    moment = at or now()
    free = or_(JOBS.c.state == "waiting", (JOBS.c.state == "running") & (JOBS.c.expires < moment))
    wanted = select(JOBS).where(JOBS.c.kind.in_(kinds), free).order_by(JOBS.c.queued, JOBS.c.job_id).limit(1)
    with database.reading() as rows:  # looking costs nobody the writer's turn
        if rows.execute(wanted).first() is None:
            return None
    with database.writing() as rows:
        found = rows.execute(wanted.with_for_update(skip_locked=True)).mappings().first()
        if found is None:
            return None
        told = {name: found[name] for name in ("job_id", "kind", "subject", "payload")}
        job = Job(**told, lease=token_hex(16), attempts=found["attempts"] + 1)
        rows.execute(
            updated(JOBS)
            .where(JOBS.c.job_id == job.job_id)
            .values(state="running", lease=job.lease, attempts=job.attempts, heartbeat=moment, expires=moment + lease)
        )
        return job


def renew(
    database: Database, job: Job, *, share: float, doing: str, lease: timedelta = LEASE, at: datetime | None = None
) -> None:
    """Say that the work goes on, and how far it is."""
    moment = at or now()
    with database.writing() as rows:
        beat = {"heartbeat": moment, "expires": moment + lease, "share": share, "doing": doing}
        _change(rows, job, **beat)


def finish(rows: Connection, job: Job) -> None:
    """Cross a job off, in the transaction that keeps its result; raises if somebody else has it by now."""
    _change(rows, job, state="done", ended=now(), share=1.0, doing="", lease=None, expires=None)


def put_back(rows: Connection, job: Job) -> None:
    """Let a job wait again, because its worker was asked to stop; the attempt does not count."""
    _change(rows, job, state="waiting", lease=None, expires=None, attempts=job.attempts - 1, share=0.0, doing="")


def call_off(rows: Connection, kind: str, subject: str) -> None:
    """Nobody wants this job any more; who runs it loses the lease."""
    of_it = (JOBS.c.kind == kind) & (JOBS.c.subject == subject) & JOBS.c.state.in_(("waiting", "running"))
    rows.execute(updated(JOBS).where(of_it).values(state="off", ended=now(), lease=None, expires=None))


def ahead_of(rows: Connection, kind: str, subject: str) -> int:
    """How many jobs of its kind wait or run before this one."""
    queued = select(JOBS.c.queued).where(JOBS.c.kind == kind, JOBS.c.subject == subject).scalar_subquery()
    unfinished = (JOBS.c.kind == kind) & JOBS.c.state.in_(("waiting", "running")) & (JOBS.c.queued < queued)
    return len(rows.execute(select(JOBS.c.job_id).where(unfinished)).all())


def _change(rows: Connection, job: Job, **values: object) -> None:
    held = (JOBS.c.job_id == job.job_id) & (JOBS.c.lease == job.lease) & (JOBS.c.state == "running")
    if not rows.execute(updated(JOBS).where(held).values(**values)).rowcount:
        raise LeaseLost(f"job {job.job_id}: another worker has it by now, or it was called off")


class Tending:
    """A claimed job whose lease is kept alive by a thread while the work goes on."""

    def __init__(self, database: Database, job: Job, lease: timedelta) -> None:
        self._database, self._job, self._lease = database, job, lease
        self._share, self._doing = 0.0, ""
        self._stop, self._lost = threading.Event(), False

    def report(self, share: float, doing: str) -> None:
        """Say how far the work is; raises if the job is no longer ours."""
        self._share, self._doing = share, doing
        self._beat()
        if self._lost:
            raise LeaseLost(f"job {self._job.job_id}: another worker has it by now, or it was called off")

    def _beat(self) -> None:
        try:
            renew(self._database, self._job, share=self._share, doing=self._doing, lease=self._lease)
        except LeaseLost:
            self._lost = True

    def _keep_beating(self) -> None:
        while not self._stop.wait(self._lease.total_seconds() / _BEATS) and not self._lost:
            self._beat()


@contextmanager
def tended(database: Database, job: Job, *, lease: timedelta = LEASE) -> Iterator[Tending]:
    """Keep the lease of a job while the block runs."""
    tending = Tending(database, job, lease)
    thread = threading.Thread(target=tending._keep_beating, daemon=True)  # noqa: SLF001 - the other half of the class
    thread.start()
    try:
        yield tending
    finally:
        tending._stop.set()  # noqa: SLF001 - as above
        thread.join()
