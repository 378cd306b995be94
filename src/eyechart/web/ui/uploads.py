"""What strangers hand in: streamed to disk under a cap, and pictures drawn anew."""

import io
from pathlib import Path

from fastapi import UploadFile
from PIL import Image, ImageOps, UnidentifiedImageError

from eyechart.web.ui.refusals import RefusalError

__all__ = ["picture", "save_upload"]

_CHUNK = 1 << 20
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
