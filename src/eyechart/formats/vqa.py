"""VQA v1 and v2: questions, annotations, complementary pairs, results; photographs and abstract scenes.

Layout: https://visualqa.org/vqa_v2_... as published with the datasets of Antol et al. 2015 and Goyal et al. 2017. One
annotation file serves the open-ended and the multiple-choice questions.
"""

import re
from pathlib import Path
from typing import Literal

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json, JsonList
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import Id, as_id, grouped, known, optional, present
from eyechart.text import QUESTION_TYPES, question_type

__all__ = ["VQA"]

Confidence = Literal["yes", "maybe", "no"]


class Question(msgspec.Struct, gc=False):
    """What a question must have, and what it may have."""

    question_id: Id
    image_id: Id
    question: str
    multiple_choices: list[str] | UnsetType = UNSET


class ExactQuestion(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A question as documented, nothing else in it."""

    question_id: int
    image_id: int
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


class ExactAnnotation(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An annotation as documented."""

    question_id: int
    answers: list[ExactAnswer]
    image_id: int
    question_type: str
    answer_type: str
    multiple_choice_answer: str


class Result(msgspec.Struct, gc=False):
    """One answer of a model."""

    question_id: Id
    answer: str


class ExactResult(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A result as documented."""

    question_id: int
    answer: str


def decode_questions(batch: Batch) -> Frames:
    """Questions joined with their annotations by id."""
    data_type = _data_type(batch)
    asked = _asked(batch["questions"])
    annotated = _annotated(batch["annotations"])
    order = pl.DataFrame({"question_id": batch.keys}, schema={"question_id": pl.String})
    questions = (
        order.join(asked, on="question_id", how="left", maintain_order="left")
        .join(annotated, on="question_id", how="left", maintain_order="left")
        .with_columns(pl.coalesce("image_id", "annotated_image").alias("image_id"), split=_text(batch.split))
    )
    if data_type in QUESTION_TYPES:
        listed = question_type(pl.col("question"), data_type)
        questions = questions.with_columns(pl.coalesce("question_type", listed).alias("question_type"))
    return {
        "images": _images(questions, data_type, batch),
        "questions": questions.drop("annotated_image", "choices"),
        "answers": _answers(batch["annotations"]),
        "choices": _choices(questions),
    }


def _data_type(batch: Batch) -> str | None:
    for head in batch.heads.values():
        if isinstance(head.get("data_type"), str):
            return str(head["data_type"])
    return None


def _text(value: str | None) -> pl.Expr:
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


def _answers(records: list[Annotation]) -> pl.DataFrame:
    listed = [answer for record in records for answer in record.answers]
    ids = [str(record.question_id) for record in records for _ in record.answers]
    workers = [worker for record in records for worker in _workers(record.answers)]
    return pl.DataFrame(
        {
            "question_id": ids,
            "worker_id": workers,
            "answer": [answer.answer for answer in listed],
            "confidence": [optional(answer.answer_confidence) for answer in listed],
        },
        schema=dict.fromkeys(("question_id", "worker_id", "answer", "confidence"), pl.String),
    ).with_columns(shown=pl.lit("image"))


def _workers(answers: list[Answer]) -> list[str]:
    """The answers' own numbers, or their places where those are missing or repeat."""
    numbers = [str(answer.answer_id) for answer in answers if answer.answer_id is not UNSET]
    return numbers if len(set(numbers)) == len(answers) else [str(place) for place in range(1, len(answers) + 1)]


def _images(questions: pl.DataFrame, data_type: str | None, batch: Batch) -> pl.DataFrame:
    images = questions.select("image_id", "split").drop_nulls("image_id").unique("image_id", maintain_order=True)
    subset = next((str(head["data_subtype"]) for head in batch.heads.values() if "data_subtype" in head), "")
    name = _image_name(data_type, subset)
    return images.with_columns(file=name if name is not None else _text(None), source=_text(data_type))


def _image_name(data_type: str | None, subset: str) -> pl.Expr | None:
    """Customary file names: twelve digits behind the data set and the subset; test-dev shows pictures of test."""
    prefix = {"mscoco": ("COCO", "jpg"), "abstract_v002": ("abstract_v002", "png")}.get(data_type or "")
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
                question=text,
                multiple_choices=offered.get(key),
            )
            for key, image, text in zip(keys, asked["image_id"].fill_null(""), asked["question"], strict=True)
        ],
    )


def encode_annotations(frames: Frames) -> Encoded:
    """Answered questions as the annotations file has them."""
    answers = present(frames, "answers")
    given = grouped(answers["question_id"], _answer_records(answers))
    rows = frames["questions"].select("question_id", "image_id", "question_type", "answer_type", "answer").iter_rows()
    records = {
        key: known(
            question_id=as_id(key),
            image_id=None if image is None else as_id(image),
            question_type=first_words,
            answer_type=kind,
            multiple_choice_answer=answer,
            answers=given[key],
        )
        for key, image, first_words, kind, answer in rows
        if key in given
    }
    return Encoded(list(records), list(records.values()))


def _answer_records(answers: pl.DataFrame) -> list[Json]:
    return [
        known(answer=answer, answer_confidence=confidence, answer_id=None if worker is None else as_id(worker))
        for worker, answer, confidence in answers.select("worker_id", "answer", "confidence").iter_rows()
    ]


