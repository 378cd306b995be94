"""Words of the ontology that somebody may mean who has begun to type: for names, attributes and relations."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from eyechart.scenes.ontology.loading import packaged_ontology
from eyechart.scenes.ontology.lookup import spelled

__all__ = ["suggestions"]

Kind = Literal["object", "attribute", "relation"]

_NEVER = 9
"""A rank behind all that are suggested."""


def suggestions(kind: Kind, typed: str, about: str = "", most: int = 8) -> list[str]:
    """Names that begin like what was typed, then those of which a later word or a synonym does; shorter ones first.

    Attributes that a thing called ``about`` cannot have come last.

    >>> suggestions("object", "dog")[:2], suggestions("relation", "hol")[0]
    (['dog', 'dog bed'], 'holding')
    >>> "wood" in suggestions("attribute", "wo", about="table", most=3)
    True
    """
    wanted = spelled(typed)
    if not wanted:
        return []
    ranked = [(_rank(wanted, spelled(name), synonyms), name) for name, synonyms in _words(kind)]
    found = [(_unfit(about, name) if kind == "attribute" else 0, rank, len(name), name) for rank, name in ranked]
    return [name for _, rank, _, name in sorted(found) if rank < _NEVER][:most]


@cache
def _words(kind: Kind) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Names with the other spellings of each."""
    ontology = packaged_ontology()
    if kind == "object":
        return _spelled((noun.name, (*noun.synonyms, noun.plural)) for noun in ontology.nouns.values())
    if kind == "attribute":
        return _spelled((each.name, (*each.synonyms, each.adjective)) for each in ontology.attributes.values())
    return _spelled((each.name, each.synonyms) for each in ontology.relations.values())


def _spelled(entries: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, tuple(map(spelled, others))) for name, others in entries)


def _rank(wanted: str, name: str, synonyms: tuple[str, ...]) -> int:
    if name == wanted:
        return 0
    if wanted in synonyms:
        return 1
    if name.startswith(wanted):
        return 2
    if f" {wanted}" in name:
        return 3
    return 4 if any(other.startswith(wanted) for other in synonyms) else _NEVER


def _unfit(about: str, attribute: str) -> int:
    ontology = packaged_ontology()
    noun = ontology.noun(about) if about else None
    return int(noun is not None and not ontology.may_have(noun.name, attribute))
