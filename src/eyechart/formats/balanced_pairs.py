"""Balanced pairs of VQA v2 as a list without ids: a question, two pictures, two answers (Goyal et al. 2017)."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json, JsonList, mapped
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import known, optional, present, split_in
from eyechart.formats.vqa_records import text

__all__ = ["BALANCED_PAIRS"]

_COCO = re.compile(r"COCO_[a-z]+\d{4}_0*(?P<number>\d+)\.\w+$")
_SUBSET = re.compile(rb"COCO_(train|val|test)\d{4}_\d")
_BEGINNING = 1 << 16

_SIDES = ("original", "new")


class Record(msgspec.Struct, gc=False):
    """A question with the addresses of two pictures and people's most frequent answer to each."""

    question: str
    original_image: str
    new_image: str
    original_answer: str | UnsetType = UNSET
    new_answer: str | UnsetType = UNSET


def decode(batch: Batch) -> Frames:
    """Two questions for each pair, in the order of the pairs."""
    records: list[Record] = batch["pairs"]
    pairs = pl.DataFrame(
        {
            "question_id": [f"{key}-original" for key in batch.keys],
            "complement_id": [f"{key}-new" for key in batch.keys],
        },
        schema={"question_id": pl.String, "complement_id": pl.String},
    ).with_columns(origin=pl.lit("people"))
    addresses = [address for record in records for address in (record.original_image, record.new_image)]
    answers = [optional(answer) for record in records for answer in (record.original_answer, record.new_answer)]
    questions = pl.DataFrame(
        {
            "question_id": [f"{key}-{side}" for key in batch.keys for side in _SIDES],
            "image_id": [_image_id(address) for address in addresses],
            "question": [record.question for record in records for _ in _SIDES],
            "answer": answers,
            "url": addresses,
        },
        schema=dict.fromkeys(("question_id", "image_id", "question", "answer", "url"), pl.String),
    ).with_columns(split=text(batch.split))
    images = questions.select("image_id", "split", "url").unique("image_id", keep="first", maintain_order=True)
    named = [_file_name(address) for address in images["url"]]
    images = images.with_columns(pl.Series("file", named, pl.String), source=text("mscoco"))
    return {"images": images, "questions": questions.drop("url"), "pairs": pairs}


def _image_id(address: str) -> str:
    """The number of a COCO picture; the whole address of another."""
    found = _COCO.search(address)
    return found["number"] if found else address


def _file_name(address: str) -> str | None:
    try:
        return urlsplit(address).path.rpartition("/")[2] or None
    except ValueError:
        return None


def encode(frames: Frames) -> Encoded:
    """Pairs with their questions, answers and addresses."""
    images = present(frames, "images").unique("image_id", keep="first", maintain_order=True)
    address = pl.coalesce("url", "file", "image_id").alias("address")
    questions = (
        present(frames, "questions")
        .select("question_id", "image_id", "question", "answer")
        .join(images.select("image_id", "url", "file"), on="image_id", how="left", maintain_order="left")
        .select("question_id", "question", "answer", address)
        .unique("question_id", keep="first", maintain_order=True)
    )
    rows = (
        frames["pairs"]
        .select("question_id", "complement_id")
        .join(questions, on="question_id", how="left", maintain_order="left")
        .join(
            questions, left_on="complement_id", right_on="question_id", how="left", maintain_order="left", suffix="_new"
        )
        .select("question", "address", "address_new", "answer", "answer_new")
        .iter_rows()
    )
    records = [
        known(question=question, original_image=one, new_image=other, original_answer=answer, new_answer=another)
        for question, one, other, answer, another in rows
    ]
    keys = [key.removesuffix("-original") for key in frames["pairs"]["question_id"]]
    # Elsewhere a question may stand in several pairs.
    return Encoded(keys if len(set(keys)) == len(keys) else [str(place) for place in range(len(keys))], records)


def _split(_head: dict[str, Json], path: Path) -> str | None:
    """The split that the pictures' names tell, else the file's name."""
    found = _SUBSET.search(bytes(memoryview(mapped(path))[:_BEGINNING]))
    return found[1].decode() if found else split_in(path.name)


BALANCED_PAIRS = Format(
    name="balanced-pairs",
    title="Balanced pairs without ids: a question, two pictures, two answers",
    families=(
        Family(
            layouts=(
                Layout(
                    "pairs",
                    "a question with two pictures and the answer to each",
                    JsonList(),
                    Record,
                    encode,
                    file_name=lambda split, _head: f"balanced_pairs_{split or 'all'}.json",
                    split=_split,
                ),
            ),
            decode=decode,
            lead="pairs",
            split_by=("questions", "question_id"),
            context=("questions", "images"),
            local_ids=True,
        ),
    ),
    notes=(
        "A pair needs question, original_image and new_image. Its questions get the split and the pair's place as id, "
        "from 0, with -original or -new behind it."
    ),
)
