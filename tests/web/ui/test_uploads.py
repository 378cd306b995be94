"""What strangers hand in: too large, no picture, a bomb; each is answered in a sentence."""

import io
from pathlib import Path

import pytest
from fastapi import UploadFile
from PIL import Image

from eyechart.web.ui import RefusalError, picture, save_upload


def drawn(form: str, size: tuple[int, int] = (30, 20), **more: object) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, "red").save(written, form, **more)
    return written.getvalue()


def test_a_file_is_stopped_at_its_cap(tmp_path: Path) -> None:
    """Nothing of it stays; and its own name is never used."""
    upload = UploadFile(io.BytesIO(b"x" * 3_000_000), filename="../../etc/passwd")
    with pytest.raises(RefusalError, match="larger than 2,000,000 bytes"):
        save_upload(upload, tmp_path / "sent", cap=2_000_000)
    assert list(tmp_path.iterdir()) == []


def test_pictures_are_drawn_anew() -> None:
    """Nothing but pixels survives: no comment, no place where it was taken, no script behind its end."""
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    content, kind = picture(drawn("JPEG", exif=exif) + b"<script>alert(1)</script>")
    assert kind == "image/jpeg"
    assert b"taken at home" not in content
    assert b"script" not in content


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 422),
        (b"GIF89a", 422),
        (b"", 422),
        (drawn("PNG")[:50], 422),
        (drawn("PNG", (7000, 7000)), 413),
    ],
)
def test_what_is_no_picture_is_refused(content: bytes, status: int) -> None:
    """A drawing with a script, a fragment, a bomb."""
    with pytest.raises(RefusalError) as refused:
        picture(content)
    assert refused.value.status == status
