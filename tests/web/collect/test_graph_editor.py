"""The scene-graph editor, used: by mouse, by keyboard alone, over several pictures and a reload."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from browser import Page, browser, violations
from editor_host import Host, hosting
from PIL import Image

from eyechart.collection.bodies import BODIES, Given, read
from eyechart.collection.bodies.graph import graph_state, graph_tables
from eyechart.scenes.ontology import suggestions

Json = dict[str, Any]
WIDE, HIGH = 640, 480


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as found:
        yield found


@pytest.fixture
def host() -> Iterator[Host]:
    """A fresh host for each test, with three pictures."""
    with hosting() as found:
        for number, color in enumerate(("navy", "olive", "maroon")):
            picture = io.BytesIO()
            Image.new("RGB", (WIDE, HIGH), color).save(picture, "PNG")
            found.files[f"/picture/{number}"] = ("image/png", picture.getvalue())
        found.suggestions = suggestions
        yield found


def opened(chromium: Any, host: Host, pictures: int = 3, rules: Json | None = None, **how: Any) -> Page:
    """A page with the editor, ready."""
    size = {"width": WIDE, "height": HIGH}
    contents = [{"url": f"/picture/{number}", "image": size} for number in range(pictures)]
    host.page("/task", "graph_editor.html", pictures, state=graph_state(contents, rules or {}))
    page = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **how}).new_page()
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.on("console", lambda said: page.failures.append(said.text) if said.type == "error" else None)
    page.goto(f"{host.address}/task")
    page.wait_for_selector(".editor.ready .stage image")
    return page


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a pixel of the picture is on the screen."""
    box = page.locator(".stage").bounding_box()
    return box["x"] + x / WIDE * box["width"], box["y"] + y / HIGH * box["height"]


def drag(page: Page, *places: tuple[float, float]) -> None:
    """Press at the first place of the picture, go to the others, let go."""
    page.mouse.move(*at(page, *places[0]))
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*at(page, *place), steps=4)
    page.mouse.up()


def graph(page: Page, picture: int = 0) -> Json:
    """What the form holds for a picture."""
    value = page.locator("input[data-body]").nth(picture).input_value()
    return page.evaluate("JSON.parse", value) if value else {"objects": [], "relations": []}


def write(page: Page, *words: str) -> None:
    """Words into the field that has the focus, each with Enter."""
    for word in words:
        page.keyboard.type(word)
        page.keyboard.press("Enter")


def box_of(thing: Json) -> tuple[float, float, float, float]:
    """Left, top, width, height."""
    return thing["x"], thing["y"], thing["w"], thing["h"]


def test_a_graph_is_drawn_by_mouse(chromium: Any, host: Host) -> None:
    """Draw, name, move, resize, relate, undo, hand in: the server takes it and makes rows of it."""
    page = opened(chromium, host)
    drag(page, (60, 80), (200, 400))
    write(page, "man", "tall")
    drag(page, (100, 150), (180, 220))
    write(page, "cup", "red", "small")
    drag(page, (20, 380), (620, 470))
    write(page, "table")
    man, cup, table = graph(page)["objects"]
    assert [each["name"] for each in (man, cup, table)] == ["man", "cup", "table"]
    assert box_of(man) == pytest.approx((60, 80, 140, 320), abs=2)
    assert cup["attributes"] == ["red", "small"]
    page.mouse.click(*at(page, 140, 180))
    assert page.locator(".card").get_attribute("aria-label") == "2 cup"
    drag(page, (180, 220), (200, 250))
    assert box_of(graph(page)["objects"][1]) == pytest.approx((100, 150, 100, 100), abs=3)
    drag(page, (100, 190), (120, 200))
    assert box_of(graph(page)["objects"][1])[2] == pytest.approx(80, abs=4)
    page.get_by_role("combobox", name="Relation").click()
    page.keyboard.type("above")
    page.get_by_role("combobox", name="To which thing").select_option("3")
    page.get_by_role("button", name="Add", exact=True).click()
    assert graph(page)["relations"] == [{"subject_id": "2", "predicate": "above", "object_id": "3"}]
    assert page.locator(".links text").text_content() == "above"
    page.get_by_role("button", name="Undo").click()
    assert graph(page)["relations"] == []
    page.get_by_role("button", name="Redo").click()
    assert page.locator(".rules li:not(.met)").count() == 0
    page.get_by_role("button", name="Hand in").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    body = {"graph": host.submitted[0]["0.body"]}
    given = Given({"image": {"image_id": "7", "width": WIDE, "height": HIGH}}, {}, (), {})
    tables = graph_tables([("7", read(BODIES.load("scene_graph"), body, given))])
    assert tables["relations"].select("subject_id", "predicate", "object_id").rows() == [("2", "above", "3")]
    assert [name for name in host.submitted[0] if name.endswith(".body")] == ["0.body"], "others were left out"
    assert page.failures == []


