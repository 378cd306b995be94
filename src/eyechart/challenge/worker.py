"""The scoring worker: one claimed job at a time, its lease kept alive, its result committed once.

A worker may be killed at any moment: whatever it had not committed is done again by whoever claims the job next, and
a commit needs the lease. What a file gets wrong is the participant's and is told with lines and ids; whatever else goes
wrong is ours, costs no quota, and is tried again before anybody is told.
"""

import sys
import time
import traceback
from collections.abc import Callable, Mapping
from datetime import timedelta

import polars as pl
from sqlalchemy import Connection, delete, insert, select, update

from eyechart import __version__
from eyechart.challenge.files import Files
from eyechart.challenge.finding import Row
from eyechart.challenge.quotas import fail_slot, free_slot
from eyechart.challenge.results import Problem, ResultsError, fitting, read_results
from eyechart.challenge.scoring import Scored, score, score_people
from eyechart.challenge.submitting import JOB, submission
from eyechart.challenge.truth import Truth, Truths
from eyechart.database import Database, jobs, now
from eyechart.database import challenges as t
from eyechart.errors import DataError
from eyechart.metrics import Number

__all__ = ["Worker"]

_IDLE = 0.25
_SWEEP_EVERY = 600.0
_OURS = "Scoring failed on our side, and costs your team nothing; the hosts can see it and run it again."
_READ, _CHECKED, _COMPUTED = 0.1, 0.2, 0.95
"""How far the work is after each step."""


class Worker:
    """Scores what is handed in, until it is told to stop.

    >>> import tempfile; from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> Worker(Database(folder / "work.db"), Files(folder / "files")).once()
    False
    """

    def __init__(self, database: Database, files: Files, *, lease: timedelta = jobs.LEASE) -> None:
        self.database, self.files, self.lease = database, files, lease
        self._truths = Truths()
        self._swept = time.monotonic()

    def run(self, *, stopped: Callable[[], bool] = lambda: False, idle: bool = True) -> int:
        """Work until stopped, or until nothing waits unless ``idle``; returns how many jobs ended here."""
        ended = 0
        while not stopped():
            if self.once():
                ended += 1
            elif idle:
                self._sweep()
                time.sleep(_IDLE)
            else:
                break
        return ended

    def once(self) -> bool:
        """Do one job, if one waits."""
        job = jobs.claim(self.database, [JOB], lease=self.lease)
        if job is None:
            return False
        try:
            self._work(job)
        except jobs.LeaseLost:
            pass  # called off, or somebody else's by now
        except Exception:  # noqa: BLE001  # a worker outlives whatever one job does to it
            traceback.print_exc(file=sys.stderr)
            self._try_again(job)
        return True

    def _work(self, job: jobs.Job) -> None:
        submission_id = int(job.subject)
        with self.database.reading() as rows:
            found = submission(rows, submission_id)
        if found is None or found["state"] == "cancelled":
            with self.database.writing() as rows:
                jobs.finish(rows, job)
            return
        if job.worn_out:
            self._keep_failure(job, submission_id, [Problem(_OURS)], ours=True)
            return
        with jobs.tended(self.database, job, lease=self.lease) as tending:
            try:
                self._score(job, found, tending.report)
            except ResultsError as unfit:
                self._keep_failure(job, submission_id, unfit.problems, ours=False)

    def _score(self, job: jobs.Job, found: Row, report: Callable[[float, str], None]) -> None:
        report(0.0, "opening the questions")
        with self.database.reading() as rows:
            truth = self._truths.of(rows, found["track_id"])
            splits, guards = _splits_of(rows, found["phase_id"])
        if found["kind"] == "human":
            report(_CHECKED, "comparing people with each other")
            self._keep(job, found, score_people(truth, list(splits)), splits, answers=None)
            return
        report(_READ, "reading the file")
        results = read_results(self.files.path(found["file"]), questions=truth.known.height)
        report(_CHECKED, "comparing its questions with ours")
        fitting(results, _expected(truth, splits), truth.known, truth.choices)
        span = _COMPUTED - _CHECKED
        scored = _score_or_refuse(
            truth, results, list(splits), guards, lambda share, doing: report(_CHECKED + span * share, doing)
        )
        self._keep(job, found, scored, splits, answers=results.height)

    def _keep(
        self, job: jobs.Job, found: Row, scored: Scored, splits: Mapping[str, int], *, answers: int | None
    ) -> None:
        """Everything that came out, and that it came out, in one transaction."""
        submission_id = found["submission_id"]
        made_with = {"eyechart": __version__, **scored.made_with}
        with self.database.writing() as rows:
            _lock(rows, submission_id)
            jobs.finish(rows, job)
            _forget_scores(rows, submission_id)
            values = [
                _score_row(submission_id, splits[slug], number)
                for slug, each in scored.numbers.items()
                for number in each
            ]
            if values:
                rows.execute(insert(t.SCORES), values)
            for gap in scored.gaps:
                raised = now() if gap.wide else None
                flag = {"split_id": splits[gap.guard], "gap": gap.value, "bound": gap.bound, "raised": raised}
                rows.execute(insert(t.FLAGS).values(submission_id=submission_id, **flag))
            done = {"state": "scored", "ended": now(), "answers": answers, "problems": [], "made_with": made_with}
            rows.execute(update(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).values(**done))

    def _keep_failure(self, job: jobs.Job, submission_id: int, problems: list[Problem], *, ours: bool) -> None:
        with self.database.writing() as rows:
            _lock(rows, submission_id)
            jobs.finish(rows, job)
            _forget_scores(rows, submission_id)
            told = {"state": "failed", "ended": now(), "problems": problems}
            rows.execute(update(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).values(**told))
            if ours:
                free_slot(rows, submission_id)
            else:
                fail_slot(rows, submission_id)

    def _try_again(self, job: jobs.Job) -> None:
        """Leave a job that went wrong on our side to the next claim; after some of these it is worn out."""
        try:
            jobs.renew(self.database, job, share=0.0, doing="trying again", lease=timedelta(seconds=job.attempts))
        except jobs.LeaseLost:
            return

    def _sweep(self) -> None:
        """Now and then, remove files of uploads that were refused or never finished."""
        if time.monotonic() - self._swept < _SWEEP_EVERY:
            return
        self._swept = time.monotonic()
        with self.database.reading() as rows:
            wanted = set(rows.execute(select(t.SUBMISSIONS.c.file)).scalars())
        self.files.sweep(wanted)


