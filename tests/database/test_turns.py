"""Writers take turns: first come, first served, an error takes back only its own, and a killed process lets go."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from eyechart.database import Database, now
from eyechart.database.accounts import ACCOUNTS


def test_waiting_writers_share_a_commit_and_fail_alone(database_url: str) -> None:
    """Of many that wait together every third fails; the others stand."""
    database = Database(database_url)
    entered, go = threading.Event(), threading.Event()
    told: dict[int, str] = {}

    def first(_rows: object) -> None:
        entered.set()
        go.wait()

    def ask(number: int) -> None:
        def run(rows: object) -> None:
            values = {"login": f"{number}", "role": "worker", "created": now(), "closed": False}
            rows.execute(insert(ACCOUNTS).values(**values))  # type: ignore[attr-defined]
            if number % 3 == 0:
                raise ValueError(number)

        try:
            database.write(run)
            told[number] = "stands"
        except ValueError as error:
            told[number] = f"failed {error}"

    threads = [threading.Thread(target=database.write, args=(first,))]
    threads += [threading.Thread(target=ask, args=(number,)) for number in range(30)]
    threads[0].start()
    entered.wait()
    for thread in threads[1:]:
        thread.start()
    go.set()
    for thread in threads:
        thread.join()
    assert told == {n: "stands" if n % 3 else f"failed {n}" for n in range(30)}
    with database.reading() as rows:
        assert {int(login) for login in rows.execute(select(ACCOUNTS.c.login)).scalars()} == {
            n for n in range(30) if n % 3
        }
    database.close()


def test_an_error_of_the_commit_is_told_to_everybody(tmp_path: Path) -> None:
    """Where nothing stands, nobody is told that it does."""
    database = Database(tmp_path / "work.db")

    def run(rows: object) -> None:
        rows.exec_driver_sql("PRAGMA defer_foreign_keys=ON")  # type: ignore[attr-defined]
        rows.exec_driver_sql("INSERT INTO sessions VALUES ('x', 999, 0, 0)")  # type: ignore[attr-defined]

    with pytest.raises(Exception, match="FOREIGN KEY"):
        database.write(run)
    assert database.write(lambda rows: rows.execute(select(ACCOUNTS)).all()) == []
    database.close()


def test_a_killed_process_lets_go(tmp_path: Path) -> None:
    """The turn of a process that died while writing is free."""
    program = (
        "import os, sys; from eyechart.database import Database\n"
        "with Database(sys.argv[1]).writing(): os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "work.db")], check=False)
    assert done.returncode == -9
    database = Database(tmp_path / "work.db")
    assert database.write(lambda rows: rows.execute(select(ACCOUNTS)).all()) == []
    database.close()