def press(page: Page, *keys: str) -> None:
    """Keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(40):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def placed_by_keys(page: Page) -> None:
    """A box that arrow keys move and stretch, and then its name."""
    tab_to(page, ".new-box")
    press(page, "Enter")
    assert page.evaluate("document.activeElement.dataset.id") == "1"
    start = box_of(graph(page)["objects"][0])
    press(page, "ArrowRight", "Shift+ArrowDown")
    moved = box_of(graph(page)["objects"][0])
    assert (moved[0] - start[0], moved[1] - start[1]) == (3, 30)
    press(page, "Enter")
    assert page.evaluate("document.activeElement.dataset.grip") == "top left corner"
    press(page, "Shift+ArrowLeft", "ArrowUp")
    stretched = box_of(graph(page)["objects"][0])
    assert stretched == (moved[0] - 30, moved[1] - 3, moved[2] + 30, moved[3] + 3)
    press(page, "PageDown", "Escape", "Escape")
    assert page.evaluate("document.activeElement.dataset.focus") == "name"


def test_a_graph_is_drawn_by_keyboard_alone(chromium: Any, host: Host) -> None:
    """No mouse: a new box, moved by arrows, stretched at a corner, named, described, related, handed in."""
    page = opened(chromium, host, rules={"things": 2})
    placed_by_keys(page)
    write(page, "do")
    page.keyboard.press("Shift+Tab")
    tab_to(page, "[data-focus=name]")
    page.keyboard.press("Control+a")
    page.keyboard.type("dog")
    page.locator(".suggest [role=option]").first.wait_for()
    press(page, "ArrowDown", "Enter")
    assert graph(page)["objects"][0]["name"] == "dog"
    assert page.evaluate("document.activeElement.dataset.focus") == "attribute"
    write(page, "brown")
    page.keyboard.press("Shift+Tab")
    page.evaluate("document.querySelector('.new-box').focus()")
    press(page, "Enter", "Shift+ArrowLeft", "Escape")
    write(page, "grass")
    tab_to(page, "[data-focus=relation]")
    page.keyboard.type("below")
    press(page, "Enter")
    assert page.evaluate("document.activeElement.dataset.focus") == "target"
    tab_to(page, "[data-focus=relate]")
    press(page, "Enter")
    assert graph(page)["relations"] == [{"subject_id": "2", "predicate": "below", "object_id": "1"}]
    tab_to(page, ".buttons button")
    press(page, "Enter")
    page.get_by_role("heading", name="Thank you").wait_for()
    assert page.failures == []


def test_removing_takes_relations_along_and_undo_brings_them_back(chromium: Any, host: Host) -> None:
    """A box that goes takes what was said of it with it; both come back together."""
    page = opened(chromium, host)
    drag(page, (60, 80), (200, 400))
    write(page, "man")
    drag(page, (300, 80), (500, 400))
    write(page, "horse")
    page.get_by_role("combobox", name="Relation").click()
    page.keyboard.type("next to")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".box[data-id='1']").focus()
    press(page, "Delete")
    assert graph(page) == {"objects": [graph(page)["objects"][0]], "relations": []}
    press(page, "Control+z")
    assert len(graph(page)["relations"]) == 1


def test_suggestions_come_from_the_ontology_and_are_not_forced(chromium: Any, host: Host) -> None:
    """Words that fit are offered; a word of one's own is taken as it is."""
    page = opened(chromium, host)
    drag(page, (60, 80), (200, 400))
    page.keyboard.type("giraf")
    option = page.locator(".suggest [role=option]").first
    option.wait_for()
    assert option.text_content() == "giraffe"
    assert page.get_by_role("combobox", name="Name").get_attribute("aria-expanded") == "true"
    option.click()
    assert graph(page)["objects"][0]["name"] == "giraffe"
    page.get_by_role("combobox", name="Name").fill("thingamajig")
    page.keyboard.press("Tab")
    assert graph(page)["objects"][0]["name"] == "thingamajig"


def test_numbers_place_a_box_and_enter_hands_nothing_in(chromium: Any, host: Host) -> None:
    """The way without dragging: place and size as numbers; Enter in a field is no submission."""
    page = opened(chromium, host, rules={"things": 1, "attributes": 0, "relations": 0})
    drag(page, (60, 80), (200, 400))
    write(page, "man")
    page.locator("summary").click()
    page.get_by_role("spinbutton", name="Width").fill("250")
    page.keyboard.press("Enter")
    assert box_of(graph(page)["objects"][0])[2] == 250
    page.get_by_role("spinbutton", name="Left").fill("600")
    page.keyboard.press("Tab")
    assert box_of(graph(page)["objects"][0])[0] == WIDE - 250, "a box stays in the picture"
    assert host.submitted == []


def test_pictures_are_switched_and_drafts_come_back(chromium: Any, host: Host) -> None:
    """Each picture keeps what was drawn; a reload brings all of it back."""
    page = opened(chromium, host)
    drag(page, (60, 80), (200, 400))
    write(page, "man", "old")
    page.get_by_role("tab", name="Picture 3, 0 things").click()
    drag(page, (10, 10), (300, 300))
    write(page, "tree")
    page.locator("#saved", has_text="saved").wait_for()
    before = page.locator("input[data-body]").evaluate_all("(fields) => fields.map(({ value }) => value)")
    assert [bool(value) for value in before] == [True, False, True]
    page.reload()
    page.wait_for_selector(".editor.ready .box")
    assert page.locator("input[data-body]").evaluate_all("(fields) => fields.map(({ value }) => value)") == before
    assert page.get_by_role("tab", name="Picture 3, 1 thing").count() == 1


def test_what_is_missing_is_said(chromium: Any, host: Host) -> None:
    """A picture that is begun has to be finished; one that is not begun may be left out."""
    page = opened(chromium, host)
    page.get_by_role("button", name="Hand in").click()
    assert "Add 3 more things." in page.locator(".refusal").text_content()
    drag(page, (60, 80), (200, 400))
    page.get_by_role("tab", name="Picture 2").click()
    page.get_by_role("button", name="Hand in").click()
    assert page.locator(".refusal li").all_text_contents() == [
        "Add 2 more things.",
        "Name the thing that has no name.",
        "Add 1 more attribute.",
        "Add 1 more relation.",
    ]
    assert page.locator(".strip-of-pictures [aria-selected=true]").get_attribute("aria-label").startswith("Picture 1")
    assert host.submitted == []


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (360, "dark"),
        pytest.param(1280, "light", marks=pytest.mark.slow),
        pytest.param(1280, "dark", marks=pytest.mark.slow),
        pytest.param(360, "light", marks=pytest.mark.slow),
    ],
)
def test_everybody_can_use_it(chromium: Any, host: Host, width: int, scheme: str) -> None:
    """No violation of WCAG 2.2 AA in any state, and nothing wider than the screen."""
    page = opened(chromium, host, color_scheme=scheme, viewport={"width": width, "height": 800})
    assert violations(page) == []
    drag(page, (60, 80), (200, 400))
    write(page, "man", "tall")
    drag(page, (300, 80), (500, 400))
    page.keyboard.type("ho")
    page.locator(".suggest [role=option]").first.wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    write(page, "horse")
    page.get_by_role("combobox", name="Relation").click()
    page.keyboard.type("next to")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("summary").click()
    assert violations(page) == []
    page.get_by_role("button", name="Hand in").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
