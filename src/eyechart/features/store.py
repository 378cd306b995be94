"""Features at rest: one array of half-precision numbers in a memory map, an index of pictures, and who made them.

A store is a folder: ``features.npy`` (all rows of all pictures), ``index.parquet`` (where each picture's rows begin and
how many they are), ``boxes.npy`` where rows have a place, and ``features.json``. The last picture is the blank one.
"""

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.files import locked, replace_folder, write_atomically
from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import DataError, UsageError

__all__ = ["FeatureStore", "Made", "Rows", "StoreDraft"]

Halves = npt.NDArray[np.float16]
Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

MANIFEST = "features.json"


class Rows(NamedTuple):
    """Features of a batch of pictures, as they are taken from a store."""

    rows: Halves
    """Picture, row, number; beyond a picture's own rows there are zeros."""
    counts: Places


class Made(msgspec.Struct, frozen=True):
    """What made the features: results of different makings cannot be compared."""

    encoder: str
    weights: str
    """A hash of the weights, or the version of the rule."""
    preprocessing: str
    view: str
    """vector, grid, objects or scene."""
    width: int
    """How many numbers a row has."""

    @property
    def source(self) -> str:
        """In one line.

        >>> Made("colors", "1", "rgb", "grid", 70).source
        'colors/1 (grid, rgb)'
        """
        return f"{self.encoder}/{self.weights} ({self.view}, {self.preprocessing})"


class _Manifest(msgspec.Struct, frozen=True):
    """The content of features.json."""

    made: Made
    pictures: int
    rows: int
    most: int
    """Rows of the picture that has most."""
    index: str
    """A hash of the index."""


@dataclass(frozen=True)
class FeatureStore:
    """A finished store, opened for reading.

    >>> import tempfile
    >>> draft = StoreDraft(Path(tempfile.mkdtemp()) / "grid", Made("colors", "1", "rgb", "grid", 2))
    >>> with draft:
    ...     draft.add(0, ["a", "b"], [np.ones((2, 2)), np.ones((1, 2))])
    ...     draft.finish(np.zeros((1, 2)))
    >>> store = FeatureStore.open(draft.target)
    >>> seen = store.take(store.places(pl.Series(["b", None])))
    >>> seen.rows[0].tolist(), seen.counts.tolist()
    ([[1.0, 1.0], [0.0, 0.0]], [1, 1])
    """

    folder: Path
    manifest: _Manifest

    @classmethod
    def open(cls, folder: Path | str) -> "FeatureStore":
        """Open a store."""
        folder = Path(folder)
        path = folder / MANIFEST
        if not path.is_file():
            raise UsageError(
                f"{folder}: found no {MANIFEST}, expected features; make them with `eyechart encode`, or name others"
            )
        try:
            return cls(folder, msgspec.json.decode(path.read_bytes(), type=_Manifest))
        except msgspec.MsgspecError as error:
            raise DataError(f"{path}: {error}, expected a store of features; encode the pictures again") from error

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return self.manifest.made.width

    @property
    def most(self) -> int:
        """How many rows a picture has at most."""
        return self.manifest.most

    @property
    def source(self) -> str:
        """What made the features."""
        return self.manifest.made.source

    @cached_property
    def index(self) -> pl.DataFrame:
        """image_id (null for the blank picture), start, count."""
        return pl.read_parquet(self.folder / "index.parquet")

    @cached_property
    def _features(self) -> Halves:
        found: Halves = np.load(self.folder / "features.npy", mmap_mode="r")
        return found

    @cached_property
    def _by_picture(self) -> Halves | None:
        """All features as one block per picture, if every picture has the same number of rows."""
        if self.manifest.rows != self.manifest.pictures * self.most:
            return None
        return self._features.reshape(self.manifest.pictures, self.most, self.width)

    @cached_property
    def _starts(self) -> Places:
        return self.index["start"].to_numpy().astype(np.int64)

    @cached_property
    def _counts(self) -> Places:
        return self.index["count"].to_numpy().astype(np.int64)

    def places(self, image_ids: pl.Series) -> Places:
        """Where each picture lies; -1, the last, for null."""
        known = self.index.select("image_id").with_row_index("_place").drop_nulls()
        asked = image_ids.alias("image_id").cast(pl.String).to_frame()
        found = asked.join(known, on="image_id", how="left", maintain_order="left")["_place"].cast(pl.Int64)
        missing = image_ids.filter(found.is_null() & image_ids.is_not_null())
        if missing.len():
            raise DataError(
                f"{self.folder}: found no features of picture {missing[0]!r} and {missing.n_unique() - 1:,} others, "
                "expected those of every picture that is asked about; encode this benchmark's pictures"
            )
        return found.fill_null(-1).to_numpy().astype(np.int64)

    def take(self, places: Places, out: Halves | None = None) -> Rows:
        """The features of these pictures, copied out of the memory map."""
        counts = self._counts[places]
        if self._by_picture is not None:
            # Clipping spares a check of every place; a place before the first is one from the end.
            rows = np.take(self._by_picture, places % self.manifest.pictures, axis=0, out=out, mode="clip")
            return Rows(rows, counts)
        within = np.arange(self.most)[None]
        there = within < counts[:, None]
        rows = self._features[np.where(there, self._starts[places][:, None] + within, 0)]
        rows[~there] = 0
        return Rows(rows, counts)

    def counts(self, places: Places) -> Places:
        """How many rows each of these pictures has."""
        return self._counts[places]

    def boxes(self, places: Places) -> Floats | None:
        """Where each row lies in its picture: x0, y0, x1, y1 from 0 to 1; None if rows have no place of their own."""
        if self._boxes is None:
            return None
        within = np.arange(self.most)[None]
        there = within < self._counts[places][:, None]
        found: Floats = self._boxes[np.where(there, self._starts[places][:, None] + within, 0)].astype(np.float32)
        found[~there] = 0
        return found

    @cached_property
    def _boxes(self) -> Halves | None:
        path = self.folder / "boxes.npy"
        return np.load(path, mmap_mode="r") if path.is_file() else None


