"""Layers that several models share: words, sentences, softmax over what is there, sketches, gates, and choices."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = [
    "ChoiceScore",
    "CompactBilinear",
    "Dropout",
    "GatedTanh",
    "Sentence",
    "Standard",
    "WordTable",
    "attend",
    "hidden_layers",
    "masked_softmax",
    "signed_root",
    "there",
]


_BYTE, _HAIR = 256, 1e-6


def there(tensor: Tensor | None) -> Tensor:
    """An input that the model's ``Inputs`` promise."""
    if tensor is None:
        raise AssertionError("the network looks at something that its inputs do not name")
    return tensor


def masked_softmax(scores: Tensor, present: Tensor) -> Tensor:
    """Shares over the last place, in 32 bits; exactly 0 for what is not there, and all 0 if nothing is.

    >>> masked_softmax(torch.zeros(1, 3), torch.tensor([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    shares = scores.float().masked_fill(~present, -torch.inf).softmax(dim=-1)
    return shares.nan_to_num(0.0) if not bool(present.any(dim=-1).all()) else shares


def attend(weights: Tensor, rows: Tensor) -> Tensor:
    """The weighted sum of rows: batch x row, batch x row x number."""
    return torch.bmm(weights.to(rows.dtype)[:, None], rows)[:, 0]


class Dropout(nn.Module):
    """Dropout whose draws are bytes: drawing a number per place takes longer than the layers that it stands between.

    The rate is rounded to 1/256.

    >>> kept = Dropout(0.5)(torch.ones(10_000))
    >>> sorted(set(kept.tolist())), 0.9 < kept.mean().item() < 1.1
    ([0.0, 2.0], True)
    """

    def __init__(self, rate: float = 0.5) -> None:
        super().__init__()
        self.rate = rate
        self._dropped = round(rate * _BYTE)

    def forward(self, values: Tensor) -> Tensor:
        """Some values are 0, the others larger by as much."""
        return values * self.mask(values) if self.training and self._dropped else values

    def mask(self, values: Tensor) -> Tensor:
        """What to multiply values of this shape with."""
        if not self.training:
            return torch.ones_like(values)
        words = torch.empty(-(-values.numel() // 8), dtype=torch.int64, device=values.device)
        drawn = words.random_(-(1 << 63), None).view(torch.uint8)[: values.numel()].view(values.shape)
        # With a rate of 1 nothing is kept.
        return (drawn >= self._dropped).to(values.dtype).mul_(_BYTE / max(1, _BYTE - self._dropped))


class Standard(nn.Module):
    """Numbers with mean 0 and spread 1, as those had that it saw in training; what never changes stays near 0.

    >>> standard = Standard(1)
    >>> _ = standard(torch.tensor([[1.0], [3.0]]))
    >>> standard.eval()(torch.tensor([[3.0]])).round(decimals=2).tolist()
    [[1.0]]
    """

    seen: Tensor
    mean: Tensor
    square: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("seen", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("square", torch.zeros(width))

    def forward(self, values: Tensor) -> Tensor:
        """Batch x number."""
        if self.training:
            self.seen += len(values)
            share = len(values) / self.seen
            self.mean.lerp_(values.mean(dim=0), share)
            self.square.lerp_(values.square().mean(dim=0), share)
        spread = (self.square - self.mean.square()).clamp(min=_HAIR).sqrt()
        return (values - self.mean) / spread


class WordTable(nn.Module):
    """A vector per word; padding has none, and is zero.

    >>> WordTable(words=4, width=2)(torch.tensor([[2, 0]]))[0, 1].tolist()
    [0.0, 0.0]
    """

    def __init__(self, words: int, width: int, *, bias: bool = False, reach: float = 0.08) -> None:
        super().__init__()
        # Padding, number 0, needs no row.
        self.table = nn.Embedding(max(words - 1, 1), width)
        nn.init.uniform_(self.table.weight, -reach, reach)
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, words: Tensor) -> Tensor:
        """Batch x place x number."""
        found: Tensor = self.table((words - 1).clamp(min=0))
        if self.bias is not None:
            found = found + self.bias
        return found.masked_fill((words == 0)[:, :, None], 0.0)


class Sentence(nn.Module):
    """An LSTM that stops at each text's end; gives all its states, and the last state and cell of every layer."""

    def __init__(
        self, width: int, hidden: int, *, layers: int = 1, both_ways: bool = False, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.lstm = nn.LSTM(
            width, hidden, layers, batch_first=True, bidirectional=both_ways, dropout=dropout if layers > 1 else 0.0
        )

    def forward(self, vectors: Tensor, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """States (batch x place x hidden), last hidden states and last cells (layer and direction x batch x hidden)."""
        lengths = (words > 0).sum(dim=1).clamp(min=1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        states, (hidden, cell) = self.lstm(packed)
        unpacked, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=words.shape[1])
        return unpacked, hidden, cell


def hidden_layers(sizes: Sequence[int], *, dropout: float = 0.5) -> nn.Sequential:
    """Affine, tanh, dropout for each hidden layer, and an affine map at the end.

    >>> len(hidden_layers([4, 3, 2]))
    4
    """
    parts: list[nn.Module] = []
    for width, wider in pairwise(sizes[:-1]):
        parts += [nn.Linear(width, wider), nn.Tanh(), Dropout(dropout)]
    return nn.Sequential(*parts, nn.Linear(sizes[-2], sizes[-1]))


class GatedTanh(nn.Module):
    """tanh(W x + b) times a gate of the same size."""

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.value, self.gate = nn.Linear(width, out), nn.Linear(width, out)

    def forward(self, given: Tensor) -> Tensor:
        """Of any shape, along the last place."""
        return torch.tanh(self.value(given)) * torch.sigmoid(self.gate(given))


def signed_root(values: Tensor) -> Tensor:
    """The square root with the sign kept; a hair is added, or its slope at 0 would be endless.

    >>> signed_root(torch.tensor([4.0, -9.0])).round().tolist()
    [2.0, -3.0]
    """
    return values.sign() * (values.abs() + 1e-10).sqrt()


class CompactBilinear(nn.Module):
    """Compact bilinear pooling: the sketch of the outer product of two vectors, by their sketches' spectra."""

    h_one: Tensor
    s_one: Tensor
    h_other: Tensor
    s_other: Tensor

    def __init__(self, one: int, other: int, size: int) -> None:
        super().__init__()
        self.size = size
        for name, width in (("one", one), ("other", other)):
            # Drawn once and saved with the weights, never trained.
            self.register_buffer(f"h_{name}", torch.randint(0, size, (width,)))
            self.register_buffer(f"s_{name}", torch.randint(0, 2, (width,)).float() * 2 - 1)

    def sketch(self, vectors: Tensor, h: Tensor, s: Tensor) -> Tensor:
        """Every number, with its drawn sign, added to its drawn place."""
        sketched = torch.zeros(*vectors.shape[:-1], self.size, dtype=torch.float32, device=vectors.device)
        return sketched.index_add_(-1, h, vectors.float() * s)

    def forward(self, one: Tensor, other: Tensor) -> Tensor:
        """Circular convolution of both sketches; shapes may broadcast. Spectra are of 32 bits."""
        with torch.autocast(one.device.type, enabled=False):
            spectra = (
                torch.fft.rfft(self.sketch(one, self.h_one, self.s_one)),
                torch.fft.rfft(self.sketch(other, self.h_other, self.s_other)),
            )
            joined: Tensor = torch.fft.irfft(spectra[0] * spectra[1], n=self.size)
            return joined

    def normalized(self, one: Tensor, other: Tensor) -> Tensor:
        """With the signed root and length 1, as it is used."""
        return functional.normalize(signed_root(self(one, other)), dim=-1)


class ChoiceScore(nn.Module):
    """One score per offered choice from what was seen and the choice: [z; p; z o p], one hidden layer."""

    def __init__(self, width: int, meaning: int, hidden: int) -> None:
        super().__init__()
        self.project = nn.Linear(meaning, width)
        self.seen, self.offered, self.product = (nn.Linear(width, hidden, bias=number == 0) for number in range(3))
        self.score = nn.Linear(hidden, 1)

    def forward(self, seen: Tensor, candidates: Tensor, choice: Tensor, owner: Tensor) -> Tensor:
        """Whatever depends on the question alone, or on the choice alone, is computed once."""
        offered = torch.tanh(self.project(candidates))
        mixed = self.product(seen[owner] * offered[choice])
        hidden = torch.relu(self.seen(seen)[owner] + self.offered(offered)[choice] + mixed)
        scores: Tensor = self.score(hidden)[:, 0]
        return scores
