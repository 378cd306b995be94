"""Whether the files of a benchmark are still those that its manifest names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from eyechart._lib.hashing import sha256_of_file
from eyechart.store.benchmark import Benchmark
from eyechart.store.manifest import MANIFEST, Part

__all__ = ["DAMAGE", "damaged_files"]

Problem = Literal["missing", "unreadable", "changed", "rows", "unlisted"]

DAMAGE = pl.Schema({"table": pl.String, "file": pl.String, "problem": pl.String})
"""What ``damaged_files`` gives: problem is missing, unreadable, changed, rows (another number of them) or unlisted."""


class _Damage(NamedTuple):
    table: str
    file: str
    problem: Problem


def damaged_files(benchmark: Benchmark) -> pl.DataFrame:
    """Compare every file of the tables with the manifest: one row per file and problem.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "tiny"
    >>> with Benchmark.create(folder) as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"]}))
    >>> tiny = Benchmark.open(folder)
    >>> damaged_files(tiny).height
    0
    >>> (folder / tiny.manifest.parts["questions"][0].file).unlink()
    >>> damaged_files(tiny)["problem"].to_list()
    ['missing']
    """
    found = [damage for table in benchmark for damage in _of_table(benchmark, table)]
    return pl.DataFrame([*found, *_unlisted(benchmark)], schema=DAMAGE, orient="row")


def _of_table(benchmark: Benchmark, table: str) -> Iterator[_Damage]:
    parts = benchmark.manifest.parts.get(table, [])
    for part in parts:
        yield from (_Damage(table, part.file, problem) for problem in _of_part(benchmark.folder / part.file, part))
    if sum(part.rows for part in parts) != benchmark.rows(table):
        yield _Damage(table, MANIFEST, "rows")


def _of_part(path: Path, part: Part) -> Iterator[Problem]:
    if not path.is_file():
        yield "missing"
        return
    if sha256_of_file(path) == part.sha256:
        rows = _rows(path, whole=False)
    else:
        yield "changed"
        # The foot of a file may be well while its pages are not, so a changed file is read to its end.
        rows = _rows(path, whole=True)
    if rows is None:
        yield "unreadable"
    elif rows != part.rows:
        yield "rows"


def _rows(path: Path, *, whole: bool) -> int | None:
    try:
        rows = pl.read_parquet(path).height if whole else pl.scan_parquet(path).select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError):
        return None
    return int(rows)


def _unlisted(benchmark: Benchmark) -> Iterator[_Damage]:
    """Other readers take every file of a table's folder, so a stray one is not harmless."""
    listed = {part.file for parts in benchmark.manifest.parts.values() for part in parts}
    for path in sorted((benchmark.folder / "tables").rglob("*.parquet")):
        file = path.relative_to(benchmark.folder).as_posix()
        if file not in listed:
            yield _Damage(path.parent.name, file, "unlisted")
