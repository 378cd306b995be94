"""Scored once, whoever is killed; and what went wrong is told, at whose cost it should be."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_challenge import SmallChallenge, results
from sqlalchemy import Connection, func, select, text, update

from eyechart.challenge import Worker, finding, hosting, quotas, viewing
from eyechart.database import Database, jobs, now
from eyechart.database import challenges as t
from eyechart.store import Benchmark

# A worker whose every scoring takes a while, with a short lease, so that it is killed in the middle often.
SLOW = """
import sys, time
from datetime import timedelta
from pathlib import Path
import eyechart.challenge.worker as worker
from eyechart.database import Database
quick = worker.score
worker.score = lambda *given, **named: (time.sleep(0.15), quick(*given, **named))[1]
worker.Worker(Database(sys.argv[1]), worker.Files(Path(sys.argv[2])), lease=timedelta(seconds=1)).run()
"""


def count_scorings(rows: Connection, *, sqlite: bool) -> None:
    """Let the database itself count how often a submission becomes scored."""
    rows.execute(text("CREATE TABLE scorings (submission_id INTEGER)"))
    change = "OF state ON challenge_submissions FOR EACH ROW"
    became = "NEW.state = 'scored' AND OLD.state <> 'scored'"
    note = "INSERT INTO scorings VALUES (NEW.submission_id);"
    if sqlite:
        rows.execute(text(f"CREATE TRIGGER counts AFTER UPDATE {change} WHEN {became} BEGIN {note} END"))
        return
    body = f"BEGIN IF {became} THEN {note} END IF; RETURN NEW; END"
    rows.execute(text(f"CREATE FUNCTION counted() RETURNS trigger AS $$ {body} $$ LANGUAGE plpgsql"))
    rows.execute(text(f"CREATE TRIGGER counts AFTER UPDATE {change} EXECUTE FUNCTION counted()"))


@pytest.mark.slow
def test_killed_at_any_moment_everything_is_scored_once(
    cats: SmallChallenge, database_url: str, tmp_path: Path
) -> None:
    """Two workers, 24 kill -9 at random moments, 30 submissions: each is scored, and becomes so exactly once."""
    with cats.database.writing() as rows:
        rows.execute(update(t.PHASES).values(per_day=None, total=None))
        count_scorings(rows, sqlite=cats.database.is_sqlite)
    file = results(tmp_path / "r.json", wrong=7)
    for number in range(30):
        cats.hand_in(file, method=f"m{number}")
    draw, killed = random.Random(3), 0

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", SLOW, database_url, str(cats.files.folder)])

    workers = [start(), start()]
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline and (killed < 24 or "queued" in cats.states()):
        time.sleep(draw.uniform(0.2, 1.6))
        if killed < 24:
            place = draw.randrange(2)
            workers[place].kill()
            workers[place].wait()
            workers[place] = start()
            killed += 1
            if draw.random() < 0.5:
                with cats.database.writing() as rows:
                    hosting.bar(rows, cats.team, None, barred=False)
                cats.hand_in(file, method=f"late {killed}")
    for each in workers:
        each.kill()
        each.wait()
    assert killed == 24
    assert set(cats.states()) == {"scored"}
    with cats.database.reading() as rows:
        counts = rows.execute(text("SELECT count(*) FROM scorings GROUP BY submission_id")).scalars().all()
        unfinished = rows.execute(select(func.count()).where(jobs.JOBS.c.state != "done")).scalar_one()
        values = rows.execute(
            select(t.SCORES.c.value)
            .join(t.SUBMISSIONS)
            .where(t.SCORES.c.by == "overall", t.SCORES.c.metric == "vqa", t.SUBMISSIONS.c.kind == "entry")
        ).scalars()
        assert set(values) == {0.93}
    assert set(counts) == {1}
    assert len(counts) == len(cats.states()) + 2  # and the people of both phases
    assert unfinished == 0


def test_a_lost_lease_keeps_nothing(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """Whoever took too long commits nothing; whoever took over does."""
    number = cats.hand_in(results(tmp_path / "r.json"))
    worker.run(idle=False)
    with cats.database.writing() as rows:
        hosting.rerun(rows, number, None)
    late = jobs.claim(cats.database, ["score a submission"], lease=-jobs.LEASE)
    assert late is not None
    worker.run(idle=False)
    with pytest.raises(jobs.LeaseLost), cats.database.writing() as rows:
        jobs.finish(rows, late)
    assert cats.states() == ["scored"]


def test_a_job_that_kills_its_workers_is_given_up_and_costs_nothing(
    cats: SmallChallenge, worker: Worker, tmp_path: Path
) -> None:
    """Eight dead workers, then a sentence; the quota is as it was."""
    worker.run(idle=False)
    cats.hand_in(results(tmp_path / "r.json"))
    for _ in range(8):
        assert jobs.claim(cats.database, ["score a submission"], lease=-jobs.LEASE) is not None
    worker.run(idle=False)
    with cats.database.reading() as rows:
        (row,) = hosting.submissions_of(rows, cats.id, team_id=cats.team)
        assert row["state"] == "failed"
        assert row["problems"][0]["said"].startswith("Scoring failed on our side")
        assert quotas.left(rows, cats.phase("test"), cats.team, now()).today == 5


def test_a_changed_benchmark_is_noticed(
    cats: SmallChallenge, worker: Worker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is handed in waits, rather than being compared with something else."""
    manifest = cats.folder / "benchmark" / "benchmark.json"
    before = manifest.read_text()
    manifest.write_text(before.replace('"name"', ' "name"', 1))
    cats.hand_in(results(tmp_path / "r.json"))
    worker.once()
    assert "found another benchmark than when the challenge was made" in capsys.readouterr().err
    assert cats.states() == ["queued"]


