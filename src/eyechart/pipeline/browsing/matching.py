"""From what is wanted to the numbers of the rows that are: filters and semi-joins over whole tables, read as they go.

Nothing but row numbers is kept, so that 20 questions and 22 million are looked through alike. A text is looked for part
by part against the clock: an expression that would take too long is refused in words.
"""

import time
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.errors import UsageError
from eyechart.pipeline.browsing.wanted import Span, Wanted
from eyechart.store import Benchmark

__all__ = ["PATIENCE", "Rows", "matching"]

Rows = npt.NDArray[np.uint32]
Measures = Mapping[str, npt.NDArray[np.float32]]

PATIENCE = 3.0
"""Seconds after which a search is given up."""
_FIRST, _GROWTH = 2_000, 8
"""Rows that an expression is tried on first, and how many times more each further piece may be while it is quick."""
_QUICK = 0.15
"""Seconds for a piece."""


def matching(benchmark: Benchmark, wanted: Wanted, measures: Measures) -> Rows:
    """The rows of the questions that are wanted, as they are stored.

    >>> import tempfile; from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     asked = ["Is it red?", "Is it a zebra?", "What is it?"]
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1", "2", "3"], "question": asked}))
    >>> matching(Benchmark.open(draft.target), Wanted(text="is it", match="starts"), {}).tolist()
    [0, 1]
    """
    kept = _kept_by_measures(wanted, measures)
    wheres = [pl.col(name) == value for name, value in wanted.columns.items()]
    rows = benchmark.scan("questions").with_row_index("row")
    if wheres:
        rows = rows.filter(*wheres)
    for of, those in _restrictions(benchmark, wanted):
        rows = rows.join(those, on=of, how="semi")
    in_question = bool(wanted.text) and wanted.within == "question"
    found = rows.select("row", *(["question"] if in_question else [])).collect(engine="streaming").sort("row")
    if in_question:
        found = _search(found, "question", wanted)
    numbers = found["row"].to_numpy()
    return numbers if kept is None else numbers[kept[numbers]]


def _kept_by_measures(wanted: Wanted, measures: Measures) -> npt.NDArray[np.bool_] | None:
    kept = None
    for name, span in wanted.measures.items():
        within = _within(measures[name], span)
        kept = within if kept is None else kept & within
    return kept


def _within(values: npt.NDArray[np.float32], span: Span) -> npt.NDArray[np.bool_]:
    """A question without a value is in no span. Ends are rounded as the values are."""
    low = np.float32(-np.inf if span.low is None else span.low)
    high = np.float32(np.inf if span.high is None else span.high)
    return (values >= low) & (values <= high)


def _restrictions(benchmark: Benchmark, wanted: Wanted) -> Iterator[tuple[str, pl.LazyFrame]]:
    """Which pictures or questions other tables leave: the column that they are told by, and their ids."""
    for table, column, names in (
        ("objects", "name", wanted.objects),
        ("attributes", "attribute", wanted.attributes),
        ("relations", "predicate", wanted.relations),
    ):
        for name in names:
            yield "image_id", benchmark.scan(table).filter(pl.col(column) == name).select("image_id")
    if wanted.text and wanted.within == "answer":
        yield "question_id", _answered(benchmark, wanted).lazy()
    if wanted.text and wanted.within == "caption":
        captions = benchmark.scan("captions").select("image_id", "caption").collect(engine="streaming")
        yield "image_id", _search(captions, "caption", wanted).select("image_id").lazy()


def _answered(benchmark: Benchmark, wanted: Wanted) -> pl.DataFrame:
    """Questions to which anybody, or the reference, gives an answer that fits; each different answer is read once."""
    given = [benchmark.scan(table).select("question_id", "answer") for table in ("questions", "answers")]
    different = pl.concat(given).select(pl.col("answer").unique()).drop_nulls().collect(engine="streaming")
    fitting = _search(different.sort("answer"), "answer", wanted).lazy()
    return pl.concat(given).join(fitting, on="answer", how="semi").select("question_id").collect(engine="streaming")


def _search(rows: pl.DataFrame, column: str, wanted: Wanted) -> pl.DataFrame:
    """The rows whose text fits, in pieces that grow while they are quick."""
    fits = _fits(column, wanted)
    pieces: list[pl.DataFrame] = []
    began, place, size = time.monotonic(), 0, _FIRST
    while place < rows.height or not pieces:
        at = time.monotonic()
        pieces.append(_filtered(rows.slice(place, size), fits, wanted))
        place, took = place + size, time.monotonic() - at
        if place < rows.height and time.monotonic() - began > PATIENCE:
            raise UsageError(
                f"text: found an expression that takes longer than {PATIENCE:g} s ({wanted.text[:60]!r}), expected one "
                "that is quick; make it simpler, or narrow the view by other filters first"
            )
        size = size * _GROWTH if took < _QUICK / _GROWTH else max(_FIRST, int(size * _QUICK / max(took, 1e-3)))
    return pl.concat(pieces)


def _filtered(rows: pl.DataFrame, fits: pl.Expr, wanted: Wanted) -> pl.DataFrame:
    try:
        return rows.filter(fits)
    except pl.exceptions.PolarsError as error:
        problem = " ".join(str(error).split())
        raise UsageError(
            f"text: found {wanted.text[:60]!r}, which is no regular expression ({problem[:200]}); correct it, or "
            "look for it as it stands"
        ) from None


def _fits(column: str, wanted: Wanted) -> pl.Expr:
    """Whether a text fits; big and small letters are alike."""
    if wanted.match == "regex":
        return pl.col(column).str.contains(f"(?i){wanted.text}")
    text, sought = pl.col(column).str.to_lowercase(), wanted.text.lower()
    if wanted.match == "contains":
        return text.str.contains(sought, literal=True)
    return text.str.starts_with(sought) if wanted.match == "starts" else text.str.ends_with(sought)
