"""Small conversions between JSON values of foreign files and the values of our columns."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import polars as pl

from eyechart.tables import TABLES

__all__ = [
    "ExactId",
    "Id",
    "Pixels",
    "as_id",
    "as_number",
    "grouped",
    "known",
    "lists",
    "optional",
    "present",
    "split_in",
    "split_of_name",
]

K = TypeVar("K")
T = TypeVar("T")

Json = Any  # a value of a foreign file

Id = int | str
"""An id in a foreign file: some write numbers, some strings."""

ExactId = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A number as id, which export gives back as it is."""

Pixels = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""A length in a picture."""

_LONGEST_NUMBER = 600
"""Characters of an id that are still a number: Python may refuse to convert more."""

_SPLIT = re.compile(r"(?:^|[^a-z])(train|val|test-dev|test)(?:\d{4})?(?![a-z0-9])")


def as_id(value: str) -> Id:
    """An id as most files write it: a number if it reads like one.

    >>> as_id("42"), as_id("007"), as_id("n17")
    (42, '007', 'n17')
    """
    digits = len(value) <= _LONGEST_NUMBER and value.removeprefix("-").isdecimal()
    return int(value) if digits and str(int(value)) == value else value


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


def lists(flat: pl.Series, lengths: Sequence[int | None]) -> pl.Series:
    """A column of lists out of all their elements in a row; no length is no list.

    >>> lists(pl.Series([1, 2, 3]), [2, 0, None, 1]).to_list()
    [[1, 2], [], None, [3]]
    """
    rows = pl.DataFrame({"length": pl.Series(lengths, dtype=pl.Int64)})
    ends = pl.col("length").fill_null(0).cum_sum()
    cut = pl.lit(flat.implode()).list.slice(ends - pl.col("length"), pl.col("length"))
    return rows.select(pl.when(pl.col("length").is_not_null()).then(cut).alias(flat.name)).to_series()


def present(frames: dict[str, pl.DataFrame], name: str) -> pl.DataFrame:
    """The rows of a table, none if it is not there."""
    return frames[name] if name in frames else TABLES[name].empty()


def grouped(keys: Iterable[K], values: Sequence[T]) -> dict[K, list[T]]:
    """Values in lists by key, both in order.

    >>> grouped(["a", "b", "a"], [1, 2, 3])
    {'a': [1, 3], 'b': [2]}
    """
    groups: defaultdict[K, list[T]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        groups[key].append(value)
    return dict(groups)


def split_in(name: str) -> str | None:
    """The split that a file name tells, a year behind it or not.

    >>> split_in("captions_val2014.json"), split_in("qa.894.raw.train.txt"), split_in("trainer.json")
    ('val', 'train', None)
    """
    found = _SPLIT.search(name.lower())
    return found[1] if found else None


def split_of_name(_head: object, path: Path) -> str | None:
    """The split of a file that says it only in its name, whatever its head holds.

    >>> split_of_name({}, Path("qa.37.raw.test.txt"))
    'test'
    """
    return split_in(path.name)
