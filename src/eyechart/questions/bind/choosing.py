"""Two options in either order, so that the true one is not always named first."""

from dataclasses import fields, replace

import numpy as np

from eyechart.questions.arrays.ragged import Flags, Ragged, stacked
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
    columns: dict[str, np.ndarray | Ragged | None] = {}
    for each in fields(Variable):
        here, there = getattr(one, each.name), getattr(another, each.name)
        if each.name == "sort":
            continue
        if here is None or there is None:
            columns[each.name] = None
        elif isinstance(here, Ragged):
            rows = np.arange(len(here))
            columns[each.name] = stacked([here, there]).take(np.where(swapped, rows + len(here), rows))
        else:
            columns[each.name] = np.where(swapped, there, here)
    return replace(one, **columns)
