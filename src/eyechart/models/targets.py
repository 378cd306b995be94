"""What a network is trained towards, and the loss: hard, sampled or soft answers, or the right one of the choices."""

from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl
import torch
from torch import Tensor
from torch.nn import functional

from eyechart._lib.keyed import Key
from eyechart.errors import DataError
from eyechart.models.inputs import Batch, Encoded
from eyechart.models.kinds import Reply
from eyechart.models.recipes import Training
from eyechart.models.vocabulary import Answers

__all__ = ["Aim", "aim_of", "soft_scores"]

Numbers = npt.NDArray[np.int64]
_FULL = 10
_NONE = -1


class Aim(Protocol):
    """Which questions can be learned from, and how wrong a reply to them is."""

    rows: Numbers
    """The questions with a target."""

    def loss(self, reply: Reply, batch: Batch, rows: Numbers, epoch: int) -> Tensor:
        """The mean loss of a batch of these questions."""


def aim_of(encoded: Encoded, answers: Answers, training: Training, seed: int) -> Aim:
    """The targets that a recipe asks for."""
    if encoded.inputs.choices:
        aim: Aim = _Choices(encoded, competing=training.target == "softmax")
    elif training.target == "sampled":
        aim = _Sampled(encoded, answers, seed)
    elif training.target == "soft":
        aim = _Soft(encoded, answers)
    else:
        aim = _Hard(encoded, answers, logistic=training.target == "sigmoid")
    if not len(aim.rows):
        raise DataError(
            "training: found no question whose answer is among those that the model can give, expected some; "
            "import annotations, or raise answers.most"
        )
    return aim


class _Hard:
    """The one answer of each question: cross-entropy, or the sum of logistic losses over all answers."""

    def __init__(self, encoded: Encoded, answers: Answers, *, logistic: bool) -> None:
        self.target = answers.places(encoded.examples.questions["answer"])
        self.rows = np.flatnonzero(self.target >= 0)
        self.logistic = logistic

    def loss(self, reply: Reply, batch: Batch, rows: Numbers, epoch: int) -> Tensor:  # noqa: ARG002  # the shape of an Aim
        scores = reply.scores.float()
        target = torch.from_numpy(self.target[rows]).to(scores.device)
        if not self.logistic:
            return functional.cross_entropy(scores, target)
        wanted = functional.one_hot(target, scores.shape[1]).float()
        return functional.binary_cross_entropy_with_logits(scores, wanted, reduction="sum") / batch.size


class _Sampled:
    """One of the answers that people gave, drawn anew at each visit (as compact bilinear pooling is trained)."""

    def __init__(self, encoded: Encoded, answers: Answers, seed: int) -> None:
        self.first, self.sizes, self.given = _given(encoded, answers)
        self.rows = np.flatnonzero(self.sizes > 0)
        self.key = Key(seed, "sampled answer")

    def loss(self, reply: Reply, batch: Batch, rows: Numbers, epoch: int) -> Tensor:  # noqa: ARG002  # the shape of an Aim
        draws = self.key.array(np.full(len(rows), epoch, np.uint64), rows.astype(np.uint64))
        chosen = self.first[rows] + (draws % self.sizes[rows].astype(np.uint64)).astype(np.int64)
        return functional.cross_entropy(
            reply.scores.float(), torch.from_numpy(self.given[chosen]).to(reply.scores.device)
        )


class _Soft:
    """How right each answer is (bottom-up attention's targets): logistic losses over all answers, summed."""

    def __init__(self, encoded: Encoded, answers: Answers) -> None:
        self.first, self.sizes, self.given = _given(encoded, answers)
        self.rows = np.flatnonzero(self.sizes > 0)

    def loss(self, reply: Reply, batch: Batch, rows: Numbers, epoch: int) -> Tensor:  # noqa: ARG002  # the shape of an Aim
        scores = reply.scores.float()
        counts = torch.zeros(scores.shape)
        owner = np.repeat(np.arange(len(rows)), self.sizes[rows])
        places = np.concatenate([self.given[self.first[row] : self.first[row] + self.sizes[row]] for row in rows])
        counts.index_put_((torch.from_numpy(owner), torch.from_numpy(places)), torch.ones(len(places)), accumulate=True)
        wanted = soft_scores(counts).to(scores.device)
        return functional.binary_cross_entropy_with_logits(scores, wanted, reduction="sum") / batch.size


def soft_scores(counts: Tensor) -> Tensor:
    """How right an answer is that n of ten people gave: the mean of min(n/3, 1) over the ten sets of nine.

    >>> [round(score, 6) for score in soft_scores(torch.tensor([0.0, 1, 2, 3, 4, 9])).tolist()]
    [0.0, 0.3, 0.6, 0.9, 1.0, 1.0]
    """
    without, among = (counts / 3).clamp(max=1), ((counts - 1).clamp(min=0) / 3).clamp(max=1)
    return ((_FULL - counts) * without + counts * among) / _FULL


def _given(encoded: Encoded, answers: Answers) -> tuple[Numbers, Numbers, Numbers]:
    """For each question where its known answers of people begin, how many they are, and all of them in a row."""
    asked = encoded.examples.questions.select("question_id", "answer")
    said = encoded.examples.answers.select("question_id", "answer")
    # A question that nobody else answered has its own answer as ten equal ones.
    alone = asked.join(said, on="question_id", how="anti", maintain_order="left").drop_nulls("answer")
    whole = pl.concat([said, pl.concat([alone] * _FULL)])
    placed = whole.with_columns(_place=pl.Series(answers.places(whole["answer"]))).filter(pl.col("_place") >= 0)
    ordered = (
        asked.select("question_id").with_row_index("_row").join(placed, on="question_id", maintain_order="left_right")
    )
    counts = np.bincount(ordered["_row"].to_numpy().astype(np.int64), minlength=asked.height).astype(np.int64)
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64), counts, ordered["_place"].to_numpy()


class _Choices:
    """The target among the choices: a logistic loss per choice, or the choices of a question competing."""

    def __init__(self, encoded: Encoded, *, competing: bool) -> None:
        self.encoded, self.competing = encoded, competing
        owner = np.repeat(np.arange(len(encoded)), encoded.offered)
        self.rows = np.unique(owner[encoded.target])

    def loss(self, reply: Reply, batch: Batch, rows: Numbers, epoch: int) -> Tensor:  # noqa: ARG002  # the shape of an Aim
        scores = reply.scores.float()
        wanted = torch.from_numpy(self.encoded.target[self.encoded.choice_rows(rows)]).to(scores.device).float()
        if not self.competing:
            return functional.binary_cross_entropy_with_logits(scores, wanted)
        top = torch.full((batch.size,), -torch.inf, device=scores.device).scatter_reduce(0, batch.owner, scores, "amax")
        shares = torch.zeros(batch.size, device=scores.device).index_add(
            0, batch.owner, (scores - top[batch.owner]).exp()
        )
        logs = scores - (top + shares.log())[batch.owner]
        return -(logs * wanted).sum() / wanted.sum()
