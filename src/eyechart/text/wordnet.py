"""WordNet's nouns: the synsets of a word, and how similar two words are (Wu-Palmer, as NLTK 3.10 gives it)."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from eyechart.text.wordnet_files import NounFiles, exceptions, packaged_folder, read_files
from eyechart.text.wordnet_tables import Ints, NounTables, cached_tables, split_rows
from eyechart.text.wu_palmer import Hierarchy, Senses, Similarities

__all__ = ["Nouns", "packaged_nouns"]

_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)
"""Rules of detachment for nouns, morphy(7)."""


class Nouns:
    """The nouns of one release of WordNet.

    >>> nouns = packaged_nouns()
    >>> nouns.synsets("Dogs")[0], nouns.synsets("tennis racket"), nouns.synsets("tennis_racket")
    ('dog.n.01', (), ('tennis_racket.n.01',))
    >>> round(nouns.similarity("dog", "cat"), 4)
    0.8571
    """

    def __init__(self, found: NounFiles, tables: NounTables) -> None:
        self.version = found.version
        """The release, such as 3.0."""
        self.sha256 = found.sha256
        """One hash of the files read."""
        self.own_exceptions = found.own_exceptions
        """Whether irregular plurals come from the release, not from our short list."""
        self._exceptions = exceptions(found.exceptions)
        self._tables = tables

    @classmethod
    def open(cls, folder: Path) -> "Nouns":
        """Read a folder of WordNet: Princeton's dict, NLTK's corpora/wordnet, Debian's /usr/share/wordnet."""
        found = read_files(folder)
        return cls(found, cached_tables(found))

    @property
    def source(self) -> str:
        """What a result says it was made with."""
        plurals = "" if self.own_exceptions else ", short list of irregular plurals"
        return f"WordNet {self.version} (sha256 {self.sha256[:12]}{plurals})"

    @cached_property
    def _word_numbers(self) -> dict[str, int]:
        words = self._tables.words.tobytes().decode().split("\n")
        return {word: number for number, word in enumerate(words)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all synsets, by number."""
        return tuple(self._tables.names.tobytes().decode().split("\n"))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every noun, in the order of the files; terms of several words have underscores."""
        return tuple(self._word_numbers)

    @cached_property
    def _hierarchy(self) -> Hierarchy:
        return Hierarchy(self._tables)

    def base_forms(self, word: str) -> tuple[str, ...]:
        """The nouns that a form may be of: itself, its irregular singulars, or what is left without its ending.

        >>> packaged_nouns().base_forms("glasses"), packaged_nouns().base_forms("mice")
        (('glasses', 'glass'), ('mouse',))
        """
        form = word.lower()
        others = self._exceptions.get(form)
        if others is None:
            others = tuple(form.removesuffix(old) + new for old, new in _ENDINGS if form.endswith(old))
        return tuple(dict.fromkeys(each for each in (form, *others) if each in self._word_numbers))

    def _synset_numbers(self, word: str) -> Ints:
        rows = [self._word_numbers[form] for form in self.base_forms(word)]
        starts = self._tables.word_start
        pieces = [self._tables.word_synset[starts[row] : starts[row + 1]] for row in rows]
        return np.concatenate(pieces) if pieces else np.zeros(0, np.int32)

    def synsets(self, word: str) -> tuple[str, ...]:
        """Names of the noun synsets of a word, most frequent first; several words are joined by underscores."""
        return tuple(self.names[number] for number in self._synset_numbers(word))

    def senses(self, words: Iterable[str]) -> Senses:
        """The synsets of many words, to compare them by their place."""
        rows = [self._synset_numbers(word) for word in words]
        flat = np.concatenate(rows) if rows else np.zeros(0, np.int32)
        return Senses(split_rows(np.array([row.size for row in rows], np.int64)), flat)

    def similarities(self, words: Sequence[str], first: Ints, second: Ints, *, all_senses: bool = True) -> Similarities:
        """Wu-Palmer similarity of pairs of words, given by their places among ``words``.

        The largest of all pairs of senses, or that of the first senses; 0 where a word has no noun sense.

        >>> nouns = packaged_nouns()
        >>> nouns.similarities(["cat", "dog", "the"], np.array([0, 0]), np.array([1, 2])).round(4).tolist()
        [0.8571, 0.0]
        """
        return self.sense_similarities(self.senses(words), first, second, all_senses=all_senses)

    def sense_similarities(self, senses: Senses, first: Ints, second: Ints, *, all_senses: bool = True) -> Similarities:
        """The same for words whose senses are known."""
        return self._hierarchy.of_words(senses if all_senses else senses.first, first, second)

    def similarity(self, first: str, second: str, *, all_senses: bool = True) -> float:
        """Wu-Palmer similarity of two words.

        >>> round(packaged_nouns().similarity("lady", "woman"), 4)
        0.6316
        """
        pair = np.array([0]), np.array([1])
        return float(self.similarities([first, second], *pair, all_senses=all_senses)[0])


@cache
def packaged_nouns() -> Nouns:
    """The nouns of the WordNet that an installed package holds.

    >>> packaged_nouns().version
    '3.0'
    """
    return Nouns.open(packaged_folder())
