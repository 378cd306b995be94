"""Bring a database to the current schema: forward from every released one, never back.

A step is a file in ``migrations/versions`` that never changes again; ``python -m eyechart.database.migrations "What it
does"`` writes the next one after a table has changed.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from eyechart.errors import DatabaseError

__all__ = ["STEPS", "configuration", "migrate"]

STEPS = Path(__file__).parent / "migrations"
"""The folder of the steps."""
_ONE_AT_A_TIME = 0x6579656368617274  # "eyechart": the advisory lock of whoever migrates


def migrate(connection: Connection) -> None:
    """Run the steps that this database lacks, inside the caller's transaction; two processes take turns.

    >>> from sqlalchemy import create_engine
    >>> engine = create_engine("sqlite://")
    >>> with engine.begin() as connection:
    ...     migrate(connection)
    ...     MigrationContext.configure(connection).get_current_revision() is None
    False
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
    steps = ScriptDirectory(str(STEPS))
    found, newest = MigrationContext.configure(connection).get_current_revision(), steps.get_current_head()
    if found == newest:
        return
    if found is not None and found not in {step.revision for step in steps.walk_revisions()}:
        raise DatabaseError(
            f"{connection.engine.url.render_as_string(hide_password=True)}: found schema {found}, expected at most "
            f"{newest}; install the newer Eyechart that wrote it, a database is never taken back"
        )
    command.upgrade(configuration(connection), "head")


def configuration(connection: Connection) -> Config:
    """What Alembic's commands need to know to work inside a transaction of ours."""
    config = Config()
    config.set_main_option("script_location", str(STEPS))
    config.attributes["connection"] = connection
    return config