def _is_exact(annotations: list[ExactAnnotation]) -> bool:
    """Answers are numbered from 1 in order."""
    return all(
        [a.answer_id for a in record.answers] == list(range(1, len(record.answers) + 1)) for record in annotations
    )


def decode_pairs(batch: Batch) -> Frames:
    """Complementary pairs."""
    pairs = [(str(one), str(other)) for one, other in batch["pairs"]]
    rows = pl.DataFrame(pairs, schema={"question_id": pl.String, "complement_id": pl.String}, orient="row")
    return {"pairs": rows.with_columns(origin=pl.lit("people"))}


def encode_pairs(frames: Frames) -> Encoded:
    """Complementary pairs as lists of two ids."""
    rows = frames["pairs"].select("question_id", "complement_id").iter_rows()
    records = [[as_id(one), as_id(other)] for one, other in rows]
    return Encoded([str(place) for place in range(len(records))], records)


def decode_results(batch: Batch) -> Frames:
    """A model's answers."""
    results = batch["results"]
    return {
        "predictions": pl.DataFrame(
            {"question_id": [str(r.question_id) for r in results], "answer": [r.answer for r in results]},
            schema={"question_id": pl.String, "answer": pl.String},
        )
    }


def encode_results(frames: Frames) -> Encoded:
    """A model's answers as a results file has them."""
    rows = frames["predictions"].drop_nulls("answer").select("question_id", "answer")
    keys = rows["question_id"].to_list()
    return Encoded(keys, [{"question_id": as_id(key), "answer": answer} for key, answer in rows.iter_rows()])


def _split(head: dict[str, Json], _path: Path) -> str | None:
    """Val of val2014."""
    subset = head.get("data_subtype")
    return re.sub(r"\d{4}$", "", subset) if isinstance(subset, str) else None


def _head(frames: Frames, split: str | None) -> dict[str, Json]:
    sources = present(frames, "images")["source"].drop_nulls()
    source = sources[0] if sources.len() else "mscoco"
    year = "2015" if source == "abstract_v002" or (split or "").startswith("test") else "2014"
    subset = f"{split}{year}" if split in {"train", "val", "test", "test-dev"} else split or ""
    return {
        "info": {
            "description": "",
            "url": "",
            "version": "2.0",
            "year": 2017,
            "contributor": "",
            "date_created": "",
        },
        "license": {"url": "", "name": ""},
        "data_type": source,
        "data_subtype": subset,
    }


def _questions_head(frames: Frames, split: str | None) -> dict[str, Json]:
    choices = present(frames, "choices").height
    return _head(frames, split) | {"task_type": "Multiple-Choice" if choices else "Open-Ended"}


def _version(head: dict[str, Json]) -> str:
    info = head.get("info")
    return "v2_" if isinstance(info, dict) and str(info.get("version", "")).startswith("2") else ""


def _questions_name(_split: str | None, head: dict[str, Json]) -> str:
    task = re.sub(r"\W", "", str(head.get("task_type", "OpenEnded")))
    return f"{_version(head)}{task}_{head.get('data_type')}_{head.get('data_subtype')}_questions.json"


def _annotations_name(_split: str | None, head: dict[str, Json]) -> str:
    return f"{_version(head)}{head.get('data_type')}_{head.get('data_subtype')}_annotations.json"


VQA = Format(
    name="vqa",
    title="VQA v1 and v2, open-ended and multiple-choice, photographs and abstract scenes",
    families=(
        Family(
            layouts=(
                Layout(
                    "questions",
                    "the questions, with 18 choices in the multiple-choice task",
                    JsonList(key="question_id", field="questions"),
                    Question,
                    encode_questions,
                    file_name=_questions_name,
                    head=_questions_head,
                    split=_split,
                    exact=ExactQuestion,
                ),
                Layout(
                    "annotations",
                    "people's answers",
                    JsonList(key="question_id", field="annotations"),
                    Annotation,
                    encode_annotations,
                    file_name=_annotations_name,
                    head=_head,
                    split=_split,
                    exact=ExactAnnotation,
                    is_exact=_is_exact,
                ),
            ),
            decode=decode_questions,
            lead="questions",
            key="question_id",
            parts={"answers": "question_id", "choices": "question_id"},
            context=("images",),
        ),
        Family(
            layouts=(
                Layout(
                    "pairs",
                    "complementary pairs: two question ids each",
                    JsonList(),
                    tuple[Id, Id],
                    encode_pairs,
                    file_name=lambda split, _head: f"v2_mscoco_{split or 'all'}_complementary_pairs.json",
                    exact=tuple[int, int],
                ),
            ),
            decode=decode_pairs,
            lead="pairs",
            split_by=("questions", "question_id"),
        ),
        Family(
            layouts=(
                Layout(
                    "results",
                    "a model's answers",
                    JsonList(key="question_id"),
                    Result,
                    encode_results,
                    exact=ExactResult,
                ),
            ),
            decode=decode_results,
            lead="predictions",
            key="question_id",
        ),
    ),
    notes="A question needs question_id, image_id and question; an annotation needs question_id and answers.",
)
