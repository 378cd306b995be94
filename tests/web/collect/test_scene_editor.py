"""The scene editor, used: by mouse, by keyboard alone, over a reload, and by somebody who is not finished."""

from collections.abc import Iterator
from typing import Any

import pytest
from browser import Page, browser, violations
from editor_host import Host, hosting

from eyechart.collection.bodies import BODIES, Given, read
from eyechart.collection.bodies.scene import scene_state, scene_tables
from eyechart.scenes.art import Clip, Scene, stencil
from eyechart.scenes.render import rows_of, scenes_of

Json = dict[str, Any]
PARK = {"scene": {"background": "park", "person": True}}
TWO = (PARK, {"scene": {"background": "kitchen"}})


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as found:
        yield found


@pytest.fixture
def host() -> Iterator[Host]:
    """A fresh host for each test."""
    with hosting() as found:
        yield found


def opened(chromium: Any, host: Host, *contents: Json, rules: Json | None = None, **how: Any) -> Page:
    """A page with the editor, ready."""
    host.page("/task", "scene_editor.html", len(contents), state=scene_state(contents, rules or {}))
    page = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **how}).new_page()
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.on("console", lambda said: page.failures.append(said.text) if said.type == "error" else None)
    page.goto(f"{host.address}/task")
    page.wait_for_selector(".editor.ready .piece .thumbnail")
    return page


def shelf(page: Page, tab: str) -> None:
    """Open a tab of the shelf and wait for its drawings."""
    page.get_by_role("tab", name=tab, exact=True).click()
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until everything on the open page of the shelf is drawn."""
    for piece in page.locator(".piece").all():
        piece.locator(".thumbnail").wait_for()


def saved(page: Page, state: str) -> None:
    """Wait until a draft was saved, or not."""
    page.locator("#saved", has_text=state).wait_for()


def saved_on_server(page: Page, host: Host, word: str) -> None:
    """Wait until the newest draft has a word, and the page knows its revision."""
    for _ in range(200):
        if word in str(host.drafts.get("/task")) and page.locator("#saved").text_content() == "saved":
            break
        page.wait_for_timeout(100)
    page.wait_for_timeout(300)


def put(page: Page, name: str) -> None:
    """Click a piece on the shelf, wherever its page is."""
    page.locator(f".piece[data-name={name}]").click()
    page.locator(f".thing[data-key^={name}-]").first.wait_for(state="attached")


def scene_now(page: Page) -> Json:
    """What the form holds for the first picture: things by key."""
    value = page.locator("input[data-body]").first.input_value()
    body = page.evaluate("JSON.parse", value)
    offers = body["scene"]["availableObject"]
    return {f"{each['name']}-{each['instanceID']}": each for offer in offers for each in offer["instance"]}


def kept(body: Json, content: Json, task: str = "scene") -> Scene:
    """The scene that the server keeps."""
    taken = read(BODIES.load(task), body, Given(content, {}, (), {}))
    (scene,) = scenes_of(scene_tables([("new", taken)])["cliparts"]).values()
    return scene


def middle(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, selector: str, to: tuple[float, float]) -> None:
    """Take hold of an element's middle and let go elsewhere."""
    page.mouse.move(*middle(page, selector))
    page.mouse.down()
    page.mouse.move(to[0] - 9, to[1] - 9, steps=4)
    page.mouse.move(*to)
    page.mouse.up()


