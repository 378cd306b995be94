"""Predictions against a benchmark: read both, call every metric that applies, keep every question's score."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from eyechart import __version__
from eyechart.errors import DataError, MissingDependencyError, UnknownNameError, UsageError
from eyechart.metrics import (
    METRICS,
    Absent,
    ItemMetric,
    Number,
    SetMetric,
    check_questions,
    graded,
    groups_of,
    holm,
    item_numbers,
    metric_named,
    paired_differences,
    set_numbers,
)
from eyechart.registry import did_you_mean
from eyechart.store import MANIFEST, Benchmark, Draft, MadeBy
from eyechart.text import WordVectors, packaged_vectors

__all__ = ["Grades", "compare", "grade", "save_scores"]

HEADLINES = ("vqa", "gqa-accuracy", "accuracy")
"""What is told first."""

USUAL_GROUPS = ("answer_type", "kind", "structural", "semantic")
"""What is told apart without being asked for."""

_MOST_GROUPS = 100
"""A column with more values is no grouping unless it is asked for."""


@dataclass(frozen=True)
class Grades:
    """What grading gave."""

    numbers: list[Number]
    scores: pl.DataFrame
    """question_id, metric, score, flag: one row per question and item metric."""
    graded: int
    questions: int
    """Of how many that could be graded."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Metrics that do not apply, and why."""
    made_with: dict[str, str] = field(default_factory=dict)
    """The word list or vectors that metrics depend on, with release and hash."""


@dataclass(frozen=True)
class _Exam:
    """A benchmark prepared for grading: its questions with everything they can be grouped by."""

    benchmark: Benchmark
    questions: pl.DataFrame
    tables: Mapping[str, pl.LazyFrame]

    @classmethod
    def of(cls, benchmark: Benchmark) -> "_Exam":
        questions = groups_of(benchmark.read("questions"))
        if not questions.height:
            raise DataError(f"{benchmark.folder}: found no questions, expected some to grade; import questions first")
        return cls(benchmark, questions, benchmark.tables())

    def expected(self) -> pl.DataFrame:
        """The questions that a model must answer: those with an answer to compare with, of the balanced subset."""
        no_answers = pl.LazyFrame(schema={"question_id": pl.String})
        by_people = self.tables.get("answers", no_answers).select("question_id").unique().collect()
        has_answer = pl.col("question_id").is_in(by_people["question_id"].implode()) | pl.col("answer").is_not_null()
        return self.questions.filter(has_answer, pl.col("balanced").fill_null(value=True)).select("question_id")

    def admit(self, predictions: pl.DataFrame, *, subset: bool, name: str = "predictions") -> pl.DataFrame:
        """Predictions with the image of their question, after the ids were compared."""
        expected = self.expected()
        if not expected.height:
            raise DataError(
                f"{self.benchmark.folder}: found no question with an answer, expected some to grade by; "
                "import annotations"
            )
        check_questions(predictions, expected, known=self.questions, subset=subset, name=name)
        images = self.questions.select("question_id", pl.col("image_id").fill_null(pl.col("question_id")))
        return predictions.join(images, on="question_id", maintain_order="left")

    def grouped(self, scores: pl.DataFrame) -> pl.DataFrame:
        """Scores with the columns of their questions."""
        known = self.questions.with_columns(pl.col("image_id").fill_null(pl.col("question_id")))
        return scores.join(known, on="question_id", maintain_order="left")

    def columns(self, asked: Sequence[str] | None) -> list[str]:
        """The columns to group by."""
        usable = [name for name, kind in self.questions.schema.items() if kind in {pl.String, pl.Boolean}]
        for name in asked or ():
            if name not in usable:
                raise UnknownNameError(f"no column to group by is called {name!r}: {did_you_mean(name, usable)}")
        if asked is not None:
            return list(asked)
        counts = {name: self.questions[name].drop_nulls().n_unique() for name in USUAL_GROUPS}
        return [name for name, count in counts.items() if 1 < count <= _MOST_GROUPS]


