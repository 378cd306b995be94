"""Claim: a table of a million rows is opened and looked into within milliseconds, whatever its size."""

import shutil
import time

import polars as pl
from side_by_side import DATA, compare

from eyechart.store import Benchmark

FOLDER = DATA / "million"


def million() -> None:
    """Make the table once."""
    if not (FOLDER / "benchmark.json").is_file():
        shutil.rmtree(FOLDER, ignore_errors=True)
        ids = pl.int_range(1_000_000, eager=True).cast(pl.String)
        with Benchmark.create(FOLDER) as draft:
            draft.write("questions", pl.DataFrame({"question_id": ids, "question": "What is number " + ids + "?"}))


def ours() -> None:
    """Eyechart: open, count, read the first question."""
    begun = time.perf_counter()
    opened = Benchmark.open(FOLDER)
    opened.rows("questions")
    opened.scan("questions").select("question").head(1).collect()
    print(f"open, count and first row: {1000 * (time.perf_counter() - begun):.1f} ms")


def theirs() -> None:
    """The same table read whole."""
    pl.read_parquet(FOLDER / "tables" / "questions" / "*.parquet")


if __name__ == "__main__":
    million()
    compare("Open a table of a million rows", ours, theirs)
