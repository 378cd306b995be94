"""One page about a benchmark and the models that were tried on it: what it holds, how they score, where they fail."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from eyechart import __version__
from eyechart._lib.progress import Progress, silent
from eyechart.analysis import Chart, Result, describe, diagnose
from eyechart.metrics import METRICS, Number
from eyechart.pipeline.grading import HEADLINES, Grades, compare, grade
from eyechart.report import Big, Page, Section
from eyechart.store import Benchmark

__all__ = ["report"]

_HOLDS = (
    "first-words",
    "question-length",
    "answer-kinds",
    "top-answers",
    "answer-entropy",
    "human-accuracy",
    "frequent-objects",
)
"""What a report tells of the benchmark itself; ``eyechart describe`` tells all."""

Models = Mapping[str, pl.DataFrame]
"""Predictions by the name of their model."""


def report(
    benchmark: Benchmark,
    models: Models,
    *,
    subset: bool = False,
    further: Sequence[Section] = (),
    progress: Progress = silent,
) -> Page:
    """A page about a benchmark, the grades of models on it, their differences and their mistakes.

    >>> import tempfile; from pathlib import Path
    >>> asked = {"question_id": ["1", "2"], "question": ["Is it?", "Is it red?"], "answer": ["yes", "no"]}
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame(asked))
    >>> guesses = pl.DataFrame({"question_id": ["1", "2"], "answer": ["yes", "yes"]})
    >>> [section.heading for section in report(Benchmark.open(draft.target), {"always yes": guesses}).sections]
    ['Grades', 'Where always yes is right', 'The benchmark']
    """
    with progress("Report", 2 * len(models) + 2, "parts") as advance:
        graded = {}
        for name, predictions in models.items():
            graded[name] = grade(benchmark, predictions, subset=subset, name=name)
            advance(1)
        sections = [*_grades(graded), *further]
        if len(models) > 1:
            sections.append(_differences(benchmark, models, subset=subset))
        advance(1)
        for name, predictions in models.items():
            sections.append(_diagnosis(benchmark, name, predictions))
            advance(1)
        sections.append(Section("The benchmark", results=_told(describe(benchmark.tables(), names=_HOLDS))))
        advance(1)
    lead = f"{_models(list(models))} on {benchmark.rows('questions'):,} questions." if models else "What it holds."
    return Page(
        benchmark.name,
        lead,
        [each for each in sections if each.results or each.numbers],
        _bigs(graded),
        _facts(benchmark, graded),
    )


def _models(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _told(found: Iterator[object]) -> list[Result]:
    return [result for each in found for result in getattr(each, "results", [])]


def _bigs(graded: Mapping[str, Grades]) -> list[Big]:
    """The first number of each model: the accuracy by which the benchmark is known."""
    bigs = []
    for name, grades in graded.items():
        overall = [number for number in grades.numbers if number.by == "overall" and number.value is not None]
        if overall:
            first = overall[0]
            bigs.append(Big(_value(first), f"{name}: {METRICS.load(first.metric).title}", _interval(first)))
    return bigs


def _scale(number: Number) -> float:
    return 100 if number.unit in {"percent", "points"} else 1


def _value(number: Number) -> str:
    unit = {"percent": " %", "years": " years"}.get(number.unit, "")
    return "none" if number.value is None else f"{_scale(number) * number.value:.1f}{unit}"


def _interval(number: Number) -> str:
    if number.low is None or number.high is None:
        return ""
    return f"{_scale(number) * number.low:.1f} to {_scale(number) * number.high:.1f}"


def _grades(graded: Mapping[str, Grades]) -> list[Section]:
    """Every number of every model: the first metric as a figure, all of them as a table."""
    rows = [
        {
            "model": name,
            "metric": number.metric,
            "part": number.group,
            "value": _value(number),
            "95 %": _interval(number),
            "questions": number.questions,
        }
        for name, grades in graded.items()
        for number in grades.numbers
        if number.by in {"overall", "part"} and number.value is not None
    ]
    # Numbers of whole sets come in many parts; those of single questions are what people look for.
    rows.sort(key=lambda row: (row["metric"] not in HEADLINES, row["part"] != "overall"))
    if not rows:
        return []
    headline = next((name for name in HEADLINES if any(row["metric"] == name for row in rows)), str(rows[0]["metric"]))
    table = pl.DataFrame(rows)
    results = [
        *_by_type(graded, headline),
        Result("grades", "Every metric that applies", "With 95 % intervals clustered by image.", table),
    ]
    return [Section("Grades", results=results)]


def _by_type(graded: Mapping[str, Grades], metric: str) -> list[Result]:
    """The first metric, overall and by kind of answer, of all models in one figure."""
    rows = [
        {
            "of": number.group,
            "model": name,
            "accuracy": number.value,
            "low": number.low,
            "high": number.high,
            "questions": number.questions,
        }
        for name, grades in graded.items()
        for number in grades.numbers
        if number.metric == metric
        and number.by in {"overall", "answer_type", "structural"}
        and number.value is not None
    ]
    if not rows:
        return []
    bounded = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        pl.col("low", "high").cast(pl.Float64).fill_null(pl.col("accuracy"))
    )
    order = pl.col("of") != "overall"
    overall = bounded.filter(~order).sort("accuracy", "model", descending=[True, False])
    best = overall.row(0, named=True)
    title = (
        f"{best['model']} is best, with {best['accuracy']:.1%}"
        if overall.height > 1
        else f"{best['accuracy']:.1%} of the answers are right"
    )
    chart = Chart(
        "dots",
        x="of",
        y="accuracy",
        color="model",
        low="low",
        high="high",
        y_title=METRICS.load(metric).title,
        percent=True,
    )
    about = f"{_title(metric)}, with 95 % intervals clustered by image."
    return [Result("grades-by-type", title, about, bounded.sort(order, maintain_order=True), chart)]


def _title(metric: str) -> str:
    title = METRICS.load(metric).title
    return title[:1].upper() + title[1:]


def _differences(benchmark: Benchmark, models: Models, *, subset: bool) -> Section:
    """Paired differences from the first model."""
    names = list(models)
    rows = compare(benchmark, list(models.values()), subset=subset, by=[], names=names)
    named = rows.with_columns(model=pl.col("other").replace_strict(dict(enumerate(names)), return_dtype=pl.String))
    shown = named.select(
        "model",
        "metric",
        "difference",
        pl.col("low", "high").fill_null(pl.col("difference")),
        p="p_holm",
        questions="questions",
    )
    far = named.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
    sure = far["low"] is not None and (far["low"] > 0 or far["high"] < 0)
    how = "better" if far["difference"] > 0 else "worse"
    tail = "" if sure else ", which may be luck"
    title = f"{far['model']} is {abs(100 * far['difference']):.1f} points {how} than {names[0]}{tail}"
    about = (
        f"Differences from {names[0]} on the same questions, with 95 % intervals clustered by image and p-values after "
        "Holm."
    )
    chart = Chart(
        "dots", x="model", y="difference", low="low", high="high", y_title="difference of accuracy", percent=True
    )
    return Section("Differences", results=[Result("differences", title, about, shown, chart)])


def _diagnosis(benchmark: Benchmark, name: str, predictions: pl.DataFrame) -> Section:
    return Section(f"Where {name} is right", results=_told(diagnose(benchmark.tables(), predictions)))


def _facts(benchmark: Benchmark, graded: Mapping[str, Grades]) -> list[tuple[str, str]]:
    made_with = {name: source for grades in graded.values() for name, source in grades.made_with.items()}
    return [
        ("Benchmark", str(benchmark.folder)),
        ("Licence", benchmark.manifest.licence or "not said"),
        ("Content", benchmark.fingerprint[:16]),
        *(
            (f"{', '.join(name for name in made_with if made_with[name] == source)}", source)
            for source in dict.fromkeys(made_with.values())
        ),
        *(
            (f"{name}, answered", f"{grades.graded:,} of {grades.questions:,} questions")
            for name, grades in graded.items()
        ),
        ("Made by", f"Eyechart {__version__}"),
    ]
