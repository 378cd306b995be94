"""Scenes that are handed in: read back exactly, and refused in sentences."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from eyechart.collection.bodies import BODIES, Given, read
from eyechart.collection.bodies.scene import Rules, changes, composition, scene_state, scene_tables, wanted, wanted_of
from eyechart.collection.planning import plan_items
from eyechart.errors import MistakesError, WorkError
from eyechart.formats import FORMATS, Shard
from eyechart.formats import read as read_format
from eyechart.scenes.art import Clip, Scene, backgrounds, name_of, pieces, stencil
from eyechart.scenes.generate import Composer, packaged_world
from eyechart.scenes.render import rows_of, scenes_of
from eyechart.tables import TABLES

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
STEP = {"at": 12, "do": "add", "on": "tree-0", "to": [100, 150]}
Json = dict[str, Any]


def handed_in(scene: Scene, **more: Any) -> Json:
    """A scene as the editor writes it, with what was done."""
    record = composition("0", rows_of([("0", scene)]), steps=[STEP])
    return {"scene": msgspec.to_builtins({**record["scene"], **more})}


def rows(scene: Scene) -> Json:
    """A scene as an item holds it."""
    return {"background": scene.background, "cliparts": rows_of([("0", scene)]).drop("image_id").to_dicts()}


def taken(task: str, body: Json, content: Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Json:
    """What is kept of a body."""
    return read(BODIES.load(task), body, Given(content, {}, (), rules or {}))


def made(scene: Scene, asked: Mapping[str, Any] | None = None, **more: Any) -> Json:
    """What is kept of a scene that was made from nothing."""
    return taken("scene", {"scene": handed_in(scene, **more)}, {"scene": {"background": "park", **(asked or {})}})


def drawn(kept: Json) -> Scene:
    """The scene that was kept."""
    (scene,) = scenes_of(scene_tables([("new", kept)])["cliparts"]).values()
    return scene


def same(one: Scene, other: Scene) -> bool:
    """Whether two scenes have the same things, in any order."""
    named = [{name_of(clip): clip for clip in each.clips} for each in (one, other)]
    return replace(one, clips=()) == replace(other, clips=()) and named[0] == named[1]


def test_a_finished_scene_comes_back_as_it_was() -> None:
    """Every number of every thing, and every step."""
    kept = made(FINISHED, {"person": True})
    assert drawn(kept) == FINISHED
    assert kept["steps"] == [STEP]
    assert msgspec.json.decode(msgspec.json.encode(kept)) == kept


@pytest.mark.parametrize("number", range(12))
def test_generated_scenes_come_back_as_they_were(number: int) -> None:
    """What our own worlds make passes through the editor's layout and the database unchanged."""
    scene = Composer(packaged_world("natural")).compose(number, seed=5).scene
    kept = taken(
        "scene_edit",
        {"scene": handed_in(scene), "answer": "yes"},
        {"scene": rows(scene), "question": "Is it red?", "answer": "no"},
        {"changes": 0},
    )
    assert same(drawn(kept), scene)


def test_the_importer_reads_what_was_handed_in(tmp_path: Path) -> None:
    """The layout is that of the dataset: `eyechart import abstract-scenes` gives the same rows."""
    kept = made(FINISHED)
    clips = scene_tables([("7", kept)])["cliparts"]
    record = composition("7", clips, steps=kept["steps"])
    folder = tmp_path / "scene_composition"
    folder.mkdir()
    (folder / "abstract_000000000007.json").write_bytes(msgspec.json.encode(record))
    pieces = read_format(FORMATS.load("abstract-scenes"), Shard({"scenes": str(folder)}))
    found = pl.concat([TABLES["cliparts"].conform(piece.rows) for piece in pieces if piece.table == "cliparts"])
    assert same(scenes_of(found.with_columns(image_id=pl.lit("7")))["7"], FINISHED)


@pytest.mark.parametrize(
    ("scene", "asked", "told"),
    [
        (Scene("park", THINGS[:4]), {}, "Put 2 more things into the picture."),
        (Scene("park", THINGS[:5]), {"person": True}, "Put at least one person into the picture."),
        (
            Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0, turns=POSED))),
            {},
            "Choose a face for the woman in teal.",
        ),
        (
            Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0, expression=2))),
            {},
            "Pose the woman in teal: turn at least 3 limbs.",
        ),
        (FINISHED, {"background": "beach"}, "The picture plays in park, expected beach"),
        (FINISHED, {"offered": ["tree", "dog"]}, "cat is not on the shelf"),
        (Scene("park", (*THINGS, Clip("tree", 700.0, 20.0, instance=1))), {}, "tree-1 is outside of the picture"),
        (Scene("park", (*THINGS, Clip("tree", 70.0, 20.0, instance=9))), {}, "tree-9 is one too many"),
    ],
)
def test_an_unfinished_scene_is_refused_in_a_sentence(scene: Scene, asked: Json, told: str) -> None:
    """Each rule says what to do."""
    with pytest.raises(MistakesError) as refused:
        made(scene, asked)
    assert told in refused.value.mistakes["0.scene"]


