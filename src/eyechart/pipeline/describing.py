"""Describe a benchmark: what an analysis tells, as figures with their numbers and as one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eyechart import __version__
from eyechart._lib.files import write_atomically
from eyechart._lib.progress import Progress, silent
from eyechart.analysis import COMPARISONS, DESCRIPTIONS, Result, Told, describe, describe_both
from eyechart.errors import DataError, UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.report import Big, Page, Section, draw, html, picture, specification
from eyechart.store import Benchmark

__all__ = ["Portrait", "portray", "save"]

PAGE, FIGURES = "index.html", "figures"
_REASONS = 3
"""So many reasons are told where nothing can be."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """Everything that was told of a benchmark."""

    benchmark: Benchmark
    told: list[Told]
    other: Benchmark | None = None

    @property
    def results(self) -> list[Result]:
        """What was found, in order."""
        return [result for each in self.told for result in each.results]


def portray(
    benchmark: Benchmark,
    *,
    other: Benchmark | None = None,
    names: Sequence[str] | None = None,
    prefix: str = "",
    progress: Progress = silent,
) -> Portrait:
    """Describe a benchmark, alone or beside another.

    >>> import tempfile; import polars as pl
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}))
    >>> portray(Benchmark.open(draft.target), names=["answer-kinds"]).results[0].title
    '100% of answers are yes or no; of these 100% say yes'
    """
    for name in names or ():
        if name not in DESCRIPTIONS:
            raise UnknownNameError(f"no description is called {name!r}: {did_you_mean(name, DESCRIPTIONS)}")
    chosen = list(names or DESCRIPTIONS)
    told: list[Told] = []
    with progress("Describe", len(chosen) + (len(COMPARISONS) if other else 0), "descriptions") as advance:
        if other is not None:
            for each in describe_both(benchmark.tables(), other.tables()):
                told.append(each)
                advance(1)
        for each in describe(benchmark.tables(), names=chosen, prefix=prefix):
            told.append(each)
            advance(1)
    portrait = Portrait(benchmark, told, other)
    if not portrait.results:
        raise _nothing(portrait)
    return portrait


def _nothing(portrait: Portrait) -> DataError:
    """Why there is nothing to tell, and what one may have meant."""
    tables = list(portrait.benchmark)
    reasons = dict.fromkeys(each.absent for each in portrait.told if each.absent)
    way = "; predictions are told of by eyechart grade and report" if "predictions" in tables else ""
    return DataError(
        f"{portrait.benchmark.folder}: found {' and '.join(tables) or 'no tables'} and nothing to tell of them "
        f"({'; '.join(list(reasons)[:_REASONS])}), expected questions, answers, captions or scene graphs"
        f"{way or '; import some'}"
    )


def save(portrait: Portrait, folder: Path, *, progress: Progress = silent) -> Path:
    """Write a page with every figure, and each figure as SVG, PNG and CSV beside it; gives the page."""
    figures = folder / FIGURES
    figures.mkdir(parents=True, exist_ok=True)
    with progress("Draw", len(portrait.results), "figures") as advance:
        for result in portrait.results:
            _save_figure(result, figures)
            advance(1)
    page = folder / PAGE
    write_atomically(page, html(_page(portrait)).encode())
    return page


def _save_figure(result: Result, folder: Path) -> None:
    result.rows.write_csv(folder / f"{result.name}.csv")
    if (spec := specification(result)) is not None:
        titled = {
            **spec,
            "title": {"text": result.title, "anchor": "start", "frame": "group", "offset": 14, "limit": 640},
        }
        (folder / f"{result.name}.svg").write_text(draw(titled), "utf-8")
        (folder / f"{result.name}.png").write_bytes(picture(titled))


def _page(portrait: Portrait) -> Page:
    benchmark = portrait.benchmark
    chapters = dict.fromkeys(each.chapter for each in portrait.told)
    sections = [
        Section(
            chapter, results=[result for each in portrait.told if each.chapter == chapter for result in each.results]
        )
        for chapter in chapters
    ]
    rows = benchmark.manifest.rows
    numbers = [Big(f"{rows[name]:,}", name) for name in ("questions", "images", "answers", "objects") if rows.get(name)]
    beside = f" beside {portrait.other.name}" if portrait.other else ""
    facts = [
        ("Benchmark", str(benchmark.folder)),
        *([("Other", str(portrait.other.folder))] if portrait.other else []),
        ("Licence", benchmark.manifest.licence or "not said"),
        ("Content", benchmark.fingerprint[:16]),
        ("Made by", f"Eyechart {__version__}"),
        *((f"No {each.name}", each.absent) for each in portrait.told if each.absent),
    ]
    return Page(
        benchmark.name,
        f"What the benchmark holds{beside}.",
        [each for each in sections if each.results],
        numbers,
        facts,
    )
