"""Tables that are sorted by a link and turned by a key: page 1,000 costs what page 1 costs."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import Query
from sqlalchemy import ColumnElement, Connection, Row, Select, and_, or_

from eyechart.database import Instant
from eyechart.web.ui.refusals import RefusalError

__all__ = ["Heading", "Listing", "Wanted", "listed"]

Value = Any  # what a column holds
_PAGE = 50


@dataclass(frozen=True, slots=True)
class Heading:
    """A column of a table: its title, what it is sorted by (never null), and whether it is a number.

    >>> Heading("Votes", None, numeric=True).numeric
    True
    """

    title: str
    by: ColumnElement[Any] | None = None
    numeric: bool = False
    largest_first: bool = False


class Wanted:
    """How a visitor wants a table: sorted by a column, from a key on.

    >>> Wanted(sort="-votes").descending
    True
    """

    def __init__(
        self,
        sort: Annotated[str, Query(max_length=60, description="A column, with - before it for largest first.")] = "",
        after: Annotated[str, Query(max_length=600, description="The key after which the page begins.")] = "",
    ) -> None:
        self.sort = sort.removeprefix("-")
        self.descending = sort.startswith("-")
        self.after = after

    def key(self) -> list[Value]:
        """The values after which the page begins."""
        try:
            key = msgspec.json.decode(urlsafe_b64decode(self.after.encode()))
        except (ValueError, msgspec.DecodeError):
            key = None
        if not isinstance(key, list) or len(key) != 2 or not all(isinstance(each, int | float | str) for each in key):  # noqa: PLR2004 - value and id
            raise RefusalError(422, "after: found no key of a page, expected one from a link; start at the first page.")
        return key


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a table."""

    headings: Mapping[str, Heading]
    rows: Sequence[Row[Any]]
    sort: str
    descending: bool
    following: str
    first: bool

    def sort_link(self, name: str) -> str:
        """Where a click on a heading leads: sorted by it, or the other way round."""
        largest_first = not self.descending if name == self.sort else self.headings[name].largest_first
        return "?" + urlencode({"sort": f"{'-' if largest_first else ''}{name}"})

    @property
    def next_link(self) -> str:
        """Where the next page is; empty on the last."""
        sort = f"{'-' if self.descending else ''}{self.sort}"
        return "?" + urlencode({"sort": sort, "after": self.following}) if self.following else ""

    @property
    def first_link(self) -> str:
        """Where the first page is; empty on it."""
        return "" if self.first else "?" + urlencode({"sort": f"{'-' if self.descending else ''}{self.sort}"})


def listed(
    rows: Connection,
    query: Select[Any],
    headings: Mapping[str, Heading],
    key: ColumnElement[Any],
    wanted: Wanted,
    size: int = _PAGE,
) -> Listing:
    """One page of a query, sorted as wanted (by the first heading otherwise), ties by key.

    >>> import tempfile
    >>> from sqlalchemy import select
    >>> from eyechart.database import Database, accounts
    >>> database, c = Database(tempfile.mkdtemp() + "/work.db"), accounts.ACCOUNTS.c
    >>> with database.reading() as rows:
    ...     listed(rows, select(c.login), {"login": Heading("Login", c.login)}, c.account_id, Wanted("", "")).rows
    []
    >>> database.close()
    """
    sortable = {name: heading for name, heading in headings.items() if heading.by is not None}
    name = wanted.sort if wanted.sort in sortable else next(iter(sortable))
    heading = sortable[name]
    descending = wanted.descending if wanted.sort in sortable else heading.largest_first
    by = heading.by
    assert by is not None  # noqa: S101 - sortable holds no other
    if wanted.after:
        value, last = _of_columns(wanted.key(), by, key)
        beyond = by < value if descending else by > value
        query = query.where(or_(beyond, and_(by == value, key > last)))
    query = query.add_columns(by.label("_by"), key.label("_key"))
    ordered = query.order_by(by.desc() if descending else by.asc(), key.asc()).limit(size + 1)
    found = rows.execute(ordered).all()
    shown = found[:size]
    following = _key(shown[-1]._by, shown[-1]._key) if len(found) > size else ""  # noqa: SLF001 - our own labels
    return Listing(headings, shown, name, descending, following, not wanted.after)


def _of_columns(values: Sequence[Value], *columns: ColumnElement[Any]) -> list[Value]:
    """Moments travel as text; a value that is not of its column's kind is no key of ours."""
    converted: list[Value] = []
    for value, column in zip(values, columns, strict=True):
        moment = isinstance(column.type, Instant)
        try:
            converted.append(datetime.fromisoformat(value) if moment else column.type.python_type(value))
        except (TypeError, ValueError, OverflowError):
            raise RefusalError(422, "after: found no key of this table, expected one from a link of it.") from None
    return converted


def _key(*values: Value) -> str:
    return urlsafe_b64encode(msgspec.json.encode(values)).decode()
