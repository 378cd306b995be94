"""The networks of VQA v1 (section 4): a question, a picture, a caption, each alone or joined, and two hidden layers.

``paper``: words of 300 numbers with tanh, and two hidden layers of 1,000. ``code``: what its public training program
does, words of 200 numbers, dropout before tanh, and no hidden layer. VQA v2 calls the best of them d-LSTM + norm I.
"""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn

from eyechart.models.blocks import Dropout, Sentence, Standard, WordTable, hidden_layers, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["FUSION", "Fusion", "FusionSettings"]


class FusionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is looked at, and how it is joined."""

    question: Literal["none", "bow", "meaning", "lstm", "deeper-lstm"] = "deeper-lstm"
    """Counted words, one vector of the whole question (of words.vectors), or words one by one."""
    picture: Literal["none", "raw", "norm", "standard"] = "norm"
    """As it is, at length 1, or each number with mean 0 and spread 1."""
    caption: bool = False
    join: Literal["product", "concatenation"] = "product"
    variant: Literal["paper", "code"] = "paper"
    hidden: int = 1000
    joined: int = 1024
    state: int = 512
    dropout: float = 0.5


def _inputs(settings: FusionSettings) -> Inputs:
    reads: Literal["none", "words", "bow", "meaning"] = "words"
    if settings.question in {"none", "bow", "meaning"}:
        reads = settings.question
    sees: Literal["none", "vector"] = "none" if settings.picture == "none" else "vector"
    return Inputs(reads, sees, "row" if settings.picture == "norm" else "none", caption=settings.caption)


class Fusion(nn.Module):
    """Channels, joined, then a classifier over the known answers."""

    def __init__(self, settings: FusionSettings, sizes: Sizes) -> None:
        super().__init__()
        self.settings = settings
        self.code = settings.variant == "code"
        self.reads_words = settings.question in {"lstm", "deeper-lstm"}
        # Counted words and captions are joined as they are; a network's question is multiplied with the picture.
        self.multiplies = self.reads_words and settings.picture != "none" and settings.join == "product"
        if self.reads_words:
            layers = 2 if settings.question == "deeper-lstm" else 1
            self.words = WordTable(sizes.words, 200 if self.code else 300, bias=not self.code)
            width = 200 if self.code else 300
            self.sentence = Sentence(width, settings.state, layers=layers, dropout=settings.dropout)
            summary = 2 * layers * settings.state
            self.question = nn.Linear(summary, settings.joined) if layers > 1 or self.code else nn.Identity()
        if self.reads_words and settings.picture != "none":
            self.picture = nn.Linear(sizes.picture, settings.joined)
        self.standard = Standard(sizes.picture) if settings.picture == "standard" else nn.Identity()
        self.drop = Dropout(settings.dropout)
        hidden = [] if self.code else [settings.hidden, settings.hidden]
        self.answer = hidden_layers([self._width(sizes), *hidden, sizes.answers], dropout=settings.dropout)

    def _width(self, sizes: Sizes) -> int:
        settings = self.settings
        if self.reads_words:
            channels = 1 if self.multiplies or settings.picture == "none" else 2
            width = channels * settings.joined
        else:
            width = {"bow": sizes.bag, "meaning": sizes.meaning}.get(settings.question, 0)
            width += sizes.picture if settings.picture != "none" else 0
        return width + (sizes.caption if settings.caption else 0)

    def forward(self, batch: Batch) -> Reply:
        """One score per answer."""
        channels: list[Tensor] = []
        if self.reads_words:
            channels = [self._join(self._read(batch), batch)]
        else:
            channels += [there(batch.bag)] if self.settings.question == "bow" else []
            channels += [there(batch.meaning)] if self.settings.question == "meaning" else []
            channels += [self.standard(batch.vector)] if self.settings.picture != "none" else []
        channels += [there(batch.caption)] if self.settings.caption else []
        joined = torch.cat(channels, dim=1)
        return Reply(self.answer(self.drop(joined) if self.code else joined))

    def _read(self, batch: Batch) -> Tensor:
        words = there(batch.words)
        vectors = self.words(words)
        vectors = torch.tanh(self.drop(vectors)) if self.code else torch.tanh(vectors)
        _, hidden, cell = self.sentence(vectors, words)
        # [c1; h1; c2; h2]: layer by layer.
        summary = torch.stack([cell, hidden], dim=1).flatten(0, 1).transpose(0, 1).flatten(1)
        if isinstance(self.question, nn.Identity):
            return summary
        return torch.tanh(self.question(self.drop(summary) if self.code else summary))

    def _join(self, question: Tensor, batch: Batch) -> Tensor:
        if self.settings.picture == "none":
            return question
        seen = self.standard(batch.vector)
        picture = torch.tanh(self.picture(self.drop(seen) if self.code else seen))
        return question * picture if self.multiplies else torch.cat([question, picture], dim=1)


FUSION = Network(FusionSettings, _inputs, Fusion)
