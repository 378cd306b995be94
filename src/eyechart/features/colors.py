"""A descriptor that needs no weights: how much of each colour and of each direction of edges there is.

Colours are shares of the 4 x 4 x 4 cube of red, green and blue, by their square roots, so that small things count;
edges are shares of eight directions, weighed by their strength. It tells flat colours apart, not kinds of things.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

__all__ = ["Colors", "NinthsOfColors"]

Floats = npt.NDArray[np.float32]

_LEVELS, _DIRECTIONS = 4, 8
_WHOLE, _CELL = 224, 32


class Colors:
    """Colours and edges of whole pictures or of cells."""

    name = "colors"
    weights = "2"
    width = _LEVELS**3 + _DIRECTIONS + 6

    @property
    def preprocessing(self) -> str:
        """How pictures are brought to one size."""
        return f"{_WHOLE} px, or {_CELL} px per cell, rgb"

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        """Picture, cell, number: side x side cells of each, row by row.

        >>> Colors().encode([Image.new("RGB", (8, 8), "red")], 2).shape
        (1, 4, 78)
        """
        return np.stack([_described(picture, side) for picture in pictures])


class NinthsOfColors:
    """Colours and edges of each cell and of its nine parts: where in a picture a colour is tells places apart."""

    name = "colors-3x3"
    weights = Colors.weights
    width = 10 * Colors.width
    preprocessing = Colors().preprocessing

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        """Picture, cell, number: the cell, then its parts row by row.

        >>> NinthsOfColors().encode([Image.new("RGB", (8, 8), "red")], 2).shape
        (1, 4, 780)
        """
        plain = Colors()
        whole, parts = plain.encode(pictures, side), plain.encode(pictures, 3 * side)
        split = parts.reshape(len(pictures), side, 3, side, 3, Colors.width).transpose(0, 1, 3, 2, 4, 5)
        return np.concatenate([whole, split.reshape(len(pictures), side * side, 9 * Colors.width)], axis=2)


def _described(picture: Image.Image, side: int) -> Floats:
    cells = _WHOLE if side == 1 else _CELL
    resized = picture.resize((side * cells, side * cells), Image.Resampling.BILINEAR)
    pixels = np.asarray(resized.convert("RGB"), dtype=np.float32) / 255
    cell = np.repeat(np.arange(side), cells)
    owner = (cell[:, None] * side + cell[None]).ravel()
    level = np.minimum((pixels * _LEVELS).astype(np.int64), _LEVELS - 1)
    color = (level[..., 0] * _LEVELS + level[..., 1]) * _LEVELS + level[..., 2]
    shares = _shares(owner * _LEVELS**3 + color.ravel(), side * side, _LEVELS**3, None)
    grey = pixels.mean(axis=2)
    down, across = np.gradient(grey)
    turn = np.floor((np.arctan2(down, across) / np.pi % 1.0) * _DIRECTIONS).astype(np.int64) % _DIRECTIONS
    strength = np.hypot(down, across).ravel()
    edges = _shares(owner * _DIRECTIONS + turn.ravel(), side * side, _DIRECTIONS, strength)
    flat = pixels.reshape(-1, 3)
    mean = np.stack([np.bincount(owner, flat[:, channel], side * side) for channel in range(3)], 1) / cells**2
    square = np.stack([np.bincount(owner, flat[:, channel] ** 2, side * side) for channel in range(3)], 1) / cells**2
    spread = np.sqrt(np.maximum(square - mean**2, 0))
    return np.concatenate([np.sqrt(shares), np.sqrt(edges / (1e-3 + 1)), mean, spread], axis=1).astype(np.float32)


def _shares(places: npt.NDArray[np.int64], cells: int, kinds: int, weights: Floats | None) -> npt.NDArray[np.float64]:
    """How much of each kind each cell has, of the cell's pixels."""
    counts = np.bincount(places, weights, cells * kinds).reshape(cells, kinds)
    return counts / (len(places) / cells)
