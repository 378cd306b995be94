"""Benchmarks of older schema versions, read as if they had been written today.

A migration takes a table as version ``n`` wrote it and gives it as version ``n + 1`` would; they apply in a row while a
table is scanned, so no folder needs rewriting. ``tables.SCHEMA_VERSION`` is one more than the number of migrations.
"""

from collections.abc import Callable

import polars as pl

__all__ = ["MIGRATIONS", "is_current", "migrated"]

Migration = Callable[[str, pl.LazyFrame], pl.LazyFrame]

MIGRATIONS: list[Migration] = []
"""The first one reads version 1 as version 2, and so on."""


def is_current(version: int) -> bool:
    """Whether no migration is needed for tables of a version.

    >>> is_current(1)
    True
    """
    return len(MIGRATIONS) < version


def migrated(table: str, rows: pl.LazyFrame, version: int) -> pl.LazyFrame:
    """A table that was written under an older schema version, under the current one.

    >>> migrated("pairs", pl.LazyFrame({"question_id": ["1"]}), version=1).collect().height
    1
    """
    for migration in MIGRATIONS[version - 1 :]:
        rows = migration(table, rows)
    return rows
