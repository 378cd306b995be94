"""Features that a detector left in files: bottom-up attention's TSV and HDF5, and GQA's HDF5 in several files."""

import base64
import csv
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eyechart.errors import DataError, FormatError, MissingDependencyError

__all__ = ["Detected", "read_butd_hdf5", "read_butd_tsv", "read_gqa_hdf5"]

Floats = npt.NDArray[np.float32]
_TSV = ("image_id", "image_w", "image_h", "num_boxes", "boxes", "features")


@dataclass(frozen=True)
class Detected:
    """What a detector found in one picture."""

    image_id: str
    rows: Floats
    boxes: Floats
    """x0, y0, x1, y1 from 0 to 1."""


def read_butd_tsv(path: Path) -> Iterator[Detected]:
    r"""Bottom-up attention's lines: id, width, height, number of boxes, boxes and features in base 64.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "tiny.tsv"
    >>> boxes, rows = (base64.b64encode(np.array(each, "<f4").tobytes()).decode() for each in ([0, 0, 5, 5], [1, 2]))
    >>> _ = path.write_text(f"17\t10\t10\t1\t{boxes}\t{rows}\n")
    >>> [(each.image_id, each.boxes.tolist(), each.rows.tolist()) for each in read_butd_tsv(path)]
    [('17', [[0.0, 0.0, 0.5, 0.5]], [[1.0, 2.0]])]
    """
    csv.field_size_limit(sys.maxsize)
    with path.open(newline="", encoding="ascii") as file:
        for number, line in enumerate(csv.DictReader(file, _TSV, delimiter="\t"), 1):
            try:
                count = int(line["num_boxes"])
                wide, high = float(line["image_w"]), float(line["image_h"])
                boxes, rows = (_decoded(line[name], count) for name in ("boxes", "features"))
            except (ValueError, TypeError, KeyError) as error:
                raise FormatError(
                    f"{path}, line {number}: {error}, expected {', '.join(_TSV)} with tabs between; get the file again"
                ) from error
            yield Detected(
                line["image_id"],
                rows,
                np.divide(boxes, np.array([wide, high, wide, high], np.float32), dtype=np.float32),
            )


def _decoded(text: str, count: int) -> Floats:
    found = np.frombuffer(base64.b64decode(text), "<f4").reshape(count, -1)
    return found.astype(np.float32)


def read_butd_hdf5(path: Path, ids: Mapping[str, int] | Path) -> Iterator[Detected]:
    """Bottom-up attention's HDF5 with a fixed or an adaptive number of rows; ids tell each picture's number.

    Fixed files hold ``image_features`` and ``spatial_features`` by picture; adaptive ones all rows under each other,
    and ``pos_boxes`` with where each picture's begin and end.

    >>> import h5py, tempfile; path = Path(tempfile.mkdtemp()) / "tiny.hdf5"
    >>> with h5py.File(path, "w") as file:
    ...     file["image_features"], file["spatial_features"] = np.ones((1, 2, 3)), np.zeros((1, 2, 6))
    >>> [each.rows.shape for each in read_butd_hdf5(path, {"17": 0})]
    [(2, 3)]
    """
    numbers = _numbers(ids)
    with _hdf5(path) as file:
        features, spatial = _member(file, path, "image_features"), _member(file, path, "spatial_features")
        bounds = file.get("pos_boxes")
        for image_id, number in sorted(numbers.items(), key=lambda pair: pair[1]):
            rows = slice(*bounds[number]) if bounds is not None else number
            yield Detected(image_id, features[rows].astype(np.float32), spatial[rows][:, :4].astype(np.float32))


def read_gqa_hdf5(folder: Path, kind: str = "objects") -> Iterator[Detected]:
    """GQA's features: ``gqa_objects_info.json`` tells each picture's file and number, ``gqa_objects_0.h5`` and so on.

    Boxes are scaled by the picture's size. Spatial files have a grid and no boxes.

    >>> import h5py, tempfile; folder = Path(tempfile.mkdtemp())
    >>> told = {"17": {"file": 0, "idx": 0, "objectsNum": 1, "width": 10, "height": 10}}
    >>> _ = (folder / "gqa_objects_info.json").write_text(json.dumps(told))
    >>> with h5py.File(folder / "gqa_objects_0.h5", "w") as file:
    ...     file["features"], file["bboxes"] = np.ones((1, 2, 3)), np.full((1, 2, 4), 5.0)
    >>> [(each.rows.shape, each.boxes.tolist()) for each in read_gqa_hdf5(folder)]
    [((1, 3), [[0.5, 0.5, 0.5, 0.5]])]
    """
    notes = folder / f"gqa_{kind}_info.json"
    if not notes.is_file():
        raise DataError(f"{folder}: found no {notes.name}, expected GQA's features; unpack them there")
    listed: dict[str, dict[str, Any]] = json.loads(notes.read_bytes())
    by_file: dict[int, list[tuple[str, dict[str, Any]]]] = {}
    for image_id, told in listed.items():
        by_file.setdefault(int(told["file"]), []).append((image_id, told))
    for number, pictures in sorted(by_file.items()):
        path = folder / f"gqa_{kind}_{number}.h5"
        with _hdf5(path) as file:
            features = _member(file, path, "features")
            bounds = file.get("bboxes")
            for image_id, told in sorted(pictures, key=lambda pair: pair[1]["idx" if "idx" in pair[1] else "index"]):
                yield _gqa(image_id, told, features, bounds)


def _gqa(image_id: str, told: Mapping[str, Any], features: Any, bounds: Any) -> Detected:  # datasets of h5py
    # The published notes say "index"; some copies "idx".
    place = int(told["idx"] if "idx" in told else told["index"])
    found = features[place].astype(np.float32)
    if bounds is None:
        return Detected(image_id, found.reshape(found.shape[0], -1).T, np.zeros((found[0].size, 4), np.float32))
    count = int(told["objectsNum"])
    size = np.array([told["width"], told["height"]] * 2, np.float32)
    return Detected(image_id, found[:count], bounds[place][:count].astype(np.float32) / size)


def _numbers(ids: Mapping[str, int] | Path) -> Mapping[str, int]:
    """Picture to number: as a JSON object, or as a JSON list in order."""
    if not isinstance(ids, Path):
        return ids
    found = json.loads(ids.read_bytes())
    return {str(each): number for number, each in enumerate(found)} if isinstance(found, list) else found


def _hdf5(path: Path) -> Any:  # a file of h5py, which has no types
    try:
        import h5py
    except ImportError:
        raise MissingDependencyError(
            f"{path}: found no package h5py, expected it; install it with pip install 'eyechart[features]'"
        ) from None
    if not path.is_file():
        raise DataError(f"{path}: found no such file, expected a detector's features; check the path")
    return h5py.File(path)


def _member(file: Any, path: Path, name: str) -> Any:  # datasets of h5py
    if name not in file:
        raise FormatError(f"{path}: found {', '.join(file)}, expected {name} among them; name another file")
    return file[name]
