"""Foreign files into tables, in shards and batches, whatever the format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.errors import DataError, FormatError, UsageError
from eyechart.formats.files import RecordFile
from eyechart.formats.layout import Batch, Family, Format, Frames, Layout, Shard
from eyechart.formats.residue import FILE, HEAD, ORDER, Difference, as_member, differences
from eyechart.tables import TABLES

__all__ = ["SHARED", "Piece", "assign_roles", "merge_shared", "plan", "read"]

SHARED = ("images",)
"""Tables to which several shards may add the same row."""

_UNFIT = (DataError, pl.exceptions.PolarsError, OverflowError)
"""What comes up when a file's values do not fit our tables."""

_SHARD_BYTES = 1 << 28
"""Input per shard: what is lost when a long import is killed is one shard."""


class Piece(NamedTuple):
    """Some rows of one table."""

    table: str
    rows: pl.DataFrame


class _Kept(NamedTuple):
    """A difference of a record, or of the head, of a role's file."""

    role: str
    record: str | None
    difference: Difference


def assign_roles(source: Format, names: Sequence[str]) -> dict[str, list[Path]]:
    """Tell what each file is to the format, by its name or as the user says, ``role=path``; a folder is its files.

    >>> from eyechart.formats import FORMATS
    >>> assign_roles(FORMATS.load("vqa"), ["val_questions.json", "results=run7.json"])
    {'questions': [PosixPath('val_questions.json')], 'results': [PosixPath('run7.json')]}
    """
    roles: dict[str, list[Path]] = {}
    for name in names:
        role, equals, rest = name.partition("=")
        said = bool(equals) and role in source.layouts
        for path, known in _said(source, role, Path(rest)) if said else _told(source, Path(name)):
            roles.setdefault(known, []).append(path)
    return roles


def _said(source: Format, role: str, path: Path) -> list[tuple[Path, str]]:
    """What ``role=path`` means: the path, or all files in it if the role has none that are folders."""
    layout = source.layouts[role]
    if layout.folder or not path.is_dir():
        return [(path, role)]
    suffix = layout.container.suffix
    found = [(file, role) for file in sorted(path.iterdir()) if file.is_file() and file.name.endswith(suffix)]
    if not found:
        raise UsageError(f"{path}: found no file that ends in {suffix}, expected some with {role}; check the folder")
    return found


def _told(source: Format, path: Path) -> list[tuple[Path, str]]:
    """What a path's name tells: its role, or those of the files in it."""
    found = _roles_inside(source, path)
    if not found and path.is_dir():
        raise UsageError(f"{path}: found no file whose name tells its role; {_how_to_name_roles(source)}")
    if not found:
        raise UsageError(
            f"{path}: the name does not tell which file of {source.name} it is; {_how_to_name_roles(source)}"
        )
    return found


def _roles_inside(source: Format, path: Path) -> list[tuple[Path, str]]:
    if known := _role_by_name(source, path):
        return [(path, known)]
    entries = sorted(path.iterdir()) if path.is_dir() else []
    return [found for entry in entries for found in _roles_inside(source, entry)]


def _role_by_name(source: Format, path: Path) -> str | None:
    """The role whose hint stands in the file's name, the longest hint first; the only role needs no hint.

    A hint with a slash looks at the folder's name too.
    """
    name, with_folder = path.name.lower(), f"{path.parent.name}/{path.name}".lower()
    layouts = {role: layout for role, layout in source.layouts.items() if layout.folder or not path.is_dir()}
    hints = [(hint, role) for role, layout in layouts.items() for hint in layout.hints or (role,)]
    fitting = [(len(hint), role) for hint, role in hints if hint in (with_folder if "/" in hint else name)]
    if fitting:
        return max(fitting, key=lambda pair: pair[0])[1]
    alone = len(source.layouts) == 1 and path.suffix == next(iter(source.layouts.values())).container.suffix
    return next(iter(source.layouts)) if alone else None


def _how_to_name_roles(source: Format) -> str:
    return f"write ROLE=PATH with one of the roles {', '.join(source.layouts)}"


def plan(
    source: Format,
    files: Mapping[str, Sequence[Path]],
    *,
    split: str | None = None,
    shard_bytes: int = _SHARD_BYTES,
) -> list[Shard]:
    """Group files into shards: those of one family and split together, large groups in slices.

    >>> from eyechart.formats import FORMATS
    >>> plan(FORMATS.load("vqa"), {})
    []
    """
    return [
        shard
        for family in source.families
        for group in _grouped(family, files, split)
        for shard in (_sliced(group, shard_bytes) if family.key else [group])
    ]


