"""Strokes as data files write them, a paint and a shape in one line: ``coat: circle 0 0 9``.

A paint is a slot, a colour of the palette, ``ink``, or a name like ``skin`` that the caller knows; it says how it is
laid on:

- ``coat`` fills and has the common edge; ``coat flat`` fills without edge; ``ink .12`` fills, that much opaque;
- ``ink line 2`` draws a line of that width instead;
- ``asleep? ink line 2`` is only drawn in the state asleep, ``-asleep? …`` only out of it.

A shape is ``circle x y r``, ``ellipse x y rx ry`` with or without an angle, or path data of absolute commands.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from eyechart.errors import FormatError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.drawings import STYLE
from eyechart.scenes.art.model import Point
from eyechart.scenes.art.palette import palette

__all__ = ["INK", "Brush", "Stroke", "paints", "read_brush", "read_stroke", "read_strokes"]

INK = STYLE["stroke"]

_BRUSH = re.compile(
    r"(?:(?P<when>-?[a-z]+)\? )?(?P<paint>[a-z ]+?)"
    r"(?P<flat> flat)?(?: line (?P<width>\d*\.?\d+))?(?: (?P<opacity>\.\d+))?"
)
_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
_PATH = re.compile(rf"(?:[MLCQSAZ]|{_NUMBER}|[\s,])+")
_STEP = re.compile(r"([MLCQSAZ])([^MLCQSAZ]*)")
_ROUND = {"circle": (3,), "ellipse": (4, 5)}
_ARC = 7
"""Numbers of an arc: two radii, three flags, a point."""


@dataclass(frozen=True, slots=True)
class Brush:
    """How something is painted."""

    attributes: str
    """SVG attributes; the colours of slots in braces."""
    slot: str | None = None
    """The slot that gives the colour."""
    when: str = ""
    """The state in which it paints, or not with a leading minus; always if empty."""
    width: float = 0.0
    """Of a line."""

    def paint(self, path: str) -> str:
        """A path in this paint.

        >>> Brush('fill="{coat}"', "coat").paint("M0 0L1 1")
        '<path d="M0 0L1 1" fill="{coat}"/>'
        """
        return f'<path d="{path}" {self.attributes}/>'

    def shows(self, states: frozenset[str]) -> bool:
        """Whether it paints in a figure of these states.

        >>> Brush("", when="-asleep").shows(frozenset({"asleep"}))
        False
        """
        return not self.when or ((self.when[1:] not in states) if self.when[0] == "-" else self.when in states)


@dataclass(frozen=True, slots=True)
class Stroke:
    """Something painted."""

    svg: str
    """An element; the colours of slots in braces."""
    points: tuple[Point, ...]
    """It lies within the convex hull of these, but for the width of its edge."""
    slot: str | None = None
    when: str = ""

    def shows(self, states: frozenset[str]) -> bool:
        """Whether it is drawn in a figure of these states.

        >>> Stroke("", (), when="asleep").shows(frozenset({"asleep"}))
        True
        """
        return Brush("", when=self.when).shows(states)


def paints(slots: Mapping[str, object]) -> dict[str, str]:
    """What each name of a paint stands for: slots in braces, ink, and the palette.

    >>> paints({"coat": None})["coat"], paints({})["ink"]
    ('{coat}', '#1b1f24')
    """
    return {**palette(), "ink": INK, **{name: f"{{{name}}}" for name in slots}}


def read_brush(text: str, known: Mapping[str, str], where: str) -> Brush:
    """The brush that a text describes.

    >>> read_brush("coat flat", paints({"coat": None}), "dog.toml")
    Brush(attributes='fill="{coat}" stroke="none"', slot='coat', when='', width=0.0)
    """
    found = _BRUSH.fullmatch(text)
    if not found or found["paint"] not in known:
        near = did_you_mean(found["paint"] if found else text, known)
        raise FormatError(f"{where}: found the paint {text!r}, expected a slot, ink or a colour; {near}")
    color, opacity = known[found["paint"]], found["opacity"]
    slot = found["paint"] if color.startswith("{") else None
    if found["width"]:
        attributes = f'fill="none" stroke="{color}" stroke-width="{found["width"]}" stroke-opacity="{opacity or 1}"'
    else:
        flat = ' stroke="none"' if found["flat"] or opacity else ""
        attributes = f'fill="{color}"' + (f' fill-opacity="{opacity}"' if opacity else "") + flat
    return Brush(attributes, slot, found["when"] or "", float(found["width"] or 0))


def read_strokes(texts: tuple[str, ...], known: Mapping[str, str], where: str) -> tuple[Stroke, ...]:
    """The strokes of a list, the hindmost first.

    >>> [stroke.slot for stroke in read_strokes(("ink: circle 0 0 2",), paints({}), "dog.toml")]
    [None]
    """
    return tuple(read_stroke(text, known, where) for text in texts)


def read_stroke(text: str, known: Mapping[str, str], where: str) -> Stroke:
    """The stroke that a line describes.

    >>> read_stroke("ink: circle 0 0 2", paints({}), "dog.toml").svg
    '<circle cx="0" cy="0" r="2" fill="#1b1f24"/>'
    """
    paint, colon, shape = text.partition(": ")
    if not colon:
        raise FormatError(f"{where}: found {text!r}, expected a paint, a colon and a shape; separate them")
    brush = read_brush(paint, known, where)
    kind, *values = shape.split()
    if kind in _ROUND:
        if len(values) not in _ROUND[kind] or not all(re.fullmatch(_NUMBER, value) for value in values):
            raise FormatError(f"{where}: found {shape!r}, expected {kind} and {_ROUND[kind][-1]} numbers; correct them")
        return _round(values, brush)
    if not _PATH.fullmatch(shape):
        raise FormatError(
            f"{where}: found the shape {shape!r}, expected path data of absolute M L C Q S A Z; correct it"
        )
    half = brush.width / 2
    corners = _corners(shape)
    if half:
        corners = tuple((x + a * half, y + b * half) for x, y in corners for a in (-1, 1) for b in (-1, 1))
    return Stroke(brush.paint(shape), corners, brush.slot, brush.when)


def _round(values: list[str], brush: Brush) -> Stroke:
    x, y, rx, ry = map(float, (*values, values[2])[:4])
    far = max(rx, ry) if len(values) == _ROUND["ellipse"][-1] else 0.0
    across, down = max(rx, far), max(ry, far)
    corners = tuple((x + a * across, y + b * down) for a in (-1, 1) for b in (-1, 1))
    radii = f'r="{values[2]}"' if len(values) == _ROUND["circle"][0] else f'rx="{values[2]}" ry="{values[3]}"'
    tag = "circle" if len(values) == _ROUND["circle"][0] else "ellipse"
    turn = f' transform="rotate({values[4]} {values[0]} {values[1]})"' if far else ""
    svg = f'<{tag} cx="{values[0]}" cy="{values[1]}" {radii}{turn} {brush.attributes}/>'
    return Stroke(svg, corners, brush.slot, brush.when)


def _corners(path: str) -> tuple[Point, ...]:
    """Ends and handles of curves: a curve lies within their hull; an arc within its radii around both ends."""
    points: list[Point] = []
    for command, listed in _STEP.findall(path):
        values = [float(value) for value in re.findall(_NUMBER, listed)]
        if command != "A":
            points += zip(values[::2], values[1::2], strict=True)
            continue
        for rx, ry, _, _, _, x, y in zip(*(values[place::_ARC] for place in range(_ARC)), strict=True):
            ends = (points[-1], (x, y))
            points += [(px + a * rx, py + b * ry) for px, py in ends for a in (-1, 1) for b in (-1, 1)]
            points.append((x, y))
    return tuple(points)
