"""Visual7W: questions of seven kinds about Visual Genome (Zhu et al. 2016), answered in words or by pointing."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Literal

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.errors import DataError
from eyechart.formats.choices import candidates, choices_of
from eyechart.formats.files import Json, JsonList
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.sections import JsonSections
from eyechart.formats.values import ExactId, Id, as_id, as_number, grouped, known, optional, present

__all__ = ["VISUAL7W"]

_POINTING = "which"
"""The kind of all questions that are answered by pointing, and of no other."""

_IS_POINTING = pl.col("question_type").eq_missing(pl.lit(_POINTING))


Edge = Annotated[float, msgspec.Meta(ge=-(2**31), le=2**31)]
"""A length that a float holds exactly if the file has it as an integer."""


class Pair(msgspec.Struct, gc=False, kw_only=True):
    """A question."""

    qa_id: Id
    question: str
    image_id: Id | UnsetType = UNSET
    type: str | UnsetType = UNSET


class TellingPair(Pair, kw_only=True):
    """A question with a sentence as answer."""

    answer: str
    multiple_choices: list[str] | UnsetType = UNSET


class PointingPair(Pair, kw_only=True):
    """A question with the id of a box as answer."""

    answer: int
    multiple_choices: list[int] | UnsetType = UNSET


class Picture(msgspec.Struct, gc=False, kw_only=True):
    """A picture with its questions."""

    image_id: Id
    filename: str | UnsetType = UNSET
    split: str | UnsetType = UNSET


class TellingPicture(Picture, kw_only=True):
    """A picture with questions that are answered in words."""

    qa_pairs: Sequence[TellingPair]


class PointingPicture(Picture, kw_only=True):
    """A picture with questions that are answered by pointing."""

    qa_pairs: Sequence[PointingPair]


Asked = tuple[TellingPicture | PointingPicture, TellingPair | PointingPair]
"""A picture and one of its questions."""


class Box(msgspec.Struct, gc=False, kw_only=True):
    """A part of a picture to which an answer points; which picture, only the questions tell."""

    box_id: Id
    x: float
    y: float
    width: float
    height: float
    name: str | UnsetType = UNSET


class Telling(msgspec.Struct, gc=False):
    """An element of a telling file."""

    images: TellingPicture
    boxes: UnsetType = UNSET


class Pointing(msgspec.Struct, gc=False):
    """An element of either list of a pointing file."""

    images: PointingPicture | UnsetType = UNSET
    boxes: Box | UnsetType = UNSET


class ExactTellingPair(TellingPair, kw_only=True, forbid_unknown_fields=True):
    """A telling question as released."""

    qa_id: ExactId
    image_id: ExactId
    type: str


class ExactPointingPair(PointingPair, kw_only=True, forbid_unknown_fields=True):
    """A pointing question as released."""

    qa_id: ExactId
    image_id: ExactId
    type: Literal["which"]
    answer: ExactId
    multiple_choices: list[ExactId] | UnsetType = UNSET


class ExactTellingPicture(TellingPicture, kw_only=True, forbid_unknown_fields=True):
    """A picture of a telling file as released."""

    image_id: ExactId
    filename: str
    split: str
    qa_pairs: Sequence[ExactTellingPair]


class ExactPointingPicture(PointingPicture, kw_only=True, forbid_unknown_fields=True):
    """A picture of a pointing file as released."""

    image_id: ExactId
    filename: str
    split: str
    qa_pairs: Sequence[ExactPointingPair]


class ExactBox(Box, kw_only=True, forbid_unknown_fields=True):
    """A box as released."""

    box_id: ExactId
    x: Edge
    y: Edge
    width: Edge
    height: Edge


class ExactTelling(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An element of a telling file as released."""

    images: ExactTellingPicture
    boxes: UnsetType = UNSET


