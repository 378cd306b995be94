"""Scenes as SVG, PNG and rows: the same bytes each time, plain shapes only, and mistakes that name scene and clip."""

import io
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from PIL import Image

from eyechart.errors import DataError, UsageError
from eyechart.scenes.art import HEIGHT, WIDTH, Clip, Scene
from eyechart.scenes.generate import Composer, packaged_world
from eyechart.scenes.render import measure, rows_of, scenes_of, to_png, to_svg

COUNT = 20
PLAIN = {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """Some scenes of the natural world."""
    composer = Composer(packaged_world("natural"))
    return [composer.compose(number, 12).scene for number in range(COUNT)]


def test_bytes_are_the_same(scenes: list[Scene]) -> None:
    """Drawn twice, in any order."""
    first = [to_png(scene, 125) for scene in scenes]
    assert [to_png(scene, 125) for scene in scenes[::-1]] == first[::-1]


def test_only_plain_shapes(scenes: list[Scene]) -> None:
    """Nothing that renderers draw differently, nothing that loads or runs, and numbers of few digits."""
    for scene in scenes:
        svg = to_svg(scene)
        assert set(re.findall(r"<(\w+)", svg)) <= PLAIN
        assert not re.search(r"(href|style|filter|clip-path|mask|font|url\()", svg)
        assert not re.search(r"\d\.\d{7}", svg)


def test_pictures_have_their_size(scenes: list[Scene]) -> None:
    """Five wide and four high."""
    with Image.open(io.BytesIO(to_png(scenes[0], 400))) as picture:
        assert picture.size == (400, 320)


def test_rows_are_the_scene(scenes: list[Scene]) -> None:
    """Scenes come back from the table as they were."""
    named = {str(number): scene for number, scene in enumerate(scenes)}
    assert scenes_of(rows_of(named.items())) == named


def test_flipped_is_mirrored() -> None:
    """A clip that faces right is the mirror of one that faces left."""
    clip = Clip("bicycle", WIDTH / 2, HEIGHT / 2)
    one, other = (
        np.asarray(Image.open(io.BytesIO(to_png(Scene("bedroom", (each,)), WIDTH))).convert("RGB"), dtype=np.int16)
        for each in (clip, replace(clip, flip=True))
    )
    empty = np.asarray(Image.open(io.BytesIO(to_png(Scene("bedroom"), WIDTH))).convert("RGB"), dtype=np.int16)
    changed, mirrored = (np.abs(each - empty).max(axis=2) > 40 for each in (one, other))
    assert (changed != mirrored[:, ::-1]).mean() < 0.002


def test_what_is_covered_is_hidden() -> None:
    """A nearer thing takes away what it hides, not more."""
    far, near = Clip("tree", 250, 200, depth=3), Clip("house", 250, 260)
    alone, behind = (measure(Scene("park", clips)).clips[0] for clips in ((far,), (far, near)))
    assert alone.share == 1.0
    assert behind.share < 0.7
    assert measure(Scene("park", (far, near))).clips[1].share == 1.0


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (Scene("prak"), "scene 7: background: found 'prak'"),
        (Scene("park", (Clip("tere", 0, 0),)), "scene 7: tere-0: found no such piece"),
        (Scene("park", (Clip("tree", 0, 1e9),)), "scene 7: tree-0: found the place 0, 1000000000.0"),
        (Scene("park", (Clip("tree", 0, 0, depth=5),)), "scene 7: tree-0: found depth 5, expected 0 to 4"),
        (Scene("park", (Clip("tree", 0, 0, variant=9),)), "scene 7: tree-0: found variant 9"),
        (Scene("park", (Clip("dog", 0, 0, pose=-1),)), "scene 7: dog-0: found pose -1"),
        (Scene("park", (Clip("dog", 0, 0, colors=("plaid",)),)), "scene 7: dog-0: found the colour 'plaid'"),
        (Scene("park", (Clip("dog", 0, 0, turns=(0.1,)),)), "scene 7: dog-0: found 1 turns, expected 0"),
        (Scene("park", (Clip("dog", 0, 0), Clip("dog", 9, 9))), "scene 7: found dog-0 twice"),
        (Scene("park", variant=7), "scene 7: park-0: found variant 7"),
    ],
)
def test_malformed_scenes_are_named(scene: Scene, said: str) -> None:
    """Scene, clip, what was found and what was expected."""
    with pytest.raises(DataError) as caught:
        rows_of([("7", scene)])
    assert said in str(caught.value)


def test_rows_that_lack_something() -> None:
    """A place, or any background."""
    rows = rows_of([("7", Scene("park", (Clip("tree", 10, 10),)))])
    with pytest.raises(DataError, match="scene 7: tree-0: found no x, expected a number of pixels"):
        scenes_of(rows.with_columns(x=pl.when(pl.col("name") == "park").then("x")))
    with pytest.raises(DataError, match="scene 7: found no row of kind background and the location 'Moon'"):
        scenes_of(rows.filter(kind="largeObject"), {"7": "Moon"})


def test_svg_from_elsewhere_is_refused() -> None:
    """What is not well-formed, or declares entities, is not given to the renderer."""
    with pytest.raises(DataError, match="expected an SVG document"):
        to_png("<svg><g></svg>", 100)
    with pytest.raises(DataError, match="a declaration"):
        to_png('<!DOCTYPE svg><svg width="1" height="1"/>', 100)
    with pytest.raises(UsageError, match="width is 0"):
        to_png(Scene("park"), 0)
