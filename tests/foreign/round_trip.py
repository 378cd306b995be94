"""Import and export of fixtures, for the tests of formats: the cases, the way in, the way out, what files say."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from eyechart.formats import FORMATS, SHARED, Format, assign_roles, merge_shared, plan, read, write
from eyechart.tables import TABLES

FIXTURES = Path(__file__).parents[1] / "fixtures" / "formats"

Roles = Mapping[str, Sequence[Path]]
Tables = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class Case:
    """Files of one format that go together."""

    format: str
    name: str

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return FIXTURES / self.format / self.name

    @property
    def foreign(self) -> Format:
        """The format."""
        return FORMATS.load(self.format)

    @cached_property
    def tables(self) -> Tables:
        """What the files become; made once, for all who only look."""
        return imported(self.foreign, self.roles)

    @cached_property
    def roles(self) -> dict[str, list[Path]]:
        """The files by what they are; their names tell it."""
        return assign_roles(self.foreign, [str(self.folder)])

    def __str__(self) -> str:
        return f"{self.format}/{self.name}"


def cases() -> list[Case]:
    """Every fixture case, by format and name."""
    folders = sorted(path for path in FIXTURES.glob("*/*") if path.is_dir())
    return [Case(folder.parent.name, folder.name) for folder in folders]


def imported(foreign: Format, roles: Roles, *, split: str | None = None, shard_bytes: int = 1 << 28) -> Tables:
    """The tables that files become, as the import stage makes them."""
    shards = plan(foreign, roles, split=split, shard_bytes=shard_bytes)
    pieces: dict[str, list[pl.DataFrame]] = {}
    for shard in shards:
        for table, rows in read(foreign, shard):
            pieces.setdefault(table, []).append(TABLES[table].conform(rows))
    tables = {table: pl.concat(rows) for table, rows in pieces.items()}
    return tables | {table: merge_shared(tables[table]) for table in SHARED if table in tables}


def exported(foreign: Format, tables: Tables, folder: Path) -> dict[str, list[Path]]:
    """The files that tables become, by what they are to the format."""
    written: dict[str, list[Path]] = {}
    for file in write(foreign, {name: rows.lazy() for name, rows in tables.items()}, folder):
        written.setdefault(file.role, []).append(file.path)
    return written


def round_trip(foreign: Format, roles: Roles, folder: Path) -> dict[str, list[Path]]:
    """Files into tables and back."""
    return exported(foreign, imported(foreign, roles), folder)


def content(path: Path) -> Any:  # JSON of a foreign file
    """What a file says, whatever the white space between its values: JSON values, lines, or cells."""
    if path.is_dir():
        return {file.name: content(file) for file in sorted(path.iterdir())}
    text = path.read_bytes().decode("utf-8-sig")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    if path.suffix == ".json":
        return json.loads(text)
    if path.suffix in {".csv", ".tsv"}:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ",")
        return [row for row in rows if row]
    return text.split("\n")


def contents(files: Roles) -> dict[str, list[Any]]:
    """What all files say."""
    return {role: [content(path) for path in paths] for role, paths in files.items()}


def same(one: Any, other: Any) -> bool:  # JSON of foreign files
    """Equal as JSON: 1 is 1.0, but true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def files_of(roles: Roles) -> Iterator[tuple[str, Path]]:
    """Each file with its role."""
    return ((role, path) for role, paths in roles.items() for path in paths)
