"""What browsers are told of the art: everything, once, and small enough to be sent."""

import gzip

import msgspec
import pytest

from eyechart.errors import UnknownNameError
from eyechart.scenes.art import Clip, Scene, atlas, backgrounds, pieces, stencil
from eyechart.scenes.render import to_svg


def test_the_atlas_knows_every_piece_and_background() -> None:
    """Nothing that the renderer draws is missing, and labels tell pieces apart."""
    assert set(atlas()["pieces"]) == set(pieces())
    assert set(atlas()["backgrounds"]) == set(backgrounds())
    labels = [entry["label"] for entry in atlas()["pieces"].values()]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("name", ["apple", "dog", "park"])
def test_a_filled_stencil_is_what_is_drawn(name: str) -> None:
    """The slots of a stencil, filled with their own colours, give the drawing of the renderer."""
    found = stencil(name)
    svg = found["forms"][0]["svg"]
    for slot in found["slots"]:
        svg = svg.replace(f"{{{slot['name']}}}", atlas()["palette"][slot["default"]])
    scene = Scene(name) if name == "park" else Scene("park", (Clip(name, 10, 20),))
    assert svg in to_svg(scene)
    assert "{" not in svg


def test_every_limb_can_be_taken_hold_of_away_from_its_joint() -> None:
    """A handle on its own joint could not turn anything."""
    for name, entry in atlas()["pieces"].items():
        if entry["kind"] == "human":
            person = stencil(name)
            assert len(person["ends"]) == len(person["bones"]) == len(person["limbs"])
            assert all(x * x + y * y > 36 for x, y in person["ends"]), name


def test_all_art_together_is_less_than_a_megabyte_compressed() -> None:
    """It is sent piece by piece when it is needed; even all of it is not much."""
    names = [*pieces(), *backgrounds()]
    sizes = [len(gzip.compress(msgspec.json.encode(stencil(name)))) for name in names]
    assert sum(sizes) < 1_000_000
    assert max(sizes) < 30_000


def test_an_unknown_piece_is_told() -> None:
    """A misspelled name is an error that names the near ones."""
    with pytest.raises(UnknownNameError, match="no art is called 'dgo': did you mean 'dog'"):
        stencil("dgo")
