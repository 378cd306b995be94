"""Data files of words, read with the place of every entry, so that a mistake is told where it was made."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import TypeVar

import msgspec

from eyechart.errors import DataError
from eyechart.registry import did_you_mean

__all__ = ["Row", "read_rows", "read_table", "read_text"]

T = TypeVar("T")
SEPARATOR = "|"
_YES_AND_NO = {"yes": True, "no": False, "": None}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a CSV file: its cells by column, and where it stands.

    >>> row = Row("fruit.csv, line 2", {"name": "apple", "places": "kitchen|market"})
    >>> row.text("name"), row.several("places")
    ('apple', ('kitchen', 'market'))
    """

    place: str
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """A cell; empty if the line ends before it."""
        return self.cells.get(column, "")

    def several(self, column: str) -> tuple[str, ...]:
        """The words of a cell, which are separated by a bar."""
        cell = self.text(column)
        return tuple(word.strip() for word in cell.split(SEPARATOR)) if cell else ()

    def choice(self, column: str, allowed: Iterable[str]) -> str:
        """A cell that is empty or one of a few words."""
        cell = self.text(column)
        allowed = list(allowed)
        if cell and cell not in allowed:
            raise self.fault(f"the {column} is {cell!r}, expected one of {', '.join(allowed)}", "choose one of these")
        return cell

    def flag(self, column: str) -> bool | None:
        """A cell that says yes or no, or nothing."""
        return _YES_AND_NO[self.choice(column, ["yes", "no"])]

    def fault(self, found: str, advice: str) -> DataError:
        """The error that tells what is wrong in this line."""
        return DataError(f"{self.place}: {found}; {advice}")


def read_rows(file: Traversable, columns: Sequence[str]) -> Iterator[Row]:
    """The lines of a CSV file whose header names some of the columns; empty lines and those after # are for people."""
    # As editors count lines; splitlines would also part at characters that a word may hold.
    lines = read_text(file).replace("\r\n", "\n").split("\n")
    header: list[str] | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        place = f"{file}, line {number}"
        cells = _cells(place, line)
        if header is None:
            header = _header(place, cells, columns)
        elif len(cells) > len(header):
            raise DataError(
                f"{place}: found {len(cells)} cells, the header has {len(header)}; "
                f"separate words within a cell by {SEPARATOR!r}, and put a cell with a comma in quotes"
            )
        elif not cells[0]:
            raise DataError(f"{place}: the {header[0]} is empty, expected a word; write one or remove the line")
        else:
            yield Row(place, dict(zip(header, cells, strict=False)))


def _cells(place: str, line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]))]
    except csv.Error as error:
        raise DataError(f"{place}: found what is no line of a CSV file ({error}); correct it") from error


def _header(place: str, cells: list[str], columns: Sequence[str]) -> list[str]:
    for cell in cells:
        if cell not in columns:
            raise DataError(f"{place}: found the column {cell!r}, which nothing reads; {did_you_mean(cell, columns)}")
    if cells[0] != columns[0] or len(set(cells)) < len(cells):
        raise DataError(
            f"{place}: found the columns {', '.join(cells)}, expected {columns[0]!r} first and each once; correct them"
        )
    return cells


def read_table(file: Traversable, entry: type[T]) -> dict[str, T]:
    """The tables of a TOML file by name, each as a msgspec struct."""
    text = read_text(file)
    try:
        return msgspec.toml.decode(text, type=dict[str, entry])  # type: ignore[valid-type]  # a type is a value here
    except msgspec.ValidationError as error:
        raise DataError(f"{file}: {error}; correct the entry that the path behind the dollar sign names") from error
    except msgspec.DecodeError as error:
        raise DataError(f"{file}: found what is not TOML: {error}; correct it") from error


def read_text(file: Traversable) -> str:
    """The text of a data file."""
    if not file.is_file():
        raise DataError(f"{file}: no such file, expected one to read; put it there or name another place")
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{file}, line {line}: found the byte {content[error.start]:#04x}, expected UTF-8; save the file as UTF-8"
        ) from error
