"""Anybody's own data: one question a row, under documented names or their usual aliases.

What JSON lines and CSV have in common: the columns, and how they become tables. A picture is known by its file name,
its address or an id; answers may be one, or one for each person asked.
"""

import re
from typing import Annotated

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.errors import DataError
from eyechart.formats.choices import Candidate, choices_of
from eyechart.formats.files import Json
from eyechart.formats.layout import Encoded, Frames
from eyechart.formats.reading import merge_shared
from eyechart.formats.values import Id, Pixels, as_id, grouped, known, optional, present
from eyechart.formats.vqa_records import Answer, answers_of, text
from eyechart.tables import TABLES
from eyechart.text import question_type

__all__ = ["ALIASES", "NOTES", "Row", "decode_rows", "encode_rows"]

ALIASES: dict[str, tuple[str, ...]] = {
    "question_id": ("id", "qid", "questionId"),
    "image_id": ("imageId", "img_id"),
    "image": ("image_file", "file_name", "filename", "image_path", "image_name", "img", "img_path"),
    "image_url": ("url", "img_url", "coco_url"),
    "question": ("query", "question_text"),
    "answer": ("multiple_choice_answer", "ground_truth"),
    "answers": ("references",),
    "choices": ("multiple_choices", "options", "candidates"),
    "question_type": ("questionType",),
    "answer_type": ("answerType",),
    "full_answer": ("fullAnswer",),
    "width": ("image_width",),
    "height": ("image_height",),
}
"""Our name of each column, with the others that may stand for it."""

NOTES = (
    "A row needs question, and one of image (a file name or an address), image_url and image_id. It may have "
    "question_id, answer, answers, choices, split, question_type, answer_type, full_answer, width and height. "
    "Further columns are kept and written back. Rows without question_id get the file's name and their place, from 0, "
    "as id; rows without question_type get the one that VQA's list gives. Aliases: "
    + "; ".join(f"{name}: {', '.join(others)}" for name, others in ALIASES.items())
    + "."
)
"""What a user should know about the columns."""

Scalar = str | int | float | bool
"""An answer as people's files have it: mostly text, sometimes a number or a truth value."""

Size = Pixels | Annotated[float, msgspec.Meta(gt=-(2**31), lt=2**31)]
"""A length in pixels; some libraries write every number with a point."""

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
_FILE = re.compile(r"[/\\]|\.\w{2,5}$")


class Row(msgspec.Struct, gc=False):
    """One question."""

    question: str
    question_id: Id | UnsetType | None = UNSET
    image_id: Id | UnsetType | None = UNSET
    image: Id | UnsetType | None = UNSET
    image_url: str | UnsetType | None = UNSET
    answer: Scalar | UnsetType | None = UNSET
    answers: list[Scalar | Answer] | UnsetType | None = UNSET
    choices: list[Scalar] | UnsetType | None = UNSET
    split: str | UnsetType | None = UNSET
    question_type: str | UnsetType | None = UNSET
    answer_type: str | UnsetType | None = UNSET
    full_answer: str | UnsetType | None = UNSET
    width: Size | UnsetType | None = UNSET
    height: Size | UnsetType | None = UNSET


_SAME = ("question", "split", "question_type", "answer_type", "full_answer")
"""Columns of a row that are columns of questions as they are."""


def decode_rows(keys: list[str], rows: list[Row], split: str | None) -> Frames:
    """Tables of rows with these ids; the split is that of rows that say none."""
    images = _images(rows)
    questions = pl.DataFrame(
        {
            "question_id": keys,
            "image_id": images["image_id"],
            "answer": [_text(optional(row.answer)) for row in rows],
            **{name: [optional(getattr(row, name)) for row in rows] for name in _SAME},
        },
        schema=dict.fromkeys(("question_id", "image_id", "answer", *_SAME), pl.String),
    ).with_columns(
        split=pl.coalesce("split", text(split)),
        question_type=pl.coalesce("question_type", question_type(pl.col("question"))),
    )
    images = TABLES["images"].conform(images.with_columns(questions["split"]))
    given = {key: _answers(row) for key, row in zip(keys, rows, strict=True)}
    offered = {key: _candidates(row) for key, row in zip(keys, rows, strict=True)}
    return {
        "images": merge_shared(images),
        "questions": questions,
        "answers": answers_of(list(given), list(given.values())),
    } | choices_of(offered)