def grade(
    benchmark: Benchmark,
    predictions: pl.DataFrame,
    *,
    metrics: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    subset: bool = False,
    bootstrap: bool = False,
    vectors: WordVectors | None = None,
    name: str = "predictions",
) -> Grades:
    """Every metric that applies, or those that are asked for; metrics of meaning with the packaged vectors or these.

    >>> import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer_type": ["yes/no"]}))
    ...     draft.write("answers", pl.DataFrame({"question_id": ["1"] * 4, "answer": ["yes"] * 3 + ["no"]}))
    >>> graded = grade(Benchmark.open(draft.target), pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}))
    >>> [(number.metric, number.value) for number in graded.numbers][:1]
    [('vqa', 0.75)]
    """
    exam = _Exam.of(benchmark)
    # Once, for the metrics that look at how right many subsets of the predictions are.
    admitted = graded(exam.admit(predictions, subset=subset, name=name), exam.tables)
    columns = exam.columns(by)
    numbers: list[Number] = []
    kept: list[pl.DataFrame] = []
    skipped: dict[str, str] = {}
    loaded = _loaded(metrics, vectors)
    for key, metric in loaded.items():
        told = numbers[0].metric if metrics is None and key in HEADLINES and numbers else None
        if reason := _inapplicable(metric, admitted, exam.tables, told):
            skipped[key] = reason
            continue
        try:
            if isinstance(metric, SetMetric):
                numbers += set_numbers(metric, admitted, exam.tables)
                continue
            scores = exam.grouped(_scores(metric, admitted, exam.tables))
        except (Absent, MissingDependencyError) as absent:
            skipped[key] = str(absent)
            continue
        numbers += item_numbers(metric, scores, columns, bootstrap=bootstrap)
        kept.append(scores.select("question_id", "metric", "score", "flag"))
    scored = pl.concat(kept) if kept else pl.DataFrame()
    computed = {number.metric for number in numbers if number.value is not None}
    sources = {metric.name: metric.made_with for metric in loaded.values() if metric.name in computed}
    made_with = {name: source() for name, source in sorted(sources.items()) if source is not None}
    return Grades(numbers, scored, admitted.height, exam.expected().height, skipped, made_with)


def _loaded(names: Sequence[str] | None, vectors: WordVectors | None = None) -> dict[str, ItemMetric | SetMetric]:
    opened = packaged_vectors if vectors is None else lambda: vectors
    return {name: metric_named(name, opened) for name in names or _accuracy_first(METRICS)}


def _inapplicable(
    metric: ItemMetric | SetMetric, predictions: pl.DataFrame, tables: Mapping[str, pl.LazyFrame], told: str | None
) -> str | None:
    """Why a metric makes no sense here, if it makes none."""
    missing = [table for table in metric.needs if table not in tables]
    if missing:
        return f"the benchmark has no {' and no '.join(missing)}"
    if metric.of_answers and not predictions["answer"].count():
        return "the predictions hold no answers"
    return f"{told} says how right the answers are" if told else None


def _scores(metric: ItemMetric, predictions: pl.DataFrame, tables: Mapping[str, pl.LazyFrame]) -> pl.DataFrame:
    scores = metric.score(predictions, tables)
    if "flag" not in scores.columns:
        scores = scores.with_columns(flag=pl.lit(None, dtype=pl.String))
    return scores.select("question_id", "score", "flag", metric=pl.lit(metric.name))


def save_scores(grades: Grades, benchmark: Benchmark, folder: Path) -> Benchmark:
    """Keep every question's score as a table, in a folder like any other benchmark's."""
    if (folder / MANIFEST).is_file() and (there := Benchmark.open(folder).manifest.made_by.stage) != "grade":
        raise UsageError(
            f"{folder}: found a benchmark that {there} has made, expected scores to replace, or nothing; "
            "choose another output"
        )
    inputs = {str(benchmark.folder): benchmark.fingerprint}
    made_by = MadeBy("grade", {"made_with": grades.made_with}, inputs, version=__version__)
    with Draft(folder, made_by, replace=True) as draft:
        draft.write("scores", grades.scores)
    return Benchmark.open(folder)


