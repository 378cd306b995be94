"""Tables about pictures by ranges of pictures: which rows of each a range needs, so that a shard reads no others."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from eyechart.store import Benchmark

__all__ = ["rows_of_range", "spans"]

Json = Any  # a shard of a stage


def spans(benchmark: Benchmark, tables: Sequence[str], images_per_shard: int) -> list[Json]:
    """A shard for some pictures at a time: the first picture, how many, and where in each table their rows are.

    Pictures come in the order in which the tables first name them. Rows need not be sorted by picture, but a table that
    is nearly so is read nearly once. The places are the first row, how many from there on, and how many of these count.

    >>> import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("images", pl.DataFrame({"image_id": ["1", "2"]}))
    ...     draft.write("objects", pl.DataFrame({"image_id": ["1", "2", "1"], "object_id": ["a", "a", "b"]}))
    >>> spans(Benchmark.open(draft.target), ["images", "objects"], 1)
    [[0, 1, {'images': [0, 1, 1], 'objects': [0, 3, 2]}], [1, 1, {'images': [1, 1, 1], 'objects': [1, 1, 1]}]]
    """
    order = _pictures(benchmark, tables)
    shards = order.select("image_id", shard=pl.col("place") // images_per_shard)
    starts = range(0, order.height, images_per_shard)
    found: list[dict[str, list[int]]] = [{} for _ in starts]
    for table in tables:
        rows = benchmark.scan(table).select("image_id").with_row_index("row").collect()
        ends = (
            rows.join(shards, on="image_id", maintain_order="left")
            .group_by("shard")
            .agg(first=pl.col("row").min(), last=pl.col("row").max(), count=pl.len())
        )
        for shard, first, last, count in ends.iter_rows():
            found[shard][table] = [first, last - first + 1, count]
    return [
        [start, min(images_per_shard, order.height - start), places]
        for start, places in zip(starts, found, strict=True)
    ]


def rows_of_range(benchmark: Benchmark, shard: Json, tables: Sequence[str]) -> dict[str, pl.DataFrame]:
    """The rows of the tables that are about the pictures of a shard, in their order."""
    start, length, places = shard
    found: dict[str, pl.DataFrame] = {}
    for table in tables:
        first, span, count = places.get(table, [0, 0, 0])
        rows = benchmark.scan(table).slice(first, span).collect()
        if count < span:
            pictures = _pictures_once(benchmark.folder, benchmark.fingerprint, tuple(tables)).slice(start, length)
            rows = rows.join(pictures, on="image_id", how="semi", maintain_order="left")
        found[table] = rows
    return found


@lru_cache(1)  # shards that one process does share it
def _pictures_once(folder: Path, fingerprint: str, tables: Sequence[str]) -> pl.DataFrame:  # noqa: ARG001  # the key
    return _pictures(Benchmark.open(folder), tables)


def _pictures(benchmark: Benchmark, tables: Sequence[str]) -> pl.DataFrame:
    """Every picture that any of the tables names, with its place."""
    ids = pl.concat([benchmark.scan(table).select("image_id") for table in tables])
    return ids.unique(maintain_order=True).collect().with_row_index("place")