def _text(value: Scalar | None) -> str | None:
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()


def _answers(row: Row) -> list[Answer]:
    listed = [] if row.answers is UNSET or row.answers is None else row.answers
    return [value if isinstance(value, Answer) else Answer(_text(value) or "") for value in listed]


def _candidates(row: Row) -> list[Candidate]:
    answer = _text(optional(row.answer))
    listed = [_text(choice) or "" for choice in optional(row.choices) or []]
    return [Candidate(choice, None if answer is None else choice == answer, None) for choice in listed]


def _images(rows: list[Row]) -> pl.DataFrame:
    """The picture of each row."""
    pictures = [_picture(row) for row in rows]
    return pl.DataFrame(
        {
            "image_id": [key for key, _, _ in pictures],
            "file": [file for _, file, _ in pictures],
            "url": [address for _, _, address in pictures],
            "width": [_whole(optional(row.width)) for row in rows],
            "height": [_whole(optional(row.height)) for row in rows],
        },
        schema={"image_id": pl.String, "file": pl.String, "url": pl.String, "width": pl.Int32, "height": pl.Int32},
    )


def _whole(size: float | None) -> int | None:
    return None if size is None else int(size)


def _picture(row: Row) -> tuple[str, str | None, str | None]:
    """Its id, its file and its address: what stands under image may be any of the three."""
    said, address, key = optional(row.image), optional(row.image_url), optional(row.image_id)
    image = None if said is None else str(said)
    file = None
    if image is not None and _ADDRESS.match(image):
        address = address or image
    elif image is not None and (key is not None or _FILE.search(image)):
        file = image
    own = next((value for value in (key, image, address) if value not in {None, ""}), None)
    if own is None:
        raise DataError("found no image, image_url or image_id, expected one of them; say which picture it is about")
    return str(own), file, address


def encode_rows(frames: Frames) -> Encoded:
    """Rows of questions, with every column that has a value."""
    asked = frames["questions"].drop_nulls("question")
    images = present(frames, "images").unique("image_id", keep="first", maintain_order=True).drop("split", "source")
    joined = asked.join(images, on="image_id", how="left", maintain_order="left")
    given, offered = _given(present(frames, "answers")), _offered(present(frames, "choices"))
    columns = ("question_id", "image_id", "file", "url", "answer", "width", "height", *_SAME)
    records = [
        known(
            question_id=as_id(row["question_id"]),
            **_named(row["image_id"], row["file"], row["url"]),
            answer=row["answer"],
            answers=given.get(row["question_id"]),
            choices=offered.get(row["question_id"]),
            width=row["width"],
            height=row["height"],
            **{name: row[name] for name in _SAME},
        )
        for row in joined.select(columns).iter_rows(named=True)
    ]
    return Encoded(joined["question_id"].to_list(), records)


def _named(key: str | None, file: str | None, address: str | None) -> dict[str, Json]:
    """The picture as a row names it; an id that is its file name or its address goes without saying."""
    image = file or address
    return {
        "image": image,
        "image_url": address if file else None,
        "image_id": None if key is None or key == image else as_id(key),
    }


def _given(answers: pl.DataFrame) -> dict[str, list[Json]]:
    """People's answers by question: as text, or with confidences where there are any."""
    pairs = list(answers.select("answer", "confidence").iter_rows())
    return {
        key: [known(answer=answer, answer_confidence=sure) for answer, sure in listed]
        if any(sure for _, sure in listed)
        else [answer for answer, _ in listed]
        for key, listed in grouped(answers["question_id"], pairs).items()
    }


def _offered(choices: pl.DataFrame) -> dict[str, list[str]]:
    return grouped(choices["question_id"], choices["choice"].to_list())
