"""How a foreign format is described, and the one way in and out that all formats share.

A format is a list of families. A family is a group of files whose records belong together (in VQA, questions and
annotations by question id), with a function that turns a batch of aligned records into tables; each file's
layout has the inverse. From that come streaming import, loss-free export and placed errors:

    read:   files -> batches of aligned records -> tables, plus what the tables do not model (residue)
    write:  tables -> records -> residue put back -> files

A format file holds facts only: which members there are, and which column each becomes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from eyechart.formats.files import Container, Json

__all__ = ["Batch", "Encoded", "Family", "Format", "Frames", "Layout", "Shard"]

Frames = dict[str, pl.DataFrame]
"""Rows of some tables, by table name."""


class Encoded(NamedTuple):
    """Records of one file with their ids, as the format documents them."""

    keys: list[str]
    records: list[Json]


@dataclass(frozen=True)
class Batch:
    """Aligned records of a family's files, typed, on their way into tables."""

    split: str | None
    keys: list[str]
    """The ids that this batch is about, in order."""
    records: Mapping[str, list[Any]]  # per role, objects of the layout's record type
    heads: Mapping[str, dict[str, Json]]

    def __getitem__(self, role: str) -> list[Any]:
        return self.records.get(role, [])


@dataclass(frozen=True)
class Layout:
    """One kind of file of a format."""

    role: str
    """What the file is to the format: questions, annotations, choices …"""
    about: str
    container: Container
    record: Any  # a type that msgspec can decode into
    """What a record must have; decoding into it is the validation."""
    encode: Callable[[Frames], Encoded]
    """Tables to records: the inverse of the family's ``decode``."""
    hints: tuple[str, ...] = ()
    """Words by which a file name gives its role away; the role's name if empty."""
    file_name: Callable[[str | None, dict[str, Json]], str] | None = None
    """The customary name of a split's file, from the split and the head."""
    head: Callable[[Frames, str | None], dict[str, Json]] = lambda _frames, _split: {}
    """The head as export writes it by itself."""
    split: Callable[[dict[str, Json], Path], str | None] = lambda _head, _path: None
    """The split that a file says it belongs to."""
    exact: Any = None  # as record
    """A stricter record: what decodes into it, export gives back without comparing."""
    is_exact: Callable[[list[Any]], bool] = lambda _records: True
    """What the stricter type cannot say."""

    def name_file(self, split: str | None, head: dict[str, Json]) -> str:
        """The name under which export writes a split's file."""
        if self.file_name is not None:
            return self.file_name(split, head)
        return "_".join([*([split] if split else []), self.role]) + self.container.suffix


@dataclass(frozen=True)
class Family:
    """Files whose records belong together by id."""

    layouts: tuple[Layout, ...]
    decode: Callable[[Batch], Frames]
    lead: str
    """The table that has a row per record, or several."""
    key: str | None = None
    """The column of the lead table that holds the record's id; without one, a split is written in one piece."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """The other tables that hold the records, each with the column that has the record's id."""
    split_by: tuple[str, str] | None = None
    """Where the lead has no split of its own: the table that has it, and the id by which to look it up."""
    context: tuple[str, ...] = ()
    """Small tables that ``encode`` and ``head`` read whole."""


class Shard(msgspec.Struct, frozen=True):
    """One unit of import: the files of one family and split, or a slice of their records."""

    files: dict[str, str]
    split: str | None = None
    part: int = 0
    parts: int = 1


@dataclass(frozen=True)
class Format:
    """A foreign format: what it is called and the families of files it has."""

    name: str
    title: str
    families: tuple[Family, ...]
    notes: str = ""
    """What a user should know: quirks, the minimum of members, what is not modelled."""

    @property
    def layouts(self) -> dict[str, Layout]:
        """The format's files by role."""
        return {layout.role: layout for family in self.families for layout in family.layouts}
