"""Composed scenes: the same for a number whatever else is made, drawable, and with everything where it belongs."""

import math
from itertools import islice

import pytest

from eyechart.scenes import art
from eyechart.scenes.art import HEIGHT, WIDTH, Clip
from eyechart.scenes.generate import Composer, Composition, packaged_world
from eyechart.scenes.generate.bodies import is_person
from eyechart.scenes.generate.stock import packaged_stock

COUNT = 150


@pytest.fixture(scope="module")
def composer() -> Composer:
    """Of the natural world."""
    return Composer(packaged_world("natural"))


@pytest.fixture(scope="module")
def compositions(composer: Composer) -> list[Composition]:
    """Some scenes."""
    return [composer.compose(number, 2) for number in range(COUNT)]


def clips_of(composition: Composition) -> dict[str, Clip]:
    """The clips by their ids."""
    return {art.name_of(clip): clip for clip in composition.scene.clips}


def spot(clip: Clip, place: str, point: tuple[float, float]) -> tuple[float, float]:
    """A point of a piece in the scene."""
    scale = packaged_stock().backgrounds[place].scales[clip.depth]
    return clip.x + (-1 if clip.flip else 1) * point[0] * scale, clip.y + point[1] * scale


def test_a_number_is_a_scene(composer: Composer, compositions: list[Composition]) -> None:
    """In any order, from any composer; another seed is another scene."""
    fresh = Composer(packaged_world("natural"))
    for number in (90, 7, 41):
        assert fresh.compose(number, 2) == compositions[number] == composer.compose(number, 2)
    assert composer.compose(7, 3) != compositions[7]


def test_scenes_can_be_drawn(compositions: list[Composition]) -> None:
    """Every clip is known and within what its piece can show, and ids are different."""
    for composition in compositions:
        art.check(composition.scene)
        assert len(clips_of(composition)) == len(composition.scene.clips)


def test_scenes_are_varied(compositions: list[Composition]) -> None:
    """All places, most of the people and animals, and hardly two scenes of the same things."""
    assert {each.place for each in compositions} == set(packaged_world("natural").places)
    shown = {clip.name for each in compositions for clip in each.scene.clips}
    stock = packaged_stock()
    assert len(shown & set(stock.people)) > 0.8 * len(stock.people)
    assert len(shown) > 0.6 * len(stock.pieces)
    kinds = {tuple(sorted(clip.name for clip in each.scene.clips)) for each in compositions}
    assert len(kinds) > 0.9 * COUNT


def test_acts_name_what_is_there(compositions: list[Composition]) -> None:
    """Clips, or regions of the background."""
    for composition in compositions:
        background = packaged_stock().backgrounds[composition.place]
        known = {*clips_of(composition), *(region.name for region in background.regions[composition.scene.variant])}
        assert {each for link in composition.acts for each in (link.subject, link.object)} <= known


def test_nothing_floats(compositions: list[Composition]) -> None:
    """What does nothing with anything stands on the ground of its depth: neither in the air nor below the picture."""
    stock = packaged_stock()
    for composition in compositions:
        background = stock.backgrounds[composition.place]
        tied = {each for link in composition.acts for each in (link.subject, link.object)}
        for object_id, clip in clips_of(composition).items():
            if object_id in tied:
                continue
            piece = stock.pieces[clip.name]
            base = piece.spots(clip)["ground"] if is_person(piece) else piece.form(clip).anchors.base
            y = spot(clip, composition.place, base)[1]
            assert background.levels[-1] - 12 <= y <= HEIGHT, (composition.place, object_id, y)


def test_hands_hold(compositions: list[Composition]) -> None:
    """A hand is where somebody holds a thing, to a pixel."""
    stock, held = packaged_stock(), 0
    for composition in compositions:
        clips = clips_of(composition)
        for link in composition.acts:
            holder, thing = clips.get(link.subject), clips.get(link.object)
            if link.predicate != "holding" or holder is None or thing is None:
                continue
            person, anchors = stock.pieces[holder.name], stock.pieces[thing.name].form(thing).anchors
            if not is_person(person) or not anchors.grips:
                continue
            spots = person.spots(holder)
            hands = [spot(holder, composition.place, spots[f"{side} hand"]) for side in ("left", "right")]
            grip = spot(thing, composition.place, anchors.grips[0])
            assert min(math.dist(grip, hand) for hand in hands) < 1, (link, composition.place)
            held += 1
    assert held > 3


def test_who_sits_is_on_a_seat(compositions: list[Composition]) -> None:
    """Hips are where the seat is, and nobody shares one."""
    stock, taken, seated = packaged_stock(), set(), 0
    for number, composition in enumerate(compositions):
        clips = clips_of(composition)
        for link in composition.acts:
            sitter, seat = clips.get(link.subject), clips.get(link.object)
            if (
                link.predicate != "sitting on"
                or sitter is None
                or seat is None
                or not is_person(stock.pieces[sitter.name])
            ):
                continue
            hips = spot(sitter, composition.place, stock.pieces[sitter.name].spots(sitter)["hips"])  # type: ignore[attr-defined]
            seats = [spot(seat, composition.place, s) for s in stock.pieces[seat.name].form(seat).anchors.seats]
            nearest = min(range(len(seats)), key=lambda place: math.dist(seats[place], hips))
            assert math.dist(seats[nearest], hips) < 1
            assert (number, link.object, nearest) not in taken
            taken.add((number, link.object, nearest))
            seated += 1
    assert seated > 5


def test_people_are_in_the_picture(compositions: list[Composition]) -> None:
    """Their heads are, at least."""
    stock = packaged_stock()
    for composition in compositions:
        for clip in composition.scene.clips:
            piece = stock.pieces[clip.name]
            if is_person(piece):
                x, y = spot(clip, composition.place, piece.spots(clip)["head"])
                assert -5 <= x <= WIDTH + 5
                assert -5 <= y <= HEIGHT


def test_planted_worlds_show_no_second_probe() -> None:
    """A piece that may be asked about comes nowhere else."""
    world = packaged_world("answer")
    composer = Composer(world)
    assert world.probes is not None
    for composition in islice((composer.compose(number, 4) for number in range(COUNT)), COUNT):
        probes = [clip.name for clip in composition.scene.clips if clip.name in world.probes.pieces]
        assert len(probes) == 1
