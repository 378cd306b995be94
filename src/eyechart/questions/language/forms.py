"""What a language has to offer, as tables of phrase numbers: which form of a word stands in which place.

The planner knows no word of any language. It knows that a noun phrase has a determiner, adjectives, a noun and what
follows; that verbs agree; that relations stand between two noun phrases and may govern a case. Each of that is one
lookup in one of these tables.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from eyechart.questions.arrays.ragged import Flags, Ints
from eyechart.questions.language.phrases import Phrases

__all__ = ["DEFINITE", "INCOMING", "INDEFINITE", "OUTGOING", "Forms", "Links"]

DEFINITE, INDEFINITE = 0, 1
"""How adjectives are declined: after the, and after a or nothing."""
OUTGOING, INCOMING = 0, 1
"""Whether what is described is the subject of the relation or its object."""


@dataclass(frozen=True)
class Links:
    """How a noun is described by a relation: what stands before the other noun phrase, and what after it."""

    before: Ints
    """``before[relation, direction, variant, class of what is described]``."""
    after: Ints
    """``after[relation, direction, variant, class of the other]``."""
    case: Ints
    """``case[relation, direction, variant]`` of the other."""
    exists: Flags
    """``exists[relation, direction, variant]``."""


@dataclass(frozen=True)
class Forms:
    """A language's tables; classes are what words agree in: number, gender, person."""

    name: str
    phrases: Phrases
    cases: tuple[str, ...]
    yes: int
    no: int
    class_of: Ints
    """``class_of[kind, several]``."""
    determiners: Mapping[str, Ints]
    """By name: ``[case, class, onset]``, where onset is how the next word begins."""
    declension: Mapping[str, int]
    """How adjectives are declined after each determiner."""
    verbs: Mapping[str, Ints]
    """By name: ``[class]``."""
    pronouns: Mapping[str, Ints]
    """By name: ``[class]``; 0 where there is none."""
    noun: Ints
    """``noun[kind, several, case]``: a thing of the kind."""
    name_of: Ints
    """``name_of[kind]``: the kind itself, as in "what kind of …"."""
    noun_onset: Ints
    """``noun_onset[kind, several]``."""
    adjective: Ints
    """``adjective[value, declension, case, class]``; 0 where it cannot stand before a noun."""
    adjective_onset: Ints
    adjective_rank: Ints
    """``adjective_rank[type]``: which of several adjectives comes first."""
    predicate: Ints
    """``predicate[value]``: after "is"."""
    value_name: Ints
    clause: Ints
    """``clause[value, negated, class]``: "that is asleep"."""
    comparative: Ints
    relation: Ints
    """``relation[relation]``: after "is", or the plain form of a verb that needs no "is"."""
    finite: Ints
    """``finite[relation, class]``: with the verb that agrees."""
    relation_name: Ints
    """A relation as an answer."""
    relation_case: Ints
    links: Links
    type_noun: Ints
    position: Ints
    """``position[position]``: where something is: "on the left"."""
    position_name: Ints
    """As an answer: "left"."""
    position_clause: Ints
    """``position_clause[position, variant]``: after a noun."""
    number: Ints
    """Numbers in words, up to what one says so."""
    digits: Ints

    def knows_kind(self) -> Flags:
        """Which kinds the language has a word for."""
        known: Flags = (self.noun[:, :, 0] != 0).any(axis=1)
        return known

    def knows_value(self) -> Flags:
        """Which values it has a word for."""
        known: Flags = self.predicate != 0
        return known

    def knows_relation(self) -> Flags:
        """Which relations it has words for."""
        known: Flags = self.relation != 0
        return known

    def determined(self, name: str, case: Ints | int, class_: Ints, onset: Ints) -> Ints:
        """The determiner of each noun phrase."""
        found: Ints = self.determiners[name][np.asarray(case), class_, onset]
        return found
