"""Keyed shuffles of any length of which one place can be asked at a time, without making the others.

A shuffle of n things is a Feistel network over the next even number of bits, walked until it lands below n; it is the
same for the same key and length, and each of its places costs the same however long it is.
"""

import numpy as np
import numpy.typing as npt

from eyechart._lib.keyed import Key

__all__ = ["shuffled", "unshuffled"]

Places = npt.NDArray[np.integer]
Codes = npt.NDArray[np.uint64]

_ROUNDS = tuple(Key(place, "shuffle") for place in range(8))
"""With four, some orders of three things come more often than others."""


def shuffled(places: Places, lengths: Places, keys: Codes) -> Places:
    """What stands at each place of a shuffle of so many things, by that key.

    >>> keys, lengths = np.full(5, 7, np.uint64), np.full(5, 5)
    >>> drawn = shuffled(np.arange(5), lengths, keys)
    >>> sorted(drawn.tolist()), unshuffled(drawn, lengths, keys).tolist()
    ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    """
    return _walked(places, lengths, keys, inverse=False)


def unshuffled(things: Places, lengths: Places, keys: Codes) -> Places:
    """At which place of its shuffle each thing stands: the inverse of ``shuffled``.

    >>> unshuffled(np.array([0]), np.array([1]), np.array([7], np.uint64)).tolist()
    [0]
    """
    return _walked(things, lengths, keys, inverse=True)


def _walked(values: Places, lengths: Places, keys: Codes, *, inverse: bool) -> Places:
    """Through the network until the value is below the length; half the bits take part in each round."""
    bits = np.ceil(np.log2(np.maximum(lengths, 2))).astype(np.int64)
    half: Codes = ((bits + 1) // 2).astype(np.uint64)
    walked: Codes = values.astype(np.uint64)
    outside: Places = np.arange(values.size)
    while outside.size:
        walked[outside] = _mixed(walked[outside], half[outside], keys[outside], inverse=inverse)
        beyond = np.flatnonzero(walked[outside].astype(np.int64) >= lengths[outside])
        outside = outside[beyond]
    return walked.astype(np.int64)


def _mixed(values: Codes, half: Codes, keys: Codes, *, inverse: bool) -> Codes:
    mask: Codes = (np.uint64(1) << half) - np.uint64(1)
    left: Codes = values >> half
    right: Codes = values & mask
    if inverse:
        for each in reversed(_ROUNDS):
            left, right = right ^ (each.array(keys, left) & mask), left
    else:
        for each in _ROUNDS:
            left, right = right, left ^ (each.array(keys, right) & mask)
    joined: Codes = left << half | right
    return joined
