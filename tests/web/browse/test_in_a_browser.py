"""The browser's pages in a real browser: for everybody who looks, listens or only has a keyboard, on any screen."""

from collections.abc import Iterator
from typing import Any

import pytest
from browser import browser, violations
from shelved import models, shelved
from web_site import served

from eyechart.store import Benchmark

PAGES = (
    "/browse/b",
    "/browse/b?text=zebra",
    "/browse/b?split=val&order=-agreement&low.agreement=0.1",
    "/browse/b?as=pictures&text=dog",
    "/browse/b/question/1",
    "/browse/b/statistics/answer-kinds",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("browse")
    shelved(folder / "b")
    for name, rows in models().items():
        with Benchmark.create(folder / name) as draft:
            draft.write("predictions", rows)
    with served(folder / "site", benchmarks=(folder / "b",), predictions=(folder / "right",)) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as chromium:
        yield chromium


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_everybody_can_read_them(chromium: Any, address: tuple[str, str], scheme: str, width: int) -> None:
    """No violation of WCAG 2.2 AA, nothing to scroll sideways, nothing that the policy of the site forbids."""
    base, session = address
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    context.add_cookies([{"name": "eyechart_session", "value": session, "url": base}])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    for path in PAGES:
        page.goto(base + path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    context.close()
    assert [each for each in said if "Content Security Policy" in each] == []


def test_things_are_pointed_at(chromium: Any, address: tuple[str, str]) -> None:
    """A row of the list that has the focus shows its box, what it is related to, and its words."""
    base, session = address
    context = chromium.new_context()
    context.add_cookies([{"name": "eyechart_session", "value": session, "url": base}])
    page = context.new_page()
    page.goto(base + "/browse/b/question/3")
    page.locator("ul.things li", has_text="cup").focus()
    assert page.locator(".scene rect.on").get_attribute("data-thing") == "1"
    assert page.locator(".scene rect.kin").get_attribute("data-thing") == "2"
    context.close()


def test_a_view_is_asked_for_by_keyboard(chromium: Any, address: tuple[str, str]) -> None:
    """Type, Enter, and the address says it."""
    base, session = address
    context = chromium.new_context()
    context.add_cookies([{"name": "eyechart_session", "value": session, "url": base}])
    page = context.new_page()
    page.goto(base + "/browse/b")
    page.get_by_label("Look for").focus()
    page.keyboard.type("brown")
    page.keyboard.press("Enter")
    page.wait_for_url("**text=brown**")
    assert page.locator("ol.entries > li").count() == 1
    assert page.url == base + "/browse/b?text=brown"
    context.close()
