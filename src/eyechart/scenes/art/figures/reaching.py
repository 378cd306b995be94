"""How a limb of two bones reaches a point: the law of cosines, and which way the joint between them bends."""

import math
from collections.abc import Sequence

from eyechart.scenes.art.figures.rig import Bone, turned
from eyechart.scenes.art.figures.rig import place as place_bones
from eyechart.scenes.art.model import Point

__all__ = ["bends", "reached"]

_PLAY = 1e-6
"""Two bones that are straight to a rounding error reach the farthest point."""


def bends(upper: float, lower: float, to: Point, way: int) -> tuple[float, float] | None:
    """How far the upper bone is turned in the picture, and how far the lower one is bent against it; None if too far.

    ``to`` is where the end comes, seen from the joint of the upper bone; ``way`` is 1 for elbows, which bend forward,
    and -1 for knees.

    >>> [round(math.degrees(turn)) for turn in bends(10, 10, (-10, 10), 1)]
    [0, 90]
    >>> bends(10, 10, (0, 21), 1) is None
    True
    """
    distance = math.hypot(*to)
    if distance < _PLAY:
        return None
    cosine = (distance**2 - upper**2 - lower**2) / (2 * upper * lower)
    if abs(cosine) > 1 + _PLAY:
        return None
    bend = way * math.acos(max(-1.0, min(1.0, cosine)))
    aim = math.atan2(-to[0], to[1])
    return aim - math.atan2(lower * math.sin(bend), upper + lower * math.cos(bend)), bend


def reached(
    bones: Sequence[Bone], turns: Sequence[float], limb: tuple[int, int, int | None], lower: float, point: Point
) -> tuple[float, ...] | None:
    """The turns of a figure whose limb ends at a point; None if it is out of reach or a joint would not bend so.

    ``limb`` is its upper bone, its lower one, and the hand or foot, if that moves by itself: it is then in line with
    the lower bone. ``lower`` is the length from the middle joint to the end.
    """
    first, second, last = limb
    joints = place_bones(bones, turned(bones, turns))
    start, (_, length) = joints[first], bones[second].at
    way = 1 if bones[second].high > -bones[second].low else -1
    found = bends(length, lower, (point[0] - start.x, point[1] - start.y), way)
    if found is None:
        return None
    parent = bones[first].parent
    above = 0.0 if parent is None else joints[parent].turn
    changed = list(turns)
    changed[first] = _near(found[0] - above, bones[first])
    changed[second] = found[1]
    if last is not None:
        changed[last] = 0.0
    fits = all(bones[each].low <= changed[each] <= bones[each].high for each in (first, second))
    return tuple(changed) if fits else None


def _near(turn: float, bone: Bone) -> float:
    """The same direction as a number that is nearest to the middle of what the joint allows."""
    middle = (bone.low + bone.high) / 2
    return turn + math.tau * round((middle - turn) / math.tau)
