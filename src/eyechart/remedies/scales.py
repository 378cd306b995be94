"""Answers on one scale, such as left and right, red and blue, two and three: alike in a taxonomy, yet good decoys."""

import re
import tomllib
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations

import numpy as np
import numpy.typing as npt

from eyechart.errors import UnknownNameError
from eyechart.registry import did_you_mean

__all__ = ["SCALES", "Scales"]

NUMBERS, OPPOSITES = "numbers", "opposites"
SCALES = (NUMBERS, OPPOSITES, "colors", "directions", "times", "seasons", "sizes", "weather")
"""Names of all scales; ``opposites`` are pairs such as left and right, each a scale of its own."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")

Places = npt.NDArray[np.integer]


class Scales:
    """Which of some answers share a scale.

    >>> Scales(["left", "cat", "right"], ["opposites"]).share(np.array([0, 0, 0]), np.array([0, 1, 2])).tolist()
    [False, False, True]
    """

    def __init__(self, answers: Sequence[str], names: Collection[str]) -> None:
        if unknown := [name for name in names if name not in SCALES]:
            raise UnknownNameError(f"no scale is called {unknown[0]!r}: {did_you_mean(unknown[0], SCALES)}")
        place = {answer: number for number, answer in enumerate(answers)}
        groups = [sorted(map(place.__getitem__, words & place.keys())) for words in _groups(frozenset(names))]
        pairs = {pair for group in groups for pair in permutations(group, 2)}
        self._size = len(place)
        self._pairs = np.unique(np.array([one * self._size + other for one, other in pairs], np.int64))
        self._numbers = np.array([NUMBERS in names and bool(_NUMBER.fullmatch(answer)) for answer in answers], np.bool_)

    def share(self, first: Places, second: Places) -> npt.NDArray[np.bool_]:
        """Whether two different answers stand on one scale, for pairs of places."""
        listed = np.isin(first * self._size + second, self._pairs)
        both: npt.NDArray[np.bool_] = self._numbers[first] & self._numbers[second] & (first != second)
        return listed | both


def _groups(scales: frozenset[str]) -> list[frozenset[str]]:
    opposites, others = _listed()
    pairs = opposites if OPPOSITES in scales else []
    return [*pairs, *(words for name, words in others.items() if name in scales)]


@cache
def _listed() -> tuple[list[frozenset[str]], dict[str, frozenset[str]]]:
    text = files("eyechart.remedies").joinpath("scales.toml").read_text("utf-8")
    found = tomllib.loads(text)
    return [frozenset(pair) for pair in found[OPPOSITES]], {k: frozenset(v) for k, v in found["scales"].items()}
