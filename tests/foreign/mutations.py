"""Broken files made from whole ones: what a reader meets when a download stops, a tool errs, or somebody means harm."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

Json = Any  # values of files that are being broken

RAW = {
    "@deep@": "[" * 3000 + "]" * 3000,
    "@nested@": '{"a":' * 150 + "1" + "}" * 150,
    "@open@": "[" * 3000,
    "@digits@": "9" * 5000,
    "@infinite@": "1e999",
    "@nan@": "NaN",
    "@surrogate@": '"\\ud800"',
    "@pair@": '"\\ud83d\\ude42"',
    "@exact@": "0.1000000000000000055511151231257827",
    "@point@": "1.0",
}
"""What Python's writer of JSON would not write, by the text that stands for it."""

ODD: list[Json] = [
    *RAW,
    *(None, True, False, 0, -1, 7, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**40, 1.5, -0.0, 1e308),
    *(
        "",
        " ",
        "7",
        "-7",
        "007",
        "x",
        "\x00",
        "../../x",
        "a/b~c",
        "²",
        "a\nb",
        "\r",
        "é" * 300,
        "9" * 700,
        "yes",
        "which",
    ),
    *([], {}, [[]], {"": {}}, [None], ["x", "y"], {"a/b": {"~": [1, {"x": None}]}}, [7, 7]),
]
"""Values that nobody expects where they stand."""


def mutated(content: bytes, suffix: str) -> st.SearchStrategy[bytes]:
    """Broken or merely strange versions of a file."""
    ways = [st.sampled_from(WAYS).flatmap(lambda way: way(content))]
    if suffix in {".json", ".jsonl"}:
        ways += [_structured(content, lines=suffix == ".jsonl")] * 3
    else:
        ways += [_lines(content)] * 2
    return st.one_of(ways)


def _truncated(content: bytes) -> st.SearchStrategy[bytes]:
    return st.integers(0, len(content)).map(lambda end: content[:end])


def _inserted(content: bytes) -> st.SearchStrategy[bytes]:
    strange = [
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\x00",
        b"\r",
        b"\n",
        b'"',
        b",",
        b"}",
        b"[",
        b"\\",
        b" ",
        b"\t",
        b"|",
        b"7",
    ]
    return st.tuples(st.integers(0, len(content)), st.sampled_from(strange)).map(
        lambda pair: content[: pair[0]] + pair[1] + content[pair[0] :]
    )


def _cut(content: bytes) -> st.SearchStrategy[bytes]:
    return st.tuples(st.integers(0, len(content)), st.integers(0, 40)).map(
        lambda pair: content[: pair[0]] + content[pair[0] + pair[1] :]
    )


def _recoded(content: bytes) -> st.SearchStrategy[bytes]:
    text = content.decode("utf-8-sig")
    return st.sampled_from(
        [
            text.encode("utf-16"),
            text.encode("utf-8-sig"),
            ("é" + text).encode("latin-1", "replace"),
            text.replace("a", "é").encode("latin-1", "replace"),
            text.replace("a", "é").encode(),
            text.replace("\n", "\r\n").encode(),
            text.replace("\n", "\r").encode(),
        ]
    )


def _replaced(_content: bytes) -> st.SearchStrategy[bytes]:
    tops = [
        b"",
        b" ",
        b"\n",
        b"null",
        b"7",
        b'"x"',
        b"[]",
        b"{}",
        b"[7]",
        b"[[]]",
        b"[{}]",
        b'{"x": 7}',
        b"\xef\xbb\xbf",
    ]
    return st.sampled_from(
        [*tops, b"[" * 100_000, b'{"a":' * 100_000, b"{" * 5000, b"x" * 200_000, b'"' * 3, b"\n" * 3]
    )


def _doubled(content: bytes) -> st.SearchStrategy[bytes]:
    return st.sampled_from([content + content, content + b"\n" + content, content + b"x", content.rstrip() + b"\n\n"])


def _member_twice(content: bytes) -> st.SearchStrategy[bytes]:
    """JSON in which an object names a member twice; all parsers let the last one count."""
    members = list(re.finditer(rb'"\w+": ?', content)) or [re.match(b"", content)]
    values = [b"1", b'"x"', b"null", b"[]", b"{}"]
    return st.tuples(st.sampled_from(members), st.sampled_from(values)).map(
        lambda pair: content[: pair[0].start()] + pair[0][0] + pair[1] + b", " + content[pair[0].start() :]
    )