def _splits_of(rows: Connection, phase_id: int) -> tuple[dict[str, int], dict[str, str]]:
    """The splits that a phase is scored on, by name; and which of them guards which."""
    query = (
        select(t.SPLITS.c.slug, t.SPLITS.c.split_id, t.SPLITS.c.guards)
        .join(t.VISIBILITIES, t.VISIBILITIES.c.split_id == t.SPLITS.c.split_id)
        .where(t.VISIBILITIES.c.phase_id == phase_id)
        .order_by(t.SPLITS.c.position)
    )
    found = rows.execute(query).all()
    return {slug: split_id for slug, split_id, _ in found}, {slug: guarded for slug, _, guarded in found if guarded}


def _expected(truth: Truth, splits: Mapping[str, int]) -> pl.DataFrame:
    return pl.concat([truth.splits[slug] for slug in splits]).unique(maintain_order=True)


def _score_or_refuse(
    truth: Truth,
    results: pl.DataFrame,
    splits: list[str],
    guards: Mapping[str, str],
    report: Callable[[float, str], None],
) -> Scored:
    """Score; a metric that refuses the results in a sentence refuses the file."""
    try:
        return score(truth, results, splits, guards=guards, report=report)
    except DataError as refused:
        raise ResultsError([Problem(str(refused).removeprefix("predictions: "))]) from refused


def _score_row(submission_id: int, split_id: int, number: Number) -> dict[str, object]:
    return {
        "submission_id": submission_id,
        "split_id": split_id,
        "metric": number.metric,
        "by": number.by,
        "group": number.group[:200],
        "value": number.value,
        "low": number.low,
        "high": number.high,
        "questions": number.questions,
        "unit": number.unit,
        "absent": number.absent,
    }


def _lock(rows: Connection, submission_id: int) -> None:
    """Whoever changes a submission takes its row first, so that nobody waits for each other."""
    rows.execute(
        select(t.SUBMISSIONS.c.submission_id).where(t.SUBMISSIONS.c.submission_id == submission_id).with_for_update()
    ).one()


def _forget_scores(rows: Connection, submission_id: int) -> None:
    for table in (t.SCORES, t.FLAGS):
        rows.execute(delete(table).where(table.c.submission_id == submission_id))
