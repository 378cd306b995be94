"""CSV and tab-separated tables of anybody's own data: a header, then a question in each row."""

import csv
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import msgspec
from msgspec import UNSET, UnsetType

from eyechart.errors import DataError, FormatError
from eyechart.formats.files import Json, RecordFile, Writer
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.lines import text_of
from eyechart.formats.rows import ALIASES, NOTES, Row, decode_rows, encode_rows
from eyechart.formats.spellings import Spelled
from eyechart.formats.values import optional, split_of_name
from eyechart.formats.vqa_records import PARTS

__all__ = ["CSV", "Separated"]

LIST_SEPARATOR = "|"
"""Stands between the answers, or the choices, of one cell."""

_COLUMNS, _DELIMITER, _LINE_END = "columns", "delimiter", "line_end"
_LARGEST_CELL, _LARGEST_NUMBER = 1 << 30, 1 << 31


@dataclass(frozen=True)
class Separated:
    r"""A table of cells below a header; a record has the cells that are not empty, by column.

    Quotes, line breaks in quotes and a byte order mark are understood. The head says the columns in their order; a file
    whose name ends in .tsv has tabs for commas.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "mine.csv"
    >>> _ = path.write_text('image,question\n7.jpg,"Red, or\nblue?"\n')
    >>> file = Separated().open(path)
    >>> file.plain([0]), file.head
    ([{'image': '7.jpg', 'question': 'Red, or\nblue?'}], {'columns': ['image', 'question']})
    """

    suffix: str = ".csv"

    def open(self, path: Path) -> RecordFile:
        """Read the header and the rows."""
        content, delimiter = text_of(path), _delimiter(path)
        rows = _rows(path, content, delimiter)
        _, columns = next(rows, (1, []))
        _refuse_header(path, columns)
        raws, numbers = [], []
        for number, cells in rows:
            if len(cells) != len(columns):
                raise FormatError(
                    f"{path}: line {number}: found a row of {len(cells)}, expected {len(columns)} cells as in the "
                    "header; look for a missing quote or a stray separator"
                )
            raws.append(msgspec.json.encode({name: cell for name, cell in zip(columns, cells, strict=True) if cell}))
            numbers.append(number)
        head: dict[str, Json] = {_COLUMNS: columns}
        head |= {_DELIMITER: delimiter} if delimiter != "," else {}
        head |= {_LINE_END: "\r\n"} if "\r\n" in content.partition("\n")[0] + "\n" else {}
        return RecordFile(path, [str(place) for place in range(len(raws))], raws, head, "line", numbers)

    def open_head(self, path: Path) -> dict[str, Json]:  # noqa: ARG002  # rows say their split themselves
        """Nothing that is needed before the rows are read."""
        return {}

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a table; rows are held back on disk until all columns are known."""
        columns = dict.fromkeys(map(str, head.get(_COLUMNS) or []))
        with TemporaryFile() as rows:
            yield _Held(rows, columns)
            rows.seek(0)
            with path.open("w", encoding="utf-8", newline="") as file:
                # Cells with either kind of line break get quotes only if the writer ends its lines in both.
                write = csv.writer(_LineEnds(file, str(head.get(_LINE_END, "\n"))), delimiter=head.get(_DELIMITER, ","))
                write.writerow(columns)
                for row in rows:
                    cells = msgspec.json.decode(row, type=dict[str, str])
                    write.writerow([cells.get(name, "") for name in columns])


@dataclass
class _Held:
    rows: IO[bytes]
    columns: dict[str, None]

    def add(self, key: str, record: Json) -> None:  # noqa: ARG002  # the record holds its key
        self.columns.update(dict.fromkeys(record))
        self.rows.write(msgspec.json.encode(record) + b"\n")


@dataclass
class _LineEnds:
    file: IO[str]
    line_end: str

    def write(self, row: str) -> None:
        self.file.write(row.removesuffix("\r\n") + self.line_end)


def _delimiter(path: Path) -> str:
    return "\t" if path.suffix.lower() in {".tsv", ".tab"} else ","


def _rows(path: Path, content: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, each with the number of the line on which it begins."""
    lines = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    before = csv.field_size_limit(_LARGEST_CELL)
    try:
        while True:
            number = lines.line_num + 1
            cells = next(lines, None)
            if cells is None:
                return
            if cells:
                yield number, cells
    except csv.Error as error:
        raise FormatError(
            f"{path}: line {lines.line_num}: found cells that cannot be told apart ({error}), expected quotes around "
            "cells with separators, quotes or line breaks, and quotes inside them doubled; correct the line"
        ) from error
    finally:
        csv.field_size_limit(before)


