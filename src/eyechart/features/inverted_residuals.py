"""A stack of inverted residual blocks, as EfficientNet-Lite has them."""

from collections.abc import Mapping, Sequence

from torch import Tensor, nn
from torch.nn import functional

__all__ = ["InvertedResiduals"]


class _Filter(nn.Module):
    """A convolution that pads as TensorFlow does (more at the far side), and a batch normalisation."""

    def __init__(self, width: int, out: int, size: int, *, stride: int = 1, apart: bool = False) -> None:
        super().__init__()
        self.size, self.stride = size, stride
        self.filter = nn.Conv2d(width, out, size, stride, groups=width if apart else 1, bias=False)
        self.norm = nn.BatchNorm2d(out, eps=1e-3)

    def forward(self, picture: Tensor) -> Tensor:
        """Narrower by the stride."""
        spare = [max((-(-n // self.stride) - 1) * self.stride + self.size - n, 0) for n in picture.shape[2:]]
        padded = functional.pad(picture, (spare[1] // 2, -(-spare[1] // 2), spare[0] // 2, -(-spare[0] // 2)))
        found: Tensor = self.norm(self.filter(padded))
        return found


class _Block(nn.Module):
    """Widen, filter each channel, narrow; add what came in where shapes agree."""

    def __init__(self, width: int, out: int, *, size: int, stride: int, widening: int) -> None:
        super().__init__()
        wide = width * widening
        self.widen = _Filter(width, wide, 1) if widening > 1 else None
        self.each = _Filter(wide, wide, size, stride=stride, apart=True)
        self.narrow = _Filter(wide, out, 1)
        self.adds = stride == 1 and width == out

    def forward(self, picture: Tensor) -> Tensor:
        """A picture of features."""
        found = picture if self.widen is None else functional.relu6(self.widen(picture))
        narrowed: Tensor = self.narrow(functional.relu6(self.each(found)))
        return narrowed + picture if self.adds else narrowed


class InvertedResiduals(nn.Module):
    """A stem, the blocks of each stage, and a head."""

    def __init__(self, stages: Sequence[tuple[int, int, int, int, int]], *, stem: int, head: int) -> None:
        super().__init__()
        self.stem = _Filter(3, stem, 3, stride=2)
        blocks, width = [], stem
        for size, stride, widening, out, count in stages:
            for number in range(count):
                blocks.append(_Block(width, out, size=size, stride=stride if not number else 1, widening=widening))
                width = out
        self.blocks = nn.ModuleList(blocks)
        self.head = _Filter(width, head, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """A grid of features per picture, a cell for 32 x 32 pixels."""
        found = functional.relu6(self.stem(pictures))
        for block in self.blocks:
            found = block(found)
        return functional.relu6(self.head(found))

    def take_weights(self, weights: Mapping[str, Tensor]) -> None:
        """Weights in the order in which they are used, whatever their names."""
        own = self.state_dict()
        if [tuple(each.shape) for each in own.values()] != [tuple(each.shape) for each in weights.values()]:
            raise AssertionError("the weights are not those of this network")
        self.load_state_dict(dict(zip(own, weights.values(), strict=True)))
