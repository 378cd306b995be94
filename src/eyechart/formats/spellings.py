"""Files that call the same members by other names: read under ours, written back under their own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from eyechart.errors import FormatError
from eyechart.formats.files import Container, Json, RecordFile, Writer, refuse_repeated

__all__ = ["NAMES", "Spelled"]

NAMES = "names"
"""The member of the head that says how a file calls our members."""

_BATCH = 20_000


@dataclass(frozen=True)
class Spelled:
    """A container whose members may have other names; a file uses one name for each throughout.

    >>> from eyechart.formats.files import JsonList
    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "decoys.json"
    >>> _ = path.write_text('[{"qa_id": 7}, {"qa_id": 8}]')
    >>> file = Spelled(JsonList(), {"QA_id": ("qa_id", "question_id")}, key="QA_id").open(path)
    >>> file.keys, file.plain([0]), file.head
    (['7', '8'], [{'QA_id': 7}], {'names': {'QA_id': 'qa_id'}})
    """

    inner: Container
    """How the records lie in the file, without ids."""
    names: Mapping[str, tuple[str, ...]]
    """Our name of each member, with the others that may stand for it, the likeliest first."""
    key: str
    """The member, by our name, that identifies a record."""
    numbered: bool = False
    """Whether a record without an id gets the file's name and its place as one."""

    @property
    def suffix(self) -> str:
        """What file names end in."""
        return self.inner.suffix

    def open(self, path: Path) -> RecordFile:
        """Cut out the records and give their members our names."""
        file = self.inner.open(path)
        names = self._names(file)
        if names:
            ours = {own: name for name, own in names.items()}
            file.raws = [raw for batch in _batches(file) for raw in _renamed(batch, ours)]
            file.head = {**file.head, NAMES: names}
        file.keys = self._keys(file)
        refuse_repeated(file)
        return file

    def open_head(self, path: Path) -> dict[str, Json]:
        """What stands beside the records."""
        return self.inner.open_head(path)

    def _names(self, file: RecordFile) -> dict[str, str]:
        """For each of our members that no record has: the first of its other names that one has."""
        found: dict[str, None] = {}
        for batch in _batches(file):
            for record in batch:
                found.update(dict.fromkeys(record))
        present = {name: [other for other in others if other in found] for name, others in self.names.items()}
        return {name: others[0] for name, others in present.items() if name not in found and others}

    def _keys(self, file: RecordFile) -> list[str]:
        ids = [id_ for batch in _batches(file, self._key_type()) for id_ in batch]
        keys = []
        for index, record in enumerate(ids):
            key = record.key
            if key in {None, ""} and not self.numbered:
                names = " or ".join(map(repr, (self.key, *self.names.get(self.key, ()))))
                raise FormatError(f"{file.name(index)}: found no member {names}, expected one; give the record an id")
            keys.append(f"{file.path.stem}-{index}" if key in {None, ""} else str(key))
        return keys

    def _key_type(self) -> type[msgspec.Struct]:
        return msgspec.defstruct("Key", [("key", int | str | None, msgspec.field(name=self.key, default=None))])

    @contextmanager
    def writer(self, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        """Begin a file; members get the names that the head says."""
        names = head.get(NAMES)
        beside = {name: value for name, value in head.items() if name != NAMES}
        with self.inner.writer(path, beside) as writer:
            yield _Renaming(writer, names) if isinstance(names, dict) else writer


@dataclass
class _Renaming:
    writer: Writer
    names: Mapping[str, str]

    def add(self, key: str, record: Json) -> None:
        self.writer.add(key, {self.names.get(name, name): value for name, value in record.items()})


def _batches(file: RecordFile, kind: type = dict[str, msgspec.Raw]) -> Iterator[Sequence[Json]]:
    """Records decoded as far as ``kind`` says, some at a time."""
    for start in range(0, len(file.raws), _BATCH):
        yield file.decode(kind, range(start, min(start + _BATCH, len(file.raws))))


def _renamed(records: Sequence[dict[str, msgspec.Raw]], names: Mapping[str, str]) -> Iterator[bytes]:
    for record in records:
        yield msgspec.json.encode({names.get(name, name): value for name, value in record.items()})
