"""How a foreign format is described, and the one way in and out that all formats share.

A format is a list of families. A family is a group of files whose records belong together (in VQA, questions and
annotations by question id), with a function that turns a batch of aligned records into tables; each file's
layout has the inverse. From that come streaming import, loss-free export and placed errors:

    read:   files -> batches of aligned records -> tables, plus what the tables do not model (residue)
    write:  tables -> records -> residue put back -> files

A format file holds facts only: which members there are, and which column each becomes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import polars as pl

from eyechart.formats.files import Container, Json
from eyechart.tables import TABLES

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
    ids: Mapping[str, list[str]] = field(default_factory=dict)
    """Per role, the ids of its records."""

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
    """The customary name of a split's file, from the split and the head; it may begin with a folder."""
    head: Callable[[Frames, str | None], dict[str, Json]] = lambda _frames, _split: {}
    """The head as export writes it by itself."""
    split: Callable[[dict[str, Json], Path], str | None] = lambda _head, _path: None
    """The split that a file says it belongs to."""
    exact: Any = None  # as record
    """A stricter record: what decodes into it, export gives back without comparing."""
    is_exact: Callable[[list[Any]], bool] = lambda _records: True
    """What the stricter type cannot say."""
    agrees: Callable[[list[Any], Frames], bool] = lambda _records, _frames: True
    """Whether strict records say the same as the rows, where those come from another file too."""
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Members that hold lists of things with ids, each with where the id stands; such lists are compared by id."""
    folder: bool = False
    """Whether a folder may stand in the file's place."""
    holds: tuple[str, ...] = ()
    """In a format whose files repeat each other: the tables whose rows this file has. If import has read some of the
    files, export leaves out the others, unless they hold a table that those do not."""

    def name_file(self, split: str | None, head: dict[str, Json]) -> str:
        """The name under which export writes a split's file, whatever stands in the file's own members."""
        plain = "_".join([*([split] if split else []), self.role]) + self.container.suffix
        name = self.file_name(split, head) if self.file_name is not None else plain
        folder, slash, rest = name.partition("/")
        return f"{_safe(folder)}/{_safe(rest)}" if slash else _safe(name)


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
    batch: int = 20_000
    """Records decoded at once: enough to be fast, few enough to keep Python objects under 100 MB."""
    one_file: bool = False
    """One file holds all splits; the records say which one they belong to."""
    local_ids: bool = False
    """Records are numbered anew in every split; the split goes before the number to make the id."""

    @property
    def own_split(self) -> bool:
        """Whether the lead's rows say their split."""
        return "split" in TABLES[self.lead].schema


_FORBIDDEN = re.compile(r"[^\w.+-]|^\.+")
_LONGEST_NAME = 200


def _safe(name: str) -> str:
    """A name that stays in its folder and that every file system takes; the end, which has the suffix, is kept."""
    return _FORBIDDEN.sub("_", name).encode()[-_LONGEST_NAME:].decode(errors="ignore") or "_"


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
