"""Tables into foreign files, batch by batch, whatever the format."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec
import polars as pl

from eyechart.formats.files import Json, Writer
from eyechart.formats.layout import Encoded, Family, Format, Frames, Layout
from eyechart.formats.residue import HEAD, ORDER, RECORD, Difference, as_member, restore
from eyechart.tables import TABLES

__all__ = ["Written", "write"]

_BATCH = 200_000
"""Records written between two looks at the tables."""

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
    return [
        Written(role, split, path)
        for family in target.families
        if family.lead in tables
        for split in _splits(target.name, family, tables)
        for role, path in _Writing(target.name, family, tables, split).files(folder).items()
    ]


def _lead(family: Family, tables: Tables) -> pl.LazyFrame:
    """The leading table with a split for every row."""
    rows = tables[family.lead]
    if "split" in TABLES[family.lead].schema:
        return rows
    if family.split_by is None or family.split_by[0] not in tables:
        return rows.with_columns(split=pl.lit(None, dtype=pl.String))
    table, key = family.split_by
    (target,) = TABLES[table].key
    splits = tables[table].select(pl.col(target).alias(key), "split").unique(key, keep="first")
    return rows.join(splits, on=key, how="left", maintain_order="left")


def _splits(name: str, family: Family, tables: Tables) -> list[str | None]:
    """The splits to write, in order of appearance."""
    found = _lead(family, tables).select(pl.col("split").unique(maintain_order=True)).collect()["split"].to_list()
    if found or "extras" not in tables:
        return found
    roles = [layout.role for layout in family.layouts]
    kept = tables["extras"].filter(pl.col("format") == name, pl.col("role").is_in(roles))
    return kept.select(pl.col("split").unique(maintain_order=True)).collect()["split"].to_list()


@dataclass
class _Writing:
    """One family and split being written."""

    format: str
    family: Family
    tables: Tables
    split: str | None

    def files(self, folder: Path) -> dict[str, Path]:
        paths: dict[str, Path] = {}
        with ExitStack() as stack:
            writers: dict[str, Writer] = {}
            for frames in self._batches():
                for layout in self.family.layouts:
                    encoded = self._restored(layout, frames)
                    if layout.role not in writers and (encoded.keys or self._of_file(layout.role)):
                        head = self._head(layout, frames)
                        path = paths[layout.role] = folder / layout.name_file(self.split, head)
                        writers[layout.role] = stack.enter_context(self._writer(layout, path, head))
                    for key, record in zip(*encoded, strict=True):
                        writers[layout.role].add(key, record)
        return paths

    def _batches(self) -> Iterator[Frames]:
        """The family's tables, cut into batches of the leading table's ids."""
        family = self.family
        rows = _lead(family, self.tables).filter(pl.col("split").eq_missing(pl.lit(self.split, dtype=pl.String)))
        lead_columns = list(TABLES[family.lead].schema)
        others = {name: self._collected(name) for name in family.context}
        if family.key is None:
            yield others | {family.lead: rows.select(lead_columns).collect()}
            return
        keys = rows.select(pl.col(family.key).unique(maintain_order=True)).collect().to_series()
        for start in range(0, max(keys.len(), 1), _BATCH):
            batch = keys.slice(start, _BATCH).implode()
            lead = rows.filter(pl.col(family.key).is_in(batch)).select(lead_columns).collect()
            parts = {name: self._collected(name, pl.col(column).is_in(batch)) for name, column in family.parts.items()}
            yield others | parts | {family.lead: lead}

    def _collected(self, name: str, condition: pl.Expr | None = None) -> pl.DataFrame:
        if name not in self.tables:
            return TABLES[name].empty()
        rows = self.tables[name]
        return (rows if condition is None else rows.filter(condition)).collect()

    def _restored(self, layout: Layout, frames: Frames) -> Encoded:
        """The records of one file, with what the tables do not model put back."""
        encoded = layout.encode(frames)
        kept = self._of_records(layout.role)
        if not kept:
            return encoded
        records = dict(zip(*encoded, strict=True))
        present = set(frames[self.family.lead][self.family.key]) if self.family.key else kept.keys()
        for key in kept:
            if key in records or key in present:
                whole = restore(as_member(records, key), kept[key])
                records.pop(key, None) if RECORD not in whole else records.update({key: whole[RECORD]})
        return Encoded(list(records), list(records.values()))

    @cached_property
    def _extras(self) -> pl.DataFrame:
        rows = self._collected("extras", pl.col("format") == self.format)
        return rows if self.split is None else rows.filter(pl.col("split").eq_missing(pl.lit(self.split)))

    def _of_file(self, role: str) -> list[Difference]:
        rows = self._extras.filter(pl.col("role") == role, pl.col("record").is_null())
        return [Difference(*row) for row in rows.select("pointer", "was", "value").iter_rows()]

    def _of_records(self, role: str) -> dict[str, list[Difference]]:
        rows = self._extras.filter(pl.col("role") == role, pl.col("record").is_not_null())
        kept: dict[str, list[Difference]] = {}
        for record, *difference in rows.select("record", "pointer", "was", "value").iter_rows():
            kept.setdefault(record, []).append(Difference(*difference))
        return kept

    def _head(self, layout: Layout, frames: Frames) -> dict[str, Json]:
        kept = [found for found in self._of_file(layout.role) if found.pointer != ORDER]
        head: dict[str, Json] = restore({HEAD: layout.head(frames, self.split)}, kept)[HEAD]
        return head

    @contextmanager
    def _writer(self, layout: Layout, path: Path, head: dict[str, Json]) -> Iterator[Writer]:
        orders = [found.value for found in self._of_file(layout.role) if found.pointer == ORDER and found.value]
        with layout.container.writer(path, head) as writer:
            if not orders:
                yield writer
                return
            held = _Held()
            yield held
            for key in dict.fromkeys(
                [key for order in orders for key in msgspec.json.decode(order)] + list(held.records)
            ):
                if key in held.records:
                    writer.add(key, held.records[key])


@dataclass
class _Held:
    """Holds records back until all are there, to write them in the order of the original file."""

    records: dict[str, Json] = field(default_factory=dict)

    def add(self, key: str, record: Json) -> None:
        self.records[key] = record
