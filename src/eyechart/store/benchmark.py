"""A finished benchmark folder, opened for reading: tables are scanned, not loaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import MissingBenchmarkError, SchemaError, UnfinishedBenchmarkError, UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.store.draft import Draft, unfinished_folder
from eyechart.store.manifest import MANIFEST, MadeBy, Manifest
from eyechart.store.migrations import is_current, migrated
from eyechart.tables import TABLES

__all__ = ["Benchmark"]


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: named tables on disk, read lazily.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "tiny"
    >>> with Benchmark.create(folder) as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "question": ["Is it red?"]}))
    >>> tiny = Benchmark.open(folder)
    >>> tiny.rows("questions"), "answers" in tiny
    (1, False)
    >>> tiny.scan("questions").select("question").collect().item()
    'Is it red?'
    """

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: Path | str) -> "Benchmark":
        """Open a finished benchmark; an unfinished one is refused with the way to finish it."""
        folder = Path(folder)
        if not (folder / MANIFEST).is_file():
            raise _not_there(folder)
        return cls(folder, Manifest.load(folder))

    @staticmethod
    def create(folder: Path | str, *, name: str | None = None, licence: str | None = None) -> Draft:
        """Begin a benchmark; it stands when the ``with`` block is left without an error."""
        return Draft(Path(folder), MadeBy("by hand"), name=name, licence=licence)

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return self.manifest.name

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything in the tables: the manifest names every part by its content."""
        return sha256_of_file(self.folder / MANIFEST)

    def __contains__(self, table: object) -> bool:
        return bool(self.manifest.rows.get(str(table)))

    def __iter__(self) -> Iterator[str]:
        return (name for name in TABLES if name in self)

    def rows(self, table: str) -> int:
        """How many rows a table has; 0 if it is not there."""
        return self.manifest.rows.get(_known(table), 0)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily; one that is not there has no rows."""
        parts = [self.folder / part.file for part in self.manifest.parts.get(_known(table), [])]
        return self._rows(table, parts) if parts else TABLES[table].empty().lazy()

    def read(self, table: str) -> pl.DataFrame:
        """A table in memory."""
        try:
            return self.scan(table).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            problem = str(error).splitlines()[0]
            raise SchemaError(
                f"{self.folder}, table {table}: found parts that cannot be read ({problem}), expected the files that "
                f"{MANIFEST} names; make the benchmark again"
            ) from error

    def part(self, table: str, number: int) -> pl.DataFrame:
        """One part of a table, for work by shards."""
        part = self.manifest.parts[_known(table)][number]
        return self._rows(table, [self.folder / part.file]).collect()

    def schemas(self, table: str) -> Iterator[pl.Schema]:
        """What each file of a table holds, as the current version would say it; all of them alike, or it is damaged."""
        for part in self.manifest.parts.get(_known(table), []):
            rows = pl.scan_parquet(self.folder / part.file, glob=False)
            yield migrated(table, rows, self.manifest.schema_version).collect_schema()

    def tables(self) -> dict[str, pl.LazyFrame]:
        """Every table that has rows, lazily."""
        return {name: self.scan(name) for name in self}

    def image_file(self, file: str) -> Path:
        """Where a picture that ``images.file`` names is."""
        return Path(self.manifest.image_root or self.folder / "images") / file

    def _rows(self, table: str, parts: list[Path]) -> pl.LazyFrame:
        if is_current(self.manifest.schema_version):
            # A column that came later than the folder holds nothing there.
            return pl.scan_parquet(parts, glob=False, schema=TABLES[table].schema, missing_columns="insert")
        rows = migrated(table, pl.scan_parquet(parts, glob=False), self.manifest.schema_version)
        return rows.select(TABLES[table].schema.names())


def _known(table: str) -> str:
    if table not in TABLES:
        raise UnknownNameError(f"no table is called {table!r}: {did_you_mean(table, TABLES)}")
    return table


def _not_there(folder: Path) -> Exception:
    if unfinished_folder(folder).exists():
        return UnfinishedBenchmarkError(
            f"{folder}: found {unfinished_folder(folder).name} beside it, expected a finished benchmark; "
            "run the command that was stopped again, it goes on where it was"
        )
    if folder.exists():
        return MissingBenchmarkError(
            f"{folder}: found no {MANIFEST} in it, expected a benchmark folder; name another folder or import into one"
        )
    return MissingBenchmarkError(f"{folder}: found nothing there, expected a benchmark folder; check the path")
