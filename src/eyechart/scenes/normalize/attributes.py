"""What an annotator's attribute means, for a thing of a certain name: every distinct pair is read once.

Which value a word stands for depends on the thing: a short man is not tall, a short rope is not long.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from eyechart.scenes.normalize.names import NameReader
from eyechart.scenes.normalize.words import words_of
from eyechart.scenes.ontology import Attribute, Ontology, spelled

__all__ = ["AttributeReader", "AttributeReading"]

_MADE_OF = ("made", "of")


@dataclass(frozen=True, slots=True)
class AttributeReading:
    """What an attribute was found to mean."""

    attributes: tuple[str, ...]
    """The values; none if nothing is known, or if the thing cannot have it."""
    rule: str
    why: str
    forbidden: tuple[str, ...] = ()
    """Values that the categories of the thing do not allow."""


class AttributeReader:
    """Reads attributes by an ontology.

    >>> from eyechart.scenes.normalize.lists import packaged_lists
    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> reader = AttributeReader(NameReader(packaged_ontology(), packaged_lists()))
    >>> reader.read("shirt", "Old, very torn").attributes
    ('old', 'torn')
    """

    def __init__(self, names: NameReader) -> None:
        self.names = names

    @property
    def ontology(self) -> Ontology:
        """The ontology that the names are read by."""
        return self.names.ontology

    def read(self, name: str, text: str) -> AttributeReading:
        """What an attribute means for a thing of this name."""
        words = words_of(text)
        noun = self.ontology.noun(name)
        groups = list(self._groups(words)) or list(self._groups(self._corrected(words)))
        if not groups or noun is None:
            return AttributeReading((), "unknown word", text)
        allowed = [self._allowed(noun.name, group) for group in groups]
        values = tuple(dict.fromkeys(value.name for value in allowed if value is not None))
        if not values:
            forbidden = tuple(dict.fromkeys(group[0].name for group in groups))
            return AttributeReading((), "unnatural", f"{name}: {text}", forbidden)
        rule = "spelling" if spelled(values[0]) == " ".join(words) else "synonym"
        return AttributeReading(values, rule, text)

    def values(self, text: str) -> tuple[str, ...]:
        """The likeliest values that an attribute holds, whatever thing it is said of.

        >>> from eyechart.scenes.normalize.vocabulary import packaged_vocabulary
        >>> packaged_vocabulary().attribute_reader.values("Made of bricks")
        ('brick',)
        """
        words = words_of(text)
        groups = list(self._groups(words)) or list(self._groups(self._corrected(words)))
        return tuple(dict.fromkeys(group[0].name for group in groups))

    def _allowed(self, name: str, group: tuple[Attribute, ...]) -> Attribute | None:
        return next((value for value in group if self.ontology.may_have(name, value.name)), None)

    def _corrected(self, words: list[str]) -> list[str]:
        return [self.names.spelling.corrected(word) or word for word in words]

    def _groups(self, words: list[str]) -> Iterator[tuple[Attribute, ...]]:
        """The values that each known part may stand for, the longest parts first; unknown parts are passed over."""
        if whole := self._values(words):
            yield whole
            return
        if any(word in self.names.words.negations for word in words):
            return
        rest = words[2:] if tuple(words[:2]) == _MADE_OF else words
        while rest:
            size = next((size for size in range(len(rest), 0, -1) if self._values(rest[:size])), 0)
            if size:
                yield self._values(rest[:size])
            rest = rest[max(size, 1) :]

    def _values(self, words: list[str]) -> tuple[Attribute, ...]:
        phrase = " ".join(words)
        found = self.ontology.attributes_of(phrase)
        if found:
            return found
        # A wall of bricks is made of brick.
        noun = self.ontology.noun(phrase) if self.ontology.is_plural(phrase) else None
        return self.ontology.attributes_of(noun.name) if noun is not None else ()
