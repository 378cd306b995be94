"""JSON files as records: split without decoding, decoded in batches, every error placed.

A file of 200 MB is mapped, not read; its records are cut out as undecoded slices (`msgspec.Raw`) and become typed
objects a batch at a time. What does not fit is reported with file, record number, id, what was found and what was
expected.
"""

import mmap
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from io import BufferedWriter
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from eyechart.errors import FormatError

__all__ = [
    "Container",
    "JsonLines",
    "JsonList",
    "JsonMapping",
    "RecordFile",
    "Writer",
    "decoded",
    "mapped",
    "record_ids",
    "refuse_repeated",
]

T = TypeVar("T")

# JSON values of foreign files, before anything is known about them.
Json = Any

Encode = Callable[[str, Json], bytes]
"""How a key and its record become bytes."""

Buffer = bytes | mmap.mmap | memoryview | msgspec.Raw

_UTF8_MARK = b"\xef\xbb\xbf"
_PATH = re.compile(r" - at `(?P<path>[^`]*)`$")
_INDEX = re.compile(r"^\$\[(?P<index>\d+)\]\.?")
_LONGEST_SHOWN = 60
"""Characters of an id that a message shows."""

_WHOLE = msgspec.json.Decoder(msgspec.Raw)
_BYTE = re.compile(r" ?\((?:byte|char) (?P<byte>\d+)\)")


@dataclass
class RecordFile:
    """An opened file: a head (what stands beside the records) and undecoded records with their keys."""

    path: Path
    keys: list[str]
    """The id of each record, unique in the file."""
    raws: Sequence[bytes | msgspec.Raw]
    head: dict[str, Json] = field(default_factory=dict)
    noun: str = "record"
    numbers: Sequence[int] | None = None
    """The number of each record as people count, such as the line it stands in; 1, 2, 3 … without it."""

    def decode(self, kind: type[T], indices: Sequence[int]) -> list[T]:
        """Turn the records at these places into typed objects."""
        try:
            records: list[T] = msgspec.json.decode(self._joined(indices), type=list[kind])  # type: ignore[valid-type]  # a type made at run time
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
            raise self.placed(error, indices) from error
        if len(records) != len(indices):
            # Read together, "{}, {}" in the place of one record looks like two.
            raise self.placed(msgspec.DecodeError("trailing characters"), indices)
        return records

    def plain(self, indices: Sequence[int]) -> list[Json]:
        """The records at these places as plain JSON values."""
        return self.decode(object, indices)

    def name(self, index: int) -> str:
        """How to speak of a record in a message."""
        number = self.number(index)
        key = self.keys[index]
        return f"{self.path}: {self.noun} {number}" + ("" if key == str(index) else f" (id {_shortened(key)})")

    def number(self, index: int) -> int:
        """The number of a record as people count."""
        return index + 1 if self.numbers is None else self.numbers[index]

    def _joined(self, indices: Sequence[int]) -> bytes:
        return b"[" + b",".join([self.raws[i] for i in indices]) + b"]"

    def placed(self, error: Exception, indices: Sequence[int]) -> FormatError:
        """The error as a sentence that names the record, one of these."""
        for index in indices:
            # Decoding alone tells which record it is, whatever the message looks like.
            try:
                msgspec.json.decode(self.raws[index])
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as alone:
                return self._sentence(index, *_problem_and_path(alone))
        problem, path = _problem_and_path(error)
        at = _INDEX.match(path)
        return self._sentence(indices[int(at["index"])] if at else indices[0], problem, _INDEX.sub("", path))

    def _sentence(self, index: int, problem: str, path: str) -> FormatError:
        inside = path.removeprefix("$").removeprefix(".")
        place = f"{self.name(index)}, {inside}" if inside else self.name(index)
        return FormatError(f"{place}: {problem}; correct the file or leave the record out")


class Writer(Protocol):
    """Takes the records of one file, one after the other."""

    def add(self, key: str, record: Json) -> None:
        """Write one record."""
        ...


class Container(Protocol):
    """How records lie in a file: as a list, as a mapping, line by line."""

    @property
    def suffix(self) -> str:
        """What file names end in."""
        ...

    def open(self, path: Path) -> RecordFile:
        """Read a file's head and cut out its records."""
        ...

    def open_head(self, path: Path) -> dict[str, Json]:
        """Read only what stands beside the records."""
        ...

    def writer(self, path: Path, head: dict[str, Json]) -> AbstractContextManager[Writer]:
        """Begin a file."""
        ...