class StoreDraft:
    """A store being written, shard by shard; a run that was killed finds its finished shards."""

    def __init__(self, target: Path, made: Made, *, inputs: str = "", replace: bool = False) -> None:
        self.target, self.made, self.replace = target, made, replace
        self.folder = target.with_name(f".{target.name}.unfinished")
        self.job = msgspec.json.encode({"made": made, "inputs": inputs})
        self.held = ExitStack()

    def __enter__(self) -> Self:
        if (self.target / MANIFEST).exists() and not self.replace:
            raise UsageError(f"{self.target}: found features there; choose another name, or replace them with --force")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.held.enter_context(locked(self.folder / "lock"))
        noted = self.folder / "job.json"
        if not noted.is_file() or noted.read_bytes() != self.job:
            for path in self.folder.glob("*.np[yz]"):
                path.unlink()
            write_atomically(noted, self.job)
        return self

    def __exit__(self, *error: object) -> None:
        self.held.close()
        if not (self.folder / "job.json").exists():
            shutil.rmtree(self.folder)

    def finished(self) -> set[int]:
        """The shards that are done."""
        return {int(path.stem) for path in self.folder.glob("*.npz")}

    def add(
        self,
        shard: int,
        image_ids: Sequence[str],
        features: Sequence[npt.NDArray[Any]],
        boxes: Sequence[npt.NDArray[Any]] | None = None,
    ) -> None:
        """The rows of some pictures, and where in the picture each row lies."""
        counts = [len(each) for each in features]
        width = self.made.width
        kept: dict[str, npt.NDArray[Any]] = {
            "features": _joined(features, width),
            "counts": np.array(counts, np.int64),
            "ids": np.array([each.encode() for each in image_ids], dtype=np.bytes_),
        }
        if boxes is not None:
            kept["boxes"] = _joined(boxes, 4)
        partial = self.folder / f".{shard:05d}.partial"
        with partial.open("wb") as file:
            np.savez(file, allow_pickle=False, **kept)
        partial.replace(self.folder / f"{shard:05d}.npz")

    def finish(self, blank: npt.NDArray[Any]) -> None:
        """Join all shards, with the blank picture at the end."""
        shards = [self.folder / f"{shard:05d}.npz" for shard in sorted(self.finished())]
        self.add(len(shards), [""], [blank], [np.zeros((len(blank), 4))] if _placed(shards) else None)
        shards = [self.folder / f"{shard:05d}.npz" for shard in sorted(self.finished())]
        counts = np.concatenate([_part(path, "counts") for path in shards])
        ids = [each.decode() for path in shards for each in _part(path, "ids").tolist()]
        index = pl.DataFrame({"image_id": [*ids[:-1], None], "start": np.cumsum(counts) - counts, "count": counts})
        new = self.folder / "store"
        new.mkdir(exist_ok=True)
        index.write_parquet(new / "index.parquet")
        self._join(shards, "features", new, (int(counts.sum()), self.made.width))
        if _placed(shards):
            self._join(shards, "boxes", new, (int(counts.sum()), 4))
        facts = (len(counts), int(counts.sum()), int(counts.max(initial=1)), sha256_of_file(new / "index.parquet"))
        manifest = msgspec.json.format(msgspec.json.encode(_Manifest(self.made, *facts)), indent=2)
        write_atomically(new / MANIFEST, manifest + b"\n")
        replace_folder(new, self.target)
        for path in [*shards, self.folder / "job.json"]:
            path.unlink()

    def _join(self, shards: Sequence[Path], name: str, new: Path, shape: tuple[int, int]) -> None:
        whole = np.lib.format.open_memmap(new / f"{name}.npy", "w+", np.float16, shape)
        at = 0
        for path in shards:
            part = _part(path, name)
            whole[at : at + len(part)] = part
            at += len(part)
        whole.flush()


def _joined(parts: Sequence[npt.NDArray[Any]], width: int) -> Halves:
    """All rows under each other; what does not fit half precision is cut off at its ends."""
    if not parts:
        return np.zeros((0, width), np.float16)
    limit = np.finfo(np.float16).max
    rows = [np.asarray(part).reshape(-1, width).clip(-limit, limit).astype(np.float16) for part in parts]
    return np.concatenate(rows)


def _part(path: Path, name: str) -> npt.NDArray[Any]:
    with np.load(path) as kept:
        found: npt.NDArray[Any] = kept[name]
    return found


def _placed(shards: Sequence[Path]) -> bool:
    with np.load(shards[0]) as kept:
        return "boxes" in kept
