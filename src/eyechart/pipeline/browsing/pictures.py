"""The picture of an image, wherever it is: a file of the benchmark, or clip art that is drawn when it is asked for."""

import io
from functools import lru_cache
from pathlib import Path

import polars as pl
from PIL import Image, ImageOps, UnidentifiedImageError

from eyechart.errors import DataError
from eyechart.scenes import render
from eyechart.store import Benchmark

__all__ = ["picture_of"]

_THUMBNAIL = 320
_KINDS = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp", ".gif": "image/gif"}
"""Files that are shown as they are; whatever else can be read is drawn anew."""


def picture_of(benchmark: Benchmark, image_id: str, *, small: bool = False) -> tuple[bytes, str] | None:
    """A picture and its media type, whole or no larger than a list needs; none where there is none.

    >>> import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("images", pl.DataFrame({"image_id": ["7"]}))
    >>> picture_of(Benchmark.open(draft.target), "7") is None
    True
    """
    rows = benchmark.scan("images").filter(pl.col("image_id") == image_id).select("file", "location").collect()
    if not rows.height:
        return None
    file, location = rows.row(0)
    path = _inside(benchmark, file) if file else None
    if path is not None and path.is_file():
        return _small(path, path.stat().st_mtime_ns) if small else _whole(path)
    cliparts = benchmark.scan("cliparts").filter(pl.col("image_id") == image_id).collect()
    if not cliparts.height:
        return None
    scene = render.scenes_of(cliparts, {image_id: location} if location else None)[image_id]
    return render.to_png(scene, _THUMBNAIL if small else 800), "image/png"


def _inside(benchmark: Benchmark, file: str) -> Path | None:
    """Where a picture is; a name that leads out of the folder of pictures leads nowhere."""
    root = benchmark.image_file("").resolve()
    path = benchmark.image_file(file).resolve()
    return path if path.is_relative_to(root) else None


def _whole(path: Path) -> tuple[bytes, str]:
    kind = _KINDS.get(path.suffix.lower())
    return (path.read_bytes(), kind) if kind else _drawn(path, None)


@lru_cache(maxsize=2048)
def _small(path: Path, _changed: int) -> tuple[bytes, str]:
    return _drawn(path, _THUMBNAIL)


def _drawn(path: Path, largest: int | None) -> tuple[bytes, str]:
    try:
        with Image.open(path) as found:
            found.draft("RGB", (largest, largest)) if largest else None
            turned = ImageOps.exif_transpose(found).convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        raise DataError(
            f"{path}: found no picture that can be read ({error}), expected one; replace the file"
        ) from None
    if largest:
        turned.thumbnail((largest, largest))
    content = io.BytesIO()
    turned.save(content, "JPEG", quality=85)
    return content.getvalue(), "image/jpeg"
