"""Faults of files and schemas: what is found before a single row is looked at.

Two tables come from outside the benchmark: ``damages`` and ``misfits``, of its files and of their columns.
"""

from collections.abc import Mapping

import polars as pl

from eyechart.analysis.evidence import Evidence
from eyechart.analysis.findings import Check
from eyechart.tables import TABLES, Column

__all__ = ["FILE_CHECKS", "fitting"]

_MISFITS = pl.Schema({"table": pl.String, "problem": pl.String})


def fitting(tables: Mapping[str, pl.LazyFrame]) -> dict[str, pl.LazyFrame]:
    """The tables that have their schema's columns, and a table ``misfits`` of what is wrong with the others.

    >>> sound = fitting({"pairs": pl.LazyFrame({"question_id": ["1"]}), "images": TABLES["images"].empty().lazy()})
    >>> list(sound), sound["misfits"].collect()["problem"].to_list()
    (['images', 'misfits'], ['has no column complement_id'])
    """
    problems = {name: TABLES[name].misfit(rows.collect_schema()) for name, rows in tables.items() if name in TABLES}
    wrong = pl.LazyFrame([(n, problem) for n, problem in problems.items() if problem], schema=_MISFITS, orient="row")
    sound = {name: _whole(name, rows) for name, rows in tables.items() if not problems.get(name)}
    known = [tables["misfits"]] if "misfits" in tables else []
    return sound | {"misfits": pl.concat([*known, wrong])}


def _whole(name: str, rows: pl.LazyFrame) -> pl.LazyFrame:
    """With its absent columns, empty; what is no table of a benchmark stays as it is."""
    if name not in TABLES:
        return rows
    found = rows.collect_schema()
    absent = {column: pl.lit(None, dtype) for column, dtype in TABLES[name].schema.items() if column not in found}
    return rows.with_columns(**absent)


def _misfits(evidence: Evidence) -> pl.LazyFrame:
    detail = pl.format("{} {}", "table", "problem")
    return evidence["misfits"].select(example="table", detail=detail)


def _files(evidence: Evidence, *problems: str) -> pl.LazyFrame:
    return evidence["damages"].filter(pl.col("problem").is_in(problems)).select(example="file")


def _missing_values(evidence: Evidence) -> pl.LazyFrame:
    required = [(name, column) for name, table in TABLES.items() for column in table.columns if column.required]
    return _cells(evidence, [(name, column, pl.col(column.name).is_null()) for name, column in required])


def _unlisted_values(evidence: Evidence) -> pl.LazyFrame:
    closed = [(name, column) for name, table in TABLES.items() for column in table.columns if column.values]
    return _cells(evidence, [(n, column, pl.col(column.name).is_in(column.values).not_()) for n, column in closed])


def _cells(evidence: Evidence, faults: list[tuple[str, Column, pl.Expr]]) -> pl.LazyFrame:
    frames = [
        evidence[name]
        .filter(fault)
        .select(example=pl.format("{}.{} of {}", pl.lit(name), pl.lit(column.name), _id(name)))
        for name, column, fault in faults
        if name in evidence
    ]
    return pl.concat([pl.LazyFrame(schema={"example": pl.String}), *frames])


def _id(table: str) -> pl.Expr:
    first = TABLES[table].key[0] if TABLES[table].key else TABLES[table].columns[0].name
    return pl.col(first).cast(pl.String).fill_null("null")


FILE_CHECKS = (
    Check(
        "missing-file",
        "error",
        "The manifest names files that are not there, so their tables were not checked.",
        ("damages",),
        lambda evidence: _files(evidence, "missing"),
    ),
    Check(
        "unreadable-file",
        "error",
        "Files cannot be read as Parquet, so their tables were not checked.",
        ("damages",),
        lambda evidence: _files(evidence, "unreadable"),
    ),
    Check(
        "changed-file",
        "error",
        "Files do not have the content that the manifest names.",
        ("damages",),
        lambda evidence: _files(evidence, "changed"),
    ),
    Check(
        "wrong-row-count",
        "error",
        "Files do not have as many rows as the manifest says.",
        ("damages",),
        lambda evidence: _files(evidence, "rows"),
    ),
    Check(
        "unlisted-file",
        "warning",
        "Files lie among the tables that the manifest does not name; other readers take them for rows.",
        ("damages",),
        lambda evidence: _files(evidence, "unlisted"),
    ),
    Check(
        "wrong-schema",
        "error",
        "Tables do not have their columns, so they were not checked: {detail}.",
        ("misfits",),
        _misfits,
    ),
    Check("missing-value", "error", "Cells are empty that must hold a value.", (), _missing_values),
    Check("unlisted-value", "error", "Cells hold a value that is not one of the listed ones.", (), _unlisted_values),
)
