"""Edits: each changes little, keeps the scene whole, and the least that changes an answer is found."""

from dataclasses import replace

import pytest

from eyechart.errors import UnknownNameError
from eyechart.scenes import art
from eyechart.scenes.art import Clip, Scene
from eyechart.scenes.generate import Composer, Composition, Graph, Link, depict, edit, edits, packaged_world

ORDER = ("color", "face", "pose", "kind", "place", "places", "piece", "absence")


@pytest.fixture(scope="module")
def compositions() -> list[Composition]:
    """Some scenes of the natural world."""
    composer = Composer(packaged_world("natural"))
    return [composer.compose(number, 3) for number in range(12)]


def color_of_the(name: str, graph: Graph) -> str | None:
    """What color is the …? None if there is not exactly one."""
    found = list(graph.named(name))
    return found[0].attributes[0] if len(found) == 1 else None


def test_least_change_first(compositions: list[Composition]) -> None:
    """Colours before poses, poses before places, and a thing goes only if nothing else helps."""
    for composition in compositions:
        changes = [ORDER.index(each.change) for each in edits(composition)]
        assert changes == sorted(changes)
        assert changes


def test_every_edit_can_be_drawn(compositions: list[Composition]) -> None:
    """Ids stay different, clips stay within what their pieces can show, and acts name what is there."""
    for composition in compositions:
        for each in edits(composition):
            art.check(each.composition.scene)
            ids = [art.name_of(clip) for clip in each.composition.scene.clips]
            assert len(set(ids)) == len(ids)
            assert each.composition.scene != composition.scene


def test_only_what_it_is_about_changes(compositions: list[Composition]) -> None:
    """Apart from what the thing carries, and what it trades places with."""
    for composition in compositions:
        about = art.name_of(composition.scene.clips[0])
        for each in edits(composition, [about]):
            assert each.object_id == about
            changed = set(composition.scene.clips) - set(each.composition.scene.clips)
            assert composition.scene.clips[0] in changed
            if each.change in ("color", "face", "pose", "kind", "piece"):
                assert len(changed) == 1 or (each.change == "pose" and _holds(composition, about, changed))


def _holds(composition: Composition, holder: str, changed: set[Clip]) -> bool:
    """Whether everything else that has changed is in somebody's hands or on their head."""
    held = {link.object for link in composition.acts if link.subject == holder}
    return {art.name_of(clip) for clip in changed} <= {holder, *held}


def test_what_stands_goes_with_what_carries_it() -> None:
    """A table that moves takes its cup along; one that goes takes it away."""
    table = Clip("table", 150.0, 320.0, depth=1, layer=50, sublayer=20)
    cup = Clip("cup", 150.0, 270.0, depth=1, layer=50, sublayer=19)
    composition = Composition(Scene("kitchen", (table, cup)), "kitchen", acts=(Link("cup-0", "on", "table-0"),))
    found = list(edits(composition, ["table-0"]))
    moved = next(each for each in found if each.change == "place").composition.scene.clips
    assert moved[0].x - table.x == moved[1].x - cup.x != 0
    gone = next(each for each in found if each.change == "absence").composition.scene.clips
    assert gone == ()
    assert "kind" not in {each.change for each in found}
    kept = next(each for each in edits(composition, ["cup-0"]) if each.change == "absence").composition.scene.clips
    assert kept == (table,)


def test_the_least_edit_is_a_color() -> None:
    """For a question of colour."""
    composition = Composition(Scene("kitchen", (Clip("cup", 250.0, 300.0, colors=("red",)),)), "kitchen")
    found = edit(composition, lambda graph: color_of_the("cup", graph))
    assert found is not None
    assert found.change == "color"
    assert color_of_the("cup", depict([found.composition])[0]) not in (None, "red")


def test_counting_takes_a_thing_away() -> None:
    """Where no smaller edit changes the number."""
    apples = tuple(Clip("apple", 100.0 + 150 * number, 300.0, instance=number) for number in range(3))
    composition = Composition(Scene("kitchen", apples), "kitchen")
    found = edit(composition, lambda graph: str(len(list(graph.named("apple")))), about=["apple-1"])
    assert found is not None
    assert found.change in ("piece", "absence")


def test_an_edit_keeps_the_sense() -> None:
    """A question that no longer makes sense is no complement, nor one that the caller rejects."""
    composition = Composition(Scene("kitchen", (Clip("cup", 250.0, 300.0, colors=("red",)),)), "kitchen")
    assert edit(composition, lambda graph: color_of_the("cup", graph), makes_sense=lambda _: False) is None
    assert edit(composition, lambda graph: "yes" if list(graph.named("cup")) else None) is None


def test_ids_that_are_not_there() -> None:
    """Are told."""
    composition = Composition(Scene("kitchen", (Clip("cup", 250.0, 300.0),)), "kitchen")
    with pytest.raises(UnknownNameError, match="'cap-0': did you mean 'cup-0'"):
        list(edits(replace(composition), ["cap-0"]))


def test_who_holds_something_stands_on_other_legs() -> None:
    """Hand and thing move together, and the pose in the graph is another one."""
    composer = Composer(packaged_world("natural"))
    seen = 0
    for number in range(60):
        composition = composer.compose(number, 8)
        held = [link for link in composition.acts if link.predicate == "holding" and link.subject.startswith("doll")]
        for link in held[:1]:
            clips = {art.name_of(clip): clip for clip in composition.scene.clips}
            for each in edits(composition, [link.subject]):
                if each.change != "pose":
                    continue
                changed = {art.name_of(clip): clip for clip in each.composition.scene.clips}
                assert changed[link.subject].turns != clips[link.subject].turns
                lift = changed[link.subject].y - clips[link.subject].y
                assert changed[link.object].y - clips[link.object].y == pytest.approx(lift, abs=0.02)
                seen += 1
    assert seen > 5
