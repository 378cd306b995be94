"""What strangers hand in: too large, too dense, no picture, no archive; each is answered in a sentence."""

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from fastapi import UploadFile
from PIL import Image

from eyechart.web.ui import RefusalError, picture, save_upload, unpacked


def zipped(**entries: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return written.getvalue()


def drawn(form: str, size: tuple[int, int] = (30, 20), **more: object) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, "red").save(written, form, **more)
    return written.getvalue()


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (gzip.compress(b"0" * 300_000_000), 413, "more than 100,000,000 bytes"),
        (gzip.compress(b"0" * 90_000_000), 422, "grows more than 200 times"),
        (zipped(a=b"0" * 90_000_000), 422, "grows more than 200 times"),
        (zipped(a=b"1", b=b"2"), 422, "holds 2 files, expected one"),
        (zipped(), 422, ""),
        (b"PK\x03\x04 and nothing else", 422, "cannot be unpacked"),
        (b"\x1f\x8b and nothing else", 422, "cannot be unpacked"),
        (gzip.compress(b"[1, 2, 3]" * 1000)[:-20], 422, "cannot be unpacked"),
    ],
    ids=["large", "growing", "growing zip", "two files", "no file", "no zip", "no gzip", "cut short"],
)
def test_archives_that_mean_harm(tmp_path: Path, content: bytes, status: int, said: str) -> None:
    """They fill neither the memory nor the disk."""
    place = tmp_path / "sent"
    place.write_bytes(content)
    with pytest.raises(RefusalError) as refused:
        unpacked(place, cap=100_000_000)
    assert refused.value.status == status
    assert said in str(refused.value)


def test_what_is_well_packed_is_read(tmp_path: Path) -> None:
    """Plain, in gzip and in a zip, the same."""
    told = b'[{"question_id": 1, "answer": "yes"}]' * 1000
    for content in (told, gzip.compress(told), zipped(results=told)):
        (tmp_path / "sent").write_bytes(content)
        assert unpacked(tmp_path / "sent", cap=1_000_000) == told


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
