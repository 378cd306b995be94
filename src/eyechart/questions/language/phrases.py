"""Every phrase that a language can say, once, with its number: sentences are rows of numbers until the very end.

A phrase is stored with the blank before it, so that sentences are joined without anything between. It has two more
forms: as the first of a sentence, and alone as an answer.
"""

from collections.abc import Iterable

import numpy as np
import polars as pl

from eyechart.questions.arrays.ragged import Ints

__all__ = ["Phrases"]


class Phrases:
    """A growing list of phrases.

    >>> phrases = Phrases()
    >>> red = phrases.word("red")
    >>> phrases.texts().gather([red, phrases.first(red), phrases.alone(red)]).to_list()
    [' red', 'Red', 'red']
    """

    def __init__(self, *, lower_answers: bool = False) -> None:
        self._lower = lower_answers
        self._numbers: dict[str, int] = {"": 0}
        self._frozen: int | None = None

    def __len__(self) -> int:
        return len(self._numbers)

    def word(self, text: str) -> int:
        """The number of words that follow others; 0 for none."""
        return self.exactly(f" {text}" if text else "")

    def words(self, texts: Iterable[str]) -> Ints:
        """The numbers of several."""
        return np.array([self.word(text) for text in texts], dtype=np.int64)

    def exactly(self, text: str) -> int:
        """The number of a text whose blanks are its own: ``?`` or `` of``."""
        if text not in self._numbers and self._frozen is not None:
            raise AssertionError(f"{text!r} came after the phrases were numbered")
        return self._numbers.setdefault(text, len(self._numbers))

    def texts_of(self, numbers: Ints) -> list[str]:
        """The texts of some numbers, blanks and all."""
        texts = list(self._numbers)
        return [texts[number] for number in numbers]

    def texts(self) -> pl.Series:
        """All texts: within a sentence, then as its beginning, then alone. From here on nothing can be added."""
        self._frozen = len(self._numbers)
        inner = list(self._numbers)
        bare = [text.removeprefix(" ") for text in inner]
        # Answers are data; where the field writes them in small letters, so do we.
        alone = [text.lower() for text in bare] if self._lower else bare
        return pl.Series("phrase", [*inner, *(text[:1].upper() + text[1:] for text in bare), *alone], dtype=pl.String)

    def breaks(self) -> Ints:
        """How many blanks each of these texts has."""
        return self.texts().str.count_matches(" ", literal=True).to_numpy().astype(np.int64)

    def first(self, phrase: int | Ints) -> int | Ints:
        """The form that begins a sentence; nothing stays nothing."""
        return np.where(phrase == 0, 0, phrase + len(self)) if isinstance(phrase, np.ndarray) else phrase + len(self)

    def alone(self, phrase: int | Ints) -> int | Ints:
        """The form that stands alone."""
        return self.first(self.first(phrase))
