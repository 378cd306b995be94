"""VQA v1 and v2: questions, annotations, complementary pairs, results; photographs and abstract scenes.

Layout: https://visualqa.org/vqa_v2_... as published with the datasets of Antol et al. 2015 and Goyal et al. 2017. One
annotation file serves the open-ended and the multiple-choice questions.
"""

import re

import msgspec
import polars as pl

from eyechart.formats.files import Json, JsonList
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import ExactId, Id, as_id, known, present
from eyechart.formats.vqa_records import (
    PARTS,
    RESULTS,
    Annotation,
    ExactAnswer,
    answer_records,
    data_type,
    decode_questions,
    numbered_from_one,
    questions_layout,
    same_images,
    split_of_head,
)
from eyechart.text import QUESTION_TYPES, question_type

__all__ = ["VQA"]


class ExactAnnotation(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An annotation as documented."""

    question_id: ExactId
    answers: list[ExactAnswer]
    image_id: ExactId
    question_type: str
    answer_type: str
    multiple_choice_answer: str


def decode(batch: Batch) -> Frames:
    """Questions with their annotations; the published lists give the type of those that nobody annotated."""
    frames = decode_questions(batch)
    kind = data_type(batch)
    if kind in QUESTION_TYPES:
        listed = pl.coalesce("question_type", question_type(pl.col("question"), kind))
        frames["questions"] = frames["questions"].with_columns(question_type=listed)
    return frames


def encode_annotations(frames: Frames) -> Encoded:
    """Answered questions as the annotations file has them."""
    given = answer_records(frames)
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


def _is_exact(annotations: list[ExactAnnotation]) -> bool:
    return all(record.answers and numbered_from_one(record.answers) for record in annotations)


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
    return f"{_version(head)}{task}_{_subset(head)}questions.json"


def _annotations_name(_split: str | None, head: dict[str, Json]) -> str:
    return f"{_version(head)}{_subset(head)}annotations.json"


def _subset(head: dict[str, Json]) -> str:
    return "".join(f"{head[name]}_" for name in ("data_type", "data_subtype") if head.get(name))


VQA = Format(
    name="vqa",
    title="VQA v1 and v2, open-ended and multiple-choice, photographs and abstract scenes",
    families=(
        Family(
            layouts=(
                questions_layout(
                    "the questions, with 18 choices in the multiple-choice task", _questions_head, _questions_name
                ),
                Layout(
                    "annotations",
                    "people's answers",
                    JsonList(key="question_id", field="annotations"),
                    Annotation,
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
                    exact=tuple[ExactId, ExactId],
                ),
            ),
            decode=decode_pairs,
            lead="pairs",
            split_by=("questions", "question_id"),
        ),
        RESULTS,
    ),
    notes="A question needs question_id, image_id and question; an annotation needs question_id and answers.",
)
