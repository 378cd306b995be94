"""Guessing passwords is slow: failures are counted in the database, per login and per address."""

import hashlib
from datetime import timedelta

from sqlalchemy import Connection, delete, func, insert, select

from eyechart.database import accounts as t
from eyechart.database import now

__all__ = ["WINDOW", "forget_failures", "note_failure", "too_many_failures"]

WINDOW = timedelta(minutes=15)
_MOST = {"login and address": 5, "address": 50, "login": 100}
"""Few per pair, so that guessing fails; more per login, so that a stranger cannot lock somebody out quickly."""


def _subjects(login: str, address: str) -> dict[str, str]:
    parts = {"login and address": f"{login}\0{address}", "address": f"\0{address}", "login": f"{login}\0"}
    return {kind: hashlib.sha256(part.encode()).hexdigest() for kind, part in parts.items()}


def too_many_failures(rows: Connection, login: str, address: str) -> bool:
    """Whether to wait before another try."""
    failures = t.LOGIN_FAILURES.c
    for kind, subject in _subjects(login, address).items():
        counted = select(func.count()).where(failures.subject == subject, failures.at > now() - WINDOW)
        if rows.execute(counted).scalar_one() >= _MOST[kind]:
            return True
    return False


def note_failure(rows: Connection, login: str, address: str) -> None:
    """Count one, and forget those that are too old to count."""
    rows.execute(delete(t.LOGIN_FAILURES).where(t.LOGIN_FAILURES.c.at < now() - WINDOW))
    moment = now()
    rows.execute(
        insert(t.LOGIN_FAILURES),
        [{"subject": subject, "at": moment} for subject in _subjects(login, address).values()],
    )


def forget_failures(rows: Connection, login: str, address: str) -> None:
    """Somebody knew the password after all."""
    subject = _subjects(login, address)["login and address"]
    rows.execute(delete(t.LOGIN_FAILURES).where(t.LOGIN_FAILURES.c.subject == subject))
