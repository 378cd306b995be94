"""The entries of a closed vocabulary that come near to what somebody is writing: by letters, then by meaning."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from eyechart.errors import MissingDependencyError
from eyechart.text import normalize_answer, packaged_vectors, text_vectors

__all__ = ["suggestions"]

Matrix = npt.NDArray[np.float32]

_MOST = 6
_LEAST_ALIKE = 0.35


@dataclass(frozen=True)
class _Entries:
    words: tuple[str, ...]
    rows: Matrix | None


@lru_cache(maxsize=32)
def _entries(vocabulary: tuple[str, ...]) -> _Entries:
    try:
        rows = _unit(text_vectors(vocabulary, packaged_vectors())[0])
    except MissingDependencyError:
        return _Entries(vocabulary, None)
    return _Entries(vocabulary, rows)


def suggestions(vocabulary: Sequence[str], text: str) -> list[str]:
    """The nearest entries: what is the same, what begins alike, what means about the same.

    >>> suggestions(["sofa", "couch", "sock"], "so")
    ['sofa', 'sock']
    """
    said = normalize_answer(text)
    if not said:
        return []
    entries = _entries(tuple(vocabulary))
    same = [word for word in entries.words if word == said]
    begins = sorted((word for word in entries.words if word.startswith(said) and word != said), key=len)
    inside = [word for word in entries.words if f" {said}" in f" {word}" and word not in begins]
    near = _near(entries, said)
    return list(dict.fromkeys([*same, *begins[:3], *near, *begins, *inside]))[:_MOST]


def _near(entries: _Entries, said: str) -> list[str]:
    if entries.rows is None or not len(entries.words):
        return []
    row = _unit(text_vectors([said], packaged_vectors())[0])[0]
    alike = entries.rows @ row
    order = np.argsort(-alike, kind="stable")[:_MOST]
    return [entries.words[place] for place in order if alike[place] >= _LEAST_ALIKE]


def _unit(rows: Matrix) -> Matrix:
    lengths: Matrix = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    unit: Matrix = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit
