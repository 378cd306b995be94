"""The editors in the real worker pages: a study of each task that is drawn, from the first page to the tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from browser import Page, browser, violations
from PIL import ExifTags, Image
from studies import asked_benchmark
from web_site import served

from eyechart.collection import Settings, Work, collected_tables, plan_items
from eyechart.database import Database
from eyechart.scenes.art import Clip, Scene, stencil
from eyechart.scenes.render import rows_of, scenes_of
from eyechart.store import Benchmark

GIVEN = Scene(
    "park",
    (
        Clip("tree", 100.0, 170.0, depth=2, layer=30),
        Clip("dog", 250.0, 330.0, pose=5, layer=10),
        Clip("doll02", 380.0, 250.0, expression=1, turns=tuple(stencil("doll02")["poses"]["running"])),
    ),
)


class Running(NamedTuple):
    """A site, as a worker's browser reaches it, and its database."""

    address: str
    session: str
    work: Work


def drawn_benchmark(folder: Path) -> Benchmark:
    """One scene with a question."""
    with Benchmark.create(folder) as draft:
        draft.write("images", pl.DataFrame({"image_id": ["s1"], "location": ["park"], "width": [500], "height": [400]}))
        asked = {"question_id": ["q1"], "image_id": ["s1"], "question": ["Is the dog asleep?"], "answer": ["yes"]}
        draft.write("questions", pl.DataFrame(asked))
        draft.write("cliparts", rows_of([("s1", GIVEN)]))
    return Benchmark.open(folder)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A site with three studies."""
    folder = tmp_path_factory.mktemp("drawn")
    pictures, scenes = asked_benchmark(folder / "asked", 4), drawn_benchmark(folder / "scenes")
    with served(folder / "site", "worker", benchmarks=(folder / "asked", folder / "scenes")) as (address, session):
        work = Work(Database(next((folder / "site").glob("*.db"))))
        few = Settings(units=2, rules={"things": 2})
        work.create_study("make", "scene", settings=few)
        work.add_items("make", plan_items("scene", {}, vacant=2, seed=4))
        work.create_study("change", "scene_edit", settings=Settings(benchmark=str(scenes.folder), rules={"changes": 1}))
        work.add_items("change", plan_items("scene_edit", scenes.tables()))
        rules = {"things": 2, "attributes": 1, "relations": 1}
        work.create_study(
            "name", "scene_graph", settings=Settings(benchmark=str(pictures.folder), units=2, rules=rules)
        )
        work.add_items("name", plan_items("scene_graph", pictures.tables()))
        yield Running(address, session, work)
        work.database.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as found:
        yield found


def begun(chromium: Any, running: Running, study: str) -> Page:
    """A worker who has taken a task."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": "eyechart_session", "value": running.session, "url": running.address}])
    page = context.new_page()
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.on("console", lambda said: page.failures.append(said.text) if said.type == "error" else None)
    page.goto(f"{running.address}/work/{study}")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".editor.ready")
    return page


def tables(running: Running, study: str) -> dict[str, pl.DataFrame]:
    """What the study's responses become."""
    ((_, lines),) = running.work.gather([study])
    return collected_tables(lines)


def put(page: Page, *names: str) -> None:
    """Click pieces of the shelf."""
    for name in names:
        page.locator(f".piece[data-name={name}] .thumbnail").wait_for()
        page.locator(f".piece[data-name={name}]").click()
        page.locator(f".thing[data-key^={name}-]").first.wait_for(state="attached")


def test_scenes_are_made(chromium: Any, running: Running) -> None:
    """Two pictures in one task, saved for later, gone on with, and handed in."""
    page = begun(chromium, running, "make")
    assert violations(page) == []
    put(page, "doll02")
    page.get_by_role("radio", name="happy").click()
    page.get_by_role("tab", name="Pose").click()
    page.get_by_role("radio", name="running").click()
    page.get_by_role("tab", name="Animals").click()
    put(page, "dog")
    page.get_by_role("button", name="Hand in and go on").click()
    assert page.locator(".refusal strong").text_content() == "Picture 2 is not finished"
    page.get_by_role("button", name="Save for later").click()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".editor.ready .thing[data-key=dog-0]", state="attached")
    page.get_by_role("button", name="Next picture").click()
    put(page, "doll05")
    page.get_by_role("radio", name="sad").click()
    page.get_by_role("tab", name="Pose").click()
    page.get_by_role("radio", name="cheering").click()
    page.get_by_role("tab", name="Animals").click()
    put(page, "cat")
    page.get_by_role("button", name="Hand in and go on").click()
    page.get_by_text("Thank you").first.wait_for()
    made = tables(running, "make")
    assert made["images"].height == 2
    scenes = scenes_of(made["cliparts"])
    assert sorted(sorted(clip.name for clip in scene.clips) for scene in scenes.values()) == [
        ["cat", "doll05"],
        ["dog", "doll02"],
    ]
    assert page.failures == []


