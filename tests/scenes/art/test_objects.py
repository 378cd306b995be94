"""Objects are drawn for a person of 170 pixels, stand on the ground, and say what they show."""

from io import BytesIO

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from eyechart.scenes.art import HEIGHT, WIDTH, Box, Clip, Form, Object, Scene, pieces
from eyechart.scenes.render import drawn_box, to_png

OBJECTS = [piece for piece in pieces().values() if isinstance(piece, Object)]
TYPES = [
    pytest.param(piece, variant, form, id=f"{piece.name} {form.name}")
    for piece in OBJECTS
    for variant, form in enumerate(piece.forms)
]
STATES = [("on", "off"), ("open", "closed"), ("lit", "unlit"), ("full", "empty"), ("made", "unmade"), ("whole", "cut")]
FLAT = {"rug", "blanket", "beach_towel", "picnic_blanket", "pond", "sandbox"}
"""They lie on the ground, with their middle where they are."""
ROOMS = {"living_room", "kitchen", "bedroom"}
SEATS = [each for each in TYPES if each.values[2].anchors.seats and ROOMS & set(each.values[0].scenes)]
LOWEST, HIGHEST = 25, 60
"""Of hips above the ground, on a chair for anybody; a bar stool is higher."""


def clip(piece: Object, variant: int, colors: tuple[str, ...] = ()) -> Clip:
    return Clip(piece.name, WIDTH / 2, HEIGHT / 2, variant=variant, colors=colors)


def drawn(piece: Object, variant: int) -> Box:
    """What a type draws lies within, relative to its origin."""
    return drawn_box(clip(piece, variant), piece)


def pixels(thing: Clip) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(BytesIO(to_png(Scene("bedroom", (thing,)), WIDTH // 2))).convert("RGB"))


def test_every_object_has_two_to_four_types() -> None:
    assert len(OBJECTS) > 150
    assert {piece.name: len(piece.forms) for piece in OBJECTS if not 2 <= len(piece.forms) <= 4} == {}


@pytest.mark.parametrize(("piece", "variant", "form"), TYPES)
def test_what_stands_touches_the_ground_in_its_middle(piece: Object, variant: int, form: Form) -> None:
    left, top, right, bottom = drawn(piece, variant)
    x, y = form.anchors.base
    assert left < x < right
    if {"floor", "surface"} & set(piece.places) and "wall" not in piece.places and piece.name not in FLAT:
        # A door that stands open is nearer than its frame, and drawn lower.
        assert y == pytest.approx(bottom, abs=max(2, 0.03 * (bottom - top)))


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
    assert piece.worn is None or points


@pytest.mark.parametrize(("piece", "variant", "form"), SEATS)
def test_seats_are_as_high_as_shins_are_long(piece: Object, variant: int, form: Form) -> None:
    assert piece.forms[variant] is form
    heights = [form.anchors.base[1] - y for _, y in form.anchors.seats]
    assert all(LOWEST <= height <= HIGHEST for height in heights), heights


@pytest.mark.parametrize("piece", OBJECTS, ids=lambda piece: piece.name)
def test_types_of_opposite_states_look_different(piece: Object) -> None:
    for state, opposite in STATES:
        for first, one in enumerate(piece.forms):
            others = [at for at, form in enumerate(piece.forms) if opposite in form.attributes]
            if state in one.attributes:
                assert all((pixels(clip(piece, first)) != pixels(clip(piece, at))).any() for at in others)
                assert opposite not in one.attributes


@pytest.mark.parametrize("piece", [each for each in OBJECTS if each.slots], ids=lambda piece: piece.name)
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
