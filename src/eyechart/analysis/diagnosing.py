"""Tell where a model is right and where it is wrong."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import polars as pl

from eyechart.analysis.describing import Told
from eyechart.analysis.descriptions import diagnosis, reliability
from eyechart.analysis.descriptions.diagnosis import Exam
from eyechart.analysis.results import Result
from eyechart.analysis.views import Views
from eyechart.metrics import Absent

__all__ = ["DIAGNOSES", "diagnose"]


def _by(column: str, name: str, label: str) -> Callable[[Exam], list[Result]]:
    return partial(diagnosis.by_column, column=column, name=name, label=label)


DIAGNOSES: dict[str, Callable[[Exam], list[Result]]] = {
    "accuracy-by-kind": _by("kind_of_question", "accuracy-by-kind", "kind of question"),
    "accuracy-by-answer-type": _by("answer_type", "accuracy-by-answer-type", "answer type"),
    "accuracy-by-structural": _by("structural", "accuracy-by-structural", "structural type"),
    "accuracy-by-semantic": _by("semantic", "accuracy-by-semantic", "semantic type"),
    "accuracy-by-words": _by("words", "accuracy-by-words", "words"),
    "accuracy-by-steps": _by("steps", "accuracy-by-steps", "steps"),
    "accuracy-by-answer": diagnosis.by_answer,
    "answers-when-right": diagnosis.when_right,
    "accuracy-by-age": diagnosis.by_age,
    "age-by-accuracy": diagnosis.years_by_accuracy,
    "confusion": diagnosis.confusion,
    "accuracy-by-agreement": reliability.by_agreement,
    "masses-and-accuracy": reliability.scores_apart,
    "masses-against-accuracy": reliability.masses_against_accuracy,
    "masses-disagreements": reliability.disagreements,
}
"""Every diagnosis by the name of its figure, in the order of a report."""


def diagnose(tables: Mapping[str, pl.LazyFrame], predictions: pl.DataFrame) -> Iterator[Told]:
    """Every diagnosis of a model's predictions that applies.

    >>> asked = {"question_id": ["1", "2"], "question": ["Is it?", "What is it?"], "answer": ["yes", "cup"]}
    >>> guesses = pl.DataFrame({"question_id": ["1", "2"], "answer": ["yes", "cat"]})
    >>> told = {each.name: each for each in diagnose({"questions": pl.LazyFrame(asked)}, guesses)}
    >>> [result.title for result in told["accuracy-by-words"].results]
    ['Best at 2 words (100%), worst at 3 words (0%)']
    """
    exam = Exam(Views(tables), predictions)
    for name, describe in DIAGNOSES.items():
        try:
            yield Told(name, "Diagnosis", describe(exam))
        except Absent as reason:
            yield Told(name, "Diagnosis", [], str(reason))
