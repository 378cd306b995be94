"""Scenes to and from the table of clip art: a row per clip, and a row of kind background for its look and colours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from eyechart.errors import DataError
from eyechart.scenes.art import (
    Clip,
    Piece,
    Scene,
    background_clip,
    background_of,
    backgrounds,
    check,
    name_of,
    piece_of,
)
from eyechart.tables import TABLES

__all__ = ["rows_of", "scenes_of"]

_PLAIN = (
    *("name", "instance", "x", "y", "depth", "flip", "layer", "sublayer"),
    *("pose", "variant", "style", "expression"),
)
"""Columns that are members of a clip."""
_REQUIRED = ("x", "y")
_SCHEMA = dict(TABLES["cliparts"].schema)

Row = dict[str, Any]  # a row of the table; what is in it is checked when it becomes a clip


def rows_of(scenes: Iterable[tuple[str, Scene]]) -> pl.DataFrame:
    """The table of clip art of scenes, each with its image's id; a scene that cannot be drawn is an error.

    >>> rows_of([("7", Scene("park", (Clip("tree", 100, 150),)))]).select("image_id", "object_id", "kind").rows()
    [('7', 'park-0', 'background'), ('7', 'tree-0', 'largeObject')]
    """
    images: list[str] = []
    clips: list[tuple[Clip, Piece, float]] = []
    for image, scene in scenes:
        found = _checked(image, scene)
        clips += found
        images += [image] * len(found)
    columns: dict[str, list[Any]] = {name: [getattr(clip, name) for clip, _, _ in clips] for name in _PLAIN}
    columns |= {
        "image_id": images,
        "object_id": [name_of(clip) for clip, _, _ in clips],
        "kind": [piece.kind for _, piece, _ in clips],
        "colors": [list(clip.colors) or None for clip, _, _ in clips],
        "scale": [scale if piece.limbs else None for _, piece, scale in clips],
        "parts": [list(piece.limbs) or None for _, piece, _ in clips],
        "part_bend": [list(clip.turns) or None for clip, _, _ in clips],
    }
    joints = [piece.joints(clip) for clip, piece, _ in clips]
    for place, name in enumerate(("part_x", "part_y", "part_turn")):
        columns[name] = [[joint[place] for joint in found] or None for found in joints]
    return pl.DataFrame([pl.Series(name, columns[name], dtype=dtype, strict=False) for name, dtype in _SCHEMA.items()])


def _checked(image: str, scene: Scene) -> list[tuple[Clip, Piece, float]]:
    """The background and the clips of a scene with what they show and how large."""
    try:
        check(scene)
        background = background_of(scene)
        clips = [(clip, piece_of(clip), background.scales[clip.depth]) for clip in scene.clips]
    except DataError as error:
        raise DataError(f"scene {image}: {error}") from None
    found = [(background_clip(scene), background, 1.0), *clips]
    _no_twins([name_of(clip) for clip, _, _ in found], image)
    return found


def _no_twins(ids: Sequence[str], image: str) -> None:
    if len(set(ids)) < len(ids):
        twin = next(name for place, name in enumerate(ids) if name in ids[:place])
        raise DataError(f"scene {image}: found {twin} twice, expected a number for each instance; number them")


def scenes_of(cliparts: pl.DataFrame, locations: Mapping[str, str] | None = None) -> dict[str, Scene]:
    """Scenes by the ids of their images; a scene without a row for its background plays at its image's location.

    >>> scene = Scene("park", (Clip("tree", 100.0, 150.0, depth=2),), colors=("blue",))
    >>> scenes_of(rows_of([("7", scene)]))["7"] == scene
    True
    """
    rows = cliparts.with_columns(
        pl.lit(None, dtype=dtype).alias(name) for name, dtype in _SCHEMA.items() if name not in cliparts.columns
    )
    parts: dict[str, list[Row]] = {}
    for row in rows.iter_rows(named=True):
        parts.setdefault(row["image_id"], []).append(row)
    return {image: _scene(image, found, (locations or {}).get(image)) for image, found in parts.items()}


def _scene(image: str, rows: Sequence[Row], location: str | None) -> Scene:
    try:
        clips = [_clip(row) for row in rows if row["kind"] != "background"]
        behind = next(_behind(rows, location))
        scene = Scene(behind.name, tuple(clips), behind.colors, behind.variant)
        check(scene)
    except DataError as error:
        raise DataError(f"scene {image}: {error}") from None
    except StopIteration:
        known = ", ".join(backgrounds())
        raise DataError(
            f"scene {image}: found no row of kind background and the location {location!r}, expected one of {known}; "
            "add the row"
        ) from None
    return scene


def _behind(rows: Sequence[Row], location: str | None) -> Iterator[Clip]:
    yield from (_clip(row) for row in rows if row["kind"] == "background")
    name = (location or "").lower().replace(" ", "_")
    if name in backgrounds():
        yield Clip(name, 0.0, 0.0)


def _clip(row: Row) -> Clip:
    """A row as a clip; numbers that it lacks are those of a clip that says nothing."""
    for name in _REQUIRED:
        if row[name] is None:
            raise DataError(f"{row['object_id']}: found no {name}, expected a number of pixels; write one")
    known = {name: row[name] for name in _PLAIN if row[name] is not None}
    return Clip(**known, turns=tuple(row["part_bend"] or ()), colors=tuple(row["colors"] or ()))
