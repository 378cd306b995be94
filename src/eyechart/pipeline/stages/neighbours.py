"""The nearest pictures of every picture, by the Euclidean distance of their features, as a table of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.errors import DataError
from eyechart.features import FeatureStore, nearest_by_distance
from eyechart.pipeline.stage import Json, Write
from eyechart.store import Benchmark, Draft

__all__ = ["SCENES", "FindNeighbours"]

SCENES = "scenes"
"""In place of a store of features: how often each name and each attribute of a name occurs in the scene graph."""

_IMAGES_PER_SHARD = 4096
_FREQUENT = 1500

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class FindNeighbours:
    """Compare every picture with all others of its split; some thousand pictures are a shard."""

    name: ClassVar[str] = "neighbours"

    benchmark: str
    features: str = SCENES
    """A store of features, or ``scenes`` for counts of what the scene graph names."""
    k: int = 24
    within_split: bool = True
    """Whether neighbours are of the same split, so that a pair is never torn apart."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark and the features."""
        return [Path(self.benchmark), *([Path(self.features)] if self.features != SCENES else [])]

    def plan(self) -> Sequence[Json]:
        """Ranges of pictures of each split."""
        sizes = self._pictures.group_by("split").len().sort("split").iter_rows()
        return [[split, first] for split, size in sizes for first in range(0, size, _IMAGES_PER_SHARD)]

    def run(self, shard: Json, write: Write) -> Json:
        """The neighbours of one range."""
        split, first = shard
        ids, vectors = _vectors(self, Benchmark.open(self.benchmark).fingerprint, split)
        some = slice(first, first + _IMAGES_PER_SHARD)
        found = nearest_by_distance(vectors[some], vectors, min(self.k + 1, len(vectors)))
        own = np.arange(first, first + len(found.places))[:, None]
        others = found.places != own
        # One too many was asked for; the picture itself is among them unless many are equal to it.
        others[others.all(axis=1), -1] = False
        row, _ = np.nonzero(others)
        write(
            "neighbours",
            pl.DataFrame(
                {
                    "image_id": ids.gather(row + first),
                    "rank": np.tile(np.arange(1, found.places.shape[1]), len(found.places)),
                    "neighbour_id": ids.gather(found.places[others]),
                    "distance": found.scores[others],
                }
            ),
        )

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: pictures do not know of each other's neighbours."""

    @property
    def _pictures(self) -> pl.DataFrame:
        split = pl.col("split").fill_null("") if self.within_split else pl.lit("")
        images = Benchmark.open(self.benchmark).scan("images").select("image_id", split=split).collect()
        if not images.height:
            raise DataError(f"{self.benchmark}: found no images, expected some; import or generate them first")
        return images.sort("image_id")


@lru_cache(maxsize=2)
def _vectors(stage: FindNeighbours, fingerprint: str, split: str) -> tuple[pl.Series, Vectors]:  # noqa: ARG001
    """The pictures of a split and their vectors; the fingerprint keys the cache."""
    ids = stage._pictures.filter(pl.col("split") == split)["image_id"]  # noqa: SLF001  # the same file
    if stage.features == SCENES:
        return ids, _scene_vectors(Benchmark.open(stage.benchmark), ids)
    store = FeatureStore.open(stage.features)
    rows = store.take(store.places(ids))
    return ids, rows.rows.astype(np.float32).sum(axis=1) / np.maximum(rows.counts, 1)[:, None].astype(np.float32)


def _scene_vectors(benchmark: Benchmark, ids: pl.Series) -> Vectors:
    if "objects" not in benchmark:
        raise DataError(
            f"{benchmark.folder}: found no scene graphs, expected some to compare pictures by; "
            "name features that eyechart encode made with --features"
        )
    key = ["image_id", "object_id"]
    things = benchmark.scan("objects").select(*key, "name").drop_nulls()
    having = benchmark.scan("attributes").select(*key, "attribute").join(things, on=key)
    said = pl.concat(
        [
            things.select("image_id", word="name"),
            having.select("image_id", word=pl.concat_str("attribute", "name", separator=" ")),
        ]
    ).collect()
    frequent = said.group_by("word").len().sort("len", "word", descending=[True, False]).head(_FREQUENT)
    places = ids.to_frame("image_id").with_row_index("row")
    cells = (
        said.join(frequent.select("word").with_row_index("column"), on="word")
        .join(places, on="image_id")
        .group_by("row", "column")
        .len()
    )
    vectors = np.zeros((ids.len(), frequent.height), np.float32)
    vectors[cells["row"].to_numpy(), cells["column"].to_numpy()] = cells["len"].to_numpy()
    return vectors
