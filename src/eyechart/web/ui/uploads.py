"""What strangers hand in: streamed to disk under a cap, unpacked under a cap, and pictures drawn anew."""

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from fastapi import UploadFile
from PIL import Image, ImageOps, UnidentifiedImageError

from eyechart.web.ui.refusals import RefusalError

__all__ = ["picture", "save_upload", "unpacked"]

_CHUNK = 1 << 20
_RATIO = 200
"""JSON packs about 20 times, seldom 100 times; what packs better was made to fill a disk."""
_MOST_PIXELS = 40_000_000
_DRAWN = {"JPEG": ("JPEG", "image/jpeg"), "WEBP": ("WEBP", "image/webp"), "PNG": ("PNG", "image/png")}


def save_upload(upload: UploadFile, place: Path, *, cap: int) -> int:
    """Write an upload to a place of ours, whatever it calls itself; more than ``cap`` bytes are refused.

    >>> import tempfile
    >>> save_upload(UploadFile(io.BytesIO(b"[]"), filename="../x"), Path(tempfile.mkdtemp()) / "answers", cap=100)
    2
    """
    written = 0
    with place.open("xb") as file:
        while chunk := upload.file.read(_CHUNK):
            written += len(chunk)
            if written > cap:
                break
            file.write(chunk)
    if written > cap:
        place.unlink()
        raise RefusalError(413, f"The file is larger than {cap:,} bytes; send less at once, or pack it with gzip.")
    return written


def unpacked(place: Path, *, cap: int) -> bytes:
    """The content of a file: plain, in gzip, or the only entry of a zip; never more than ``cap`` bytes.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "answers"
    >>> _ = place.write_bytes(gzip.compress(b"[]"))
    >>> unpacked(place, cap=100)
    b'[]'
    """
    with place.open("rb") as file:
        start = file.read(4)
        file.seek(0)
        read = _READERS.get(start[:2], _plain)
        try:
            return read(file, place.stat().st_size, cap)
        except (EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise RefusalError(
                422, f"The file cannot be unpacked ({error}); pack it again, or send it plain."
            ) from None


def _plain(file: BinaryIO, size: int, cap: int) -> bytes:
    return _capped(file, size, cap)


def _gzipped(file: BinaryIO, size: int, cap: int) -> bytes:
    with gzip.open(file) as content:
        return _capped(content, size, cap)


def _only_entry(file: BinaryIO, size: int, cap: int) -> bytes:
    with zipfile.ZipFile(file) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) != 1:
            raise RefusalError(422, f"The archive holds {len(entries)} files, expected one; send a zip of one file.")
        with archive.open(entries[0]) as content:
            return _capped(content, size, cap)


_READERS: Mapping[bytes, Callable[[BinaryIO, int, int], bytes]] = {b"\x1f\x8b": _gzipped, b"PK": _only_entry}
"""By the first two bytes of a file."""


def _capped(content: object, size: int, cap: int) -> bytes:
    found = content.read(cap + 1)  # type: ignore[attr-defined]  # gzip and zip streams share no base but this method
    if len(found) > cap:
        raise RefusalError(413, f"The file holds more than {cap:,} bytes; send less at once.")
    if len(found) > _RATIO * max(size, _CHUNK // _RATIO):
        raise RefusalError(422, f"The file grows more than {_RATIO} times when unpacked; send it plain.")
    return bytes(found)


def picture(content: bytes, *, most_pixels: int = _MOST_PIXELS) -> tuple[bytes, str]:
    """A picture drawn anew from its pixels, with its media type: nothing else that was in the file survives.

    >>> drawn = io.BytesIO(); Image.new("RGB", (4, 3)).save(drawn, "BMP")
    >>> content, kind = picture(drawn.getvalue())
    >>> kind, Image.open(io.BytesIO(content)).size
    ('image/png', (4, 3))
    """
    try:
        with Image.open(io.BytesIO(content)) as found:
            if found.width * found.height > most_pixels:
                raise RefusalError(
                    413,
                    f"The picture has {found.width} × {found.height} pixels; at most {most_pixels:,} are taken.",  # noqa: RUF001 - a product
                )
            form, kind = _DRAWN.get(found.format or "", _DRAWN["PNG"])
            turned = ImageOps.exif_transpose(found)
            mode = "RGB" if form == "JPEG" or "A" not in turned.getbands() else "RGBA"
            drawn = io.BytesIO()
            turned.convert(mode).save(drawn, form, **({"quality": 90} if form != "PNG" else {}))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise RefusalError(
            422, "The file is not a picture that can be read; send a JPEG, PNG or WebP (drawings in SVG are not taken)."
        ) from None
    return drawn.getvalue(), kind
