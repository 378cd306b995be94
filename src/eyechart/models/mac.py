"""MAC (Hudson and Manning 2018), in the two forms that are called so: the paper's cell, and the one that answered GQA.

The paper's control follows from the last control, and its memory may keep what it had (a gate), or what earlier steps
had (self-attention). GQA's control follows from the question alone, and its memory is always renewed. Knowledge is a
grid of cells (``spatial``), objects, or the rows of a scene graph (``perfect sight``), which look the same from here.
"""

from typing import Literal

import msgspec
import torch
from torch import Tensor, nn
from torch.nn import functional

from eyechart.models.blocks import Dropout, Sentence, WordTable, attend, masked_softmax, there
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Inputs, Network, Reply, Sizes

__all__ = ["MAC", "GqaCell", "Mac", "MacSettings", "PaperCell"]


class MacSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cell, how many steps, and sizes."""

    cell: Literal["paper", "gqa"] = "gqa"
    steps: int = 4
    knowledge: Literal["grid", "objects"] = "objects"
    """A grid goes through a convolution first."""
    gate: bool = False
    self_attention: bool = False
    place: bool = False
    """Whether objects say where they lie."""
    width: int = 512
    word: int = 300
    dropout: float = 0.15


class _Step(nn.Module):
    """What a step of either cell holds of its own: its view of the question."""

    def __init__(self, width: int, steps: int) -> None:
        super().__init__()
        self.asked = nn.Linear(width, width)
        self.positions = nn.ModuleList(nn.Linear(width, width) for _ in range(steps))

    def views(self, question: Tensor, activate: nn.Module) -> list[Tensor]:
        """The question as each step sees it."""
        shared = activate(self.asked(question))
        return [position(shared) for position in self.positions]


class GqaCell(nn.Module):
    """Control from the question alone; memory from the last memory and what was read."""

    def __init__(self, settings: MacSettings) -> None:
        super().__init__()
        width = settings.width
        self.step = _Step(width, settings.steps)
        self.score_words = nn.Linear(width, 1)
        self.memory, self.known = nn.Linear(width, width), nn.Linear(width, width)
        self.joined = nn.Linear(2 * width, width)
        self.score_rows = nn.Linear(width, 1)
        self.write = nn.Linear(2 * width, width)
        self.drop = Dropout(settings.dropout)

    def forward(
        self, question: Tensor, words: Tensor, said: Tensor, rows: Tensor, present: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The last memory, and the weights of the last look."""
        memory = question.new_zeros(question.shape)
        mask = self.drop.mask(memory)
        known = self.known(rows)
        weights = present.float()
        for view in self.step.views(question, nn.ReLU()):
            heard = masked_softmax(self.score_words(view[:, None] * words)[:, :, 0], said)
            control = attend(heard, words)
            fits = self.memory(memory * mask)[:, None] * known
            joint = functional.elu(self.joined(torch.cat([fits, known], dim=2)))
            joint = functional.elu(joint * control[:, None])
            weights = masked_softmax(self.score_rows(self.drop(joint))[:, :, 0], present)
            read = attend(weights, rows)
            memory = self.write(torch.cat([memory, read], dim=1))
        return memory, weights


