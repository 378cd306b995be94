"""Kill -9 at any moment: nothing that was acknowledged is lost, nothing is there twice, what was held comes back."""

import json
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from eyechart.collection import Assignment, Item, Settings, Work
from eyechart.database import Database, now
from eyechart.database import work as t

ITEMS, K, THREADS, LEASE = 400, 5, 4, 5

WORKER = """
import json, os, sys, threading
from eyechart.collection import Assignment, Work
from eyechart.database import Database

url, who, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
work = Work(Database(url))
said = {0: {"answer": "yes", "confidence": "yes"}}

def run(name):
    while isinstance(found := work.claim("pilot", name), Assignment):
        # Asked for again, as a page would that lost its connection: the key is that of the assignment.
        receipt = work.submit(found.token, found.token[:8], said)
        os.write(1, (json.dumps([found.token, name, receipt.accepted]) + "\\n").encode())

names = [work.worker("t", f"{who}-{n}") for n in range(threads)]
os.write(1, b"ready\\n")
for thread in [threading.Thread(target=run, args=(name,)) for name in names]:
    thread.start()
"""


def study(url: str) -> Work:
    work = Work(Database(url))
    work.create_study("pilot", "answer", settings=Settings(k=K, lease_seconds=LEASE))
    work.add_items("pilot", [Item(key=str(n), question_id=str(n), content={"question": f"{n}?"}) for n in range(ITEMS)])
    return work


def killed(url: str, who: str, seconds: float, ledger: Path) -> None:
    """Let a process work for so long, then kill it; what it acknowledged is in the ledger."""
    command = [sys.executable, "-c", WORKER, url, who, str(THREADS)]
    with ledger.open("ab") as file, subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        file.write(process.stdout.read() + b"\n")


def check(url: str, ledger: Path) -> int:
    """The ledger against the database."""
    lines = [line for line in ledger.read_bytes().split(b"\n") if line.endswith(b"]")]
    acknowledged = {token for token, _, accepted in map(json.loads, lines) if accepted}
    database = Database(url)
    response, lease = t.RESPONSES.c, t.LEASES.c
    with database.reading() as rows:
        there = (
            select(lease.token)
            .join(t.RESPONSES, response.lease_id == lease.lease_id)
            .where(response.state == "accepted")
        )
        assert acknowledged <= set(rows.execute(there).scalars())
        for what in ((response.slot_id,), (response.worker_id, response.item_id)):
            twice = select(func.count()).where(response.state == "accepted").group_by(*what).having(func.count() > 1)
            assert rows.execute(twice).all() == []
        if database.is_sqlite:
            assert rows.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
    database.close()
    return len(acknowledged)


def chaos(url: str, folder: Path, kills: int, seconds: float) -> int:
    """Kill so many processes in turn, then let what they held come back."""
    work = study(url)
    ledger = folder / "ledger"
    for number in range(kills):
        # A moment that differs: while claiming, while submitting, between.
        killed(url, f"w{number}", seconds * (1 + number % 7 / 7), ledger)
    work.claim("pilot", work.worker("t", "last"))
    acknowledged = check(url, ledger)
    later = now() + timedelta(seconds=LEASE + 5)
    for number in range(THREADS * kills + 1):
        found = work.claim("pilot", work.worker("t", f"after-{number}"), now=later)
        if not isinstance(found, Assignment):
            break
    with work.database.reading() as rows:
        stale = (t.SLOTS.c.state == "leased") & (t.SLOTS.c.expires <= later)
        assert rows.execute(select(func.count()).select_from(t.SLOTS).where(stale)).scalar_one() == 0
    work.database.close()
    return acknowledged


def test_a_kill_loses_nothing(database_url: str, tmp_path: Path) -> None:
    """Two kills, on both databases."""
    assert chaos(database_url, tmp_path, 2, 0.7) > 0


@pytest.mark.slow
def test_twenty_kills_lose_nothing(database_url: str, tmp_path: Path) -> None:
    """Twenty kills, on both databases."""
    assert chaos(database_url, tmp_path, 20, 1.0) > 20