WAYS: list[Callable[[bytes], st.SearchStrategy[bytes]]] = [
    _truncated,
    _inserted,
    _cut,
    _recoded,
    _replaced,
    _doubled,
    _member_twice,
]


def _structured(content: bytes, *, lines: bool) -> st.SearchStrategy[bytes]:
    """JSON with one value, or a few, changed."""
    text = content.decode("utf-8-sig")
    whole = [json.loads(line) for line in text.split("\n") if line.strip()] if lines else json.loads(text)
    places = list(_places(whole))

    @st.composite
    def changed(draw: st.DrawFn) -> bytes:
        value = json.loads(json.dumps(whole))
        for _ in range(draw(st.integers(1, 3))):
            change = draw(st.sampled_from(CHANGES))
            value = change(draw, value, draw(st.sampled_from(places)))
        return _written(value, ascii_only=draw(st.booleans()), lines=lines)

    return changed()


def _written(value: Json, *, ascii_only: bool, lines: bool) -> bytes:
    listed = value if lines and isinstance(value, list) else [value]
    text = "\n".join(json.dumps(one, ensure_ascii=ascii_only) for one in listed)
    for name, raw in RAW.items():
        text = text.replace(json.dumps(name), raw)
    return text.encode("utf-8", "replace")


def _places(value: Json, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """The path to every value."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from _places(member, *path, name)


def _holder(value: Json, path: tuple[str | int, ...]) -> Json:
    """What holds the value at the end of a path, if it is still there."""
    for name in path[:-1]:
        try:
            value = value[name]
        except (LookupError, TypeError):
            return None
    there = isinstance(value, dict) and path[-1] in value
    return value if there or (isinstance(value, list) and isinstance(path[-1], int) and path[-1] < len(value)) else None


def _odd(draw: st.DrawFn) -> Json:
    """A value of its own each time: what is changed in it later must not come back."""
    return json.loads(json.dumps(draw(st.sampled_from(ODD))))


def _exchange(draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    odd = _odd(draw)
    if not path:
        return odd
    if (holder := _holder(value, path)) is not None:
        holder[path[-1]] = odd
    return value


def _leave_out(_draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    if path and (holder := _holder(value, path)) is not None:
        del holder[path[-1]]
    return value


def _repeat(draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    if path and isinstance(holder := _holder(value, path), list):
        holder.insert(draw(st.integers(0, len(holder))), json.loads(json.dumps(holder[int(path[-1])])))
    return value


def _swap(_draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    if path and isinstance(holder := _holder(value, path), list):
        holder.reverse()
    return value


def _add(draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    holder = _holder(value, path) if path else value
    if isinstance(holder, dict):
        name = draw(st.sampled_from(["extra", "", "a/b", "~", "id", "0", "split", "question_id", "é"]))
        holder[name] = _odd(draw)
    return value


def _rename(draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    if path and isinstance(holder := _holder(value, path), dict):
        holder[draw(st.sampled_from(["x", "", "a/b", "7", "é"]))] = holder.pop(path[-1])
    return value


def _wrap(_draw: st.DrawFn, value: Json, path: tuple[str | int, ...]) -> Json:
    if not path:
        return [value]
    if (holder := _holder(value, path)) is not None:
        holder[path[-1]] = [holder[path[-1]]]
    return value


Change = Callable[[st.DrawFn, Json, tuple[str | int, ...]], Json]
CHANGES: list[Change] = [_exchange, _exchange, _exchange, _leave_out, _repeat, _swap, _add, _add, _rename, _wrap]


def _lines(content: bytes) -> st.SearchStrategy[bytes]:
    """Text with a line left out, repeated or exchanged, or with another word in it."""
    lines = content.decode("utf-8-sig").split("\n")

    @st.composite
    def changed(draw: st.DrawFn) -> bytes:
        listed = list(lines)
        place = draw(st.integers(0, len(listed) - 1))
        way = draw(st.integers(0, 4))
        odd = draw(st.sampled_from([str(value) for value in ODD if not isinstance(value, dict)]))
        if way == 0:
            del listed[place]
        elif way == 1:
            listed.insert(place, listed[place])
        elif way == 2:
            listed[place] = odd
        elif way == 3:
            listed[place] += odd
        else:
            cells = listed[place].split(",")
            cells[draw(st.integers(0, len(cells) - 1))] = odd
            listed[place] = ",".join(cells)
        return "\n".join(listed).encode("utf-8", "replace")

    return changed()