def test_a_scene_is_changed(chromium: Any, running: Running) -> None:
    """The old answer is refused by the server with a sentence, the drawing is still there; then a pair comes out."""
    page = begun(chromium, running, "change")
    assert violations(page) == []
    page.locator("[data-listed=dog-0]").click()
    page.get_by_role("radio", name="standing").click()
    page.get_by_label("The answer to the question now").fill("yes")
    page.get_by_role("button", name="Hand in and go on").click()
    page.get_by_text("This is the old answer").wait_for()
    page.wait_for_selector(".editor.ready .thing[data-key=dog-0]", state="attached")
    page.get_by_label("The answer to the question now").fill("no")
    page.get_by_role("button", name="Hand in and go on").click()
    page.get_by_text("Thank you").first.wait_for()
    made = tables(running, "change")
    (complement,) = made["pairs"]["complement_id"].to_list()
    changed = scenes_of(made["cliparts"])[complement]
    assert next(clip.pose for clip in changed.clips if clip.name == "dog") == 0
    assert made["questions"].filter(question_id=complement)["answer"].to_list() == ["no"]


def test_a_graph_is_drawn(chromium: Any, running: Running) -> None:
    """One of two pictures is done in its own pixels; the other is left out."""
    page = begun(chromium, running, "name")
    page.locator(".stage").scroll_into_view_if_needed()
    for name, (left, top, right, bottom) in (("disk", (0.1, 0.2, 0.5, 0.8)), ("paper", (0.02, 0.02, 0.98, 0.98))):
        box = page.locator(".stage").bounding_box()
        page.mouse.move(box["x"] + left * box["width"], box["y"] + top * box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + right * box["width"], box["y"] + bottom * box["height"], steps=5)
        page.mouse.up()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.keyboard.type("round" if name == "disk" else "white")
        page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Relation").click()
    page.keyboard.type("below")
    page.get_by_role("button", name="Add", exact=True).click()
    assert violations(page) == []
    page.get_by_role("button", name="Hand in and stop").click()
    page.get_by_text("Thank you").first.wait_for()
    made = tables(running, "name")
    disk = made["objects"].filter(name="disk").row(0, named=True)
    assert [disk[side] for side in ("x", "y", "w", "h")] == pytest.approx([48, 72, 192, 216], abs=3)
    assert made["attributes"]["attribute"].to_list() == ["round", "white"]
    assert made["relations"]["predicate"].to_list() == ["below"]
    assert page.failures == []


def test_what_cannot_be_changed_is_said_and_kept(chromium: Any, running: Running) -> None:
    """Who gives a reason need not change anything."""
    work = running.work
    work.create_study("refuse", "scene_edit", settings=work.study("change").settings)
    work.add_items("refuse", plan_items("scene_edit", Benchmark.open(work.study("change").settings.benchmark).tables()))
    page = begun(chromium, running, "refuse")
    assert page.get_by_text("Is the dog asleep?").count() == 1
    page.get_by_role("button", name="Hand in and go on").click()
    assert page.locator(".refusal li").all_text_contents() == ["Make 1 more change to the picture."]
    page.get_by_label("no change makes another answer right").check()
    page.get_by_role("button", name="Hand in and go on").click()
    page.get_by_text("Thank you").first.wait_for()
    assert tables(running, "refuse")["unpaired"]["reason"].to_list() == ["no change makes another answer right"]


def test_boxes_are_in_the_picture_s_own_pixels(chromium: Any, running: Running, tmp_path: Path) -> None:
    """However a picture is scaled or turned for the screen, and whether or not the benchmark knows its size."""
    turned = Image.new("RGB", (2400, 1600), "navy")
    exif = turned.getexif()
    exif[ExifTags.Base.Orientation] = 6
    (tmp_path / "pictures").mkdir()
    turned.save(tmp_path / "pictures" / "large.jpg", exif=exif)
    with Benchmark.create(tmp_path / "large") as draft:
        draft.image_root = str(tmp_path / "pictures")
        draft.write("images", pl.DataFrame({"image_id": ["1"], "file": ["large.jpg"]}))
    benchmark = Benchmark.open(tmp_path / "large")
    rules = {"things": 1, "attributes": 0, "relations": 0}
    running.work.create_study("large", "scene_graph", settings=Settings(benchmark=str(benchmark.folder), rules=rules))
    running.work.add_items("large", plan_items("scene_graph", benchmark.tables()))
    page = begun(chromium, running, "large")
    page.get_by_role("button", name="New box").click()
    page.keyboard.press("Escape")
    page.keyboard.type("sea")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Hand in and go on").click()
    page.get_by_text("Thank you").first.wait_for()
    sea = tables(running, "large")["objects"].row(0, named=True)
    assert [sea[side] for side in ("x", "y", "w", "h")] == pytest.approx([533, 800, 533, 800], abs=1)