@dataclass(frozen=True)
class JsonList:
    """A JSON array of objects, alone in its file or under ``field`` beside a head.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = path.write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> JsonList(key="question_id").open(path).keys
    ['7']
    """

    key: str | None = None
    """The member that identifies a record; without one, its place in the list does."""
    field: str | None = None
    suffix: str = ".json"

    def open(self, path: Path) -> RecordFile:
        """Read the head and cut out the records."""
        buffer = mapped(path)
        if self.field is None:
            raws = decoded(path, buffer, list[msgspec.Raw])
            return RecordFile(path, self._keys(path, buffer, len(raws)), raws)
        members = decoded(path, buffer, dict[str, msgspec.Raw])
        if self.field not in members:
            found = ", ".join(map(repr, list(members)[:8])) or "nothing"
            raise FormatError(
                f"{path}: found an object with {found}, expected a member {self.field!r}; "
                "check that it is the right file"
            )
        content = members.pop(self.field)
        raws = decoded(path, content, list[msgspec.Raw])
        head = {name: decoded(path, raw, object) for name, raw in members.items()}
        return RecordFile(path, self._keys(path, content, len(raws)), raws, head)

    def open_head(self, path: Path) -> dict[str, Json]:
        """The members beside the records."""
        if self.field is None:
            return {}
        members = decoded(path, mapped(path), dict[str, msgspec.Raw])
        return {name: decoded(path, raw, object) for name, raw in members.items() if name != self.field}

    def _keys(self, path: Path, content: Buffer, count: int) -> list[str]:
        if self.key is None:
            return [str(place) for place in range(count)]
        return record_keys(path, content, self.key)

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a file; records are written as they come."""
        opening, closing = ("[", "]")
        if self.field is not None:
            begun = msgspec.json.encode(head).decode()[:-1]
            opening = f"{begun}{', ' if head else ''}{msgspec.json.encode(self.field).decode()}: ["
            closing = "]}"
        with path.open("wb") as file:
            yield from _delimited(file, opening, closing, lambda _key, record: msgspec.json.encode(record))


@dataclass(frozen=True)
class JsonMapping:
    """A JSON object whose members are the records, named by their ids.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "choices.json"
    >>> _ = path.write_text('{"07": {"valid": ["yes", "no"]}}')
    >>> JsonMapping().open(path).keys
    ['07']
    """

    suffix: str = ".json"

    def open(self, path: Path) -> RecordFile:
        """Cut out the members."""
        buffer = mapped(path)
        members = decoded(path, buffer, dict[str, msgspec.Raw])
        _refuse_repeated_members(path, buffer, members)
        return RecordFile(path, list(members), list(members.values()))

    def open_head(self, path: Path) -> dict[str, Json]:  # noqa: ARG002  # a mapping has no head
        """Nothing stands beside the records."""
        return {}

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:  # noqa: ARG002  # a mapping has no head
        """Begin a file; members are written as they come."""
        with path.open("wb") as file:
            yield from _delimited(
                file,
                "{",
                "}",
                lambda key, record: msgspec.json.encode(key) + b": " + msgspec.json.encode(record),
            )


@dataclass(frozen=True)
class JsonLines:
    r"""One JSON object a line.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "questions.jsonl"
    >>> _ = path.write_text('{"id": "a"}\n\n{"id": "b"}\n')
    >>> JsonLines(key="id").open(path).keys
    ['a', 'b']
    """

    key: str | None = None
    suffix: str = ".jsonl"

    def open(self, path: Path) -> RecordFile:
        """Cut the file into lines; blank ones are left out."""
        lines = bytes(mapped(path)).split(b"\n")
        numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
        raws = [lines[number - 1] for number in numbers]
        file = RecordFile(path, [str(i) for i in range(len(raws))], raws, noun="line", numbers=numbers)
        for index, raw in enumerate(raws):
            # A line is read with others; it must be one JSON value by itself, not "1, 2".
            try:
                _WHOLE.decode(raw)
            except (msgspec.MsgspecError, RecursionError) as error:
                raise file.placed(error, [index]) from error
        if self.key is not None:
            file.keys = record_ids(file, self.key)
            refuse_repeated(file)
        return file

    def open_head(self, path: Path) -> dict[str, Json]:  # noqa: ARG002  # lines have no head
        """Nothing stands beside the records."""
        return {}

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:  # noqa: ARG002  # lines have no head
        """Begin a file; each record becomes a line."""
        with path.open("wb") as file:
            yield _Lines(file)


@dataclass
class _Lines:
    file: BufferedWriter

    def add(self, key: str, record: Json) -> None:  # noqa: ARG002  # the record holds its key
        self.file.write(msgspec.json.encode(record) + b"\n")


def record_keys(path: Path, content: Buffer, key: str) -> list[str]:
    """The ids of a JSON array's records, each an integer or a string; refuses repeated ones."""
    kind = _key_type(key)
    try:
        records = msgspec.json.decode(content, type=list[kind])  # type: ignore[valid-type]  # a type made at run time
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raws = decoded(path, content, list[msgspec.Raw])
        raise RecordFile(path, [str(i) for i in range(len(raws))], raws).placed(error, range(len(raws))) from error
    file = RecordFile(path, [str(record.key0) for record in records], ())  # type: ignore[attr-defined]  # as above
    refuse_repeated(file)
    return file.keys


