"""Pages as people see them: on a phone and on a desk, in the light and in the dark, by pointer and by keyboard."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from browser import browser, violations

from eyechart.analysis import Chart, Result
from eyechart.report import Big, Page, Section, html

ROWS = pl.DataFrame({"x": ["a rather long name of something", "two"], "y": [0.25, 0.75], "of": ["left", "right"]})
CHARTS = (
    Chart("bars", x="x", y="y", percent=True),
    Chart("stack", x="x", y="y", color="of", percent=True),
    Chart("dots", x="x", y="y", color="of"),
    Chart("sunburst", y="y", path=("x", "of")),
    Chart("table"),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with figures and tables, long names and all."""
    results = [
        Result(f"r{n}", "What it says, in a sentence", "How it was found.", ROWS, chart)
        for n, chart in enumerate(CHARTS)
    ]
    sections = [
        Section(f"Chapter {n}", ["A sentence."], [Big("62.3 %", "are right", "60 to 64")], results) for n in range(3)
    ]
    page = Page(
        "A page", "With everything.", sections, facts=[("a_name_without_any_blank_that_is_very_long_indeed", "x" * 90)]
    )
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_text(html(page), "utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as started:
        yield started


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_everybody_can_read_it(chromium: Any, address: str, scheme: str, width: int) -> None:
    """No violation of WCAG 2.2 AA, nothing to scroll sideways for, no request to anywhere."""
    page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert asked == [address]
    page.close()


def test_a_pointer_is_told_what_a_mark_stands_for(chromium: Any, address: str) -> None:
    """Over a bar, its name and number; beside it, nothing."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.hover("#figure-1 .wide [data-tip*='two']")
    assert "0.75" in page.inner_text("#tip")
    page.hover("h1")
    assert not page.is_visible("#tip")
    page.close()


def test_numbers_open_by_keyboard(chromium: Any, address: str) -> None:
    """The table below a figure is a press of a key away."""
    page = chromium.new_page()
    page.goto(address)
    page.focus("#figure-1 summary")
    page.keyboard.press("Enter")
    assert page.is_visible("#figure-1 table")
    page.close()


def test_a_phone_has_drawings_of_its_own(chromium: Any, address: str) -> None:
    """What is drawn for a desk would have letters too small to read."""
    page = chromium.new_page(viewport={"width": 360, "height": 800})
    page.goto(address)
    assert page.is_visible("#figure-1 .narrow")
    assert not page.is_visible("#figure-1 .wide")
    page.close()


def test_it_prints_without_what_paper_cannot_do(chromium: Any, address: str, tmp_path: Path) -> None:
    """Menus and folded tables are for screens."""
    page = chromium.new_page()
    page.goto(address)
    page.emulate_media(media="print")
    assert not page.is_visible("nav")
    assert page.is_visible("figcaption >> nth=0")
    page.pdf(path=tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes()[:4] == b"%PDF"
    page.close()
