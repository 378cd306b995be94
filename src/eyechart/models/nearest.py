"""Nearest neighbours: the answers of the training questions that read most alike (VQA v1, section 4 and its appendix).

The paper describes it twice. In the text ("frequent") the most frequent answer of the nearest questions and their
pictures is taken; in the appendix ("image") the one among them whose picture is most similar.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.errors import DataError, UsageError
from eyechart.models.choosing import choose
from eyechart.models.examples import Examples
from eyechart.models.vocabulary import tokens

__all__ = ["NearestNeighbours", "fit_nearest"]

Floats = npt.NDArray[np.float32]
State = dict[str, Any]  # JSON

_READINGS = ("frequent", "image")
_PIECE = 1024
_OVERALL = 1e-6


@dataclass(frozen=True)
class NearestNeighbours:
    """The training questions, and which of their answers is given."""

    reading: str
    k: int
    words: dict[str, int]
    """The place of each word in a vector of counts."""
    texts: list[str]
    """The distinct questions."""
    pairs: pl.DataFrame
    """text (its place), answer, picture (its place): one row per training question."""
    vectors: Floats
    """Of the training pictures, of length 1; none for the first reading."""

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """An answer per question; where choices are offered, the one with most of the neighbours' votes."""
        votes = self._votes(examples)
        if examples.choices.height:
            wanted = votes.rename({"answer": "choice", "vote": "score"})
            joined = examples.choices.join(wanted, on=["question_id", "choice"], how="left", maintain_order="left")
            scored = joined.with_columns(pl.col("score").fill_null(0.0))
            return choose(scored.select("question_id", "position", "choice", "score"), seed)
        best = votes.sort("vote", "answer", descending=[True, False]).unique(
            "question_id", keep="first", maintain_order=True
        )
        order = examples.questions.select("question_id")
        return order.join(best, on="question_id", how="left", maintain_order="left").rename({"vote": "confidence"})

    def _votes(self, examples: Examples) -> pl.DataFrame:
        """question_id, answer, vote: shares of the neighbours, or the similarity of the nearest picture."""
        asked = examples.questions.select("question_id", "question", "image_id").with_row_index("_row")
        distinct = asked.select("question").unique(maintain_order=True)
        near = self._near(distinct["question"].to_list())
        rows = asked.join(near, on="question", maintain_order="left").join(self.pairs, on="text", maintain_order="left")
        overall = self.pairs.group_by("answer").agg(overall=pl.len() / self.pairs.height)
        if self.reading == "image":
            voted = self._by_picture(rows, examples)
        else:
            counted = rows.group_by("question_id", "answer", maintain_order=True).agg(vote=pl.len().cast(pl.Float64))
            voted = counted.with_columns(pl.col("vote") / pl.col("vote").sum().over("question_id"))
        # Equal votes go to what is more frequent in all of the training set.
        broken = voted.join(overall, on="answer", maintain_order="left")
        return broken.select("question_id", "answer", vote=pl.col("vote") + _OVERALL * pl.col("overall"))

    def _by_picture(self, rows: pl.DataFrame, examples: Examples) -> pl.DataFrame:
        if examples.pictures is None:
            raise UsageError(
                "nearest neighbours by picture: found no features, expected some; name them with --features"
            )
        images = rows.select("image_id").unique(maintain_order=True).with_row_index("_image")
        seen = _pooled(examples, images["image_id"])
        placed = rows.join(images, on="image_id", nulls_equal=True, maintain_order="left")
        own, other = placed["_image"].to_numpy(), placed["picture"].to_numpy()
        near = np.empty(placed.height, np.float32)
        for begin in range(0, placed.height, 1 << 14):
            piece = slice(begin, begin + (1 << 14))
            near[piece] = (seen[own[piece]] * self.vectors[other[piece]]).sum(axis=1)
        scored = placed.with_columns(vote=pl.Series(near.astype(np.float64)))
        return scored.group_by("question_id", "answer", maintain_order=True).agg(pl.col("vote").max())

    def _near(self, questions: list[str]) -> pl.DataFrame:
        """question, text: the k nearest distinct training questions by the cosine of their word counts."""
        known = _counts(self.texts, self.words)
        k = min(self.k, len(self.texts))
        nearest = np.empty((len(questions), k), np.int64)
        for begin in range(0, len(questions), _PIECE):
            piece = questions[begin : begin + _PIECE]
            # Rounded, so that the order of a sum does not decide between equals; the first of them counts.
            likeness = np.round(_counts(piece, self.words) @ known.T, 6)
            nearest[begin : begin + len(piece)] = np.argsort(-likeness, axis=1, kind="stable")[:, :k]
        asked = pl.Series("question", questions, dtype=pl.String)
        return pl.DataFrame(
            {"question": asked, "text": nearest.tolist()}, schema_overrides={"text": pl.List(pl.Int64)}
        ).explode("text")

    def state(self) -> State:
        """What is saved as JSON."""
        pairs = self.pairs.to_dict(as_series=False)
        return {"reading": self.reading, "k": self.k, "words": list(self.words), "texts": self.texts, "pairs": pairs}

    def arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        """What is saved as numbers."""
        return {"vectors": self.vectors}

    @classmethod
    def restore(cls, state: State, arrays: Mapping[str, npt.NDArray[Any]]) -> "NearestNeighbours":
        """From what was saved."""
        words = {word: place for place, word in enumerate(state["words"])}
        pairs = pl.DataFrame(state["pairs"], schema=_PAIRS)
        return cls(state["reading"], state["k"], words, state["texts"], pairs, arrays["vectors"])


