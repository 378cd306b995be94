"""Foreign files into tables, in shards and batches, whatever the format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from eyechart.errors import FormatError, UsageError
from eyechart.formats.files import RecordFile
from eyechart.formats.layout import Batch, Family, Format, Frames, Layout, Shard
from eyechart.formats.residue import HEAD, ORDER, Difference, as_member, differences
from eyechart.tables import TABLES

__all__ = ["SHARED", "Piece", "assign_roles", "merge_shared", "plan", "read"]

SHARED = ("images",)
"""Tables to which several shards may add the same row."""

_BATCH = 20_000
"""Records decoded at once: large enough to be fast, small enough to keep Python objects under 100 MB."""

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
        if equals and role in source.layouts:
            roles.setdefault(role, []).append(Path(rest))
        elif Path(name).is_dir():
            found = {path: _role_by_name(source, path) for path in sorted(Path(name).iterdir()) if path.is_file()}
            if not any(found.values()):
                raise UsageError(f"{name}: found no file whose name tells its role; {_how_to_name_roles(source)}")
            for path, known in found.items():
                roles.setdefault(known, []).append(path) if known else None
        elif known := _role_by_name(source, Path(name)):
            roles.setdefault(known, []).append(Path(name))
        else:
            raise UsageError(
                f"{name}: the name does not tell which file of {source.name} it is; {_how_to_name_roles(source)}"
            )
    return roles


def _role_by_name(source: Format, path: Path) -> str | None:
    """The role whose hint stands in the file's name, the longest hint first; the only role needs no hint."""
    hints = [(hint, role) for role, layout in source.layouts.items() for hint in layout.hints or (role,)]
    fitting = [(len(hint), role) for hint, role in hints if hint in path.name.lower()]
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
    """Decode a shard into rows of tables, batch by batch, with the residue that the tables do not model."""
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
    size = sum(Path(path).stat().st_size for path in group.files.values())
    parts = max(1, round(size / shard_bytes))
    return [msgspec.structs.replace(group, part=part, parts=parts) for part in range(parts)]


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
        self.order = list(dict.fromkeys(key for file in self.files.values() for key in file.keys))
        self.places = {role: {key: i for i, key in enumerate(file.keys)} for role, file in self.files.items()}

    def pieces(self) -> Iterator[Piece]:
        count = len(self.order)
        start, stop = (count * (self.shard.part + i) // self.shard.parts for i in (0, 1))
        size = _BATCH if self.family.key else max(count, 1)
        for low in range(start, max(stop, start + 1), size):
            frames, kept = self._batch(self.order[low : min(low + size, stop)])
            yield from (Piece(table, rows) for table, rows in frames.items() if rows.height)
            if low == start and self.shard.part == 0:
                kept += self._heads(frames)
            if kept:
                yield self._extras(kept)

    def _batch(self, keys: list[str]) -> tuple[Frames, list[_Kept]]:
        indices = {role: [places[key] for key in keys if key in places] for role, places in self.places.items()}
        exact = {role: self._exact(role, indices[role]) for role in self.layouts}
        records: dict[str, list[Any]] = {
            role: self.files[role].decode(self.layouts[role].record, indices[role]) if found is None else found
            for role, found in exact.items()
        }
        batch = Batch(self.shard.split, keys, records, {role: file.head for role, file in self.files.items()})
        frames = {name: TABLES[name].conform(rows) for name, rows in self.family.decode(batch).items()}
        inexact = [role for role in self.layouts if exact[role] is None]
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
        file = self.files[role]
        originals = dict(zip([file.keys[i] for i in indices], file.plain(indices), strict=True))
        written = dict(zip(*self.layouts[role].encode(frames), strict=True))
        for key in originals | written:
            for difference in differences(as_member(written, key), as_member(originals, key)):
                yield _Kept(role, key, difference)

    def _heads(self, frames: Frames) -> list[_Kept]:
        kept: list[_Kept] = []
        for role, layout in self.layouts.items():
            file = self.files[role]
            ours = {HEAD: layout.head(frames, self.shard.split)}
            kept += [_Kept(role, None, found) for found in differences(ours, {HEAD: file.head})]
            expected = [key for key in self.order if key in self.places[role]]
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
