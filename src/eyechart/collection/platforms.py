"""Result files of foreign platforms as collected work: Amazon Mechanical Turk's batches, Prolific's exports.

A batch file of MTurk has a row per assignment, with ``Input.…`` columns for what was shown and ``Answer.…`` for what
was said. Prolific knows people and times; what they said is in the file of the survey, joined to it by their id.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import polars as pl

from eyechart.collection.collected import Collected
from eyechart.collection.task_types import task
from eyechart.errors import DataError, FormatError

__all__ = ["read_platform"]

_COUNTED = {"approved", "submitted", "accepted", "completed", "awaiting review"}
_MTURK = {
    "worker": "WorkerId",
    "state": "AssignmentStatus",
    "submitted": "SubmitTime",
    "seconds": "WorkTimeInSeconds",
    "shown": "Input.",
    "said": "Answer.",
}
_PROLIFIC = {
    "worker": "Participant id",
    "state": "Status",
    "submitted": "Completed at",
    "seconds": "Time taken",
    "shown": "",
    "said": "",
}


def read_platform(path: Path, kind: str, *, columns: Mapping[str, str] = {}) -> list[Collected]:
    r"""Responses of a task from a result file (.csv, .jsonl or .json), of MTurk or Prolific as its columns tell.

    ``columns`` maps our names to the file's where they differ: ``question_id``, ``image_id``, and the task's fields.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "batch.csv"
    >>> head = "WorkerId,AssignmentStatus,SubmitTime,WorkTimeInSeconds,Input.question_id,Answer.answer"
    >>> _ = path.write_text(head + "\nA1,Approved,Thu Jan 01 10:00:00 PST 2026,31,7,yes\n")
    >>> read_platform(path, "answer")[0].body
    {'answer': 'yes'}
    """
    rows = _read(path)
    layout = _MTURK if "WorkerId" in rows.columns else _PROLIFIC
    if layout["worker"] not in rows.columns:
        raise FormatError(
            f"{path}: found neither WorkerId (MTurk) nor Participant id (Prolific) "
            f"among {', '.join(rows.columns[:6])}, expected a result file of one of them; export it anew"
        )
    key_name = _about(kind)
    key_column = _column(rows, key_name, layout["shown"], columns, path)
    fields = {field.name for field in task(kind).fields}
    said = {name: found for name in fields if (found := _found(rows, name, layout["said"], columns)) is not None}
    if not said:
        raise FormatError(
            f"{path}: found none of {', '.join(sorted(fields))}, expected a column of what people said; "
            "name it with --column"
        )
    ordinals: dict[str, int] = {}
    lines = []
    for number, row in enumerate(rows.iter_rows(named=True), 2):
        if row[key_column] is None or row[layout["worker"]] is None:
            raise DataError(f"{path}, line {number}: found no {key_name} or worker, expected both; remove the line")
        key = str(row[key_column])
        ordinals[key] = ordinals.get(key, 0) + 1
        body = {name: row[column] for name, column in said.items() if row[column] is not None}
        lines.append(_line(kind, key, ordinals[key], row, layout, body))
    return lines


def _about(kind: str) -> str:
    """What names an item of a task."""
    return "question_id" if kind not in {"question", "caption", "scene_graph"} else "image_id"


def _read(path: Path) -> pl.DataFrame:
    try:
        if path.suffix == ".jsonl":
            return pl.read_ndjson(path).with_columns(pl.all().cast(pl.String))
        if path.suffix == ".json":
            return pl.read_json(path).with_columns(pl.all().cast(pl.String))
        return pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        problem = str(error).splitlines()[0]
        raise FormatError(
            f"{path}: found no table ({problem}), expected .csv, .json or .jsonl; check the file"
        ) from error


def _found(rows: pl.DataFrame, name: str, prefix: str, columns: Mapping[str, str]) -> str | None:
    wanted = (columns.get(name), f"{prefix}{name}", name)
    return next((column for column in wanted if column is not None and column in rows.columns), None)


def _column(rows: pl.DataFrame, name: str, prefix: str, columns: Mapping[str, str], path: Path) -> str:
    found = _found(rows, name, prefix, columns)
    if found is None:
        raise FormatError(
            f"{path}: found no column {prefix}{name}, expected the {name} of each row; name the column with --column"
        )
    return found


def _line(
    kind: str, key: str, ordinal: int, row: Mapping[str, Any], layout: Mapping[str, str], body: dict[str, Any]
) -> Collected:
    status = str(row.get(layout["state"]) or "submitted").casefold()
    shown = layout["shown"]
    content = {
        name.removeprefix(shown): value
        for name, value in row.items()
        if shown and name.startswith(shown) and value is not None
    }
    about = _about(kind)
    if about == "image_id":
        content.setdefault("image", {"image_id": key})
    return Collected(
        task=kind,
        key=key,
        ordinal=ordinal,
        worker=str(row[layout["worker"]]),
        body=body,
        content={"question_id": key, **content} if about == "question_id" else content,
        image_id=key if about == "image_id" else content.get("image_id"),
        question_id=key if about == "question_id" else None,
        state="accepted" if status in _COUNTED else "rejected",
        submitted=_moment(row.get(layout["submitted"])),
        seconds=_seconds(row.get(layout["seconds"])),
    )


def _seconds(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def _moment(text: str | None) -> datetime:
    """A moment as the platforms write it; the epoch where there is none."""
    for read in (datetime.fromisoformat, parsedate_to_datetime, _with_zone_inside):
        try:
            found = read(text or "")
        except (ValueError, TypeError):
            continue
        return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return datetime(1970, 1, 1, tzinfo=UTC)


def _with_zone_inside(text: str) -> datetime:
    """As in ``Thu Jan 01 10:00:00 PST 2026``."""
    zone = {"PST": "-0800", "PDT": "-0700", "UTC": "+0000", "GMT": "+0000"}
    words = [zone.get(word, word) for word in text.split()]
    return datetime.strptime(" ".join(words), "%a %b %d %H:%M:%S %z %Y")
