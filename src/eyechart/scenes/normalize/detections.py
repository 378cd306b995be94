"""What a detector saw: a file in COCO's layout, with a score in each annotation."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import polars as pl

from eyechart.errors import DataError

__all__ = ["Detections", "read_detections"]


class _Image(msgspec.Struct, gc=False):
    id: int | str


class _Category(msgspec.Struct, gc=False):
    id: int
    name: str


class _Detection(msgspec.Struct, gc=False):
    image_id: int | str
    category_id: int
    bbox: tuple[float, float, float, float]
    score: float


class _File(msgspec.Struct):
    categories: list[_Category]
    annotations: list[_Detection]
    images: list[_Image] | None = None


@dataclass(frozen=True)
class Detections:
    """What a detector saw."""

    images: pl.Series
    """Ids of the pictures that it looked at."""
    kinds: tuple[str, ...]
    """The names of what it looks for."""
    boxes: pl.DataFrame
    """A row per detection: image_id, kind, x, y, w, h, score."""


def read_detections(file: Path) -> Detections:
    """The detections of a file in COCO's layout, with a score in each annotation.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "seen.json"
    >>> dog = '{"image_id": 7, "category_id": 1, "bbox": [0, 0, 5, 5], "score": 0.9}'
    >>> _ = file.write_text('{"categories": [{"id": 1, "name": "dog"}], "annotations": [%s]}' % dog)
    >>> read_detections(file).boxes.row(0)
    ('7', 'dog', 0.0, 0.0, 5.0, 5.0, 0.9)
    """
    try:
        content = msgspec.json.decode(file.read_bytes(), type=_File)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(
            f"{file}: found what is not a detections file ({error}), expected an object with categories and "
            "annotations, each with image_id, category_id, bbox and score; put a bare list under annotations"
        ) from error
    names = {category.id: category.name for category in content.categories}
    seen = content.annotations
    for place, each in enumerate(seen):
        if each.category_id not in names:
            raise DataError(
                f"{file}, annotation {place}: found the category {each.category_id}, expected one of the "
                f"{len(names)} in categories; add it there"
            )
    columns = {
        "image_id": [str(each.image_id) for each in seen],
        "kind": [names[each.category_id] for each in seen],
        **{side: [each.bbox[place] for each in seen] for place, side in enumerate("xywh")},
        "score": [each.score for each in seen],
    }
    schema = dict.fromkeys(("image_id", "kind"), pl.String) | dict.fromkeys((*"xywh", "score"), pl.Float64)
    boxes = pl.DataFrame(columns, schema=schema)
    looked = boxes["image_id"] if content.images is None else pl.Series([str(each.id) for each in content.images])
    return Detections(looked.cast(pl.String).unique(maintain_order=True), tuple(dict.fromkeys(names.values())), boxes)
