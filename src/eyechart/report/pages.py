"""One self-contained page: sections of sentences, numbers, figures and tables; nothing is fetched from anywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from eyechart.analysis import Result
from eyechart.errors import MissingDependencyError
from eyechart.report.charts import WIDTH, specification
from eyechart.report.drawing import draw, inline

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["Big", "Page", "Section", "html", "tokens"]

_PHONE = 320
_MOST_ROWS = 100
_LARGE = 1000


@dataclass(frozen=True, slots=True)
class Big:
    """A number that matters: large, with its interval beside it and a sentence below.

    >>> Big("62.3 %", "of questions are answered right", "61.0 to 63.6").value
    '62.3 %'
    """

    value: str
    says: str
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter: a heading, a few sentences, numbers, and what was found.

    >>> Section("Answers").heading
    'Answers'
    """

    heading: str
    says: Sequence[str] = ()
    numbers: Sequence[Big] = ()
    results: Sequence[Result] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A report.

    >>> Page("Cats", "What they are like.").title
    'Cats'
    """

    title: str
    lead: str
    sections: Sequence[Section] = ()
    numbers: Sequence[Big] = ()
    facts: Sequence[tuple[str, str]] = ()
    """Where it comes from: names and values, in small letters at the end."""


@dataclass(frozen=True, slots=True)
class _Figure:
    """A result as a page shows it."""

    result: Result
    number: int
    wide: str
    narrow: str
    head: list[str]
    numeric: list[bool]
    cells: list[list[str]]
    more: int


def html(page: Page) -> str:
    """The page as HTML, with its figures, its style and its script in it.

    >>> html(Page("Cats", "What they are like.")).startswith("<!doctype html>")
    True
    """
    numbered = iter(range(1, 10_000))
    sections = [(section, [_figure(result, next(numbered)) for result in section.results]) for section in page.sections]
    return str(_template().render(page=page, sections=sections, **_parts()))


def _figure(result: Result, number: int) -> _Figure:
    shown = result.rows.head(_MOST_ROWS)
    return _Figure(
        result,
        number,
        wide=_drawn(result, WIDTH, f"w{number}-"),
        narrow=_drawn(result, _PHONE, f"n{number}-"),
        head=[name.replace("_", " ") for name in shown.columns],
        numeric=[kind.is_numeric() for kind in shown.dtypes],
        cells=[[_cell(name, value, result) for name, value in row.items()] for row in shown.iter_rows(named=True)],
        more=result.rows.height - shown.height,
    )


def _drawn(result: Result, width: int, key: str) -> str:
    spec = specification(result, width=width)
    return "" if spec is None else inline(draw(spec), key=key)


def _cell(name: str, value: object, result: Result) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        shares = {result.chart.y, result.chart.low, result.chart.high} if result.chart.percent else set()
        return f"{value:.1%}" if name in shares or name.endswith("share") else _number(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _number(value: float) -> str:
    """As many digits as a reader wants: none behind large and whole numbers, two behind others, three of small ones."""
    if value.is_integer() or abs(value) >= _LARGE:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3g}"


@cache
def _template() -> "Template":
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise MissingDependencyError(
            "pages: found no jinja2, expected it to write them; pip install 'eyechart[report]'"
        ) from error
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_part("page.html"))


@cache
def _parts() -> dict[str, str]:
    return {"style": tokens() + _part("page.css"), "script": _part("page.js")}


def tokens() -> str:
    """The colours of every page, in the light and in the dark, as variables of CSS.

    >>> "--accent" in tokens()
    True
    """
    return _part("tokens.css")


def _part(name: str) -> str:
    return files("eyechart.report").joinpath("page", name).read_text("utf-8")
