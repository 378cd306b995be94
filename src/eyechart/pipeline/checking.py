"""Check a benchmark: its files, its tables, its pictures; nothing is written but the fingerprints of the pictures."""

import os
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eyechart._lib.progress import Progress, silent
from eyechart.analysis import CHECKS, DISTANCE, Finding, find_faults
from eyechart.errors import BenchmarkError, SchemaError
from eyechart.pipeline.run import Output, Where, run
from eyechart.pipeline.stages.fingerprint import FingerprintPictures, state_of_pictures
from eyechart.store import MANIFEST, Benchmark, damaged_files
from eyechart.tables import TABLES

__all__ = ["FINGERPRINTS", "Report", "check"]

FINGERPRINTS = ".fingerprints"
"""The hidden folder in a benchmark that keeps what a look at its pictures gave."""

_MISFITS = {"table": pl.String, "problem": pl.String}


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found, and what it could not look at."""

    findings: list[Finding]
    skipped: list[str]
    """A sentence for each thing that was not checked."""

    def count(self, severity: str) -> int:
        """How many findings are this grave.

        >>> Report([], []).count("error")
        0
        """
        return sum(finding.severity == severity for finding in self.findings)


def check(
    benchmark: Benchmark,
    *,
    codes: Collection[str] | None = None,
    distance: int = DISTANCE,
    where: Where = Where(),
    progress: Progress = silent,
) -> Report:
    """Look for faults; all of them, or those that ``codes`` names.

    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "question": ["Is it?"], "image_id": ["7"]}))
    >>> [finding.code for finding in check(Benchmark.open(draft.target)).findings]
    ['unknown-image']
    """
    damages = damaged_files(benchmark)
    suspects = set(damages["table"])
    lost = [table for table in benchmark if table in suspects and not _readable(benchmark, table)]
    wrong = {name: problem for name in benchmark if name not in lost and (problem := _misfit(benchmark, name))}
    tables = {name: rows for name, rows in benchmark.tables().items() if name not in lost and name not in wrong}
    tables["damages"] = damages.lazy()
    tables["misfits"] = pl.LazyFrame({"table": [*wrong], "problem": [*wrong.values()]}, schema=_MISFITS)
    skipped = [f"The table {table} was not checked: its files cannot be read." for table in lost]
    if any("fingerprints" in each.needs for each in CHECKS.values() if codes is None or each.code in codes):
        prints = None if "images" in {*lost, *wrong} else _fingerprints(benchmark, where, progress)
        if prints is None:
            skipped.append("Pictures were not checked: no picture files are there.")
        else:
            tables["fingerprints"] = prints.lazy()
    return Report(find_faults(tables, codes=codes, distance=distance), skipped)


def _readable(benchmark: Benchmark, table: str) -> bool:
    try:
        for part in benchmark.manifest.parts[table]:
            pl.read_parquet(benchmark.folder / part.file)
    except (pl.exceptions.PolarsError, OSError):
        return False
    return True


def _misfit(benchmark: Benchmark, table: str) -> str | None:
    return next(filter(None, (TABLES[table].misfit(schema) for schema in benchmark.schemas(table))), None)


def _fingerprints(benchmark: Benchmark, where: Where, progress: Progress) -> pl.DataFrame | None:
    """A look at the pictures, kept in the benchmark if it can be written to; None without any picture file."""
    state = state_of_pictures(benchmark)
    if state is None:
        return None
    stage = FingerprintPictures(os.fspath(benchmark.folder.resolve()), state)

    def look(folder: Path) -> pl.DataFrame:
        return run(stage, Output(folder, replace=True), where=where, progress=progress).read("fingerprints")

    if not os.access(benchmark.folder, os.W_OK):
        with tempfile.TemporaryDirectory(prefix="eyechart-") as temporary:
            return look(Path(temporary) / FINGERPRINTS)
    kept = benchmark.folder / FINGERPRINTS
    if not (kept / MANIFEST).is_file():
        shutil.rmtree(kept, ignore_errors=True)
    try:
        return look(kept)
    except (BenchmarkError, SchemaError):
        # What is kept is damaged; it can be made again at any time.
        shutil.rmtree(kept, ignore_errors=True)
        return look(kept)
