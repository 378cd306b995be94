"""VQA and VizWiz files as far as a score needs them: a lean way in that makes no benchmark.

Records are decoded into types that have only what an evaluation looks at, some thousand at a time.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import eq
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np
import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.errors import FormatError
from eyechart.formats.files import Json, JsonList, RecordFile
from eyechart.formats.values import Id

__all__ = ["Annotated", "read_annotations", "read_picks", "read_results", "read_vizwiz", "read_vizwiz_results"]

T = TypeVar("T")

_AT_ONCE = 10_000


class Annotated(NamedTuple):
    """What an annotations file says."""

    questions: pl.DataFrame
    """question_id, question_type, answer_type."""
    answers: pl.DataFrame
    """question_id, answer; and identity where people cannot be told apart by their numbers."""
    task: str | None = None
    """The task that the file's head names."""


class _Answer(msgspec.Struct, gc=False):
    answer: str
    answer_id: Id | None = None


class _WholeAnswer(_Answer, gc=False):
    answer_confidence: str | None = None


class _Annotation(msgspec.Struct, gc=False):
    question_id: Id
    answers: Sequence[_Answer]
    question_type: str | None = None
    answer_type: str | None = None


class _WholeAnnotation(_Annotation, gc=False):
    answers: Sequence[_WholeAnswer]


class _VizWiz(msgspec.Struct, gc=False):
    image: str
    answers: Sequence[_WholeAnswer]
    answer_type: str | None = None
    question_type: None = None


class _Result(msgspec.Struct, gc=False):
    question_id: Id
    answer: str


class _VizWizResult(msgspec.Struct, gc=False):
    image: str
    answer: str


class _Picked(msgspec.Struct, gc=False):
    question_id: Id
    multiple_choices: list[str] | None = None


def read_annotations(path: Path) -> Annotated:
    """People's answers from an annotations file.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "annotations.json"
    >>> _ = path.write_text('{"annotations": [{"question_id": 7, "answers": [{"answer": "yes", "answer_id": 1}]}]}')
    >>> read_annotations(path).answers.rows()
    [('7', 'yes')]
    """
    file = JsonList(field="annotations").open(path)
    parts = [_part([str(r.question_id) for r in records], records) for records in _batches(file, _Annotation)]
    if not all(part.numbered for part in parts):
        # People have no numbers, or share one: the official rule then looks at their whole records.
        parts = [_part([str(r.question_id) for r in records], records) for records in _batches(file, _WholeAnnotation)]
    return _joined(file, parts)


def read_vizwiz(path: Path) -> Annotated:
    """People's answers from a VizWiz annotations file; the image's name is the question's id.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "val.json"
    >>> _ = path.write_text('[{"image": "a.jpg", "answers": [{"answer": "soup"}]}]')
    >>> read_vizwiz(path).answers["question_id"].to_list()
    ['a.jpg']
    """
    file = JsonList().open(path)
    parts = [_part([r.image for r in records], records) for records in _batches(file, _VizWiz)]
    return _joined(file, parts)


def read_results(path: Path) -> pl.DataFrame:
    """A model's answers from a results file: question_id, answer.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = path.write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> read_results(path).rows()
    [('7', 'yes')]
    """
    records = _all(path, JsonList(), _Result)
    return _predictions([str(r.question_id) for r in records], [r.answer for r in records])


def read_vizwiz_results(path: Path) -> pl.DataFrame:
    """A model's answers from a VizWiz results file: question_id (the image's name), answer.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = path.write_text('[{"image": "a.jpg", "answer": "soup"}]')
    >>> read_vizwiz_results(path).rows()
    [('a.jpg', 'soup')]
    """
    records = _all(path, JsonList(), _VizWizResult)
    return _predictions([r.image for r in records], [r.answer for r in records])


def read_picks(path: Path) -> tuple[pl.DataFrame, str | None]:
    """The questions of a questions file, with their choices if it has some, and the task that its head names.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "questions.json"
    >>> _ = path.write_text('{"questions": [{"question_id": 7, "multiple_choices": ["yes", "no"]}]}')
    >>> read_picks(path)[0].rows()
    [('7', ['yes', 'no'])]
    """
    questions = JsonList(field="questions")
    records = _all(path, questions, _Picked)
    choices = pl.Series([r.multiple_choices for r in records], dtype=pl.List(pl.String))
    ids = pl.Series([str(r.question_id) for r in records], dtype=pl.String)
    return pl.DataFrame({"question_id": ids, "choice": choices}), _task(questions.open_head(path))


def _all(path: Path, container: JsonList, kind: type[T]) -> list[T]:
    """All records of a file that is not large."""
    return [record for batch in _batches(container.open(path), kind) for record in batch]


def _batches(file: RecordFile, kind: type[T]) -> Iterator[list[T]]:
    with uncollected():
        for start in range(0, len(file.raws), _AT_ONCE):
            yield file.decode(kind, range(start, min(start + _AT_ONCE, len(file.raws))))


class _Part(NamedTuple):
    questions: pl.DataFrame
    answers: pl.DataFrame
    numbered: bool
    """Whether people are numbered 1, 2, 3 … within each question, so that no two records are equal."""


def _part(ids: list[str], records: Sequence[_Annotation | _VizWiz]) -> _Part:
    counts = [len(record.answers) for record in records]
    given = [answer for record in records for answer in record.answers]
    questions = {
        "question_id": ids,
        "question_type": [record.question_type for record in records],
        "answer_type": [record.answer_type for record in records],
    }
    expected = chain.from_iterable(range(1, count + 1) for count in counts)
    numbered = all(map(eq, [answer.answer_id for answer in given], expected))
    answers = pl.DataFrame(
        {
            "question_id": pl.Series(ids, dtype=pl.String).gather(np.repeat(np.arange(len(counts)), counts)),
            "answer": pl.Series([answer.answer for answer in given], dtype=pl.String),
        }
    )
    if not numbered:
        told = [f"{answer.answer_id!r} {getattr(answer, 'answer_confidence', None)!r}" for answer in given]
        answers = answers.with_columns(identity=pl.Series(told, dtype=pl.String))
    return _Part(pl.DataFrame(questions, schema=dict.fromkeys(questions, pl.String)), answers, numbered)


def _joined(file: RecordFile, parts: list[_Part]) -> Annotated:
    if not parts:
        raise FormatError(f"{file.path}: found no records, expected people's answers; check that it is the right file")
    answers = pl.concat([part.answers for part in parts], how="diagonal")
    if "identity" in answers.columns:
        answers = answers.with_columns(pl.col("identity").fill_null(pl.int_range(pl.len()).cast(pl.String)))
    return Annotated(pl.concat([part.questions for part in parts]), answers, _task(file.head))


def _task(head: dict[str, Json]) -> str | None:
    task = head.get("task_type")
    return task if isinstance(task, str) else None


def _predictions(ids: list[str], answers: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"question_id": ids, "answer": answers}, schema={"question_id": pl.String, "answer": pl.String})
