"""Graph and picture agree: boxes and colours at pixels, and relations by what was put together."""

import io
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from eyechart.scenes.art import WIDTH, Clip, Scene, color_value, name_of
from eyechart.scenes.generate import Composer, Composition, Graph, Link, depict, packaged_world
from eyechart.scenes.render import to_png

COUNT = 24
INK, SHADE = np.array([27, 31, 36]), 0.16
"""What lies over limbs on the far side."""
Pixels = npt.NDArray[np.int16]


@pytest.fixture(scope="module")
def sample() -> list[tuple[Composition, Graph]]:
    """Some scenes of the natural world with their graphs."""
    composer = Composer(packaged_world("natural"))
    compositions = [composer.compose(number, 9) for number in range(COUNT)]
    return list(zip(compositions, depict(compositions), strict=True))


def pixels(scene: Scene) -> Pixels:
    """The picture, a pixel per scene pixel."""
    with Image.open(io.BytesIO(to_png(scene, WIDTH))) as picture:
        return np.asarray(picture.convert("RGB"), dtype=np.int16)


def test_boxes_are_where_things_are(sample: list[tuple[Composition, Graph]]) -> None:
    """Without a thing, the picture changes within its box and up to its edges."""
    for composition, graph in sample[:8]:
        whole = pixels(composition.scene)
        for clip in composition.scene.clips:
            if name_of(clip) not in graph:
                continue
            others = tuple(other for other in composition.scene.clips if other != clip)
            changed = np.abs(whole - pixels(replace(composition.scene, clips=others))).max(axis=2) > 24
            box = graph[name_of(clip)].box
            # Single pixels of a thing are seen through the soft edges of what is before it.
            rows, columns = (np.flatnonzero(changed.sum(axis=axis) > 4) for axis in (1, 0))
            if not columns.size:
                continue
            if not rows.size:
                continue
            left, top, right, bottom = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
            assert left >= box.x - 3
            assert top >= box.y - 3
            assert right <= box.x + box.w + 3
            assert bottom <= box.y + box.h + 3


def test_colors_are_in_the_picture(sample: list[tuple[Composition, Graph]]) -> None:
    """A thing that is said to have a colour shows it within its box."""
    looked = 0
    for composition, graph in sample:
        picture = pixels(composition.scene)
        for thing in graph.things:
            for attribute in thing.attributes:
                value = _value(attribute)
                if value is None or thing.box.w * thing.box.h < 100:
                    continue
                x, y, w, h = (round(side) for side in thing.box)
                part = picture[max(y, 0) : y + h, max(x, 0) : x + w]
                shown = (value, value * (1 - SHADE) + INK * SHADE)
                assert any((np.abs(part - each).max(axis=2) <= 10).any() for each in shown), (thing, composition.place)
                looked += 1
    assert looked > 100


def _value(color: str) -> Pixels | None:
    try:
        text = color_value(color)
    except ValueError:
        return None
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.int16)


def test_graphs_name_each_thing_once(sample: list[tuple[Composition, Graph]]) -> None:
    """Ids are different, links lead somewhere, and each is stated once."""
    for _, graph in sample:
        ids = [thing.object_id for thing in graph.things]
        assert len(set(ids)) == len(ids)
        assert {each for link in graph.links for each in (link.subject, link.object)} <= set(ids)
        assert len(set(graph.links)) == len(graph.links)


def test_hidden_things_are_not_annotated() -> None:
    """A mouse behind a refrigerator is in the picture's file, but nobody sees it."""
    front = Clip("refrigerator", 250.0, 300.0)
    behind = Clip("cup", 250.0, 320.0, depth=2)
    composition = Composition(Scene("kitchen", (front, behind)), "kitchen", acts=(Link("cup-0", "on", "floor"),))
    (graph,) = depict([composition])
    assert "refrigerator-0" in graph
    assert "cup-0" not in graph
    assert not any("cup-0" in link for link in graph.links)


def test_behind_and_in_front_of() -> None:
    """What is nearer and in the way is in front; both sides are said, nothing of what stands apart."""
    near, far = Clip("cup", 250.0, 330.0), Clip("table", 250.0, 300.0, depth=2)
    apart = Clip("chair", 60.0, 300.0, depth=2)
    (graph,) = depict([Composition(Scene("kitchen", (near, far, apart)), "kitchen")])
    assert graph.linked("cup-0", "in front of", "table-0")
    assert graph.linked("table-0", "behind", "cup-0")
    assert graph.linked("chair-0", "to the left of", "table-0")
    assert not graph.linked("chair-0", "behind", "cup-0")
