"""Scene graphs that people draw: boxes, names, attributes and relations, checked and made into rows of our tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
import polars as pl
from msgspec import Meta, Struct

from eyechart.collection.bodies.contract import BodyKind, Given, Mistake, rules_of
from eyechart.collection.bodies.written import plain
from eyechart.tables import TABLES

__all__ = ["GRAPH", "Rules", "graph_state", "graph_tables"]

Json = dict[str, Any]  # a graph as the editor writes it

_ALIKE = 0.5
"""Boxes of one thing by two people share so much of what they cover together."""
_PLAY = 1.0
"""Pixels by which a box may reach over the picture's edge, since files round."""

_Word = Annotated[str, Meta(max_length=100)]
_Id = Annotated[str, Meta(min_length=1, max_length=20)]
_Pixels = Annotated[float, Meta(ge=-1, le=1_000_000)]
_Length = Annotated[float, Meta(gt=0, le=1_000_000)]


class Rules(Struct, frozen=True):
    """What the graph of a picture needs before it can be handed in.

    >>> Rules().things
    3
    """

    things: int = 3
    attributes: int = 1
    relations: int = 1
    pictures: int = 1
    """So many of an assignment's pictures have to be done; the others may be left out."""


class Thing(Struct, forbid_unknown_fields=True):
    """A box, what is in it, and what that is like."""

    object_id: _Id
    name: _Word
    x: _Pixels
    y: _Pixels
    w: _Length
    h: _Length
    attributes: Annotated[list[_Word], Meta(max_length=50)] = []


class Relation(Struct, forbid_unknown_fields=True):
    """How one thing relates to another."""

    subject_id: _Id
    predicate: _Word
    object_id: _Id


class Graph(Struct, forbid_unknown_fields=True):
    """What is in a picture."""

    objects: Annotated[list[Thing], Meta(max_length=500)]
    relations: Annotated[list[Relation], Meta(max_length=2000)] = []


class GraphDrawn(Struct, forbid_unknown_fields=True):
    """What is handed in for a picture."""

    graph: Graph


def graph_state(contents: Sequence[Mapping[str, Any]], rules: Mapping[str, Any]) -> Json:
    """What the editor is told: the rules, and the address and size of each picture of an assignment.

    >>> picture = {"url": "/picture/0", "image": {"picture": 0, "width": 640, "height": 480}}
    >>> graph_state([picture], {})["pictures"]
    [{'url': '/picture/0', 'width': 640, 'height': 480}]
    """
    pictures = [
        {"url": content["url"], **{side: (content.get("image") or {}).get(side) for side in ("width", "height")}}
        for content in contents
    ]
    return {"rules": msgspec.to_builtins(rules_of(rules, Rules)), "pictures": pictures}


def _graph_mistakes(body: GraphDrawn, given: Given) -> Iterator[Mistake]:
    rules = rules_of(given.rules, Rules)
    found = [
        *_box_mistakes(body.graph, given.content.get("image") or {}),
        *_word_mistakes(body.graph),
        *_relation_mistakes(body.graph),
    ] or [*_missing(body.graph, rules)]
    if found:
        yield "graph", " ".join(dict.fromkeys(found))


def _box_mistakes(graph: Graph, image: Mapping[str, Any]) -> Iterator[str]:
    width, height = image.get("width"), image.get("height")
    twice = [key for key, count in Counter(thing.object_id for thing in graph.objects).items() if count > 1]
    for key in twice:
        yield f"There are several things {key}; load the page again and draw one of them anew."
    for thing in graph.objects:
        beyond = (width is not None and thing.x + thing.w > width + _PLAY) or (
            height is not None and thing.y + thing.h > height + _PLAY
        )
        if beyond:
            yield f"Box {thing.object_id} reaches over the edge of the picture; make it smaller."


def _word_mistakes(graph: Graph) -> Iterator[str]:
    for thing in graph.objects:
        if not plain(thing.name):
            yield f"Name the thing in box {thing.object_id}."
        if not all(map(plain, thing.attributes)):
            yield f"Write what the thing in box {thing.object_id} is like, or remove the empty attribute."


