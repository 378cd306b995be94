"""The browser draws scenes as the renderer does: the same document, and the same pixels but for the rasteriser."""

import io
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import msgspec
import numpy as np
import pytest
from browser import Page, browser
from editor_host import Host, hosting
from PIL import Image

from eyechart.collection.bodies.scene import changes, composition, scene_state
from eyechart.scenes.art import Clip, Scene, pieces, stencil
from eyechart.scenes.generate import Composer, packaged_world
from eyechart.scenes.render import rows_of, to_png, to_svg

SCENES = 60
DIFFERENT = 16
"""Of 255: by so much rasterisers differ on the edges of shapes."""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    """A host with a page that has all modules."""
    with hosting() as found:
        found.page("/task", "scene_editor.html", 1, state=scene_state([{"scene": {"background": "park"}}], {}))
        yield found


@pytest.fixture(scope="module")
def page(host: Host) -> Iterator[Page]:
    """A page of that host."""
    with browser() as chromium:
        found = chromium.new_page(viewport={"width": 1280, "height": 900})
        found.goto(f"{host.address}/task")
        found.wait_for_selector(".editor.ready")
        yield found


def scenes() -> list[Scene]:
    """Scenes of our worlds, with people who sit, run and hold things, and dolls whose every limb is turned."""
    composer = Composer(packaged_world("natural"))
    made = [composer.compose(number, seed=11).scene for number in range(SCENES)]
    return [*made, *(Scene("street", (posed(number),)) for number in range(10))]


def posed(number: int) -> Clip:
    """A doll with limbs turned between their limits, flipped and dressed by its number."""
    name = sorted(name for name, piece in pieces().items() if piece.kind == "human")[number * 2]
    bones = stencil(name)["bones"]
    shares = [(number * 7 + place * 3) % 11 / 10 for place in range(len(bones))]
    turns = tuple(bone["low"] + share * (bone["high"] - bone["low"]) for bone, share in zip(bones, shares, strict=True))
    return Clip(
        name,
        250.125,
        200.0,
        depth=number % 5,
        flip=number % 2 == 1,
        style=number % 3,
        expression=number % 9,
        turns=turns,
        colors=("gray", None, "red"),
    )


def test_documents_are_equal(page: Page) -> None:
    """Character by character, for every scene: so both implementations are one."""
    given = scenes()
    drawn = page.evaluate(
        """async (scenes) => {
          const { Art } = await import("/static/collect/scene/art.js");
          const { toSvg } = await import("/static/collect/scene/render.js");
          const art = await Art.open("/art");
          await art.loadAll(scenes.flatMap(({ background, clips }) => [background, ...clips.map(({ name }) => name)]));
          return scenes.map((scene) => toSvg(scene, art.atlas, (name) => art.get(name)));
        }""",
        [asdict(scene) for scene in given],
    )
    assert len(drawn) == SCENES + 10
    for scene, svg in zip(given, drawn, strict=True):
        assert svg == to_svg(scene)


@pytest.mark.parametrize("number", [0, 7, 19, 33, SCENES + 3, SCENES + 8])
def test_the_composed_picture_has_the_pixels_of_the_renderer(host: Host, page: Page, number: int) -> None:
    """The editor's stage, photographed, against the PNG of the dataset: less than one in a hundred pixels differs."""
    scene = scenes()[number]
    record = composition("0", rows_of([("0", scene)]), steps=[{"at": 1, "do": "undo", "on": ""}])
    state = scene_state([{"scene": {"background": scene.background}}], {})
    host.page("/composed", "scene_editor.html", 1, state=state)
    host.drafts["/composed"] = (1, {"0.body": msgspec.json.encode(record).decode()})
    page.goto(f"{host.address}/composed")
    page.wait_for_selector(".editor.ready .ground > *")
    page.evaluate(
        """() => Object.assign(document.querySelector(".canvas").style,
          { position: "fixed", left: 0, top: 0, width: "500px", borderRadius: 0, zIndex: 9 })"""
    )
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": 500, "height": 400})
    found, expected = (pixels(png) for png in (shot, to_png(scene, 500)))
    apart = (np.abs(found - expected).max(axis=2) > DIFFERENT).mean()
    assert apart < 0.01


def pixels(png: bytes) -> Any:
    """A picture as numbers."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def test_changes_are_counted_alike(page: Page) -> None:
    """What the editor shows as the number of changes is what the server counts."""
    pairs = [(scene, edited(scene, number)) for number, scene in enumerate(scenes()[:40])]
    counted = page.evaluate(
        """async (pairs) => {
          const { changesOf } = await import("/static/collect/scene/rules.js");
          return pairs.map(([start, scene]) => changesOf(start, scene, { turn: 0.2 }));
        }""",
        [[asdict(start), asdict(scene)] for start, scene in pairs],
    )
    assert counted == [changes(start, scene) for start, scene in pairs]
    assert max(counted) > 3


def edited(scene: Scene, number: int) -> Scene:
    """A scene with some things taken out, moved, turned, coloured and bent, by its number."""
    clips = list(scene.clips[number % 3 :])
    for place, clip in enumerate(clips):
        changed = {
            0: {"x": clip.x + number % 12},
            1: {"flip": not clip.flip},
            2: {"colors": ("red",)},
            3: {"depth": (clip.depth + 1) % 5},
            4: {"turns": tuple(turn + 0.05 * (number % 7) for turn in clip.turns)},
        }
        clips[place] = replace(clip, **changed.get((place + number) % 6, {}))
    return Scene(scene.background, tuple(clips), scene.colors, scene.variant)
