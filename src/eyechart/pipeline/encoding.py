"""Pictures, scene graphs or a detector's files into a store of features beside the benchmark."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from PIL import Image

from eyechart._lib.progress import Progress, silent
from eyechart.errors import DataError, UsageError
from eyechart.features import (
    Detected,
    Encoder,
    FeatureStore,
    Made,
    StoreDraft,
    encode_boxes,
    load_encoder,
    open_picture,
    read_butd_hdf5,
    read_butd_tsv,
    read_gqa_hdf5,
    scene_rows,
    scene_width,
)
from eyechart.store import Benchmark
from eyechart.text import WordVectors

__all__ = ["VIEWS", "Encoding", "encode", "encode_like", "encoder_of", "find_features", "import_detected"]

VIEWS = {
    "vector": "one row for the whole picture",
    "grid": "a row for each cell of a grid",
    "objects": "a row for each box of the scene graph, cut out of the picture",
    "scene": "a row for each object and relation of the scene graph, as if everything had been seen",
}
"""What can be made of a picture."""

_SHARD = 64
_GREY = (128, 128, 128)
_SIDES = tuple(range(1, 33))
"""Grids whose features can be made again; 1 is the whole picture."""
_MOST = 100

Floats = npt.NDArray[np.float32]
Features = tuple[list[Floats], list[Floats] | None]


@dataclass(frozen=True)
class Encoding:
    """What is made."""

    view: str = "vector"
    side: int = 7
    """Of a grid, or of what is cut out for an object, in cells."""
    unit: bool = False
    """Whether rows are brought to length 1."""


def encode(
    benchmark: Benchmark,
    encoder: Encoder | WordVectors,
    how: Encoding,
    folder: Path,
    *,
    replace: bool = False,
    progress: Progress = silent,
) -> FeatureStore:
    """Encode every picture of a benchmark; a run that was stopped goes on where it was."""
    if how.view not in VIEWS:
        raise UsageError(f"--view is {how.view!r}, expected one of {', '.join(VIEWS)}; choose one")
    images = benchmark.read("images").select("image_id", "file", "width", "height")
    if not images.height:
        raise DataError(f"{benchmark.folder}: found no images, expected some to encode; import or generate some")
    maker = _Scenes(benchmark, how, encoder) if how.view == "scene" else _Pictures(benchmark, how, encoder)
    rows_of = list(images.iter_rows(named=True))
    shards = [rows_of[begin : begin + _SHARD] for begin in range(0, len(rows_of), _SHARD)]
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = StoreDraft(folder, maker.made, inputs=benchmark.fingerprint, replace=replace)
    with draft, progress("Encoding", images.height, "pictures") as advance:
        done = draft.finished()
        for number, shard in enumerate(shards):
            if number not in done:
                features, boxes = maker.encode(shard)
                rows = [_unit(each) for each in features] if how.unit else features
                draft.add(number, [row["image_id"] for row in shard], rows, boxes)
            advance(len(shard))
        draft.finish(maker.blank())
    return FeatureStore.open(folder)


Row = dict[str, str | int | None]


class _Pictures:
    """Encoded from the files."""

    def __init__(self, benchmark: Benchmark, how: Encoding, encoder: Encoder | WordVectors) -> None:
        if not isinstance(encoder, Encoder):
            raise UsageError(f"--view {how.view}: found word vectors, expected an encoder of pictures; name one")
        self.encoder = encoder
        self.benchmark, self.how = benchmark, how
        self.side = how.side if how.view in {"grid", "objects"} else 1
        preprocessing = _preprocessing(encoder, self.side, unit=how.unit)
        self.made = Made(encoder.name, encoder.weights, preprocessing, how.view, encoder.width)
        self.boxes = _boxes(benchmark) if how.view == "objects" else {}

    def encode(self, shard: Sequence[Row]) -> Features:
        pictures = [open_picture(self._file(row)) for row in shard]
        if self.how.view != "objects":
            return list(self.encoder.encode(pictures, self.side)), None
        boxes = [self.boxes.get(str(row["image_id"]), np.zeros((0, 4), np.float32)) for row in shard]
        return [encode_boxes(self.encoder, *pair, self.side) for pair in zip(pictures, boxes, strict=True)], boxes

    def _file(self, row: Row) -> Path:
        if row["file"] is None:
            raise DataError(
                f"{self.benchmark.folder}, image {row['image_id']!r}: found no file, expected a picture; "
                "draw it with `eyechart scenes render`, or fetch it"
            )
        return self.benchmark.image_file(str(row["file"]))

    def blank(self) -> Floats:
        """What an empty picture looks like."""
        blank: Floats = self.encoder.encode([Image.new("RGB", (224, 224), _GREY)], self.side)[0]
        return blank if self.how.view != "objects" else blank.mean(axis=0, keepdims=True)


class _Scenes:
    """Written down from the scene graph."""

    def __init__(self, benchmark: Benchmark, how: Encoding, vectors: Encoder | WordVectors) -> None:
        if isinstance(vectors, Encoder):
            raise UsageError(f"--view {how.view}: found an encoder of pictures, expected word vectors; name some")
        self.vectors = vectors
        self.scenes = _scene_tables(benchmark)
        self.width = scene_width(vectors)
        self.made = Made("scene graph", vectors.source, f"{_MOST} objects and relations", how.view, self.width)

    def encode(self, shard: Sequence[Row]) -> Features:
        ids = [str(row["image_id"]) for row in shard]
        tables = [table.filter(pl.col("image_id").is_in(ids)) for table in self.scenes]
        return scene_rows((tables[0], tables[1], tables[2]), ids, self.vectors, _MOST)

    def blank(self) -> Floats:
        """An empty scene has one empty row."""
        return np.zeros((1, self.width), np.float32)


def _scene_tables(benchmark: Benchmark) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Objects with their place as shares of the picture, attributes, relations."""
    if "objects" not in benchmark:
        raise DataError(
            f"{benchmark.folder}: found no scene graphs, expected objects with boxes; import some, or take --view grid"
        )
    size = benchmark.scan("images").select("image_id", "width", "height")
    wide, high = pl.col("width"), pl.col("height")
    # Boxes of people's drawing may reach beyond the picture.
    corners = {"x0": pl.col("x") / wide, "y0": pl.col("y") / high}
    corners |= {"x1": (pl.col("x") + pl.col("w")) / wide, "y1": (pl.col("y") + pl.col("h")) / high}
    placed = [value.fill_null(float(name[1])).clip(0, 1).alias(name) for name, value in corners.items()]
    objects = benchmark.scan("objects").join(size, on="image_id", how="left", maintain_order="left")
    chosen = objects.select("image_id", "object_id", pl.col("name").fill_null(""), *placed).collect()
    attributes = benchmark.scan("attributes").select("image_id", "object_id", "attribute").collect()
    relations = benchmark.scan("relations").select("image_id", "subject_id", "predicate", "object_id").collect()
    return chosen, attributes, relations