_PAIRS = pl.Schema({"text": pl.Int64, "answer": pl.String, "picture": pl.Int64})


def fit_nearest(train: Examples, options: Mapping[str, Any]) -> NearestNeighbours:
    """Remember all training questions.

    >>> from eyechart.models.examples import examples_of
    >>> asked = {"question_id": ["1", "2"], "question": ["Is it red?", "How many?"], "answer": ["yes", "2"]}
    >>> nearest = fit_nearest(examples_of({"questions": pl.LazyFrame(asked)}), {"k": 1})
    >>> new = {"question_id": ["3"], "question": ["Is it blue?"]}
    >>> nearest.predict(examples_of({"questions": pl.LazyFrame(new)}))["answer"].to_list()
    ['yes']
    """
    reading = str(options.get("reading", "frequent"))
    if reading not in _READINGS:
        raise UsageError(f"reading is {reading!r}, expected one of {', '.join(_READINGS)}; correct the recipe")
    answered = train.questions.drop_nulls("answer")
    if not answered.height:
        raise DataError("training: found no question with an answer, expected some to remember; import annotations")
    split = answered["question"].map_elements(tokens, return_dtype=pl.List(pl.String))
    frequent = (
        split.explode().drop_nulls().value_counts(sort=True, name="n").sort("n", "question", descending=[True, False])
    )
    words = {word: place for place, word in enumerate(frequent["question"].head(int(options.get("words", 5000))))}
    texts = answered.select("question").unique(maintain_order=True).with_row_index("text")
    images = answered.select("image_id").unique(maintain_order=True).with_row_index("picture")
    pairs = answered.join(texts, on="question", maintain_order="left").join(
        images, on="image_id", nulls_equal=True, maintain_order="left"
    )
    vectors = np.zeros((0, 0), np.float32)
    if reading == "image":
        if train.pictures is None:
            raise UsageError(
                "nearest neighbours by picture: found no features, expected some; name them with --features"
            )
        vectors = _pooled(train, images["image_id"])
    pairs = pairs.select(_PAIRS.names()).cast(_PAIRS)
    return NearestNeighbours(reading, int(options.get("k", 4)), words, texts["question"].to_list(), pairs, vectors)


def _pooled(examples: Examples, image_ids: pl.Series) -> Floats:
    """One vector of length 1 per picture: the mean of its rows."""
    pictures = examples.pictures
    if pictures is None:
        raise UsageError("nearest neighbours by picture: found no features, expected some; name them with --features")
    places = pictures.places(image_ids)
    vectors = np.empty((len(places), pictures.width), np.float32)
    for begin in range(0, len(places), _PIECE):
        seen = pictures.take(places[begin : begin + _PIECE])
        counts = np.maximum(seen.counts, 1)[:, None]
        vectors[begin : begin + len(seen.counts)] = seen.rows.sum(axis=1, dtype=np.float32) / counts
    return _unit(vectors)


def _counts(texts: list[str], words: Mapping[str, int]) -> Floats:
    """Word counts of each text, divided by their length as a vector."""
    counts = np.zeros((len(texts), len(words)), np.float32)
    for row, text in enumerate(texts):
        for word in tokens(text):
            if (place := words.get(word)) is not None:
                counts[row, place] += 1
    return _unit(counts)


def _unit(rows: Floats) -> Floats:
    scaled: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return scaled
