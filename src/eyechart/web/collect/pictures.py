"""Pictures as workers may see them: by the number that their assignment gives them, drawn anew from pixels.

Neither a file's name nor anything that a camera wrote into it travels; the size is that of a screen.
"""

import io
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from eyechart.collection import Picture, Study
from eyechart.scenes import art, render
from eyechart.store import Benchmark
from eyechart.web.ui import RefusalError

__all__ = ["SIZES", "drawn", "size_of"]

SIZES = {"whole": 960, "small": 240}
"""The longest side, in pixels: of the picture that a question is about, and of one among many."""
_QUALITY = 80
_ON_ITS_SIDE = range(5, 9)
"""Orientations of EXIF that exchange width and height."""
_UNREADABLE = (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError)
_MISSING = "This picture is missing; tell whoever runs the study."
_BROKEN = "This picture cannot be read; tell whoever runs the study."


def drawn(study: Study, picture: Picture, size: str) -> bytes:
    """A picture as WebP."""
    place = _place(study, picture)
    if place is not None:
        return _of_file(place, place.stat().st_mtime_ns, SIZES[size])
    if picture.scene is not None:
        return _of_scene(msgspec.json.encode(picture.scene), SIZES[size])
    raise RefusalError(404, _MISSING)


def size_of(study: Study, picture: Picture) -> tuple[int, int]:
    """Width and height in the picture's own pixels, upright: what boxes are drawn in, however large it is shown."""
    place = _place(study, picture)
    if place is None:
        return art.WIDTH, art.HEIGHT
    try:
        with Image.open(place) as found:
            turned = found.getexif().get(ExifTags.Base.Orientation, 1) in _ON_ITS_SIDE
            return found.size[::-1] if turned else found.size
    except _UNREADABLE as error:
        raise RefusalError(404, _BROKEN) from error


def _place(study: Study, picture: Picture) -> Path | None:
    """The file of a picture; none if it is a scene."""
    if picture.file is None or study.settings.benchmark is None:
        return None
    root = _root(study.settings.benchmark)
    place = (root / picture.file).resolve()
    if not place.is_relative_to(root) or not place.is_file():
        raise RefusalError(404, _MISSING)
    return place


@lru_cache(maxsize=64)
def _root(benchmark: str) -> Path:
    return Benchmark.open(benchmark).image_file("").resolve()


@lru_cache(maxsize=512)
def _of_file(place: Path, changed: int, longest: int) -> bytes:
    del changed  # names a version of the file
    try:
        with Image.open(place) as found:
            found.draft("RGB", (longest, longest))
            return _webp(ImageOps.exif_transpose(found), longest)
    except _UNREADABLE as error:
        raise RefusalError(404, _BROKEN) from error


@lru_cache(maxsize=512)
def _of_scene(scene: bytes, longest: int) -> bytes:
    import polars as pl

    from eyechart.tables import TABLES

    told: dict[str, Any] = msgspec.json.decode(scene)
    clips = pl.DataFrame([{"image_id": "it", **clip} for clip in told["cliparts"]], infer_schema_length=None)
    place = told.get("background")
    found = render.scenes_of(TABLES["cliparts"].conform(clips), {"it": place} if place else None)["it"]
    with Image.open(io.BytesIO(render.to_png(found, longest))) as picture:
        return _webp(picture, longest)


def _webp(picture: Image.Image, longest: int) -> bytes:
    picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    written = io.BytesIO()
    picture.convert("RGB").save(written, "WEBP", quality=_QUALITY, method=2)
    return written.getvalue()
