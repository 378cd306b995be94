"""What a foreign file holds beyond our tables, kept so that export gives the same JSON values back.

Import writes each record as export would, compares it with the original and keeps only the differences. A difference
remembers what export writes at that place by itself: if the benchmark has changed there meanwhile, the new value wins.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

__all__ = ["HEAD", "ORDER", "RECORD", "Difference", "as_member", "differences", "restore"]

HEAD, RECORD = "head", "record"
"""The first step of a pointer: into a file's head, or into one of its records."""
ORDER = "order"
"""The pointer of a difference that holds all record ids in the file's own order."""

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


def differences(written: Json, original: Json, pointer: str = "") -> Iterator[Difference]:
    """All places at which two JSON values differ, the outermost first.

    >>> list(differences({"id": 1, "a": None}, {"id": "1"}))
    [Difference(pointer='/id', was='1', value='"1"'), Difference(pointer='/a', was='null', value=None)]
    """
    if isinstance(written, dict) and isinstance(original, dict):
        for name in original | written:
            place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            yield from differences(written.get(name, ABSENT), original.get(name, ABSENT), place)
    elif isinstance(written, list) and isinstance(original, list) and len(written) == len(original):
        for index, (ours, theirs) in enumerate(zip(written, original, strict=True)):
            yield from differences(ours, theirs, f"{pointer}/{index}")
    elif not same(written, original):
        yield Difference(pointer, _text(written), _text(original))


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


def restore(record: Json, kept: Iterable[Difference]) -> Json:
    """Put the kept differences back, each where export still writes what it wrote when it was kept.

    >>> restore({"id": 1}, [Difference("/id", "1", '"1"'), Difference("/note", None, '"x"')])
    {'id': '1', 'note': 'x'}
    >>> restore({"id": 2}, [Difference("/id", "1", '"1"')])
    {'id': 2}
    """
    whole = {"": record}
    for difference in kept:
        *path, name = [""] + [_unescaped(step) for step in difference.pointer.split("/")[1:]]
        holder = _walk(whole, path)
        if holder is not None and _matches(_member(holder, name), difference.was):
            _put(holder, name, difference.value)
    return whole.get("", ABSENT)


def as_member(records: dict[str, Json], key: str) -> dict[str, Json]:
    """A record as a member of something, so that its absence is a difference like any other.

    >>> as_member({"7": [1]}, "7"), as_member({}, "7")
    ({'record': [1]}, {})
    """
    return {RECORD: records[key]} if key in records else {}


def _text(value: Json) -> str | None:
    return None if value is ABSENT else msgspec.json.encode(value).decode()


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
    return holder[int(name)] if name.isdigit() and int(name) < len(holder) else ABSENT


def _matches(current: Json, was: str | None) -> bool:
    if current is ABSENT or was is None:
        return current is ABSENT and was is None
    return same(current, msgspec.json.decode(was))


def _put(holder: Json, name: str, value: str | None) -> None:
    if value is None:
        holder.pop(name)
    elif isinstance(holder, dict):
        holder[name] = msgspec.json.decode(value)
    else:
        holder[int(name)] = msgspec.json.decode(value)