class ExactPointing(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An element of either list of a pointing file as released."""

    images: ExactPointingPicture | UnsetType = UNSET
    boxes: ExactBox | UnsetType = UNSET


class Result(msgspec.Struct, gc=False):
    """A model's answers, the best one first."""

    qa_id: Id
    candidates: list["Answer"]


class Answer(msgspec.Struct, gc=False):
    """One answer of a model."""

    answer: Id


def decode(role: str, batch: Batch) -> Frames:
    """Pictures, questions with their candidates, and boxes of a telling or pointing file."""
    records: list[Telling | Pointing] = batch[role]
    pictures = [record.images for record in records if record.images is not UNSET]
    boxes = [record.boxes for record in records if record.boxes is not UNSET]
    asked: list[Asked] = [(picture, pair) for picture in pictures for pair in picture.qa_pairs]
    kinds = [optional(pair.type) or (_POINTING if role == "pointing" else None) for _, pair in asked]
    keys = [str(pair.qa_id) for _, pair in asked]
    _refuse_repeated(keys)
    _refuse_other_kinds(role, keys, kinds)
    answers = [str(pair.answer) for _, pair in asked]
    columns = {
        "question_id": keys,
        "image_id": [str(picture.image_id) for picture, _ in asked],
        "split": [optional(picture.split) for picture, _ in asked],
        "question": [pair.question for _, pair in asked],
        "question_type": kinds,
        "answer": answers,
    }
    offered = {
        str(pair.qa_id): candidates(str(pair.qa_id), [(wrong, None) for wrong in _wrong(pair)], str(pair.answer))
        for _, pair in asked
    }
    return {
        "images": _images(pictures),
        "questions": pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
        "objects": _objects(boxes, asked),
    } | choices_of(offered)


def _refuse_repeated(question_ids: list[str]) -> None:
    for question_id, count in Counter(question_ids).items():
        if count > 1:
            raise DataError(f"found qa_id {question_id[:60]!r} {count} times, expected every id once; keep one of them")


def _refuse_other_kinds(role: str, question_ids: list[str], kinds: list[str | None]) -> None:
    for question_id, kind in zip(question_ids, kinds, strict=True):
        if (kind == _POINTING) is not (role == "pointing"):
            raise DataError(
                f"qa_id {question_id[:60]}: found type {kind!r}, expected which in a pointing file and another in a "
                "telling file; correct it, or say which file it is with telling=PATH or pointing=PATH"
            )


def _wrong(pair: TellingPair | PointingPair) -> list[str]:
    return [] if pair.multiple_choices is UNSET else [str(choice) for choice in pair.multiple_choices]


def _images(pictures: Sequence[Picture]) -> pl.DataFrame:
    columns = {
        "image_id": [str(picture.image_id) for picture in pictures],
        "split": [optional(picture.split) for picture in pictures],
        "file": [optional(picture.filename) for picture in pictures],
    }
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).with_columns(source=pl.lit("visual_genome"))


def _objects(boxes: list[Box], asked: list[Asked]) -> pl.DataFrame:
    """Boxes of the pictures whose questions point at them; one that no question names has no picture."""
    places = {str(named): str(picture.image_id) for picture, pair in asked for named in (pair.answer, *_wrong(pair))}
    known_boxes = [box for box in boxes if str(box.box_id) in places]
    return pl.DataFrame(
        {
            "image_id": [places[str(box.box_id)] for box in known_boxes],
            "object_id": [str(box.box_id) for box in known_boxes],
            "name": [optional(box.name) for box in known_boxes],
            "x": [box.x for box in known_boxes],
            "y": [box.y for box in known_boxes],
            "w": [box.width for box in known_boxes],
            "h": [box.height for box in known_boxes],
        },
        schema=dict.fromkeys(("image_id", "object_id", "name"), pl.String) | dict.fromkeys("xywh", pl.Float64),
    )


def encode_telling(frames: Frames) -> Encoded:
    """Pictures with the questions that are answered in words."""
    return _pictures(frames, _IS_POINTING.not_(), str)


def encode_pointing(frames: Frames) -> Encoded:
    """Pictures with the questions that are answered by pointing, then the boxes to which answers point."""
    keys, records = _pictures(frames, _IS_POINTING, as_id)
    questions = frames["questions"].filter(_IS_POINTING)
    choices = present(frames, "choices").join(questions.select("question_id", "image_id"), on="question_id")
    answers = questions.select("image_id", object_id="answer")
    named = pl.concat([answers, choices.select("image_id", object_id="choice")])
    boxes = present(frames, "objects").join(named, on=["image_id", "object_id"], how="semi", maintain_order="left")
    rows = boxes.unique("object_id", keep="first", maintain_order=True).select("object_id", "name", *"xywh").iter_rows()
    listed = {f"boxes {key}": {"boxes": _box(key, name, *edges)} for key, name, *edges in rows}
    return Encoded(keys + list(listed), records + list(listed.values()))


def _box(key: str, name: str | None, *edges: float) -> dict[str, Json]:
    lengths = dict(zip(("x", "y", "width", "height"), map(as_number, edges), strict=True))
    return known(box_id=as_id(key), name=name, **lengths)


