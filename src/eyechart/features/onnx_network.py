"""A network of the user's in an ONNX file: a picture in, a vector or a grid of features out."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import DataError, MissingDependencyError

__all__ = ["OnnxNetwork"]

Floats = npt.NDArray[np.float32]
_MEAN, _SPREAD = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)
_SIDE, _CELLS = 224, 7


class OnnxNetwork:
    """The first output of a file; pictures are brought to its input's size, and to ImageNet's mean and spread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem
        self.weights = sha256_of_file(path)[:12]

    @cached_property
    def _session(self) -> Any:  # the package says nothing of its types
        try:
            import onnxruntime
        except ImportError:
            raise MissingDependencyError(
                f"encoder {self.path}: found no package onnxruntime, expected it; "
                "install it with pip install 'eyechart[features]'"
            ) from None
        return onnxruntime.InferenceSession(self.path, providers=onnxruntime.get_available_providers())

    @cached_property
    def _pixels(self) -> int | None:
        side = self._session.get_inputs()[0].shape[-1]
        return side if isinstance(side, int) else None

    @property
    def preprocessing(self) -> str:
        """How pictures are brought to the network."""
        return f"{self._pixels or _SIDE} px, ImageNet mean and spread"

    @cached_property
    def width(self) -> int:
        """How many numbers a row has, by trying."""
        return int(self.encode([Image.new("RGB", (_SIDE, _SIDE))], 1).shape[2])

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        """Picture, cell, number; a grid of the network's own size is averaged to the wanted one."""
        pixels = self._pixels or (_SIDE if side == 1 else _SIDE * side // _CELLS)
        given = np.stack([np.asarray(each.convert("RGB").resize((pixels, pixels)), np.float32) for each in pictures])
        scaled = ((given / 255 - _MEAN) / _SPREAD).transpose(0, 3, 1, 2)
        name = self._session.get_inputs()[0].name
        return as_cells(self._session.run(None, {name: scaled})[0], side, str(self.path))


def as_cells(found: npt.NDArray[Any], side: int, source: str) -> Floats:
    """Features of whole pictures, of grids or of rows of cells, brought to side x side cells.

    >>> as_cells(np.ones((1, 5, 4, 4)), 2, "it").shape
    (1, 4, 5)
    """
    if found.ndim == 2:  # noqa: PLR2004  # picture, number
        found = found[:, :, None, None]
    if found.ndim != 4:  # noqa: PLR2004  # picture, number, row, column
        raise DataError(
            f"{source}: found an output of shape {found.shape}, expected a vector or a grid; export the encoder"
        )
    count, width, high, wide = found.shape
    if high % side or wide % side:
        raise DataError(
            f"{source}: found a grid of {high} x {wide}, expected one that {side} x {side} cells divide; "
            "take another view"
        )
    cells = found.reshape(count, width, side, high // side, side, wide // side).mean(axis=(3, 5))
    return np.ascontiguousarray(cells.reshape(count, width, side * side).transpose(0, 2, 1), dtype=np.float32)
