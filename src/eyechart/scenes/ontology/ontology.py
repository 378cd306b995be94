"""The words of pictures and what they have to do with each other: what a name is, what it may have, what follows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from eyechart.scenes.ontology.forms import plural_of, verb_forms
from eyechart.scenes.ontology.hierarchy import Hierarchy
from eyechart.scenes.ontology.lookup import Lookup, spelled
from eyechart.scenes.ontology.model import Attribute, AttributeType, Category, Noun, Relation

__all__ = ["Ontology"]

_COPULAS = ("is ", "are ", "was ", "were ", "be ", "being ")


@dataclass(frozen=True)
class Ontology:
    """Everything by its name; words as people write them are looked up.

    >>> from eyechart.scenes.ontology.loading import packaged_ontology
    >>> ontology = packaged_ontology()
    >>> ontology.noun("Bicycles").name, ontology.attribute("grey").name, ontology.relation("is sitting on").name
    ('bicycle', 'gray', 'sitting on')
    >>> ontology.is_a("apple", "food"), ontology.may_have("apple", "wood")
    (True, False)
    """

    categories: Mapping[str, Category]
    nouns: Mapping[str, Noun]
    """Objects, and the categories that people say."""
    types: Mapping[str, AttributeType]
    attributes: Mapping[str, Attribute]
    relations: Mapping[str, Relation]
    hierarchy: Hierarchy
    """Of categories and nouns; a category that people say is one name, not two."""
    places: Mapping[tuple[str, str], str]
    """File and line of everything: of ("category" | "object" | "type" | "attribute" | "relation", name)."""

    # ------------------------------------------------------------------ words

    def noun(self, word: str) -> Noun | None:
        """The likeliest noun that a word stands for: its name, plural, another spelling, a synonym."""
        return next(iter(self.nouns_of(word)), None)

    def nouns_of(self, word: str) -> tuple[Noun, ...]:
        """All nouns that a word may stand for, the likeliest first."""
        return tuple(self.nouns[name] for name in self._noun_words.names(word))

    def is_plural(self, word: str) -> bool:
        """Whether a word speaks of several: trees, glasses of milk; not sheep, which may be one.

        >>> from eyechart.scenes.ontology.loading import packaged_ontology
        >>> [packaged_ontology().is_plural(word) for word in ("dogs", "dog", "sheep")]
        [True, False, False]
        """
        return spelled(word) in self._plurals

    def attribute(self, word: str) -> Attribute | None:
        """The likeliest attribute that a word stands for."""
        return next(iter(self.attributes_of(word)), None)

    def attributes_of(self, word: str) -> tuple[Attribute, ...]:
        """All attributes that a word may stand for, the likeliest first; "red colored" is red."""
        found = self._attribute_words.names(word)
        return tuple(self.attributes[name] for name in found) or tuple(self._with_ending(spelled(word)))

    def relation(self, word: str) -> Relation | None:
        """The likeliest relation that words stand for, with or without "is" before them."""
        return next(iter(self.relations_of(word)), None)

    def relations_of(self, word: str) -> tuple[Relation, ...]:
        """All relations that words may stand for, the likeliest first."""
        words = spelled(word)
        found = self._relation_words.names(words)
        for copula in _COPULAS:
            found = found or self._relation_words.names(words.removeprefix(copula))
        return tuple(self.relations[name] for name in found)

    # ------------------------------------------------------------------ kinds

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Every more general name, nearest first."""
        return self.hierarchy.ancestors(name)

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether a name is another or stands below it."""
        return self.hierarchy.is_a(name, ancestor)

    def members(self, name: str) -> tuple[str, ...]:
        """The nouns below a category or a more general noun, in alphabetical order."""
        return self._members.get(name, ())

    def alike(self, one: str, other: str) -> bool:
        """Whether two nouns cannot be told apart safely: the same, similar, or one is a kind of the other."""
        if self.is_a(one, other) or self.is_a(other, one):
            return True
        return one in self.nouns and other in self.nouns[one].similar

    # ------------------------------------------------------------------ attributes

    def values(self, type_: str) -> tuple[Attribute, ...]:
        """The attributes of a type, those that are ordered first and from least to most."""
        order = {name: place for place, name in enumerate(self.types[type_].order)}
        values = [attribute for attribute in self.attributes.values() if attribute.type == type_]
        return tuple(sorted(values, key=lambda value: order.get(value.name, len(order))))

    def broader(self, attribute: str) -> tuple[str, ...]:
        """The values that an attribute implies, nearest first: blue for light blue."""
        found: dict[str, None] = {}
        above = self.attributes[attribute].parent
        while above is not None and above not in found:
            found[above] = None
            above = self.attributes[above].parent
        return tuple(found)

    def may_have(self, name: str, attribute: str) -> bool:
        """Whether a thing of this name can have an attribute, by its categories."""
        carriers = self.attributes[attribute].carriers
        return not carriers or any(self.is_a(name, carrier) for carrier in carriers)

    def is_exclusive(self, attribute: str) -> bool:
        """Whether a thing has at most one value of the attribute's type."""
        return self.types[self.attributes[attribute].type].exclusive

    def contradict(self, one: str, other: str) -> bool:
        """Whether having one attribute proves that a thing does not have the other.

        >>> from eyechart.scenes.ontology.loading import packaged_ontology
        >>> [packaged_ontology().contradict("red", other) for other in ("green", "red", "small", "maroon")]
        [True, False, False, False]
        """
        first, second = self.attributes[one], self.attributes[other]
        if other in (one, *first.similar, *self.broader(one)) or one in self.broader(other):
            return False
        if second.name == first.opposite or first.name == second.opposite:
            return True
        return first.type == second.type and self.is_exclusive(one)

    # ------------------------------------------------------------------ relations

    def implied(self, relation: str) -> tuple[str, ...]:
        """The relations that follow from one, nearest first: on for sitting on."""
        found: dict[str, None] = {}
        above = self.relations[relation].general
        while above is not None and above not in found:
            found[above] = None
            above = self.relations[above].general
        return tuple(found)

    def inverse(self, relation: str) -> str | None:
        """What holds the other way round: itself if symmetric; None if nothing is known to hold."""
        return relation if self.relations[relation].symmetric else self.relations[relation].inverse

    def makes_sense(self, subject: str, relation: str, target: str) -> bool:
        """Whether a relation may hold between things of two names, by their categories."""
        pairs = self.relations[relation].pairs
        return not pairs or any(self.is_a(subject, one) and self.is_a(target, other) for one, other in pairs)

    # ------------------------------------------------------------------ what lookups are made of

    @cached_property
    def _noun_words(self) -> Lookup:
        nouns = self.nouns.values()
        return Lookup(
            [
                [(noun.name, noun.name) for noun in nouns],
                [(noun.plural, noun.name) for noun in nouns],
                [(word, noun.name) for noun in nouns for word in noun.synonyms],
                [(plural_of(word), noun.name) for noun in nouns if noun.number == "count" for word in noun.synonyms],
                [(word, noun.name) for noun in nouns for word in noun.ambiguous],
                [(plural_of(word), noun.name) for noun in nouns if noun.number == "count" for word in noun.ambiguous],
                [(plural_of(noun.name), noun.name) for noun in nouns if noun.number == "mass"],
            ]
        )

    @cached_property
    def _plurals(self) -> frozenset[str]:
        return frozenset(form for noun in self.nouns.values() for form in self._plurals_of(noun))

    def _plurals_of(self, noun: Noun) -> Iterator[str]:
        """The forms that speak of several of a noun, and that mean it before anything else."""
        words = (noun.name, *noun.synonyms, *noun.ambiguous)
        several = words if noun.number == "plural" else (noun.plural, *map(plural_of, words))
        for form in map(spelled, several):
            if (form != spelled(noun.name) or noun.number == "plural") and self._noun_words.names(form)[:1] == (
                noun.name,
            ):
                yield form

    @cached_property
    def _members(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for name in sorted(self.nouns):
            for above in self.ancestors(name):
                found.setdefault(above, []).append(name)
        return {name: tuple(below) for name, below in found.items()}

    @cached_property
    def _attribute_words(self) -> Lookup:
        values = self.attributes.values()
        return Lookup(
            [
                [(value.name, value.name) for value in values],
                [(value.adjective, value.name) for value in values],
                [(value.predicate, value.name) for value in values],
                [(word, value.name) for value in values for word in value.synonyms],
                [(word, value.name) for value in values for word in value.ambiguous],
            ]
        )

    def _with_ending(self, word: str) -> Iterator[Attribute]:
        """The attributes that a word means without an ending that adds nothing: red for red colored."""
        endings = [(type_.name, f" {ending}") for type_ in self.types.values() for ending in type_.endings]
        for type_, ending in endings:
            bare = self._attribute_words.names(word.removesuffix(ending)) if word.endswith(ending) else ()
            yield from (self.attributes[name] for name in bare if self.attributes[name].type == type_)

    @cached_property
    def _relation_words(self) -> Lookup:
        relations = self.relations.values()
        return Lookup(
            [
                [(each.name, each.name) for each in relations],
                [(word, each.name) for each in relations for word in (each.phrase, each.third) if word],
                [(word, each.name) for each in relations for word in each.synonyms],
                list(_verb_words(relations)),
            ]
        )


def _verb_words(relations: Iterable[Relation]) -> Iterator[tuple[str, str]]:
    for relation in relations:
        for word in (relation.name, *relation.synonyms):
            for form in verb_forms(word):
                yield form, relation.name
