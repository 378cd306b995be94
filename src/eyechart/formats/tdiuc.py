"""TDIUC: one answer per question and twelve named kinds of questions (Kafle and Kanan 2017), in the layout of VQA."""

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json, JsonList
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import ExactId, as_id, known, optional
from eyechart.formats.vqa_records import (
    PARTS,
    RESULTS,
    Annotation,
    ExactAnswer,
    answer_records,
    decode_questions,
    numbered_from_one,
    questions_layout,
    same_images,
    split_of_head,
)

__all__ = ["TDIUC"]


class SourcedAnnotation(Annotation):
    """An annotation that says where its question and answer come from."""

    ans_source: str | UnsetType = UNSET


class ExactAnnotation(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An annotation as released."""

    question_id: ExactId
    answers: list[ExactAnswer]
    image_id: ExactId
    question_type: str
    ans_source: str
    # Never there: VQA's members of the same record.
    answer_type: UnsetType = UNSET
    multiple_choice_answer: UnsetType = UNSET


def decode(batch: Batch) -> Frames:
    """Questions with their one answer, which is the reference."""
    frames = decode_questions(batch)
    records = batch["annotations"]
    said = pl.DataFrame(
        {
            "question_id": [str(record.question_id) for record in records],
            "answer": [record.answers[0].answer if record.answers else None for record in records],
            "author_id": [optional(record.ans_source) for record in records],
        },
        schema=dict.fromkeys(("question_id", "answer", "author_id"), pl.String),
    )
    questions = frames["questions"].drop("answer").join(said, on="question_id", how="left", maintain_order="left")
    return frames | {"questions": questions}


def encode_annotations(frames: Frames) -> Encoded:
    """Answered questions as the annotations file has them."""
    given = answer_records(frames)
    rows = frames["questions"].select("question_id", "image_id", "question_type", "author_id").iter_rows()
    records = {
        key: known(
            question_id=as_id(key),
            image_id=None if image is None else as_id(image),
            question_type=kind,
            ans_source=author,
            answers=given[key],
        )
        for key, image, kind, author in rows
        if key in given
    }
    return Encoded(list(records), list(records.values()))


def _is_exact(annotations: list[ExactAnnotation]) -> bool:
    return all(len(record.answers) == 1 and numbered_from_one(record.answers) for record in annotations)


def _head(_frames: Frames, split: str | None) -> dict[str, Json]:
    year = "2014" if split in {"train", "val"} else ""
    # The files spell it so.
    return {"info": {}, "licence": {}, "data_type": "mscoco", "data_subtype": f"{split or ''}{year}"}


def _questions_head(frames: Frames, split: str | None) -> dict[str, Json]:
    return _head(frames, split) | {"task_type": "Open-Ended"}


def _questions_name(_split: str | None, head: dict[str, Json]) -> str:
    return f"OpenEnded_mscoco_{head.get('data_subtype', '')}_questions.json"


def _annotations_name(_split: str | None, head: dict[str, Json]) -> str:
    return f"mscoco_{head.get('data_subtype', '')}_annotations.json"


TDIUC = Format(
    name="tdiuc",
    title="TDIUC: twelve kinds of questions with one answer each",
    families=(
        Family(
            layouts=(
                questions_layout("the questions", _questions_head, _questions_name),
                Layout(
                    "annotations",
                    "the kind and the answer of each question",
                    JsonList(key="question_id", field="annotations"),
                    SourcedAnnotation,
                    encode_annotations,
                    file_name=_annotations_name,
                    head=_head,
                    split=split_of_head,
                    exact=ExactAnnotation,
                    is_exact=_is_exact,
                    agrees=same_images,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            parts=PARTS,
        ),
        RESULTS,
    ),
    notes=(
        "The file names are those of VQA v1; only the folder tells the two apart. ans_source becomes author_id. "
        "The absurd questions have the answer doesnotapply. The answer key (sample_answerkey.csv) belongs to one "
        "evaluator and is not read."
    ),
)
