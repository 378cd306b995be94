"""What hosts do: make a challenge from its description, release scores, look at gaps, run again, take back."""

from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, String, cast, insert, select, update

from eyechart.challenge.describing import Described, Phase, Track, folder_of, in_utc, splits_by
from eyechart.challenge.finding import Row
from eyechart.challenge.splits import divide, packed
from eyechart.challenge.submitting import JOB, submit_people
from eyechart.challenge.truth import track_columns
from eyechart.database import accounts, jobs, now
from eyechart.database import challenges as t
from eyechart.errors import DataError, UnknownNameError, UsageError
from eyechart.metrics import metric_named, named_ids
from eyechart.registry import did_you_mean
from eyechart.store import Benchmark

__all__ = ["add_host", "bar", "create", "release", "rerun", "rerun_all", "settle", "submissions_of"]


def create(rows: Connection, described: Described, source: str, beside: Path) -> int:
    """Make a challenge; the folders and files that its description names are seen from ``beside``."""
    if rows.execute(select(t.CHALLENGES).where(t.CHALLENGES.c.slug == described.slug)).first() is not None:
        raise UsageError(f"There is a challenge called {described.slug!r} already; choose another slug.")
    values = {"slug": described.slug, "title": described.title, "about": described.about, "rules": described.rules}
    challenge_id: int = rows.execute(
        insert(t.CHALLENGES).values(**values, created=now(), source=source).returning(t.CHALLENGES.c.challenge_id)
    ).scalar_one()
    for position, track in enumerate(described.tracks):
        _add_track(rows, challenge_id, position, track, described.phases_of(track), beside)
    return challenge_id


def add_host(rows: Connection, challenge_id: int, account_id: int) -> None:
    """Let an account run a challenge."""
    held = (t.HOSTS.c.challenge_id == challenge_id) & (t.HOSTS.c.account_id == account_id)
    if rows.execute(select(t.HOSTS).where(held)).first() is None:
        rows.execute(insert(t.HOSTS).values(challenge_id=challenge_id, account_id=account_id))


def release(rows: Connection, phase: Row, account_id: int | None, at: datetime | None = None) -> None:
    """Show what was held back until now, for good. The phase must be over, or its scores could be aimed at."""
    moment = at or now()
    held_back = (t.VISIBILITIES.c.phase_id == phase["phase_id"]) & (t.VISIBILITIES.c.visibility == "released")
    if rows.execute(select(t.VISIBILITIES).where(held_back)).first() is None:
        raise UsageError(f"{phase['title']} holds no scores back; there is nothing to release.")
    if phase["closes"] is None or phase["closes"] > moment:
        when = "has no end" if phase["closes"] is None else f"closes on {phase['closes']:%d %B %Y at %H:%M} UTC"
        raise UsageError(f"{phase['title']} {when}; release its scores when it is over.")
    if phase["released"] is None:
        rows.execute(update(t.PHASES).where(t.PHASES.c.phase_id == phase["phase_id"]).values(released=moment))
        _note(rows, account_id, "challenge.release", f"phase {phase['phase_id']}")


def settle(rows: Connection, submission_id: int, account_id: int | None) -> None:
    """Say that the gaps of a submission have been looked into."""
    rows.execute(update(t.FLAGS).where(t.FLAGS.c.submission_id == submission_id).values(settled=now()))
    _note(rows, account_id, "challenge.settle", f"submission {submission_id}")


def rerun(rows: Connection, submission_id: int, account_id: int | None) -> None:
    """Score a submission anew; its slot of the quota stays as it is."""
    state = (
        rows.execute(select(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).with_for_update())
        .mappings()
        .one()["state"]
    )
    if state == "cancelled":
        raise UsageError(f"Submission {submission_id} was taken back; it is not scored again.")
    again: dict[str, object] = {"state": "queued", "ended": None, "problems": []}
    rows.execute(update(t.SUBMISSIONS).where(t.SUBMISSIONS.c.submission_id == submission_id).values(**again))
    jobs.enqueue(rows, JOB, str(submission_id))
    _note(rows, account_id, "challenge.rerun", f"submission {submission_id}")


def rerun_all(rows: Connection, challenge_id: int, account_id: int | None) -> int:
    """Score everything anew that was scored; returns how many submissions that are."""
    ids = [row["submission_id"] for row in submissions_of(rows, challenge_id) if row["state"] == "scored"]
    for submission_id in ids:
        rerun(rows, submission_id, account_id)
    return len(ids)


def bar(rows: Connection, team_id: int, account_id: int | None, *, barred: bool = True) -> None:
    """Take a team off the boards, or let it on them again."""
    rows.execute(update(t.TEAMS).where(t.TEAMS.c.team_id == team_id).values(barred=barred))
    _note(rows, account_id, "challenge.bar" if barred else "challenge.admit", f"team {team_id}")


