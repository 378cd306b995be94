"""What can be told of a benchmark, one description at a time: the figures of ``eyechart describe`` as pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from eyechart.analysis import DESCRIPTIONS, Result
from eyechart.errors import UnknownNameError
from eyechart.pipeline.browsing import Shelf
from eyechart.pipeline.describing import portray
from eyechart.registry import did_you_mean
from eyechart.report import draw, inline, specification
from eyechart.store import Benchmark

__all__ = ["Figure", "Shown", "chapters", "told"]

_WIDE, _NARROW = 640, 320
_MOST_ROWS = 100


@dataclass(frozen=True, slots=True)
class Figure:
    """A result, drawn for a wide page and for a phone; markup is ours, made from numbers."""

    result: Result
    wide: Markup
    narrow: Markup

    @property
    def rows(self) -> Sequence[Sequence[object]]:
        """The numbers below the drawing."""
        return self.result.rows.head(_MOST_ROWS).rows()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a description told."""

    name: str
    figures: Sequence[Figure]
    absent: str | None


def chapters(shelf: Shelf) -> Mapping[str, Sequence[str]]:
    """The names of what can be told, by chapter."""
    found: dict[str, list[str]] = {}
    for name, description in DESCRIPTIONS.items():
        if all(table in shelf.benchmark for table in description.needs):
            found.setdefault(description.chapter, []).append(name)
    return found


def told(shelf: Shelf, name: str) -> Shown:
    """One description, worked out when it is first asked for."""
    if name not in DESCRIPTIONS:
        raise UnknownNameError(f"no description is called {name[:60]!r}: {did_you_mean(name, DESCRIPTIONS)}")
    return _told(str(shelf.benchmark.folder), shelf.benchmark.fingerprint, name)


@lru_cache(maxsize=256)
def _told(folder: str, _content: str, name: str) -> Shown:
    found = portray(Benchmark.open(folder), names=[name]).told[0]
    figures = [_figure(result, place) for place, result in enumerate(found.results)]
    return Shown(name, figures, found.absent)


def _figure(result: Result, place: int) -> Figure:
    wide, narrow = (_drawn(result, width, f"{place}-{width}-") for width in (_WIDE, _NARROW))
    return Figure(result, wide, narrow)


def _drawn(result: Result, width: int, key: str) -> Markup:
    spec = specification(result, width=width)
    return Markup("") if spec is None else Markup(inline(draw(spec), key=key))  # noqa: S704 - vl-convert escapes its texts
