"""Scenes into pictures: the clip art of a benchmark drawn into its folder of images."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.stage import Json, Write
from eyechart.scenes import render
from eyechart.store import Benchmark, Draft

__all__ = ["RenderScenes"]

_IMAGES_PER_SHARD = 250


@dataclass(frozen=True)
class RenderScenes:
    """Draw every scene of a benchmark; some hundred pictures are a shard."""

    name: ClassVar[str] = "render"

    benchmark: str
    folder: str
    """Where the pictures go."""
    width: int = 500
    """Of the pictures, in pixels; scenes are five wide and four high."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark."""
        return [Path(self.benchmark)]

    def plan(self) -> Sequence[Json]:
        """Where each shard begins, in the order of the table of images."""
        benchmark = Benchmark.open(self.benchmark)
        if "cliparts" not in benchmark:
            raise DataError(
                f"{self.benchmark}: found no table cliparts, expected scenes to draw; "
                "make some with `eyechart scenes generate` or import abstract scenes"
            )
        return list(range(0, benchmark.rows("images"), _IMAGES_PER_SHARD))

    def run(self, shard: Json, write: Write) -> Json:
        """Draw the scenes of one shard."""
        benchmark, folder = Benchmark.open(self.benchmark), Path(self.folder)
        images = benchmark.scan("images").select("image_id", "file", "location").slice(shard, _IMAGES_PER_SHARD)
        found = images.collect()
        cliparts = benchmark.scan("cliparts").filter(pl.col("image_id").is_in(found["image_id"].implode())).collect()
        scenes = render.scenes_of(cliparts, dict(found.select("image_id", "location").iter_rows()))
        files = dict(found.select("image_id", pl.col("file").fill_null(pl.format("{}.png", "image_id"))).iter_rows())
        for image_id, scene in scenes.items():
            _write(_inside(folder, files[image_id]), render.to_png(scene, self.width))
        write("images", found.select("image_id", "file").filter(pl.col("image_id").is_in(list(scenes))))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: pictures do not know of each other."""


def _inside(folder: Path, file: str) -> Path:
    """Where a picture goes; a name that leads out of the folder is refused."""
    path = folder / file
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DataError(f"images, file {file!r}: found a way out of {folder}, expected a name in it; rename it")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _write(path: Path, content: bytes) -> None:
    """Write a picture whole or not at all; without waiting for the disk, since it can be drawn again."""
    partial = path.with_name(f".{path.name}.partial")
    partial.write_bytes(content)
    partial.replace(path)
