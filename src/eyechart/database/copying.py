"""All rows of one database in another, whichever kinds they are."""

from sqlalchemy import Connection, Integer, Table, func, insert, select

from eyechart.database.engine import Database
from eyechart.database.tables import METADATA
from eyechart.errors import UsageError

__all__ = ["copy_rows", "count_rows"]

_AT_ONCE = 1000


def copy_rows(source: Database, target: Database) -> int:
    """Copy every row into an empty database of the same schema, seen at one moment; gives how many.

    >>> import tempfile
    >>> from contextlib import closing
    >>> folder = tempfile.mkdtemp()
    >>> with closing(Database(folder + "/a.db")) as one, closing(Database(folder + "/b.db")) as two:
    ...     copy_rows(one, two)
    0
    """
    with source.reading() as found, target.writing() as written:
        filled = [table.name for table in METADATA.sorted_tables if written.execute(select(table).limit(1)).first()]
        if filled:
            raise UsageError(
                f"{target.name}: found rows in {', '.join(filled)}, expected an empty database; name another"
            )
        return sum(_copy(table, found, written) for table in METADATA.sorted_tables)


def count_rows(database: Database) -> int:
    """How many rows there are in all tables.

    >>> import tempfile
    >>> from contextlib import closing
    >>> with closing(Database(tempfile.mkdtemp() + "/a.db")) as one:
    ...     count_rows(one)
    0
    """
    with database.reading() as rows:
        tables = METADATA.sorted_tables
        return sum(rows.execute(select(func.count()).select_from(table)).scalar_one() for table in tables)


def _copy(table: Table, found: Connection, written: Connection) -> int:
    copied = 0
    stream = found.execution_options(yield_per=_AT_ONCE).execute(select(table))
    for rows in stream.mappings().partitions(_AT_ONCE):
        written.execute(insert(table), [dict(row) for row in rows])
        copied += len(rows)
    if written.dialect.name == "postgresql":
        _go_on_counting(table, written)
    return copied


def _go_on_counting(table: Table, written: Connection) -> None:
    """The next row gets the number after the last one copied."""
    column = table.autoincrement_column
    if column is None or not isinstance(column.type, Integer):
        return
    last = written.execute(select(func.max(column))).scalar_one()
    if last is not None:
        sequence = func.pg_get_serial_sequence(table.name, column.name)
        written.execute(select(func.setval(sequence, last)))
