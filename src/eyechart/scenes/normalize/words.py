"""Strings of annotators taken apart into words: casing, marks, stop words, typos."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from eyechart.scenes.normalize.lists import Lists, Words
from eyechart.scenes.ontology import Ontology, plural_of, spelled

__all__ = ["Spelling", "WordGroups", "known_words", "words_of"]

_MARKS = re.compile(r"[^\w\s'&,/]+")
_LEAST_TYPO = 6
"""Shorter words have too many neighbours to guess which one was meant."""


def words_of(text: str) -> list[str]:
    """The words of an annotation, in lower case and without marks; commas, slashes and ampersands become "and".

    >>> words_of(' "Blue/white" T-Shirt. ')
    ['blue', 'and', 'white', 't', 'shirt']
    """
    plain = _MARKS.sub(" ", spelled(text))
    for mark in ",/&":
        plain = plain.replace(mark, " and ")
    return [word for word in (each.strip("'") or each for each in plain.split()) if word != "'"]


class WordGroups:
    """Groups of words that may stand before or after something and say nothing about it.

    >>> groups = WordGroups(["a", "picture of a", "very"])
    >>> groups.from_start(["picture", "of", "a", "very", "red", "car"])
    ['red', 'car']
    """

    def __init__(self, groups: Iterable[str]) -> None:
        self._groups = sorted({tuple(group.split()) for group in groups}, key=lambda group: (-len(group), group))

    def from_start(self, words: list[str]) -> list[str]:
        """What is left without the groups before it; never nothing."""
        for group in self._groups:
            if len(words) > len(group) and tuple(words[: len(group)]) == group:
                return self.from_start(words[len(group) :])
        return words

    def from_end(self, words: list[str]) -> list[str]:
        """What is left without the groups after it; never nothing."""
        for group in self._groups:
            if len(words) > len(group) and tuple(words[-len(group) :]) == group:
                return self.from_end(words[: -len(group)])
        return words


class Spelling:
    """Words of one wrong, missing, added or swapped letter, if only one known word can be meant.

    >>> spelling = Spelling(["ostrich", "pavement", "table", "cable"])
    >>> [spelling.corrected(word) for word in ("ostirch", "pvement", "dable", "table")]
    ['ostrich', 'pavement', None, None]
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)
        self._shortened: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(self._known):
            if len(word) >= _LEAST_TYPO - 1:
                for short in {word, *_without_a_letter(word)}:
                    self._shortened[short].append(word)

    def corrected(self, word: str) -> str | None:
        """The word that was meant; None if it is known, too short, or if several or none could be meant."""
        if word in self._known or len(word) < _LEAST_TYPO or not word.isalpha():
            return None
        near = {known for short in (word, *_without_a_letter(word)) for known in self._shortened.get(short, ())}
        meant = [known for known in near if known[0] == word[0] and _one_slip(word, known)]
        return meant[0] if len(meant) == 1 else None


def _without_a_letter(word: str) -> list[str]:
    return [word[:place] + word[place + 1 :] for place in range(len(word))]


def _one_slip(one: str, other: str) -> bool:
    """Whether two words differ by one letter: wrong, missing, added, or swapped with its neighbour."""
    start = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return abs(len(one) - len(other)) == 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def known_words(ontology: Ontology, lists: Lists) -> frozenset[str]:
    """Every single word that a name, an attribute or a relation may consist of."""
    phrases = [*_phrases_of_lists(lists.words)]
    for noun in ontology.nouns.values():
        names = (noun.name, *noun.synonyms, *noun.ambiguous)
        phrases += [noun.plural, *names, *map(plural_of, names)]
    for value in ontology.attributes.values():
        phrases += [value.name, value.adjective, value.predicate, *value.synonyms, *value.ambiguous]
    for relation in ontology.relations.values():
        phrases += [relation.name, relation.phrase, relation.third, *relation.synonyms]
    return frozenset(word for phrase in phrases for word in spelled(phrase).split())


def _phrases_of_lists(words: Words) -> Sequence[str]:
    listed = (words.leading, words.trailing, words.links, words.copulas, words.negations, words.measures)
    return [phrase for group in (*listed, words.adverbs, words.amorphous, words.numbers) for phrase in group]