def test_three_limbs_must_be_turned_far_enough() -> None:
    """Two limbs, or three that hardly moved, are not a pose."""
    rest = stencil("doll02")["poses"]["standing"]

    def posed(turned: int, by: float) -> Scene:
        turns = tuple(angle + by * (limb in range(4, 4 + turned)) for limb, angle in enumerate(rest))
        return Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0, expression=1, turns=turns)))

    assert made(posed(3, 0.25))
    for turned, by in ((2, 0.25), (3, 0.15)):
        with pytest.raises(MistakesError, match="turn at least 3 limbs"):
            made(posed(turned, by))


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
def test_a_tampered_thing_is_refused(member: Json) -> None:
    """No number or name gets through that cannot be drawn."""
    body = handed_in(FINISHED)
    offers = body["scene"]["availableObject"]
    next(offer["instance"][0] for offer in offers if offer["instance"][0]["name"] == "dog").update(member)
    with pytest.raises(MistakesError):
        taken("scene", {"scene": body}, {"scene": {"background": "park"}})


def test_places_of_joints_are_not_believed() -> None:
    """What follows from the limbs' turns is worked out anew."""
    body = handed_in(FINISHED)
    doll = next(
        offer["instance"][0] for offer in body["scene"]["availableObject"] if offer["instance"][0]["deformable"]
    )
    doll["deformableX"] = [9999.0] * 15
    kept = taken("scene", {"scene": body}, {"scene": {"background": "park"}})
    assert max(next(row["part_x"] for row in kept["scene"]["cliparts"] if row["part_x"])) < 100


def test_steps_are_bounded_and_typed() -> None:
    """What was done is kept, but only in words that are known."""
    for steps in ([{"at": 1, "do": "hack", "on": "dog-0"}], [{"at": 1, "do": "undo", "on": ""}] * 20_001):
        with pytest.raises(MistakesError):
            made(FINISHED, userSequence=steps)
    assert len(made(FINISHED, userSequence=[{"at": 1, "do": "undo", "on": ""}] * 20_000)["steps"]) == 20_000


CHANGED = Scene("park", (replace(THINGS[1], pose=4, flip=True, x=20.0), THINGS[0], *THINGS[2:]))
GIVEN = {"scene": rows(FINISHED), "question": "Is the dog awake?", "answer": "Yes"}


def test_a_changed_scene_needs_changes_and_another_answer() -> None:
    """Three changes, an answer, and not the old one; or a reason why that cannot be."""
    kept = taken("scene_edit", {"scene": handed_in(CHANGED), "answer": " no "}, GIVEN)
    assert same(drawn(kept), CHANGED)
    assert (kept["answer"], kept["reason"]) == ("no", None)
    for scene, answer, field, told in (
        (FINISHED, "no", "scene", "Make 3 more changes to the picture."),
        (CHANGED, "", "answer", "Write the answer to the question as the picture is now."),
        (CHANGED, "yes.", "answer", "This is the old answer"),
    ):
        with pytest.raises(MistakesError) as refused:
            taken("scene_edit", {"scene": handed_in(scene), "answer": answer}, GIVEN)
        assert told in refused.value.mistakes[f"0.{field}"]
    with pytest.raises(MistakesError, match="or say why"):
        taken("scene_edit", {}, GIVEN)
    impossible = taken("scene_edit", {"scene": handed_in(FINISHED), "reason": "no_sense"}, GIVEN)
    assert impossible == {"scene": None, "steps": [], "answer": None, "reason": "no_sense"}


def test_given_people_need_no_new_pose() -> None:
    """Nor a face: people who were there may be as they were; who is added has both."""
    start = Scene("park", (*THINGS[:5], Clip("doll02", 420.0, 250.0)))
    given = {**GIVEN, "scene": rows(start)}
    changed = Scene("park", start.clips[3:])
    assert taken("scene_edit", {"scene": handed_in(changed), "answer": "no"}, given)
    added = Scene("park", (*start.clips[3:], Clip("doll05", 100.0, 250.0, expression=1)))
    with pytest.raises(MistakesError, match="Pose the man in green"):
        taken("scene_edit", {"scene": handed_in(added), "answer": "no"}, given)


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


def test_vacant_items_say_what_to_make() -> None:
    """Planning draws the place and whether there must be a person, the same on every run."""
    items = plan_items("scene", {}, vacant=40, seed=3)
    assert items == plan_items("scene", {}, vacant=40, seed=3)
    asked = [wanted_of(item.content) for item in items]
    few = plan_items("scene", {}, vacant=2, seed=3, rules={"shelf": 0.3})
    assert {len(wanted_of(item.content).offered or ()) for item in few} < set(range(10, 100))
    with pytest.raises(WorkError, match="rules: found some that cannot be read"):
        plan_items("scene", {}, vacant=2, rules={"shelf": "half"})
    assert {each.person for each in asked} == {True, False}
    state = scene_state([item.content for item in items[:3]], {"things": 2})
    assert state["rules"]["things"] == 2
    assert [scene["background"] for scene in state["scenes"]] == [each.background for each in asked[:3]]


def test_scenes_become_rows() -> None:
    """A picture and its clip art, for the tables of a benchmark."""
    tables = scene_tables([("made-1", made(FINISHED))])
    first = tables["images"].row(0, named=True)
    assert {name: first[name] for name in ("image_id", "location", "width", "height")} == {
        "image_id": "made-1",
        "location": "park",
        "width": 500,
        "height": 400,
    }
    assert tables["cliparts"].equals(rows_of([("made-1", FINISHED)]))
    assert scene_tables([])["cliparts"].height == 0
    assert Rules().changes == 3
