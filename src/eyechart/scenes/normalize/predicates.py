"""What an annotator's predicate means: every distinct predicate is read once.

Known words are found with or without auxiliaries, articles and typos. Of a longer phrase the longest known part is the
relation, if what stands around it is only words of description: "green trees by road" is next to, and they are green.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from eyechart.scenes.normalize.lists import Lists
from eyechart.scenes.normalize.names import NameReader
from eyechart.scenes.normalize.words import words_of
from eyechart.scenes.ontology import Ontology, spelled

__all__ = ["PredicateReader", "PredicateReading"]


@dataclass(frozen=True, slots=True)
class PredicateReading:
    """What a predicate was found to mean."""

    relations: tuple[str, ...]
    """The relations it may stand for, the likeliest first."""
    rule: str
    why: str
    attributes: tuple[str, ...] = ()
    """Attributes of the subject that it tells, as written."""


class PredicateReader:
    """Reads predicates by an ontology.

    >>> from eyechart.scenes.normalize.lists import packaged_lists
    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> names = NameReader(packaged_ontology(), packaged_lists())
    >>> PredicateReader(names, packaged_lists()).read("ON").relations
    ('on',)
    """

    def __init__(self, names: NameReader, lists: Lists) -> None:
        self.names = names
        self.words = lists.words

    @property
    def ontology(self) -> Ontology:
        """The ontology that the names are read by."""
        return self.names.ontology

    def read(self, text: str) -> PredicateReading:
        """What a predicate means; without relations if nothing of it is known."""
        words = words_of(text)
        if not words:
            return PredicateReading((), "no name", "")
        if any(word in self._negations for word in words):
            return PredicateReading((), "negation", text)
        corrected = [self.names.spelling.corrected(word) or word for word in words]
        found = self._whole(words) or self._without_typos(corrected, words)
        return found or self._longest_part(self._bare(corrected)) or PredicateReading((), "unknown word", text)

    def _whole(self, words: list[str]) -> PredicateReading | None:
        whole = self._relations(words)
        if whole:
            rule = "spelling" if spelled(whole[0]) == " ".join(words) else "synonym"
            return PredicateReading(whole, rule, " ".join(words))
        bare = self._bare(words)
        found = self._relations(bare) if bare != words else ()
        return PredicateReading(found, "stop words", " ".join(words)) if found else None

    def _without_typos(self, corrected: list[str], words: list[str]) -> PredicateReading | None:
        reading = self._whole(corrected) if corrected != words else None
        return replace(reading, rule="typo", why=" ".join(corrected)) if reading is not None else None

    def _relations(self, words: list[str]) -> tuple[str, ...]:
        return tuple(relation.name for relation in self.ontology.relations_of(" ".join(words))) if words else ()

    def _bare(self, words: list[str]) -> list[str]:
        """Without words that only describe a relation, and without numbers."""
        kept = [word for word in words if word not in self._adverbs and word not in self._numbers]
        return kept or words

    def _longest_part(self, words: list[str]) -> PredicateReading | None:
        for size in range(len(words) - 1, 0, -1):
            for start in range(len(words) - size, -1, -1):
                before, after = words[:start], words[start + size :]
                found = self._relations(words[start : start + size])
                if found and self._describes(before) and self._describes(after):
                    return PredicateReading(found, "phrase", " ".join(words), self._told(before))
        return None

    def _told(self, words: list[str]) -> tuple[str, ...]:
        """The attributes among words that name no thing: "green" of trees, but not "computer" of what has a button."""
        return tuple(word for word in words if self.ontology.attributes_of(word) and not self.ontology.nouns_of(word))

    def _describes(self, words: list[str]) -> bool:
        """Whether words around a relation are things, attributes or verbs; what else they say could matter."""
        return all(
            self.ontology.attributes_of(word) or self.ontology.nouns_of(word) or word.endswith(("ing", "ed", "s"))
            for word in words
        )

    @cached_property
    def _adverbs(self) -> frozenset[str]:
        return frozenset(word for word in self.words.adverbs if " " not in word)

    @cached_property
    def _negations(self) -> frozenset[str]:
        return frozenset(self.words.negations) - {"without"}

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(self.words.numbers)
