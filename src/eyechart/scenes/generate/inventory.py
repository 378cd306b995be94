"""Of which kinds everything in a drawn scene is in its graph, so that what is not there is absent.

Whole things are named, parts and materials are not; and where a drawing shows something unnamed, such as the books of a
bookshelf, or where a thing is too well hidden to be named, the kinds that it belongs to are not complete.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import msgspec

from eyechart.scenes.generate.graph import Graph
from eyechart.scenes.ontology import packaged_ontology

__all__ = ["complete_kinds"]

_FILE = "drawn.toml"


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What drawn.toml holds."""

    complete: list[str]
    scenery: dict[str, list[str]]


def complete_kinds(graph: Graph, background: str) -> tuple[str, ...]:
    """The largest kinds that are complete in a scene.

    >>> graph = Graph(500, 400, "kitchen", None, (), (), unnamed=("apple",))
    >>> kinds = complete_kinds(graph, "kitchen")
    >>> "vehicle" in kinds, "vegetable" in kinds, "food" in kinds, "fruit" in kinds
    (True, True, False, False)
    """
    return _kinds(frozenset((*graph.unnamed, *_drawn().scenery.get(background, ()))))


@cache
def _drawn() -> Drawn:
    return msgspec.toml.decode(files(__package__).joinpath(_FILE).read_bytes(), type=Drawn)


@cache
def _kinds(unnamed: frozenset[str]) -> tuple[str, ...]:
    ontology = packaged_ontology()
    names = {noun.name for word in unnamed for noun in ontology.nouns_of(word)[:1]} | (
        unnamed & ontology.categories.keys()
    )
    return tuple(dict.fromkeys(each for kind in _drawn().complete for each in _without(kind, frozenset(names))))


def _without(kind: str, names: frozenset[str]) -> Iterator[str]:
    """A kind if none of the names is of it, else those of its parts that have nothing to do with them."""
    ontology = packaged_ontology()
    if any(ontology.is_a(kind, name) for name in names):
        return
    if not any(ontology.is_a(name, kind) for name in names):
        yield kind
        return
    for below in _below().get(kind, ()):
        yield from _without(below, names)


@cache
def _below() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, category in packaged_ontology().categories.items():
        for parent in category.parents:
            found[parent] = (*found.get(parent, ()), name)
    return found
