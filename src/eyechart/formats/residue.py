"""What a foreign file holds beyond our tables, kept so that export gives the same JSON values back.

Import writes each record as export would, compares it with the original and keeps only the differences. A difference
remembers what export writes at that place by itself: if the benchmark has changed there meanwhile, the new value wins.

Where a format says that the elements of a list have ids, they are compared by id and not by place. One difference, the
arrangement, then says which elements the file lists and in which order.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from eyechart.errors import DataError

__all__ = ["FILE", "HEAD", "ORDER", "RECORD", "Difference", "Ids", "as_member", "differences", "restore"]

HEAD, RECORD = "head", "record"
"""The first step of a pointer: into a file's head, or into one of its records."""
ORDER = "order"
"""The pointer of a difference that holds all record ids in the file's own order."""
FILE = "file"
"""The pointer of a note that import has read a file; its value is the file's name."""

Ids = Mapping[str, tuple[str, ...]]
"""For members that hold lists: where in an element its id may stand, each place a path of names and numbers."""

_DEEPEST = 100

_ARRANGEMENT = "~order"  # no escaped name begins so
_NO_IDS: Ids = {}

Json = Any  # a value of a foreign file


class Absent:
    """The value of a place where nothing stands, which null is not."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


class Difference(msgspec.Struct, frozen=True):
    """At ``pointer``, export writes ``was`` (JSON, or None for nothing) where the file holds ``value``."""

    pointer: str
    was: str | None
    value: str | None


class _ById(dict[str, Json]):
    """The elements of a list by their ids, in order."""


_Pair = tuple[str, Json, Json, tuple[str, ...]]
"""A member's name, its two values, and where ids stand in its elements if it is a list."""


def differences(written: Json, original: Json, ids: Ids = _NO_IDS) -> Iterator[Difference]:
    """All places at which two JSON values differ, the outermost first.

    >>> list(differences({"id": 1, "a": None}, {"id": "1"}))
    [Difference(pointer='/id', was='1', value='"1"'), Difference(pointer='/a', was='null', value=None)]
    >>> list(differences({"a": [{"id": 1}, {"id": 2}]}, {"a": [{"id": 2, "x": 0}]}, {"a": ("id",)}))
    [Difference(pointer='/a/~order', was='["1","2"]', value='["2"]'), Difference(pointer='/a/2/x', was=None, value='0')]
    """
    return iter(()) if _equal(written, original) else _between(written, original, "", (), ids)


def _between(written: Json, original: Json, pointer: str, places: tuple[str, ...], ids: Ids) -> Iterator[Difference]:
    """The differences of two values that are not alike; lists are compared by id if there are places for it."""
    pairs = _pairs(written, original, places, ids)
    if pairs is None:
        if not same(written, original):
            yield Difference(pointer, _text(written), _text(original))
        return
    if isinstance(written, list) and places:
        ours, theirs = _by_id(written, places), _by_id(original, places)
        if ours is not None and theirs is not None and list(ours) != list(theirs):
            yield Difference(f"{pointer}/{_ARRANGEMENT}", _text(list(ours)), _text(list(theirs)))
    for name, one, other, below in pairs:
        if not _equal(one, other):
            yield from _between(one, other, f"{pointer}/{_escaped(name)}", below, ids)


def _pairs(written: Json, original: Json, places: tuple[str, ...], ids: Ids) -> Iterable[_Pair] | None:
    """What to compare with what inside of two values; None where they can only differ as wholes."""
    if isinstance(written, dict) and isinstance(original, dict):
        names = original | written
        return ((name, written.get(name, ABSENT), original.get(name, ABSENT), ids.get(name, ())) for name in names)
    if not isinstance(written, list) or not isinstance(original, list):
        return None
    if places:
        ours, theirs = _by_id(written, places), _by_id(original, places)
        if ours is not None and theirs is not None:
            return ((name, ours.get(name, ABSENT), theirs[name], ()) for name in theirs)
        if ours is not None or theirs is not None:
            return None
    if len(written) != len(original):
        return None
    return ((str(i), one, other, ()) for i, (one, other) in enumerate(zip(written, original, strict=True)))


def _equal(one: Json, other: Json) -> bool:
    """Whether two values are alike for sure, found fast; true equals 1 in Python, so their texts decide."""
    if type(one) is not type(other) or one != other:
        return False
    if not isinstance(one, dict | list):
        return True
    return msgspec.json.encode(one, order="sorted") == msgspec.json.encode(other, order="sorted")


