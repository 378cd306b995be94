"""Pictures into fingerprints: a hash and the real size of each."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.features import fingerprint
from eyechart.pipeline.stage import Json, Write
from eyechart.store import Benchmark, Draft

__all__ = ["FingerprintPictures", "state_of_pictures"]

_IMAGES_PER_SHARD = 2000


@dataclass(frozen=True)
class FingerprintPictures:
    """Look at every picture file of a benchmark; some thousand pictures are a shard."""

    name: ClassVar[str] = "fingerprint"

    benchmark: str
    pictures: str
    """What ``state_of_pictures`` says: finished shards hold as long as it is the same."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark."""
        return [Path(self.benchmark)]

    def plan(self) -> Sequence[Json]:
        """Where each shard begins, in the order of the table."""
        count = _with_files(Benchmark.open(self.benchmark)).select(pl.len()).collect().item()
        return list(range(0, count, _IMAGES_PER_SHARD))

    def run(self, shard: Json, write: Write) -> Json:
        """Decode the pictures of one shard."""
        benchmark = Benchmark.open(self.benchmark)
        images = _with_files(benchmark).slice(shard, _IMAGES_PER_SHARD).collect()
        seen = [fingerprint(benchmark.image_file(file)) for file in images["file"]]
        schema = {"phash": pl.UInt64, "width": pl.Int32, "height": pl.Int32, "problem": pl.String}
        write("fingerprints", images.select("image_id").hstack(pl.DataFrame(seen, schema=schema, orient="row")))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: pictures do not know of each other."""


def state_of_pictures(benchmark: Benchmark) -> str | None:
    """A hash of the names, sizes and times of the picture files; None if not one of them is there.

    >>> import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("images", pl.DataFrame({"image_id": ["1"], "file": ["1.jpg"]}))
    >>> state_of_pictures(Benchmark.open(draft.target)) is None
    True
    """
    digest, there = hashlib.sha256(), False
    for file in _with_files(benchmark).collect()["file"]:
        try:
            state = os.stat(benchmark.image_file(file))  # noqa: PTH116  # half the time of Path.stat
        except (OSError, ValueError):
            continue
        there = True
        digest.update(f"{file}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest() if there else None


def _with_files(benchmark: Benchmark) -> pl.LazyFrame:
    return benchmark.scan("images").select("image_id", "file").drop_nulls("file")
