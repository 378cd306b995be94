"""The surface of a pattern: optional parts in brackets, alternatives in parentheses, slots in braces.

``Is there {any k} [in the (picture|image)]?`` has three surface forms. They are all written out when patterns are
compiled, so that a draw is a lookup and every form can be read and tested.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

__all__ = ["Surface", "SurfaceError", "surfaces"]

_TOKEN = re.compile(r"\{[^{}]*\}|[\[\]()|]|[^\[\]()|{}]+|[{}]")
_CLOSING = {"[": "]", "(": ")"}
_BEFORE_MARK = re.compile(r" +([?.!,;:])")
_BLANKS = re.compile(r" {2,}")


class SurfaceError(ValueError):
    """A text whose brackets do not fit; says where."""


@dataclass(frozen=True, slots=True)
class Surface:
    """One way to write a pattern, and how likely it is."""

    text: str
    weight: float


def surfaces(text: str) -> tuple[Surface, ...]:
    """Every surface form of a text; optional parts are there half of the time, alternatives are equally likely.

    >>> [(each.text, each.weight) for each in surfaces("(Is|Was) it [very ]red?")]
    [('Is it red?', 0.25), ('Is it very red?', 0.25), ('Was it red?', 0.25), ('Was it very red?', 0.25)]
    """
    tokens = _TOKEN.findall(text)
    found, end = _choices(tokens, 0, "")
    if end < len(tokens):
        raise SurfaceError(f"found {tokens[end]!r} without its beginning")
    merged: dict[str, float] = {}
    for form, weight in found:
        tidy = _BLANKS.sub(" ", _BEFORE_MARK.sub(r"\1", form)).strip()
        merged[tidy] = merged.get(tidy, 0) + weight
    return tuple(Surface(form, weight) for form, weight in merged.items())


Forms = list[tuple[str, float]]


def _choices(tokens: list[str], start: int, closing: str) -> tuple[Forms, int]:
    """Alternatives up to a closing bracket; the place of that bracket."""
    options: list[Forms] = []
    place = start
    while True:
        forms, place = _sequence(tokens, place)
        options.append(forms)
        if place == len(tokens) or tokens[place] != "|" or not closing:
            break
        place += 1
    if closing and (place == len(tokens) or tokens[place] != closing):
        raise SurfaceError(f"found no {closing!r} at the end")
    return [(form, weight / len(options)) for forms in options for form, weight in forms], place


def _sequence(tokens: list[str], start: int) -> tuple[Forms, int]:
    """Parts one after the other, up to a bar or a closing bracket."""
    parts: list[Forms] = []
    place = start
    while place < len(tokens) and tokens[place] not in {"|", "]", ")"}:
        part = tokens[place]
        if part in _CLOSING:
            forms, place = _choices(tokens, place + 1, _CLOSING[part])
            parts.append([("", 0.5), *((form, weight / 2) for form, weight in forms)] if part == "[" else forms)
        elif part in {"{", "}"}:
            raise SurfaceError(f"found {part!r} alone")
        else:
            parts.append([(part, 1.0)])
        place += 1
    return list(_products(parts)), place


def _products(parts: list[Forms]) -> Iterator[tuple[str, float]]:
    for combination in product(*parts):
        weight = 1.0
        for _, each in combination:
            weight *= each
        yield "".join(form for form, _ in combination), weight
