"""JSON files with several lists of records, such as images beside annotations."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from eyechart.errors import FormatError
from eyechart.formats.files import Json, RecordFile, Writer, decoded, mapped, record_ids, refuse_repeated

__all__ = ["JsonSections"]


@dataclass(frozen=True)
class JsonSections:
    """A JSON object in which several members are lists of records, and the others are the head.

    A record is given as an object with its section as only member, and has the id "SECTION ID".

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "captions.json"
    >>> _ = path.write_text('{"images": [{"id": 7}], "annotations": [{"id": 37, "image_id": 7}], "year": 2014}')
    >>> file = JsonSections({"images": ("id",), "annotations": ("id",)}).open(path)
    >>> file.keys, file.head
    (['images 7', 'annotations 37'], {'year': 2014})
    >>> file.plain([0])
    [{'images': {'id': 7}}]
    """

    sections: Mapping[str, tuple[str, ...]]
    """Each section, with the members that may identify its records."""
    optional: tuple[str, ...] = ()
    """Sections that a file may lack."""
    suffix: str = ".json"

    def open(self, path: Path) -> RecordFile:
        """Read the head and cut out the records of all sections."""
        members = decoded(path, mapped(path), dict[str, msgspec.Raw])
        raws: list[bytes] = []
        numbers: list[int] = []
        file = RecordFile(path, [], raws, numbers=numbers)
        for section, names in self.sections.items():
            if section not in members and section in self.optional:
                continue
            cut = self._cut(path, members, section)
            ids = record_ids(
                RecordFile(path, [str(i) for i in range(len(cut))], cut, noun=f"{section}, record"), *names
            )
            # An empty list of an optional section stays in the head, to be told from none.
            if cut or section not in self.optional:
                del members[section]
            name = msgspec.json.encode(section)
            raws += [b"".join((b"{", name, b":", raw, b"}")) for raw in cut]
            numbers += range(1, len(cut) + 1)
            file.keys += [f"{section} {key}" for key in ids]
        refuse_repeated(file)
        file.head = {name: decoded(path, raw, object) for name, raw in members.items()}
        return file

    def open_head(self, path: Path) -> dict[str, Json]:
        """The members beside the sections."""
        members = decoded(path, mapped(path), dict[str, msgspec.Raw])
        return {name: decoded(path, raw, object) for name, raw in members.items() if name not in self.sections}

    def _cut(self, path: Path, members: Mapping[str, msgspec.Raw], section: str) -> list[msgspec.Raw]:
        if section not in members:
            found = ", ".join(map(repr, list(members)[:8])) or "nothing"
            raise FormatError(
                f"{path}: found an object with {found}, expected a member {section!r}; check that it is the right file"
            )
        return decoded(path, members[section], list[msgspec.Raw])

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a file; the sections are held back until all records are there."""
        held = _Held({section: [] for section in self.sections if section not in self.optional})
        yield held
        with path.open("wb") as file:
            between = b"{"
            for name, value in head.items():
                file.write(between + msgspec.json.encode(name) + b":" + msgspec.json.encode(value))
                between = b",\n"
            for section, records in held.sections.items():
                file.write(between + msgspec.json.encode(section) + b":[\n" + b",\n".join(records) + b"]")
                between = b",\n"
            file.write(b"}")


@dataclass
class _Held:
    sections: dict[str, list[bytes]] = field(default_factory=dict)

    def add(self, key: str, record: Json) -> None:  # noqa: ARG002  # the record holds its key
        for section, content in record.items():
            self.sections.setdefault(section, []).append(msgspec.json.encode(content))
