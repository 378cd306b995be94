"""``eyechart compare``: is one model better than another, or only luckier?"""

from pathlib import Path
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline.grading import compare as compared
from eyechart.pipeline.predictions import open_predictions
from eyechart.store import Benchmark

__all__ = ["compare"]

_FEWEST = 2
_SMALLEST_SHOWN = 0.0001


def compare(
    benchmark: Path,
    predictions: list[Path],
    /,
    *,
    metric: Annotated[list[str] | None, Parameter(negative="")] = None,
    by: Annotated[list[str] | None, Parameter(negative="")] = None,
    subset: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),
) -> None:
    """Compare models on the same questions: differences from the first, with intervals and p-values.

    Parameters
    ----------
    benchmark
        The benchmark's folder.
    predictions
        Two or more results files or folders; the others are compared with the first.
    metric
        Only this metric; give it several times for several.
    by
        A column of questions to group by; several times for several.
    subset
        Compare on the questions that are answered.
    """
    if len(predictions) < _FEWEST:
        raise UsageError(f"compare: found {len(predictions)} predictions, expected two or more; name another file")
    opened = Benchmark.open(benchmark)
    names = [str(path) for path in predictions]
    opened_predictions = [open_predictions(path) for path in predictions]
    rows = compared(opened, opened_predictions, metrics=metric, by=by, subset=subset, names=names)
    named = rows.with_columns(pl.col("other").replace_strict(dict(enumerate(names)), return_dtype=pl.String))
    if speech.json:
        print_json({"first": str(predictions[0]), "differences": named.to_dicts()})
        return
    print(f"Differences from {predictions[0]}, in percentage points; p-values are corrected for their number (Holm).\n")
    head = ("model", "metric", "questions of", "difference", "95 %", "p", "questions")
    print(columns([_row(row) for row in named.iter_rows(named=True)], head=head))


def _row(row: dict[str, object]) -> tuple[object, ...]:
    def points(name: str) -> str:
        value = row[name]
        return "" if value is None else f"{100 * float(str(value)):+.2f}"

    interval = f"{points('low')} to {points('high')}" if row["low"] is not None else ""
    p = "" if row["p_holm"] is None else _probability(float(str(row["p_holm"])))
    group = row["group"] if row["by"] == "overall" else f"{row['by']} {row['group']}"
    return row["other"], row["metric"], group, points("difference"), interval, p, row["questions"]


def _probability(p: float) -> str:
    return f"{p:.4f}" if p >= _SMALLEST_SHOWN else f"< {_SMALLEST_SHOWN}"
