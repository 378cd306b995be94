"""The records that VQA and the data sets in its layout have in common: questions, people's answers, models' answers.

A data set in this layout adds its own annotation record and head; how questions are joined with their annotations, how
answers are numbered and how pictures are called is the same for all.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json, JsonList
from eyechart.formats.layout import Batch, Encoded, Family, Frames, Layout
from eyechart.formats.values import ExactId, Id, as_id, grouped, known, optional, present

__all__ = [
    "PARTS",
    "RESULTS",
    "Annotation",
    "Answer",
    "ExactAnswer",
    "ExactQuestion",
    "Question",
    "answer_records",
    "answers_of",
    "data_type",
    "decode_questions",
    "encode_questions",
    "numbered_from_one",
    "questions_layout",
    "same_images",
    "some_choices",
    "split_of_head",
    "text",
]

Confidence = Literal["yes", "maybe", "no"]


class Question(msgspec.Struct, gc=False):
    """What a question must have, and what it may have."""

    question_id: Id
    image_id: Id
    question: str
    multiple_choices: list[str] | UnsetType = UNSET


class ExactQuestion(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A question as documented, nothing else in it."""

    question_id: ExactId
    image_id: ExactId
    question: str
    multiple_choices: list[str] | UnsetType = UNSET


class Answer(msgspec.Struct, gc=False):
    """One person's answer; some files have only its text."""

    answer: str
    answer_confidence: Confidence | UnsetType = UNSET
    answer_id: Id | UnsetType = UNSET


class ExactAnswer(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An answer as documented."""

    answer: str
    answer_confidence: Confidence
    answer_id: int


class Annotation(msgspec.Struct, gc=False):
    """People's answers to a question; files in the wild lack everything but these two."""

    question_id: Id
    answers: list[Answer]
    image_id: Id | UnsetType = UNSET
    question_type: str | UnsetType = UNSET
    answer_type: str | UnsetType = UNSET
    multiple_choice_answer: str | UnsetType = UNSET


class Result(msgspec.Struct, gc=False):
    """One answer of a model."""

    question_id: Id
    answer: str


class ExactResult(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A result as documented."""

    question_id: ExactId
    answer: str


def decode_questions(batch: Batch) -> Frames:
    """Questions joined with their annotations by id, from the roles questions and annotations."""
    order = pl.DataFrame({"question_id": batch.keys}, schema={"question_id": pl.String})
    questions = (
        order.join(_asked(batch["questions"]), on="question_id", how="left", maintain_order="left")
        .join(_annotated(batch["annotations"]), on="question_id", how="left", maintain_order="left")
        .with_columns(pl.coalesce("image_id", "annotated_image").alias("image_id"), split=text(batch.split))
    )
    annotations = batch["annotations"]
    return {
        "images": _images(questions, batch),
        "questions": questions.drop("annotated_image", "choices"),
        "answers": answers_of([str(a.question_id) for a in annotations], [a.answers for a in annotations]),
        "choices": _choices(questions),
    }


def data_type(batch: Batch) -> str | None:
    """The collection of pictures that a file's head names, such as mscoco."""
    for head in batch.heads.values():
        if isinstance(head.get("data_type"), str):
            return str(head["data_type"])
    return None


def text(value: str | None) -> pl.Expr:
    """A column that holds the same string, or null, in every row."""
    return pl.lit(value, dtype=pl.String)


def _asked(records: list[Question]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "question_id": [str(q.question_id) for q in records],
            "image_id": [str(q.image_id) for q in records],
            "question": [q.question for q in records],
            "choices": [optional(q.multiple_choices) for q in records],
        },
        schema={
            "question_id": pl.String,
            "image_id": pl.String,
            "question": pl.String,
            "choices": pl.List(pl.String),
        },
    )


def _annotated(records: list[Annotation]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "question_id": [str(a.question_id) for a in records],
            "annotated_image": [None if a.image_id is UNSET else str(a.image_id) for a in records],
            "question_type": [optional(a.question_type) for a in records],
            "answer_type": [optional(a.answer_type) for a in records],
            "answer": [optional(a.multiple_choice_answer) for a in records],
        },
        schema=dict.fromkeys(("question_id", "annotated_image", "question_type", "answer_type", "answer"), pl.String),
    )


def answers_of(question_ids: list[str], listed: list[list[Answer]]) -> pl.DataFrame:
    """Rows of answers, given for each question as a list.

    >>> answers_of(["7"], [[Answer("yes"), Answer("no")]]).select("worker_id", "answer").rows()
    [('1', 'yes'), ('2', 'no')]
    """
    flat = [answer for answers in listed for answer in answers]
    return pl.DataFrame(
        {
            "question_id": [key for key, answers in zip(question_ids, listed, strict=True) for _ in answers],
            "worker_id": [worker for answers in listed for worker in _workers(answers)],
            "answer": [answer.answer for answer in flat],
            "confidence": [optional(answer.answer_confidence) for answer in flat],
        },
        schema=dict.fromkeys(("question_id", "worker_id", "answer", "confidence"), pl.String),
    ).with_columns(shown=pl.lit("image"))


def _workers(answers: list[Answer]) -> list[str]:
    """The answers' own numbers, or their places where those are missing or repeat."""
    numbers = [str(answer.answer_id) for answer in answers if answer.answer_id is not UNSET]
    return numbers if len(set(numbers)) == len(answers) else [str(place) for place in range(1, len(answers) + 1)]