def on_stage(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the picture is on the screen."""
    box = page.locator(".stage").bounding_box()
    return box["x"] + x / 500 * box["width"], box["y"] + y / 400 * box["height"]


def turned_by_mouse(page: Page, name: str, limb: str) -> None:
    """Drag a limb's handle: this limb turns, and no other."""
    before = scene_now(page)[f"{name}-0"]["deformableLocalRot"]
    x, y = middle(page, f".limb[aria-label='{limb}'] .dot")
    drag(page, f".limb[aria-label='{limb}'] .dot", (x - 60, y - 25))
    after = scene_now(page)[f"{name}-0"]["deformableLocalRot"]
    place = stencil(name)["limbs"].index(limb)
    assert [number for number, turn in enumerate(after) if turn != before[number]] == [place], limb


def test_a_scene_is_made_by_mouse(chromium: Any, host: Host) -> None:
    """Click, drag, pose, throw out, take back, hand in: what arrives is what was seen, and the rules hold."""
    page = opened(chromium, host, PARK)
    put(page, "doll02")
    page.get_by_role("radio", name="surprised").click()
    assert scene_now(page)["doll02-0"]["expressionID"] == 4
    shelf(page, "Animals")
    drag(page, ".piece[data-name=dog]", on_stage(page, 120, 330))
    dog = scene_now(page)["dog-0"]
    assert (dog["x"], dog["y"]) == (pytest.approx(120, abs=1), pytest.approx(330, abs=1))
    drag(page, ".thing[data-key=dog-0]", on_stage(page, 320, 300))
    moved = scene_now(page)["dog-0"]
    assert moved["x"] == pytest.approx(320, abs=12)
    put(page, "cat")
    box = page.locator(".stage").bounding_box()
    drag(page, ".thing[data-key=cat-0]", (box["x"] - 30, box["y"] + 300))
    assert "cat-0" not in scene_now(page)
    page.get_by_role("button", name="Undo").click()
    assert "cat-0" in scene_now(page)
    page.get_by_role("button", name="Redo").click()
    assert "cat-0" not in scene_now(page)
    shelf(page, "Large")
    for name in ("tree", "bench", "sun"):
        put(page, name)
    shelf(page, "Small")
    put(page, page.locator(".piece").first.get_attribute("data-name"))
    page.locator("[data-listed=doll02-0]").click()
    for limb in ("left upper arm", "left thigh", "right upper arm"):
        turned_by_mouse(page, "doll02", limb)
    assert page.locator(".rules li:not(.met)").count() == 0
    page.get_by_role("button", name="Hand in").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    (sent,) = host.submitted
    scene = kept({"scene": sent["0.body"]}, PARK)
    assert {clip.name for clip in scene.clips} >= {"doll02", "dog", "tree", "bench", "sun"}
    done = [step["do"] for step in sent["0.body"]["scene"]["userSequence"]]
    assert done.count("add") == 7
    assert {"move", "remove", "undo", "redo", "expression", "turn"} <= set(done)
    assert page.failures == []


def test_a_limb_stops_at_its_joint(chromium: Any, host: Host) -> None:
    """However far one drags, a knee does not bend forward."""
    page = opened(chromium, host, PARK)
    put(page, "doll01")
    x, y = middle(page, ".limb[aria-label='left shin'] .dot")
    drag(page, ".limb[aria-label='left shin'] .dot", (x - 90, y - 60))
    person = stencil("doll01")
    knee = person["limbs"].index("left shin")
    turn = scene_now(page)["doll01-0"]["deformableLocalRot"][knee]
    assert person["bones"][knee]["low"] <= turn <= person["bones"][knee]["high"]
    assert turn == pytest.approx(person["bones"][knee]["high"])


def test_size_sets_depth_and_order(chromium: Any, host: Host) -> None:
    """Bigger is nearer and drawn later; forward and back change places among things of one size."""
    page = opened(chromium, host, PARK)
    shelf(page, "Large")
    put(page, "tree")
    put(page, "bush")
    order = lambda: [each.get_attribute("data-key") for each in page.locator(".thing").all()]  # noqa: E731
    first = order()
    page.get_by_role("button", name="Bigger, nearer").click()
    assert scene_now(page)["bush-0"]["z"] == 0
    assert order() == ["tree-0", "bush-0"]
    page.get_by_role("button", name="Smaller, farther").click()
    assert scene_now(page)["bush-0"]["z"] == 1
    page.get_by_role("button", name="Behind what it touches" if first[-1] == "bush-0" else "Before").click()
    assert order() == first[::-1]
    page.get_by_role("button", name="Turn around").click()
    assert scene_now(page)["bush-0"]["flip"] == 1


def test_a_scene_is_made_by_touch(chromium: Any, host: Host) -> None:
    """On a telephone a tap puts a thing in and chooses it; limbs are turned on a person who is shown from near."""
    page = opened(chromium, host, PARK, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 800})
    page.locator(".piece[data-name=doll02]").tap()
    page.locator(".thing[data-key=doll02-0]").wait_for(state="attached")
    assert page.locator(".limb").count() == 0, "handles would lie upon each other"
    far = page.locator(".thing[data-key=doll02-0]").bounding_box()
    page.get_by_role("tab", name="Limbs").tap()
    near = page.locator(".thing[data-key=doll02-0]").bounding_box()
    assert near["height"] > 1.7 * far["height"]
    assert page.locator(".limb").count() == 15
    page.get_by_role("slider", name="left thigh").last.fill("60")
    thigh = stencil("doll02")["limbs"].index("left thigh")
    assert scene_now(page)["doll02-0"]["deformableLocalRot"][thigh] == pytest.approx(1.0472, abs=1e-3)


