"""COCO-QA: questions made from COCO captions (Ren, Kiros and Zemel 2015), in four text files a split, line by line."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from eyechart.errors import DataError
from eyechart.formats.files import Json
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.lines import TextLines
from eyechart.formats.values import split_in
from eyechart.formats.vqa_records import text

__all__ = ["COCO_QA"]

_KINDS = {"0": "object", "1": "number", "2": "color", "3": "location"}
_NUMBERS = {kind: number for number, kind in _KINDS.items()}
_PICTURES = {"train": "train2014", "test": "val2014"}
"""The pictures of the test split are those of COCO's validation split."""

_COLUMNS = {"questions": "question", "answers": "answer", "img_ids": "image_id", "types": "question_type"}
"""The column that each file fills."""


def decode(batch: Batch) -> Frames:
    """Lines of the same number become a question."""
    columns = {column: _lines(batch, role) for role, column in _COLUMNS.items()}
    columns["question_type"] = [_KINDS.get(kind, kind) if kind else kind for kind in columns["question_type"]]
    questions = pl.DataFrame(
        {"question_id": batch.keys, **columns}, schema=dict.fromkeys(("question_id", *columns), pl.String)
    ).with_columns(split=text(batch.split))
    images = questions.select("image_id", "split").drop_nulls("image_id").unique("image_id", maintain_order=True)
    return {
        "images": images.with_columns(file=_file_name(batch.split), source=pl.lit("mscoco")),
        "questions": questions,
    }


def _lines(batch: Batch, role: str) -> list[str | None]:
    """A file's lines without the space around them; nothing for an empty line, or where there is no such file."""
    if role not in batch.heads:
        return [None] * len(batch.keys)
    lines = batch[role]
    if len(lines) != len(batch.keys):
        raise DataError(
            f"found no line for this question in the file of {role}, expected as many lines in each of the four files; "
            "look for the line that is missing or too much"
        )
    return [line.strip() or None for line in lines]


def _file_name(split: str | None) -> pl.Expr:
    subset = _PICTURES.get(split or "")
    if subset is None:
        return text(None)
    return pl.format("COCO_{}_{}.jpg", pl.lit(subset), pl.col("image_id").str.zfill(12))


def _encoder(role: str) -> Callable[[Frames], Encoded]:
    """What writes one of the four files: a line for every question, unless none has anything to say."""
    column = _COLUMNS[role]

    def encode(frames: Frames) -> Encoded:
        values = frames["questions"][column]
        if values.null_count() == values.len():
            return Encoded([], [])
        lines = [_NUMBERS.get(value, value) if role == "types" else value for value in values.fill_null("")]
        return Encoded(frames["questions"]["question_id"].to_list(), lines)

    return encode


def _split(_head: dict[str, Json], path: Path) -> str | None:
    """The files of all splits have the same names; the folder tells them apart."""
    folder = path.absolute().parent.name
    return split_in(path.name) or (folder if folder in {"train", "val", "test"} else None)


def _layout(role: str, about: str, *hints: str) -> Layout:
    return Layout(
        role,
        about,
        TextLines(),
        str,
        _encoder(role),
        hints=(role, *hints),
        file_name=lambda split, _head: f"{split or 'all'}/{role}.txt",
        split=_split,
    )


COCO_QA = Format(
    name="coco-qa",
    title="COCO-QA: one-word questions about COCO pictures",
    families=(
        Family(
            layouts=(
                _layout("questions", "a question a line, lower case, without question mark"),
                _layout("answers", "a word a line"),
                _layout("img_ids", "the COCO number of a picture a line", "image_ids"),
                _layout("types", "the kind of question: 0 object, 1 number, 2 color, 3 location"),
            ),
            decode=decode,
            lead="questions",
            key="question_id",
            local_ids=True,
        ),
    ),
    notes=(
        "Give the folder train or test, or its four files, of which any may be left out. "
        "Questions have no ids in the files; they get the split and the number of the line, from 0."
    ),
)
