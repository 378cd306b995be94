"""The log of who did what: written in the same transaction as the deed."""

from typing import Any

from sqlalchemy import Connection, insert

from eyechart.database import accounts as t
from eyechart.database import now

__all__ = ["record"]

_LONGEST = 200


def record(rows: Connection, who: int | None, action: str, subject: str, **details: Any) -> None:  # any JSON value
    """Note that an account did something to a subject.

    >>> import tempfile; from eyechart.database import Database
    >>> database = Database(tempfile.mkdtemp() + "/work.db")
    >>> with database.writing() as rows:
    ...     record(rows, None, "sign in", "ada", address="127.0.0.1")
    >>> database.close()
    """
    rows.execute(
        insert(t.AUDIT).values(at=now(), account_id=who, action=action, subject=subject[:_LONGEST], details=details)
    )
