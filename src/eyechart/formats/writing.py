"""Tables into foreign files, batch by batch, whatever the format."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import msgspec
import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.formats.files import Json, Writer
from eyechart.formats.layout import Encoded, Family, Format, Frames, Layout
from eyechart.formats.residue import FILE, HEAD, ORDER, RECORD, Difference, as_member, restore
from eyechart.tables import TABLES

__all__ = ["Written", "write"]

_WINDOW = 10
"""Batches of records written between two looks at the tables."""

Tables = Mapping[str, pl.LazyFrame]


class Written(NamedTuple):
    """A file that was written."""

    role: str
    split: str | None
    path: Path


def write(target: Format, tables: Tables, folder: Path) -> list[Written]:
    r"""Write every file for which there are rows, one per role and split.

    >>> import tempfile; from eyechart.formats import FORMATS
    >>> rows = TABLES["predictions"].conform(pl.DataFrame({"question_id": ["7"], "answer": ["yes"]}))
    >>> (written,) = write(FORMATS.load("vqa"), {"predictions": rows.lazy()}, Path(tempfile.mkdtemp()))
    >>> written.path.read_text()
    '[\n{"question_id":7,"answer":"yes"}]'
    """
    folder.mkdir(parents=True, exist_ok=True)
    taken: set[Path] = set()
    repeating = _repeating(target, tables)
    return [
        Written(role, split, path)
        for family in target.families
        for split in _splits(target.name, family, tables)
        for role, path in _Writing(target.name, family, tables, split, repeating).files(folder, taken).items()
    ]


def _repeating(target: Format, tables: Tables) -> frozenset[str]:
    """The roles to leave out: their files would only repeat what those hold that import has read, or earlier ones."""
    layouts = [layout for layout in target.layouts.values() if layout.holds]
    noted = _rows("extras", tables).filter(pl.col("format") == target.name, pl.col("pointer") == FILE)
    read = set(noted.select("role").collect()["role"]) if layouts else set()
    filled = {
        name for layout in layouts for name in layout.holds if not _rows(name, tables).limit(1).collect().is_empty()
    }
    held = {name for layout in layouts if layout.role in read for name in layout.holds}
    repeating = set()
    for layout in layouts:
        if layout.role not in read and not (filled & {*layout.holds}) - held:
            repeating.add(layout.role)
        held |= {*layout.holds}
    return frozenset(repeating)


def _lead(family: Family, tables: Tables) -> pl.LazyFrame:
    """The leading table with the split of the file in which every row goes."""
    rows = _rows(family.lead, tables)
    if family.one_file:
        return rows.with_columns(split=pl.lit(None, dtype=pl.String))
    if family.own_split:
        return rows
    if family.split_by is None or family.split_by[0] not in tables:
        return rows.with_columns(split=pl.lit(None, dtype=pl.String))
    table, key = family.split_by
    (target,) = TABLES[table].key
    splits = tables[table].select(pl.col(target).alias(key), "split").unique(key, keep="first")
    joined = rows.join(splits, on=key, how="left", maintain_order="left")
    # What belongs to nothing that has a split goes where its neighbours go.
    return joined.with_columns(pl.col("split").forward_fill().backward_fill())


def _rows(name: str, tables: Tables) -> pl.LazyFrame:
    return tables[name] if name in tables else TABLES[name].empty().lazy()


def _splits(name: str, family: Family, tables: Tables) -> list[str | None]:
    """The splits to write: those of the rows, in order of appearance, then those of files that had no records."""
    found = _lead(family, tables).select(pl.col("split").unique(maintain_order=True)).collect()["split"].to_list()
    if found and not family.own_split:
        return found
    roles = [layout.role for layout in family.layouts]
    kept = _rows("extras", tables).filter(pl.col("format") == name, pl.col("role").is_in(roles))
    noted = kept.select(pl.col("split").unique(maintain_order=True)).collect()["split"].to_list()
    if family.one_file:
        return [None] if found or noted else []
    return list(dict.fromkeys(found + noted))


@dataclass(frozen=True)
class _Slice:
    """Some records on their way out: their ids, their rows, and what the tables do not model of them."""

    keys: list[str] | None
    frames: Frames
    residue: pl.DataFrame

    def kept(self, role: str) -> dict[str, list[Difference]]:
        """The differences of a role's records, by record."""
        rows = self.residue.filter(pl.col("role") == role).select("record", "pointer", "was", "value")
        found: dict[str, list[Difference]] = {}
        for record, *difference in rows.iter_rows():
            found.setdefault(record, []).append(Difference(*difference))
        return found


