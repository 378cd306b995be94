"""VizWiz: pictures and questions of blind people (Gurari et al. 2018), one question a picture, without question ids.

The picture's name is the id of both. The release of 2019 names pictures with twelve digits, that of 2020 with eight.
"""

import re
from pathlib import Path

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json, JsonList, mapped
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import grouped, known, optional, present, split_in
from eyechart.formats.vqa_records import Answer, answers_of, text

__all__ = ["VIZWIZ"]

_PICTURE = re.compile(rb'"VizWiz_(train|val|test)_\d+\.')
_BEGINNING = 1 << 16


class Record(msgspec.Struct, gc=False):
    """A question; the test split has neither answers nor labels."""

    image: str
    question: str
    answers: list[Answer] | UnsetType = UNSET
    answer_type: str | UnsetType = UNSET
    answerable: int | UnsetType = UNSET


class Result(msgspec.Struct, gc=False):
    """One answer of a model."""

    image: str
    answer: str


class Answerability(msgspec.Struct, gc=False):
    """A model's probability that a question can be answered."""

    image: str
    answerable: float


def decode(batch: Batch) -> Frames:
    """Questions with people's answers."""
    records: list[Record] = batch["annotations"]
    names = [record.image for record in records]
    labels = [optional(record.answerable) for record in records]
    questions = pl.DataFrame(
        {
            "question_id": names,
            "image_id": names,
            "question": [record.question for record in records],
            "answer_type": [optional(record.answer_type) for record in records],
            "answerable": [None if label is None else bool(label) for label in labels],
        },
        schema=dict.fromkeys(("question_id", "image_id", "question", "answer_type"), pl.String)
        | {"answerable": pl.Boolean},
    ).with_columns(split=text(batch.split))
    images = questions.select("image_id", "split", file="image_id", source=pl.lit("vizwiz"))
    given = [record for record in records if record.answers is not UNSET]
    answers = answers_of([record.image for record in given], [optional(record.answers) or [] for record in given])
    return {"images": images, "questions": questions, "answers": answers}


def encode(frames: Frames) -> Encoded:
    """Questions as the annotation files have them."""
    answers = present(frames, "answers")
    rows = answers.select("answer", "confidence").iter_rows()
    records = [known(answer=answer, answer_confidence=confidence) for answer, confidence in rows]
    given = grouped(answers["question_id"], records)
    asked = frames["questions"].drop_nulls("question")
    columns = asked.select("question_id", "question", "answer_type", "answerable").iter_rows()
    return Encoded(
        asked["question_id"].to_list(),
        [
            known(
                image=key,
                question=question,
                answers=given.get(key),
                answer_type=kind,
                answerable=None if label is None else int(label),
            )
            for key, question, kind, label in columns
        ],
    )


def decode_results(batch: Batch) -> Frames:
    """A model's answers, and how sure it is that there are any."""
    order = pl.DataFrame({"question_id": batch.keys}, schema={"question_id": pl.String})
    given = {record.image: record.answer for record in batch["results"]}
    rated = {record.image: record.answerable for record in batch["answerability"]}
    return {
        "predictions": order.with_columns(
            pl.Series("answer", [given.get(key) for key in batch.keys], pl.String),
            pl.Series("answerable", [rated.get(key) for key in batch.keys], pl.Float64),
        )
    }


def encode_results(frames: Frames) -> Encoded:
    """Answers as the first task wants them."""
    rows = frames["predictions"].select("question_id", "answer").drop_nulls()
    return Encoded(
        rows["question_id"].to_list(), [{"image": key, "answer": answer} for key, answer in rows.iter_rows()]
    )


def encode_answerability(frames: Frames) -> Encoded:
    """Probabilities as the second task wants them."""
    rows = frames["predictions"].select("question_id", "answerable").drop_nulls()
    records = [{"image": key, "answerable": probability} for key, probability in rows.iter_rows()]
    return Encoded(rows["question_id"].to_list(), records)


def _split(_head: dict[str, Json], path: Path) -> str | None:
    """The split that the pictures' names tell, else the file's name."""
    found = _PICTURE.search(bytes(memoryview(mapped(path))[:_BEGINNING]))
    return found[1].decode() if found else split_in(path.name)


VIZWIZ = Format(
    name="vizwiz",
    title="VizWiz: questions of blind people about their pictures",
    families=(
        Family(
            layouts=(
                Layout(
                    "annotations",
                    "the questions, with answers except in the test split",
                    JsonList(key="image"),
                    Record,
                    encode,
                    hints=("annotations", "train.json", "val.json", "test.json"),
                    file_name=lambda split, _head: f"{split or 'annotations'}.json",
                    split=_split,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            parts={"answers": "question_id"},
        ),
        Family(
            layouts=(
                Layout("results", "a model's answers", JsonList(key="image"), Result, encode_results),
                Layout(
                    "answerability",
                    "a model's probabilities that the questions can be answered",
                    JsonList(key="image"),
                    Answerability,
                    encode_answerability,
                    hints=("answerability", "answerable"),
                ),
            ),
            decode=decode_results,
            lead="predictions",
            key="question_id",
        ),
    ),
    notes=(
        "The picture's name is the id of the picture and of its question. "
        "In the real files a question of answer type unanswerable may be answerable all the same: the two are people's "
        "majority and a label of their own."
    ),
)
