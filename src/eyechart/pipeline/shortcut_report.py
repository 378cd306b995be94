"""Audits as a figure: what each part of a question is worth, of one benchmark or before and after a remedy."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from eyechart.analysis import Chart, Result
from eyechart.errors import DataError, MissingBenchmarkError
from eyechart.metrics import clustered_means
from eyechart.report import Big, Section
from eyechart.store import MANIFEST, Benchmark

__all__ = ["audit_section", "audited_shares"]

_PREFIX = "shortcut "
_WHOLE = ("I+Q+A", "Q+I", "full")
"""Probes that see everything; the others are shortcuts."""


def audited_shares(folder: Path) -> pl.DataFrame:
    """What an audit that was kept found: probe, value, low, high, questions.

    Intervals are clustered by the images of the benchmark that was audited, or by question where it is gone.
    """
    scores = Benchmark.open(folder).read("scores").filter(pl.col("metric").str.starts_with(_PREFIX))
    if not scores.height:
        raise DataError(f"{folder}: found no shortcut scores, expected those that eyechart audit -o keeps; audit again")
    images = _images(folder)
    rows = scores.select("question_id", "score", probe=pl.col("metric").str.strip_prefix(_PREFIX))
    placed = rows.join(images, on="question_id", how="left", maintain_order="left")
    means = clustered_means(placed.with_columns(pl.col("image_id").fill_null(pl.col("question_id"))), by=["probe"])
    bounds = [pl.col(bound).clip(0, 1).fill_null(pl.col("value")) for bound in ("low", "high")]
    return means.select("probe", "value", *bounds, pl.col("questions").cast(pl.Int64))


def _images(folder: Path) -> pl.DataFrame:
    for source in Benchmark.open(folder).manifest.made_by.inputs:
        if (Path(source) / MANIFEST).is_file():
            return Benchmark.open(source).read("questions").select("question_id", "image_id")
    return pl.DataFrame(schema={"question_id": pl.String, "image_id": pl.String})


def audit_section(audits: Mapping[str, Path]) -> Section:
    """A section with what each audit found, the first as before and the last as after."""
    missing = [str(folder) for folder in audits.values() if not (folder / MANIFEST).is_file()]
    if missing:
        raise MissingBenchmarkError(
            f"{missing[0]}: found no audit there, expected a folder that eyechart audit -o made; audit first"
        )
    parts = [audited_shares(folder).with_columns(of=pl.lit(name)) for name, folder in audits.items()]
    rows = pl.concat(parts)
    blind = rows.filter(~pl.col("probe").is_in(_WHOLE))
    strongest = blind.sort("value", "probe", descending=[True, False]).unique("of", keep="first", maintain_order=True)
    order = {probe: place for place, probe in enumerate(rows["probe"].unique(maintain_order=True))}
    shown = rows.sort(pl.col("probe").replace_strict(order), maintain_order=True)
    chart = Chart(
        "dots", x="probe", y="value", color="of", low="low", high="high", y_title="answered right", percent=True
    )
    about = (
        "What small models answer that see only a part: A the choices, Q the question, I the picture. They are trained "
        "on most of the questions and asked the others; 95 % intervals clustered by image (Decoys, tables 3 to 5)."
    )
    title = _title(list(audits), blind, strongest)
    return Section(
        "Shortcuts",
        numbers=[_big(row) for row in strongest.iter_rows(named=True)],
        results=[
            Result("shortcuts", title, about, shown.select("probe", "of", "value", "low", "high", "questions"), chart)
        ],
    )


def _title(names: list[str], blind: pl.DataFrame, strongest: pl.DataFrame) -> str:
    """What happened to the strongest shortcut of the first audit."""
    first = strongest.filter(pl.col("of") == names[0]).row(0, named=True)
    if len(names) == 1:
        return f"{first['probe']} alone answers {first['value']:.0%}"
    after = blind.filter(pl.col("of") == names[-1], pl.col("probe") == first["probe"])
    if not after.height:
        return f"{first['probe']} alone answers {first['value']:.0%} of {names[0]}"
    change = 100 * (after["value"].item() - first["value"])
    how = "loses" if change < 0 else "gains"
    return f"{first['probe']} alone {how} {abs(change):.0f} points from {names[0]} to {names[-1]}"


def _big(row: dict[str, object]) -> Big:
    value, low, high = (100 * float(str(row[name])) for name in ("value", "low", "high"))
    return Big(f"{value:.1f} %", f"the strongest shortcut of {row['of']}: {row['probe']}", f"{low:.1f} to {high:.1f}")
