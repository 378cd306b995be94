"""Rebuild a paper's table on any benchmark: our numbers with intervals, the published ones beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from eyechart._lib.progress import Progress, silent
from eyechart.analysis import COMPARISONS, Chart, Result, describe, describe_both, diagnose
from eyechart.errors import DataError, MissingBenchmarkError, UsageError
from eyechart.metrics import Number, measure_people
from eyechart.pipeline.curves import curves
from eyechart.pipeline.grading import grade
from eyechart.pipeline.predictions import open_predictions
from eyechart.pipeline.studies import PEOPLE, Cell, Study
from eyechart.report import Page, Section
from eyechart.store import Benchmark

__all__ = ["Studied", "missing_predictions", "rebuild", "study_page"]

_SCHEMA = {
    "model": pl.String,
    "number": pl.String,
    "ours": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "questions": pl.Int64,
    "published": pl.Float64,
}


@dataclass(frozen=True, slots=True)
class Studied:
    """A study that was rebuilt."""

    study: Study
    rows: pl.DataFrame
    """model, number, ours with low and high, questions, published; in the units of the paper."""
    results: list[Result]
    """Figures that belong to it."""
    absent: dict[str, str]
    """What could not be computed, and why."""


def missing_predictions(study: Study, folder: Path | None) -> dict[str, str]:
    """The models of a study whose predictions are not there, with the command that makes them.

    >>> from eyechart.pipeline.studies import study
    >>> missing_predictions(study("vqa-table-2"), Path("nowhere"))["prior"]
    'eyechart train prior BENCHMARK -o RUN, then eyechart predict RUN BENCHMARK -o nowhere/prior'
    """
    where = folder or Path("PREDICTIONS")
    train, predict = "eyechart train {} BENCHMARK -o RUN", "eyechart predict RUN BENCHMARK -o {}"
    return {
        name: f"{train.format(name.partition('@')[0])}, then {predict.format(where / name)}"
        for name in study.models
        if name != PEOPLE and (folder is None or _found(folder, name) is None)
    }


def _found(folder: Path, name: str) -> Path | None:
    """Predictions of this name: a folder, or a file of any kind that ``grade`` reads."""
    if (folder / name).is_dir():
        return folder / name
    return next((path for path in sorted(folder.glob(f"{name}.*")) if path.is_file()), None)


def rebuild(
    study: Study,
    benchmark: Benchmark,
    *,
    predictions: Path | None = None,
    other: Benchmark | None = None,
    progress: Progress = silent,
) -> Studied:
    """Compute what a study tells, of the models whose predictions are there.

    >>> from eyechart.pipeline.studies import study; import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer_type": ["other"]}))
    ...     draft.write("answers", pl.DataFrame({"question_id": ["1"] * 4, "answer": ["red"] * 3 + ["blue"]}))
    >>> rebuild(study("vqa-table-1"), Benchmark.open(draft.target)).rows.row(0)[:3]
    ('people', 'Question + Image, all', 50.0)
    """
    _check(study, benchmark, other)
    absent = {name: f"no predictions; {how}" for name, how in missing_predictions(study, predictions).items()}
    rows: list[dict[str, object]] = []
    results = _figures(study, benchmark, other, absent)
    with progress(study.name.capitalize(), max(1, len(study.models)), "models") as advance:
        for name in study.models:
            if name not in absent:
                numbers, diagnosed = _of_model(study, benchmark, name, predictions)
                rows += [_row(study, name, cell, numbers, absent) for cell in study.numbers]
                results += diagnosed
            advance(1)
    results += curves(study, benchmark, predictions, absent)
    if study.models and not rows and not results:
        raise DataError(
            f"{study.name}: found no predictions of {', '.join(study.models)}, expected those of one at least; "
            f"{next(iter(missing_predictions(study, predictions).values()))}, and name its folder with --predictions"
        )
    return Studied(study, pl.DataFrame(rows, schema=_SCHEMA), results, absent)


def _check(study: Study, benchmark: Benchmark, other: Benchmark | None) -> None:
    missing = [table for table in study.tables if table not in benchmark]
    if missing:
        raise MissingBenchmarkError(
            f"{benchmark.folder}: found no {' and no '.join(missing)}, expected what {study.name} is about; "
            "import them, or choose another benchmark"
        )
    if study.beside and other is None:
        raise UsageError(f"{study.name}: found one benchmark, expected two to compare; name the other with --beside")


def _figures(study: Study, benchmark: Benchmark, other: Benchmark | None, absent: dict[str, str]) -> list[Result]:
    alone = [name for name in study.figures if name not in COMPARISONS]
    told = list(describe(benchmark.tables(), names=alone)) if alone else []
    if other is not None and study.beside:
        told += [each for each in describe_both(benchmark.tables(), other.tables()) if each.name in study.figures]
    absent |= {each.name: each.absent for each in told if each.absent}
    return [result for each in told for result in each.results]


def _of_model(
    study: Study, benchmark: Benchmark, name: str, folder: Path | None
) -> tuple[Sequence[Number], list[Result]]:
    if name == PEOPLE or folder is None or (path := _found(folder, name)) is None:
        return _people(benchmark), []
    frame = open_predictions(path)
    by = list(dict.fromkeys(cell.by for cell in study.numbers if cell.by not in {"overall", "part"}))
    metrics = list(dict.fromkeys(cell.metric for cell in study.numbers if cell.metric))
    grades = grade(benchmark, frame, metrics=metrics, by=by, subset=True, name=name) if metrics else None
    wanted = (
        [each for each in diagnose(benchmark.tables(), frame) if each.name in study.diagnoses]
        if study.diagnoses
        else []
    )
    skipped = (
        [Number(name, "overall", "overall", None, absent=why) for name, why in grades.skipped.items()] if grades else []
    )
    told = [_named(study, name, result) for each in wanted for result in each.results]
    return [*(grades.numbers if grades else []), *skipped], told


def _named(study: Study, name: str, result: Result) -> Result:
    """A figure of one model says of which, where there are several."""
    model = study.models[name]
    return (
        result
        if len(study.models) == 1
        else replace(result, title=f"{model}: {result.title[:1].lower()}{result.title[1:]}")
    )


def _people(benchmark: Benchmark) -> list[Number]:
    """What can be measured of people, as numbers of the metric people."""
    return [
        Number(PEOPLE, "part", each.part, each.value, questions=each.questions, absent=each.absent)
        for each in measure_people(benchmark.tables())
    ]


def _row(study: Study, name: str, cell: Cell, numbers: Sequence[Number], absent: dict[str, str]) -> dict[str, object]:
    found = next((each for each in numbers if _is(cell, each)), None)
    if found is None or found.value is None:
        skipped = next((each.absent for each in numbers if each.metric == cell.metric and each.absent), None)
        absent[f"{study.models[name]}, {cell.label}"] = (
            (found and found.absent) or skipped or "there are no such questions"
        )
    scale = 100 if found and found.unit in {"percent", "points"} else 1
    ours = {
        key: None if found is None or (value := getattr(found, key)) is None else scale * value
        for key in ("value", "low", "high")
    }
    published = study.published.get(name, {}).get(cell.label)
    return {
        "model": study.models[name],
        "number": cell.label,
        "ours": ours["value"],
        "low": ours["low"],
        "high": ours["high"],
        "questions": 0 if found is None else found.questions,
        "published": published,
    }


def _is(cell: Cell, number: Number) -> bool:
    return (number.metric, number.by, number.group) == (cell.metric, cell.by, cell.group)


def study_page(studied: Studied, benchmark: Benchmark) -> Page:
    """A page of what was rebuilt.

    >>> from eyechart.pipeline.studies import study; import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"]}))
    >>> nothing = Studied(study("vqa-table-1"), pl.DataFrame(schema=_SCHEMA), [], {})
    >>> study_page(nothing, Benchmark.open(draft.target)).title
    'VQA v1, table 1: how people answer with the picture, with a caption, and blind'
    """
    study = studied.study
    sections = []
    if studied.rows.height:
        sections.append(Section("Ours and theirs", [study.comparable], results=_tables(studied)))
    sections.append(Section("Figures", [] if sections else [study.comparable], results=studied.results))
    facts = [("Benchmark", str(benchmark.folder)), ("Content", benchmark.fingerprint[:16]), *studied.absent.items()]
    lead = f"Rebuilt on {benchmark.name}: {benchmark.rows('questions'):,} questions."
    return Page(
        f"{study.paper}, {study.place}: {study.title}", lead, [each for each in sections if each.results], facts=facts
    )


def _tables(studied: Studied) -> list[Result]:
    """The first number of each model as a figure, then all numbers as the paper's table."""
    rows = studied.rows
    about = "Ours with 95 % intervals clustered by image; published as printed in the paper."
    table = Result("numbers", "Every number", about, rows)
    first = rows.filter(pl.col("number") == rows["number"][0]).drop_nulls("ours")
    if first.height < 2:  # noqa: PLR2004  # one number is no picture
        return [table]
    both = pl.concat(
        [_side(first, "ours", "low", "high", "ours"), _side(first, "published", "published", "published", "published")]
    )
    order: Mapping[str, int] = {name: place for place, name in enumerate(first["model"])}
    shown = both.drop_nulls("value").sort(pl.col("model").replace_strict(order), "of")
    ranked = first.sort("ours", "model", descending=[True, False])
    best, value = ranked.select("model", "ours").row(0)
    chart = Chart("dots", x="model", y="value", color="of", low="low", high="high", y_title=rows["number"][0])
    return [
        Result("first-number", f"{best} is highest here, with {value:.1f} ({rows['number'][0]})", about, shown, chart),
        table,
    ]


def _side(rows: pl.DataFrame, value: str, low: str, high: str, of: str) -> pl.DataFrame:
    bounds = [pl.col(bound).fill_null(pl.col(value)).alias(name) for bound, name in ((low, "low"), (high, "high"))]
    return rows.select("model", pl.col(value).alias("value"), *bounds, of=pl.lit(of))
