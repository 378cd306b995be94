"""Parts of speech, by a tagger that carries its word list and works offline (TextBlob's pattern tagger, Penn tags)."""

import warnings
from collections.abc import Iterator
from typing import Protocol

import polars as pl

from eyechart.errors import MissingDependencyError

__all__ = ["PARTS", "tagged_words"]

PARTS = {
    "NN": "noun",
    "VB": "verb",
    "JJ": "adjective",
    "RB": "adverb",
    "CD": "number",
    "IN": "preposition",
    "UH": "yes/no",
}
"""The parts that are told apart, by the first letters of their Penn tags; all others are other."""

_YES_OR_NO = {"yes", "no"}
_BETWEEN_WORDS = {".", ",", ":", "(", ")", '"', "'", "POS"}


class _Tagger(Protocol):
    def tag(self, text: str) -> list[tuple[str, str]]: ...


def tagged_words(texts: pl.Series) -> pl.DataFrame:
    """Every word of every text with its part of speech: text (its place), word (lower case), part.

    >>> tagged_words(pl.Series(["Two brown dogs run."]))["part"].to_list()
    ['number', 'adjective', 'noun', 'verb']
    """
    tagger = _tagger()
    distinct = texts.drop_nulls().unique(maintain_order=True)
    words = pl.DataFrame(
        [(number, *pair) for number, text in enumerate(distinct) for pair in _words(tagger, text)],
        schema={"distinct": pl.UInt32, "word": pl.String, "part": pl.String},
        orient="row",
    )
    places = pl.DataFrame({"text": pl.int_range(texts.len(), dtype=pl.UInt32, eager=True), "said": texts})
    numbered = pl.DataFrame({"said": distinct}).with_row_index("distinct")
    joined = places.join(numbered, on="said", maintain_order="left")
    return joined.join(words, on="distinct", maintain_order="left").select("text", "word", "part")


def _words(tagger: _Tagger, text: str) -> Iterator[tuple[str, str]]:
    for word, tag in tagger.tag(text):
        if tag not in _BETWEEN_WORDS:
            lower = word.lower()
            yield lower, "yes/no" if lower in _YES_OR_NO else PARTS.get(tag[:2], "other")


def _tagger() -> _Tagger:
    try:
        from textblob.en.taggers import PatternTagger
    except ImportError as error:
        raise MissingDependencyError(
            "parts of speech: found no tagger, expected the package textblob; pip install 'eyechart[text]'"
        ) from error
    tagger: _Tagger = PatternTagger()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # it leaves its word list open after reading it
        tagger.tag("word")
    return tagger
