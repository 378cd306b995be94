"""Further ways in which JSON records lie in files: one alone, one a file in a folder, in lists side by side."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

import msgspec

from eyechart.errors import FormatError
from eyechart.formats.files import Json, JsonList, RecordFile, Writer, decoded, mapped, record_ids, refuse_repeated

__all__ = ["FORM", "JsonFolder", "JsonListOrOne", "JsonLists"]

FORM = "form"
"""The head's member that says how the records lie where that is not the common way."""

_LIST, _ONE = "list", "object"
_BEGINS_OBJECT = re.compile(rb"\s*\{")
_NUMBERED = re.compile(r"(?P<prefix>.*_(?=[0-9]{12})|)(?P<number>[0-9]{1,18})")
_SUFFIX = re.compile(r"\.(png|jpg|jpeg|json)$")
_UNSAFE = re.compile(r"[/\\\x00]|^\.+")
_LONGEST_NAME = 200
_UTF8_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class JsonListOrOne:
    """A JSON array of objects, or a single one of them alone in its file.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "attributes.json"
    >>> _ = path.write_text('{"image_id": 7, "attributes": []}')
    >>> JsonListOrOne(("image_id",)).open(path).keys
    ['7']
    """

    keys: tuple[str, ...]
    """Members that may identify a record; the first that is there does."""
    suffix: str = ".json"

    def open(self, path: Path) -> RecordFile:
        """Cut out the records."""
        file = _opened(path, {_ONE: {FORM: _ONE}, _LIST: {}})
        file.keys = record_ids(file, *self.keys)
        refuse_repeated(file)
        return file

    def open_head(self, path: Path) -> dict[str, Json]:
        """Whether the file holds a single record."""
        return {FORM: _ONE} if _form(path) == _ONE else {}

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a file; a single record goes alone if it came so."""
        if head.get(FORM) != _ONE:
            with JsonList(suffix=self.suffix).writer(path, {}) as writer:
                yield writer
            return
        held = _Held()
        yield held
        if len(held.records) == 1:
            path.write_bytes(msgspec.json.encode(held.records[0]))
            return
        with JsonList(suffix=self.suffix).writer(path, {}) as writer:
            for record in held.records:
                writer.add("", record)


@dataclass(frozen=True)
class JsonFolder:
    """A folder with one JSON object a file; a file with an array of them, or with a single one, may stand in its place.

    A file's name, ``<prefix><number>.json``, tells the record's id: the number. The head has the prefix and the number
    of digits, and the names that are different.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "scene_000000000007.json").write_text('{"scene": {}}')
    >>> file = JsonFolder(("id",)).open(folder)
    >>> file.keys, file.head
    (['7'], {'prefix': 'scene_', 'digits': 12})
    """

    keys: tuple[str, ...]
    """Where records lie in one file: members that may identify a record, as an id or as a file name that has it."""
    suffix: str = ".json"

    def open(self, path: Path) -> RecordFile:
        """List the files of a folder, which are read one by one later; or cut out the records of a file."""
        if path.is_dir():
            return self._open_folder(path)
        file = _opened(path, {_ONE: {FORM: _ONE}, _LIST: {FORM: _LIST}})
        file.keys = [_id_in(name) for name in record_ids(file, *self.keys)]
        refuse_repeated(file)
        return file

    def open_head(self, path: Path) -> dict[str, Json]:
        """How the files are named, or how the records lie in the file."""
        return self._open_folder(path).head if path.is_dir() else {FORM: _form(path)}

    def _open_folder(self, path: Path) -> "_Folder":
        paths = sorted(file for file in path.iterdir() if file.name.endswith(self.suffix) and file.is_file())
        names = [file.name.removesuffix(self.suffix) for file in paths]
        keys = [_id_in(name) for name in names]
        head = _naming(names, keys)
        folder = _Folder(path, keys, _Contents(paths), head, noun="file", names=[file.name for file in paths])
        refuse_repeated(folder)
        return folder

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a folder, or the file that stood in its place."""
        if FORM in head:
            alone = JsonListOrOne(self.keys, self.suffix)
            with alone.writer(path, head) as writer:
                yield writer
            return
        path.mkdir(exist_ok=True)
        yield _Files(path, self.suffix, head)