def test_at_most_five_of_a_kind(chromium: Any, host: Host) -> None:
    """The sixth is refused, and one hears why."""
    page = opened(chromium, host, PARK)
    shelf(page, "Large")
    for _ in range(6):
        put(page, "tree")
    assert len([key for key in scene_now(page) if key.startswith("tree-")]) == 5
    assert "There are 5 of tree in the picture already" in page.locator(".said").text_content()


def press(page: Page, *keys: str) -> None:
    """Keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def person_by_keys(page: Page) -> None:
    """Somebody is put in, moved, turned around, made bigger and posed."""
    tab_to(page, ".shelf [role=tab]")
    tab_to(page, ".piece")
    press(page, "ArrowRight", "Enter")
    page.locator(".thing:focus").wait_for(state="attached")
    assert "Escape goes back to the shelf" in page.locator(".said").text_content()
    start = scene_now(page)["doll02-0"]
    press(page, "ArrowRight", "ArrowRight", "Shift+ArrowUp", "f", "+")
    moved = scene_now(page)["doll02-0"]
    assert (moved["x"], moved["flip"], moved["z"]) == (start["x"] + 4, 1, 0)
    press(page, "Enter")
    assert page.locator(".limb:focus").get_attribute("aria-label") == "left upper arm"
    arm = stencil("doll02")["limbs"].index("left upper arm")
    before = scene_now(page)["doll02-0"]["deformableLocalRot"]
    press(page, "ArrowLeft")
    once = scene_now(page)["doll02-0"]["deformableLocalRot"]
    assert once[arm] - before[arm] == pytest.approx(0.0873, abs=1e-3)
    assert "degrees" in page.locator(".said").text_content()
    press(page, *["Shift+ArrowLeft"] * 2, "ArrowDown", *["Shift+ArrowLeft"] * 2)
    press(page, "ArrowDown", *["Shift+ArrowLeft"] * 2, "Escape")
    assert page.evaluate("document.activeElement.dataset.key") == "doll02-0"


def two_by_keys(page: Page, tab: str) -> None:
    """The first two things of a tab are put in."""
    page.evaluate("document.body.focus()")
    press(page, "Escape")
    tab_to(page, ".shelf [role=tab]")
    while page.evaluate("document.activeElement.textContent") != tab:
        press(page, "ArrowRight")
    drawn(page)
    tab_to(page, ".piece")
    press(page, "Enter")
    page.locator(".thing:focus").wait_for(state="attached")
    press(page, "Escape")
    assert page.evaluate("document.activeElement.matches('.piece')")
    press(page, "ArrowRight", "Enter")
    page.locator(".thing:focus").wait_for(state="attached")


def test_a_scene_is_made_by_keyboard_alone(chromium: Any, host: Host) -> None:
    """No mouse: put in, move, resize, flip, order, face, pose a limb, take out, undo, hand in."""
    page = opened(chromium, host, PARK)
    person_by_keys(page)
    press(page, "Control+z")
    press(page, "Control+Shift+z")
    tab_to(page, ".inspector [role=tab]")
    tab_to(page, "[role=radio]")
    press(page, "ArrowRight", "ArrowRight")
    face = scene_now(page)["doll02-0"]["expressionID"]
    assert face > 0
    for tab in ("Animals", "Large", "Small"):
        two_by_keys(page, tab)
    count = len(scene_now(page))
    press(page, "Delete")
    assert len(scene_now(page)) == count - 1
    press(page, "PageDown", "Control+z")
    assert len(scene_now(page)) == count
    assert page.locator(".rules li:not(.met)").all_text_contents() == []
    tab_to(page, ".buttons button")
    press(page, "Enter")
    page.get_by_role("heading", name="Thank you").wait_for()
    assert kept({"scene": host.submitted[0]["0.body"]}, PARK).clips
    assert page.failures == []


def test_a_draft_is_there_again_after_a_reload(chromium: Any, host: Host) -> None:
    """To the last number, in both pictures; saved by the server, or kept by the browser if that cannot be reached."""
    page = opened(chromium, host, *TWO)
    put(page, "doll04")
    press(page, "Tab")
    page.get_by_role("radio", name="angry").click()
    page.get_by_role("button", name="Next picture").click()
    shelf(page, "Large")
    put(page, "refrigerator")
    saved_on_server(page, host, "refrigerator")
    before = page.locator("input[data-body]").evaluate_all("(fields) => fields.map(({ value }) => value)")
    assert all(before)
    page.reload()
    page.wait_for_selector(".editor.ready .thing[data-key=doll04-0]")
    after = page.locator("input[data-body]").evaluate_all("(fields) => fields.map(({ value }) => value)")
    assert after == before
    page.route("**/draft/**", lambda route: route.abort())
    page.get_by_role("tab", name="Animals").click()
    put(page, "dog")
    saved(page, "failed")
    page.reload()
    page.wait_for_selector(".editor.ready .thing[data-key=dog-0]", state="attached")


def test_two_tabs_do_not_overwrite_each_other(chromium: Any, host: Host) -> None:
    """Who comes later with an older draft is told, and nothing is lost silently."""
    first = opened(chromium, host, PARK)
    second = opened(chromium, host, PARK)
    put(first, "doll01")
    saved(first, "saved")
    put(second, "doll02")
    saved(second, "conflict")
    assert "doll01" in str(host.drafts["/task"])


def test_what_is_missing_is_said(chromium: Any, host: Host) -> None:
    """An unfinished scene is not sent, and each rule says what to do; the first unfinished picture is opened."""
    page = opened(chromium, host, *TWO)
    put(page, "doll02")
    page.get_by_role("button", name="Next picture").click()
    page.get_by_role("button", name="Hand in").click()
    told = page.locator(".refusal")
    assert told.locator("strong").text_content() == "Picture 1 is not finished"
    assert told.locator("li").all_text_contents() == [
        "Put 5 more things into the picture.",
        "Choose a face for the woman in teal.",
        "Pose the woman in teal: turn at least 3 limbs.",
    ]
    assert told.evaluate("(element) => element === document.activeElement")
    assert host.submitted == []


GIVEN = Scene(
    "park",
    (
        Clip("tree", 100.0, 170.0, depth=2, layer=30),
        Clip("dog", 250.0, 330.0, pose=5, layer=10),
        Clip("doll02", 380.0, 250.0, expression=1, turns=tuple(stencil("doll02")["poses"]["running"])),
    ),
)


def test_a_given_scene_is_changed(chromium: Any, host: Host) -> None:
    """The question is shown with its answer; three changes are asked for and counted."""
    rows = rows_of([("0", GIVEN)]).drop("image_id").to_dicts()
    content = {"scene": {"background": "park", "cliparts": rows}, "question": "Is the dog asleep?", "answer": "yes"}
    page = opened(chromium, host, content)
    assert page.locator(".question").text_content().split() == ["Is", "the", "dog", "asleep?", "now:", "yes"]
    assert page.locator(".thing").count() == 3
    page.locator("[data-listed=dog-0]").click()
    page.get_by_role("radio", name="standing").click()
    assert page.locator(".rules li").first.text_content().endswith("1 of 3 changes")
    page.get_by_role("button", name="Hand in").click()
    assert page.locator(".refusal li").all_text_contents() == ["Make 2 more changes to the picture."]
    page.get_by_role("button", name="Turn around").click()
    page.get_by_role("button", name="Take out").click()
    page.get_by_role("button", name="Undo").click()
    page.locator("[data-listed=dog-0]").click()
    page.get_by_role("tab", name="Colours").click()
    page.get_by_role("radio", name="black").click()
    page.get_by_role("button", name="Hand in").click()
    page.get_by_role("heading", name="Thank you").wait_for()
    body = {"scene": host.submitted[0]["0.body"], "answer": "no"}
    scene = kept(body, content, "scene_edit")
    dog = next(clip for clip in scene.clips if clip.name == "dog")
    assert (dog.pose, dog.flip, dog.colors[0]) == (0, True, "black")


def test_the_page_is_light(chromium: Any, host: Host) -> None:
    """Modules and styles stay below 300 kB before any art, and no request goes elsewhere."""
    opened(chromium, host, PARK)
    assert {path.split("/")[1] for path, _ in host.requests} <= {"task", "static", "art", "drafts.js"}
    static = sum(size for path, size in host.requests if path.startswith("/static/collect"))
    assert static < 300_000
    art = {path for path, _ in host.requests if path.startswith("/art")}
    assert "/art/dog.json" not in art, "only what is on the open page of the shelf is fetched"


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
    page = opened(chromium, host, *TWO, color_scheme=scheme, viewport={"width": width, "height": 800})
    assert violations(page) == []
    put(page, "doll02")
    strips = ("Face", "Limbs") if width == 360 else ("Face", "Pose", "Clothes", "Colours", "Limbs")
    for strip in strips:
        page.get_by_role("tab", name=strip).click()
        assert violations(page) == [], strip
    page.get_by_role("button", name="Hand in").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
