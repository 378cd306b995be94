"""VQA and VizWiz files as far as a score needs them: a lean way in that makes no benchmark.

Records are decoded into types that have only what an evaluation looks at.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np
import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.errors import FormatError
from eyechart.formats.files import JsonList, mapped
from eyechart.formats.values import Id

__all__ = ["Annotated", "read_annotations", "read_picks", "read_results", "read_vizwiz", "read_vizwiz_results"]

T = TypeVar("T")


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
    file = JsonList(field="annotations")
    records, task = _read(path, file, _Annotation)
    if not _numbered(records):
        # People have no numbers, or share one: the official rule then looks at their whole records.
        records, task = _read(path, file, _WholeAnnotation)
    return _annotated(path, [str(record.question_id) for record in records], records, task)


def read_vizwiz(path: Path) -> Annotated:
    """People's answers from a VizWiz annotations file; the image's name is the question's id.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "val.json"
    >>> _ = path.write_text('[{"image": "a.jpg", "answers": [{"answer": "soup"}]}]')
    >>> read_vizwiz(path).answers["question_id"].to_list()
    ['a.jpg']
    """
    records, _ = _read(path, JsonList(), _VizWiz)
    return _annotated(path, [record.image for record in records], records, None)


def read_results(path: Path) -> pl.DataFrame:
    """A model's answers from a results file: question_id, answer.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = path.write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> read_results(path).rows()
    [('7', 'yes')]
    """
    records, _ = _read(path, JsonList(), _Result)
    return _predictions([str(r.question_id) for r in records], [r.answer for r in records])


def read_vizwiz_results(path: Path) -> pl.DataFrame:
    """A model's answers from a VizWiz results file: question_id (the image's name), answer.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = path.write_text('[{"image": "a.jpg", "answer": "soup"}]')
    >>> read_vizwiz_results(path).rows()
    [('a.jpg', 'soup')]
    """
    records, _ = _read(path, JsonList(), _VizWizResult)
    return _predictions([r.image for r in records], [r.answer for r in records])


def read_picks(path: Path) -> tuple[pl.DataFrame, str | None]:
    """The questions of a questions file, with their choices if it has some, and the task that its head names.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "questions.json"
    >>> _ = path.write_text('{"questions": [{"question_id": 7, "multiple_choices": ["yes", "no"]}]}')
    >>> read_picks(path)[0].rows()
    [('7', ['yes', 'no'])]
    """
    records, task = _read(path, JsonList(field="questions"), _Picked)
    choices = pl.Series([record.multiple_choices for record in records], dtype=pl.List(pl.String))
    ids = pl.Series([str(record.question_id) for record in records], dtype=pl.String)
    return pl.DataFrame({"question_id": ids, "choice": choices}), task


def _read(path: Path, file: JsonList, kind: type[T]) -> tuple[list[T], str | None]:
    """All records, and the task that the head names; what does not fit is read again, slowly, to say where it is."""
    content = mapped(path)
    try:
        with uncollected():
            if file.field is None:
                return msgspec.json.decode(content, type=list[kind]), None  # type: ignore[valid-type]  # made at run time
            members = [("records", list[kind], msgspec.field(name=file.field)), ("task_type", object, None)]  # type: ignore[valid-type]  # as above
            whole = msgspec.json.decode(content, type=msgspec.defstruct("File", members))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
        opened = file.open(path)
        opened.decode(kind, range(len(opened.raws)))
        raise FormatError(f"{path}: found {error}, expected the layout of its format; correct the file") from error
    task = whole.task_type  # type: ignore[attr-defined]  # as above
    return whole.records, task if isinstance(task, str) else None  # type: ignore[attr-defined]  # as above


def _numbered(records: Sequence[_Annotation]) -> bool:
    """Whether people are numbered 1, 2, 3 … within each question, so that no two records are equal."""
    counts = {len(record.answers) for record in records}
    found = [answer.answer_id for record in records for answer in record.answers]
    if len(counts) == 1:
        return found == list(range(1, counts.pop() + 1)) * len(records)
    return found == [number for record in records for number in range(1, len(record.answers) + 1)]


def _annotated(path: Path, ids: list[str], records: Sequence[_Annotation | _VizWiz], task: str | None) -> Annotated:
    if not records:
        raise FormatError(f"{path}: found no records, expected people's answers; check that it is the right file")
    questions = {
        "question_id": ids,
        "question_type": [record.question_type for record in records],
        "answer_type": [record.answer_type for record in records],
    }
    counts = [len(record.answers) for record in records]
    given = [answer for record in records for answer in record.answers]
    answers = pl.DataFrame(
        {
            "question_id": pl.Series(ids, dtype=pl.String).gather(np.repeat(np.arange(len(counts)), counts)),
            "answer": pl.Series([answer.answer for answer in given], dtype=pl.String),
        }
    )
    if isinstance(given[0] if given else None, _WholeAnswer):
        told = [f"{answer.answer_id!r} {getattr(answer, 'answer_confidence', None)!r}" for answer in given]
        answers = answers.with_columns(identity=pl.Series(told, dtype=pl.String))
    return Annotated(pl.DataFrame(questions, schema=dict.fromkeys(questions, pl.String)), answers, task)


def _predictions(ids: list[str], answers: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"question_id": ids, "answer": answers}, schema={"question_id": pl.String, "answer": pl.String})
