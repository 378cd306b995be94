"""What an annotator's name for a thing means: every distinct name is read once.

Tried in this order, on less and less of the name: the whole (a "wooden chair" still tells its wood); without a number
("two dogs"); without stop words; the owner ("man's shirt"); a measure ("piece of cake"); the head of a phrase ("man has
glasses."); attributes before it ("red car"); attributes after it ("monitor off"); the last noun of a compound ("tennis
player"); and all again without typos.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from eyechart.scenes.normalize.lists import Lists
from eyechart.scenes.normalize.words import Spelling, WordGroups, known_words, words_of
from eyechart.scenes.ontology import Noun, Ontology, spelled

__all__ = ["NameReader", "NameReading"]


@dataclass(frozen=True, slots=True)
class NameReading:
    """What a name was found to mean."""

    names: tuple[str, ...]
    """The nouns it may stand for, the likeliest first, in the plural where it speaks of several."""
    rule: str
    why: str
    attributes: tuple[str, ...] = ()
    """Attributes that it holds, as written."""
    owner: str = ""
    """The noun of the one that it belongs to."""
    instances: int | None = 1
    """How many things it speaks of; None for several."""


_Attempt = Callable[[list[str]], "NameReading | None"]


class NameReader:
    """Reads names by an ontology.

    >>> from eyechart.scenes.normalize.lists import packaged_lists
    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> reader = NameReader(packaged_ontology(), packaged_lists())
    >>> reader.read("Two small dogs").names, reader.read("Two small dogs").instances
    (('dogs',), 2)
    >>> reader.read("man's red shirt").owner, reader.read("man's red shirt").attributes
    ('man', ('red',))
    """

    def __init__(self, ontology: Ontology, lists: Lists) -> None:
        self.ontology = ontology
        self.words = lists.words
        self.spelling = Spelling(known_words(ontology, lists))
        self._leading, self._trailing = WordGroups(lists.words.leading), WordGroups(lists.words.trailing)
        self._links = frozenset(lists.words.links) | self._copulas
        self._attempts: tuple[_Attempt, ...] = (
            *(
                self._telling,
                self._known,
                self._counted,
                self._without_stop_words,
                self._owned,
                self._measured,
                self._headed,
            ),
            *(self._described, self._described_after, self._compound),
        )

    def read(self, text: str) -> NameReading:
        """What a name means; without names if nothing of it is known."""
        words = words_of(text)
        if not words:
            return NameReading((), "no name", "")
        reading = self._read(words) or self._without_typos(words)
        if self._is_amorphous(words, reading):
            return NameReading((), "amorphous", text)
        return reading or NameReading((), "unknown word", text)

    def _is_amorphous(self, words: list[str], reading: NameReading | None) -> bool:
        bare = " ".join(self._trailing.from_end(self._leading.from_start(words)))
        head, of, _ = bare.partition(" of ")
        if of and head in self._amorphous and head not in self._measures:
            return True
        kinds = () if reading is None else reading.names
        nouns = [noun for name in kinds if (noun := self.ontology.noun(name))]
        only_abstract = bool(nouns) and all("abstract thing" in self.ontology.ancestors(noun.name) for noun in nouns)
        return bare in self._amorphous or only_abstract

    def _read(self, words: list[str]) -> NameReading | None:
        return next((found for attempt in self._attempts if (found := attempt(words)) is not None), None)

    def _known(self, words: list[str]) -> NameReading | None:
        phrase = " ".join(words)
        nouns = self.ontology.nouns_of(phrase)
        if not nouns:
            return None
        several = self.ontology.is_plural(phrase)
        names = tuple(dict.fromkeys(self._surface(noun, several=several) for noun in nouns))
        forms = {spelled(form) for noun in nouns for form in (noun.name, noun.plural)}
        rule = "spelling" if phrase in forms else "synonym"
        return NameReading(names, rule, phrase, instances=None if several or nouns[0].number == "mass" else 1)

    def _telling(self, words: list[str]) -> NameReading | None:
        """A wooden chair, which is another word for a chair, is still of wood."""
        known = self._known(words)
        if known is None or known.rule != "synonym":
            return None
        described = self._described(words)
        if described is None or described.names[0] != known.names[0]:
            return None
        told = tuple(word for word in described.attributes if self._is_seen(word))
        return replace(described, attributes=told) if told else None

    def _is_seen(self, word: str) -> bool:
        value = self.ontology.attribute(word)
        return value is not None and value.type in self.words.seen

    def _surface(self, noun: Noun, *, several: bool) -> str:
        """The plural if several are meant, unless that would name something else: glasses are not several glasses."""
        if not several or noun.number != "count":
            return noun.name
        again = self.ontology.noun(noun.plural)
        return noun.plural if again is not None and again.name == noun.name else noun.name

    def _without_stop_words(self, words: list[str]) -> NameReading | None:
        bare = self._trailing.from_end(self._leading.from_start(words))
        while len(bare) > 1 and bare[-1].isdigit():
            bare = bare[:-1]
        return self._rest(bare, "stop words", words) if len(bare) < len(words) else None

    def _owned(self, words: list[str]) -> NameReading | None:
        """Man's shirt, girls' hair, mans shirt."""
        for place, word in enumerate(words[:-1]):
            if word.endswith("'s") or (word.endswith("s") and self._is_person(word[:-1]) and place == 0):
                owner = self._noun([*words[:place], word.removesuffix("'s").removesuffix("s")])
                rest = self._rest(words[place + 1 :], "owner in name", words)
                if rest is not None:
                    return replace(rest, owner=owner or rest.owner)
        return None

    def _is_person(self, word: str) -> bool:
        noun = self.ontology.noun(word)
        return noun is not None and noun.person

    def _counted(self, words: list[str]) -> NameReading | None:
        for phrase, number in self._numbers:
            if tuple(words[: len(phrase)]) == phrase and len(words) > len(phrase):
                rest = self._rest(words[len(phrase) :], "number in name", words)
                return replace(rest, instances=number) if rest is not None else None
        if words[0].isdigit() and len(words) > 1 and len(words[0]) <= 2:  # noqa: PLR2004  # nobody counts hundreds
            rest = self._rest(words[1:], "number in name", words)
            return replace(rest, instances=int(words[0])) if rest is not None else None
        return None

    def _measured(self, words: list[str]) -> NameReading | None:
        if "of" not in words[1:-1] or words[words.index("of") - 1] not in self._measures:
            return None
        return self._rest(words[words.index("of") + 1 :], "measure", words)

    def _headed(self, words: list[str]) -> NameReading | None:
        """The head of a phrase is what stands before its first link; what follows may tell an owner or an attribute."""
        place = next((place for place, word in enumerate(words[1:], 1) if word in self._links or word == "of"), None)
        head = self._rest(words[:place], "phrase", words) if place is not None else None
        if place is None or head is None:
            return None
        link, after = words[place], words[place + 1 :]
        if link == "of":
            return replace(head, owner=head.owner or self._noun(after))
        if not after:
            # "People walking" are people, and they walk.
            return replace(head, attributes=(*head.attributes, *((link,) if self.ontology.attribute(link) else ())))
        told = self._attributes(after) if link in self._copulas else None
        return replace(head, attributes=(*head.attributes, *(told or ())))

    def _described(self, words: list[str]) -> NameReading | None:
        """Attributes before a noun; the longest noun wins: a hot dog is no dog."""
        for place in range(1, len(words)):
            told = self._attributes(words[:place])
            rest = self._known(words[place:]) if told else None
            if told and rest is not None:
                return self._explained(replace(rest, attributes=told), "attribute in name", words)
        return None

    def _described_after(self, words: list[str]) -> NameReading | None:
        """Monitor off, laptop not green; but a wrist rest is no wrist that rests."""
        if self.ontology.nouns_of(words[-1]):
            return None
        for place in range(len(words) - 1, 0, -1):
            rest = self._known(words[:place])
            negated = words[place] in self._negations
            told = () if negated else self._attributes(words[place:])
            if rest is not None and (negated or told):
                return self._explained(replace(rest, attributes=told or ()), "attribute in name", words)
        return None

    def _compound(self, words: list[str]) -> NameReading | None:
        """The last noun of a compound: a tennis player is a player; a part belongs to what stands before it."""
        for place in range(1, len(words)):
            rest = self._known(words[place:])
            if rest is None or words[place - 1] in self._links:
                continue
            told = self._told(words[:place])
            owner = self._noun(words[:place]) if self._is_part(rest) else ""
            return self._explained(replace(rest, attributes=told, owner=owner), "compound name", words)
        return None

    def _is_part(self, reading: NameReading) -> bool:
        return any(
            self.ontology.is_a(noun.name, "part") for name in reading.names if (noun := self.ontology.noun(name))
        )

    def _told(self, words: list[str]) -> tuple[str, ...]:
        """The attributes among words of which some are unknown."""
        return tuple(word for word in words if self.ontology.attributes_of(word) and word not in self._negations)

    def _attributes(self, words: list[str]) -> tuple[str, ...] | None:
        """Words that are attributes, and nothing else; None if they are not."""
        if any(word in self._negations or word in self._links for word in words):
            return None
        found: list[str] = []
        rest = words
        while rest:
            size = next((n for n in range(len(rest), 0, -1) if self.ontology.attributes_of(" ".join(rest[:n]))), 0)
            if not size and rest[0] not in self._fillers:
                return None
            found += [" ".join(rest[:size])] if size else []
            rest = rest[max(size, 1) :]
        return tuple(dict.fromkeys(found)) or None

    def _noun(self, words: list[str]) -> str:
        """The noun that words stand for, or nothing."""
        reading = self._read(words)
        noun = self.ontology.noun(reading.names[0]) if reading is not None and reading.names else None
        return noun.name if noun is not None else ""

    def _rest(self, words: list[str], rule: str, whole: list[str]) -> NameReading | None:
        reading = self._read(words) if words else None
        return self._explained(reading, rule, whole) if reading is not None else None

    @staticmethod
    def _explained(reading: NameReading, rule: str, whole: list[str]) -> NameReading:
        return replace(reading, rule=rule, why=" ".join(whole))

    def _without_typos(self, words: list[str]) -> NameReading | None:
        corrected = [self.spelling.corrected(word) or word for word in words]
        if corrected == words:
            return None
        reading = self._read(corrected)
        return self._explained(reading, "typo", corrected) if reading is not None else None

    @cached_property
    def _copulas(self) -> frozenset[str]:
        return frozenset(self.words.copulas)

    @cached_property
    def _negations(self) -> frozenset[str]:
        return frozenset(self.words.negations)

    @cached_property
    def _measures(self) -> frozenset[str]:
        return frozenset(self.words.measures)

    @cached_property
    def _amorphous(self) -> frozenset[str]:
        return frozenset(self.words.amorphous)

    @cached_property
    def _fillers(self) -> frozenset[str]:
        return frozenset({"and", *self.words.adverbs})

    @cached_property
    def _numbers(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        return tuple(self._sorted_numbers())

    def _sorted_numbers(self) -> Iterator[tuple[tuple[str, ...], int]]:
        phrases = [(tuple(phrase.split()), number) for phrase, number in self.words.numbers.items()]
        yield from sorted(phrases, key=lambda entry: (-len(entry[0]), entry[0]))
