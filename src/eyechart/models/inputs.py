"""From questions to numbers: what a network reads is encoded once, and handed over batch by batch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl
import torch
from torch import Tensor

from eyechart.errors import UsageError
from eyechart.models.examples import Examples, Pictures
from eyechart.models.kinds import Inputs, Sizes
from eyechart.models.recipes import WordList
from eyechart.models.vocabulary import Answers, BagOfWords, Words, program_text, tokens

__all__ = ["Batch", "Encoded", "Vocabularies", "question_words"]

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
TextVectors = Callable[[Sequence[str]], Floats]
"""Mean word vectors of texts."""
_PLACE, _HAIR = 5, 1e-12


@dataclass(frozen=True)
class Batch:
    """What a network reads at once; what it does not look at is not there."""

    size: int
    words: Tensor | None = None
    """question x place, 0 beyond the end."""
    bag: Tensor | None = None
    meaning: Tensor | None = None
    caption: Tensor | None = None
    rows: Tensor | None = None
    """picture x row x number."""
    present: Tensor | None = None
    """picture x row: whether the picture has this row."""
    candidates: Tensor | None = None
    """Vectors of the distinct choices of the batch."""
    choice: Tensor = field(default_factory=lambda: torch.zeros(0, dtype=torch.long))
    """For each offered choice its place among the candidates."""
    owner: Tensor = field(default_factory=lambda: torch.zeros(0, dtype=torch.long))
    """For each offered choice its question's place in the batch."""

    @property
    def vector(self) -> Tensor:
        """One vector per picture: the mean of its rows."""
        rows, present = _there(self.rows), _there(self.present)
        if rows.shape[1] == 1:
            return rows[:, 0]
        return rows.sum(dim=1) / present.sum(dim=1, keepdim=True).clamp(min=1)


def _there(tensor: Tensor | None) -> Tensor:
    if tensor is None:
        raise AssertionError("the network looks at something that its inputs do not name")
    return tensor


@dataclass(frozen=True)
class Vocabularies:
    """What a network knows of words and answers."""

    words: Words = field(default_factory=Words)
    bag: BagOfWords | None = None
    caption: BagOfWords | None = None
    answers: Answers = field(default_factory=lambda: Answers([]))
    meaning: TextVectors | None = None

    def sizes(self, inputs: Inputs, pictures: Pictures | None) -> Sizes:
        """How large a network must be to use them."""
        seen = pictures if inputs.picture != "none" else None
        place = _PLACE if inputs.place else 0
        return Sizes(
            words=len(self.words),
            bag=self.bag.width if self.bag else 0,
            caption=self.caption.words if self.caption else 0,
            meaning=self.meaning([""]).shape[1] if self.meaning else 0,
            picture=seen.width + place if seen else 0,
            rows=seen.most if seen else 0,
            answers=len(self.answers),
        )


def question_words(examples: Examples, listed: WordList) -> list[list[str]]:
    """The words of each question, or of its program."""
    if listed.source == "program":
        return program_text(examples.questions["program"])
    return [tokens(text) for text in examples.questions["question"].to_list()]