def test_progress_is_told_while_it_works(cats: SmallChallenge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share that grows, a word for what is done, a heartbeat."""
    number = cats.hand_in(results(tmp_path / "r.json"))
    seen: list[tuple[float, str]] = []
    whole = jobs.Tending.report

    def report(self: jobs.Tending, share: float, doing: str) -> None:
        whole(self, share, doing)
        with cats.database.reading() as rows:
            job = rows.execute(select(jobs.JOBS).where(jobs.JOBS.c.state == "running")).mappings().one()
        seen.append((job["share"], job["doing"]))
        assert (now() - job["heartbeat"]).total_seconds() < 30

    monkeypatch.setattr(jobs.Tending, "report", report)
    Worker(cats.database, cats.files).run(idle=False)
    assert number
    assert [doing for _, doing in seen[-5:]] == [
        "opening the questions",
        "reading the file",
        "comparing its questions with ours",
        "computing VQA accuracy (official-2021)",
        "computing share of the majority's frequency",
    ]
    assert [share for share, _ in seen[-5:]] == sorted(share for share, _ in seen[-5:])


def test_missing_unknown_and_strange_answers_are_named(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """By their ids; a dev file lacks what the test phase asks for, and a test file serves the dev phase."""
    part = results(tmp_path / "dev.json", splits=("test-dev",))
    (tmp_path / "alien.json").write_text(part.read_text().replace('"question_id": 8,', '"question_id": 88888,'))
    cats.hand_in(part, phase="test")
    cats.hand_in(tmp_path / "alien.json", phase="dev")
    cats.hand_in(results(tmp_path / "r.json"), phase="dev")
    cats.hand_in(results(tmp_path / "w.json", wrong=1), phase="pick", track="choice")
    worker.run(idle=False)
    with cats.database.reading() as rows:
        told = [row["problems"] for row in reversed(hosting.submissions_of(rows, cats.id, team_id=cats.team))]
    assert cats.states() == ["failed", "failed", "scored", "failed"]
    assert told[0][0]["said"] == "found no answer to 300 of 400 questions (2, 3, 10, …), expected one to each"
    assert told[1][0]["said"].startswith("found answers to 1 questions that this track does not have (88888)")
    assert told[1][2]["said"] == "found no answer to 1 of 100 questions (8), expected one to each"
    assert told[3][0]["said"].startswith("found answers to 4 questions that are none of their choices (0, 2, 4, …)")


def test_scores_are_those_of_grading(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """Every number and interval is what ``eyechart grade`` says of the same questions."""
    from eyechart.pipeline.grading import grade
    from eyechart.pipeline.predictions import open_predictions

    file = results(tmp_path / "r.json", wrong=9)
    number = cats.hand_in(file)
    worker.run(idle=False)
    benchmark = Benchmark.open(cats.folder / "benchmark")
    dev = [
        key for key, split in benchmark.read("questions").select("question_id", "split").rows() if split == "test-dev"
    ]
    predictions = open_predictions(file)
    graded = grade(
        benchmark,
        predictions.filter(predictions["question_id"].is_in(dev)),
        metrics=["vqa", "ma"],
        by=["answer_type"],
        subset=True,
    )
    expected = {
        (n.metric, n.by, n.group): tuple(round(100 * (v or 0), 2) for v in (n.value, n.low, n.high))
        for n in graded.numbers
        if n.metric == "vqa" or n.by == "overall"
    }
    with cats.database.reading() as rows:
        scores = viewing.scores_of(rows, [number], "team")[number]
    found = {(s.metric, s.by, s.group): (s.value, s.low, s.high) for s in scores if s.split == "test-dev"}
    assert found == expected


def test_a_wide_gap_is_raised_for_hosts(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """A method that knows the standard split and not the reserve; an honest one is not flagged."""
    import json

    honest = cats.hand_in(results(tmp_path / "h.json", wrong=20))
    records = json.loads(results(tmp_path / "o.json").read_text())
    for place, record in enumerate(record for record in records if record["question_id"] // 2 % 4 == 3):
        record["answer"] = "mauve" if place % 3 == 0 else record["answer"]
    (tmp_path / "o.json").write_text(json.dumps(records))
    fitted = cats.hand_in(tmp_path / "o.json")
    worker.run(idle=False)
    with cats.database.writing() as rows:
        raised = {gap.submission_id: (gap.raised, gap.gap) for gap in viewing.gaps(rows, cats.id)}
        hosting.settle(rows, fitted, cats.host)
        settled = {gap.submission_id: gap.settled for gap in viewing.gaps(rows, cats.id)}
    assert raised == {honest: (False, 0.0), fitted: (True, 34.0)}
    assert settled == {honest: False, fitted: True}


def test_files_that_nobody_names_are_swept(cats: SmallChallenge, tmp_path: Path) -> None:
    """Those of submissions stay."""
    cats.hand_in(results(tmp_path / "r.json"))
    stray = cats.files.keep(results(tmp_path / "s.json", wrong=3), most=1 << 20)
    with cats.database.reading() as rows:
        wanted = set(rows.execute(select(t.SUBMISSIONS.c.file)).scalars())
    assert cats.files.sweep(wanted) == 0
    assert cats.files.sweep(wanted, older=-1.0) == 1
    assert not cats.files.path(stray).exists()
    assert all(cats.files.path(name).exists() for name in wanted if name)


def test_hidden_scores_appear_with_the_release(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """To the public at the moment of the release, which waits for the end of the phase; the reserve never."""
    from datetime import timedelta

    from eyechart.errors import UsageError

    number = cats.hand_in(results(tmp_path / "r.json"))
    worker.run(idle=False)

    def seen(database: Database, audience: viewing.Audience) -> set[str]:
        with database.reading() as rows:
            return {score.split for score in viewing.scores_of(rows, [number], audience).get(number, [])}

    assert seen(cats.database, "public") == {"test-standard"}
    assert seen(cats.database, "team") == {"test-dev", "test-standard"}
    assert seen(cats.database, "host") == {"test-dev", "test-standard", "test-challenge"}
    with (
        pytest.raises(UsageError, match="Test has no end; release its scores when it is over"),
        cats.database.writing() as rows,
    ):
        hosting.release(rows, _phase(rows, cats), cats.host)
    with cats.database.writing() as rows:
        rows.execute(update(t.PHASES).where(t.PHASES.c.slug == "test").values(closes=now() - timedelta(hours=1)))
        hosting.release(rows, _phase(rows, cats), cats.host)
    assert seen(cats.database, "public") == {"test-standard", "test-challenge"}
    assert seen(cats.database, "team") == {"test-dev", "test-standard", "test-challenge"}


def _phase(rows: Connection, cats: SmallChallenge) -> finding.Row:
    return finding.find_phase(rows, finding.find_track(rows, cats.id, "open")["track_id"], "test")
