"""Encoders of other packages by name: ``timm:resnet50``, ``open_clip:ViT-B-32/openai``, ``transformers:PATH``.

They are used where they are installed, and fetch or find their weights in their own ways.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from eyechart.errors import MissingDependencyError, UnknownNameError
from eyechart.features.onnx_network import as_cells
from eyechart.registry import did_you_mean

__all__ = ["PACKAGES", "NamedNetwork"]

Floats = npt.NDArray[np.float32]
Prepared = tuple[Any, Callable[[Image.Image], Any]]  # a module and what brings a picture to it, of any package


class NamedNetwork:
    """A network of a package, with the package's own preparation of pictures."""

    def __init__(self, package: str, model: str) -> None:
        if package not in PACKAGES:
            raise UnknownNameError(f"no encoder package is called {package!r}: {did_you_mean(package, PACKAGES)}")
        self.package, self.model = package, model
        self.name = f"{package}:{model}"

    @cached_property
    def _prepared(self) -> Prepared:
        try:
            return PACKAGES[self.package](self.model)
        except ImportError as error:
            raise MissingDependencyError(
                f"encoder {self.name!r}: found no package {error.name}, expected it; "
                f"install it with pip install {self.package}"
            ) from error

    @cached_property
    def weights(self) -> str:
        """A hash of the weights."""
        digest = hashlib.sha256()
        for name, tensor in self._prepared[0].state_dict().items():
            digest.update(f"{name} {tuple(tensor.shape)}".encode())
            digest.update(tensor.detach().float().numpy().tobytes())
        return digest.hexdigest()[:12]

    @property
    def preprocessing(self) -> str:
        """The package's own."""
        return f"as {self.package} prepares it"

    @cached_property
    def width(self) -> int:
        """How many numbers a row has, by trying."""
        return int(self.encode([Image.new("RGB", (64, 64))], 1).shape[2])

    def encode(self, pictures: Sequence[Image.Image], side: int) -> Floats:
        """Picture, cell, number."""
        import torch

        network, prepare = self._prepared
        with torch.inference_mode():
            found = network(torch.stack([prepare(each.convert("RGB")) for each in pictures]))
        return as_cells(found.float().numpy(), side, self.name)


def _timm(model: str) -> Prepared:
    import timm
    from torch import nn

    network = timm.create_model(model, pretrained=True, num_classes=0).eval()
    settings = timm.data.resolve_model_data_config(network)
    prepare = timm.data.create_transform(**settings, is_training=False)

    class Grid(nn.Module):
        """Features before pooling."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, pictures: Any) -> Any:  # tensors
            return _as_grid(self.network.forward_features(pictures), getattr(self.network, "num_prefix_tokens", 0))

    return Grid(), prepare


def _open_clip(model: str) -> Prepared:
    import open_clip
    from torch import nn

    name, _, weights = model.partition("/")
    network, _, prepare = open_clip.create_model_and_transforms(name, pretrained=weights or None)

    class Tower(nn.Module):
        """The picture's side of the pair."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network.eval()

        def forward(self, pictures: Any) -> Any:  # tensors
            return self.network.encode_image(pictures)

    return Tower(), prepare


def _transformers(model: str) -> Prepared:
    from torch import nn
    from transformers import AutoImageProcessor, AutoModel

    network, processor = AutoModel.from_pretrained(model).eval(), AutoImageProcessor.from_pretrained(model)

    class Hidden(nn.Module):
        """The last hidden states."""

        def __init__(self) -> None:
            super().__init__()
            self.network = getattr(network, "vision_model", network)

        def forward(self, pictures: Any) -> Any:  # tensors
            return _as_grid(self.network(pixel_values=pictures).last_hidden_state, 1)

    return Hidden(), lambda picture: processor(picture, return_tensors="pt")["pixel_values"][0]


def _as_grid(found: Any, prefix: int) -> Any:  # tensors
    """Tokens as a square of cells; grids as they are."""
    if found.ndim == 4:  # noqa: PLR2004  # picture, number, row, column
        return found
    cells = found[:, prefix:].transpose(1, 2)
    side = int(cells.shape[2] ** 0.5)
    return cells.reshape(len(cells), -1, side, side)


PACKAGES: dict[str, Callable[[str], Prepared]] = {"open_clip": _open_clip, "timm": _timm, "transformers": _transformers}
"""How a network of each package is made."""