def record_ids(file: RecordFile, *names: str) -> list[str]:
    """The id of each record, under the first of these names that it has.

    >>> record_ids(RecordFile(Path("a.json"), ["0", "1"], [b'{"id": 7}', b'{"image_id": 8}']), "id", "image_id")
    ['7', '8']
    """
    kind = _key_type(*names)
    decoder = msgspec.json.Decoder(kind)
    try:
        found = [decoder.decode(raw) for raw in file.raws]
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        file.decode(kind, range(len(file.raws)))  # raises, and names the record
        raise file.placed(error, range(len(file.raws))) from error
    slots = kind.__struct_fields__
    ids = [next((str(v) for slot in slots if (v := getattr(one, slot)) is not msgspec.UNSET), None) for one in found]
    if None in ids:
        raise FormatError(
            f"{file.name(ids.index(None))}: found no member {' or '.join(map(repr, names))}, expected one; "
            "correct the file or leave the record out"
        )
    return [found for found in ids if found is not None]


def refuse_repeated(file: RecordFile) -> None:
    """Raise if two records have the same id."""
    if len(set(file.keys)) == len(file.keys):
        return
    seen: dict[str, int] = {}
    for index, key in enumerate(file.keys):
        if key in seen:
            raise FormatError(
                f"{file.path}: {file.noun} {file.number(index)}: found id {_shortened(key)!r} again (first in "
                f"{file.noun} {file.number(seen[key])}), expected every id once; remove one of the two"
            )
        seen[key] = index


def _key_type(*names: str) -> type[msgspec.Struct]:
    """A record of which only the id is read; with one name for it, the id must be there."""
    kind = int | str if len(names) == 1 else int | str | msgspec.UnsetType
    default: dict[str, Any] = {} if len(names) == 1 else {"default": msgspec.UNSET}  # arguments of msgspec's own types
    fields = [(f"key{place}", kind, msgspec.field(name=name, **default)) for place, name in enumerate(names)]
    return msgspec.defstruct("Key", fields)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def mapped(path: Path) -> Buffer:
    """A file's bytes, without reading them yet; refuses what is no file, or is empty.

    >>> mapped(Path("missing.json"))
    Traceback (most recent call last):
    eyechart.errors.FormatError: missing.json: found no such file, expected a file to read; check the path
    """
    if not path.exists():
        raise FormatError(f"{path}: found no such file, expected a file to read; check the path")
    if not path.is_file():
        raise FormatError(f"{path}: found a folder, expected a file; name the file itself")
    if not path.stat().st_size:
        raise FormatError(f"{path}: found an empty file, expected records; fetch or write it again")
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return memoryview(content)[len(_UTF8_MARK) :] if content[: len(_UTF8_MARK)] == _UTF8_MARK else content


