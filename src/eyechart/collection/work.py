"""The work of many people on one database: everything that a page or a command asks for, one transaction each.

Every method takes the moment it happens at as ``now``, so that a test can let days pass; it is the clock's if not said.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from eyechart.collection import claiming, collected, counting, gold, people, reviewing, showing, studies, submitting
from eyechart.collection.collected import Collected, StudyLine, gathered
from eyechart.collection.model import (
    Assignment,
    Draft,
    Item,
    Nothing,
    Picture,
    Progress,
    Receipt,
    Settings,
    Study,
)
from eyechart.collection.people import Attempt
from eyechart.collection.quality import Quality, quality
from eyechart.collection.reviewing import Owed, Reviewed
from eyechart.collection.rows import all_studies, find_study, find_worker, inserted
from eyechart.collection.task_types import TaskType, Wording, task
from eyechart.database import Database, work
from eyechart.database import now as this_moment
from eyechart.errors import StaleDraftError, UsageError, WorkError

__all__ = ["Work"]

T = TypeVar("T")
_TRIES = 8
_AGAIN = {"40001", "40P01"}  # serialization failure, deadlock
_LARGEST_DRAFT = 2_000_000


class Work:
    """Studies, workers and what they do, in a database.

    >>> from tempfile import mkdtemp
    >>> work = Work(Database(f"{mkdtemp()}/work.db"))
    >>> study = work.create_study("pilot", "answer", settings=Settings(k=1))
    >>> work.add_items("pilot", [Item(key="1", question_id="1", content={"question": "Is it red?"})])
    1
    >>> ada = work.worker("here", "ada")
    >>> given = work.claim("pilot", ada)
    >>> given.units[0].shown
    {'question': 'Is it red?'}
    >>> work.submit(given.token, "a key of the page", {0: {"answer": "yes", "confidence": "yes"}}).accepted
    (0,)
    >>> work.claim("pilot", ada).reason
    'done'
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    # ------------------------------------------------------------------ studies

    def create_study(
        self,
        name: str,
        kind: str | TaskType,
        *,
        wording: str | Wording | None = None,
        settings: Settings = Settings(),  # frozen
        pool: str | None = None,
        title: str | None = None,
        account: int | None = None,
        now: datetime | None = None,
    ) -> Study:
        """A new study, open at once; studies of one ``pool`` (its own name if not said) share who has seen what.

        ``wording`` is a name of the task's file, or words of one's own.
        """
        made = task(kind) if isinstance(kind, str) else kind
        chosen: dict[str, Any] = {"wording": wording, "settings": settings, "pool": pool, "title": title}
        return self._write(
            lambda rows: studies.create_study(rows, name, made, **chosen, account=account, now=now or this_moment())
        )

    def studies(self) -> list[Study]:
        """Every study, oldest first."""
        with self.database.reading() as rows:
            return all_studies(rows)

    def study(self, name: str) -> Study:
        """A study by name."""
        with self.database.reading() as rows:
            return find_study(rows, name)

    def set_state(self, name: str, state: Literal["open", "paused", "closed"]) -> None:
        """Open, pause or close a study; who holds something may still hand it in."""
        self._write(lambda rows: studies.set_state(rows, name, state))

    def add_items(self, study: str, items: Iterable[Item]) -> int:
        """Add items; one whose key is there already is left alone. How many were new."""
        given = list(items)
        return self._write(lambda rows: studies.add_items(rows, find_study(rows, study), given))

    def progress(self, study: str) -> Progress:
        """How far a study is."""
        with self.database.reading() as rows:
            return counting.progress(rows, find_study(rows, study))

    # ------------------------------------------------------------------ workers

    def worker(self, platform: str, external: str, *, name: str | None = None, now: datetime | None = None) -> str:
        """The pseudonym of somebody: made at the first meeting, the same from then on.

        ``platform`` is where they come from (``account``, ``mturk``, ``prolific``), ``external`` their id there.
        """
        return self._write(lambda rows: people.identify(rows, platform, external, now or this_moment(), name))

    def merge_workers(self, kept: str, gone: str) -> None:
        """Two workers turned out to be one person."""
        self._write(lambda rows: people.merge(rows, find_worker(rows, kept), find_worker(rows, gone)))

    def take_test(self, worker: str, kind: str, answers: Mapping[int, str], *, now: datetime | None = None) -> Attempt:
        """Mark a task's qualification test: answers by the number of the question, from 0."""
        test = task(kind).test
        if test is None:
            raise UsageError(f"task {kind}: found no test, expected a task that has one; grant the qualification")
        return self._write(
            lambda rows: people.take_test(rows, find_worker(rows, worker), kind, test, answers, now or this_moment())
        )

    def grant(
        self,
        worker: str,
        qualification: str,
        *,
        value: float = 1.0,
        why: str = "",
        until: datetime | None = None,
        now: datetime | None = None,
    ) -> None:
        """Give a worker a qualification."""
        given: dict[str, Any] = {"value": value, "why": why, "now": now or this_moment(), "until": until}
        self._write(lambda rows: people.grant(rows, find_worker(rows, worker), qualification, **given))

    def revoke(self, worker: str, qualification: str) -> None:
        """Take a qualification away."""
        self._write(lambda rows: people.revoke(rows, find_worker(rows, worker), qualification))

    def block(
        self,
        worker: str,
        study: str | None,
        *,
        why: str,
        until: datetime | None = None,
        now: datetime | None = None,
    ) -> None:
        """Block a worker from a study, or from all of them."""

        def run(rows: Connection) -> None:
            number = None if study is None else find_study(rows, study).study_id
            people.block(rows, find_worker(rows, worker), number, why, now or this_moment(), until)

        self._write(run)

    def lift(self, worker: str, study: str | None) -> None:
        """Lift a worker's blocks from a study, or those from all of them."""

        def run(rows: Connection) -> None:
            people.lift(rows, find_worker(rows, worker), None if study is None else find_study(rows, study).study_id)

        self._write(run)

    def secret(self, name: str) -> bytes:
        """A secret of this database, to sign links with."""
        return self._write(lambda rows: people.secret(rows, name))

    # ------------------------------------------------------------------ work

    def claim(self, study: str, worker: str, *, now: datetime | None = None) -> Assignment | Nothing:
        """What a worker is to do: the assignment that is held already, a new one, or why there is none."""

        def run(rows: Connection) -> Assignment | Nothing:
            found = find_study(rows, study)
            return claiming.claim(rows, found, find_worker(rows, worker), worker, now or this_moment())

        return self._write(run)

    def assignment(self, token: str) -> Assignment:
        """An assignment by its token, as it stands; it may be over."""
        with self.database.reading() as rows:
            lease, study = submitting.find_lease(rows, token)
            worker = rows.execute(
                select(work.WORKERS.c.name).where(work.WORKERS.c.worker_id == lease["worker_id"])
            ).scalar_one()
            return showing.assignment(rows, study, worker, token, resumed=True)

    def picture(self, token: str, unit: int, number: int) -> Picture:
        """A picture that an assignment shows, by its number; one that is withheld is not found."""
        with self.database.reading() as rows:
            _, study = submitting.find_lease(rows, token)
            return showing.picture(rows, study, token, unit, number)

    def heartbeat(self, token: str, *, now: datetime | None = None) -> datetime | None:
        """Hold an assignment longer; until when, or nothing if others have taken it over."""

        def run(rows: Connection) -> datetime | None:
            lease, study = submitting.find_lease(rows, token, lock=True)
            live = lease["state"] == "live"
            return claiming.renew(rows, study, lease["lease_id"], now or this_moment()) if live else None

        return self._write(run)

    def save_draft(self, token: str, revision: int, body: Any, *, now: datetime | None = None) -> Draft:
        """Keep what a page has so far; ``revision`` is that of the draft it started from, 0 for none.

        Who started from an older draft than the one that is kept is told, and nothing is written over.
        """

        def run(rows: Connection) -> Draft:
            lease, _ = submitting.find_lease(rows, token, lock=True)
            return _save_draft(rows, lease["lease_id"], revision, body, now or this_moment())

        return self._write(run)

    def submit(
        self,
        token: str,
        idempotency_key: str,
        bodies: Mapping[int, Any],
        *,
        comment: str | None = None,
        active_seconds: float | None = None,
        now: datetime | None = None,
    ) -> Receipt:
        """Hand in responses by the number of their unit; on disk before this returns.

        The page makes ``idempotency_key`` once for a submission and sends it again with every retry. Mistakes are one
        :class:`~eyechart.errors.MistakesError` with a sentence for each, and nothing is kept.
        """

        def run(rows: Connection) -> Receipt:
            more: dict[str, Any] = {"comment": comment, "active_seconds": active_seconds}
            return submitting.submit(rows, token, idempotency_key, bodies, **more, now=now or this_moment())

        return self._write(run)

    def release(self, token: str) -> None:
        """Give an assignment back; its items go to others first."""

        def run(rows: Connection) -> None:
            lease, _ = submitting.find_lease(rows, token, lock=True)
            if lease["state"] == "live":
                people.end_leases(rows, [lease["lease_id"]], "released")

        self._write(run)

    def record(self, token: str, events: Sequence[tuple[str, Any]], *, now: datetime | None = None) -> None:
        """Keep what happened on a page: kinds and bodies, such as the steps of an edit."""

        def run(rows: Connection) -> None:
            lease, _ = submitting.find_lease(rows, token)
            at = now or this_moment()
            for kind, body in events:
                inserted(rows, work.EVENTS, {"lease_id": lease["lease_id"], "kind": kind, "body": body, "at": at})

        self._write(run)

    # ------------------------------------------------------------------ reviews and pay

    def responses(
        self,
        study: str,
        *,
        worker: str | None = None,
        flag: str | None = None,
        state: str | None = None,
        unreviewed: bool = False,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Reviewed]:
        """Responses of a study, newest first, a page of them."""
        chosen: dict[str, Any] = {"worker": worker, "flag": flag, "state": state, "unreviewed": unreviewed}
        with self.database.reading() as rows:
            return reviewing.responses(rows, find_study(rows, study), **chosen, before=before, limit=limit)

    def review(
        self,
        response_id: int,
        decision: Literal["accepted", "rejected"],
        *,
        why: str | None = None,
        account: int | None = None,
        now: datetime | None = None,
    ) -> None:
        """Accept or reject a response; for a rejected one somebody else is asked."""
        at = now or this_moment()
        self._write(lambda rows: reviewing.review(rows, response_id, decision, why=why, account=account, now=at))

    def owed(self, study: str) -> list[Owed]:
        """Pay by worker."""
        with self.database.reading() as rows:
            return reviewing.owed(rows, find_study(rows, study))

    def bonus(self, study: str, worker: str, millionths: int, why: str, *, now: datetime | None = None) -> None:
        """Owe a worker more, in millionths of the currency's unit."""

        def run(rows: Connection) -> None:
            number = find_worker(rows, worker)
            reviewing.bonus(rows, find_study(rows, study), number, millionths, why, now or this_moment())

        self._write(run)

    def mark_paid(self, study: str, workers: Sequence[str] | None = None) -> int:
        """Note that what is owed was paid; how many millionths that were."""

        def run(rows: Connection) -> int:
            numbers = None if workers is None else [find_worker(rows, each) for each in workers]
            return reviewing.mark_paid(rows, find_study(rows, study), numbers)

        return self._write(run)

    def quality(self, study: str) -> Quality:
        """What can be said of a study's people, and of how far they agree."""
        with self.database.reading() as rows:
            found = find_study(rows, study)
            known = gold.means(rows, found)
            _, lines = gathered(rows, found)
        return quality(lines, known)

    # ------------------------------------------------------------------ out and in

    def gather(self, studies: Sequence[str]) -> list[tuple[StudyLine, list[Collected]]]:
        """Studies with all of their responses, as they stood at one moment."""
        with self.database.reading() as rows:
            return [gathered(rows, find_study(rows, name)) for name in studies]

    def take_in(
        self, head: StudyLine, lines: Iterable[Collected], *, k: int | None = None, now: datetime | None = None
    ) -> int:
        """Responses that were given elsewhere, into the study of this name, which is made if it is not there.

        How many were new; what is there already is left alone.
        """
        given = list(lines)
        return self._write(lambda rows: collected.take_in(rows, head, given, k=k, now=now or this_moment()))

    # ------------------------------------------------------------------

    def _write(self, run: Callable[[Connection], T]) -> T:
        """One transaction that may write; again where another one came between."""
        for _ in range(_TRIES - 1):
            try:
                return self.database.write(run)
            except IntegrityError:
                continue
            except OperationalError as error:
                if not _came_between(error):
                    raise
        return self.database.write(run)


def _came_between(error: DBAPIError) -> bool:
    """Whether a transaction gave way to another one."""
    return getattr(error.orig, "sqlstate", None) in _AGAIN


def _save_draft(rows: Connection, lease_id: int, revision: int, body: Any, now: datetime) -> Draft:
    import msgspec

    size = len(msgspec.json.encode(body))
    if size > _LARGEST_DRAFT:
        raise WorkError(f"draft: found {size:,} bytes, expected at most {_LARGEST_DRAFT:,}; make it smaller")
    draft = work.DRAFTS.c
    there = rows.execute(select(draft.revision).where(draft.lease_id == lease_id)).scalar_one_or_none()
    if (there or 0) != revision:
        raise StaleDraftError(there or 0)
    values = {"revision": revision + 1, "body": body, "saved": now}
    if there is None:
        rows.execute(work.DRAFTS.insert().values(lease_id=lease_id, **values))
    else:
        rows.execute(update(work.DRAFTS).where(draft.lease_id == lease_id).values(**values))
    return Draft(revision + 1, body, now)
