"""The benchmarks of a site, opened once, each with the predictions and scores that belong to it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

import polars as pl

from eyechart.errors import EyechartError, UsageError
from eyechart.pipeline.browsing import Shelf
from eyechart.pipeline.predictions import open_predictions
from eyechart.store import Benchmark
from eyechart.web.ui import RefusalError, Site

__all__ = ["shelf_named", "shelves_of", "warming"]

_OPENED: WeakKeyDictionary[Site, Mapping[str, Shelf]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def shelves_of(site: Site) -> Mapping[str, Shelf]:
    """The shelves of a site by the name that stands in addresses.

    >>> import tempfile
    >>> from eyechart.web.application import application
    >>> from eyechart.web.ui import Settings
    >>> site = application(Settings(Path(tempfile.mkdtemp()))).state.site
    >>> dict(shelves_of(site))
    {}
    >>> site.database.close()
    """
    with _LOCK:
        if site not in _OPENED:
            _OPENED[site] = _opened(site)
        return _OPENED[site]


def shelf_named(site: Site, name: str) -> Shelf:
    """A shelf by its name; what is not there is refused.

    >>> import tempfile
    >>> from eyechart.web.application import application
    >>> from eyechart.web.ui import Settings
    >>> site = application(Settings(Path(tempfile.mkdtemp()))).state.site
    >>> shelf_named(site, "cats")
    Traceback (most recent call last):
    eyechart.web.ui.refusals.RefusalError: No benchmark here is called 'cats'.
    >>> site.database.close()
    """
    shelves = shelves_of(site)
    if name not in shelves:
        raise RefusalError(404, f"No benchmark here is called {name[:60]!r}.")
    return shelves[name]


def _opened(site: Site) -> dict[str, Shelf]:
    shelves: dict[str, Shelf] = {}
    given = [(path, *_with_scores(path)) for path in site.settings.predictions]
    for folder in site.settings.benchmarks:
        benchmark = Benchmark.open(folder)
        name = _address(benchmark.name, shelves)
        ids = benchmark.scan("questions").select("question_id")
        own = [each for each in given if _answers(ids, each[1], each[2])]
        runs = {path.name: rows for path, rows, _ in own if rows is not None}
        scores = [kept for _, _, kept in own if kept is not None]
        shelves[name] = Shelf(benchmark, runs, pl.concat(scores) if scores else None)
    return shelves


def _with_scores(path: Path) -> tuple[pl.DataFrame | None, pl.DataFrame | None]:
    """What a file or folder holds: predictions, or scores as an audit or a grading keeps them."""
    if (path / "benchmark.json").is_file() and "scores" in (folder := Benchmark.open(path)):
        named = pl.format("{} ({})", pl.col("metric"), pl.lit(path.name))
        return None, folder.read("scores").with_columns(metric=named)
    return open_predictions(path), None


def _answers(ids: pl.LazyFrame, predictions: pl.DataFrame | None, scores: pl.DataFrame | None) -> bool:
    """Whether these rows speak of these questions."""
    rows = predictions if predictions is not None else scores
    if rows is None:
        raise UsageError("found neither predictions nor scores, expected one of them; name another folder")
    some = rows.head(1000).select("question_id").lazy()
    return bool(some.join(ids, on="question_id", how="semi").head(1).collect().height)


def _address(name: str, taken: Mapping[str, Shelf]) -> str:
    """A benchmark's name as it stands in addresses; the second of a name gets a number."""
    plain = "".join(each if each.isalnum() or each in "-_." else "-" for each in name).strip("-.") or "benchmark"
    numbered = (plain, *(f"{plain}-{number}" for number in range(2, 1000)))
    return next(each for each in numbered if each not in taken)


@contextmanager
def warming(site: Site) -> Iterator[None]:
    """Work out beside the pages what takes seconds for millions of answers, so that nobody waits for it."""
    shelves = shelves_of(site)  # a folder that is no benchmark stops the start, not a visitor

    def warm() -> None:
        for shelf in shelves.values():
            for measure in shelf.measures:
                try:
                    shelf.values(measure)
                except EyechartError:
                    continue  # whoever asks for it is told

    threading.Thread(target=warm, daemon=True, name="warming").start()
    yield
