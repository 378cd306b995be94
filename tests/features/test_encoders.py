"""Encoders of pictures."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from eyechart.errors import DataError, MissingDependencyError, UnknownNameError
from eyechart.features import encode_boxes, load_encoder, open_picture


def drawn(color: str, size: tuple[int, int] = (96, 64)) -> Image.Image:
    """A picture with a coloured disk at the left."""
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).ellipse((4, 8, 44, 48), fill=color)
    return picture


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def test_colors_tell_where_a_color_is() -> None:
    """Only the cells with the disk change with its colour, and equal pictures have equal features."""
    encoder = load_encoder("colors")
    red, blue, again = encoder.encode([drawn("red"), drawn("blue"), drawn("red")], 4)
    assert (red == again).all()
    changed = np.abs(red - blue).max(axis=1).reshape(4, 4) > 0.05
    assert changed[:, :2].any()
    assert not changed[:, 2:].any()


def test_efficientnet_sees_colors_and_places() -> None:
    """Packaged weights give grids that depend on the picture alone; a vector is the mean of the 7 x 7 grid."""
    encoder = load_encoder("efficientnet-lite0")
    grid = encoder.encode([drawn("red"), drawn("blue")], 7)
    vectors = encoder.encode([drawn("red"), drawn("blue")], 1)
    assert grid.shape == (2, 49, 1280)
    assert np.allclose(grid.mean(axis=1), vectors[:, 0], atol=1e-5)
    likeness = (unit(vectors[0]) * unit(vectors[1])).sum()
    assert 0.5 < likeness < 0.999
    assert len(encoder.weights) == 12


def test_boxes_are_cut_out() -> None:
    """The box of the disk looks like the disk, the other half like an empty page; a box of no size is one pixel."""
    encoder = load_encoder("colors")
    boxes = np.array([[0, 0, 0.5, 1], [0.5, 0, 1, 1], [0.2, 0.5, 0.2, 0.5]], np.float32)
    disk, empty, point = encode_boxes(encoder, drawn("red"), boxes)
    assert np.allclose(empty, encoder.encode([Image.new("RGB", (8, 8), "white")], 1)[0, 0], atol=1e-6)
    assert not np.allclose(disk, empty, atol=0.1)
    assert np.allclose(point, encoder.encode([Image.new("RGB", (8, 8), "red")], 1)[0, 0], atol=1e-6)
    assert encode_boxes(encoder, drawn("red"), boxes[:0]).shape == (0, 78)


def test_several_encoders_see_side_by_side() -> None:
    """A plus joins their numbers, their names and their hashes."""
    joined, one, other = (load_encoder(name) for name in ("colors+colors-3x3", "colors", "colors-3x3"))
    seen = joined.encode([drawn("red")], 2)
    assert (seen == np.concatenate([each.encode([drawn("red")], 2) for each in (one, other)], axis=2)).all()
    assert (joined.width, joined.name) == (seen.shape[2], "colors+colors-3x3")


def test_small_cut_outs_are_the_mean_of_their_cells() -> None:
    """With two cells a side what is cut out is drawn in 64 pixels, four cells of it."""
    encoder = load_encoder("efficientnet-lite0")
    half = drawn("red").crop((0, 0, 48, 64))
    small = encode_boxes(encoder, drawn("red"), np.array([[0, 0, 0.5, 1]], np.float32), 2)
    assert np.allclose(small, encoder.encode([half], 2).mean(axis=1), atol=1e-5)


def field(number: int, content: bytes | int) -> bytes:
    """One field of a protocol buffer."""
    if isinstance(content, int):
        return bytes([number << 3]) + varint(content)
    return bytes([number << 3 | 2]) + varint(len(content)) + content


def varint(value: int) -> bytes:
    low = value & 0x7F
    return bytes([low]) if value < 0x80 else bytes([low | 0x80]) + varint(value >> 7)


def shaped(name: str, sizes: list[int]) -> bytes:
    dims = b"".join(field(1, field(1, size)) for size in sizes)
    return field(1, name.encode()) + field(2, field(1, field(1, 1) + field(2, dims)))


def onnx_file(path: Path, operation: str, out: list[int]) -> Path:
    """A network of one operation without weights."""
    node = field(1, b"x") + field(2, b"y") + field(4, operation.encode())
    graph = field(1, node) + field(2, b"g") + field(11, shaped("x", [1, 3, 32, 32])) + field(12, shaped("y", out))
    path.write_bytes(field(1, 8) + field(7, graph) + field(8, field(2, 13)))
    return path


def test_an_onnx_file_encodes(tmp_path: Path) -> None:
    """The network's own size of pictures, mean and spread of ImageNet, and a grid averaged to the wanted cells."""
    encoder = load_encoder(str(onnx_file(tmp_path / "relu.onnx", "Relu", [1, 3, 32, 32])))
    white = encoder.encode([Image.new("RGB", (50, 50), "white")], 2)
    expected = (1 - np.array([0.485, 0.456, 0.406])) / np.array([0.229, 0.224, 0.225])
    assert white.shape == (1, 4, 3)
    assert np.allclose(white, expected, atol=1e-5)
    assert encoder.width == 3
    with pytest.raises(DataError, match="32 x 32"):
        encoder.encode([drawn("red")], 7)


def test_mistakes_are_told(tmp_path: Path) -> None:
    """An unknown name, a package that is not there, a file that is no picture."""
    with pytest.raises(UnknownNameError, match="colors"):
        load_encoder("color")
    with pytest.raises(UnknownNameError, match="timm"):
        load_encoder("tim:resnet50")
    with pytest.raises(MissingDependencyError, match="pip install timm"):
        _ = load_encoder("timm:resnet50").weights
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(DataError, match=r"a\.png"):
        open_picture(tmp_path / "a.png")