def _boxes(benchmark: Benchmark) -> dict[str, Floats]:
    objects = _scene_tables(benchmark)[0]
    kept = objects.with_columns(_number=pl.int_range(pl.len()).over("image_id")).filter(pl.col("_number") < _MOST)
    return {
        str(image_id): rows.select("x0", "y0", "x1", "y1").to_numpy().astype(np.float32)
        for (image_id,), rows in kept.group_by("image_id", maintain_order=True)
    }


def encode_like(store: FeatureStore, picture: Image.Image) -> Floats:
    """The rows of a picture that is in no benchmark, made exactly as those of a store were.

    What the store says of its making decides; scene graphs, boxes and a detector's files cannot be had of a picture.
    """
    made = store.manifest.made
    if made.view in {"vector", "grid"}:
        encoder = load_encoder(made.encoder)
        ways = {_preprocessing(encoder, side, unit=unit): (side, unit) for side in _SIDES for unit in (False, True)}
        if encoder.weights == made.weights and made.preprocessing in ways:
            side, unit = ways[made.preprocessing]
            rows = encoder.encode([picture], side)[0]
            return _unit(rows) if unit else rows
    raise UsageError(
        f"{store.folder}: found features that were made by {made.source}, expected an encoder of whole pictures or of "
        "their cells that is here; ask about a picture of the benchmark instead"
    )


