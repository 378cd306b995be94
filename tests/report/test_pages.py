"""Figures and pages: every kind of chart draws, a page needs nothing but itself, and nothing in it is believed."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from eyechart.analysis import Chart, Result
from eyechart.report import Big, Page, Section, draw, html, inline, picture, specification
from eyechart.report.cloud import placed_words
from eyechart.report.sunburst import arcs

ROWS = pl.DataFrame(
    {
        "x": ["one", "one", "two", "two"],
        "n": [1, 2, 3, 4],
        "y": [0.25, 0.75, 0.5, 0.5],
        "of": ["left", "right", "left", "right"],
        "low": [0.2, 0.7, 0.4, 0.45],
        "high": [0.3, 0.8, 0.6, 0.55],
    }
)
CHARTS = {
    "bars": Chart("bars", x="x", y="y", percent=True),
    "stack": Chart("stack", x="x", y="y", color="of", percent=True),
    "columns": Chart("columns", x="n", y="y", x_title="number"),
    "lines": Chart("lines", x="n", y="y", color="of"),
    "panels": Chart("lines", x="n", y="y", color="of", facet="x"),
    "dots": Chart("dots", x="x", y="y", color="of", low="low", high="high", percent=True),
    "heatmap": Chart("heatmap", x="n", y="y", color="of"),
    "sunburst": Chart("sunburst", y="n", path=("x", "of")),
    "words": Chart("words", x="x", y="y", color="of"),
}


def result(kind: str, **changes: str) -> Result:
    """A result to be drawn in this way."""
    return Result(
        **({"name": kind, "title": f"As {kind}", "about": "Made up.", "rows": ROWS, "chart": CHARTS[kind]} | changes)
    )  # type: ignore[arg-type]  # known keys


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("width", [660, 320])
def test_every_kind_of_chart_is_drawn_with_its_data(kind: str, width: int) -> None:
    """Whatever the width, the drawing is well-formed and holds the words or numbers of its rows."""
    spec = specification(result(kind), width=width)
    svg = draw(spec)
    ET.fromstring(svg)  # noqa: S314  # our own drawing
    assert any(word in svg for word in ("two", "left", "0.75", "75"))
    assert picture(spec, scale=1)[:4] == b"\x89PNG"


def test_bars_are_as_long_as_their_numbers() -> None:
    """Twice the number, twice the length."""
    rows = pl.DataFrame({"x": ["a", "b"], "y": [1.0, 2.0]})
    svg = draw(specification(Result("bars", "", "", rows, Chart("bars", x="x", y="y"))))
    lengths = [float(each) for each in re.findall(r'd="M0,[\d.]+h([\d.]+)v', svg)]
    assert lengths[-1] == pytest.approx(2 * lengths[-2], rel=0.01)


def test_nothing_is_drawn_of_no_rows() -> None:
    """An empty result is a table without rows, not an empty chart."""
    assert specification(Result("empty", "", "", ROWS.head(0), CHARTS["bars"])) is None


class _Reader(HTMLParser):
    """Collects what a page would fetch, its ids, its text."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        for name in ("src", "href", "srcset", "data"):
            if (value := found.get(name)) and not value.startswith("#"):
                self.fetched.append(f"{tag} {value}")


def whole_page() -> str:
    """A page with every kind of figure."""
    results = [result(kind) for kind in CHARTS]
    return html(
        Page(
            "All",
            "Every kind.",
            [Section("Figures", results=results)],
            [Big("62 %", "are right", "60 to 64")],
            [("made by", "a test")],
        )
    )


def test_a_page_fetches_nothing() -> None:
    """No address in it leads anywhere; no id stands twice."""
    page, reader = whole_page(), _Reader()
    reader.feed(page)
    assert reader.fetched == []
    assert len(reader.ids) == len(set(reader.ids))
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert len(page) < 3_000_000


def test_a_page_wears_its_own_colours() -> None:
    """Colours of paper are variables in figures, so that they are right in the dark."""
    body = whole_page().partition("<main>")[2].partition("</main>")[0]
    assert "var(--accent)" in body
    assert "#1f6f8b" not in body


def test_nothing_that_data_says_becomes_markup() -> None:
    """Titles, cells, labels and facts are text, whatever they hold."""
    evil = '</svg><script>alert("x")</script>'
    rows = pl.DataFrame({"x": [evil, "b"], "y": [1.0, 2.0]})
    charts = [Result("evil", evil, evil, rows, Chart("bars", x="x", y="y")), Result("evil", evil, evil, rows)]
    page = html(
        Page(evil, evil, [Section(evil, [evil], [Big(evil, evil, evil)], charts)], [Big(evil, evil)], [(evil, evil)])
    )
    assert page.count("<script") == 1
    assert "alert(" in page


def test_rings_are_whole_turns() -> None:
    """The parts of each ring do not overlap, and lie within the part that they continue."""
    rows = pl.DataFrame({"a": ["is", "is", "what", "…"], "b": ["it", "he", "is", None], "n": [2, 1, 4, 3]})
    drawn = arcs(rows, ["a", "b"], "n", radius=100)
    first = drawn.filter(ring=0).sort("theta")
    assert first["share"].sum() == pytest.approx(1)
    assert first["label"].to_list() == ["what", "is", "…"]
    assert (first["theta2"].head(2) - first["theta"].tail(2)).abs().max() < 1e-9
    inner = drawn.filter(path="is it").row(0, named=True)
    outer = drawn.filter(path="is").row(0, named=True)
    assert outer["theta"] <= inner["theta"]
    assert inner["theta2"] <= outer["theta2"]


def test_words_of_a_cloud_do_not_overlap() -> None:
    """Every word has its own place within the width."""
    rows = pl.DataFrame(
        {"w": [f"word{n}" for n in range(30)], "n": [float(n + 1) for n in range(30)], "c": ["a"] * 15 + ["b"] * 15}
    )
    placed, heads, height = placed_words(rows, "w", "n", "c", width=400)
    boxes = [
        (x, y - size, x + len(word) * size * 0.5, y)
        for word, size, x, y in placed.select("w", "size", "x", "y").iter_rows()
    ]
    for place, (left, top, right, bottom) in enumerate(boxes):
        assert right <= 400
        assert bottom <= height
        for other in boxes[place + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    assert heads.height == 2


def test_marks_say_what_they_stand_for() -> None:
    """What a pointer is told is what the drawing said, and nothing else speaks."""
    drawn = inline(draw(specification(result("bars"))), key="k-")
    assert "data-tip=" in drawn
    assert "aria-label" not in drawn
    assert drawn.startswith('<svg viewBox="0 0 ')
