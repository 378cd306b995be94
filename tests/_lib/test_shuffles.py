"""Keyed shuffles: each is a permutation, its inverse undoes it, and all of them are about equally likely."""

from collections import Counter

import numpy as np
import pytest

from eyechart._lib.shuffles import shuffled, unshuffled


@pytest.mark.parametrize("length", [1, 2, 3, 5, 16, 17, 100, 1000])
def test_every_length_is_permuted_and_back(length: int) -> None:
    """Each thing comes once, and stands where the inverse says."""
    places, lengths = np.arange(length), np.full(length, length)
    keys = np.full(length, 99, np.uint64)
    things = shuffled(places, lengths, keys)
    assert sorted(things.tolist()) == places.tolist()
    np.testing.assert_array_equal(unshuffled(things, lengths, keys), places)


def test_shuffles_of_three_are_equally_likely() -> None:
    """Six orders, by chi square over 6,000 keys."""
    count = 6000
    keys = np.repeat(np.arange(count, dtype=np.uint64), 3)
    drawn = shuffled(np.tile(np.arange(3), count), np.full(3 * count, 3), keys).reshape(count, 3)
    seen = Counter(map(tuple, drawn.tolist()))
    assert len(seen) == 6
    assert sum((each - count / 6) ** 2 / (count / 6) for each in seen.values()) < 20.5  # 0.1 % of fair draws are beyond
