"""``eyechart grade``: scores of predictions."""

from pathlib import Path

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline.grading import grade as graded
from eyechart.pipeline.grading import open_predictions
from eyechart.store import Benchmark

__all__ = ["grade"]


def grade(benchmark: Path, predictions: Path, /, *, speech: Speech = Speech()) -> None:
    """Score predictions by VQA accuracy, overall and by type of answer.

    Parameters
    ----------
    benchmark
        The benchmark's folder.
    predictions
        A results file in the layout of VQA, or a folder with a predictions table.
    """
    grades = graded(Benchmark.open(benchmark), open_predictions(predictions))
    if speech.json:
        print_json({each.group: {"accuracy": each.accuracy, "questions": each.questions} for each in grades})
        return
    rows = [(each.group, f"{each.accuracy:.2f}", each.questions) for each in grades]
    print(columns(rows, head=("VQA accuracy", "%", "questions")))
