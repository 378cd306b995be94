"""A connection to SQLite or PostgreSQL that keeps what it acknowledged.

SQLite runs in WAL mode with a sync on every commit. A transaction that reads first and writes later may fail "busy"
there whatever the time-out, so every transaction that may write begins IMMEDIATE, and takes its turn before it does:
SQLite's own waiting sleeps for ever longer spans.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from eyechart.database.migrating import migrate
from eyechart.database.turns import Turns, Writers
from eyechart.errors import DatabaseError, MissingDependencyError, UsageError

__all__ = ["Database"]

T = TypeVar("T")
_WRITING = "eyechart_writing"
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000", "temp_store=MEMORY")


class Database:
    """Rows that many hands change: opened by URL or by the path of a SQLite file, and brought to the current schema.

    >>> import tempfile
    >>> from sqlalchemy import text
    >>> database = Database(Path(tempfile.mkdtemp()) / "work.db")
    >>> with database.reading() as rows:
    ...     rows.execute(text("SELECT count(*) FROM accounts")).scalar_one()
    0
    >>> database.close()
    """

    def __init__(self, place: str | Path) -> None:
        self.url = _url(place)
        self.engine = _engine(self.url)
        self._turns = Turns(f"{self.url.database}-turn" if _is_file(self.url) else None)
        self._writers = Writers(self.writing)
        try:
            with self.writing() as rows:
                migrate(rows)
        except DatabaseError:
            self.close()
            raise
        except (OperationalError, OSError) as error:
            self.close()
            problem = str(getattr(error, "orig", error)).splitlines()[0]
            raise DatabaseError(
                f"{self.name}: found a database that cannot be opened ({problem}), expected one that this machine "
                "reaches and may write; check the address and the permissions"
            ) from error

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a file of SQLite; what differs is the locking of rows."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def name(self) -> str:
        """The address without its password."""
        return self.url.database or "" if self.is_sqlite else self.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads: one moment's view of everything, and nobody waits for it."""
        with self.engine.connect() as connection:
            if not self.is_sqlite:  # where each statement would see another moment
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that may write: it stands, on disk, when the block is left without an error."""
        turn = self._turns.taken() if self.is_sqlite else nullcontext()
        with turn, self.engine.connect() as connection:
            connection.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection

    def write(self, run: Callable[[Connection], T]) -> T:
        """Run a transaction that may write; it stands, on disk, when this returns.

        Where one waits for another, several share a commit; an error takes back only its own.
        """
        if self.is_sqlite:
            return self._writers.write(run)
        with self.writing() as rows:
            return run(rows)

    def close(self) -> None:
        """Let go of every connection."""
        self.engine.dispose()
        self._turns.close()


def _is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}


def _url(place: str | Path) -> URL:
    text = str(place)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise _no_address(text) from None
    if url.get_backend_name() == "sqlite" and url.database:
        return url
    if url.drivername in {"postgresql", "postgres"} or url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    raise _no_address(url.render_as_string(hide_password=True))


def _no_address(text: str) -> UsageError:
    return UsageError(
        f"--database {text}: found no address of a database, expected the path of a SQLite file, "
        "sqlite:///work.db or postgresql://user:password@host/name; write one of these"
    )


def _engine(url: URL) -> Engine:
    try:
        engine = create_engine(url, pool_size=20, max_overflow=40, pool_pre_ping=url.get_backend_name() != "sqlite")
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise MissingDependencyError(
            "PostgreSQL is reached through psycopg, which is not installed: pip install 'eyechart[postgres]'"
        ) from error
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's BEGIN is the only one
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