def _pictures(frames: Frames, chosen: pl.Expr, value: Callable[[str], Id]) -> Encoded:
    """Pictures in the order of their first questions."""
    images = present(frames, "images").unique("image_id", keep="first", maintain_order=True)
    files = dict(images.select("image_id", "file").iter_rows())
    asked = frames["questions"].filter(chosen).drop_nulls(["question", "image_id", "answer"])
    wrong = present(frames, "choices").filter(pl.col("is_target").not_())
    offered = grouped(wrong["question_id"], [value(choice) for choice in wrong["choice"]])
    rows = asked.select("question_id", "image_id", "question", "answer", "question_type").iter_rows()
    pairs = [
        known(
            qa_id=as_id(key),
            image_id=as_id(image),
            question=question,
            answer=value(answer),
            type=kind,
            multiple_choices=offered.get(key),
        )
        for key, image, question, answer, kind in rows
    ]
    splits = asked.select("image_id", "split").unique("image_id", keep="first", maintain_order=True).iter_rows()
    by_image = grouped(asked["image_id"], pairs)
    records = [
        {"images": known(image_id=as_id(key), filename=files.get(key), split=split, qa_pairs=by_image[key])}
        for key, split in splits
    ]
    return Encoded([f"images {key}" for key in by_image], records)


def _is_exact(records: list[ExactTelling | ExactPointing]) -> bool:
    """Whether every picture is asked about, every box is pointed at, and no list of choices is empty."""
    pictures = [record.images for record in records if record.images is not UNSET]
    pairs = [(picture, pair) for picture in pictures for pair in picture.qa_pairs]
    named = {named for _, pair in pairs for named in (str(pair.answer), *_wrong(pair))}
    return (
        all(picture.qa_pairs for picture in pictures)
        and all(str(record.boxes.box_id) in named for record in records if record.boxes)
        and all(pair.image_id == picture.image_id and pair.multiple_choices != [] for picture, pair in pairs)
    )


def decode_results(batch: Batch) -> Frames:
    """A model's best answers."""
    results: list[Result] = batch["results"]
    columns = {
        "question_id": [str(result.qa_id) for result in results],
        "answer": [str(result.candidates[0].answer) if result.candidates else None for result in results],
    }
    return {"predictions": pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))}


def encode_results(frames: Frames) -> Encoded:
    """A model's answers, one candidate for each question."""
    rows = frames["predictions"].select("question_id", "answer").drop_nulls("answer")
    records = [{"qa_id": as_id(key), "candidates": [{"answer": as_id(answer)}]} for key, answer in rows.iter_rows()]
    return Encoded(rows["question_id"].to_list(), records)


def _family(layout: Layout) -> Family:
    return Family(
        (layout,),
        decode=partial(decode, layout.role),
        lead="questions",
        context=("images", "choices", "objects"),
        one_file=True,
    )


VISUAL7W = Format(
    name="visual7w",
    title="Visual7W: what, where, when, who, why, how, and which of four boxes",
    families=(
        _family(
            Layout(
                "telling",
                "pictures with questions that are answered in words",
                JsonSections({"images": ("image_id",)}),
                Telling,
                encode_telling,
                file_name=lambda _split, _head: "dataset_v7w_telling.json",
                head=lambda _frames, _split: {"dataset": "v7w_telling"},
                exact=ExactTelling,
                is_exact=_is_exact,
            )
        ),
        _family(
            Layout(
                "pointing",
                "pictures with questions that are answered with a box, and the boxes",
                JsonSections({"images": ("image_id",), "boxes": ("box_id",)}, optional=("boxes",)),
                Pointing,
                encode_pointing,
                file_name=lambda _split, _head: "dataset_v7w_pointing.json",
                head=lambda _frames, _split: {"dataset": "v7w_pointing"},
                exact=ExactPointing,
                is_exact=_is_exact,
            )
        ),
        Family(
            layouts=(
                Layout(
                    "results",
                    "a model's answers",
                    JsonList(key="qa_id"),
                    Result,
                    encode_results,
                    hints=("results", "result_visual7w"),
                ),
            ),
            decode=decode_results,
            lead="predictions",
            key="question_id",
        ),
    ),
    notes=(
        "The answer to a pointing question, and each of its choices, is the id of an object. multiple_choices may be "
        "missing. The right answer gets a place among the wrong ones that depends on the question's id alone. Boxes of "
        "the separate grounding files are not read."
    ),
)
