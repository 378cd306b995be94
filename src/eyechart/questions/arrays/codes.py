"""The ontology as arrays: names become numbers, what it knows of them becomes tables that whole columns look up.

A *kind* is anything that a thing may be called: the name of an object, or a category. Numbers are places in the lists
of this process and stand in no file; draws are keyed by the names themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from eyechart._lib.keyed import draw
from eyechart.questions.arrays.ragged import Flags, Ints, Keys, Ragged
from eyechart.scenes import ontology as words

__all__ = ["COUNT", "MASS", "NONE", "PLURAL", "Codes", "Names"]

NONE = -1
COUNT, MASS, PLURAL = 0, 1, 2
_NUMBERS = {"count": COUNT, "mass": MASS, "plural": PLURAL}
_SCENE_TYPES = ("place", "location", "weather")


class Names:
    """Names and their numbers.

    >>> names = Names(["red", "green"])
    >>> names.code["green"], names[0], len(names)
    (1, 'red', 2)
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.code = {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, code: int) -> str:
        return self.names[code]

    def codes(self, names: Iterable[str]) -> Ints:
        """The numbers of several names; names that are not there are left out."""
        return np.array([self.code[name] for name in names if name in self.code], dtype=np.int64)

    @cached_property
    def keys(self) -> Keys:
        """What draws are keyed by."""
        return np.array([draw(0, "name", name) for name in self.names], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Codes:
    """An ontology in numbers; what is kept of one is kept by which one it is."""

    ontology: words.Ontology

    @cached_property
    def kinds(self) -> Names:
        """Objects and categories."""
        return Names(dict.fromkeys([*self.ontology.nouns, *self.ontology.categories]))

    @cached_property
    def values(self) -> Names:
        """Attributes."""
        return Names(self.ontology.attributes)

    @cached_property
    def types(self) -> Names:
        """Attribute types, and those of the scene and of positions."""
        return Names(dict.fromkeys([*self.ontology.types, *_SCENE_TYPES, "hposition", "vposition"]))

    @cached_property
    def relations(self) -> Names:
        """Relations."""
        return Names(self.ontology.relations)

    # ------------------------------------------------------------------ kinds

    @cached_property
    def chain(self) -> Ragged:
        """For each kind itself and everything more general."""
        rows = [self.kinds.codes([name, *self.ontology.ancestors(name)]) for name in self.kinds.names]
        return _ragged(rows)

    @cached_property
    def below(self) -> Flags:
        """``below[a, b]``: whether a is b or a kind of it."""
        return _matrix(self.chain, len(self.kinds))

    @cached_property
    def confused(self) -> Flags:
        """``confused[a, b]``: whether one cannot be told from the other safely: similar, or one a kind of the other."""
        confused = self.below | self.below.T
        for name, noun in self.ontology.nouns.items():
            confused[self.kinds.code[name], self.kinds.codes(noun.similar)] = True
        return confused | confused.T

    @cached_property
    def apart(self) -> Flags:
        """``apart[a, b]``: whether no a is a b: an apple is no car; but a man may be an athlete, a toy a vehicle."""
        apart = np.zeros((len(self.kinds), len(self.kinds)), dtype=bool)
        nouns = np.array([name in self.ontology.nouns for name in self.kinds.names])
        apart[nouns] = True
        crossing = [place for place, name in enumerate(self.kinds.names) if self._is_crossing(name)]
        apart[:, crossing] &= self._other_branch(np.array(crossing, dtype=np.int64))
        apart &= ~self.confused
        for place in sorted(crossing, key=lambda each: len(self.ontology.ancestors(self.kinds[each]))):
            # A pear is no animal, so it is no pet.
            above = self.kinds.codes(self.ontology.categories[self.kinds[place]].parents)
            apart[:, place] |= apart[:, above].any(axis=1) & ~self.confused[:, place]
        people = np.flatnonzero(nouns & self.is_person)
        genders = self.gender[people]
        apart[np.ix_(people, people)] = genders[:, None] * genders[None, :] == 2  # noqa: PLR2004  # one is 1, one is 2
        return apart & ~self.confused

    def _is_crossing(self, name: str) -> bool:
        """Whether a category holds things of other categories, too."""
        return name in self.ontology.categories and not self.ontology.categories[name].disjoint

    def _other_branch(self, wanted: Ints) -> Flags:
        """For each kind whether it stands below another of several disjoint categories than each of the wanted ones."""
        known = self.ontology.categories
        disjoint = [name for name, each in known.items() if each.disjoint]
        found = np.zeros((len(self.kinds), len(wanted)), dtype=bool)
        below = self.below
        for one, other in product(disjoint, disjoint):
            if one == other or not {*known[one].parents} & {*known[other].parents}:
                continue
            a, b = self.kinds.code[one], self.kinds.code[other]
            theirs = below[wanted, b] & ~below[wanted, a]
            if theirs.any():
                found[:, theirs] |= (below[:, a] & ~below[:, b])[:, None]
        return found

    def kind_of(self, word: str) -> int | None:
        """The number of what a word names."""
        noun = None if word in self.kinds.code else self.ontology.noun(word)
        return self.kinds.code.get(noun.name if noun else word)

    @cached_property
    def is_category(self) -> Flags:
        """Whether a kind is a category."""
        return np.array([name in self.ontology.categories for name in self.kinds.names])

    @cached_property
    def is_phrased(self) -> Flags:
        """Whether one thing of a category is not called by its name: a piece of furniture."""
        known = self.ontology.categories
        return np.array([bool(known[name].phrase) if name in known else False for name in self.kinds.names])

    @cached_property
    def is_named(self) -> Flags:
        """Whether people say it."""
        named = [self.ontology.categories[n].named if n in self.ontology.categories else True for n in self.kinds.names]
        return np.array(named)

    @cached_property
    def number(self) -> Ints:
        """COUNT, MASS or PLURAL."""
        return np.array([_NUMBERS[self._kind(name).number] for name in self.kinds.names], dtype=np.int64)

    @cached_property
    def is_person(self) -> Flags:
        """Whether a kind is a person, by itself or by what stands above it: athletes are people."""
        return np.array([self._kind(name).person for name in self.kinds.names]) | self._at_or_below("person")

    @cached_property
    def is_living(self) -> Flags:
        """Whether a kind lives."""
        return np.array([self._kind(name).living for name in self.kinds.names]) | self._at_or_below("living thing")

    @cached_property
    def gender(self) -> Ints:
        """1 for female, 2 for male, 0 for neither or unknown."""
        genders = {None: 0, "female": 1, "male": 2}
        return np.array([genders[getattr(self._kind(name), "gender", None)] for name in self.kinds.names])

    def _at_or_below(self, kind: str) -> Flags:
        found: Flags = np.any(self.below[:, self.kinds.codes([kind])], axis=1)
        return found

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """The kinds where others are at home, and how many are."""
        homes = [place for noun in self.ontology.nouns.values() for place in noun.places]
        return np.unique(self.kinds.codes(homes), return_counts=True)

    def under(self, kind: str) -> Flags:
        """For each kind whether it is this one or stands below it."""
        return self.below[:, self.kinds.code[kind]]

    def _kind(self, name: str) -> words.Noun | words.Category:
        return self.ontology.nouns.get(name) or self.ontology.categories[name]

    # ------------------------------------------------------------------ values

    @cached_property
    def type_of(self) -> Ints:
        """The type of each value."""
        return np.array([self.types.code[each.type] for each in self.ontology.attributes.values()], dtype=np.int64)

    @cached_property
    def is_exclusive(self) -> Flags:
        """Whether a thing has one value of a type at most."""
        types = self.ontology.types
        return np.array([types[name].exclusive if name in types else True for name in self.types.names])

    @cached_property
    def before(self) -> Flags:
        """Whether a value may stand before its noun."""
        return np.array([each.before for each in self.ontology.attributes.values()], dtype=bool)

    @cached_property
    def says(self) -> Flags:
        """``says[kind, value]``: whether the name of a thing says what it is like: a wine glass, an orange."""
        found = np.zeros((len(self.kinds), len(self.values)), dtype=bool)
        for kind, name in enumerate(self.kinds.names):
            found[kind, [self.values.code[word] for word in name.split(" ") if word in self.values.code]] = True
        return found

    @cached_property
    def holds(self) -> Flags:
        """``holds[a, b]``: whether what has a has b: light blue things are blue."""
        rows = [self.values.codes([name, *self.ontology.broader(name)]) for name in self.values.names]
        return _matrix(_ragged(rows), len(self.values))

    @cached_property
    def contradict(self) -> Flags:
        """``contradict[a, b]``: whether having a proves not having b."""
        found = np.zeros((len(self.values), len(self.values)), dtype=bool)
        names = self.values.names
        for type_ in range(len(self.types)):
            of_type = np.flatnonzero(self.type_of == type_)
            for one in of_type:
                found[one, of_type] = [self.ontology.contradict(names[one], names[other]) for other in of_type]
        return found & found.T

    @cached_property
    def opposite(self) -> Ints:
        """The opposite of each value, NONE where there is none."""
        return np.array([self.values.code.get(each.opposite or "", NONE) for each in self.ontology.attributes.values()])

    @cached_property
    def carries(self) -> Flags:
        """``carries[kind, value]``: whether things of a kind can have a value."""
        allowed = np.ones((len(self.kinds), len(self.values)), dtype=bool)
        for place, each in enumerate(self.ontology.attributes.values()):
            if each.carriers:
                allowed[:, place] = self.below[:, self.kinds.codes(each.carriers)].any(axis=1)
        return allowed

    # ------------------------------------------------------------------ relations

    @cached_property
    def is_verb(self) -> Flags:
        """Whether a relation is a verb."""
        return np.array([each.kind == "verb" for each in self.ontology.relations.values()])

    @cached_property
    def is_comparative(self) -> Flags:
        """Whether a relation compares."""
        return np.array([each.kind == "comparative" for each in self.ontology.relations.values()])

    @cached_property
    def is_passive(self) -> Flags:
        """Whether a relation is a passive verb."""
        return np.array([each.voice == "passive" for each in self.ontology.relations.values()])

    @cached_property
    def has_copula(self) -> Flags:
        """Whether statements need "is"."""
        return np.array([each.copula for each in self.ontology.relations.values()])

    @cached_property
    def inverse(self) -> Ints:
        """What holds the other way round."""
        return self._relations_or_none(self.ontology.inverse(name) for name in self.relations.names)

    @cached_property
    def contrary(self) -> Ints:
        """What cannot hold at the same time."""
        return self._relations_or_none(each.opposite for each in self.ontology.relations.values())

    @cached_property
    def is_symmetric(self) -> Flags:
        """Whether a relation holds both ways."""
        return np.array([each.symmetric for each in self.ontology.relations.values()])

    @cached_property
    def implied(self) -> Ragged:
        """For each relation itself and what follows from it."""
        return _ragged([self.relations.codes([n, *self.ontology.implied(n)]) for n in self.relations.names])

    @cached_property
    def possible(self) -> Ragged:
        """For each relation what may hold where it is annotated: what follows, is similar, or is more special."""
        links = {
            (a, b)
            for a, name in enumerate(self.relations.names)
            for b in self.implied.values[self.implied.offsets[a] : self.implied.offsets[a + 1]]
        }
        for a, each in enumerate(self.ontology.relations.values()):
            links |= {(a, int(b)) for b in self.relations.codes(each.similar)}
        links |= {(b, a) for a, b in links}
        rows = [np.array(sorted(b for one, b in links if one == a), dtype=np.int64) for a in range(len(self.relations))]
        return _ragged(rows)

    def _relations_or_none(self, names: Iterable[str | None]) -> Ints:
        return np.array([self.relations.code.get(name or "", NONE) for name in names], dtype=np.int64)


def _ragged(rows: Sequence[Ints]) -> Ragged:
    return Ragged.of([len(row) for row in rows], np.concatenate(rows).astype(np.int64) if rows else np.zeros(0, int))


def _matrix(rows: Ragged, width: int) -> Flags:
    found = np.zeros((len(rows), width), dtype=bool)
    found[rows.rows, rows.values] = True
    return found


def lookup_table(found: Mapping[str, int], words: Sequence[str | None]) -> Ints:
    """The number of each word, NONE where there is none."""
    return np.array([found.get(word or "", NONE) for word in words], dtype=np.int64)
