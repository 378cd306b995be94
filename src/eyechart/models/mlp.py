"""MLP-A, -IA, -QA, -IQA (Being Negative but Constructively, section 5.1; Jabri et al. 2016): is this choice right?

One hidden layer over any of picture, question and choice, one logistic loss per choice. ``paper`` is that; ``code``,
after a public re-implementation, takes every input at length 1, and normalises the hidden layer over the batch.
"""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from eyechart.models.blocks import Dropout, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["MLP", "ChoiceMlp", "MlpSettings"]


class MlpSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is looked at beside the choice."""

    question: bool = True
    picture: bool = True
    variant: Literal["paper", "code"] = "paper"
    hidden: int = 8192
    dropout: float = 0.5


class ChoiceMlp(nn.Module):
    """Scores of choices. What depends on picture and question is computed once, and so is each distinct choice."""

    def __init__(self, settings: MlpSettings, sizes: Sizes) -> None:
        super().__init__()
        self.settings = settings
        self.code = settings.variant == "code"
        self.choice = nn.Linear(sizes.meaning, settings.hidden)
        self.question = nn.Linear(sizes.meaning, settings.hidden, bias=False) if settings.question else None
        self.picture = nn.Linear(sizes.picture, settings.hidden, bias=False) if settings.picture else None
        self.norm = nn.BatchNorm1d(settings.hidden) if self.code else nn.Identity()
        self.drop = Dropout(settings.dropout if self.code else 0.0)
        self.score = nn.Linear(settings.hidden, 1)
        self._begin()

    def _begin(self) -> None:
        """First weights as of one layer over all inputs, of which these are the columns."""
        parts = [part for part in (self.choice, self.question, self.picture) if part is not None]
        width = sum(part.in_features for part in parts)
        for part in parts:
            reach = (6 / (width + self.settings.hidden)) ** 0.5
            nn.init.uniform_(part.weight, -reach, reach)
        nn.init.zeros_(self.choice.bias)

    def forward(self, batch: Batch) -> Reply:
        """One score per offered choice."""
        hidden = self.choice(self._scaled(there(batch.candidates)))[batch.choice]
        if self.question is not None:
            hidden = hidden + self.question(self._scaled(there(batch.meaning)))[batch.owner]
        if self.picture is not None:
            hidden = hidden + self.picture(self._scaled(batch.vector))[batch.owner]
        scores: Tensor = self.score(self.drop(torch.relu(self.norm(hidden))))
        return Reply(scores[:, 0])

    def _scaled(self, vectors: Tensor) -> Tensor:
        return functional.normalize(vectors, dim=1) if self.code else vectors


def _inputs(settings: MlpSettings) -> Inputs:
    return Inputs("meaning" if settings.question else "none", "vector" if settings.picture else "none", choices=True)


MLP = Network(MlpSettings, _inputs, ChoiceMlp)