def _relation_mistakes(graph: Graph) -> Iterator[str]:
    known = {thing.object_id for thing in graph.objects}
    for relation in graph.relations:
        ends = (relation.subject_id, relation.object_id)
        for end in ends:
            if end not in known:
                yield f"A relation is about thing {end}, which is not there; remove the relation."
        if ends[0] == ends[1]:
            yield f"Thing {ends[0]} relates to itself; choose another thing."
        if not plain(relation.predicate):
            yield f"Say how thing {ends[0]} relates to thing {ends[1]}."


def _missing(graph: Graph, rules: Rules) -> Iterator[str]:
    """The counts that are not reached; the editor's ``model.js`` asks for the same in the same words."""
    counts = {
        "thing": (len(graph.objects), rules.things),
        "attribute": (sum(len(thing.attributes) for thing in graph.objects), rules.attributes),
        "relation": (len(graph.relations), rules.relations),
    }
    for word, (count, least) in counts.items():
        if (more := least - count) > 0:
            yield f"Add {more} more {word}{'' if more == 1 else 's'}."


def _kept(body: GraphDrawn, given: Given) -> Json:
    """Words on one line without what is not printed, each attribute and each relation once."""
    del given
    objects = [
        {**msgspec.to_builtins(thing), "name": plain(thing.name), "attributes": _once(map(plain, thing.attributes))}
        for thing in body.graph.objects
    ]
    triples = _once((each.subject_id, plain(each.predicate), each.object_id) for each in body.graph.relations)
    relations = [dict(zip(("subject_id", "predicate", "object_id"), triple, strict=True)) for triple in triples]
    return {"graph": {"objects": objects, "relations": relations}}


def _once(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def _agreement(body: Mapping[str, Any], expected: Mapping[str, Any]) -> float:
    """The F1 of named boxes: two are the same if they are called the same and cover mostly the same pixels."""
    drawn, known = (list(each["graph"]["objects"]) for each in (body, expected))
    if not drawn and not known:
        return 1.0
    pairs = sorted(
        ((-_overlap(one, other), a, b) for a, one in enumerate(drawn) for b, other in enumerate(known)),
    )
    free = (set(range(len(drawn))), set(range(len(known))))
    same = 0
    for overlap, a, b in pairs:
        if -overlap >= _ALIKE and a in free[0] and b in free[1]:
            free[0].discard(a)
            free[1].discard(b)
            same += 1
    return 2 * same / (len(drawn) + len(known))


def _overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """Intersection over union of two boxes; nothing if they are called differently."""
    if one["name"].casefold() != other["name"].casefold():
        return 0.0
    wide = min(one["x"] + one["w"], other["x"] + other["w"]) - max(one["x"], other["x"])
    high = min(one["y"] + one["h"], other["y"] + other["h"]) - max(one["y"], other["y"])
    both = max(0.0, wide) * max(0.0, high)
    return float(both / (one["w"] * one["h"] + other["w"] * other["h"] - both))


def graph_tables(kept: Iterable[tuple[str, Json]]) -> Mapping[str, pl.DataFrame]:
    """Rows of ``objects``, ``attributes`` and ``relations`` of graphs that were kept, each with the id of its picture.

    >>> dog = {"object_id": "1", "name": "dog", "x": 0, "y": 0, "w": 9, "h": 9, "attributes": ["wet"]}
    >>> tables = graph_tables([("7", {"graph": {"objects": [dog], "relations": []}})])
    >>> tables["objects"].select("image_id", "name").rows(), tables["attributes"]["attribute"].to_list()
    ([('7', 'dog')], ['wet'])
    """
    rows: dict[str, list[Json]] = {"objects": [], "attributes": [], "relations": []}
    for image, each in kept:
        graph = each["graph"]
        for thing in graph["objects"]:
            named = {"image_id": image, "object_id": thing["object_id"]}
            rows["objects"].append(named | {name: thing[name] for name in ("name", "x", "y", "w", "h")})
            rows["attributes"] += [named | {"attribute": attribute} for attribute in thing["attributes"]]
        rows["relations"] += [
            {"image_id": image, "relation_id": str(number), **relation}
            for number, relation in enumerate(graph["relations"], start=1)
        ]
    return {
        name: TABLES[name].conform(pl.DataFrame(found, infer_schema_length=None)) if found else TABLES[name].empty()
        for name, found in rows.items()
    }


GRAPH = BodyKind(GraphDrawn, _graph_mistakes, _kept, _agreement, graph_state)