@dataclass(frozen=True)
class JsonLists:
    """A JSON object with several lists about the same things, beside a head; a record is what they say of one thing.

    Where a list does not come thing by thing, the head has its ids in order; where a list is missing, null.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "captions.json"
    >>> _ = path.write_text('{"images": [{"id": 7}], "captions": [{"id": 7, "text": "A cup."}]}')
    >>> JsonLists(("images", "captions"), key="id").open(path).plain([0])
    [{'images': [{'id': 7}], 'captions': [{'id': 7, 'text': 'A cup.'}]}]
    """

    lists: tuple[str, ...]
    """The members that hold the lists; one of them has to be there."""
    key: str
    """The member by which the elements belong together."""
    suffix: str = ".json"

    def open(self, path: Path) -> RecordFile:
        """Read the head and put together what the lists say of each thing."""
        members = decoded(path, mapped(path), dict[str, msgspec.Raw])
        listed = {name: self._elements(path, name, members[name]) for name in self.lists if name in members}
        if not listed:
            found = ", ".join(map(repr, list(members)[:8])) or "nothing"
            expected = " or ".join(map(repr, self.lists))
            raise FormatError(
                f"{path}: found an object with {found}, expected a member {expected}; check that it is the right file"
            )
        keys = list(dict.fromkeys(key for elements in listed.values() for key, _ in elements))
        groups = {name: _by_key(listed.get(name, [])) for name in self.lists}
        head: dict[str, Json] = {
            name: decoded(path, raw, object) for name, raw in members.items() if name not in self.lists
        }
        for name in self.lists:
            order = [key for key, _ in listed.get(name, [])]
            if name not in listed:
                head[name] = None
            elif order != [key for key in keys for _ in groups[name].get(key, ())]:
                head[name] = order
        raws = [_joined({name: groups[name].get(key, []) for name in self.lists}) for key in keys]
        return RecordFile(path, keys, raws, head)

    def open_head(self, path: Path) -> dict[str, Json]:
        """The members beside the lists."""
        members = decoded(path, mapped(path), dict[str, msgspec.Raw])
        return {name: decoded(path, raw, object) for name, raw in members.items() if name not in self.lists}

    def _elements(self, path: Path, name: str, content: msgspec.Raw) -> list[tuple[str, bytes]]:
        raws = decoded(path, content, list[msgspec.Raw])
        file = RecordFile(path, [str(i) for i in range(len(raws))], raws, noun=f"{name}, record")
        return [(key, bytes(raw)) for key, raw in zip(record_ids(file, self.key), raws, strict=True)]

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a file; the lists are kept as text until all is there."""
        held = _HeldLists({name: {} for name in self.lists})
        yield held
        members = {name: msgspec.json.encode(value) for name, value in head.items() if name not in self.lists}
        for name, groups in held.lists.items():
            if groups or name not in head or head[name] is not None:
                elements = list(_in_order(groups, head.get(name) or []))
                members[name] = b"[" + b",".join(b"\n" + element for element in elements) + b"]"
        text = b",\n".join(msgspec.json.encode(name) + b": " + value for name, value in members.items())
        path.write_bytes(b"{" + text + b"}")


def _by_key(elements: list[tuple[str, bytes]]) -> dict[str, list[bytes]]:
    groups: dict[str, list[bytes]] = {}
    for key, raw in elements:
        groups.setdefault(key, []).append(raw)
    return groups


def _joined(lists: dict[str, list[bytes]]) -> bytes:
    members = (msgspec.json.encode(name) + b":[" + b",".join(listed) + b"]" for name, listed in lists.items())
    return b"{" + b",".join(members) + b"}"


def _in_order(groups: dict[str, list[bytes]], order: list[str]) -> Iterator[bytes]:
    """All elements: in this order as far as it names them, then thing by thing."""
    left = {key: iter(listed) for key, listed in groups.items()}
    for key in order:
        element = next(left.get(key, iter(())), None)
        if element is not None:
            yield element
    for rest in left.values():
        yield from rest


def _form(path: Path) -> str:
    return _ONE if _BEGINS_OBJECT.match(mapped(path)) else _LIST


def _opened(path: Path, heads: dict[str, dict[str, Json]]) -> RecordFile:
    """A file with an array of records or a single one, and the head for this form."""
    form = _form(path)
    raws = (
        decoded(path, mapped(path), list[msgspec.Raw]) if form == _LIST else [decoded(path, mapped(path), msgspec.Raw)]
    )
    return RecordFile(path, [str(i) for i in range(len(raws))], raws, heads[form])


def _id_in(name: str) -> str:
    """The number in a file name, twelve digits at its end or nothing but digits; else the name."""
    stem = _SUFFIX.sub("", name)
    found = _NUMBERED.fullmatch(stem)
    return str(int(found["number"])) if found else stem


def _naming(names: list[str], keys: list[str]) -> dict[str, Json]:
    """How most files of a folder are named, and the names of the others."""
    found = [_NUMBERED.fullmatch(name) for name in names]
    ways = Counter((m["prefix"], len(m["number"]) if m["number"][0] == "0" or m["prefix"] else 1) for m in found if m)
    prefix, digits = ways.most_common(1)[0][0] if ways else ("", 1)
    others = {key: name for key, name in zip(keys, names, strict=True) if name != _named(prefix, digits, key)}
    return {"prefix": prefix, "digits": digits} | ({"names": others} if others else {})


def _named(prefix: str, digits: int, key: str) -> str:
    return f"{prefix}{key:0>{digits}}" if key.isdecimal() else key


@dataclass
class _Folder(RecordFile):
    """An opened folder; messages name the file."""

    names: list[str] = field(default_factory=list)

    def name(self, index: int) -> str:
        return str(self.path / self.names[index])


@dataclass
class _Contents(Sequence[bytes]):
    """Files, read when somebody asks for them."""

    paths: list[Path]

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...

    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(index, slice):
            return _Contents(self.paths[index])
        return self.paths[index].read_bytes().removeprefix(_UTF8_MARK)


@dataclass
class _Files:
    """Writes each record to a file of its own."""

    folder: Path
    suffix: str
    head: dict[str, Json]

    def add(self, key: str, record: Json) -> None:
        customary = _named(self.head.get("prefix", ""), self.head.get("digits", 1), key)
        name = _UNSAFE.sub("_", self.head.get("names", {}).get(key, customary))[-_LONGEST_NAME:]
        (self.folder / (name + self.suffix)).write_bytes(msgspec.json.encode(record))


@dataclass
class _Held:
    records: list[Json] = field(default_factory=list)

    def add(self, key: str, record: Json) -> None:  # noqa: ARG002  # the record holds its key
        self.records.append(record)


@dataclass
class _HeldLists:
    lists: dict[str, dict[str, list[bytes]]]

    def add(self, key: str, record: Json) -> None:
        for name, groups in self.lists.items():
            if record[name]:
                groups[key] = [msgspec.json.encode(element) for element in record[name]]
