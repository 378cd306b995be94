"""GQA's LSTM, CNN and CNN+LSTM (section 4.3): the reader and the classifier of MAC, without reasoning between them."""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from eyechart.models.blocks import Dropout, Sentence, WordTable, attend, masked_softmax, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["GQA_BASELINE", "GqaBaseline", "GqaBaselineSettings"]


class GqaBaselineSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is looked at."""

    question: bool = True
    picture: Literal["none", "grid", "objects"] = "grid"
    width: int = 512
    word: int = 300
    cell: int = 64
    """What is kept of each cell of a grid."""
    dropout: float = 0.15


class GqaBaseline(nn.Module):
    """Question, picture or both; one hidden layer."""

    def __init__(self, settings: GqaBaselineSettings, sizes: Sizes) -> None:
        super().__init__()
        self.settings = settings
        width, joined = settings.width, 0
        if settings.question:
            self.words = WordTable(sizes.words, settings.word)
            self.sentence = Sentence(settings.word, width // 2, both_ways=True)
            joined += width
        if settings.picture == "grid":
            self.side = round(sizes.rows**0.5)
            self.stem = nn.Conv2d(sizes.picture, width, 3, padding=1)
            self.cell = nn.Linear(width, settings.cell)
            joined += settings.cell * sizes.rows
        elif settings.picture == "objects":
            self.weigh = nn.Linear(sizes.picture, 1)
            joined += sizes.picture
        self.drop = Dropout(settings.dropout)
        self.hidden, self.answer = nn.Linear(joined, width), nn.Linear(width, sizes.answers)

    def forward(self, batch: Batch) -> Reply:
        """Scores; objects are pooled by weights that know no question."""
        channels: list[Tensor] = []
        weights = None
        if self.settings.question:
            words = there(batch.words)
            _, last, _ = self.sentence(self.drop(self.words(words)), words)
            channels.append(last.transpose(0, 1).flatten(1))
        if self.settings.picture == "grid":
            channels.append(self._cells(there(batch.rows)))
        elif self.settings.picture == "objects":
            rows = there(batch.rows)
            weights = masked_softmax(self.weigh(rows)[:, :, 0], there(batch.present))
            channels.append(attend(weights, rows))
        hidden = functional.elu(self.hidden(self.drop(torch.cat(channels, dim=1))))
        return Reply(self.answer(self.drop(hidden)), weights)

    def _cells(self, rows: Tensor) -> Tensor:
        grid = rows.transpose(1, 2).reshape(len(rows), -1, self.side, self.side)
        found = functional.elu(self.stem(grid)).flatten(2).transpose(1, 2)
        return functional.elu(self.cell(found)).flatten(1)


def _inputs(settings: GqaBaselineSettings) -> Inputs:
    reads: Literal["words", "none"] = "words" if settings.question else "none"
    return Inputs(reads, "none" if settings.picture == "none" else "rows", "row")


GQA_BASELINE = Network(GqaBaselineSettings, _inputs, GqaBaseline)
