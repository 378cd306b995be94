"""A site in one file and back, from either database into either."""

import uuid
from pathlib import Path

import pytest
from sqlalchemy import select
from web_site import PASSWORD

from eyechart.collection import Item, Settings, Work
from eyechart.database import Database, accounts, work
from eyechart.errors import DataError, UsageError
from eyechart.web import accounts as doors
from eyechart.web import back_up, restore

KEPT = (accounts.ACCOUNTS, work.STUDIES, work.ITEMS, work.SLOTS, work.RESPONSES, work.PAYMENTS)


def fill(database: Database) -> None:
    with database.writing() as rows:
        doors.create_account(rows, "ada", "admin", PASSWORD)
    collected = Work(database)
    collected.create_study("pilot", "answer", settings=Settings(k=1))
    collected.add_items("pilot", [Item(key="1", question_id="1", content={"question": "Is it réd?"})])
    held = collected.claim("pilot", collected.worker("here", "x"))
    collected.submit(held.token, "a key of it", {0: {"answer": "yes", "confidence": "yes"}})


def rows_of(database: Database) -> str:
    with database.reading() as rows:
        return repr([rows.execute(select(table)).all() for table in KEPT])


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
def test_everything_comes_back(database_url: str, tmp_path: Path, into: str, request: pytest.FixtureRequest) -> None:
    """Rows, files and the secret; and work goes on with new numbers."""
    folder = tmp_path / "site"
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "results.json").write_bytes(b"[]")
    (folder / "secret").write_bytes(b"x" * 32)
    database = Database(database_url)
    fill(database)
    before = rows_of(database)
    count = back_up(folder, database_url, tmp_path / "monday.zip")
    database.close()
    target = ""
    if into == "postgresql":
        from postgres import fresh

        target = fresh(request.getfixturevalue("postgres_server"), f"test_{uuid.uuid4().hex}")
    assert restore(tmp_path / "monday.zip", tmp_path / "again", target) == count
    assert (tmp_path / "again" / "files" / "results.json").read_bytes() == b"[]"
    assert (tmp_path / "again" / "secret").read_bytes() == b"x" * 32
    again = Database(target or tmp_path / "again" / "work.db")
    assert rows_of(again) == before
    with again.writing() as rows:
        assert doors.create_account(rows, "bob", "worker").account_id == 2
    again.close()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Neither a file nor a site; and what is no backup is refused."""
    (tmp_path / "site").mkdir()
    Database(tmp_path / "site" / "work.db").close()
    back_up(tmp_path / "site", "", tmp_path / "monday.zip")
    with pytest.raises(UsageError, match="found a file already there"):
        back_up(tmp_path / "site", "", tmp_path / "monday.zip")
    with pytest.raises(UsageError, match="found a site already there"):
        restore(tmp_path / "monday.zip", tmp_path / "site", "")
    (tmp_path / "strange.txt").write_text("no archive")
    with pytest.raises(DataError, match="found no backup"):
        restore(tmp_path / "strange.txt", tmp_path / "other", "")
