"""A benchmark being written, by one process or by many, that survives being killed.

Everything goes into a hidden folder beside the target: parts as they come, and a small file for each finished shard.
A run that is killed leaves the old benchmark untouched; the next run of the same job finds the finished shards and
does only the missing ones. When all is there the folder gets its card, then its manifest, then the target's name.
"""

import shutil
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import polars as pl

from eyechart._lib.files import locked, replace_folder, write_atomically
from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import UsageError
from eyechart.store.card import dataset_card
from eyechart.store.manifest import MANIFEST, MadeBy, Manifest, Part
from eyechart.tables import TABLES

__all__ = ["Draft", "ShardWriter", "unfinished_folder"]

_PART_BYTES = 1 << 27
"""Rows are held back until they fill this much memory, so that parts are few and each is read fast."""


def unfinished_folder(target: Path) -> Path:
    """Where a benchmark lies until it is finished.

    >>> unfinished_folder(Path("data/mine")).as_posix()
    'data/.mine.unfinished'
    """
    target = _named(target)
    return target.parent / f".{target.name}.unfinished"


def _named(target: Path) -> Path:
    """The path with a name at its end, which "." and ".." do not have."""
    return target.resolve() if target.name in {"", ".."} else target


class _Finished(msgspec.Struct):
    """What a finished shard leaves: its parts, and what its stage wants to know for the reduction."""

    parts: dict[str, list[Part]]
    statistics: Any  # JSON of the stage's own making


@dataclass
class ShardWriter:
    """Writes the rows of one shard; nothing counts until it is closed.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> writer = ShardWriter(folder, shard=3)
    >>> writer.write("pairs", pl.DataFrame({"question_id": ["1"], "complement_id": ["2"]}))
    >>> writer.close()
    >>> [path.name for path in sorted(folder.rglob("*.*"))]
    ['00003.json', '00003-000.parquet']
    """

    folder: Path
    shard: int
    _held: dict[str, list[pl.DataFrame]] = field(default_factory=dict)
    _bytes: dict[str, int] = field(default_factory=dict)
    _parts: dict[str, list[Part]] = field(default_factory=dict)

    def write(self, table: str, rows: pl.DataFrame) -> None:
        """Add rows to a table; they must fit its schema."""
        rows = TABLES[table].conform(rows)
        if not rows.height:
            return
        self._held.setdefault(table, []).append(rows)
        self._bytes[table] = self._bytes.get(table, 0) + int(rows.estimated_size())
        if self._bytes[table] >= _PART_BYTES:
            self._flush(table)

    def close(self, statistics: Any = None) -> None:  # JSON of the stage's own making
        """Write what is held back, then the note that the shard is finished."""
        for table in list(self._held):
            self._flush(table)
        done = self.folder / "shards" / f"{self.shard:05d}.json"
        done.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(done, msgspec.json.encode(_Finished(self._parts, statistics)))

    def _flush(self, table: str) -> None:
        self._bytes.pop(table)
        parts = self._parts.setdefault(table, [])
        name = f"{self.shard:05d}-{len(parts):03d}.parquet"
        parts.append(_write_part(self.folder, table, name, pl.concat(self._held.pop(table))))


