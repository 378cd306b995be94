"""A challenge that is small and has everything: four splits from one upload, two phases, a reserve, people."""

import json
from pathlib import Path

import polars as pl
from sqlalchemy import insert, select

from eyechart.challenge import Files, Method, describe, finding, hosting, submitting, teams
from eyechart.database import Database, now
from eyechart.database import challenges as t
from eyechart.database.accounts import ACCOUNTS
from eyechart.store import Benchmark

SPLITS = ("test-dev", "test-standard", "test-challenge", "test-reserve")
QUESTIONS = 400

DESCRIPTION = """
slug = "cats"
title = "The cats challenge"
about = "Which cat is where."
rules = ["Answer by yourself.", "Name the data that you used."]

[[tracks]]
slug = "open"
title = "Open-ended"
benchmark = "benchmark"
metrics = ["vqa", "ma"]
groups = ["answer_type"]
human = true

[tracks.splits]
test-dev = { split = "test-dev" }
test-standard = { split = "test-standard" }
test-challenge = { split = "test-challenge" }
test-reserve = { split = "test-reserve", guards = "test-standard" }

[[tracks]]
slug = "choice"
title = "Multiple choice"
benchmark = "benchmark"
task = "multiple-choice"
metrics = ["vqa-multiple-choice"]
groups = ["answer_type"]

[tracks.splits]
all = { share = 1.0 }

[[phases]]
slug = "dev"
title = "Development"
tracks = ["open"]
shows = { test-dev = "team" }
per_day = 10

[[phases]]
slug = "test"
title = "Test"
tracks = ["open"]
per_day = 5
total = 20
failed_per_day = 3
shows = { test-dev = "team", test-standard = "public", test-challenge = "released", test-reserve = "never" }

[[phases]]
slug = "pick"
title = "Pick"
tracks = ["choice"]
shows = { all = "public" }
"""


def make_benchmark(folder: Path) -> Benchmark:
    """400 questions about 200 images in four splits: ten people answer red or blue, nine agree."""
    ids = [str(number) for number in range(QUESTIONS)]
    right = ["red" if number % 3 else "blue" for number in range(QUESTIONS)]
    with Benchmark.create(folder) as draft:
        draft.write(
            "questions",
            pl.DataFrame(
                {
                    "question_id": ids,
                    "image_id": [str(number // 2) for number in range(QUESTIONS)],
                    "split": [SPLITS[number // 2 % 4] for number in range(QUESTIONS)],
                    "question": ["What color is the cat?"] * QUESTIONS,
                    "question_type": ["what color is the"] * QUESTIONS,
                    "answer_type": ["other" if number % 2 else "number" for number in range(QUESTIONS)],
                }
            ),
        )
        people = [
            (key, str(worker), answer if worker else "green")
            for key, answer in zip(ids, right, strict=True)
            for worker in range(10)
        ]
        draft.write("answers", pl.DataFrame(people, schema=["question_id", "worker_id", "answer"], orient="row"))
        choices = [(key, place, choice) for key in ids for place, choice in enumerate(("red", "blue", "green"))]
        draft.write("choices", pl.DataFrame(choices, schema=["question_id", "position", "choice"], orient="row"))
    return Benchmark.open(folder)


def results(path: Path, *, wrong: int = 0, splits: tuple[str, ...] = SPLITS) -> Path:
    """Answers of which the first so many in every split are wrong."""
    seen = dict.fromkeys(SPLITS, 0)
    records = []
    for number in range(QUESTIONS):
        split = SPLITS[number // 2 % 4]
        answer = "red" if number % 3 else "blue"
        if split in splits:
            records.append({"question_id": number, "answer": "mauve" if seen[split] < wrong else answer})
            seen[split] += 1
    path.write_text(json.dumps(records, indent=0))
    return path


def add_account(database: Database, login: str, role: str = "participant") -> int:
    """An account that signs in by link only."""
    with database.writing() as rows:
        return rows.execute(
            insert(ACCOUNTS)
            .values(login=login, role=role, created=now(), closed=False)
            .returning(ACCOUNTS.c.account_id)
        ).scalar_one()


class SmallChallenge:
    """The challenge in a database, with a host, a team of one and a place for files."""

    def __init__(self, database: Database, folder: Path, description: str = DESCRIPTION) -> None:
        self.database, self.folder = database, folder
        self.files = Files(folder / "files")
        if not (folder / "benchmark").exists():
            make_benchmark(folder / "benchmark")
        self.host = add_account(database, "host", "requester")
        self.ada = add_account(database, "ada")
        with database.writing() as rows:
            self.id = hosting.create(rows, describe(description, "cats.toml"), description, folder)
            hosting.add_host(rows, self.id, self.host)
            self.team = teams.found_team(rows, self.id, self.ada, "Analytical Engines")

    def phase(self, slug: str, track: str = "open") -> int:
        """A phase's number."""
        with self.database.reading() as rows:
            found = finding.find_track(rows, finding.find_challenge(rows, "cats")["challenge_id"], track)
            return finding.find_phase(rows, found["track_id"], slug)["phase_id"]

    def hand_in(self, file: Path, phase: str = "test", *, method: str = "guessing", **more: object) -> int:
        """Submit a file as the team."""
        said = {"name": file.name, "account_id": self.ada, "team_id": self.team} | more
        public = bool(said.pop("public", True))
        track = str(said.pop("track", "open"))
        phase_id = self.phase(phase, track)
        about = {name: str(said.pop(name)) for name in ("about", "link", "external_data") if name in said}
        told = Method(method, public=public, **about)
        return submitting.submit(self.database, self.files, phase_id, file, told, **said)

    def states(self) -> list[str]:
        """The states of all entries, in the order of arrival."""
        query = (
            select(t.SUBMISSIONS.c.state).where(t.SUBMISSIONS.c.kind == "entry").order_by(t.SUBMISSIONS.c.submission_id)
        )
        with self.database.reading() as rows:
            return list(rows.execute(query).scalars())
