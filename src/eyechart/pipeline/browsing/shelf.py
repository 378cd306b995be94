"""A benchmark on the shelf: pages of questions by what is wanted, beside what models answered and how right it was."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.keyed import Key
from eyechart.errors import DataError, UnknownNameError, UsageError
from eyechart.pipeline.browsing.matching import Rows, matching
from eyechart.pipeline.browsing.wanted import ORDERS, Wanted
from eyechart.pipeline.grading import HEADLINES, grade
from eyechart.registry import did_you_mean
from eyechart.store import Benchmark

__all__ = ["Found", "Page", "Pictures", "Shelf"]

Values = npt.NDArray[np.float32]

_REMEMBERED = 32
"""Views whose rows are kept, for the pages that follow."""
_FACETS = 60
"""So many values of a column are offered to choose from, the most frequent first."""


@dataclass(frozen=True)
class Found:
    """The rows of a view, in its order."""

    rows: Rows

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Page:
    """Some questions of a view."""

    questions: pl.DataFrame
    """The columns of questions, after their row."""
    total: int
    first: int
    """The place of the first one in the view, from 1; 0 on an empty page."""
    before: int | None
    """The row to ask before for the previous page."""
    after: int | None
    """The row to ask after for the next page."""


@dataclass(frozen=True)
class Pictures:
    """Some pictures of a view."""

    image_ids: Sequence[str]
    questions: pl.DataFrame
    """The questions about them, in the order in which they are stored."""
    total: int
    start: int
    following: int | None
    """Where the next page starts."""


@dataclass
class Shelf:
    """A benchmark to look around in, with models' predictions and scores of its questions by name.

    >>> import tempfile; from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     asked = {"question_id": ["1", "2"], "question": ["Is it red?", "Is it a zebra?"], "answer": ["yes", "no"]}
    ...     draft.write("questions", pl.DataFrame(asked))
    >>> model = pl.DataFrame({"question_id": ["1", "2"], "answer": ["yes", "yes"]})
    >>> shelf = Shelf(Benchmark.open(draft.target), {"guesser": model})
    >>> page = shelf.page(Wanted.read({"high.guesser": ["0"]}))
    >>> page.questions["question"].to_list(), page.total
    (['Is it a zebra?'], 1)
    """

    benchmark: Benchmark
    runs: Mapping[str, pl.DataFrame] = field(default_factory=dict[str, pl.DataFrame])
    """What each model answered: rows of predictions."""
    scores: pl.DataFrame | None = None
    """Rows of scores, such as an audit keeps."""
    _views: OrderedDict[object, Found] = field(default_factory=OrderedDict[object, Found], repr=False)
    _images: Sequence[str] = field(default=(), repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    # ------------------------------------------------------------------ what is there

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return self.benchmark.name

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The names of what questions can be told apart by in numbers, without working them out."""
        agreement = ("agreement",) if "answers" in self.benchmark else ()
        kept = () if self.scores is None else tuple(self.scores["metric"].unique().sort())
        differ = ("models differ",) if len(self.runs) > 1 else ()
        return (*agreement, *self.runs, *differ, *kept)

    @cached_property
    def facets(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """The values of the columns that have few: the most frequent first, with how many questions have them."""
        questions = self.benchmark.scan("questions")
        told = {}
        for name in ("split", "answer_type", "question_type", "structural", "semantic", "detailed"):
            counted = questions.group_by(name).agg(n=pl.len()).drop_nulls(name).collect(engine="streaming")
            if counted.height > 1 or name == "split":
                told[name] = counted.sort("n", name, descending=[True, False]).head(_FACETS).rows()
        return told

    # ------------------------------------------------------------------ views

    def find(self, wanted: Wanted) -> Found:
        """Which questions are wanted; the latest views are remembered."""
        with self._lock:
            if wanted.key in self._views:
                self._views.move_to_end(wanted.key)
                return self._views[wanted.key]
        rows = matching(self.benchmark, wanted, {name: self.values(name) for name in wanted.measures})
        found = Found(rows[self._order(wanted, rows)])
        with self._lock:
            self._views[wanted.key] = found
            while len(self._views) > _REMEMBERED:
                self._views.popitem(last=False)
        return found

    def page(self, wanted: Wanted, *, after: int | None = None, before: int | None = None, size: int = 20) -> Page:
        """The questions after a row of the view, or before one; a row that is no longer in it begins anew."""
        rows = self.find(wanted).rows
        start = 0
        if after is not None:
            start = _place(rows, after) + 1
        elif before is not None:
            start = max(_place(rows, before) - size, 0)
        shown = rows[start : start + size]
        return Page(
            questions=self.questions(shown),
            total=len(rows),
            first=start + 1 if len(shown) else 0,
            before=int(shown[0]) if start and len(shown) else None,
            after=int(shown[-1]) if start + size < len(rows) else None,
        )

    def pictures(self, wanted: Wanted, *, start: int = 0, size: int = 12, rest: bool = False) -> "Pictures":
        """Pictures that wanted questions are about, in the order of their first one, with those questions.

        With ``rest``, also what else is asked about each picture.
        """
        found = self.find(wanted)
        about = self._about[found.rows]
        first = np.sort(np.unique(about, return_index=True)[1])
        shown = about[first[start : start + size]]
        own = np.flatnonzero(np.isin(self._about, shown)).astype(np.uint32)
        asked = self.questions(own if rest else own[np.isin(own, found.rows)])
        images = [self._images[int(number)] for number in shown]
        return Pictures(images, asked, len(first), start, start + size if start + size < len(first) else None)

    @cached_property
    def _about(self) -> npt.NDArray[np.uint32]:
        """The number of the picture that each question is about."""
        column = self.benchmark.scan("questions").select(pl.col("image_id").fill_null("")).collect(engine="streaming")
        self._images, numbers = _numbered(column["image_id"])
        return numbers

    def beside(self, table: str, question_ids: Sequence[str]) -> pl.DataFrame:
        """The rows of a table that belong to some questions."""
        ids = pl.Series(question_ids, dtype=pl.String).implode()
        rows = self.benchmark.scan(table).filter(pl.col("question_id").is_in(ids))
        return rows.collect(engine="streaming")

    def questions(self, rows: Sequence[int] | Rows) -> pl.DataFrame:
        """Questions by their rows, in this order; only what is asked for is read."""
        scanned = self.benchmark.scan("questions").with_row_index("row")
        if not len(rows):
            return scanned.head(0).collect()
        pieces = pl.collect_all([scanned.slice(int(row), 1) for row in rows])
        return pl.concat(pieces)

    def row_of(self, question_id: str) -> int:
        """The row of a question."""
        scanned = self.benchmark.scan("questions").with_row_index("row")
        found = scanned.filter(pl.col("question_id") == question_id).select("row").collect(engine="streaming")
        if not found.height:
            raise UnknownNameError(
                f"{self.name}: found no question {question_id[:80]!r}, expected one of its ids; check the link"
            )
        return int(found.item(0, 0))

    def _order(self, wanted: Wanted, rows: Rows) -> npt.NDArray[np.intp]:
        """In which order the rows of a view are shown; those without a value come last, ties as they are stored."""
        if wanted.order == "stored":
            return np.arange(len(rows))
        if wanted.order == "shuffled":
            return np.argsort(Key(wanted.seed, "browse").array(rows.astype(np.uint64)), kind="stable")
        name = wanted.order.removeprefix("-")
        if name not in self.measures:
            known = [*ORDERS, *self.measures]
            raise UsageError(f"order: no order is called {wanted.order[:60]!r}: {did_you_mean(name, known)}")
        values = self.values(name)[rows].astype(np.float64)
        return np.argsort(-values if wanted.order.startswith("-") else values, kind="stable")

    # ------------------------------------------------------------------ measures

    def values(self, measure: str) -> Values:
        """A measure of every question, in their order; worked out when it is first asked for."""
        if measure not in self.measures:
            raise UnknownNameError(f"no measure is called {measure[:60]!r}: {did_you_mean(measure, self.measures)}")
        with self._lock:
            if measure not in self._worked_out:
                self._worked_out[measure] = self._work_out(measure)
            return self._worked_out[measure]

    @cached_property
    def _worked_out(self) -> dict[str, Values]:
        return {}

    @cached_property
    def _ids(self) -> pl.DataFrame:
        return self.benchmark.scan("questions").select("question_id").collect(engine="streaming")

    def _work_out(self, measure: str) -> Values:
        if measure == "agreement":
            return self._aligned(_agreement(self.benchmark))
        if measure == "models differ":
            return self._aligned(_difference(self.runs))
        if measure in self.runs:
            return self._aligned(_right(self.benchmark, self.runs[measure], measure))
        kept = pl.DataFrame() if self.scores is None else self.scores.filter(pl.col("metric") == measure)
        return self._aligned(kept.select("question_id", value="score"))

    def _aligned(self, values: pl.DataFrame) -> Values:
        """Values by question_id, in the order of the questions; not a number where there is none."""
        joined = self._ids.join(values, on="question_id", how="left", maintain_order="left")
        return joined["value"].cast(pl.Float32).fill_null(float("nan")).to_numpy()


def _numbered(texts: pl.Series) -> tuple[list[str], npt.NDArray[np.uint32]]:
    """Different texts in the order in which they come, and the number of each."""
    different = texts.unique(maintain_order=True)
    numbers = texts.replace_strict(different, pl.int_range(len(different), eager=True), return_dtype=pl.UInt32)
    return different.to_list(), numbers.to_numpy()


def _place(rows: Rows, row: int) -> int:
    """Where a row stands in a view; -1 if it is not there."""
    found = np.flatnonzero(rows == row)
    return int(found[0]) if len(found) else -1


def _agreement(benchmark: Benchmark) -> pl.DataFrame:
    """The share of the people who saw the picture that gave the most frequent answer.

    Counted by hashes of ids and answers: a third of the time that texts take, for tens of millions of answers.
    """
    given = benchmark.scan("answers").filter(pl.col("shown").fill_null("image") == "image")
    counted = given.group_by(question=pl.col("question_id").hash(), said=pl.col("answer").hash()).agg(n=pl.len())
    shares = counted.group_by("question").agg(value=pl.col("n").max() / pl.col("n").sum())
    ids = benchmark.scan("questions").select("question_id", question=pl.col("question_id").hash())
    return ids.join(shares, on="question").select("question_id", "value").collect(engine="streaming")


def _difference(runs: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """How many different answers models give, beyond one, as a share of what is possible."""
    given = pl.concat([run.select("question_id", pl.col("answer").str.to_lowercase()) for run in runs.values()])
    counted = given.group_by("question_id").agg(different=pl.col("answer").n_unique())
    return counted.select("question_id", value=(pl.col("different") - 1) / (len(runs) - 1))


def _right(benchmark: Benchmark, run: pl.DataFrame, name: str) -> pl.DataFrame:
    """How right a model is on each question, by the accuracy by which the benchmark is known."""
    for metric in HEADLINES:
        graded = grade(benchmark, run, metrics=[metric], by=[], subset=True, name=name)
        if graded.scores.height:
            return graded.scores.select("question_id", value="score")
    raise DataError(f"{name}: found no question that can be graded, expected answers to this benchmark; check the run")