def _images(questions: pl.DataFrame, batch: Batch) -> pl.DataFrame:
    images = questions.select("image_id", "split").drop_nulls("image_id").unique("image_id", maintain_order=True)
    source = data_type(batch)
    subset = next((str(head["data_subtype"]) for head in batch.heads.values() if "data_subtype" in head), "")
    name = _image_name(source, subset)
    return images.with_columns(file=name if name is not None else text(None), source=text(source))


def _image_name(source: str | None, subset: str) -> pl.Expr | None:
    """Customary file names: twelve digits behind the data set and the subset; test-dev shows pictures of test."""
    prefix = {"mscoco": ("COCO", "jpg"), "abstract_v002": ("abstract_v002", "png")}.get(source or "")
    if prefix is None or not re.fullmatch(r"(train|val|test|test-dev)\d{4}", subset):
        return None
    start, suffix = prefix
    return pl.format(
        "{}_{}_{}.{}",
        pl.lit(start),
        pl.lit(subset.replace("-dev", "")),
        pl.col("image_id").str.zfill(12),
        pl.lit(suffix),
    )


def _choices(questions: pl.DataFrame) -> pl.DataFrame:
    offered = questions.select("question_id", "answer", pl.col("choices").alias("choice")).drop_nulls("choice")
    return (
        offered.with_columns(position=pl.int_ranges(pl.col("choice").list.len()))
        .explode("choice", "position", empty_as_null=False)
        .select("question_id", "position", "choice", is_target=pl.col("choice") == pl.col("answer"))
    )


def encode_questions(frames: Frames) -> Encoded:
    """Questions as the questions file has them."""
    asked = frames["questions"].drop_nulls("question")
    choices = present(frames, "choices")
    offered = grouped(choices["question_id"], choices["choice"].to_list())
    keys = asked["question_id"].to_list()
    return Encoded(
        keys,
        [
            known(
                question_id=as_id(key),
                image_id=as_id(image),
                question=question,
                multiple_choices=offered.get(key),
            )
            for key, image, question in zip(keys, asked["image_id"].fill_null(""), asked["question"], strict=True)
        ],
    )


def answer_records(frames: Frames) -> dict[str, list[Json]]:
    """People's answers by question, as VQA writes them."""
    answers = present(frames, "answers")
    records = [
        known(answer=answer, answer_confidence=confidence, answer_id=None if worker is None else as_id(worker))
        for worker, answer, confidence in answers.select("worker_id", "answer", "confidence").iter_rows()
    ]
    return grouped(answers["question_id"], records)


def some_choices(questions: list[ExactQuestion]) -> bool:
    """Whether no question has an empty list of choices, which no table can tell from none.

    >>> some_choices([ExactQuestion(7, 1, "Is it?", [])])
    False
    """
    return [] not in [question.multiple_choices for question in questions]


def numbered_from_one(answers: list[ExactAnswer]) -> bool:
    """Whether answers are numbered from 1 in order, as export does.

    >>> numbered_from_one([ExactAnswer("yes", "yes", 1), ExactAnswer("no", "yes", 3)])
    False
    """
    return [answer.answer_id for answer in answers] == list(range(1, len(answers) + 1))


def same_images(annotations: list[Any], frames: Frames) -> bool:
    """Whether annotations name the images that the questions name."""
    said = dict(frames["questions"].select("question_id", "image_id").iter_rows())
    return all(said.get(str(a.question_id)) == str(a.image_id) for a in annotations)


def split_of_head(head: dict[str, Json], _path: Path) -> str | None:
    """Val of val2014.

    >>> split_of_head({"data_subtype": "test-dev2015"}, Path())
    'test-dev'
    """
    subset = head.get("data_subtype")
    return re.sub(r"\d{4}$", "", subset) if isinstance(subset, str) else None


def _decode_results(batch: Batch) -> Frames:
    results = batch["results"]
    return {
        "predictions": pl.DataFrame(
            {"question_id": [str(r.question_id) for r in results], "answer": [r.answer for r in results]},
            schema={"question_id": pl.String, "answer": pl.String},
        )
    }


def _encode_results(frames: Frames) -> Encoded:
    rows = frames["predictions"].drop_nulls("answer").select("question_id", "answer")
    keys = rows["question_id"].to_list()
    return Encoded(keys, [{"question_id": as_id(key), "answer": answer} for key, answer in rows.iter_rows()])


def questions_layout(
    about: str, head: Callable[[Frames, str | None], dict[str, Json]], file_name: Callable[..., str]
) -> Layout:
    """The questions file; data sets differ in its head and its name."""
    return Layout(
        "questions",
        about,
        JsonList(key="question_id", field="questions"),
        Question,
        encode_questions,
        file_name=file_name,
        head=head,
        split=split_of_head,
        exact=ExactQuestion,
        is_exact=some_choices,
    )


PARTS = {"answers": "question_id", "choices": "question_id"}
"""The tables beside questions that hold the records of questions and their annotations."""

RESULTS = Family(
    layouts=(
        Layout(
            "results",
            "a model's answers",
            JsonList(key="question_id"),
            Result,
            _encode_results,
            exact=ExactResult,
        ),
    ),
    decode=_decode_results,
    lead="predictions",
    key="question_id",
)
"""A results file: the same for every data set in this layout."""
