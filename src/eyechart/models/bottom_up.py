"""Bottom-up attention (Anderson et al. 2018; Teney et al. 2018), the "BottomUp" of GQA: look at objects, not cells.

``paper`` uses gated tanh layers of 512 and joins question and object before scoring it; ``code``, the widely used
re-implementation, uses ReLU layers of 1,024 with normalised weights and multiplies them.
"""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

from eyechart.models.blocks import Dropout, GatedTanh, WordTable, attend, masked_softmax, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["BOTTOM_UP", "BottomUp", "BottomUpSettings"]


class BottomUpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Variant and sizes; the width follows the variant if it is not said."""

    variant: Literal["paper", "code"] = "code"
    width: int | None = None
    word: int = 300
    place: bool = False
    """Whether objects say where they lie."""


class BottomUp(nn.Module):
    """A gated recurrent question, one look at the objects, a product, a classifier."""

    def __init__(self, settings: BottomUpSettings, sizes: Sizes) -> None:
        super().__init__()
        self.code = settings.variant == "code"
        width = settings.width or (1024 if self.code else 512)
        self.words = WordTable(sizes.words, settings.word)
        self.read = nn.GRU(settings.word, width, batch_first=True)
        self.look_rows: nn.Module
        if self.code:
            self.look_rows, self.look_question = _normed(sizes.picture, width), _normed(width, width)
            self.weigh: nn.Module = nn.Sequential(Dropout(0.2), weight_norm(nn.Linear(width, 1), dim=-1))
            self.question: nn.Module = _normed(width, width)
            self.picture: nn.Module = _normed(sizes.picture, width)
            self.answer = nn.Sequential(
                _normed(width, 2 * width), Dropout(0.5), weight_norm(nn.Linear(2 * width, sizes.answers), dim=-1)
            )
        else:
            self.look_rows = GatedTanh(sizes.picture + width, width)
            self.weigh = nn.Linear(width, 1)
            self.question, self.picture = GatedTanh(width, width), GatedTanh(sizes.picture, width)
            self.answer = nn.Sequential(GatedTanh(width, width), nn.Linear(width, sizes.answers))

    def forward(self, batch: Batch) -> Reply:
        """Scores, and the objects' weights."""
        words, rows = there(batch.words), there(batch.rows)
        question = self._read(words)
        weights = masked_softmax(self._fits(question, rows), there(batch.present))
        seen = attend(weights, rows)
        return Reply(self.answer(self.question(question) * self.picture(seen)), weights)

    def _read(self, words: Tensor) -> Tensor:
        lengths = (words > 0).sum(dim=1).clamp(min=1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(self.words(words), lengths, batch_first=True, enforce_sorted=False)
        _, last = self.read(packed)
        state: Tensor = last[0]
        return state

    def _fits(self, question: Tensor, rows: Tensor) -> Tensor:
        if self.code:
            joint = self.look_rows(rows) * self.look_question(question)[:, None]
        else:
            joint = self.look_rows(torch.cat([rows, question[:, None].expand(-1, rows.shape[1], -1)], dim=2))
        fits: Tensor = self.weigh(joint)[:, :, 0]
        return fits


def _normed(width: int, out: int) -> nn.Sequential:
    """An affine map whose weights have one length and one direction (-1: of all weights together), and a ReLU."""
    return nn.Sequential(weight_norm(nn.Linear(width, out), dim=-1), nn.ReLU())


def _inputs(settings: BottomUpSettings) -> Inputs:
    return Inputs("words", "rows", place=settings.place)


BOTTOM_UP = Network(BottomUpSettings, _inputs, BottomUp)
