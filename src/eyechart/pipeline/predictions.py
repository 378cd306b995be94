"""Predictions, however they come: a benchmark folder's table, or any results file that a format knows."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from eyechart.errors import FormatError, UsageError
from eyechart.formats import FORMATS, Format, plan, read
from eyechart.pipeline.toolkits import LMMS_EVAL, VLMEVALKIT, from_lmms_eval, from_vlmevalkit
from eyechart.store import MANIFEST, Benchmark
from eyechart.tables import TABLES

__all__ = ["open_predictions"]


def open_predictions(path: Path | str, format_name: str | None = None) -> pl.DataFrame:
    """Predictions from a folder with a predictions table, or from a results file.

    Without a format's name every format that has results is tried; the file's members tell which one it is.

    >>> import tempfile; file = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = file.write_text('[{"questionId": "7", "prediction": "yes"}]')
    >>> open_predictions(file)["answer"].to_list()
    ['yes']
    """
    path = Path(path)
    if (path / MANIFEST).is_file():
        rows = Benchmark.open(path).read("predictions")
    elif path.is_dir():
        raise FormatError(f"{path}: found a folder without {MANIFEST}, expected predictions; name their file or folder")
    elif path.suffix in {".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"}:
        rows = _table(path)
    else:
        rows = _results(path, format_name)
    if not rows.height:
        raise FormatError(f"{path}: found no predictions, expected one per question; check that it is the right file")
    return rows


def _results(path: Path, format_name: str | None) -> pl.DataFrame:
    """Read by the named format, or by the first whose layout fits."""
    problems: list[FormatError] = []
    for source, role in _readers(format_name):
        try:
            pieces = [
                piece.rows
                for shard in plan(source, {role: [path]})
                for piece in read(source, shard)
                if piece.table == "predictions"
            ]
        except FormatError as problem:
            problems.append(problem)
            continue
        return pl.concat(pieces) if pieces else TABLES["predictions"].empty()
    # The reader that came furthest, which for the usual layouts is the first, has the most to say.
    raise problems[0]


def _readers(format_name: str | None) -> Iterator[tuple[Format, str]]:
    names = [format_name] if format_name else ["vqa", *(name for name in FORMATS if name != "vqa")]
    found = False
    for name in names:
        source = FORMATS.load(name)
        for family in source.families:
            if family.lead == "predictions":
                found = True
                yield from ((source, layout.role) for layout in family.layouts)
    if not found:
        raise UsageError(f"the format {format_name!r} has no results file; leave --format out, or name another")


def _table(path: Path) -> pl.DataFrame:
    """A plain table with the columns of predictions: question_id and answer at least."""
    try:
        rows = _as_table(path)
    except FileNotFoundError:
        raise FormatError(f"{path}: found no such file, expected predictions; check the path") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        problem = str(error).splitlines()[0]
        raise FormatError(
            f"{path}: found no table ({problem}), expected columns question_id and answer; correct the file"
        ) from error
    named = {"question_id", "questionId"} & set(rows.columns)
    if not named and set(rows.columns) >= VLMEVALKIT:
        rows = from_vlmevalkit(rows)
    elif not named and set(rows.columns) >= LMMS_EVAL:
        rows = from_lmms_eval(rows)
    renamed = rows.rename({"questionId": "question_id", "prediction": "answer"}, strict=False)
    missing = [name for name in ("question_id", "answer") if name not in renamed.columns]
    if missing:
        raise FormatError(
            f"{path}: found the columns {', '.join(rows.columns)}, expected {' and '.join(missing)} among them; "
            "name them so"
        )
    known = [name for name in TABLES["predictions"].schema if name in renamed.columns]
    return TABLES["predictions"].conform(renamed.select(known))


def _as_table(path: Path) -> pl.DataFrame:
    if path.suffix == ".parquet":
        return pl.read_parquet(path)
    if path.suffix in {".jsonl", ".ndjson"}:
        return pl.read_ndjson(path)
    return pl.read_csv(path, separator="\t" if path.suffix == ".tsv" else ",", infer_schema=False)
