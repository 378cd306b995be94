"""A site with a challenge that has everything, and people who look at it from every side."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from small_challenge import SPLITS, SmallChallenge, results
from web_site import signed_in, site

from eyechart.challenge import Files, Worker, teams
from eyechart.web.leaderboard import running
from eyechart.web.ui import accounts
from eyechart.web.ui.people import SESSION_COOKIE


@dataclass
class ChallengeSite:
    """The application, its challenge, and a browser for each kind of visitor."""

    app: FastAPI
    cats: SmallChallenge
    folder: Path

    @property
    def worker(self) -> Worker:
        """Somebody who scores; the site's own does not run in tests."""
        return Worker(self.cats.database, self.cats.files)

    def browser(self, login: str) -> TestClient:
        """A browser of the account with this login; of a visitor without."""
        if not login:
            return signed_in(self.app, "anonymous")
        with self.cats.database.writing() as rows:
            found = accounts.find_account(rows, login)
            account = found[0] if found else accounts.create_account(rows, login, "participant")
            secret = accounts.start_session(rows, account)
        client = TestClient(self.app, follow_redirects=False, headers={"accept": "text/html"})
        client.cookies.set(SESSION_COOKIE, secret)
        client.headers["x-csrf-token"] = self.app.state.site.sign("form", secret)
        return client

    def rival(self, login: str, team: str) -> tuple[int, int]:
        """Another team of one; its account and its number."""
        with self.cats.database.writing() as rows:
            account = accounts.create_account(rows, login, "participant")
            return account.account_id, teams.found_team(rows, self.cats.id, account.account_id, team)


@contextmanager
def challenge_site(folder: Path, **settings: Any) -> Iterator[ChallengeSite]:
    """An application whose worker is the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "_something_waits", lambda _site: False)
        with site(folder / "site", **settings) as app:
            yield fill(app, folder)


def fill(app: FastAPI, folder: Path) -> ChallengeSite:
    """Entries of three teams, a baseline, a broken file, one that fits the standard split, one that waits."""
    cats = SmallChallenge(app.state.site.database, folder)
    cats.files = Files(app.state.site.files / "results")
    made = ChallengeSite(app, cats, folder)
    for place, name in enumerate(("Kittens", "The long named laboratory of visual question answering")):
        account, team = made.rival(f"rival{place}", name)
        file = results(folder / f"rival{place}.json", wrong=7 * place + 3)
        cats.hand_in(file, method=f"Model {place}", account_id=account, team_id=team, link="https://example.org/paper")
    cats.hand_in(
        results(folder / "mine.json", wrong=5), method="Shallow", about="Two\nparagraphs", external_data="COCO"
    )
    cats.hand_in(results(folder / "private.json", wrong=2), method="Deep", public=False)
    cats.hand_in(results(folder / "prior.json", wrong=60), method="Prior", team_id=None, kind="baseline")
    (folder / "broken.json").write_text('[\n{"question_id": 1, "answer": 3},\n7]')
    cats.hand_in(folder / "broken.json", method="Broken")
    cats.hand_in(_fitted(folder), method="Fitted")
    made.worker.run(idle=False)
    cats.hand_in(results(folder / "late.json", wrong=9), phase="dev", method="Late")
    return made


def _fitted(folder: Path) -> Path:
    """Right everywhere but on the reserve."""
    records = json.loads(results(folder / "fitted.json").read_text())
    for record in records:
        if SPLITS[record["question_id"] // 2 % 4] == "test-reserve" and record["question_id"] % 3:
            record["answer"] = "mauve"
    (folder / "fitted.json").write_text(json.dumps(records))
    return folder / "fitted.json"