def read(source: Format, shard: Shard) -> Iterator[Piece]:
    """Decode a shard into rows of tables, batch by batch, with the residue that the tables do not model.

    >>> import tempfile; from eyechart.formats import FORMATS
    >>> path = Path(tempfile.mkdtemp()) / "results.json"; _ = path.write_text('[{"question_id": 7, "answer": "no"}]')
    >>> (piece,) = read(FORMATS.load("vqa"), Shard({"results": str(path)}))
    >>> piece.table, piece.rows["answer"].to_list()
    ('predictions', ['no'])
    """
    family = next(f for f in source.families if shard.files.keys() <= {layout.role for layout in f.layouts})
    return _Reading(source.name, family, shard).pieces()


def merge_shared(rows: pl.DataFrame) -> pl.DataFrame:
    """Join what several shards say about the same image; one that is in two splits keeps a row for each.

    >>> merge_shared(pl.DataFrame({"image_id": ["1", "1"], "split": [None, "val"], "width": [640, None]})).rows()
    [('1', 'val', 640)]
    """
    others = [name for name in rows.columns if name not in {"image_id", "split"}]
    known = pl.col("split").drop_nulls().unique(maintain_order=True)
    merged = rows.group_by("image_id", maintain_order=True).agg(known, pl.col(others).drop_nulls().first())
    return merged.explode("split", empty_as_null=True).select(rows.columns)


def _grouped(family: Family, files: Mapping[str, Sequence[Path]], split: str | None) -> list[Shard]:
    groups: dict[tuple[str | None, int], dict[str, str]] = {}
    for layout in family.layouts:
        counts: dict[str | None, int] = {}
        for path in files.get(layout.role, ()):
            own = split or layout.split(layout.container.open_head(path), path)
            number = counts[own] = counts.get(own, -1) + 1
            groups.setdefault((own, number), {})[layout.role] = str(path)
    return [Shard(paths, own) for (own, _number), paths in groups.items()]


def _sliced(group: Shard, shard_bytes: int) -> list[Shard]:
    size = sum(_size(Path(path)) for path in group.files.values())
    parts = max(1, round(size / shard_bytes))
    return [msgspec.structs.replace(group, part=part, parts=parts) for part in range(parts)]


def _size(path: Path) -> int:
    """Bytes in a file, or in all files of a folder; a missing one is refused when it is opened."""
    return sum(file.stat().st_size for file in (path.iterdir() if path.is_dir() else [path]) if file.exists())


