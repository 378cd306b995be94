"""A database keeps what it acknowledged, lets nobody write over another, and says why it cannot be opened."""

import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select, text, update

from eyechart.database import Database, now
from eyechart.database.accounts import ACCOUNTS
from eyechart.database.tables import METADATA
from eyechart.errors import DatabaseError, UsageError


def add_account(database: Database, login: str) -> None:
    with database.writing() as rows:
        rows.execute(insert(ACCOUNTS).values(login=login, role="worker", created=now(), closed=False))


def test_the_steps_make_the_declared_tables(database_url: str) -> None:
    """What the migrations build is what the code believes in, in both databases."""
    database = Database(database_url)
    with database.reading() as rows:
        context = MigrationContext.configure(rows, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    database.close()


def test_it_is_there_when_opened_again(database_url: str) -> None:
    """A second opening finds the rows and runs no step twice."""
    first = Database(database_url)
    moment = now()
    add_account(first, "ada")
    first.close()
    again = Database(database_url)
    with again.reading() as rows:
        login, created = rows.execute(select(ACCOUNTS.c.login, ACCOUNTS.c.created)).one()
    again.close()
    assert login == "ada"
    assert 0 <= (created - moment).total_seconds() < 60


def test_an_error_takes_everything_back(database_url: str) -> None:
    """A block left by an error leaves no trace."""
    database = Database(database_url)
    with pytest.raises(ZeroDivisionError), database.writing() as rows:
        rows.execute(insert(ACCOUNTS).values(login="ada", role="worker", created=now(), closed=False))
        _ = 1 / 0
    with database.reading() as rows:
        assert rows.execute(select(ACCOUNTS)).all() == []
    database.close()


def test_many_hands_lose_no_update(database_url: str) -> None:
    """Read-then-write from 16 threads, with the row locked where rows are locked, adds up."""
    database = Database(database_url)
    add_account(database, "0")

    def count() -> None:
        for _ in range(10):
            with database.writing() as rows:
                seen = rows.execute(select(ACCOUNTS.c.login).with_for_update()).scalar_one()
                rows.execute(update(ACCOUNTS).values(login=str(int(seen) + 1)))

    threads = [threading.Thread(target=count) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as rows:
        assert rows.execute(select(ACCOUNTS.c.login)).scalar_one() == "160"
    database.close()


def test_a_newer_database_is_refused(database_url: str) -> None:
    """Nobody takes a schema back."""
    database = Database(database_url)
    with database.writing() as rows:
        rows.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(DatabaseError, match="found schema 9999, expected at most"):
        Database(database_url)


def test_sqlite_syncs_every_commit(tmp_path: Path) -> None:
    """What SQLite promises is asked of SQLite."""
    database = Database(tmp_path / "work.db")
    with database.reading() as rows:
        promised = {name: rows.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("journal_mode", "synchronous")}
        keys = rows.execute(text("PRAGMA foreign_keys")).scalar_one()
    database.close()
    assert (promised, keys) == ({"journal_mode": "wal", "synchronous": 2}, 1)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("mysql://user:secret@host/name", "mysql://user:\\*\\*\\*@host/name: found no address of a database"),
        ("://", "found no address of a database"),
        ("/nowhere/at/all/work.db", "found a database that cannot be opened"),
    ],
)
def test_a_wrong_address_is_one_sentence(place: str, said: str) -> None:
    """And a password in it is not repeated."""
    with pytest.raises((UsageError, DatabaseError), match=said):
        Database(place)