def _preprocessing(encoder: Encoder, side: int, *, unit: bool) -> str:
    """How rows came about, in words; two stores of the same words and weights hold the same numbers."""
    cells = f"{side} x {side} cells, " if side > 1 else ""
    return f"{cells}{encoder.preprocessing}{', length 1' if unit else ''}"


def _unit(rows: Floats) -> Floats:
    scaled: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return scaled


def import_detected(
    source: Path, folder: Path, *, ids: Path | None = None, replace: bool = False, progress: Progress = silent
) -> FeatureStore:
    """A detector's features as a store: bottom-up attention's .tsv or .hdf5 (with ids), or GQA's folder."""
    found = _detected(source, ids)
    first = next(found, None)
    if first is None:
        raise DataError(f"{source}: found no pictures, expected features of some; get the file again")
    state = os.stat(source)  # noqa: PTH116  # one call for size and time
    made = Made(source.name, str(state.st_size), "a detector's", "objects", first.rows.shape[1])
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = StoreDraft(folder, made, inputs=str(state.st_mtime_ns), replace=replace)
    with draft, progress("Importing", 0, "pictures") as advance:
        done = draft.finished()
        for number, shard in enumerate(_shards(first, found)):
            if number not in done:
                ids_of, rows, boxes = (
                    [each.image_id for each in shard],
                    [each.rows for each in shard],
                    [e.boxes for e in shard],
                )
                draft.add(number, ids_of, rows, boxes)
            advance(len(shard))
        draft.finish(np.zeros((1, made.width), np.float32))
    return FeatureStore.open(folder)


def _shards(first: Detected, others: Iterator[Detected]) -> Iterator[list[Detected]]:
    found = chain([first], others)
    while shard := list(islice(found, _SHARD * 16)):
        yield shard


def _detected(source: Path, ids: Path | None) -> Iterator[Detected]:
    if source.is_dir():
        return read_gqa_hdf5(source)
    if source.suffix == ".tsv":
        return read_butd_tsv(source)
    if source.suffix in {".h5", ".hdf5"}:
        if ids is None:
            raise UsageError(
                f"{source}: found no picture ids, expected them beside it; name their JSON file with --ids"
            )
        return read_butd_hdf5(source, ids)
    raise UsageError(
        f"{source}: found {source.suffix or 'no ending'}, expected .tsv, .hdf5 or GQA's folder; name another"
    )


def find_features(benchmark: Benchmark, view: str, named: str | None = None) -> FeatureStore:
    """The store that is named (within the benchmark, or a folder), or the only one with this view."""
    home = benchmark.folder / "features"
    if named is not None:
        inside = home / named
        return FeatureStore.open(inside if inside.is_dir() else Path(named))
    found = [FeatureStore.open(path.parent) for path in sorted(home.glob("*/features.json"))]
    fitting = [store for store in found if store.manifest.made.view == view]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(store.folder.name for store in fitting) or "none"
    do = (
        "say which with --features" if fitting else f"make them with `eyechart encode {benchmark.folder} --view {view}`"
    )
    raise UsageError(f"{benchmark.folder}: found {names} with the view {view}, expected one store of features; {do}")


def encoder_of(name: str, view: str) -> Encoder | WordVectors:
    """An encoder of pictures; for scene graphs, word vectors of a package or a file."""
    if view != "scene":
        return load_encoder(name)
    from eyechart.text import FileVectors, packaged_vectors

    return FileVectors(Path(name)) if Path(name).suffix else packaged_vectors(name)