def decoded(path: Path, content: Buffer, kind: type[T]) -> T:
    """Decode a file, or a part of it, with errors that name the line.

    >>> decoded(Path("a.json"), b"[1,", list)
    Traceback (most recent call last):
    eyechart.errors.FormatError: a.json: found broken JSON (Input data was truncated), expected whole JSON in UTF-8; ...
    """
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
        problem, where = _problem_and_path(error)
        if word := _no_number(error, content):
            problem = f"found {word}, which is no JSON, expected a number or null"
        place = f"{path}{_line_of(error, content)}" + (f", {where}" if where not in {"", "$"} else "")
        raise FormatError(
            f"{place}: {problem}; check that the file is whole and has the layout of its format"
        ) from error


def _problem_and_path(error: Exception) -> tuple[str, str]:
    """What was wrong in one phrase, and where inside the JSON."""
    if isinstance(error, RecursionError):
        return "found values nested too deeply to read, expected a few levels", ""
    if isinstance(error, UnicodeDecodeError):
        return "found bytes that are not UTF-8, expected UTF-8 text", ""
    text = str(error)
    match = _PATH.search(text)
    path = match["path"] if match else ""
    text = _BYTE.sub("", _PATH.sub("", text))
    if isinstance(error, msgspec.ValidationError):
        return _validation_problem(text), path
    return f"found broken JSON ({text}), expected whole JSON in UTF-8", path


def _validation_problem(text: str) -> str:
    if expected := re.fullmatch(r"Expected (?P<expected>.*), got (?P<found>.*)", text):
        return f"found {expected['found']}, expected {expected['expected']}"
    if expected := re.fullmatch(r"Expected (?P<expected>.*)", text):
        return f"found another value, expected {expected['expected']}"
    if missing := re.fullmatch(r"Object missing required field (?P<name>.*)", text):
        return f"found no member {missing['name']}, expected one"
    return f"found an unfit value ({text[:1].lower()}{text[1:]}), expected one that fits"


def _line_of(error: Exception, content: Buffer) -> str:
    match = _BYTE.search(str(error))
    if not match:
        return ""
    before = bytes(memoryview(content)[: int(match["byte"])])
    return f", line {before.count(10) + 1} column {len(before) - before.rfind(10)}"


def _no_number(error: Exception, content: Buffer) -> str | None:
    """What Python's own writer, among others, makes of a float that is not a number."""
    match = _BYTE.search(str(error))
    found = bytes(memoryview(content)[int(match["byte"]) :][:9]) if match else b""
    return next((word for word in ("NaN", "Infinity", "-Infinity") if found.startswith(word.encode())), None)


def _refuse_repeated_members(path: Path, buffer: Buffer, members: dict[str, msgspec.Raw]) -> None:
    """A JSON object may name a member twice; parsers keep the last one silently, we do not.

    Cheap for files that common writers made: if the sizes of names and values add up to the file's size, nothing
    was dropped. Otherwise the names are counted one by one.
    """
    count, size = len(members), len(memoryview(buffer))
    names = len(msgspec.json.encode(list(members))) - count - 1
    written = names + sum(len(memoryview(raw)) for raw in members.values())
    tight = written + 2 * count + 1
    if size in {tight, tight + 1, tight + 2 * count - 1, tight + 2 * count} or not count:
        return
    seen: set[str] = set()
    for name in _member_names(bytes(memoryview(buffer))):
        if name in seen:
            raise FormatError(f"{path}: found the id {name!r} twice, expected every id once; remove one of the two")
        seen.add(name)


def _member_names(text: bytes) -> Iterator[str]:
    """The names of a JSON object's own members, in order, repeated ones too."""
    depth, expecting = 0, False
    for match in re.finditer(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]', text):
        token = match[0]
        if token in b"{[":
            depth += 1
            expecting = depth == 1
        elif token in b"}]":
            depth -= 1
        elif depth == 1 and token == b",":
            expecting = True
        elif depth == 1 and expecting and token[:1] == b'"':
            yield msgspec.json.decode(token, type=str)
            expecting = False


def _delimited(file: BufferedWriter, opening: str, closing: str, encode: Encode) -> Iterator[Writer]:
    writer = _Delimited(file, encode)
    file.write(opening.encode())
    yield writer
    file.write(closing.encode())


@dataclass
class _Delimited:
    file: BufferedWriter
    encode: Encode
    begun: bool = False

    def add(self, key: str, record: Json) -> None:
        self.file.write((b",\n" if self.begun else b"\n") + self.encode(key, record))
        self.begun = True
