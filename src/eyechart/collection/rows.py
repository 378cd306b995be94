"""Small things that every part of collected work does with rows: insert once, find a study, find a worker."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, Executable, Insert, RowMapping, Select, Table, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from eyechart.collection.model import Settings, Study
from eyechart.collection.task_types import Wording, task
from eyechart.database import work
from eyechart.errors import WorkError
from eyechart.registry import did_you_mean

__all__ = [
    "Row",
    "all_studies",
    "by_first",
    "find_study",
    "find_worker",
    "insert_once",
    "inserted",
    "read_study",
    "set_once",
]

Row = RowMapping | Mapping[str, Any]  # of a table

_STUDY = select(work.STUDIES, work.WORDINGS.c.name.label("wording_name"), work.WORDINGS.c.text).join_from(
    work.STUDIES, work.WORDINGS
)


_STUDY_NAMED = _STUDY.where(work.STUDIES.c.name == bindparam("named"))
_WORKER_NAMED = select(work.WORKERS.c.worker_id).where(work.WORKERS.c.name == bindparam("named"))


def insert_once(rows: Connection, table: Table, values: Row) -> bool:
    """Insert a row unless a unique one like it is there; says whether it was new."""
    return rows.execute(_inserting(rows.dialect.name, table), dict(values)).first() is not None


@cache
def _inserting(dialect: str, table: Table) -> Executable:
    """Made once for each table: building a statement takes as long as running it."""
    kind = postgresql if dialect == "postgresql" else sqlite
    adding: Executable = kind.insert(table).on_conflict_do_nothing().returning(*table.primary_key)
    return adding


def inserted(rows: Connection, table: Table, values: Row) -> int:
    """Insert a row; its number."""
    done = rows.execute(_adding(table), dict(values))
    return int((done.inserted_primary_key or (0,))[0])


@cache
def _adding(table: Table) -> Insert:
    return table.insert()


def by_first(rows: Connection, wanted: Select[Any]) -> dict[Any, Any]:
    """The second column of what is selected, by the first."""
    return {row[0]: row[1] for row in rows.execute(wanted)}


def set_once(rows: Connection, table: Table, key: Row, values: Row) -> None:
    """Insert a row, or change the one that has this key."""
    if not insert_once(rows, table, {**key, **values}):
        where = [table.c[name] == value for name, value in key.items()]
        rows.execute(update(table).where(*where).values(**values))


def find_study(rows: Connection, name: str) -> Study:
    """A study by name."""
    row = rows.execute(_STUDY_NAMED, {"named": name}).mappings().one_or_none()
    if row is None:
        known = list(rows.execute(select(work.STUDIES.c.name)).scalars())
        raise WorkError(
            f"study {name!r}: found none of this name, {did_you_mean(name, known) if known else 'and no other'}"
        )
    return read_study(row)


def read_study(row: Row) -> Study:
    """A study from its row."""
    return Study(
        study_id=row["study_id"],
        name=row["name"],
        title=row["title"],
        task=task(row["task"]),
        wording_name=row["wording_name"],
        wording=msgspec.convert(row["text"], Wording),
        wording_hash=row["wording_hash"],
        pool=row["pool"],
        settings=msgspec.convert(row["settings"], Settings),
        state=row["state"],
        created=row["created"],
    )


def find_worker(rows: Connection, name: str) -> int:
    """A worker's number by name."""
    found = rows.execute(_WORKER_NAMED, {"named": name}).scalar_one_or_none()
    if found is None:
        raise WorkError(f"worker {name!r}: found none of this name, expected one; make it with Work.worker")
    return int(found)


def all_studies(rows: Connection) -> list[Study]:
    """Every study, oldest first."""
    return [read_study(row) for row in rows.execute(_STUDY.order_by(work.STUDIES.c.study_id)).mappings()]
