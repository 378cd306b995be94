"""Pieces of clip art in abstract scenes, to and from the table that has those that are present."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count

import msgspec
import polars as pl

from eyechart.formats.files import Json
from eyechart.formats.layout import Frames
from eyechart.formats.values import Pixels, as_number, known, lists
from eyechart.tables import TABLES

__all__ = ["Instance", "clip_art_rows", "encode_clip_art"]

_INSTANCES, _EXPRESSIONS = 5, 9
"""How many of each are offered, in every configuration."""
_NO_RANDOM_POSE = -9999

_NUMBERS = {
    "x": "x",
    "y": "y",
    "depth": "z",
    "layer": "depth0",
    "sublayer": "depth1",
    "pose": "poseID",
    "variant": "typeID",
    "style": "styleID",
    "expression": "expressionID",
    "scale": "globalScale",
}
"""Columns and the members that they hold."""

_LISTS = {
    "part_x": "deformableX",
    "part_y": "deformableY",
    "part_turn": "deformableGlobalRot",
    "part_bend": "deformableLocalRot",
}


class Instance(
    msgspec.Struct,
    gc=False,
    rename=_NUMBERS | _LISTS | {"kind": "type", "instance": "instanceID", "part_places": "partIdxList"},
):
    """One piece of clip art, present or not."""

    name: str
    present: bool = False
    kind: str | None = None
    instance: Pixels | None = None
    x: float | None = None
    y: float | None = None
    depth: Pixels | None = None
    flip: Pixels | bool | None = None
    layer: Pixels | None = None
    sublayer: Pixels | None = None
    pose: Pixels | None = None
    variant: Pixels | None = None
    style: Pixels | None = None
    expression: Pixels | None = None
    scale: float | None = None
    part_places: dict[str, int] | None = None
    part_x: list[float] | None = None
    part_y: list[float] | None = None
    part_turn: list[float] | None = None
    part_bend: list[float] | None = None
    colors: list[str | None] | None = None
    """Not in the dataset's files: the colours of parts, of scenes whose art can be recoloured."""

    @property
    def parts(self) -> list[str] | None:
        """The names of the movable parts, in the order of their lists."""
        places = self.part_places
        return None if places is None else sorted(places, key=places.__getitem__)


def clip_art_rows(present: Sequence[tuple[str, Instance]]) -> pl.DataFrame:
    """Rows of the clip art that is present, with the ids of its scenes.

    >>> clip_art_rows([("7", Instance("Dog01", instance=0))]).select("image_id", "object_id").rows()
    [('7', 'Dog01-0')]
    """
    found = [piece for _, piece in present]
    schema = TABLES["cliparts"].schema
    plain = ("kind", "name", "instance", *_NUMBERS)
    columns = {name: pl.Series([getattr(piece, name) for piece in found], dtype=schema[name]) for name in plain}
    listed = {name: _lists([getattr(piece, name) for piece in found], pl.Float64) for name in _LISTS}
    return pl.DataFrame(
        {
            "image_id": pl.Series([image for image, _ in present], dtype=pl.String),
            "object_id": pl.Series(_object_ids(present), dtype=pl.String),
            "flip": pl.Series([None if piece.flip is None else bool(piece.flip) for piece in found], dtype=pl.Boolean),
            "parts": _lists([piece.parts for piece in found], pl.String),
            "colors": _lists([piece.colors for piece in found], pl.String),
            **columns,
            **listed,
        }
    )


def _object_ids(present: Iterable[tuple[str, Instance]]) -> list[str]:
    """Name and instance; if a scene has the same twice, a further number."""
    taken: set[tuple[str, str]] = set()
    ids = []
    for image, piece in present:
        plain = piece.name if piece.instance is None else f"{piece.name}-{piece.instance}"
        free = (plain if not number else f"{plain}-{number}" for number in count())
        ids.append(next(key for key in free if (image, key) not in taken))
        taken.add((image, ids[-1]))
    return ids


def _lists(values: Sequence[list[Json] | None], dtype: type[pl.DataType]) -> pl.Series:
    flat = pl.Series([value for found in values for value in found or ()], dtype=dtype)
    return lists(flat, [None if found is None else len(found) for found in values])


def encode_clip_art(frames: Frames) -> dict[str, Callable[[str | None], list[Json]]]:
    """By scene, what makes the list of offered clip art out of the place where the scene plays."""
    scenes: dict[str, dict[str, list[Json]]] = {}
    for row in frames["cliparts"].iter_rows(named=True):
        scenes.setdefault(row["image_id"], {}).setdefault(row["name"], []).append(row)
    return {image: partial(_offers, pieces) for image, pieces in scenes.items()}


def _offers(pieces: dict[str, list[Json]], place: str | None) -> list[Json]:
    return [_offer(rows, place) for rows in pieces.values()]


def _offer(rows: list[Json], place: str | None) -> Json:
    free = count()
    numbers = [next(free) if row["instance"] is None else row["instance"] for row in rows]
    return {
        "numInstance": _INSTANCES,
        "smallestUnusedInstanceIdx": next(number for number in count() if number not in numbers),
        "instance": [_instance(row, number, place) for row, number in zip(rows, numbers, strict=True)],
    }


def _instance(row: Json, number: int, place: str | None) -> Json:
    movable = row["part_x"] is not None
    own = {
        "human": {"numExpression": _EXPRESSIONS},
        "largeObject": known(baseDir=place),
        "smallObject": known(baseDir=place),
    }
    return (
        known(type=row["kind"], name=row["name"], instanceID=number)
        | {"present": True, "deformable": movable}
        | known(flip=None if row["flip"] is None else int(row["flip"]))
        | known(**{member: _number(row[name]) for name, member in _NUMBERS.items()})
        | known(colors=row.get("colors"))
        | own.get(row["kind"], {})
        | (_limbs(row) if movable else {})
    )


def _number(value: float | None) -> float | None:
    return as_number(value) if isinstance(value, float) else value


def _limbs(row: Json) -> Json:
    places = None if row["parts"] is None else {part: place for place, part in enumerate(row["parts"])}
    listed = {member: None if row[name] is None else [_number(x) for x in row[name]] for name, member in _LISTS.items()}
    return known(partIdxList=places, randInitPoseIdx=_NO_RANDOM_POSE, **listed)
