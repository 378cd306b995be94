"""Bring along what a stage does not change: tables part by part, and the place of the pictures."""

import os
from collections.abc import Collection, Sequence

import polars as pl

from eyechart.pipeline.stage import Write
from eyechart.store import Benchmark
from eyechart.tables import TABLES

__all__ = ["BY_QUESTION", "carried", "carry", "image_root", "kept_only"]

BY_QUESTION = {
    name: [column for reference in table.references if reference.table == "questions" for column in reference.columns]
    for name, table in TABLES.items()
    if any(reference.table == "questions" for reference in table.references)
}
"""The tables that are about questions, and their columns that name one."""


def carried(benchmark: Benchmark, tables: Collection[str]) -> list[list[str | int]]:
    """A shard for each part of these tables: the table, and the number of the part."""
    return [[table, number] for table in tables for number in range(len(benchmark.manifest.parts.get(table, ())))]


def carry(benchmark: Benchmark, shard: Sequence[str | int], write: Write) -> None:
    """Bring one part along as it is."""
    table, number = str(shard[0]), int(shard[1])
    write(table, benchmark.part(table, number))


def kept_only(table: str, rows: pl.LazyFrame, kept: pl.LazyFrame) -> pl.LazyFrame:
    """The rows of a table about questions all of whose questions are kept."""
    for column in BY_QUESTION[table]:
        rows = rows.join(kept.select(pl.col("question_id").alias(column)), on=column, how="semi", maintain_order="left")
    return rows


def image_root(benchmark: Benchmark) -> str | None:
    """Where the pictures are, for a benchmark made of this one that leaves them there."""
    folder = benchmark.image_file("")
    return os.fspath(folder.resolve()) if folder.is_dir() else benchmark.manifest.image_root
