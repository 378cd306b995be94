"""Scenes that are handed in: read back exactly, and refused in sentences."""

from dataclasses import replace
from typing import Any

import msgspec
import polars as pl
import pytest

from eyechart.collection.bodies.scene import (
    Rules,
    SceneTask,
    Wanted,
    changes,
    composition,
    made_tables,
    read_scenes,
    wanted,
)
from eyechart.scenes.art import Clip, Scene, backgrounds, name_of, pieces, stencil
from eyechart.scenes.generate import Composer, packaged_world
from eyechart.scenes.render import rows_of

POSED = tuple(stencil("doll02")["poses"]["running"])
THINGS = (
    Clip("tree", 100.0, 150.0, layer=3),
    Clip("dog", 250.0, 330.0, pose=3, layer=2),
    Clip("cat", 300.0, 330.0, layer=2),
    Clip("ball", 200.0, 360.0, flip=True),
    Clip("bench", 380.0, 300.0, depth=2, variant=1, colors=("red",), layer=3),
    Clip("doll02", 420.0, 250.0, expression=1, turns=POSED, layer=1),
)
FINISHED = Scene("park", THINGS)


def handed_in(*scenes: tuple[str, Scene], **more: Any) -> str:
    """Scenes as the editor writes them, with what was done."""
    records = [composition(key, rows_of([(key, scene)])) for key, scene in scenes]
    for record in records:
        record["scene"] |= {"userSequence": [{"at": 12, "do": "add", "on": "tree-0", "to": [100, 150]}], **more}
    return msgspec.json.encode({"scenes": records}).decode()


def mistakes(scene: Scene, asked: Wanted, **more: Any) -> tuple[str, ...]:
    """What is wrong with one scene."""
    return read_scenes(handed_in((asked.id, scene), **more), SceneTask((asked,))).mistakes


def test_a_finished_scene_comes_back_as_it_was() -> None:
    """Every number of every thing, and every step."""
    found = read_scenes(handed_in(("7", FINISHED)), SceneTask((Wanted("7", "park", person=True),)))
    assert found.mistakes == ()
    assert found.scenes[0].scene == FINISHED
    assert found.scenes[0].steps == ({"at": 12, "do": "add", "on": "tree-0", "to": [100, 150]},)


@pytest.mark.parametrize("number", range(12))
def test_generated_scenes_come_back_as_they_were(number: int) -> None:
    """What our own worlds make passes through the editor's layout unchanged, whatever its rules say of it."""
    scene = Composer(packaged_world("natural")).compose(number, seed=5).scene
    start = composition("7", rows_of([("7", scene)]))
    asked = Wanted("7", scene.background, start=start)
    found = read_scenes(handed_in(("7", scene)), SceneTask((asked,)))
    made = found.scenes[0].scene
    assert replace(made, clips=()) == replace(scene, clips=())
    assert {name_of(clip): clip for clip in made.clips} == {name_of(clip): clip for clip in scene.clips}
    assert any("found 0 changes, expected 3 at least" in mistake for mistake in found.mistakes)


@pytest.mark.parametrize(
    ("scene", "asked", "told"),
    [
        (Scene("park", THINGS[:4]), Wanted("7", "park"), "found 4 things, expected 6 at least"),
        (Scene("park", THINGS[:5]), Wanted("7", "park", person=True), "found nobody, expected a person"),
        (
            Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0, turns=POSED))),
            Wanted("7", "park"),
            "found no face on doll02-0, expected an expression",
        ),
        (
            Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0, expression=2))),
            Wanted("7", "park"),
            "found 0 limbs of doll02-0 turned, expected 3 at least",
        ),
        (FINISHED, Wanted("7", "beach"), "found the background 'park', expected 'beach'"),
        (FINISHED, Wanted("7", "park", offered=("tree", "dog")), "found cat, expected a piece that the shelf offers"),
        (
            Scene("park", (*THINGS, Clip("tree", 700.0, 20.0, instance=1))),
            Wanted("7", "park"),
            "found tree-1 at 700, 20, expected a place in the picture",
        ),
        (
            Scene("park", (*THINGS, Clip("tree", 70.0, 20.0, instance=9))),
            Wanted("7", "park"),
            "found tree-9, expected instances 0 to 4",
        ),
    ],
)
def test_an_unfinished_scene_is_refused_in_a_sentence(scene: Scene, asked: Wanted, told: str) -> None:
    """Each rule says what it found and what it expected."""
    assert any(told in mistake for mistake in mistakes(scene, asked)), mistakes(scene, asked)


