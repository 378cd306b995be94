"""A trained network answers: its most probable answer, or the best of the offered choices; and where it looked."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
import torch
from torch import Tensor, nn
from torch.nn import functional

from eyechart.errors import DataError
from eyechart.models.choosing import choose, restrict
from eyechart.models.examples import Examples, Pictures
from eyechart.models.inputs import Batch, Encoded, Vocabularies
from eyechart.models.kinds import Inputs, Reply, State, ask
from eyechart.models.learning import device_of
from eyechart.models.recipes import Recipe
from eyechart.tables import TABLES

__all__ = ["FittedNetwork"]

_BATCH = 512
_COMPETING = frozenset({"hard", "sampled", "softmax"})
_FEATURE_BYTES = 1 << 27
"""Batches are smaller where pictures have many rows."""


class _Answered(NamedTuple):
    """One batch with what the network said."""

    rows: npt.NDArray[np.int64]
    batch: Batch
    reply: Reply


@dataclass
class FittedNetwork:
    """A network with what it knows of words and answers."""

    module: nn.Module
    inputs: Inputs
    recipe: Recipe
    known: Vocabularies
    unknown_choices: float = field(default=0.0, init=False)
    """Of the last predictions, for how many questions no offered choice was among the answers that it knows."""

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """A predictions table."""
        if not len(examples):
            return TABLES["predictions"].empty()
        self._check_offer(examples)
        encoded = Encoded(examples, self.inputs, self.recipe.words, self.known)
        answered = list(_asked(self.module, encoded))
        looked = _attention(encoded, answered)
        predicted = (
            self._choose(encoded, answered, seed) if self.inputs.choices else self._say(examples, answered, seed)
        )
        whole = examples.questions.select("question_id").with_columns(**looked) if looked else None
        if whole is not None:
            predicted = predicted.join(whole, on="question_id", how="left", maintain_order="left")
        return TABLES["predictions"].conform(predicted)

    def ranked(self, examples: Examples, most: int) -> pl.DataFrame:
        """The most probable answers of each question: question_id, rank (from 1), answer, share."""
        self._check_offer(examples)
        encoded = Encoded(examples, self.inputs, self.recipe.words, self.known)
        scores = torch.cat([each.reply.scores.float().cpu() for each in _asked(self.module, encoded)])
        shares = scores.softmax(dim=1) if self.recipe.training.target in _COMPETING else scores.sigmoid()
        best = shares.topk(min(most, shares.shape[1]), dim=1)
        names = pl.Series(self.known.answers.known, dtype=pl.String)
        ranks = best.indices.shape[1]
        return examples.questions.select(pl.col("question_id").repeat_by(ranks).explode()).with_columns(
            rank=pl.Series(np.tile(np.arange(1, ranks + 1, dtype=np.int32), len(examples))),
            answer=names.gather(pl.Series(best.indices.flatten().numpy())),
            share=pl.Series(best.values.flatten().double().numpy()),
        )

    def state(self) -> State:
        """What is saved beside the weights."""
        return {}

    def _check_offer(self, examples: Examples) -> None:
        if self.inputs.choices and not examples.choices.height:
            raise DataError("predictions: found no choices, expected some; this model answers multiple choice only")

    def _choose(self, encoded: Encoded, answered: list[_Answered], seed: int) -> pl.DataFrame:
        scores = torch.cat([each.reply.scores.float() for each in answered]).cpu().numpy().astype(np.float64)
        scored = encoded.examples.choices.select("question_id", "position", "choice").with_columns(
            score=pl.Series(scores)
        )
        predicted = choose(scored, seed)
        if self.recipe.training.target == "softmax":
            # The best one's share: 1 over the sum of how much less likely each is.
            shares = pl.col("scores").list.eval((pl.element() - pl.element().max()).exp()).list.sum()
            return predicted.with_columns(confidence=1 / shares)
        return predicted.with_columns(confidence=1 / (1 + (-pl.col("confidence")).exp()))

    def _say(self, examples: Examples, answered: list[_Answered], seed: int) -> pl.DataFrame:
        names = pl.Series(self.known.answers.known, dtype=pl.String)
        # Scores are rounded, so that another order of sums does not decide between equals.
        scores = torch.cat([each.reply.scores.float().cpu() for each in answered])
        shares = scores.softmax(dim=1) if self.recipe.training.target in _COMPETING else scores.sigmoid()
        if examples.choices.height:
            return self._restricted(examples, scores, shares, seed)
        best = scores.mul(1e5).round().argmax(dim=1)
        confidence = shares.gather(1, best[:, None])[:, 0].double().numpy()
        return examples.questions.select("question_id").with_columns(
            answer=names.gather(pl.Series(best.numpy())), confidence=pl.Series(confidence)
        )

    def _restricted(self, examples: Examples, scores: Tensor, shares: Tensor, seed: int) -> pl.DataFrame:
        row = examples.questions.select("question_id").with_row_index("_row")
        places = self.known.answers.places(examples.choices["choice"])
        offered = examples.choices.select("question_id", "choice").with_columns(_place=pl.Series(places))
        known = offered.join(row, on="question_id", maintain_order="left").filter(pl.col("_place") >= 0)
        at = tuple(torch.from_numpy(known[name].to_numpy().astype(np.int64)) for name in ("_row", "_place"))
        logs = scores.log_softmax(dim=1) if self.recipe.training.target in _COMPETING else scores
        valued = known.select("question_id", "choice").with_columns(
            score=pl.Series(logs[at].double().numpy()), share=pl.Series(shares[at].double().numpy())
        )
        predicted, self.unknown_choices = restrict(
            valued.select("question_id", "choice", "score").unique(maintain_order=True),
            examples.choices.select("question_id", "position", "choice"),
            seed,
        )
        chosen = valued.select("question_id", "share", answer="choice").unique(maintain_order=True)
        joined = predicted.drop("confidence").join(
            chosen, on=["question_id", "answer"], how="left", maintain_order="left"
        )
        return joined.with_columns(confidence=pl.col("share").fill_null(0.0)).drop("share")


def _asked(module: nn.Module, encoded: Encoded) -> Iterator[_Answered]:
    device = device_of()
    module.to(device).eval()
    seen = encoded.pictures
    size = _BATCH if seen is None else max(1, min(_BATCH, _FEATURE_BYTES // (4 * seen.most * seen.width)))
    with torch.inference_mode():
        for begin in range(0, len(encoded), size):
            rows = np.arange(begin, min(begin + size, len(encoded)))
            batch = encoded.batch(rows, device)
            reply = ask(module, batch)
            attention = None if reply.attention is None else reply.attention.float().cpu()
            yield _Answered(rows, Batch(len(rows)), Reply(reply.scores, attention))


def _attention(encoded: Encoded, answered: list[_Answered]) -> dict[str, pl.Series]:
    """Where the network looked: boxes with weights, or weights of a square grid."""
    found = [each.reply.attention for each in answered]
    if encoded.pictures is None or encoded.places is None or any(each is None for each in found):
        return {}
    most = encoded.pictures.most
    padded = [functional.pad(each, (0, most - each.shape[1])) for each in found if each is not None]
    weights = torch.cat(padded).double().numpy()
    boxes = encoded.pictures.boxes(encoded.places)
    if boxes is not None:
        return {"attention_boxes": _boxed(encoded.pictures, encoded.places, boxes, weights)}
    side = int(weights.shape[1] ** 0.5)
    if side * side != weights.shape[1] or side == 1:
        return {}
    return {"attention_grid": pl.Series(weights.reshape(-1, side, side).tolist(), dtype=_GRID)}


_GRID = TABLES["predictions"].schema["attention_grid"]


def _boxed(
    pictures: Pictures, places: npt.NDArray[np.int64], boxes: npt.NDArray[np.float32], weights: npt.NDArray[np.float64]
) -> pl.Series:
    counts = pictures.counts(places)
    joined = np.concatenate([boxes.astype(np.float64), weights[:, :, None]], axis=2)
    listed = [rows[:count].tolist() for rows, count in zip(joined, counts, strict=True)]
    return pl.Series(listed, dtype=TABLES["predictions"].schema["attention_boxes"])
