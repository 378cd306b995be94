"""The questions that a generated world asks itself: what color something has, with the truth from the graph.

Where colours have habits, or a planted world ties them to something, these questions can be guessed; how well, an audit
has to find out.
"""

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from eyechart.scenes.generate.graph import Graph, Thing
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.ontology import packaged_ontology

__all__ = ["color_of", "probe_question"]

Row = dict[str, Any]  # a row of the table of questions

_COLOR = "color"


def probe_question(graph: Graph, probe: str | None, asked: Collection[str], lots: Lots) -> Row | None:
    """The question of a scene: about its probe, or about one of the names that a world asks about; None without one.

    >>> from eyechart.scenes.generate.graph import Box
    >>> ball = Thing("ball-0", "ball", Box(10, 10, 20, 20), ("red", "round"))
    >>> row = probe_question(Graph(500, 400, "park", None, (ball,), ()), None, ["ball"], Lots(1, 1))
    >>> row["question"], row["answer"], row["program"][0]["argument"]
    ('What color is the ball?', 'red', 'ball (ball-0)')
    """
    there = [thing for thing in _askable(graph) if (thing.object_id == probe if probe else thing.name in asked)]
    if not there:
        return None
    thing = there[int(lots.uniform("asked") * len(there))]
    color = color_of(thing)
    verb = "are" if packaged_ontology().is_plural(thing.name) else "is"
    return {
        "question": f"What color {verb} the {thing.name}?",
        "question_type": f"what color {verb} the",
        "answer_type": "other",
        "answer": color,
        "answerable": True,
        "full_answer": f"The {thing.name} {verb} {color}.",
        "pattern": "probe-color",
        "program": [
            {"operation": "select", "argument": f"{thing.name} ({thing.object_id})", "dependencies": []},
            {"operation": "query", "argument": _COLOR, "dependencies": [0]},
        ],
        "group_global": _COLOR,
        "group_local": f"{_COLOR}-{thing.name}",
        "structural": "query",
        "semantic": "attr",
        "detailed": _COLOR,
    }


def color_of(thing: Thing) -> str | None:
    """The colour of a thing, if it has one alone.

    >>> from eyechart.scenes.generate.graph import Box
    >>> color_of(Thing("ball-0", "ball", Box(0, 0, 9, 9), ("red", "white")))
    """
    found = [attribute for attribute in thing.attributes if attribute in _colors()]
    return found[0] if len(found) == 1 else None


def _askable(graph: Graph) -> Iterator[Thing]:
    """Things that are alone of their name and of one colour."""
    names = [thing.name for thing in graph.things]
    for thing in graph.things:
        if names.count(thing.name) == 1 and not thing.scenery and color_of(thing):
            yield thing


@cache
def _colors() -> frozenset[str]:
    return frozenset(name for name, found in packaged_ontology().attributes.items() if found.type == _COLOR)
