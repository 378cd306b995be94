"""Plain text as records: each line is one, or each group of lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedWriter
from pathlib import Path

import msgspec

from eyechart.errors import FormatError
from eyechart.formats.files import Json, RecordFile, Writer, mapped

__all__ = ["TextLines", "text_of"]

_LINE_END, _LAST_LINE = "line_end", "last_line"


@dataclass(frozen=True)
class TextLines:
    r"""A text file; a record is a line, or an object of as many lines as there are names.

    The head says what is not a line end after each line: line ends of DOS, or a last line that has none.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "train.txt"
    >>> _ = path.write_bytes(b"what is red\r\ncup\r\n")
    >>> file = TextLines(("question", "answer")).open(path)
    >>> file.plain([0]), file.head
    ([{'question': 'what is red', 'answer': 'cup'}], {'line_end': '\r\n'})
    """

    names: tuple[str, ...] = ()
    """What each line of a group holds."""
    suffix: str = ".txt"

    def open(self, path: Path) -> RecordFile:
        """Cut the file into lines, then into groups."""
        lines, head = _cut(text_of(path))
        size = len(self.names) or 1
        if len(lines) % size:
            raise FormatError(
                f"{path}: line {len(lines)}: found the end of the file, expected {size} lines for each record "
                f"({', '.join(self.names)}); look for a missing or an additional line"
            )
        groups = [lines[start : start + size] for start in range(0, len(lines), size)]
        records = [dict(zip(self.names, group, strict=True)) for group in groups] if self.names else lines
        raws = [msgspec.json.encode(record) for record in records]
        keys = [str(place) for place in range(len(raws))]
        return RecordFile(path, keys, raws, head, "line", range(1, len(lines) + 1, size))

    def open_head(self, path: Path) -> dict[str, Json]:  # noqa: ARG002  # no member stands beside lines
        """Nothing stands beside the records."""
        return {}

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a file; records are written as they come."""
        with path.open("wb") as file:
            writer = _Lines(file, str(head.get(_LINE_END, "\n")).encode())
            yield writer
            if not head.get(_LAST_LINE):
                file.write(writer.owed)


@dataclass
class _Lines:
    file: BufferedWriter
    line_end: bytes
    owed: bytes = b""
    """The line end that is due once it is known whether another line follows."""

    def add(self, key: str, record: Json) -> None:  # noqa: ARG002  # the place is the key
        for line in record.values() if isinstance(record, dict) else [record]:
            # A line break inside would shift every line behind it.
            self.file.write(self.owed + str(line).replace("\n", " ").encode())
            self.owed = self.line_end


def text_of(path: Path) -> str:
    """The text of a file; refuses what is not UTF-8, with the line.

    >>> text_of(Path("missing.txt"))
    Traceback (most recent call last):
    eyechart.errors.FormatError: missing.txt: found no such file, expected a file to read; check the path
    """
    content = bytes(mapped(path))
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise FormatError(
            f"{path}: line {number}: found bytes that are not UTF-8, expected UTF-8 text; convert the file"
        ) from error


def _cut(content: str) -> tuple[list[str], dict[str, Json]]:
    head: dict[str, Json] = {}
    if content.count("\r\n") == content.count("\n") > 0:
        content = content.replace("\r\n", "\n")
        head[_LINE_END] = "\r\n"
    lines = content.split("\n")
    if lines[-1]:
        head[_LAST_LINE] = "without line end"
    else:
        lines.pop()
    return lines, head
