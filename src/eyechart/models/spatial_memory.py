"""Spatial-memory attention (Xu and Saenko 2016), the "Attention" model of Being Negative but Constructively.

Every word looks at every cell; a cell counts by the word that it fits best. The second hop looks again with what the
first one saw. For multiple choice, which that paper leaves open, the two hops' sum is compared with each choice.
"""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn

from eyechart.models.blocks import ChoiceScore, Dropout, WordTable, attend, masked_softmax, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["SPATIAL_MEMORY", "SpatialMemory", "SpatialMemorySettings"]


class SpatialMemorySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hops, sizes, and what is scored."""

    hops: Literal[1, 2] = 2
    width: int = 512
    answers: Literal["open", "choices"] = "open"
    hidden: int = 1024
    """Of the score of choices."""
    dropout: float = 0.5


class SpatialMemory(nn.Module):
    """One or two hops over the cells of a picture."""

    def __init__(self, settings: SpatialMemorySettings, sizes: Sizes) -> None:
        super().__init__()
        width = settings.width
        self.settings = settings
        self.words = WordTable(sizes.words, width)
        self.summary = nn.Linear(width, width)
        self.keys, self.evidence = nn.Linear(sizes.picture, width), nn.Linear(sizes.picture, width)
        self.again = nn.Linear(sizes.picture, width) if settings.hops > 1 else None
        self.drop = Dropout(settings.dropout)
        self.answer = nn.Linear(width, sizes.answers) if settings.answers == "open" else None
        self.choose = ChoiceScore(width, sizes.meaning, settings.hidden) if settings.answers == "choices" else None

    def forward(self, batch: Batch) -> Reply:
        """Scores, and where the last hop looked."""
        words, rows, present = there(batch.words), there(batch.rows), there(batch.present)
        vectors = self.words(words)  # batch x word x width
        asked = self.summary(vectors.sum(dim=1))
        evidence = self.evidence(rows)
        fits = torch.bmm(vectors, self.keys(rows).transpose(1, 2))  # batch x word x cell
        best = fits.masked_fill((words == 0)[:, :, None], -torch.inf).amax(dim=1)
        weights = masked_softmax(best, present)
        state = attend(weights, evidence) + asked
        if self.again is not None:
            weights = masked_softmax(torch.bmm(evidence, state.to(evidence.dtype)[:, :, None])[:, :, 0], present)
            state = state + attend(weights, self.again(rows))
        return Reply(self._scores(state, batch), weights)

    def _scores(self, state: Tensor, batch: Batch) -> Tensor:
        if self.choose is not None:
            scored: Tensor = self.choose(
                self.drop(torch.relu(state)), there(batch.candidates), batch.choice, batch.owner
            )
            return scored
        if self.answer is None:
            raise AssertionError("a network without choices has answers")
        scores: Tensor = self.answer(self.drop(torch.relu(state)))
        return scores


def _inputs(settings: SpatialMemorySettings) -> Inputs:
    return Inputs("words", "rows", "row", choices=settings.answers == "choices")


SPATIAL_MEMORY = Network(SpatialMemorySettings, _inputs, SpatialMemory)
