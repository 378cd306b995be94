"""Results on standard output: tables for people, one JSON object for machines."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from eyechart.store import Benchmark

__all__ = ["columns", "print_json", "print_summary"]

Json = Any  # whatever the verb reports

_NUMBER = re.compile(r"-?\d[\d,.]*")


def print_json(result: Json) -> None:
    """One JSON object and nothing else."""
    print(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())


def columns(rows: Sequence[Sequence[object]], *, head: Sequence[str] = ()) -> str:
    """Rows as aligned columns, numbers to the right.

    >>> print(columns([("questions", 214354), ("images", 12)], head=("table", "rows")))
    table         rows
    questions  214,354
    images          12
    """
    lines = [list(head)] if head else []
    lines += [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    numeric = [all(_NUMBER.fullmatch(str(row[i])) for row in rows) for i in range(len(lines[0]))] if lines else []
    widths = [max(len(line[i]) for line in lines) for i in range(len(numeric))]
    aligned = [
        [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        for line in lines
    ]
    return "\n".join("  ".join(line).rstrip() for line in aligned)


def _summary(benchmark: Benchmark) -> Mapping[str, Json]:
    """What a benchmark holds, for printing."""
    manifest = benchmark.manifest
    return {"benchmark": str(benchmark.folder), "name": manifest.name, "rows": manifest.rows, "splits": manifest.splits}


def print_summary(benchmark: Benchmark, *, json: bool) -> None:
    """Say what a benchmark holds."""
    if json:
        print_json(_summary(benchmark))
        return
    print(columns(list(benchmark.manifest.rows.items()), head=("table", "rows")))
    if benchmark.manifest.splits:
        print("\n" + columns(list(benchmark.manifest.splits.items()), head=("split", "questions")))
    print(f"\n{benchmark.folder} is ready.")
