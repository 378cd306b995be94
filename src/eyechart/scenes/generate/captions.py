"""Captions: a small grammar over the scene graph says what people would say of a picture, each time in another way.

The words come from the ontology, the patterns from captions.toml. A caption states only what the graph holds.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations

import msgspec

from eyechart.scenes.generate.graph import Graph, Link, Thing
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.ontology import Ontology, indefinite_article, packaged_ontology

__all__ = ["captions"]

_FILE = "captions.toml"
_SPOTS = ("on", "in", "under", "in front of", "behind", "next to")
_POSES = ("activity", "pose", "sportActivity")
_ONLY_ONE = ("sun", "moon")
_USUAL_AGE = "adult"
"""A man is one; nobody says so."""
_SIDE = 0.3
"""How near to the edge a thing's centre is if it is on the left or right, as a share of the width."""
_TRIES = 60


class Sentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The patterns of one kind of sentence."""

    of: str
    weight: float
    patterns: list[str]


class Grammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What captions.toml holds."""

    sentences: list[Sentences]
    where: dict[str, list[str]]
    when: dict[str, list[str]]


@cache
def _grammar() -> Grammar:
    return msgspec.toml.decode(files(__package__).joinpath(_FILE).read_bytes(), type=Grammar)


def captions(graph: Graph, lots: Lots, count: int = 5) -> list[str]:
    """Sentences about a picture, all different.

    >>> from eyechart.scenes.generate.graph import Box
    >>> dog = Thing("dog-0", "dog", Box(10, 10, 50, 50), ("brown",))
    >>> cat = Thing("cat-0", "cat", Box(400, 10, 50, 50))
    >>> graph = Graph(500, 400, "park", "sunny", (dog, cat), (Link("dog-0", "chasing", "cat-0"),))
    >>> sentences = captions(graph, Lots(1, 1))
    >>> len(set(sentences)), all("dog" in each or "cat" in each for each in sentences)
    (5, True)
    """
    teller = _Teller(graph, lots, packaged_ontology())
    kinds = _grammar().sentences
    weights = {place: kind.weight for place, kind in enumerate(kinds) if teller.facts[kind.of]}
    said: dict[str, None] = {}
    for turn in range(_TRIES):
        if len(said) == count or not weights:
            break
        kind = kinds[lots.choose(weights, "caption kind", turn)]
        if (caption := teller.tell(kind, turn)) is not None:
            said.setdefault(caption)
    return list(said)