def submissions_of(rows: Connection, challenge_id: int, *, team_id: int | None = None) -> list[Row]:
    """The submissions of a challenge, or of one team in it, with their phase, team and job; the newest first."""
    job = (jobs.JOBS.c.kind == JOB) & (jobs.JOBS.c.subject == cast(t.SUBMISSIONS.c.submission_id, String))
    query = (
        select(
            t.SUBMISSIONS,
            t.PHASES.c.slug.label("phase"),
            t.PHASES.c.title.label("phase_title"),
            t.TRACKS.c.slug.label("track"),
            t.TRACKS.c.title.label("track_title"),
            t.CHALLENGES.c.slug.label("challenge"),
            t.TEAMS.c.name.label("team"),
            t.TEAMS.c.barred.label("team_barred"),
            jobs.JOBS.c.state.label("job_state"),
            jobs.JOBS.c.share,
            jobs.JOBS.c.doing,
            jobs.JOBS.c.heartbeat,
            jobs.JOBS.c.attempts,
        )
        .select_from(
            t.SUBMISSIONS.join(t.PHASES)
            .join(t.TRACKS)
            .join(t.CHALLENGES)
            .outerjoin(t.TEAMS, t.TEAMS.c.team_id == t.SUBMISSIONS.c.team_id)
            .outerjoin(jobs.JOBS, job)
        )
        .where(t.TRACKS.c.challenge_id == challenge_id)
        .order_by(t.SUBMISSIONS.c.created.desc(), t.SUBMISSIONS.c.submission_id.desc())
    )
    if team_id is not None:
        query = query.where(t.SUBMISSIONS.c.team_id == team_id)
    return list(rows.execute(query).mappings())


def _add_track(
    rows: Connection, challenge_id: int, position: int, track: Track, phases: list[Phase], beside: Path
) -> None:
    benchmark = Benchmark.open(folder_of(track, beside))
    _refuse_unfit(track, benchmark)
    members = divide(benchmark.read("questions"), splits_by(track, beside), seed=track.seed, name=f"track {track.slug}")
    values = {
        "slug": track.slug,
        "title": track.title,
        "task": track.task,
        "benchmark": str(benchmark.folder),
        "fingerprint": benchmark.fingerprint,
        "metrics": track.metrics,
        "groups": [name for name in track.groups if name in track_columns(benchmark)],
    }
    track_id = rows.execute(
        insert(t.TRACKS).values(challenge_id=challenge_id, position=position, **values).returning(t.TRACKS.c.track_id)
    ).scalar_one()
    splits: dict[str, int] = {}
    for place, (slug, ids) in enumerate(members.items()):
        facts = {"slug": slug, "position": place, "guards": track.splits[slug].guards, "questions": ids.len()}
        splits[slug] = rows.execute(
            insert(t.SPLITS).values(track_id=track_id, members=packed(ids), **facts).returning(t.SPLITS.c.split_id)
        ).scalar_one()
    for place, phase in enumerate(phases):
        phase_id = _add_phase(rows, track_id, place, phase, splits)
        if track.human:
            submit_people(rows, phase_id)


def _add_phase(rows: Connection, track_id: int, position: int, phase: Phase, splits: dict[str, int]) -> int:
    values = {
        "slug": phase.slug,
        "title": phase.title,
        "about": phase.about,
        "opens": in_utc(phase.opens),
        "closes": in_utc(phase.closes),
        "per_day": phase.per_day,
        "total": phase.total,
        "failed_per_day": phase.failed_per_day,
        "keeps": phase.keeps,
    }
    phase_id: int = rows.execute(
        insert(t.PHASES).values(track_id=track_id, position=position, **values).returning(t.PHASES.c.phase_id)
    ).scalar_one()
    rows.execute(
        insert(t.VISIBILITIES),
        [{"phase_id": phase_id, "split_id": splits[slug], "visibility": seen} for slug, seen in phase.shows.items()],
    )
    return phase_id


def _refuse_unfit(track: Track, benchmark: Benchmark) -> None:
    """Refuse what could be found out only when the first result arrives."""
    at = f"track {track.slug}"
    for name in track.metrics:
        missing = [table for table in metric_named(name).needs if table not in benchmark]
        if missing:
            raise DataError(f"{at}: {name} needs {' and '.join(missing)}, which {benchmark.folder} does not have")
    columns = track_columns(benchmark)
    for group in track.groups:
        if group not in columns:
            raise UnknownNameError(f"{at}: no column of questions is called {group!r}: {did_you_mean(group, columns)}")
    if track.task == "multiple-choice":
        asked = benchmark.read("questions").select("question_id")
        without = asked.join(benchmark.read("choices").select("question_id"), on="question_id", how="anti")
        if without.height:
            raise DataError(
                f"{at}: found {without.height:,} questions without choices ({named_ids(without['question_id'])}), "
                "expected choices for each; make them, or call the task open-ended"
            )
    if track.human and "answers" not in benchmark:
        raise DataError(f"{at}: found no answers of people in {benchmark.folder}, expected some; leave human out")


def _note(rows: Connection, account_id: int | None, action: str, subject: str) -> None:
    rows.execute(
        insert(accounts.AUDIT).values(at=now(), account_id=account_id, action=action, subject=subject, details={})
    )
