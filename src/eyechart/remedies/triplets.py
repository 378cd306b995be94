"""Triplets of image, question and target, arranged for search: by question, by image, by target.

Questions with the same words have the same mean vector; they make a *group*, which is compared once. Everything is
numbered in the order of ids and words, so that the order in which rows come does not matter.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.keyed import key_of
from eyechart.features import FlatIndex
from eyechart.remedies.likeness import Answers
from eyechart.text import TextEncoder, expand, split_rows, word_bags

__all__ = ["Lists", "Pool", "Triplets"]

Places = npt.NDArray[np.integer]
Codes = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Lists:
    """A list of places per row, in one piece."""

    start: Places
    place: Places

    @classmethod
    def by(cls, keys: Places, size: int) -> "Lists":
        """The places of each key, in order.

        >>> lists = Lists.by(np.array([1, 0, 1]), 2)
        >>> lists.start.tolist(), lists.place.tolist()
        ([0, 1, 3], [1, 0, 2])
        """
        start = split_rows(np.bincount(keys, minlength=size)).astype(np.int64)
        return cls(start, np.argsort(keys, kind="stable").astype(np.int64))

    @property
    def sizes(self) -> Places:
        """How long each list is."""
        return np.diff(self.start)

    def of(self, rows: Places) -> tuple[Places, Places]:
        """All places of these rows: which of the rows each belongs to, and the place."""
        counts = self.start[rows + 1] - self.start[rows]
        return np.repeat(np.arange(rows.size), counts), self.place[expand(self.start[rows], counts)]


class Triplets:
    """All questions with targets, in the order of their ids.

    >>> rows = {"question_id": ["2", "1"], "image_id": ["a", "a"], "question": ["Why?", "What?"], "answer": ["x", "y"]}
    >>> triplets = Triplets(pl.DataFrame(rows), Answers(["x", "y"]))
    >>> triplets.ids.to_list(), triplets.target.tolist(), triplets.bags.to_list()
    (['1', '2'], [1, 0], ['what', 'why'])
    """

    def __init__(self, questions: pl.DataFrame, answers: Answers) -> None:
        ordered = questions.sort("question_id")
        self.answers = answers
        self.ids = ordered["question_id"]
        self.said = ordered["answer"]
        self.questions = ordered["question"]
        self.target = answers.coded(self.said.to_list())
        self.image = _numbered(ordered["image_id"])
        self.key = ordered.select(key_of(pl.col("question_id"))).to_series().to_numpy()
        split = ordered["split"] if "split" in ordered.columns else pl.repeat(None, ordered.height, eager=True)
        self.split = _numbered(split.cast(pl.String).fill_null(""))

    def __len__(self) -> int:
        return self.target.size

    @cached_property
    def bags(self) -> pl.Series:
        """The words of each question, sorted."""
        return word_bags(self.questions)

    @cached_property
    def popular(self) -> Places:
        """Targets from the most frequent on."""
        counts = np.bincount(self.target, minlength=len(self.answers))
        order = np.lexsort((np.arange(counts.size), -counts))
        return order[: np.count_nonzero(counts)]

    @cached_property
    def answer_key(self) -> Codes:
        """A number for each answer that depends on nothing else."""
        return pl.DataFrame({"a": self.answers.normal}).select(key_of(pl.col("a"))).to_series().to_numpy()

    def pools(self, *, within_split: bool) -> list[Places]:
        """Which triplets may lend their targets to each other."""
        if not within_split:
            return [np.arange(len(self))]
        return [np.flatnonzero(self.split == split) for split in range(int(self.split.max(initial=-1)) + 1)]


@dataclass(frozen=True)
class Pool:
    """Some triplets, sorted by group and id, with what is nearest to what.

    A triplet is a row of the pool; ``triplet`` is its number among all.
    """

    triplet: Places
    group: Places
    members: Lists
    """The rows of each group."""
    group_key: Codes
    """A number for each group that depends on its words only."""
    vectors: npt.NDArray[np.float32]
    """A unit vector per group; zero if no word is known."""
    entries: Lists
    """Of each group the entries: one per different target."""
    entry_target: Places
    entry_rows: Lists
    """The rows of each entry."""
    image: Places
    by_image: Lists

    @classmethod
    def of(cls, triplets: Triplets, chosen: Places, encoder: TextEncoder | None) -> "Pool":
        """Arrange some triplets; without an encoder only equal questions are near to each other."""
        read = triplets.bags if encoder is None else encoder.texts(triplets.questions)
        texts = read.gather(chosen)
        words = texts.unique().sort()
        codes = texts.replace_strict(words, pl.int_range(words.len(), eager=True), return_dtype=pl.Int64).to_numpy()
        order = np.argsort(codes, kind="stable")
        triplet, group = chosen[order], codes[order].astype(np.int64)
        entry_of, entry_group, entry_target = _entries(group, triplets.target[triplet])
        vectors = np.zeros((words.len(), 1), np.float32) if encoder is None else encoder.encode(words.to_list())[0]
        image = triplets.image[triplet]
        return cls(
            triplet=triplet,
            group=group,
            members=Lists.by(group, words.len()),
            group_key=words.to_frame("bag").select(key_of(pl.col("bag"))).to_series().to_numpy(),
            vectors=vectors,
            entries=Lists.by(entry_group, words.len()),
            entry_target=entry_target,
            entry_rows=Lists.by(entry_of, entry_target.size),
            image=image,
            by_image=Lists.by(image, int(image.max(initial=-1)) + 1),
        )

    def __len__(self) -> int:
        return self.triplet.size

    @cached_property
    def known(self) -> npt.NDArray[np.bool_]:
        """Groups with a vector."""
        return np.asarray(self.vectors.any(axis=1))

    @cached_property
    def index(self) -> FlatIndex:
        """The vectors, to be searched."""
        return FlatIndex(self.vectors)

    def bounds(self, size: int) -> list[tuple[int, int]]:
        """Ranges of rows of about a size, none of which cuts a group."""
        ends = self.members.start[1:]
        marks = np.searchsorted(ends, np.arange(size, len(self) + size, size).clip(max=len(self)))
        cuts = [0, *np.unique(ends[marks[marks < ends.size]]).tolist()]
        return list(pairwise(cuts))


def _entries(group: Places, target: Places) -> tuple[Places, Places, Places]:
    """The entry of each row, and group and target of each entry."""
    size = int(target.max(initial=-1)) + 1
    keys, entry = np.unique(group * size + target, return_inverse=True)
    entry_group, entry_target = np.divmod(keys, max(1, size))
    return entry.astype(np.int64), entry_group, entry_target


def _numbered(values: pl.Series) -> Places:
    distinct = values.unique().sort()
    codes = values.replace_strict(distinct, pl.int_range(distinct.len(), eager=True), return_dtype=pl.Int64)
    return codes.to_numpy().astype(np.int64)