class PaperCell(nn.Module):
    """Control from the last control; memory with self-attention and gate where they are wanted."""

    def __init__(self, settings: MacSettings) -> None:
        super().__init__()
        width = settings.width
        self.step = _Step(width, settings.steps)
        self.first_control, self.first_memory = (
            nn.Parameter(torch.zeros(width)),
            nn.Parameter(torch.randn(width) * 0.01),
        )
        self.control = nn.Linear(2 * width, width)
        self.score_words = nn.Linear(width, 1)
        self.memory, self.known = nn.Linear(width, width), nn.Linear(width, width)
        self.joined = nn.Linear(2 * width, width)
        self.score_rows = nn.Linear(width, 1)
        self.write = nn.Linear(2 * width, width)
        if settings.self_attention:
            self.score_steps = nn.Linear(width, 1)
            self.earlier, self.own = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.gate = nn.Linear(width, 1) if settings.gate else None
        self.attends_to_steps = settings.self_attention
        self.drop = Dropout(settings.dropout)

    def forward(
        self, question: Tensor, words: Tensor, said: Tensor, rows: Tensor, present: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The last memory, and the weights of the last look."""
        control = self.first_control.expand_as(question)
        memory = self.first_memory.expand_as(question)
        mask = self.drop.mask(memory)
        known = self.known(rows)
        controls: list[Tensor] = []
        memories: list[Tensor] = []
        weights = present.float()
        for view in self.step.views(question, nn.Tanh()):
            guided = self.control(torch.cat([control, view], dim=1))
            control = attend(masked_softmax(self.score_words(guided[:, None] * words)[:, :, 0], said), words)
            fits = self.memory(memory * mask)[:, None] * known
            # The knowledge itself is joined here, not its projection.
            joint = self.joined(torch.cat([fits, rows], dim=2)) * control[:, None]
            weights = masked_softmax(self.score_rows(self.drop(joint))[:, :, 0], present)
            read = attend(weights, rows)
            memory = self._written(self.write(torch.cat([read, memory], dim=1)), memory, control, (controls, memories))
            controls.append(control)
            memories.append(memory)
        return memory, weights

    def _written(self, new: Tensor, old: Tensor, control: Tensor, past: tuple[list[Tensor], list[Tensor]]) -> Tensor:
        controls, memories = past
        if self.attends_to_steps and controls:
            fits = self.score_steps(control[:, None] * torch.stack(controls, dim=1))[:, :, 0]
            new = self.earlier(attend(fits.float().softmax(dim=1), torch.stack(memories, dim=1))) + self.own(new)
        if self.gate is None:
            return new
        kept = torch.sigmoid(self.gate(control))
        return kept * old + (1 - kept) * new


class Mac(nn.Module):
    """A reader, a chain of steps over the knowledge, and a classifier on question and memory."""

    def __init__(self, settings: MacSettings, sizes: Sizes) -> None:
        super().__init__()
        width = settings.width
        self.settings = settings
        self.words = WordTable(sizes.words, settings.word, reach=1.0)
        self.sentence = Sentence(settings.word, width // 2, both_ways=True)
        self.grid = settings.knowledge == "grid"
        if self.grid:
            self.side = round(sizes.rows**0.5)
            self.stem = nn.Conv2d(sizes.picture, width, 3, padding=1)
            self.ask_grid, self.mix = nn.Linear(width, width), nn.Linear(3 * width, width)
        else:
            self.rows = nn.Linear(sizes.picture, width)
        self.cell = GqaCell(settings) if settings.cell == "gqa" else PaperCell(settings)
        self.drop_words, self.drop_question = Dropout(settings.dropout), Dropout(settings.dropout / 2)
        self.drop = Dropout(settings.dropout)
        self.asked = nn.Linear(width, width)
        gqa = settings.cell == "gqa"
        self.hidden, self.answer = nn.Linear((3 if gqa else 2) * width, width), nn.Linear(width, sizes.answers)

    def forward(self, batch: Batch) -> Reply:
        """Scores, and where the last step looked."""
        words, present = there(batch.words), there(batch.present)
        contextual, last, _ = self.sentence(self.drop_words(self.words(words)), words)
        question = self.drop_question(last.transpose(0, 1).flatten(1))
        rows = self._knowledge(there(batch.rows), question)
        memory, weights = self.cell(question, contextual, words > 0, rows, present)
        asked = self.asked(question)
        parts = [memory, asked, memory * asked] if self.settings.cell == "gqa" else [asked, memory]
        hidden = functional.elu(self.hidden(self.drop(torch.cat(parts, dim=1))))
        return Reply(self.answer(self.drop(hidden)), weights)

    def _knowledge(self, rows: Tensor, question: Tensor) -> Tensor:
        if not self.grid:
            known: Tensor = self.rows(self.drop(rows))
            return known
        grid = self.drop(rows).transpose(1, 2).reshape(len(rows), -1, self.side, self.side)
        cells = functional.elu(self.stem(grid)).flatten(2).transpose(1, 2)
        asked = self.ask_grid(question)[:, None].expand_as(cells)
        mixed: Tensor = self.mix(torch.cat([cells, asked, cells * asked], dim=2))
        return mixed


def _inputs(settings: MacSettings) -> Inputs:
    return Inputs("words", "rows", "row", place=settings.place)


MAC = Network(MacSettings, _inputs, Mac)
