"""Accuracy over a setting, such as how many questions a model has learned from: one line per model."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from eyechart.analysis import Chart, Result
from eyechart.metrics import Number
from eyechart.pipeline.grading import grade
from eyechart.pipeline.predictions import open_predictions
from eyechart.pipeline.studies import Curve, Study
from eyechart.store import Benchmark

__all__ = ["curves"]


def curves(study: Study, benchmark: Benchmark, folder: Path | None, absent: dict[str, str]) -> list[Result]:
    """The curves of a study whose predictions are there; of the others, ``absent`` gets the command that makes them.

    >>> from eyechart.pipeline.studies import study; import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"]}))
    >>> missing = {}
    >>> curves(study("gqa-figure-11"), Benchmark.open(draft.target), Path("P"), missing)
    []
    >>> missing["curve over training questions"][:54]
    'no predictions; eyechart train mac-objects BENCHMARK -'
    """
    found = []
    for each in study.curves:
        rows = [row for model in study.models for row in _line(study, each, model, benchmark, folder)]
        if rows:
            found.append(_drawn(each, pl.DataFrame(rows)))
        else:
            absent[f"curve over {each.label}"] = (
                f"no predictions; {_command(study, each, folder or Path('PREDICTIONS'))}"
            )
    return found


def _line(
    study: Study, curve: Curve, model: str, benchmark: Benchmark, folder: Path | None
) -> Iterator[dict[str, object]]:
    begin = f"{model}@{curve.setting}-"
    paths = sorted(folder.glob(f"{begin}*")) if folder else []
    points = {path.name.removeprefix(begin).partition(".")[0]: path for path in paths}
    for number, path in sorted((int(point), path) for point, path in points.items() if point.isdecimal()):
        accuracy = _accuracy(benchmark, path)
        yield {
            curve.label: number,
            "model": study.models[model],
            "accuracy": accuracy.value,
            "low": accuracy.value if accuracy.low is None else accuracy.low,
            "high": accuracy.value if accuracy.high is None else accuracy.high,
            "questions": accuracy.questions,
        }


def _accuracy(benchmark: Benchmark, predictions: Path) -> Number:
    graded = grade(
        benchmark, open_predictions(predictions), metrics=["accuracy"], by=[], subset=True, name=predictions.name
    )
    return next(number for number in graded.numbers if number.by == "overall")


def _drawn(curve: Curve, rows: pl.DataFrame) -> Result:
    first, last = (rows.filter(pl.col(curve.label) == end(rows[curve.label])) for end in (min, max))
    best = last.sort("accuracy", "model", descending=[True, False]).row(0, named=True)
    before = first.filter(model=best["model"])["accuracy"]
    title = f"{best['model']} is right on {best['accuracy']:.1%} with {best[curve.label]:,} {curve.label}"
    if before.len() and first.height and rows[curve.label].n_unique() > 1:
        title += f", {before[0]:.1%} with {first[curve.label][0]:,}"
    chart = Chart(
        "lines",
        x=curve.label,
        y="accuracy",
        color="model",
        low="low",
        high="high",
        x_title=curve.label,
        y_title="accuracy",
        log=curve.log,
        percent=True,
    )
    about = f"Accuracy by {curve.label}, with 95 % intervals clustered by image."
    return Result(f"curve-{curve.setting}", title, about, rows, chart)


def _command(study: Study, curve: Curve, folder: Path) -> str:
    model = next(iter(study.models))
    train = curve.command.format(model=model)
    return f"{train}, then eyechart predict RUN BENCHMARK -o {folder / f'{model}@{curve.setting}-NUMBER'}"
