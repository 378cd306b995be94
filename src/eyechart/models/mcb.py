"""Multimodal compact bilinear pooling (Fukui et al. 2016), with and without attention; a model of VQA v2, section 4.

The outer product of question and picture is kept as a sketch. The paper's 16,000 numbers take a second per example on a
processor when every cell of a grid is sketched, so that 4,096 is what is set here.
"""

import msgspec
import torch
from torch import Tensor, nn

from eyechart.models.blocks import CompactBilinear, Dropout, Sentence, WordTable, masked_softmax, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["MCB", "McbSettings", "MultimodalCompactBilinear"]


class McbSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes, and whether there is attention."""

    attention: bool = True
    size: int = 4096
    glimpses: int = 2
    word: int = 300
    state: int = 1024
    hidden: int = 512
    """Of the attention."""


class MultimodalCompactBilinear(nn.Module):
    """Two LSTM layers, glimpses by sketched products, an answer by another one."""

    def __init__(self, settings: McbSettings, sizes: Sizes) -> None:
        super().__init__()
        self.settings = settings
        asked = 2 * settings.state
        self.words = WordTable(sizes.words, settings.word)
        self.first, self.second = Sentence(settings.word, settings.state), Sentence(settings.state, settings.state)
        self.drop = Dropout(0.3)
        self.drop_joint = Dropout(0.1)
        seen = sizes.picture
        if settings.attention:
            self.look = CompactBilinear(asked, sizes.picture, settings.size)
            self.weigh = nn.Sequential(
                nn.Linear(settings.size, settings.hidden), nn.ReLU(), nn.Linear(settings.hidden, settings.glimpses)
            )
            seen *= settings.glimpses
        self.join = CompactBilinear(asked, seen, settings.size)
        self.answer = nn.Linear(settings.size, sizes.answers)

    def forward(self, batch: Batch) -> Reply:
        """Scores, and the mean of the glimpses' weights."""
        question = self._read(there(batch.words))
        if not self.settings.attention:
            return Reply(self.answer(self.drop_joint(self.join.normalized(question, batch.vector))))
        rows = there(batch.rows)
        # The question is sketched once, and meets every cell.
        fits = self.weigh(self.drop_joint(self.look.normalized(question[:, None], rows)))  # batch x row x glimpse
        weights = masked_softmax(fits.transpose(1, 2), there(batch.present)[:, None])
        seen = torch.bmm(weights.to(rows.dtype), rows).flatten(1)
        return Reply(self.answer(self.drop_joint(self.join.normalized(question, seen))), weights.mean(dim=1))

    def _read(self, words: Tensor) -> Tensor:
        states, first, _ = self.first(torch.tanh(self.words(words)), words)
        _, second, _ = self.second(self.drop(states), words)
        read: Tensor = self.drop(torch.cat([first[0], second[0]], dim=1))
        return read


def _inputs(settings: McbSettings) -> Inputs:
    if settings.attention:
        return Inputs("words", "rows", "whole")
    return Inputs("words", "vector", "row")


MCB = Network(McbSettings, _inputs, MultimodalCompactBilinear)
