"""Perceptual hashes: copies are near, other pictures are far, and broken files are told."""

import io
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from eyechart.analysis import DISTANCE
from eyechart.features import fingerprint, near_hashes, perceptual_hash

HASHES = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda bit: 1 << bit), max_size=40)
SEEDS = range(30)


def scene(seed: int) -> Image.Image:
    """Coarse colours with some discs on them."""
    draws = np.random.default_rng(seed)
    picture = Image.fromarray(draws.integers(0, 256, (6, 8, 3), dtype=np.uint8)).resize((640, 480))
    pen = ImageDraw.Draw(picture)
    for x, y, radius, *colour in draws.integers(0, 256, (8, 6)).tolist():
        pen.ellipse([2 * x, y, 2 * x + radius, y + radius], fill=tuple(colour))
    return picture


def recompressed(picture: Image.Image) -> Image.Image:
    """As a JPEG file of low quality."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=30)
    return Image.open(file)


COPIES = {
    "half as large": lambda picture: picture.resize((320, 240)),
    "a thumbnail": lambda picture: picture.resize((100, 75)),
    "recompressed": recompressed,
    "grey": lambda picture: picture.convert("L"),
    "as a palette": lambda picture: picture.quantize(256, Image.Quantize.FASTOCTREE),
    "in floating point": lambda picture: picture.convert("F"),
    "trimmed by one per cent a side": lambda picture: picture.crop((6, 5, 634, 475)),
}


def unlike(one: Image.Image, other: Image.Image) -> int:
    """How many bits of their hashes differ."""
    hashes = perceptual_hash(one), perceptual_hash(other)
    assert hashes[0] is not None
    assert hashes[1] is not None
    return (hashes[0] ^ hashes[1]).bit_count()


@pytest.mark.parametrize("kind", COPIES)
def test_copies_are_near(kind: str) -> None:
    """What does not change what a picture shows changes few bits."""
    distances = [unlike(scene(seed), COPIES[kind](scene(seed))) for seed in SEEDS]
    assert max(distances) <= DISTANCE


def test_other_pictures_are_far() -> None:
    """No two of these scenes are taken for copies, by a wide margin."""
    hashes = pl.Series([perceptual_hash(scene(seed)) for seed in SEEDS], dtype=pl.UInt64)
    assert near_hashes(hashes, DISTANCE + 6).is_empty()


@pytest.mark.parametrize("colour", ["black", "white", "navy"])
def test_empty_pictures_have_no_hash(colour: str) -> None:
    """They would all be the same; so would pictures that only get darker to one side."""
    assert perceptual_hash(Image.new("RGB", (64, 48), colour)) is None
    assert perceptual_hash(Image.linear_gradient("L")) is None


@given(HASHES, st.integers(0, 12))
def test_near_hashes_are_those_that_a_double_loop_finds(hashes: list[int], distance: int) -> None:
    """Bands lose no pair and bring none that is too far."""
    distinct = sorted(set(hashes))
    pairs = [(one, other, (one ^ other).bit_count()) for one in distinct for other in distinct if one < other]
    expected = [pair for pair in pairs if pair[2] <= distance]
    assert expected == near_hashes(pl.Series(hashes, dtype=pl.UInt64), distance).rows()


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), min_size=1, max_size=12))
def test_flipped_bits_are_counted(phash: int, bits: set[int]) -> None:
    """A hash is found from any other that differs in as many bits as allowed, and not with one fewer allowed."""
    other = phash
    for bit in bits:
        other ^= 1 << bit
    both = pl.Series([phash, other, None], dtype=pl.UInt64)
    assert [(min(phash, other), max(phash, other), len(bits))] == near_hashes(both, len(bits)).rows()
    assert near_hashes(both, len(bits) - 1).is_empty()


def test_a_fingerprint_has_the_size_of_the_file(tmp_path: Path) -> None:
    """Not that at which it was decoded."""
    scene(0).save(tmp_path / "a.jpg")
    seen = fingerprint(tmp_path / "a.jpg")
    assert (seen.width, seen.height, seen.problem) == (640, 480, None)
    assert seen.phash is not None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot identify image file"),
        (b"<html>404</html>", "cannot identify image file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "cannot identify image file"),
    ],
)
def test_what_is_no_picture_is_told(content: bytes, said: str, tmp_path: Path) -> None:
    """The problem names the file, not its folder."""
    (tmp_path / "a.jpg").write_bytes(content)
    problem = fingerprint(tmp_path / "a.jpg").problem or ""
    assert problem.startswith(said)
    assert str(tmp_path) not in problem


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_truncated_pictures_are_told(kind: str, tmp_path: Path) -> None:
    """A download that broke off leaves a head that reads well."""
    file = io.BytesIO()
    scene(0).save(file, kind)
    (tmp_path / "a").write_bytes(file.getvalue()[: file.tell() // 2])
    assert "truncated" in (fingerprint(tmp_path / "a").problem or "")


def test_decompression_bombs_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit, where Pillow warns, and far above, where it raises."""
    Image.new("L", (40, 30)).save(tmp_path / "a.png")
    for limit in (1000, 100):
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
        assert "decompression bomb" in (fingerprint(tmp_path / "a.png").problem or "")


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    """A folder, a named pipe, or a name that no file can have; nothing is waited for."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("", "pipe", "nowhere.jpg", "a\0b"):
        assert fingerprint(tmp_path / name).problem == "there is no such file"
    assert "too long" in (fingerprint(tmp_path / ("a" * 5000)).problem or "")