def _refuse_header(path: Path, columns: list[str]) -> None:
    repeated = [name for name in columns if columns.count(name) > 1]
    if repeated:
        raise FormatError(
            f"{path}: line 1: found the column {repeated[0]!r} twice, expected every name once; rename one"
        )
    known = {"question", *ALIASES["question"]}
    if not known & set(columns):
        found = ", ".join(map(repr, columns[:8])) or "nothing"
        raise FormatError(
            f"{path}: line 1: found the columns {found}, expected one called question; "
            "write a header with the columns' names, separated by commas (by tabs in .tsv)"
        )


class Cells(msgspec.Struct, gc=False):
    """One question; empty cells are absent."""

    question: str
    question_id: str | UnsetType = UNSET
    image_id: str | UnsetType = UNSET
    image: str | UnsetType = UNSET
    image_url: str | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    answers: str | UnsetType = UNSET
    choices: str | UnsetType = UNSET
    split: str | UnsetType = UNSET
    question_type: str | UnsetType = UNSET
    answer_type: str | UnsetType = UNSET
    full_answer: str | UnsetType = UNSET
    width: str | UnsetType = UNSET
    height: str | UnsetType = UNSET


_LISTS, _NUMBERS = ("answers", "choices"), ("width", "height")


def decode(batch: Batch) -> Frames:
    """Tables of the rows."""
    return decode_rows(batch.keys, [_row(cells) for cells in batch["questions"]], batch.split)


def _row(cells: Cells) -> Row:
    row = Row(**{name: getattr(cells, name) for name in cells.__struct_fields__})
    for name in _LISTS:
        setattr(row, name, _listed(optional(getattr(cells, name))))
    for name in _NUMBERS:
        setattr(row, name, _number(name, optional(getattr(cells, name))))
    return row


def _listed(cell: str | None) -> list[str] | None:
    """A cell with several values: a JSON array of strings, or the values with separators."""
    if cell is None:
        return None
    try:
        return msgspec.json.decode(cell, type=list[str])
    except (msgspec.MsgspecError, RecursionError):
        return cell.split(LIST_SEPARATOR)


def _number(name: str, cell: str | None) -> int | None:
    if cell is None:
        return None
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not abs(number) < _LARGEST_NUMBER:
        raise DataError(f"{name}: found {cell[:20]!r}, expected a number of pixels; correct the cell")
    return int(number)


def encode(frames: Frames) -> Encoded:
    """Rows as cells."""
    keys, records = encode_rows(frames)
    return Encoded(keys, [{name: _cell(value) for name, value in record.items()} for record in records])


def _cell(value: Json) -> str:
    if not isinstance(value, list):
        return str(value)
    texts = [item["answer"] if isinstance(item, dict) else item for item in value]
    # An array keeps values that hold separators, and a single value that would look like an array or like nothing.
    plain = LIST_SEPARATOR.join(texts)
    return plain if _listed(plain or None) == texts else msgspec.json.encode(texts).decode()


CSV = Format(
    name="csv",
    title="CSV or tab-separated: your own questions, a row each below a header",
    families=(
        Family(
            layouts=(
                Layout(
                    "questions",
                    "a header, then a row for each question, with a picture and a question",
                    Spelled(Separated(), ALIASES, key="question_id", numbered=True),
                    Cells,
                    encode,
                    hints=(".csv", ".tsv", ".tab"),
                    file_name=lambda _split, head: "questions.tsv" if head.get(_DELIMITER) == "\t" else "questions.csv",
                    split=split_of_name,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            parts=PARTS,
            context=("images",),
            one_file=True,
        ),
    ),
    notes=(
        f"{NOTES} In a cell with several answers or choices, {LIST_SEPARATOR} stands between them; a JSON array of "
        "strings is understood too. Files whose names end in .tsv have tabs for commas."
    ),
)
