"""What is wrong with an ontology that loads: cycles, orphans, contradictions, clashes of words, missing forms."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from eyechart.scenes.ontology.hierarchy import Hierarchy
from eyechart.scenes.ontology.lookup import spelled
from eyechart.scenes.ontology.model import Attribute, Relation
from eyechart.scenes.ontology.ontology import Ontology

__all__ = ["FAULTS", "Fault", "check_ontology"]

FAULTS = {
    "cycle": "A name stands above itself.",
    "orphan": "A name has nothing above it, or nothing below it where something should be.",
    "contradiction": "Two statements cannot both hold.",
    "clash": "A word is said to mean two things, and no context is asked.",
    "missing": "A form is missing that a sentence would need.",
}
"""The kinds of faults, each with a sentence."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with one word."""

    code: str
    place: str
    """File and line."""
    name: str
    sentence: str
    """What is wrong, and what to do."""


def check_ontology(ontology: Ontology) -> list[Fault]:
    """Everything that is wrong, cycles first.

    >>> from dataclasses import replace
    >>> from eyechart.scenes.ontology.loading import packaged_ontology
    >>> ontology = packaged_ontology()
    >>> looped = {**ontology.attributes, "blue": replace(ontology.attributes["blue"], parent="light blue")}
    >>> [fault.sentence for fault in check_ontology(replace(ontology, attributes=looped))]
    ['stands above itself: blue > light blue > blue; take one of the steps out']
    """
    rules = (_cycles, _orphans, _contradictions, _clashes, _missing)
    return [fault for rule in rules for fault in rule(ontology)]


def _fault(ontology: Ontology, code: str, kind: str, name: str, sentence: str) -> Fault:
    place = ontology.places.get((kind, name)) or ontology.places.get(("category", name), "")
    return Fault(code, place, name, sentence)


# ------------------------------------------------------------------------------------------------ cycles and orphans


def _cycles(ontology: Ontology) -> Iterator[Fault]:
    graphs = {
        "object": ontology.hierarchy,
        "attribute": Hierarchy({name: _one(value.parent) for name, value in ontology.attributes.items()}),
        "relation": Hierarchy({name: _one(each.general) for name, each in ontology.relations.items()}),
    }
    for kind, graph in graphs.items():
        for way in graph.cycles():
            way_round = " > ".join(way)
            yield _fault(
                ontology, "cycle", kind, way[0], f"stands above itself: {way_round}; take one of the steps out"
            )