class _Teller:
    """What can be said of one graph, sorted by the kind of sentence that says it."""

    def __init__(self, graph: Graph, lots: Lots, ontology: Ontology) -> None:
        self.graph, self.lots, self.ontology = graph, lots, ontology
        self.things = {thing.object_id: thing for thing in graph.things}
        self.actors = [thing for thing in graph.things if not thing.scenery and not thing.part_of]
        acts = [link for link in graph.links if self._is_verb(link)]
        poses = [(thing, doing) for thing in self.actors if (doing := self._doing(thing))]
        listed = sorted(self.actors, key=lambda thing: -thing.box.w * thing.box.h)[:6]
        self.facts: dict[str, list[tuple[Thing | Link | str, ...]]] = {
            "act": [(link,) for link in acts],
            "pose": list(poses),
            "while": [(link, *pose) for link in acts for pose in poses if pose[0].object_id not in link],
            "spot": [(link,) for link in graph.links if link.predicate in _SPOTS and self._worth(link)],
            "list": [(one, other) for one, other in combinations(listed, 2) if one.name != other.name],
            "sides": [(left, right) for left in self._side(low=True) for right in self._side(low=False)],
        }

    def tell(self, sentences: Sentences, turn: int) -> str | None:
        """Fill a pattern with a fact; None if the fact lacks what the pattern needs."""
        facts = self.facts[sentences.of]
        fact = facts[int(self.lots.uniform("caption fact", turn) * len(facts))]
        pattern = sentences.patterns[int(self.lots.uniform("caption pattern", turn) * len(sentences.patterns))]
        blanks = _BLANKS[sentences.of](self, turn, *fact) | self._place(turn)
        try:
            text = pattern.format_map(blanks)
        except KeyError:
            return None
        return f"{text[0].upper()}{text[1:]}."

    def _place(self, turn: int) -> dict[str, str]:
        grammar = _grammar()
        said = {"where": grammar.where.get(self.graph.location), "when": grammar.when.get(self.graph.weather or "")}
        return {
            blank: texts[self.lots.of("caption", blank, turn) % len(texts)] for blank, texts in said.items() if texts
        }

    def phrase(self, thing: Thing, turn: int) -> str:
        """A noun with an article, perhaps with an adjective: "a red ball", "some milk"."""
        number = self.number(thing)
        adjectives = [
            found.adjective
            for name in thing.attributes
            if (found := self.ontology.attributes.get(name)) and found.before and found.type in {"color", "age"}
            if name != _USUAL_AGE
        ]
        words = thing.name
        if adjectives and self.lots.chance(0.6, "caption adjective", turn, thing.object_id):
            words = f"{adjectives[self.lots.of('caption adjective', turn, thing.object_id) % len(adjectives)]} {words}"
        if thing.scenery or thing.name in _ONLY_ONE:
            return f"the {words}"
        if number == "count":
            return f"{indefinite_article(words)} {words}"
        return f"some {words}" if number == "mass" else words

    def number(self, thing: Thing) -> str:
        """How its name is counted: names that the ontology has as plurals only are plural, others can be counted."""
        noun = self.ontology.nouns.get(thing.name)
        if noun is None:
            return "plural" if self.ontology.is_plural(thing.name) else "count"
        return noun.number

    def be(self, thing: Thing) -> str:
        """Is or are."""
        return "are" if self.number(thing) == "plural" else "is"

    def words(self, predicate: str) -> str:
        """A relation's words after "is"."""
        relation = self.ontology.relations.get(predicate)
        return predicate if relation is None else relation.phrase or relation.name

    def _is_verb(self, link: Link) -> bool:
        relation = self.ontology.relations.get(link.predicate)
        return relation is not None and relation.kind == "verb" and relation.copula and self._worth(link)

    def _worth(self, link: Link) -> bool:
        """Whether people would say it: not of scenery, and not that somebody wears shoes."""
        return not self.things[link.subject].scenery and link.predicate != "wearing"

    def _doing(self, thing: Thing) -> str:
        """What somebody is doing; of parasols that lean and balloons that fly nobody says it."""
        noun = self.ontology.nouns.get(thing.name)
        if noun is None or not noun.living:
            return ""
        for name in thing.attributes:
            found = self.ontology.attributes.get(name)
            if found is not None and found.type in _POSES:
                return found.predicate
        return ""

    def _side(self, *, low: bool) -> Iterator[Thing]:
        for thing in self.actors:
            centre = (thing.box.x + thing.box.w / 2) / self.graph.width
            if centre < _SIDE if low else centre > 1 - _SIDE:
                yield thing


def _act(teller: _Teller, turn: int, link: Link) -> dict[str, str]:
    subject, target = teller.things[link.subject], teller.things[link.object]
    return {
        "subject": teller.phrase(subject, turn),
        "is": teller.be(subject),
        "doing": teller.words(link.predicate),
        "spot": teller.words(link.predicate),
        "object": teller.phrase(target, turn),
    }


def _pose(teller: _Teller, turn: int, thing: Thing, doing: str) -> dict[str, str]:
    return {"subject": teller.phrase(thing, turn), "is": teller.be(thing), "being": doing}


def _while(teller: _Teller, turn: int, link: Link, other: Thing, doing: str) -> dict[str, str]:
    second = {"other": teller.phrase(other, turn), "is2": teller.be(other), "being2": doing}
    return _act(teller, turn, link) | second


def _list(teller: _Teller, turn: int, one: Thing, other: Thing) -> dict[str, str]:
    return {"list": f"{teller.phrase(one, turn)} and {teller.phrase(other, turn)}", "is": teller.be(one)}


def _sides(teller: _Teller, turn: int, left: Thing, right: Thing) -> dict[str, str]:
    return {"subject": teller.phrase(left, turn), "is": teller.be(left), "object": teller.phrase(right, turn)}


_BLANKS: Mapping[str, Callable[..., dict[str, str]]] = {
    "act": _act,
    "pose": _pose,
    "while": _while,
    "spot": _act,
    "list": _list,
    "sides": _sides,
}
"""What each kind of sentence makes of its fact."""
