"""Texts as vectors, by name: means of word vectors, counts of the most frequent words, or a sentence encoder.

The first two depend on which words a text has and not on their order, so texts with the same words are worked on once:
a *bag* is the words of a text, sorted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import polars as pl

from eyechart.errors import UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.text.packaged_vectors import PACKAGED_VECTORS, packaged_vectors
from eyechart.text.sentences import SENTENCES, Sentences
from eyechart.text.vectors import FileVectors, Mask, Matrix, WordVectors, text_vectors

__all__ = ["BAG_OF_WORDS", "TextEncoder", "text_encoder", "word_bags"]

BAG_OF_WORDS = "bag-of-words"
_FREQUENT_WORDS = 1000
"""As the bag-of-words questions of Antol et al. 2015, section 4.2."""


class TextEncoder(Protocol):
    """Anything that makes a vector of a text."""

    @property
    def source(self) -> str:
        """Name and hash, as a result says what it was made with."""

    def texts(self, texts: pl.Series) -> pl.Series:
        """What it reads of each text: texts of which this is equal have the same vector."""

    def encode(self, texts: Sequence[str]) -> tuple[Matrix, Mask]:
        """A unit vector per text as it reads them, and which texts have any; rows of the others are zero."""


def word_bags(texts: pl.Series) -> pl.Series:
    """The words of each text in lower case, sorted, without punctuation.

    >>> word_bags(pl.Series(["What color is the cat?", "What color is the cat's hat?"])).to_list()
    ['cat color is the what', "cat's color hat is the what"]
    """
    words = pl.col("text").str.to_lowercase().str.extract_all(r"[\p{L}\p{N}]+(?:['\u2019][\p{L}\p{N}]+)*")
    return texts.cast(pl.String).fill_null("").to_frame("text").select(words.list.sort().list.join(" ")).to_series()


@dataclass(frozen=True)
class _MeanVectors:
    """The mean of the vectors of a text's words (Chao et al. 2018, section 4.1)."""

    vectors: WordVectors

    @property
    def source(self) -> str:
        """That of the word vectors."""
        return self.vectors.source

    def texts(self, texts: pl.Series) -> pl.Series:
        """Bags of words."""
        return word_bags(texts)

    def encode(self, bags: Sequence[str]) -> tuple[Matrix, Mask]:
        """Means, scaled to length 1."""
        return _unit(text_vectors(bags, self.vectors)[0])


@dataclass(frozen=True)
class _BagOfWords:
    """How often each of the most frequent words of the texts occurs."""

    words: int = _FREQUENT_WORDS

    @property
    def source(self) -> str:
        """How many words."""
        return f"{BAG_OF_WORDS} ({self.words:,} most frequent words)"

    def texts(self, texts: pl.Series) -> pl.Series:
        """Bags of words."""
        return word_bags(texts)

    def encode(self, bags: Sequence[str]) -> tuple[Matrix, Mask]:
        """Counts, scaled to length 1."""
        rows = pl.DataFrame({"word": pl.Series(bags, dtype=pl.String).str.split(" ")}).with_row_index("row")
        found = rows.explode("word").filter(pl.col("word").str.len_bytes() > 0)
        counted = found.group_by("word").agg(n=pl.len()).sort("n", "word", descending=[True, False])
        columns = counted.head(self.words).with_row_index("column").select("word", "column")
        cells = found.join(columns, on="word").group_by("row", "column").agg(n=pl.len())
        matrix = np.zeros((len(bags), max(1, columns.height)), np.float32)
        matrix[cells["row"].to_numpy(), cells["column"].to_numpy()] = cells["n"].to_numpy()
        return _unit(matrix)


def text_encoder(name: str) -> TextEncoder:
    """An encoder by name: packaged vectors, ``bag-of-words``, ``minilm-sentences``, or a file of word vectors.

    >>> encoder = text_encoder("bag-of-words")
    >>> matrix, known = encoder.encode(["cat the", "cat cat", ""])
    >>> round(float(matrix[0] @ matrix[1]), 3), known.tolist()
    (0.707, [True, True, False])
    """
    if name == BAG_OF_WORDS:
        return _BagOfWords()
    if name == SENTENCES:
        return Sentences()
    if name in PACKAGED_VECTORS:
        return _MeanVectors(packaged_vectors(name))
    if Path(name).suffix:
        return _MeanVectors(FileVectors(Path(name)))
    names = [BAG_OF_WORDS, SENTENCES, *PACKAGED_VECTORS]
    raise UnknownNameError(
        f"no text encoder is called {name!r}: {did_you_mean(name, names)}; a file of word vectors will do as well"
    )


def _unit(matrix: Matrix) -> tuple[Matrix, Mask]:
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    known = lengths > 0
    return (matrix / np.where(known, lengths, 1.0)[:, None]).astype(np.float32), known
