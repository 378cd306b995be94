"""Scene graphs that are handed in: into rows, out again as Visual Genome and GQA, and refused in sentences."""

from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from eyechart.collection.bodies import BODIES, Given, read
from eyechart.collection.bodies.graph import graph_state, graph_tables
from eyechart.errors import MistakesError
from eyechart.formats import FORMATS, write
from eyechart.tables import TABLES

Json = dict[str, Any]
MAN = {"object_id": "1", "name": "man", "x": 10, "y": 20, "w": 100, "h": 200, "attributes": ["tall", "smiling"]}
CUP = {"object_id": "2", "name": "coffee  cup", "x": 60, "y": 90, "w": 20.5, "h": 24, "attributes": []}
TABLE = {"object_id": "3", "name": "table", "x": 0, "y": 200, "w": 640, "h": 280, "attributes": ["wood"]}
HOLDS = {"subject_id": "1", "predicate": "holding", "object_id": "2"}
GRAPH = {
    "objects": [MAN, CUP, TABLE],
    "relations": [HOLDS, {**HOLDS, "subject_id": "2", "predicate": "above", "object_id": "3"}],
}
GIVEN = Given({"image": {"image_id": "7", "width": 640, "height": 480}}, {}, (), {})


def taken(graph: Json, given: Given = GIVEN) -> Json:
    """What is kept of a graph."""
    return read(BODIES.load("scene_graph"), {"graph": graph}, given)


def refused(graph: Json, given: Given = GIVEN) -> str:
    """What is said of a graph that is not taken."""
    with pytest.raises(MistakesError) as found:
        taken(graph, given)
    return str(found.value)


def test_a_graph_is_kept_with_tidy_words() -> None:
    """Blanks go, doubles go, numbers stay."""
    twice = {**GRAPH, "relations": [HOLDS, {**HOLDS, "predicate": " holding "}, GRAPH["relations"][1]]}
    kept = taken(twice)["graph"]
    assert kept["objects"][1] == {**CUP, "name": "coffee cup"}
    assert kept["relations"] == GRAPH["relations"]
    assert msgspec.json.decode(msgspec.json.encode(kept)) == kept


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"objects": [MAN, TABLE]}, "A relation is about thing 2, which is not there"),
        ({"objects": [MAN, {**CUP, "name": " "}, TABLE]}, "Name the thing in box 2."),
        ({"objects": [MAN, CUP, {**TABLE, "w": 700}]}, "Box 3 reaches over the edge"),
        ({"objects": [MAN, CUP, {**TABLE, "object_id": "1"}]}, "There are several things 1"),
        ({"relations": [{**HOLDS, "object_id": "1"}]}, "Thing 1 relates to itself"),
        ({"relations": [{**HOLDS, "predicate": "\u200b"}]}, "Say how thing 1 relates to thing 2."),
        ({"relations": []}, "Add 1 more relation."),
        ({"objects": [MAN], "relations": []}, "Add 2 more things."),
        ({"objects": [{**MAN, "attributes": []}, CUP, {**TABLE, "attributes": []}]}, "Add 1 more attribute."),
        ({"objects": [{**MAN, "w": 0}, CUP, TABLE]}, "expected `float` > 0"),
        ({"objects": [{**MAN, "x": float("nan")}, CUP, TABLE]}, "expected"),
        ({"objects": [{**MAN, "color": "red"}, CUP, TABLE]}, "unknown field"),
        ({"objects": [MAN] * 501}, "expected `array` of length <= 500"),
    ],
)
def test_a_faulty_graph_is_refused_in_a_sentence(change: Json, told: str) -> None:
    """Each mistake says where it is and what to do."""
    assert told.lower() in refused({**GRAPH, **change}).lower()


def test_a_study_may_ask_for_more_or_less() -> None:
    """Counts are rules of the study."""
    lenient = Given(GIVEN.content, {}, (), {"things": 1, "attributes": 0, "relations": 0})
    assert taken({"objects": [CUP]}, lenient)
    assert "Add 7 more things." in refused(GRAPH, Given(GIVEN.content, {}, (), {"things": 10}))
    assert graph_state([], {"things": 10})["rules"]["things"] == 10


def test_a_graph_becomes_rows() -> None:
    """Objects, attributes and relations as the tables of a benchmark have them."""
    tables = graph_tables([("7", taken(GRAPH))])
    assert tables["objects"].select("image_id", "object_id", "name", "x", "w").rows()[1] == (
        "7",
        "2",
        "coffee cup",
        60.0,
        20.5,
    )
    assert tables["attributes"].rows() == [("7", "1", "tall"), ("7", "1", "smiling"), ("7", "3", "wood")]
    assert tables["relations"].select("subject_id", "predicate", "object_id").rows() == [
        ("1", "holding", "2"),
        ("2", "above", "3"),
    ]
    assert graph_tables([])["relations"].height == 0


@pytest.mark.parametrize("name", ["gqa", "visual-genome"])
def test_a_graph_is_exported(name: str, tmp_path: Path) -> None:
    """Visual Genome's and GQA's files hold what was drawn."""
    images = pl.DataFrame({"image_id": ["7"], "width": [640], "height": [480]})
    frames = {"images": TABLES["images"].conform(images), **graph_tables([("7", taken(GRAPH))])}
    write(FORMATS.load(name), {table: rows.lazy() for table, rows in frames.items()}, tmp_path)
    text = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.json"))
    assert all(word in text for word in ("holding", "coffee cup", "tall"))


def test_agreement_matches_boxes_by_what_they_cover() -> None:
    """The same things a little apart agree; other names, or boxes elsewhere, do not."""
    kind = BODIES.load("scene_graph")
    known = taken(GRAPH)
    shifted = taken({**GRAPH, "objects": [{**MAN, "x": 14}, {**CUP, "object_id": "2"}, TABLE]})
    assert kind.agrees(known, known) == 1
    assert kind.agrees(shifted, known) == 1
    renamed = taken({**GRAPH, "objects": [{**MAN, "name": "boy"}, CUP, TABLE]})
    assert kind.agrees(renamed, known) == pytest.approx(2 / 3)
    away = taken({**GRAPH, "objects": [{**MAN, "x": 300}, CUP, TABLE]})
    assert kind.agrees(away, known) == pytest.approx(2 / 3)
