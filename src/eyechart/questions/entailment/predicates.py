"""Statements about one thing, and what follows from them: the rules of entailment, each with a name.

A rule takes a statement that is true to others that are true then, or says which statements cannot be true with it. All
side conditions (an exclusive type, an inverse, a more general value) are asked of the ontology. Tests try every rule on
random small pictures.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Literal, NamedTuple

from eyechart.questions.codes import excludes
from eyechart.scenes import ontology

__all__ = ["FOLLOWING", "Judgement", "Logic", "Predicate"]

POSITIONS = ("hposition", "vposition")


class Predicate(NamedTuple):
    """Something said of a thing: that it is an apple, is red, stands to the left of another."""

    kind: Literal["named", "is", "value", "has", "stands", "exceeds", "agrees", "uniform", "number"]
    """named: just so, and not only a kind of it. value: just this, and not only a kind of it. uniform: of several
    things, that all have one value. exceeds: is the older one, by a relation or by what their ages are. number: of a
    kind of things, that there are so many or more."""
    name: str
    """The name, the value, or the relation."""
    type: str = ""
    """Of a value, its type; of a relation, what the thing is in it: s, the subject, or o, the object; of a number, what
    is counted."""
    anchor: str = ""
    """The other thing of a relation."""
    negated: bool = False

    @property
    def topic(self) -> str:
        """What it is about: only statements with one topic say anything about each other."""
        kind = {"named": "is", "value": "has", "exceeds": "stands"}.get(self.kind, self.kind)
        return f"{kind} {self.type}" if kind in {"has", "agrees", "uniform", "number"} else kind

    def opposite(self) -> "Predicate":
        """That it is not so."""
        return self._replace(negated=not self.negated)


class Judgement(NamedTuple):
    """What one statement says about another."""

    holds: bool
    rules: tuple[str, ...]
    """By which rules, in the order in which they were used."""


Rule = Callable[[ontology.Ontology, Predicate], Iterator[Predicate]]
"""From a statement that is true to others that are true then."""


def exact_name(_words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is called an apple is an apple."""
    if known.kind == "named":
        yield known._replace(kind="is")


