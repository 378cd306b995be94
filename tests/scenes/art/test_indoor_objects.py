"""The drawings of the house are made for a person of 170 pixels, stand on the ground, and say what they show."""

from io import BytesIO

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from eyechart.scenes.art import HEIGHT, WIDTH, Box, Clip, Form, Object, Scene, pieces
from eyechart.scenes.render import measure, to_png

ROOMS = {"living_room", "kitchen", "bedroom"}
INDOORS = [piece for piece in pieces().values() if isinstance(piece, Object) and ROOMS & set(piece.scenes)]
TYPES = [
    pytest.param(piece, variant, form, id=f"{piece.name} {form.name}")
    for piece in INDOORS
    for variant, form in enumerate(piece.forms)
]
STATES = [("on", "off"), ("open", "closed"), ("lit", "unlit"), ("full", "empty"), ("made", "unmade"), ("whole", "cut")]
LOWEST, HIGHEST = 25, 60
"""Of hips above the ground, on a chair for anybody; a bar stool is higher."""


def clip(piece: Object, variant: int, colors: tuple[str, ...] = ()) -> Clip:
    return Clip(piece.name, WIDTH / 2, HEIGHT / 2, variant=variant, colors=colors)


def drawn(piece: Object, variant: int) -> Box:
    """What a type draws lies within, relative to its origin."""
    box = measure(Scene("bedroom", (clip(piece, variant),))).clips[0].box
    assert box is not None
    return (box[0] - WIDTH / 2, box[1] - HEIGHT / 2, box[2] - WIDTH / 2, box[3] - HEIGHT / 2)


def pixels(thing: Clip) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(BytesIO(to_png(Scene("bedroom", (thing,)), WIDTH))).convert("RGB"))


def test_every_object_has_two_to_four_types() -> None:
    assert len(INDOORS) >= 95
    assert {piece.name: len(piece.forms) for piece in INDOORS if not 2 <= len(piece.forms) <= 4} == {}


@pytest.mark.parametrize(("piece", "variant", "form"), TYPES)
def test_what_stands_touches_the_ground_in_its_middle(piece: Object, variant: int, form: Form) -> None:
    left, _, right, bottom = drawn(piece, variant)
    x, y = form.anchors.base
    assert left < x < right
    if {"floor", "surface"} & set(piece.places):
        assert y == pytest.approx(bottom, abs=2)


@pytest.mark.parametrize(("piece", "variant", "form"), TYPES)
def test_things_are_put_onto_what_is_drawn(piece: Object, variant: int, form: Form) -> None:
    left, top, right, bottom = drawn(piece, variant)
    for start, end, level in (*form.anchors.surfaces, *form.anchors.insides, *form.anchors.beds):
        assert left <= start < end <= right
        assert top <= level <= bottom


@pytest.mark.parametrize(("piece", "variant", "form"), TYPES)
def test_hands_hold_what_is_drawn(piece: Object, variant: int, form: Form) -> None:
    left, top, right, bottom = drawn(piece, variant)
    points = [*form.anchors.grips, *([form.anchors.worn] if form.anchors.worn else [])]
    assert all(left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1 for x, y in points)
    assert (piece.worn is not None) == (form.anchors.worn is not None)


@pytest.mark.parametrize(("piece", "variant", "form"), [each for each in TYPES if each.values[2].anchors.seats])
def test_seats_are_as_high_as_shins_are_long(piece: Object, variant: int, form: Form) -> None:
    assert piece.forms[variant] is form
    heights = [form.anchors.base[1] - y for _, y in form.anchors.seats]
    assert all(LOWEST <= height <= HIGHEST for height in heights), heights


@pytest.mark.parametrize("piece", INDOORS, ids=lambda piece: piece.name)
def test_types_of_opposite_states_look_different(piece: Object) -> None:
    for state, opposite in STATES:
        for first, one in enumerate(piece.forms):
            others = [at for at, form in enumerate(piece.forms) if opposite in form.attributes]
            if state in one.attributes:
                assert all((pixels(clip(piece, first)) != pixels(clip(piece, at))).any() for at in others)
                assert opposite not in one.attributes


@pytest.mark.parametrize("piece", [each for each in INDOORS if each.slots], ids=lambda piece: piece.name)
def test_a_slot_changes_the_picture_of_those_types_alone_that_show_it(piece: Object) -> None:
    for place, slot in enumerate(piece.slots):
        if len(slot.colors) < 2:
            continue
        other = next(color for color in slot.colors if color != slot.default)
        colors = tuple(other if at == place else each.default for at, each in enumerate(piece.slots))
        for variant, form in enumerate(piece.forms):
            changed = (pixels(clip(piece, variant)) != pixels(clip(piece, variant, colors))).any()
            assert changed == (slot.name in form.slots), (form.name, slot.name)


@pytest.mark.parametrize(("piece", "variant", "form"), TYPES)
def test_a_thing_does_not_show_itself(piece: Object, variant: int, form: Form) -> None:
    assert piece.forms[variant] is form
    assert form.noun not in form.shows