def test_three_limbs_must_be_turned_far_enough() -> None:
    """Two limbs, or three that hardly moved, are not a pose."""
    rest = stencil("doll02")["poses"]["standing"]
    for turned, by, enough in ((3, 0.25, True), (2, 0.25, False), (3, 0.15, False)):
        turns = tuple(angle + by * (limb in range(4, 4 + turned)) for limb, angle in enumerate(rest))
        scene = Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0, expression=1, turns=turns)))
        assert (mistakes(scene, Wanted("7", "park")) == ()) is enough


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("[", "found what cannot be read"),
        ('{"scenes": [], "more": 1}', "unknown field"),
        ('{"scenes": [{"id": "7", "scene": {"sceneType": "park", "availableObject": 3}}]}', "Expected `array`"),
        ("x" * 4_000_001, "expected 4000000 at most"),
    ],
)
def test_what_is_no_scene_is_refused(body: str, told: str) -> None:
    """Bytes of any kind get a sentence."""
    assert told in read_scenes(body, SceneTask((Wanted("7", "park"),))).mistakes[0]


@pytest.mark.parametrize(
    "member",
    [
        {"x": 1e300},
        {"z": 7},
        {"name": "dgo"},
        {"flip": 3},
        {"colors": ["ultraviolet"]},
        {"poseID": 99},
        {"type": "robot"},
        {"deformableLocalRot": [0.1] * 33},
    ],
)
def test_a_tampered_thing_is_refused(member: dict[str, Any]) -> None:
    """No number or name gets through that cannot be drawn."""
    record = msgspec.json.decode(handed_in(("7", FINISHED)))
    offers = record["scenes"][0]["scene"]["availableObject"]
    dog = next(offer["instance"][0] for offer in offers if offer["instance"][0]["name"] == "dog")
    dog |= member
    found = read_scenes(msgspec.json.encode(record), SceneTask((Wanted("7", "park"),)))
    assert found.mistakes
    assert not found.scenes


def test_steps_are_bounded_and_typed() -> None:
    """What was done is kept, but only in words that are known."""
    asked = Wanted("7", "park")
    assert mistakes(FINISHED, asked, userSequence=[{"at": 1, "do": "hack", "on": "dog-0"}])
    assert mistakes(FINISHED, asked, userSequence=[{"at": 1, "do": "undo", "on": ""}] * 20_001)
    assert not mistakes(FINISHED, asked, userSequence=[{"at": 1, "do": "undo", "on": ""}])


def test_changes_count_each_way_in_which_a_thing_differs() -> None:
    """Coming, going, place or size, side, look, face, colours and limbs are one change each."""
    start = Scene("park", THINGS)
    first = THINGS[0]
    for change, count in (
        ({"x": 120.0}, 1),
        ({"x": 104.0}, 0),
        ({"x": 120.0, "depth": 3}, 1),
        ({"flip": True, "variant": 1}, 2),
        ({"colors": (None,)}, 0),
    ):
        after = Scene("park", (replace(first, **change), *THINGS[1:]))
        assert changes(start, after) == count, change
    assert changes(start, Scene("park", THINGS[1:])) == 1


def test_draws_are_keyed_and_even() -> None:
    """The same seed and scene ask for the same; shelves that are drawn differ from scene to scene."""
    assert wanted("7", seed=1, share=0.5) == wanted("7", seed=1, share=0.5)
    shelves = {wanted(str(number), seed=1, background="park", share=0.5).offered for number in range(20)}
    assert len(shelves) == 20
    assert all(set(shelf or ()) <= set(pieces()) for shelf in shelves)
    places = [wanted(str(number), seed=1).background for number in range(600)]
    assert all(60 < places.count(name) < 140 for name in backgrounds())


def test_scenes_become_rows() -> None:
    """A picture and its clip art, for the tables of a benchmark."""
    found = read_scenes(handed_in(("7", FINISHED)), SceneTask((Wanted("7", "park"),)))
    tables = made_tables([("made-1", found.scenes[0])])
    assert tables["images"].row(0, named=True) == {
        "image_id": "made-1",
        "location": "park",
        "width": 500,
        "height": 400,
    }
    assert tables["cliparts"].equals(rows_of([("made-1", FINISHED)]))
    assert isinstance(tables["images"], pl.DataFrame)
    assert Rules().changes == 3
