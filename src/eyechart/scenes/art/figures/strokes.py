"""The few shapes that bodies are made of, as path data, so that every limb in the world has the same roundness."""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from eyechart.scenes.art.model import Point

__all__ = ["Circle", "capsule", "cuff", "cuff_sides", "hull", "number", "rounded", "sides", "smooth", "wrap"]

Circle = tuple[float, float, float]
"""Middle and radius."""

_SAMPLES = 48
"""Directions in which a circle is looked at to find out where it bulges out of a hull."""


def number(value: float) -> str:
    """A coordinate as short as a hundredth of a pixel allows.

    >>> number(-0.0041), number(12.5), number(3.14159)
    ('0', '12.5', '3.14')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _numbers(*values: float) -> str:
    return " ".join(map(number, values))


def capsule(length: float, start: float, end: float) -> str:
    """A limb that hangs down from the origin: two circles and their outer tangents.

    >>> capsule(10, 2, 2)
    'M-2 0A2 2 0 0 1 2 0L2 10A2 2 0 0 1 -2 10Z'
    """
    top, bottom, wide = _tangents(length, start, end)
    return (
        f"M{_numbers(-top[0], top[1])}A{_numbers(start, start)} 0 {int(not wide)} 1 {_numbers(*top)}"
        f"L{_numbers(*bottom)}A{_numbers(end, end)} 0 {int(wide)} 1 {_numbers(-bottom[0], bottom[1])}Z"
        if start != end
        else f"M{_numbers(-start, 0)}A{_numbers(start, start)} 0 0 1 {_numbers(start, 0)}"
        f"L{_numbers(end, length)}A{_numbers(end, end)} 0 0 1 {_numbers(-end, length)}Z"
    )


def sides(length: float, start: float, end: float, begin: float = 0) -> str:
    """The edge of a capsule without its upper end, where it grows out of another; ``begin`` skips a share of it.

    >>> sides(10, 2, 2, 0.5)
    'M2 5L2 10A2 2 0 0 1 -2 10L-2 5'
    """
    (x1, y1), (x2, y2), wide = _tangents(length, start, end)
    x, y = x1 + (x2 - x1) * begin, y1 + (y2 - y1) * begin
    arc = f"A{_numbers(end, end)} 0 {int(wide)} 1 {_numbers(-x2, y2)}"
    return f"M{_numbers(x, y)}L{_numbers(x2, y2)}{arc}L{_numbers(-x, y)}"


def _tangents(length: float, start: float, end: float) -> tuple[Point, Point, bool]:
    """Where the right tangent touches both circles, and whether the lower one shows more than its half."""
    lean = math.asin(max(-1.0, min(1.0, (start - end) / max(length, 1e-9))))
    x, y = math.cos(lean), math.sin(lean)
    return (start * x, start * y), (end * x, length + end * y), lean < 0


def hull(points: Iterable[Point]) -> list[Point]:
    """The convex hull, clockwise on the screen (Andrew's monotone chain).

    >>> hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)])
    [(0, 0), (2, 0), (2, 2), (0, 2)]
    """
    ordered = sorted(set(points))
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1] if len(ordered) > 1 else ordered


def _half(points: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def rounded(corners: Sequence[Point], radius: float) -> str:
    """The outline at a distance from a convex polygon whose corners go clockwise.

    >>> rounded([(0, 0), (4, 0)], 1)
    'M0 -1L4 -1A1 1 0 0 1 4 1L0 1A1 1 0 0 1 0 -1Z'
    """
    path, turn = [], f"A{number(radius)} {number(radius)} 0 0 1 "
    for (x1, y1), (x2, y2) in pairwise([*corners, corners[0]]):
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (y2 - y1) / length * radius, (x1 - x2) / length * radius
        path.append(f"{_numbers(x1 + dx, y1 + dy)}L{_numbers(x2 + dx, y2 + dy)}")
    first = path[0].partition("L")[0]
    return f"M{turn.join(path)}{turn}{first}Z"


def wrap(circles: Sequence[Circle]) -> str:
    """The outline of a skin that is pulled tightly over circles.

    >>> wrap([(0, 0, 2), (0, 0, 1)])
    'M-2 0A2 2 0 1 1 -2 0.01Z'
    """
    owner = {
        (x + r * math.cos(angle), y + r * math.sin(angle)): place
        for place, (x, y, r) in enumerate(circles)
        for angle in (step * math.tau / _SAMPLES for step in range(_SAMPLES))
    }
    around = hull(owner)
    runs = [(place, [*run]) for place, run in groupby(around, key=owner.__getitem__)]
    if len(runs) == 1:
        x, y, r = circles[runs[0][0]]
        return f"M{_numbers(x - r, y)}A{_numbers(r, r)} 0 1 1 {_numbers(x - r, y + 0.01)}Z"
    if runs[0][0] == runs[-1][0]:
        place, run = runs.pop()
        runs[0] = (place, run + runs[0][1])
    path = ""
    for place, run in runs:
        r = circles[place][2]
        wide = int(len(run) > _SAMPLES / 2 + 1)
        path += f"{'L' if path else 'M'}{_numbers(*run[0])}"
        path += f"A{_numbers(r, r)} 0 {wide} 1 {_numbers(*run[-1])}" if len(run) > 1 else ""
    return path + "Z"


def smooth(points: Sequence[Point]) -> str:
    """A smooth line through points (Catmull-Rom as cubic curves): spines of snakes, tails, trunks.

    >>> smooth([(0, 0), (6, 0)])
    'M0 0C1 0 5 0 6 0'
    """
    ends = [points[0], *points, points[-1]]
    path = f"M{_numbers(*points[0])}"
    for before, a, b, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        first = (a[0] + (b[0] - before[0]) / 6, a[1] + (b[1] - before[1]) / 6)
        second = (b[0] - (after[0] - a[0]) / 6, b[1] - (after[1] - a[1]) / 6)
        path += "C" + _numbers(*first, *second, *b)
    return path


def cuff(length: float, start: float, end: float) -> str:
    """A sleeve or trouser leg: round where it is set in, almost level where the limb comes out.

    >>> cuff(10, 2, 2)
    'M-2 0A2 2 0 0 1 2 0L2 10Q0 11 -2 10Z'
    """
    return (
        f"M{_numbers(-start, 0)}A{_numbers(start, start)} 0 0 1 {_numbers(start, 0)}"
        f"L{_numbers(end, length)}Q{_numbers(0, length + 1, -end, length)}Z"
    )


def cuff_sides(length: float, start: float, end: float) -> str:
    """The edge of a cuff without its round end.

    >>> cuff_sides(10, 2, 2)
    'M2 0L2 10Q0 11 -2 10L-2 0'
    """
    hem = f"L{_numbers(end, length)}Q{_numbers(0, length + 1, -end, length)}"
    return f"M{_numbers(start, 0)}{hem}L{_numbers(-start, 0)}"
