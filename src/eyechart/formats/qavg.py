"""Decoys for Visual Genome and Visual7W questions, made from questions and from images (Chao, Hu and Sha 2018)."""

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.choices import Candidate, candidates, choices_of
from eyechart.formats.files import JsonList
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.spellings import Spelled
from eyechart.formats.values import ExactId, Id, as_id, known, optional, present, split_of_name
from eyechart.formats.vqa_records import text

__all__ = ["QAVG"]


class Record(msgspec.Struct, gc=False):
    """Three answers of similar questions and three of similar images; files for Visual7W have little else."""

    QA_id: Id
    QoU_decoys: list[str]
    IoU_decoys: list[str]
    Img_id: Id | UnsetType = UNSET
    question: str | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    Type: str | UnsetType = UNSET


class ExactRecord(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A record as released for Visual Genome."""

    QA_id: ExactId
    QoU_decoys: list[str]
    IoU_decoys: list[str]
    Img_id: ExactId
    question: str
    answer: str
    Type: str


def decode(batch: Batch) -> Frames:
    """Questions with their candidates."""
    records: list[Record] = batch["decoys"]
    questions = pl.DataFrame(
        {
            "question_id": [str(record.QA_id) for record in records],
            "image_id": [None if record.Img_id is UNSET else str(record.Img_id) for record in records],
            "question": [optional(record.question) for record in records],
            "question_type": [optional(record.Type) for record in records],
            "answer": [optional(record.answer) for record in records],
        },
        schema=dict.fromkeys(("question_id", "image_id", "question", "question_type", "answer"), pl.String),
    ).with_columns(split=text(batch.split))
    images = questions.select("image_id", "split", source=pl.lit("visual_genome")).drop_nulls("image_id")
    offered = {str(record.QA_id): _candidates(record) for record in records}
    return {"images": images.unique("image_id", maintain_order=True), "questions": questions} | choices_of(offered)


def _candidates(record: Record) -> list[Candidate]:
    decoys = [(choice, "iou") for choice in record.IoU_decoys] + [(choice, "qou") for choice in record.QoU_decoys]
    return candidates(str(record.QA_id), decoys, optional(record.answer))


def encode(frames: Frames) -> Encoded:
    """Questions with both kinds of decoys, as released."""
    choices = present(frames, "choices")
    decoys: dict[str, dict[str, list[str]]] = {}
    for key, choice, origin in choices.select("question_id", "choice", "origin").iter_rows():
        if origin in {"iou", "qou"}:
            decoys.setdefault(key, {"iou": [], "qou": []})[origin].append(choice)
    rows = frames["questions"].select("question_id", "image_id", "question", "answer", "question_type").iter_rows()
    records = {
        key: known(
            QoU_decoys=decoys[key]["qou"],
            IoU_decoys=decoys[key]["iou"],
            Img_id=None if image is None else as_id(image),
            QA_id=as_id(key),
            question=question,
            answer=answer,
            Type=kind,
        )
        for key, image, question, answer, kind in rows
        if key in decoys
    }
    return Encoded(list(records), list(records.values()))


def _some_decoys(records: list[ExactRecord]) -> bool:
    return all(record.QoU_decoys or record.IoU_decoys for record in records)


QAVG = Format(
    name="qavg",
    title="Decoys for Visual Genome and Visual7W that need both the image and the question",
    families=(
        Family(
            layouts=(
                Layout(
                    "decoys",
                    "questions with decoys from similar questions (QoU) and from similar images (IoU)",
                    Spelled(
                        JsonList(),
                        {"QA_id": ("qa_id", "question_id"), "Img_id": ("image_id", "img_id"), "Type": ("type",)},
                        key="QA_id",
                    ),
                    Record,
                    encode,
                    file_name=lambda split, _head: f"VG_{split or 'all'}_decoys.json",
                    split=split_of_name,
                    exact=ExactRecord,
                    is_exact=_some_decoys,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            parts={"choices": "question_id"},
        ),
    ),
    notes=(
        "A record needs an id, QoU_decoys and IoU_decoys; qa_id or question_id may stand for QA_id, image_id for "
        "Img_id. The right answer gets a place among the decoys that depends on the question's id alone."
    ),
)