def _one(name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


def _orphans(ontology: Ontology) -> Iterator[Fault]:
    sizes = Counter(above for name in ontology.hierarchy.parents for above in ontology.ancestors(name))
    roots = [name for name, parents in ontology.hierarchy.parents.items() if not parents]
    root = max(roots, key=lambda name: sizes[name], default="")
    for name in roots:
        if name != root:
            yield _fault(ontology, "orphan", "object", name, f"has nothing above it; say what it is, at least {root!r}")
    for name in ontology.categories:
        if not sizes[name]:
            yield _fault(ontology, "orphan", "category", name, "has nothing below it; put objects into it or remove it")
    used = {value.type for value in ontology.attributes.values()}
    for name in ontology.types:
        if name not in used:
            yield _fault(ontology, "orphan", "type", name, "has no values; add some or remove it")


# ------------------------------------------------------------------------------------------------ contradictions


def _contradictions(ontology: Ontology) -> Iterator[Fault]:
    for name in ontology.hierarchy.parents:
        yield from _told("object", name, ontology, _of_kinds(ontology, name))
    for name, value in ontology.attributes.items():
        yield from _told("attribute", name, ontology, _of_value(ontology, value))
    for name, type_ in ontology.types.items():
        if type_.order and not type_.exclusive:
            said = ["is ordered but not exclusive: a thing could be least and most at once; make it exclusive"]
            yield from _told("type", name, ontology, said)
    for name, relation in ontology.relations.items():
        yield from _told("relation", name, ontology, _of_relation(ontology, relation))


def _told(kind: str, name: str, ontology: Ontology, sentences: Iterable[str]) -> Iterator[Fault]:
    return (_fault(ontology, "contradiction", kind, name, sentence) for sentence in sentences)


def _of_kinds(ontology: Ontology, name: str) -> Iterator[str]:
    """Kinds that exclude each other, and people who are not alive."""
    above = [ontology.categories[each] for each in (name, *ontology.ancestors(name)) if each in ontology.categories]
    for one, other in combinations([category for category in above if category.disjoint], 2):
        common = set(one.parents) & set(other.parents)
        if common:
            yield f"is in {one.name!r} and in {other.name!r}, which exclude each other; take it out of one of them"
    noun = ontology.nouns.get(name)
    if noun is not None and noun.gender and not noun.living and "toy" not in ontology.ancestors(name):
        yield f"is {noun.gender} but not alive; take the gender away, or put it below a living kind"


def _of_value(ontology: Ontology, value: Attribute) -> Iterator[str]:
    known = ontology.attributes
    if value.opposite is not None:
        other = known[value.opposite]
        if other.opposite != value.name:
            yield _one_way("opposite", value.name, value.opposite, other.opposite)
        if other.type != value.type:
            yield f"is a {value.type}, its opposite {other.name!r} a {other.type}; give both the same type"
        if other.name in {value.name, *value.similar, *ontology.broader(value.name)}:
            yield f"is opposite to {other.name!r} and like it at once; take one of the two away"
    if value.parent is not None and known[value.parent].type != value.type:
        above = known[value.parent]
        yield f"is a {value.type} below {above.name!r}, which is a {above.type}; give both the same type"
    order = ontology.types[value.type].order
    if value.name in order and value.parent in order:
        yield f"stands in the order of {value.type} beside {value.parent!r}, which it implies; leave it out there"
    if value.name in value.similar:
        yield "is similar to itself; take that away"


def _of_relation(ontology: Ontology, relation: Relation) -> Iterator[str]:
    known = ontology.relations
    for column in ("inverse", "opposite"):
        name = getattr(relation, column)
        if name is not None and getattr(known[name], column) != relation.name:
            yield _one_way(column, relation.name, name, getattr(known[name], column))
    if relation.symmetric and relation.inverse not in (None, relation.name):
        yield f"is symmetric and has the inverse {relation.inverse!r}; take one of the two away"
    if relation.opposite in {relation.name, *relation.similar, *ontology.implied(relation.name)}:
        yield f"is opposite to {relation.opposite!r} and like it at once; take one of the two away"
    if relation.voice == "passive" and relation.inverse is not None and known[relation.inverse].voice == "passive":
        yield f"is passive, and so is its inverse {relation.inverse!r}; make one of them active"
    yield from _of_pairs(ontology, relation)


def _of_pairs(ontology: Ontology, relation: Relation) -> Iterator[str]:
    """Kinds between which a relation makes sense, but not what follows from it."""
    inverse = ontology.inverse(relation.name)
    for subject, target in relation.pairs:
        for above in ontology.implied(relation.name):
            if not _overlap(ontology, ontology.relations[above].pairs, (subject, target)):
                yield (
                    f"makes sense as {subject} > {target}, but {above!r}, which follows from it, does not; "
                    "add the pair there or take it away here"
                )
        if inverse is not None and not _overlap(ontology, ontology.relations[inverse].pairs, (target, subject)):
            yield (
                f"makes sense as {subject} > {target}, but {inverse!r} not as {target} > {subject}; "
                "add the pair there or take it away here"
            )


def _overlap(ontology: Ontology, pairs: tuple[tuple[str, str], ...], pair: tuple[str, str]) -> bool:
    """Whether a relation of these pairs can hold between things of this pair: one kind of each two is the narrower."""
    is_a = ontology.is_a
    return not pairs or any(
        all(is_a(mine, theirs) or is_a(theirs, mine) for mine, theirs in zip(pair, each, strict=True)) for each in pairs
    )


def _one_way(column: str, name: str, other: str, back: str | None) -> str:
    return f"has the {column} {other!r}, whose {column} is {back!r} and not {name!r}; make both ways agree"


# ------------------------------------------------------------------------------------------------ words


def _clashes(ontology: Ontology) -> Iterator[Fault]:
    nouns = {name: (noun.name, *noun.synonyms) for name, noun in ontology.nouns.items()}
    yield from _shared(ontology, "object", nouns)
    values = {name: (value.name, *value.synonyms) for name, value in ontology.attributes.items()}
    yield from _shared(ontology, "attribute", values)
    relations = {name: (each.name, *each.synonyms) for name, each in ontology.relations.items()}
    yield from _shared(ontology, "relation", relations)
    for name, noun in ontology.nouns.items():
        other = ontology.noun(noun.plural)
        if noun.number == "count" and other is not None and other.name != name and other.number != "plural":
            yield _fault(
                ontology,
                "clash",
                "object",
                name,
                f"has the plural {noun.plural!r}, which means {other.name!r}; rename one",
            )


def _shared(ontology: Ontology, kind: str, words: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    """Words of two names of one kind; what the context has to decide stands under ambiguous."""
    owner: dict[str, str] = {spelled(name): name for name in words}
    for name, forms in words.items():
        for form in forms:
            first = owner.setdefault(spelled(form), name)
            if first != name:
                sentence = f"has the word {form!r}, which means {first!r}; remove it, or write it under ambiguous"
                yield _fault(ontology, "clash", kind, name, sentence)


def _missing(ontology: Ontology) -> Iterator[Fault]:
    for name, noun in ontology.nouns.items():
        for sentence in _missing_of_noun(noun.number, noun.article, noun.plural):
            yield _fault(ontology, "missing", "object", name, sentence)
        for place in noun.places:
            if place not in ontology.nouns:
                yield _fault(
                    ontology,
                    "missing",
                    "object",
                    name,
                    f"is at home in {place!r}, which is no object; add it or remove it",
                )
    for name, value in ontology.attributes.items():
        opposite = ontology.attributes[value.opposite] if value.opposite is not None else None
        if opposite is not None and opposite.comparative and not value.comparative:
            sentence = f"has no comparative, its opposite has {opposite.comparative!r}; write it"
            yield _fault(ontology, "missing", "attribute", name, sentence)
    for name, relation in ontology.relations.items():
        for sentence in _missing_of_relation(relation):
            yield _fault(ontology, "missing", "relation", name, sentence)


def _missing_of_noun(number: str, article: str, plural: str) -> Iterator[str]:
    if number == "count" and article not in ("a", "an"):
        yield f"has the article {article!r}, expected a or an; write one"
    if not plural:
        yield "has no plural; write it"


def _missing_of_relation(relation: Relation) -> Iterator[str]:
    if relation.kind == "comparative" and relation.inverse is None and not relation.symmetric:
        yield "compares two things but does not say what holds the other way round; write its inverse"
    if not relation.copula and not (relation.phrase and relation.third):
        yield "is a verb without 'is', but its plural or singular form is missing; write both"
