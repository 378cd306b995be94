"""``eyechart grade``: scores of predictions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.metrics import Number
from eyechart.pipeline.grading import Grades, save_scores
from eyechart.pipeline.grading import grade as graded
from eyechart.pipeline.predictions import open_predictions
from eyechart.store import Benchmark
from eyechart.text import FileVectors

__all__ = ["grade"]

UNGROUPED = ("overall", "part")


def grade(
    benchmark: Path,
    predictions: Path,
    /,
    *,
    metric: Annotated[list[str] | None, Parameter(negative="")] = None,
    by: Annotated[list[str] | None, Parameter(negative="")] = None,
    format: str | None = None,  # noqa: A002  # the word that users type
    subset: Annotated[bool, Parameter(negative="")] = False,
    bootstrap: Annotated[bool, Parameter(negative="")] = False,
    vectors: Path | None = None,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    speech: Speech = Speech(),
) -> None:
    """Score predictions by every metric that applies, with 95 % intervals clustered by image.

    Parameters
    ----------
    benchmark
        The benchmark's folder.
    predictions
        A results file (VQA, GQA, VizWiz, … JSON, CSV or JSON lines), or a folder with a predictions table.
    metric
        Only this metric; several times for several. Some have a threshold in their name: masses-0.8, wups-0.5.
    by
        A column of questions to group by, such as question_type, words or steps; several times for several.
    format
        The format of the results file, if its members do not tell.
    subset
        Grade the questions that are answered, and say how many.
    bootstrap
        Intervals from resampled images in place of the closed form.
    vectors
        Word vectors for metrics of meaning: word2vec .bin, GloVe or fastText text; the packaged ones if not said.
    output
        Where to keep every question's score; scores/NAME beside the predictions if not said.
    """
    opened = Benchmark.open(benchmark)
    grades = graded(
        opened,
        open_predictions(predictions, format),
        metrics=metric,
        by=by,
        subset=subset,
        bootstrap=bootstrap,
        vectors=FileVectors(vectors) if vectors else None,
        name=str(predictions),
    )
    kept = save_scores(grades, opened, output or predictions.parent / "scores" / predictions.stem)
    if speech.json:
        facts = {"graded": grades.graded, "questions": grades.questions, "scores": str(kept.folder)}
        print_json(facts | {"numbers": grades.numbers, "skipped": grades.skipped, "made_with": grades.made_with})
        return
    _print(grades, asked=metric is not None or by is not None)
    print(f"\nEvery question's score is in {kept.folder}.")


def _print(grades: Grades, *, asked: bool) -> None:
    if grades.graded < grades.questions:
        print(f"{grades.graded:,} of {grades.questions:,} questions were answered; the numbers are about these.\n")
    first = grades.numbers[0].metric if grades.numbers else None
    # Groups of every metric would fill pages; they are all in --json, and shown of those that are asked for.
    shown = [n for n in grades.numbers if n.value is not None and (asked or n.metric == first or n.by in UNGROUPED)]
    rows = [_row(number) for number in shown]
    if rows:
        print(columns(rows, head=("metric", "questions of", "value", "95 %", "questions")))
    told = {number.metric for number in grades.numbers if number.value is not None}
    absent = {number.metric: number.absent for number in grades.numbers if number.absent and number.metric not in told}
    reasons = grouped_by_value(absent | (grades.skipped if asked else {}))
    _print_listed("Not computed:", reasons)
    _print_listed("Made with:", grouped_by_value(grades.made_with))


def _print_listed(title: str, groups: Mapping[str, list[str]]) -> None:
    if groups:
        print(f"\n{title}")
        print("\n".join(f"  {', '.join(names)}: {value}" for value, names in groups.items()))


def grouped_by_value(pairs: Mapping[str, str]) -> dict[str, list[str]]:
    """The names that have each value.

    >>> grouped_by_value({"a": "x", "b": "y", "c": "x"})
    {'x': ['a', 'c'], 'y': ['b']}
    """
    groups: dict[str, list[str]] = {}
    for name, value in pairs.items():
        groups.setdefault(value, []).append(name)
    return groups


def _row(number: Number) -> tuple[object, ...]:
    scale = 100 if number.unit in {"percent", "points"} else 1
    value = f"{scale * (number.value or 0):.2f}"
    interval = (
        "" if number.low is None or number.high is None else f"{scale * number.low:.2f} to {scale * number.high:.2f}"
    )
    group = number.group if number.by in UNGROUPED else f"{number.by} {number.group}"
    return number.metric, group, value, interval, number.questions
