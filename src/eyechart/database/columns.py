"""Column types that mean the same in both databases, and the metadata that every table joins."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Dialect, MetaData, Text
from sqlalchemy.types import TypeDecorator

__all__ = ["METADATA", "Instant", "Json", "now"]

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every constraint has a name that follows from its columns, so that a migration can speak of it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> datetime:
    """The time, in UTC, as :class:`Instant` columns want it.

    >>> now().tzinfo
    datetime.timezone.utc
    """
    return datetime.now(UTC)


class Instant(TypeDecorator[datetime]):
    """A moment, kept as whole microseconds since 1970 in UTC: it compares alike in both databases and loses no zone.

    >>> from sqlalchemy.dialects import sqlite
    >>> Instant().process_bind_param(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), sqlite.dialect())
    1000000
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Turn an aware moment into a number; a naive one is a mistake of ours."""
        return None if value is None else (value - _EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - as above
        """Turn the number back."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


class Json(TypeDecorator[Any]):
    """A JSON value, kept as text exactly as it was written.

    >>> from sqlalchemy.dialects import sqlite
    >>> Json().process_bind_param({"answer": "yes"}, sqlite.dialect())
    '{"answer":"yes"}'
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002 - any JSON value
        """Write the value."""
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002 - any JSON value
        """Read the value."""
        return None if value is None else msgspec.json.decode(value)
