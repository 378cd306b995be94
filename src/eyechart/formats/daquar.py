"""DAQUAR: questions about indoor scenes of NYU Depth v2 (Malinowski and Fritz 2014), two lines of text each."""

import re

import msgspec
import polars as pl

from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.lines import TextLines
from eyechart.formats.values import split_of_name
from eyechart.formats.vqa_records import text

__all__ = ["DAQUAR"]

# Some questions name two pictures; the last one, at the very end, is the one that is shown.
_PICTURE = re.compile(r"(image\d+)\s*\?\s*$")


class Record(msgspec.Struct, gc=False):
    """A line with a question, which names the picture, and a line with the answer."""

    question: str
    answer: str


def decode(batch: Batch) -> Frames:
    """Questions with their answers, which may be several, separated by commas."""
    records: list[Record] = batch["questions"]
    named = [_PICTURE.search(record.question) for record in records]
    questions = pl.DataFrame(
        {
            "question_id": batch.keys,
            "image_id": [found and found[1] for found in named],
            "question": [record.question.strip() for record in records],
            "answer": [record.answer.strip() or None for record in records],
        },
        schema=dict.fromkeys(("question_id", "image_id", "question", "answer"), pl.String),
    ).with_columns(split=text(batch.split))
    images = questions.select("image_id", "split").drop_nulls("image_id").unique("image_id", maintain_order=True)
    file = pl.format("{}.png", "image_id")
    return {"images": images.with_columns(file=file, source=pl.lit("nyu_depth_v2")), "questions": questions}


def encode(frames: Frames) -> Encoded:
    """Two lines for each question."""
    asked = frames["questions"].drop_nulls("question")
    rows = asked.select("question", pl.col("answer").fill_null("")).iter_rows()
    records = [{"question": question, "answer": answer} for question, answer in rows]
    return Encoded(asked["question_id"].to_list(), records)


DAQUAR = Format(
    name="daquar",
    title="DAQUAR: questions about indoor scenes with one or several words as answer",
    families=(
        Family(
            layouts=(
                Layout(
                    "questions",
                    "a line with a question, then a line with its answer",
                    TextLines(("question", "answer")),
                    Record,
                    encode,
                    file_name=lambda split, _head: f"qa.raw.{split or 'all'}.txt",
                    split=split_of_name,
                ),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            local_ids=True,
        ),
    ),
    notes=(
        "The picture is named at the end of the question (image7). Questions have no ids in the files; they get the "
        "split and the number of the pair of lines, from 0."
    ),
)