@dataclass
class _Writing:
    """One family and split being written."""

    format: str
    family: Family
    tables: Tables
    split: str | None
    repeating: frozenset[str]

    def files(self, folder: Path, taken: set[Path]) -> dict[str, Path]:
        """Write the files, under names that no other has taken."""
        paths: dict[str, Path] = {}
        with ExitStack() as stack:
            stack.enter_context(uncollected())
            writers: dict[str, Writer] = {}
            layouts = [layout for layout in self.family.layouts if layout.role not in self.repeating]
            for batch, layout in ((batch, layout) for batch in self._batches() for layout in layouts):
                encoded = _restored(layout, batch)
                if layout.role not in writers and (encoded.keys or self._of_file(layout.role)):
                    head = self._head(layout, batch.frames)
                    path = paths[layout.role] = _free(folder / layout.name_file(self.split, head), taken)
                    writers[layout.role] = stack.enter_context(self._writer(layout, path, head))
                for key, record in zip(*encoded, strict=True):
                    writers[layout.role].add(key, record)
        return paths

    def _batches(self) -> Iterator[_Slice]:
        """The family's tables, cut into batches of the leading table's ids."""
        family = self.family
        rows = _lead(family, self.tables).filter(pl.col("split").eq_missing(pl.lit(self.split, dtype=pl.String)))
        context = {name: self._collected(name) for name in family.context}
        if family.key is None:
            lead = (
                self._collected(family.lead)
                if family.one_file
                else rows.select(list(TABLES[family.lead].schema)).collect()
            )
            yield _Slice(None, context | {family.lead: lead}, self._residue.collect())
            return
        keys = rows.select(pl.col(family.key).unique(maintain_order=True)).collect().to_series()
        keys = pl.concat([keys, self._orphans(keys)])
        window = _WINDOW * family.batch
        for start in range(0, max(keys.len(), 1), window):
            yield from self._cut(keys.slice(start, window), context)

    def _cut(self, keys: pl.Series, context: Frames) -> Iterator[_Slice]:
        """Rows about some ids, looked up at once, then cut into batches."""
        family, here = self.family, keys.implode()
        columns = {**family.parts, family.lead: family.key or ""}
        frames = {name: self._collected(name, pl.col(column).is_in(here)) for name, column in columns.items()}
        if family.own_split and not family.one_file:
            same = pl.col("split").eq_missing(pl.lit(self.split, dtype=pl.String))
            frames[family.lead] = frames[family.lead].filter(same)
        residue = self._residue.filter(pl.col("record").is_in(here)).collect()
        numbers = pl.DataFrame({"key": keys, "batch": pl.int_range(keys.len(), eager=True) // family.batch})
        cut = {name: _cut_by(frames[name], column, numbers) for name, column in columns.items()}
        kept = _cut_by(residue, "record", numbers)
        for number in range(max(1, -(-keys.len() // family.batch))):
            own = keys.slice(number * family.batch, family.batch).to_list()
            rows = {name: parts.get(number, TABLES[name].empty()) for name, parts in cut.items()}
            yield _Slice(own, context | rows, kept.get(number, TABLES["extras"].empty()))

    def _orphans(self, keys: pl.Series) -> pl.Series:
        """Records of which the tables hold no row, not because it was dropped but because there never was one."""
        if self.family.split_by is None:
            return keys.clear()
        whole = self._residue.filter(pl.col("pointer") == f"/{RECORD}", pl.col("was").is_null())
        found = whole.select(pl.col("record").unique(maintain_order=True)).collect().to_series()
        found = found.filter(~found.is_in(keys.implode()))
        return found.alias(keys.name)

    def _collected(self, name: str, condition: pl.Expr | None = None) -> pl.DataFrame:
        if name not in self.tables:
            return TABLES[name].empty()
        rows = self.tables[name]
        return (rows if condition is None else rows.filter(condition)).collect()

    @property
    def _extras(self) -> pl.LazyFrame:
        rows = self.tables["extras"] if "extras" in self.tables else TABLES["extras"].empty().lazy()
        roles = [layout.role for layout in self.family.layouts]
        rows = rows.filter(pl.col("format") == self.format, pl.col("role").is_in(roles))
        if self.family.one_file or (self.split is None and not self.family.own_split):
            return rows
        same = pl.col("split").eq_missing(pl.lit(self.split, dtype=pl.String))
        # Files of a family without splits of its own may have been read before anything had a split.
        return rows.filter(same if self.family.own_split else same | pl.col("split").is_null())

    @property
    def _residue(self) -> pl.LazyFrame:
        return self._extras.filter(pl.col("record").is_not_null())

    @cached_property
    def _notes(self) -> pl.DataFrame:
        return self._extras.filter(pl.col("record").is_null()).collect()

    def _of_file(self, role: str) -> list[Difference]:
        rows = self._notes.filter(pl.col("role") == role).select("pointer", "was", "value")
        return [Difference(*row) for row in rows.iter_rows()]

    def _head(self, layout: Layout, frames: Frames) -> dict[str, Json]:
        kept = [found for found in self._of_file(layout.role) if found.pointer not in {FILE, ORDER}]
        head: dict[str, Json] = restore({HEAD: layout.head(frames, self.split)}, kept)[HEAD]
        return head

    @contextmanager
    def _writer(self, layout: Layout, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        orders = [found.value for found in self._of_file(layout.role) if found.pointer == ORDER and found.value]
        with layout.container.writer(path, head) as writer:
            if not orders:
                yield writer
                return
            with TemporaryFile() as file:
                held = _Held(file)
                yield held
                held.release(writer, [key for order in orders for key in msgspec.json.decode(order)])


def _free(path: Path, taken: set[Path]) -> Path:
    """The path, or one with a number if another file of this export has it; its folder is made."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    free = next(one for one in chain([path], numbered) if one not in taken)
    taken.add(free)
    free.parent.mkdir(parents=True, exist_ok=True)
    return free


def _cut_by(rows: pl.DataFrame, column: str, numbers: pl.DataFrame) -> dict[int, pl.DataFrame]:
    """The rows of each batch."""
    numbered = rows.join(numbers, left_on=column, right_on="key", how="left", maintain_order="left")
    parts = numbered.partition_by("batch", as_dict=True, include_key=False)
    return {int(number): part for (number,), part in parts.items()}


def _restored(layout: Layout, batch: _Slice) -> Encoded:
    """The records of one file, with what the tables do not model put back."""
    encoded, kept = layout.encode(batch.frames), batch.kept(layout.role)
    if not kept:
        return encoded
    records = dict(zip(*encoded, strict=True))
    for key, differences in kept.items():
        whole = restore(as_member(records, key), differences, layout.ids)
        records.pop(key, None) if RECORD not in whole else records.update({key: whole[RECORD]})
    order = [key for key in dict.fromkeys([*(batch.keys or ()), *records]) if key in records]
    return Encoded(order, [records[key] for key in order])


@dataclass
class _Held:
    """Holds records back until all are there, to write them in the order of the original file."""

    file: IO[bytes]
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, key: str, record: Json) -> None:
        """Put a record aside."""
        content = msgspec.json.encode(record)
        self.places[key] = (self.file.tell(), len(content))
        self.file.write(content)

    def release(self, writer: Writer, order: list[str]) -> None:
        """Write the records in this order, those it does not name last."""
        for key in dict.fromkeys(order + list(self.places)):
            if key in self.places:
                start, size = self.places[key]
                self.file.seek(start)
                writer.add(key, msgspec.json.decode(self.file.read(size)))
