"""Words and answers as numbers: which ones a network knows, and in which order."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["Answers", "BagOfWords", "Words", "program_text", "tokens"]

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[^\sa-z0-9]")
_LEAVES = re.compile(r"[?.!,;:\"()]")
PADDING, UNKNOWN = 0, 1


def tokens(text: str) -> list[str]:
    """The words of a question, in lower case; marks are left out, a name with an apostrophe stays whole.

    >>> tokens("What's the dog's color?")
    ["what's", 'the', "dog's", 'color']
    """
    return [word for word in _WORD.findall(text.lower()) if not _LEAVES.fullmatch(word)]


def program_text(programs: pl.Series) -> list[list[str]]:
    """Programs as words: operation, the words of its argument, and the steps that it depends on.

    Object ids in parentheses are left out: they would tell what the picture has to tell.

    >>> step = {"operation": "select", "argument": "red ball (17)", "dependencies": []}
    >>> program_text(pl.Series([[step], None]))
    [['<select>', 'red', 'ball'], []]
    """
    return [[word for step in steps or () for word in _step_words(step)] for steps in programs.to_list()]


def _step_words(step: dict[str, str | list[int] | None]) -> Iterable[str]:
    yield f"<{step['operation']}>"
    yield from tokens(re.sub(r"\([^)]*\)", " ", str(step["argument"] or "")))
    # Steps of a program are listed, never joined to a text.
    depends = step["dependencies"]
    yield from (f"[{place}]" for place in (depends if isinstance(depends, list) else ()))


@dataclass(frozen=True)
class Words:
    """The words of training questions; the rest is one unknown word.

    >>> words = Words.of([["is", "it", "red"], ["is", "it", "blue"]], fewest=2)
    >>> words.known, words.encode([["it", "is", "green"]], most=4).tolist()
    (['is', 'it'], [[3, 2, 1]])
    """

    known: list[str] = field(default_factory=list[str])

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], *, fewest: int = 1) -> "Words":
        """Every word that comes at least so often, the most frequent first."""
        counts = Counter(word for text in texts for word in text)
        return cls(sorted((word for word, n in counts.items() if n >= fewest), key=lambda word: (-counts[word], word)))

    def __len__(self) -> int:
        return len(self.known) + 2

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.known, UNKNOWN + 1)}

    def encode(self, texts: Sequence[Sequence[str]], *, most: int) -> Numbers:
        """A row per text: numbers of its first words, then padding. A text without words is one unknown word."""
        rows = np.zeros((len(texts), max(1, min(most, max((len(text) for text in texts), default=1)))), np.int64)
        for row, text in zip(rows, texts, strict=True):
            numbers = [self._places.get(word, UNKNOWN) for word in text[: rows.shape[1]]] or [UNKNOWN]
            row[: len(numbers)] = numbers
        return rows


@dataclass(frozen=True)
class BagOfWords:
    """Counts of the most frequent words, and which of the most frequent first, second and third words there are.

    >>> bag = BagOfWords.of([["is", "it", "red"], ["is", "it", "blue"]], words=2, firsts=1)
    >>> bag.encode([["is", "it", "it"]]).tolist()
    [[1.0, 2.0, 1.0, 1.0, 0.0]]
    """

    known: list[str]
    firsts: list[list[str]] = field(default_factory=list[list[str]])
    """The most frequent words at the first, second and third place."""
    words: int = 1000
    per_place: int = 10

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], *, words: int = 1000, firsts: int = 10) -> "BagOfWords":
        """From the training texts; captions have no first words that matter."""
        known = Words.of(texts).known[:words]
        places = [Words.of([text[place : place + 1] for text in texts]).known[:firsts] for place in range(3)]
        return cls(known, places if firsts else [], words, firsts)

    @property
    def width(self) -> int:
        """How long a vector is, whether or not there are so many words: 1,030 in the paper."""
        return self.words + 3 * self.per_place

    def encode(self, texts: Sequence[Sequence[str]]) -> Floats:
        """A row of counts and flags per text."""
        places = {word: place for place, word in enumerate(self.known)}
        rows = np.zeros((len(texts), self.width), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text:
                if (place := places.get(word)) is not None:
                    row[place] += 1
            for number, (word, listed) in enumerate(zip(text, self.firsts, strict=False)):
                if word in listed:
                    row[self.words + number * self.per_place + listed.index(word)] = 1
        return rows


@dataclass(frozen=True)
class Answers:
    """The answers that a network can give.

    >>> Answers.of(pl.Series(["no", "yes", "no", "two"]), most=2).known
    ['no', 'two']
    """

    known: list[str]

    @classmethod
    def of(cls, given: pl.Series, *, most: int | None = None, fewest: int = 1) -> "Answers":
        """The most frequent answers, those of equal frequency in alphabetical order."""
        counts = Counter(given.drop_nulls().to_list())
        listed = sorted((each for each, n in counts.items() if n >= fewest), key=lambda each: (-counts[each], each))
        return cls(listed[:most])

    def __len__(self) -> int:
        return len(self.known)

    def places(self, answers: pl.Series) -> Numbers:
        """The place of each answer; -1 for those that are not known."""
        places = pl.Series(range(len(self.known)), dtype=pl.Int64)
        found = answers.replace_strict(
            pl.Series(self.known, dtype=pl.String), places, default=-1, return_dtype=pl.Int64
        )
        return found.fill_null(-1).to_numpy().astype(np.int64)