class Draft:
    """An unfinished benchmark: entered, it is ours alone; left without an error, it is finished."""

    def __init__(
        self,
        target: Path,
        made_by: MadeBy,
        *,
        name: str | None = None,
        licence: str | None = None,
        image_root: str | None = None,
        replace: bool = False,
    ) -> None:
        self.target = _named(target)
        self.made_by = made_by
        self.name = name or target.resolve().name
        self.licence = licence
        self.image_root = image_root
        self.replace = replace
        self.folder = unfinished_folder(self.target)
        self._own = ShardWriter(self.folder, shard=0)
        self._whole: dict[str, list[Part]] = {}
        self._held = ExitStack()

    def __enter__(self) -> Self:
        if Path.cwd().is_relative_to(self.target.resolve()):
            raise UsageError(
                f"{self.target}: found the folder in which the command runs, expected one that can be put in place "
                "whole; name another, or run it elsewhere"
            )
        there = self.target.exists() and not _is_empty(self.target)
        if there and not self.replace:
            raise UsageError(f"{self.target}: found something there; choose another output, or replace it with --force")
        if there and not (self.target / MANIFEST).is_file():
            raise UsageError(
                f"{self.target}: found something that is no benchmark, expected one to replace; choose another output"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._held.enter_context(locked(self.folder / "lock"))
        job = msgspec.json.encode(self.made_by)
        noted = self.folder / "job.json"
        if not noted.is_file() or noted.read_bytes() != job:
            self._clear()
            write_atomically(noted, job)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._held:
            if error is None:
                self._finish()
            elif not self._shards():
                shutil.rmtree(self.folder)

    def write(self, table: str, rows: pl.DataFrame) -> None:
        """Add rows to a table from this process, where no shards are needed."""
        self._own.write(table, rows)

    def put(self, table: str, rows: pl.DataFrame) -> None:
        """Give a table as a whole, in place of what shards wrote to it."""
        self._whole[table] = [_write_part(self.folder, table, "whole.parquet", TABLES[table].conform(rows))]

    def finished(self) -> dict[int, Any]:
        """The shards that are done, with what each noted for the reduction."""
        return {number: done.statistics for number, done in sorted(self._shards().items())}

    def scan(self, table: str) -> pl.LazyFrame:
        """What finished shards have written to a table."""
        files = [self.folder / part.file for part in self._parts().get(table, [])]
        return pl.scan_parquet(files, glob=False) if files else TABLES[table].empty().lazy()

    def _shards(self) -> dict[int, _Finished]:
        notes = (self.folder / "shards").glob("*.json")
        return {int(note.stem): msgspec.json.decode(note.read_bytes(), type=_Finished) for note in notes}

    def _parts(self) -> dict[str, list[Part]]:
        shards = [done for _, done in sorted(self._shards().items())]
        found = {table: [p for done in shards for p in done.parts.get(table, [])] for table in TABLES}
        return {table: parts for table, parts in (found | self._whole).items() if parts}

    def _clear(self) -> None:
        for path in self.folder.iterdir():
            if path.name != "lock":
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _finish(self) -> None:
        if 0 not in self._shards():
            self._own.close()
        parts = self._parts()
        self._drop_strays({part.file for listed in parts.values() for part in listed})
        manifest = Manifest(
            name=self.name,
            licence=self.licence,
            made_by=self.made_by,
            image_root=self.image_root,
            rows={table: sum(part.rows for part in listed) for table, listed in parts.items()},
            splits=self._splits(),
            parts=parts,
        )
        (self.folder / "README.md").write_text(dataset_card(manifest), encoding="utf-8")
        manifest.save(self.folder)
        replace_folder(self.folder, self.target)
        # Only now: a run that is killed before the folder has its name still finds its shards.
        shutil.rmtree(self.target / "shards")
        for name in ("job.json", "lock"):
            (self.target / name).unlink()

    def _drop_strays(self, listed: set[str]) -> None:
        """Parts of shards that were killed half-way, and what ``put`` has replaced."""
        for path in (self.folder / "tables").rglob("*"):
            if path.is_file() and path.relative_to(self.folder).as_posix() not in listed:
                path.unlink()

    def _splits(self) -> dict[str, int]:
        counted = self.scan("questions").group_by("split", maintain_order=True).len().drop_nulls().collect()
        return dict(counted.iter_rows())


def _is_empty(path: Path) -> bool:
    return path.is_dir() and next(path.iterdir(), None) is None


def _write_part(folder: Path, table: str, name: str, rows: pl.DataFrame) -> Part:
    path = folder / "tables" / table / name
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    rows.write_parquet(partial, compression="zstd", statistics=True)
    partial.replace(path)
    return Part(path.relative_to(folder).as_posix(), rows.height, sha256_of_file(path))
