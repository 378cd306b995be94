"""Encoders of pictures by name, file, or package, and the views they give: a vector, a grid, or a row per object."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from PIL import Image

from eyechart.errors import DataError
from eyechart.registry import Registry

__all__ = ["ENCODERS", "Encoder", "encode_boxes", "load_encoder", "open_picture"]

Floats = npt.NDArray[np.float32]


@runtime_checkable
class Encoder(Protocol):
    """Anything that turns pictures into rows of numbers."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def weights(self) -> str:
        """A hash of its weights."""

    @property
    def preprocessing(self) -> str:
        """How pictures are brought to it."""

    @property
    def width(self) -> int:
        """How many numbers a row has."""

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        """Picture, cell, number, for side x side cells; 1 for the whole picture."""


ENCODERS: Registry[type[Encoder]] = Registry(
    "encoder",
    {
        "colors": "eyechart.features.colors:Colors",
        "colors-3x3": "eyechart.features.colors:NinthsOfColors",
        "efficientnet-lite0": "eyechart.features.efficientnet:EfficientNetLite0",
    },
)
"""Encoders that work offline."""


def load_encoder(name: str) -> Encoder:
    """An encoder by name (colors), ONNX file (net.onnx) or package (timm:resnet50); a plus joins what several see.

    >>> load_encoder("colors").width, load_encoder("colors+colors-3x3").width
    (78, 858)
    """
    if "+" in name:
        return _Joined([load_encoder(part) for part in name.split("+")])
    if name.endswith(".onnx"):
        from eyechart.features.onnx_network import OnnxNetwork

        return OnnxNetwork(Path(name))
    package, separator, model = name.partition(":")
    if separator:
        from eyechart.features.named_networks import NamedNetwork

        return NamedNetwork(package, model)
    return ENCODERS.load(name)()


@dataclass(frozen=True)
class _Joined:
    """What several encoders see, side by side."""

    parts: Sequence[Encoder]

    @property
    def name(self) -> str:
        return "+".join(part.name for part in self.parts)

    @property
    def weights(self) -> str:
        return "+".join(part.weights for part in self.parts)

    @property
    def preprocessing(self) -> str:
        return "; ".join(part.preprocessing for part in self.parts)

    @property
    def width(self) -> int:
        return sum(part.width for part in self.parts)

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        return np.concatenate([part.encode(pictures, side) for part in self.parts], axis=2)


def open_picture(path: Path) -> Image.Image:
    """A picture in memory, upright and in colour.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "a.png"
    >>> Image.new("L", (4, 3)).save(path)
    >>> opened = open_picture(path)
    >>> opened.mode, opened.size
    ('RGB', (4, 3))
    """
    from PIL import ImageOps

    try:
        with Image.open(path) as opened:
            return ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, SyntaxError) as error:
        raise DataError(
            f"{path}: found no picture that can be read ({error}), expected one; draw or fetch it"
        ) from error


def encode_boxes(encoder: Encoder, picture: Image.Image, boxes: npt.NDArray[np.float32], side: int = 1) -> Floats:
    """A row per box (x0, y0, x1, y1 from 0 to 1): each is cut out and encoded as the mean of side x side cells.

    >>> halves = np.array([[0, 0, 0.5, 1], [0.5, 0, 1, 1]], np.float32)
    >>> encode_boxes(load_encoder("colors"), Image.new("RGB", (8, 8)), halves).shape
    (2, 78)
    """
    wide, high = picture.size
    cuts = []
    for x0, y0, x1, y1 in boxes.tolist():
        left, upper = min(int(x0 * wide), wide - 1), min(int(y0 * high), high - 1)
        right, lower = max(round(x1 * wide), left + 1), max(round(y1 * high), upper + 1)
        cuts.append(picture.crop((left, upper, right, lower)))
    return encoder.encode(cuts, side).mean(axis=1) if cuts else np.zeros((0, encoder.width), np.float32)
