"""What the ontology knows of a word: plain records, without files and without lookups."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Attribute", "AttributeType", "Category", "Gender", "Noun", "Number", "Relation"]

Number = Literal["count", "mass", "plural"]
"""A cup, some milk, a pair of scissors."""

Gender = Literal["female", "male"]


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of thing that other kinds and objects belong to, such as fruit, which is food."""

    name: str
    parents: tuple[str, ...]
    """More general categories; none for a root."""
    plural: str
    article: str
    """a or an; empty for a mass noun."""
    number: Number = "count"
    phrase: str = ""
    """How one says "a thing of this category", such as "piece of furniture"; the name if empty."""
    named: bool = True
    """Whether people say it ("What kind of fruit …?"); false for categories that only group."""
    living: bool = False
    person: bool = False
    disjoint: bool = True
    """Whether nothing is both in this category and in another disjoint one with the same parent."""
    places: tuple[str, ...] = ()
    """Where things of this category are at home, unless they say otherwise; so that a thousand objects need not."""
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Noun:
    """The name of an object."""

    name: str
    parents: tuple[str, ...]
    """Its categories, or a more general object: a school bus is a bus."""
    plural: str
    article: str
    number: Number = "count"
    synonyms: tuple[str, ...] = ()
    """Other words and spellings for the same."""
    living: bool = False
    person: bool = False
    gender: Gender | None = None
    places: tuple[str, ...] = ()
    """Scenes where it is at home, such as kitchen or street."""
    similar: tuple[str, ...] = ()
    """What it is easily taken for, so that neither is a decoy for the other."""
    ambiguous: tuple[str, ...] = ()
    """Words that may mean it but also something else: mouse for a computer mouse. The context has to decide."""


@dataclass(frozen=True, slots=True)
class AttributeType:
    """What attributes are about: colour, material, size."""

    name: str
    exclusive: bool
    """Whether one thing has one value of it at most (a shirt of two colours has none that is *the* colour)."""
    order: tuple[str, ...] = ()
    """Values from least to most, where they are ordered."""
    noun: str = ""
    """How one asks for it ("What colour is …?"); empty where one cannot."""
    endings: tuple[str, ...] = ()
    """Words that annotators put after a value without changing it: red colored, square shaped."""
    carriers: tuple[str, ...] = ()
    """What may have its values, unless they say otherwise; everything if empty."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value of an attribute type: red, wooden, asleep."""

    name: str
    type: str
    adjective: str
    """The form before a noun: wood, wooden; the name where there is no other."""
    predicate: str
    """The form after "is": "made of wood", "asleep"."""
    before: bool = True
    """Whether it may stand before its noun ("the red car"); if not, it follows ("the dog that is asleep")."""
    parent: str | None = None
    """The more general value: blue for light blue."""
    opposite: str | None = None
    similar: tuple[str, ...] = ()
    """Values that annotators mix up with it."""
    synonyms: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    """Categories or objects that may have it; everything if empty."""
    comparative: str = ""
    """older for old; empty where one does not compare."""
    ambiguous: tuple[str, ...] = ()
    """Words that may mean it but also a value of another type: short for both height and length."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A predicate between two objects: on, wearing, to the left of, taller than."""

    name: str
    kind: Literal["preposition", "verb", "comparative"]
    voice: Literal["active", "passive"] | None = None
    """For verbs."""
    copula: bool = True
    """Whether statements need "is" ("is wearing", "is on"); if not, the verb itself changes ("has", "have")."""
    phrase: str = ""
    """The words after "is", or the plural form of a verb without copula ("have"); the name if empty."""
    third: str = ""
    """The singular form of a verb without copula ("has")."""
    inverse: str | None = None
    """What holds the other way round: below for above, worn by for wearing."""
    opposite: str | None = None
    """What cannot hold at the same time: to the right of for to the left of."""
    symmetric: bool = False
    transitive: bool = False
    synonyms: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    """Categories or objects of subject and object between which it makes sense; any if empty."""
    similar: tuple[str, ...] = ()
    """Relations that annotators mix up with it."""
    general: str | None = None
    """The relation that follows from it: on for sitting on."""
