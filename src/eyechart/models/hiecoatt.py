"""Hierarchical co-attention (Lu et al. 2016): words, phrases and the question, each looked at with the picture.

``parallel`` attends to both at once through their affinity, ``alternating`` to one after the other. The public program
has two LSTM layers where the paper draws one (``variant``).
"""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn

from eyechart.models.blocks import Dropout, Sentence, WordTable, attend, masked_softmax, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["HIECOATT", "Alternating", "HieCoAtt", "HieCoAttSettings", "Parallel"]


class HieCoAttSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which attention, and sizes."""

    attention: Literal["parallel", "alternating"] = "alternating"
    variant: Literal["paper", "code"] = "paper"
    width: int = 512
    last: int = 1024
    answers: Literal["open", "choices"] = "open"
    dropout: float = 0.5


class Parallel(nn.Module):
    """Question and picture attend to each other at once."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.affinity = nn.Linear(width, width, bias=False)
        self.picture, self.question = nn.Linear(width, width), nn.Linear(width, width)
        self.score_picture, self.score_question = nn.Linear(width, 1), nn.Linear(width, 1)
        self.drop = Dropout(dropout)

    def forward(self, question: Tensor, words: Tensor, rows: Tensor, present: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The attended question, the attended picture, and the picture's weights."""
        fits = torch.tanh(torch.bmm(self.affinity(question), rows.transpose(1, 2)))  # batch x word x row
        # What is not there may not be mixed into what is.
        fits = fits * (words[:, :, None] & present[:, None])
        seen, read = self.picture(rows), self.question(question)
        of_picture = torch.tanh(seen + torch.bmm(fits.transpose(1, 2), read))
        of_question = torch.tanh(read + torch.bmm(fits, seen))
        looked = masked_softmax(self.score_picture(self.drop(of_picture))[:, :, 0], present)
        heard = masked_softmax(self.score_question(self.drop(of_question))[:, :, 0], words)
        return attend(heard, question), attend(looked, rows), looked


class Alternating(nn.Module):
    """Summarise the question, look at the picture with that, then at the question with what was seen."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.own = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.guide = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(2))
        self.score = nn.ModuleList(nn.Linear(width, 1) for _ in range(3))
        self.drop = Dropout(dropout)

    def forward(self, question: Tensor, words: Tensor, rows: Tensor, present: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As for parallel attention."""
        summary = attend(self._weights(0, question, words, None), question)
        looked = self._weights(1, rows, present, summary)
        seen = attend(looked, rows)
        return attend(self._weights(2, question, words, seen), question), seen, looked

    def _weights(self, step: int, rows: Tensor, present: Tensor, guide: Tensor | None) -> Tensor:
        hidden = self.own[step](rows)
        if guide is not None:
            hidden = hidden + self.guide[step - 1](guide)[:, None]
        return masked_softmax(self.score[step](self.drop(torch.tanh(hidden)))[:, :, 0], present)


class _Phrases(nn.Module):
    """At every word the strongest of one-, two- and three-word patterns."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.patterns = nn.ModuleList(nn.Conv1d(width, width, size, padding=size // 2) for size in (1, 2, 3))

    def forward(self, vectors: Tensor) -> Tensor:
        places = vectors.shape[1]
        found = [pattern(vectors.transpose(1, 2))[:, :, :places] for pattern in self.patterns]
        return torch.tanh(torch.stack(found).amax(dim=0).transpose(1, 2))


class HieCoAtt(nn.Module):
    """Three levels, encoded one upon the other."""

    def __init__(self, settings: HieCoAttSettings, sizes: Sizes) -> None:
        super().__init__()
        width, drop = settings.width, settings.dropout
        self.settings = settings
        self.words, self.phrases = WordTable(sizes.words, width), _Phrases(width)
        self.sentence = Sentence(width, width, layers=2 if settings.variant == "code" else 1, dropout=drop)
        self.picture = nn.Linear(sizes.picture, width)
        level = Parallel if settings.attention == "parallel" else Alternating
        self.levels = nn.ModuleList(level(width, drop) for _ in range(3))
        self.encode = nn.ModuleList(
            [nn.Linear(width, width), nn.Linear(2 * width, width), nn.Linear(2 * width, settings.last)]
        )
        self.drop = Dropout(drop)
        self.answer = nn.Linear(settings.last, sizes.answers) if settings.answers == "open" else None
        if settings.answers == "choices":
            self.offered = nn.Linear(sizes.meaning, width)
            self.mixed, self.score = nn.Linear(settings.last + width, settings.last), nn.Linear(settings.last, 1)

    def forward(self, batch: Batch) -> Reply:
        """Scores, and where the question as a whole looked."""
        words, present = there(batch.words), there(batch.present)
        rows = self.drop(torch.tanh(self.picture(there(batch.rows))))
        said = (words > 0)[:, :, None]
        word = self.drop(torch.tanh(self.words(words))) * said
        phrase = self.drop(self.phrases(word)) * said
        question, _, _ = self.sentence(phrase, words)
        code: Tensor | None = None
        looked = present
        for level, encode, texts in zip(self.levels, self.encode, (word, phrase, question), strict=True):
            heard, seen, looked = level(texts.to(rows.dtype), words > 0, rows, present)
            both = heard + seen
            code = torch.tanh(encode(self.drop(both if code is None else torch.cat([both, code], dim=1))))
        return Reply(self._scores(there(code), batch), looked)

    def _scores(self, code: Tensor, batch: Batch) -> Tensor:
        if self.answer is not None:
            scores: Tensor = self.answer(self.drop(code))
            return scores
        offered = self.offered(there(batch.candidates))
        hidden = torch.tanh(self.mixed(self.drop(torch.cat([code[batch.owner], offered[batch.choice]], dim=1))))
        scored: Tensor = self.score(self.drop(hidden))[:, 0]
        return scored


def _inputs(settings: HieCoAttSettings) -> Inputs:
    return Inputs("words", "rows", choices=settings.answers == "choices")


HIECOATT = Network(HieCoAttSettings, _inputs, HieCoAtt)
