"""The whole site killed again and again: what it has acknowledged is scored, once, and clients that retry pay once."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from small_challenge import SmallChallenge, results
from sqlalchemy import func, select, update

from eyechart.challenge import Method
from eyechart.cli.challenge_client import Server
from eyechart.database import Database, jobs
from eyechart.database import challenges as t
from eyechart.errors import DownloadError
from eyechart.web.ui import accounts

KILLS = 20


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and (place / "stat").exists():
            try:
                parent = (place / "stat").read_text().rpartition(") ")[2].split()[1]
            except OSError:
                continue
            found += [int(place.name)] if int(parent) == pid else []
    return found


class Killed:
    """A site that is killed again and again, and clients that do not give up."""

    def __init__(self, url: str, folder: Path, token: str) -> None:
        self.port, self.token, self.file = 30_000 + os.getpid() % 20_000, token, results(folder / "r.json", wrong=7)
        self.command = ["serve", "--data", str(folder / "site"), "--database", url, "--port", str(self.port)]
        self.acknowledged: dict[str, int] = {}
        self.over = threading.Event()
        self.server = self.start()

    def start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-m", "eyechart.cli.main", *self.command], stdout=subprocess.DEVNULL)

    def client(self, name: str) -> None:
        """Hand in one result after the other; what gets no answer is sent again with the same key."""
        server, number = Server(f"http://127.0.0.1:{self.port}", self.token), 0
        while not self.over.is_set():
            once = f"{name}-{number}"
            try:
                told = server.submit(("cats", "open", "test"), self.file, Method(once), once)
            except DownloadError:
                time.sleep(0.2)
                continue
            self.acknowledged[once] = told["submission_id"]
            number += 1
            time.sleep(0.5)

    def wait(self, draw: random.Random) -> None:
        """A moment, and mostly until something more has been acknowledged: a site that never gets up loses nothing."""
        before, patient = len(self.acknowledged), time.monotonic() + (30 if draw.random() < 0.7 else 0)
        while len(self.acknowledged) == before and time.monotonic() < patient:
            time.sleep(0.1)
        time.sleep(draw.uniform(0.2, 3.0))

    def kill(self, draw: random.Random) -> None:
        """The worker or the server, which is started again; its worker goes with it."""
        workers = children(self.server.pid)
        if workers and draw.random() < 0.5:
            os.kill(workers[0], signal.SIGKILL)
            return
        self.server.kill()
        self.server.wait()
        self.server = self.start()


@pytest.mark.slow
def test_the_site_is_killed_at_any_moment(database_url: str, tmp_path: Path) -> None:
    """Twenty kill -9 of the server or its worker while three clients hand in: nothing is lost, nothing twice."""
    database = Database(database_url)
    cats = SmallChallenge(database, tmp_path)
    with database.writing() as rows:
        rows.execute(update(t.PHASES).values(per_day=None, total=None))
        found = accounts.find_account(rows, "ada")
        assert found is not None
        token = accounts.create_token(rows, found[0], "t", accounts.SCOPES, timedelta(days=1))
    site, draw = Killed(database_url, tmp_path, token), random.Random(5)
    clients = [threading.Thread(target=site.client, args=(f"c{place}",)) for place in range(3)]
    for each in clients:
        each.start()
    for _ in range(KILLS):
        site.wait(draw)
        site.kill(draw)
    while len(site.acknowledged) < 3:
        time.sleep(0.5)
    site.over.set()
    for each in clients:
        each.join()
    deadline = time.monotonic() + 240
    while "queued" in cats.states() and time.monotonic() < deadline:
        time.sleep(0.5)
    site.server.terminate()
    site.server.wait()
    with database.reading() as rows:
        entries = rows.execute(
            select(t.SUBMISSIONS.c.method, t.SUBMISSIONS.c.submission_id).where(t.SUBMISSIONS.c.kind == "entry")
        ).all()
        unfinished = rows.execute(
            select(func.count()).where(jobs.JOBS.c.state.in_(("waiting", "running")))
        ).scalar_one()
    states = set(cats.states())
    database.close()
    kept = dict(entries)
    assert {once: kept.get(once) for once in site.acknowledged} == site.acknowledged
    assert len(entries) == len(kept)
    assert states == {"scored"}
    assert unfinished == 0