def compare(
    benchmark: Benchmark,
    predictions: Sequence[pl.DataFrame],
    *,
    metrics: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    subset: bool = False,
    names: Sequence[str] = (),
) -> pl.DataFrame:
    """How much better each further model is than the first on the same questions, with Holm's correction per metric.

    Columns: other (its number, from 1), metric, by, group, difference, low, high, p, p_holm, questions.
    """
    exam = _Exam.of(benchmark)
    called = names or [f"predictions {number}" for number in range(1, len(predictions) + 1)]
    admitted = [exam.admit(each, subset=subset, name=name) for each, name in zip(predictions, called, strict=True)]
    rows: list[pl.DataFrame] = []
    for metric in _item_metrics(metrics, exam):
        if metrics is None and metric.name in HEADLINES and any(each.height for each in rows):
            continue  # the accuracy by which the benchmark is known is there
        rows += [
            _compared(exam, metric, admitted[0], other, exam.columns(by)).with_columns(other=pl.lit(number))
            for number, other in enumerate(admitted[1:], 1)
        ]
    if not any(each.height for each in rows):
        raise DataError(
            f"{benchmark.folder}: found no metric of single questions that applies, expected one to compare by"
        )
    whole = pl.concat(rows)
    corrected = [
        part.with_columns(p_holm=pl.Series(holm(part["p"].to_list()), dtype=pl.Float64))
        for part in whole.partition_by("metric", maintain_order=True)
    ]
    return pl.concat(corrected)


def _item_metrics(names: Sequence[str] | None, exam: _Exam) -> list[ItemMetric]:
    """Those that are asked for; otherwise the accuracy by which the benchmark is known, or whatever applies."""
    loaded = _loaded(names)
    fitting = [each for each in loaded.values() if isinstance(each, ItemMetric) and set(each.needs) <= set(exam.tables)]
    known = [each for each in fitting if each.name in HEADLINES]
    return fitting if names or not known else known


def _compared(
    exam: _Exam, metric: ItemMetric, one: pl.DataFrame, other: pl.DataFrame, columns: Sequence[str]
) -> pl.DataFrame:
    try:
        first, second = (_scores(metric, each, exam.tables) for each in (one, other))
    except Absent:
        return pl.DataFrame(schema=_COMPARED)
    grouped = exam.grouped(first)
    parts = [paired_differences(grouped, second).with_columns(by=pl.lit("overall"), group=pl.lit("overall"))]
    for column in columns:
        known = grouped.drop_nulls(column).with_columns(pl.col(column).cast(pl.String).alias("group"))
        differences = paired_differences(known, second, by=["group"]).sort(
            "questions", "group", descending=[True, False]
        )
        parts.append(differences.with_columns(by=pl.lit(column)))
    rows = pl.concat(parts, how="diagonal").with_columns(metric=pl.lit(metric.name), difference="value")
    if metric.unit == "percent":
        # Shares differ by one at most, whatever the normal approximation says.
        rows = rows.with_columns(pl.col("low", "high").clip(-1.0, 1.0))
    return rows.select(_COMPARED.names()).cast(_COMPARED)


_COMPARED = pl.Schema(
    {
        "metric": pl.String,
        "by": pl.String,
        "group": pl.String,
        "difference": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "p": pl.Float64,
        "questions": pl.Int64,
    }
)


def _accuracy_first(names: Iterable[str]) -> list[str]:
    """The metrics that people look at first, then the others."""
    return sorted(names, key=lambda name: (HEADLINES.index(name) if name in HEADLINES else len(HEADLINES), name))
