"""Word vectors: from a file that the user names, or from an installed package; a text is the mean of its words.

A file is read row by row and only the rows of the words asked for are kept, so the size of the file does not matter.
"""

import mmap
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import DataError

__all__ = ["FileVectors", "Matrix", "WordVectors", "text_vectors", "words_of"]

Matrix = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_BETWEEN_WORDS = re.compile(r"[\s,;/_]+")
_PIECE = 16_384


class WordVectors(Protocol):
    """Anything that has vectors for words."""

    @property
    def source(self) -> str:
        """Name and hash, as a result says what it was made with."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""

    def vectors(self, words: Sequence[str]) -> tuple[Matrix, Mask]:
        """A row per word, and which words are known; rows of unknown words are zero."""


@dataclass(frozen=True)
class FileVectors:
    r"""Vectors of a file: word2vec's binary layout (.bin), else a word and its numbers per line (GloVe, fastText).

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "tiny.vec"
    >>> _ = path.write_text("2 3\ncat 1 0 0\ndog 0 1 0\n")
    >>> matrix, known = FileVectors(path).vectors(["dog", "cow"])
    >>> matrix.tolist(), known.tolist()
    ([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], [True, False])
    """

    path: Path

    @cached_property
    def source(self) -> str:
        """The file's name and hash."""
        return f"{self.path.name} (sha256 {sha256_of_file(self.path)[:12]})"

    @cached_property
    def dimension(self) -> int:
        """The length of a vector, from the head of the file."""
        return self._dimension()

    def vectors(self, words: Sequence[str]) -> tuple[Matrix, Mask]:
        """Read through the file once for all these words; of a word that stands there twice, the first row counts."""
        matrix, known = np.zeros((len(words), self.dimension), np.float32), np.zeros(len(words), np.bool_)
        places: dict[bytes, list[int]] = {}
        for place, text in enumerate(words):
            places.setdefault(text.encode(), []).append(place)
        rows = self._binary_rows if self._is_binary else self._text_rows
        for word, where, row in rows(places):
            if not np.isfinite(row).all():
                raise DataError(
                    f"{self.path}, {where}: found a vector of {word!r} that is not finite, expected numbers; "
                    "get the file again"
                )
            for place in places.pop(word, ()):
                matrix[place], known[place] = row, True
        return matrix, known

    @property
    def _is_binary(self) -> bool:
        return self.path.suffix == ".bin"

    def _dimension(self) -> int:
        if not self.path.is_file():
            raise DataError(f"{self.path}: found no such file, expected word vectors; name another file")
        with self.path.open("rb") as file:
            head = file.readline(1 << 20).split()
        header = _header(head)
        if header is not None:
            return header
        if self._is_binary or len(head) < 3:  # noqa: PLR2004  # a word and two numbers, at least
            raise DataError(
                f"{self.path}, line 1: found {b' '.join(head)[:40]!r}, expected the number of words and of dimensions, "
                "or a word with its numbers; name a file of word2vec, GloVe or fastText"
            )
        return len(head) - 1

    def _text_rows(self, wanted: dict[bytes, list[int]]) -> Iterator[tuple[bytes, str, Matrix]]:
        # Some words of GloVe hold spaces; they are told by the number of fields.
        heads = {word.partition(b" ")[0] for word in wanted}
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1 and _header(line.split()) is not None:
                    continue
                if line[: line.find(b" ")] not in heads:
                    continue
                word, *fields = line.rstrip().rsplit(b" ", self.dimension)
                if len(fields) != self.dimension:
                    raise DataError(
                        f"{self.path}, line {number}: found {len(fields)} numbers, expected {self.dimension}; "
                        "get the file again"
                    )
                if word in wanted:
                    yield word, f"line {number}", self._numbers(fields, number)

    def _numbers(self, fields: list[bytes], number: int) -> Matrix:
        try:
            return np.array([float(field) for field in fields], np.float32)
        except ValueError as error:
            raise DataError(f"{self.path}, line {number}: {error}, expected numbers; get the file again") from None

    def _binary_rows(self, wanted: dict[bytes, list[int]]) -> Iterator[tuple[bytes, str, Matrix]]:
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            count = int(content.readline().split()[0])
            at = content.tell()
            for number in range(1, count + 1):
                space = content.find(b" ", at)
                end = space + 1 + 4 * self.dimension
                if space < 0 or end > len(content):
                    raise DataError(
                        f"{self.path}, word {number}: found the end of the file, expected {count:,} words; "
                        "get the file again"
                    )
                # word2vec ends rows with a line break, gensim does not.
                word = content[at:space].lstrip(b"\n")
                if word in wanted:
                    yield word, f"word {number}", np.frombuffer(content[space + 1 : end], "<f4").astype(np.float32)
                at = end


def _header(fields: list[bytes]) -> int | None:
    """The dimension, if this is a line with the number of words and of dimensions."""
    if len(fields) == 2 and all(field.isdigit() for field in fields):  # noqa: PLR2004
        return int(fields[1]) or None
    return None


def words_of(text: str) -> list[str]:
    """The words of a short text, in lower case; marks that stand between words are left out.

    >>> words_of("Red, white and hot_dogs")
    ['red', 'white', 'and', 'hot', 'dogs']
    """
    return [word for word in _BETWEEN_WORDS.split(text.lower()) if word]


def text_vectors(texts: Sequence[str], vectors: WordVectors) -> tuple[Matrix, Mask]:
    r"""The mean vector of the known words of each text, and which texts have any.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "tiny.vec"
    >>> _ = path.write_text("red 1 0\nball 0 1\n")
    >>> text_vectors(["red ball", "a cow"], FileVectors(path))[0].tolist()
    [[0.5, 0.5], [0.0, 0.0]]
    """
    split = [words_of(text) for text in texts]
    number = {word: place for place, word in enumerate(dict.fromkeys(word for words in split for word in words))}
    matrix, known = vectors.vectors(list(number))
    rows = [[place for place in map(number.__getitem__, words) if known[place]] for words in split]
    means = np.zeros((len(texts), vectors.dimension), np.float32)
    for begin in range(0, len(rows), _PIECE):
        piece = rows[begin : begin + _PIECE]
        counts = np.array([len(row) for row in piece])
        some = np.flatnonzero(counts)
        if some.size:
            flat = np.array([place for row in piece for place in row])
            first = np.concatenate([[0], np.cumsum(counts[some])[:-1]])
            means[begin + some] = np.add.reduceat(matrix[flat], first) / counts[some][:, None].astype(np.float32)
    return means, np.array([bool(row) for row in rows], np.bool_)
