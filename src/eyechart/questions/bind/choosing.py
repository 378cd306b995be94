"""Two options in either order, so that the true one is not always named first."""

import numpy as np

from eyechart.questions.arrays.ragged import Flags, Ints, stacked
from eyechart.questions.bind.frames import Frame, Shard, Variable

__all__ = ["either", "other"]


def either(shard: Shard, frame: Frame, one: Variable, another: Variable) -> Variable:
    """The first of two options, by a coin of the fact."""
    return _mixed(one, another, _coin(shard, frame))


def other(shard: Shard, frame: Frame, one: Variable, another: Variable) -> Variable:
    """The option that is not the first."""
    return _mixed(another, one, _coin(shard, frame))


def _coin(shard: Shard, frame: Frame) -> Flags:
    return (shard.keyed("either", frame.key) & np.uint64(1)).astype(bool)


def _mixed(one: Variable, another: Variable, swapped: Flags) -> Variable:
    """One variable, in some rows the other; what only one of them has is left out."""

    def column(here: Ints | None, there: Ints | None) -> Ints | None:
        return None if here is None or there is None else np.where(swapped, there, here)

    members = None
    if one.members is not None and another.members is not None:
        rows = np.arange(len(one.members))
        members = stacked([one.members, another.members]).take(np.where(swapped, rows + len(rows), rows))
    return Variable(
        one.sort,
        np.where(swapped, another.code, one.code),
        several=column(one.several, another.several),
        thing=column(one.thing, another.thing),
        reference=column(one.reference, another.reference),
        members=members,
    )