def _by_id(elements: list[Json], places: tuple[str, ...]) -> dict[str, Json] | None:
    """Elements by id, if all have one of their own."""
    named = {key: element for element in elements if (key := _id_of(element, places)) is not None}
    return named if len(named) == len(elements) else None


def same(one: Json, other: Json) -> bool:
    """Equal as JSON: 1 is 1.0, but true is not 1.

    >>> same(1, 1.0), same(1, True), same([0], [False])
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def restore(record: Json, kept: Iterable[Difference], ids: Ids = _NO_IDS) -> Json:
    """Put the kept differences back, each where export still writes what it wrote when it was kept.

    >>> restore({"id": 1}, [Difference("/id", "1", '"1"'), Difference("/note", None, '"x"')])
    {'id': '1', 'note': 'x'}
    >>> restore({"id": 2}, [Difference("/id", "1", '"1"')])
    {'id': 2}
    """
    whole = {"": _unfolded(record, ids)}
    for difference in kept:
        *path, last = difference.pointer.split("/")
        holder = _walk(whole, [_unescaped(step) for step in path])
        if last == _ARRANGEMENT and isinstance(holder, _ById):
            _arrange(holder, difference)
        elif holder is not None and _matches(_member(holder, _unescaped(last)), difference.was):
            _put(holder, _unescaped(last), difference.value)
    return _folded(whole).get("", ABSENT)


def as_member(records: dict[str, Json], key: str) -> dict[str, Json]:
    """A record as a member of something, so that its absence is a difference like any other.

    >>> as_member({"7": [1]}, "7"), as_member({}, "7")
    ({'record': [1]}, {})
    """
    return {RECORD: records[key]} if key in records else {}


def _unfolded(value: Json, ids: Ids, places: tuple[str, ...] = ()) -> Json:
    """Lists whose elements have ids as mappings, at any depth."""
    if not ids:
        return value
    if isinstance(value, dict):
        return {name: _unfolded(member, ids, ids.get(name, ())) for name, member in value.items()}
    if not isinstance(value, list):
        return value
    named = _by_id(value, places) if places else None
    if named is None:
        return [_unfolded(element, ids) for element in value]
    return _ById({key: _unfolded(element, ids) for key, element in named.items()})


def _id_of(element: Json, places: tuple[str, ...]) -> str | None:
    for place in places if isinstance(element, dict) else ():
        holder: Json = {"": element}
        *path, last = ["", *place.split("/")]
        holder = _walk(holder, path)
        found = ABSENT if holder is None else _member(holder, last)
        if isinstance(found, str) or type(found) is int:
            return str(found)
    return None


def _folded(value: Json) -> Json:
    if isinstance(value, _ById):
        return [_folded(element) for element in value.values() if element is not ABSENT]
    if isinstance(value, dict):
        return {name: _folded(member) for name, member in value.items()}
    return [_folded(element) for element in value] if isinstance(value, list) else value


def _arrange(elements: _ById, difference: Difference) -> None:
    """List what the file lists, in its order; what the tables do not hold comes with later differences."""
    if _matches(list(elements), difference.was):
        there = dict(elements)
        elements.clear()
        elements.update({name: there.get(name, ABSENT) for name in msgspec.json.decode(difference.value or "[]")})


def _text(value: Json) -> str | None:
    if value is ABSENT:
        return None
    if isinstance(value, dict | list):
        _refuse_deep(value)
    return msgspec.json.encode(value).decode()


def _refuse_deep(value: Json) -> None:
    """What is read at one depth of calls must be writable at another: stay far from the limit."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            member
            for one in level
            if isinstance(one, dict | list)
            for member in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise DataError(
        f"found values nested more than {_DEEPEST} levels deep, expected a few levels; leave them out of the file"
    )


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _walk(holder: Json, path: list[str]) -> Json:
    for name in path:
        holder = _member(holder, name)
        if not isinstance(holder, dict | list):
            return None
    return holder


def _member(holder: Json, name: str) -> Json:
    if isinstance(holder, dict):
        return holder.get(name, ABSENT)
    return holder[int(name)] if name.isdecimal() and int(name) < len(holder) else ABSENT


def _matches(current: Json, was: str | None) -> bool:
    if current is ABSENT or was is None:
        return current is ABSENT and was is None
    return same(_folded(current), msgspec.json.decode(was))


def _put(holder: Json, name: str, value: str | None) -> None:
    if isinstance(holder, dict):
        holder.pop(name, None) if value is None else holder.update({name: msgspec.json.decode(value)})
    elif value is not None and _member(holder, name) is not ABSENT:
        # Where an object stood, the benchmark may have a list now, which has no place for a name.
        holder[int(name)] = msgspec.json.decode(value)