class Encoded:
    """Examples as arrays, from which batches are taken."""

    def __init__(self, examples: Examples, inputs: Inputs, listed: WordList, known: Vocabularies) -> None:
        self.examples, self.inputs = examples, inputs
        texts = question_words(examples, listed)
        self.words = known.words.encode(texts, most=listed.length) if inputs.question == "words" else None
        self.bag = known.bag.encode(texts) if inputs.question == "bow" and known.bag else None
        self.meaning = None
        if inputs.question == "meaning" and known.meaning:
            self.meaning = known.meaning(examples.questions["question"].to_list())
        self.caption = _captions(examples, known.caption) if inputs.caption and known.caption else None
        self.pictures = _pictures(examples, inputs)
        self.places = self.pictures.places(examples.questions["image_id"]) if self.pictures else None
        if inputs.choices and known.meaning:
            self._offer(examples, known.meaning)

    def _offer(self, examples: Examples, meaning: TextVectors) -> None:
        """The distinct choices with their vectors, and where each question's choices begin."""
        distinct = examples.choices["choice"].unique(maintain_order=True)
        self.candidates = meaning(distinct.to_list())
        place = pl.DataFrame({"choice": distinct}).with_row_index("_choice")
        listed = examples.choices.join(place, on="choice", maintain_order="left")
        counts = examples.questions.select("question_id").join(
            listed.group_by("question_id").len(), on="question_id", how="left", maintain_order="left"
        )
        sizes = counts["len"].fill_null(0).to_numpy().astype(np.int64)
        self.first, self.offered = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64), sizes
        self.choice = listed["_choice"].to_numpy().astype(np.int64)
        self.target = listed["is_target"].fill_null(value=False).to_numpy()

    def __len__(self) -> int:
        return len(self.examples)

    def choice_rows(self, rows: Numbers) -> Numbers:
        """Where the choices of these questions stand in the table of choices."""
        sizes = self.offered[rows]
        ends = np.cumsum(sizes)
        total = int(ends[-1]) if len(ends) else 0
        return np.arange(total) - np.repeat(ends - sizes, sizes) + np.repeat(self.first[rows], sizes)

    @cached_property
    def pairs(self) -> npt.NDArray[np.uint64]:
        """A number that both questions of a pair share; of a question without one, its own."""
        own = pl.int_range(pl.len()) + len(self)
        return self.examples.questions.select(pl.col("pair").fill_null(own).cast(pl.UInt64))["pair"].to_numpy()

    @cached_property
    def lengths(self) -> Numbers:
        """What a question costs: the rows of its picture, or its words where no rows are looked at."""
        if self.pictures is not None and self.places is not None and self.inputs.picture == "rows":
            return self.pictures.counts(self.places)
        return np.zeros(len(self), np.int64) if self.words is None else (self.words > 0).sum(axis=1)

    def batch(self, rows: Numbers, device: torch.device, kind: torch.dtype = torch.float32) -> Batch:
        """These questions, as tensors; features in 32 or 16 bits."""
        given = {
            name: _tensor(table[rows], device)
            for name, table in (("bag", self.bag), ("meaning", self.meaning))
            if table is not None
        }
        if self.words is not None:
            words = self.words[rows]
            given["words"] = _tensor(words[:, : max(1, int((words > 0).sum(axis=1).max(initial=1)))], device)
        if self.caption is not None:
            given["caption"] = _tensor(self.caption[rows], device)
        if self.pictures is not None and self.places is not None:
            seen, present = _seen(self.pictures, self.places[rows], self.inputs, kind)
            given |= {"rows": seen.to(device), "present": present.to(device)}
        if self.inputs.choices:
            listed = self.choice[self.choice_rows(rows)]
            distinct, choice = np.unique(listed, return_inverse=True)
            owner = np.repeat(np.arange(len(rows)), self.offered[rows])
            given |= {
                "candidates": _tensor(self.candidates[distinct], device),
                "choice": _tensor(choice.astype(np.int64), device),
                "owner": _tensor(owner, device),
            }
        return Batch(len(rows), **given)


def _pictures(examples: Examples, inputs: Inputs) -> Pictures | None:
    if inputs.picture == "none":
        return None
    if examples.pictures is None:
        raise UsageError(
            "features: found none, expected some for a model that looks at pictures; "
            "make them with `eyechart encode`, or name them with --features"
        )
    return examples.pictures


def _captions(examples: Examples, known: BagOfWords) -> Floats:
    """All captions of a picture as one text."""
    texts = examples.captions.group_by("image_id", maintain_order=True).agg(pl.col("caption").str.join(" "))
    joined = examples.questions.select("image_id").join(texts, on="image_id", how="left", maintain_order="left")
    return known.encode([tokens(text or "") for text in joined["caption"]])[:, : known.words]


def _seen(pictures: Pictures, places: Numbers, inputs: Inputs, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    """Features of a batch and which rows are there."""
    # A picture is fetched once where many questions of the batch are about the same ones.
    distinct, back = np.unique(places, return_inverse=True)
    shared = 2 * len(distinct) <= len(places)
    if not shared:
        distinct = places
    seen = pictures.take(distinct)
    # As many rows as the picture that has most of these.
    rows = torch.from_numpy(seen.rows[:, : max(1, int(seen.counts.max(initial=1)))]).to(kind)
    present = torch.arange(rows.shape[1])[None] < torch.from_numpy(seen.counts)[:, None]
    if inputs.picture == "vector" and rows.shape[1] > 1:
        rows = (rows.sum(dim=1) / present.sum(dim=1, keepdim=True).clamp(min=1))[:, None]
        present = torch.ones(rows.shape[:2], dtype=torch.bool)
    if inputs.normalise == "row":
        rows /= torch.linalg.vector_norm(rows, dim=-1, keepdim=True, dtype=torch.float32).clamp(min=_HAIR)
    elif inputs.normalise == "whole":
        rows /= torch.linalg.vector_norm(rows, dim=(1, 2), keepdim=True, dtype=torch.float32).clamp(min=_HAIR)
    if inputs.place:
        rows = torch.cat([rows, _placed(pictures, distinct)[:, : rows.shape[1]].to(kind)], dim=2)
    if not shared:
        return rows, present
    again = torch.from_numpy(back)
    return rows[again], present[again]


def _placed(pictures: Pictures, places: Numbers) -> Tensor:
    """The corners and the area of each row's box."""
    boxes = pictures.boxes(places)
    if boxes is None:
        raise UsageError(
            f"features: found rows without boxes in {pictures.source}, expected some for a model that is told where "
            "things lie; make them with --view objects, or set settings.place=false"
        )
    corners = torch.from_numpy(boxes)
    sides = corners[:, :, 2:] - corners[:, :, :2]
    return torch.cat([corners, sides.prod(dim=2, keepdim=True)], dim=2)


def _tensor(array: npt.NDArray[np.generic], device: torch.device) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)
