"""Small conversions between JSON values of foreign files and the values of our columns."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
import polars as pl

from eyechart.tables import TABLES

__all__ = ["Id", "as_id", "as_number", "grouped", "known", "optional", "present"]

T = TypeVar("T")

Json = Any  # a value of a foreign file

Id = int | str
"""An id in a foreign file: some write numbers, some strings."""


def as_id(value: str) -> Id:
    """An id as most files write it: a number if it reads like one.

    >>> as_id("42"), as_id("007"), as_id("n17")
    (42, '007', 'n17')
    """
    return int(value) if value.isdecimal() and str(int(value)) == value else value


def as_number(value: float | None) -> float | None:
    """A number as most files write it: without a point if it is whole.

    >>> as_number(3.0), as_number(2.5)
    (3, 2.5)
    """
    return int(value) if value is not None and value.is_integer() else value


def optional(value: T | msgspec.UnsetType) -> T | None:
    """None for a member that the file does not have.

    >>> optional(msgspec.UNSET) is None
    True
    """
    return None if isinstance(value, msgspec.UnsetType) else value


def known(**members: Json) -> dict[str, Json]:
    """A JSON object of the members that have a value.

    >>> known(answer="yes", confidence=None)
    {'answer': 'yes'}
    """
    return {name: value for name, value in members.items() if value is not None}


def present(frames: dict[str, pl.DataFrame], name: str) -> pl.DataFrame:
    """The rows of a table, none if it is not there."""
    return frames[name] if name in frames else TABLES[name].empty()


def grouped(keys: Iterable[str], values: Sequence[T]) -> dict[str, list[T]]:
    """Values in lists by key, both in order.

    >>> grouped(["a", "b", "a"], [1, 2, 3])
    {'a': [1, 3], 'b': [2]}
    """
    groups: defaultdict[str, list[T]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        groups[key].append(value)
    return dict(groups)