def only_name(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is an apple is called an apple, if there are no kinds of apples."""
    if known.kind == "is" and known.name in words.nouns and not words.members(known.name):
        yield known._replace(kind="named")


def category(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is an apple is a fruit."""
    if known.kind == "is":
        for parent in words.hierarchy.parents.get(known.name, ()):
            yield known._replace(name=parent)


def exact_value(_words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """Whose color is red is red."""
    if known.kind == "value":
        yield known._replace(kind="has")


def only_value(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is red has the color red, if a thing has one color at most and there are no kinds of red."""
    if known.kind != "has":
        return
    if known.type in POSITIONS or _is_sole(words, known):
        yield known._replace(kind="value")


def _is_sole(words: ontology.Ontology, known: Predicate) -> bool:
    attribute = words.attributes.get(known.name)
    if attribute is None or not words.is_exclusive(known.name) or attribute.similar:
        return False
    return all(each.parent != known.name and known.name not in each.similar for each in words.values(attribute.type))


def sub_value(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is light blue is blue."""
    if known.kind == "has" and known.name in words.attributes and (parent := words.attributes[known.name].parent):
        yield known._replace(name=parent)


def inverse(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is above something has that below it; what is near something has that near it."""
    if known.kind in {"stands", "exceeds"} and known.name in words.relations and (other := words.inverse(known.name)):
        yield known._replace(name=other, type="o" if known.type == "s" else "s")


def general(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What sits on something is on it."""
    if known.kind == "stands" and known.name in words.relations and (above := words.relations[known.name].general):
        yield known._replace(name=above)


def comparison(_words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What stands as older than something to it is the older one."""
    if known.kind == "stands" and known.name.endswith(" than"):
        yield known._replace(kind="exceeds")


def fewer(_words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """Of what there are three or more there are two or more."""
    if known.kind == "number" and int(known.name) > 1:
        yield known._replace(name=str(int(known.name) - 1))


FOLLOWING: Mapping[str, Rule] = {
    "exact name": exact_name,
    "only name": only_name,
    "category": category,
    "exact value": exact_value,
    "only value": only_value,
    "sub-value": sub_value,
    "inverse": inverse,
    "general": general,
    "comparison": comparison,
    "fewer": fewer,
}
"""The rules by which a statement follows from another."""


def disjoint(words: ontology.Ontology, known: Predicate, asked: Predicate) -> bool:
    """What is an apple is no pear: neither is a kind of the other, and they are not alike."""
    if known.kind != "is" or asked.kind not in {"is", "named"}:
        return False
    every = (*((known.name,) if known.name in words.nouns else ()), *words.members(known.name))
    return bool(every) and all(excludes(words, each, asked.name) for each in every)


def exclusive(words: ontology.Ontology, known: Predicate, asked: Predicate) -> bool:
    """What is red is not green: a thing has one color at most, and no red is nearly green."""
    if known.kind not in {"has", "value"} or asked.kind not in {"has", "value"}:
        return False
    if known.type in POSITIONS:
        return known.name != asked.name
    if known.name not in words.attributes or asked.name not in words.attributes:
        return False
    exact = [known.name] if known.kind == "value" else _with_kinds(words, known.name)
    return all(words.contradict(each, asked.name) for each in exact)


def _with_kinds(words: ontology.Ontology, value: str) -> list[str]:
    """A value and those below it."""
    return [
        value,
        *(each.name for each in words.values(words.attributes[value].type) if value in words.broader(each.name)),
    ]


def opposite(words: ontology.Ontology, known: Predicate, asked: Predicate) -> bool:
    """What is to the left of something is not to the right of it."""
    if known.kind not in {"stands", "exceeds"} or (known.kind, known.type) != (asked.kind, asked.type):
        return False
    return known.name in words.relations and words.relations[known.name].opposite == asked.name


EXCLUDING: Mapping[str, Callable[[ontology.Ontology, Predicate, Predicate], bool]] = {
    "disjoint": disjoint,
    "exclusive": exclusive,
    "opposite": opposite,
}
"""The rules by which a statement cannot be true with another."""


class Logic:
    """The rules over one ontology, closed: what follows from what follows.

    >>> logic = Logic(ontology.packaged_ontology())
    >>> logic.judge(Predicate("has", "red", "color"), Predicate("has", "green", "color"))
    Judgement(holds=False, rules=('exclusive',))
    >>> logic.judge(Predicate("is", "apple"), Predicate("is", "food")).rules
    ('category', 'category')
    """

    def __init__(self, words: ontology.Ontology) -> None:
        self.words = words
        self._following: dict[Predicate, Mapping[Predicate, tuple[str, ...]]] = {}

    def following(self, known: Predicate) -> Mapping[Predicate, tuple[str, ...]]:
        """Everything that follows from a positive statement, itself first, with the rules by which it does."""
        if known not in self._following:
            found: dict[Predicate, tuple[str, ...]] = {known: ()}
            queue = [known]
            for each in queue:  # grows while it is walked
                new = {more: (*found[each], name) for name, more in self._at_once(each) if more not in found}
                found |= new
                queue += new
            self._following[known] = found
        return self._following[known]

    def _at_once(self, known: Predicate) -> Iterator[tuple[str, Predicate]]:
        """What follows by one rule; of two rules for the same the first one is named."""
        every = [(name, more) for name, rule in FOLLOWING.items() for more in rule(self.words, known)]
        return ((name, more) for name, more in reversed(every))

    def judge(self, known: Predicate, asked: Predicate) -> Judgement | None:
        """What a statement says about another one of the same thing, with the same anchor; None for nothing."""
        if known.negated:
            return self._from_negated(known.opposite(), asked)
        if asked.negated:
            found = self.judge(known, asked.opposite())
            return found and Judgement(not found.holds, found.rules)
        return self.implied(known, asked) or self._excluded(known, asked)

    def implied(self, known: Predicate, asked: Predicate) -> Judgement | None:
        """How a positive statement follows from another, if it does."""
        rules = self.following(known).get(asked)
        return None if rules is None else Judgement(holds=True, rules=rules)

    def _from_negated(self, known: Predicate, asked: Predicate) -> Judgement | None:
        """From "it is not so": what it would follow from is not so either."""
        following = self.following(asked._replace(negated=False))
        return Judgement(holds=asked.negated, rules=following[known]) if known in following else None

    def _excluded(self, known: Predicate, asked: Predicate) -> Judgement | None:
        # What is no fruit is no apple: of names only these two need to be compared, not all that they are kinds of.
        names = known.kind in {"is", "named"}
        every = self.following(known).items()
        said = [(one, rules) for one, rules in every if one.name == known.name] if names else every
        goals: Iterable[tuple[Predicate, tuple[str, ...]]] = [(asked, ())] if names else self.following(asked).items()
        for (one, rules), (other, more), (name, rule) in product(said, goals, EXCLUDING.items()):
            if rule(self.words, one, other):
                return Judgement(holds=False, rules=(*rules, name, *more))
        return None