@dataclass
class _Reading:
    """One shard being read: its opened files, and the order in which their records go together."""

    format: str
    family: Family
    shard: Shard

    def __post_init__(self) -> None:
        self.layouts: dict[str, Layout] = {x.role: x for x in self.family.layouts if x.role in self.shard.files}
        self.files: dict[str, RecordFile] = {
            role: layout.container.open(Path(self.shard.files[role])) for role, layout in self.layouts.items()
        }
        if self.family.local_ids and self.shard.split:
            for file in self.files.values():
                file.keys = [f"{self.shard.split}-{key}" for key in file.keys]
        self.order = list(dict.fromkeys(key for file in self.files.values() for key in file.keys))
        self.places = {role: {key: i for i, key in enumerate(file.keys)} for role, file in self.files.items()}

    def pieces(self) -> Iterator[Piece]:
        count = len(self.order)
        parts = min(self.shard.parts, max(count, 1))
        if self.shard.part >= parts:
            return
        start, stop = (count * (self.shard.part + i) // parts for i in (0, 1))
        size = self.family.batch if self.family.key else max(count, 1)
        for low in range(start, max(stop, start + 1), size):
            with uncollected():
                frames, kept = self._batch(self.order[low : min(low + size, stop)])
            yield from (Piece(table, rows) for table, rows in frames.items() if rows.height)
            if low == start and self.shard.part == 0:
                kept += self._heads(frames)
            if kept:
                yield self._extras(kept)

    def _batch(self, keys: list[str]) -> tuple[Frames, list[_Kept]]:
        """Rows and residue of some records, with errors that name the record."""
        try:
            return self._decoded(keys)
        except FormatError:
            raise
        except _UNFIT as error:
            raise self._placed(error, keys) from error

    def _placed(self, error: Exception, keys: list[str]) -> FormatError:
        """Halve the batch until one record is left that does not fit."""
        while self.family.key and len(keys) > 1:
            middle = len(keys) // 2
            unfit = next((half for half in (keys[:middle], keys[middle:]) if self._error_of(half)), None)
            if unfit is None:
                break
            keys = unfit
        error = self._error_of(keys) or error
        alone = keys[0] if self.family.key and len(keys) == 1 else ""
        found = [(file, self.places[role].get(alone)) for role, file in self.files.items()]
        names = [str(file.path) if place is None else file.name(place) for file, place in found]
        said = str(error).splitlines()[0]
        if not isinstance(error, DataError):
            said = f"found values that no table can hold ({said}), expected smaller ones; correct the file"
        return FormatError(f"{' and '.join(names)}: {said}")

    def _error_of(self, keys: list[str]) -> Exception | None:
        try:
            self._decoded(keys)
        except _UNFIT as error:
            return error
        return None

    def _decoded(self, keys: list[str]) -> tuple[Frames, list[_Kept]]:
        indices = {role: [places[key] for key in keys if key in places] for role, places in self.places.items()}
        exact = {role: self._exact(role, indices[role]) for role in self.layouts}
        records: dict[str, list[Any]] = {
            role: self.files[role].decode(self.layouts[role].record, indices[role]) if found is None else found
            for role, found in exact.items()
        }
        heads = {role: file.head for role, file in self.files.items()}
        ids = {role: [self.files[role].keys[place] for place in places] for role, places in indices.items()}
        batch = Batch(self.shard.split, keys, records, heads, ids)
        frames = {name: TABLES[name].conform(rows) for name, rows in self.family.decode(batch).items()}
        inexact = [
            role
            for role, layout in self.layouts.items()
            if (found := exact[role]) is None or not layout.agrees(found, frames)
        ]
        return frames, [kept for role in inexact for kept in self._residue(role, frames, indices[role])]

    def _exact(self, role: str, indices: list[int]) -> list[Any] | None:
        layout = self.layouts[role]
        if layout.exact is None:
            return None
        try:
            records = self.files[role].decode(layout.exact, indices)
        except FormatError:
            return None
        return records if layout.is_exact(records) else None

    def _residue(self, role: str, frames: Frames, indices: list[int]) -> Iterator[_Kept]:
        """Where the file's records differ from what export would write for these rows."""
        file, ids = self.files[role], self.layouts[role].ids
        originals = dict(zip([file.keys[i] for i in indices], file.plain(indices), strict=True))
        written = dict(zip(*self.layouts[role].encode(frames), strict=True))
        for key in originals | written:
            for difference in differences(as_member(written, key), as_member(originals, key), ids):
                yield _Kept(role, key, difference)
        own = [key for key in written | originals if key in originals]
        if self.family.key is None and own != list(originals):
            yield _Kept(role, None, Difference(ORDER, None, msgspec.json.encode(list(originals)).decode()))

    def _heads(self, frames: Frames) -> list[_Kept]:
        kept: list[_Kept] = []
        for role, layout in self.layouts.items():
            file = self.files[role]
            ours = {HEAD: layout.head(frames, self.shard.split)}
            try:
                kept += [_Kept(role, None, found) for found in differences(ours, {HEAD: file.head})]
            except DataError as error:
                raise FormatError(f"{file.path}: {error}") from error
            if layout.holds:
                kept.append(_Kept(role, None, Difference(FILE, None, msgspec.json.encode(file.path.name).decode())))
            # Files without ids are read in one piece, and their order is compared with what was written.
            expected = [key for key in self.order if key in self.places[role]] if self.family.key else file.keys
            if expected != file.keys or not expected:
                kept.append(_Kept(role, None, Difference(ORDER, None, msgspec.json.encode(file.keys).decode())))
        return kept

    def _extras(self, kept: list[_Kept]) -> Piece:
        rows = pl.DataFrame(
            {
                "format": [self.format] * len(kept),
                "role": [role for role, _, _ in kept],
                "split": [self.shard.split] * len(kept),
                "record": [record for _, record, _ in kept],
                "pointer": [found.pointer for _, _, found in kept],
                "was": [found.was for _, _, found in kept],
                "value": [found.value for _, _, found in kept],
            },
            schema=TABLES["extras"].schema,
        )
        return Piece("extras", rows)
