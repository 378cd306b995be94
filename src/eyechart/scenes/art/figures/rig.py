"""Jointed figures: bones that hang on each other by pivots, and where all of them are in a pose."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eyechart.scenes.art.figures.strokes import Circle
from eyechart.scenes.art.model import Box, Point

__all__ = ["Bone", "Joint", "bounds", "lowest", "place", "spot", "turned"]


@dataclass(frozen=True, slots=True)
class Bone:
    """A stiff piece of a figure; in its own frame its pivot is the origin, and it hangs down."""

    name: str
    parent: int | None = None
    """The place of the bone that it hangs on, which comes earlier; None for the root."""
    at: Point = (0.0, 0.0)
    """The pivot in the frame of the parent."""
    low: float = -math.pi
    """The least bend of the joint in radians; clockwise is positive, so limbs that hang swing to the left."""
    high: float = math.pi
    touch: tuple[Circle, ...] = ()
    """Circles that bound the bone where it may touch the ground."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Where the pivot of a bone is in the figure, and how far the bone is turned, in radians."""

    x: float
    y: float
    turn: float


def turned(bones: Sequence[Bone], bends: Sequence[float]) -> tuple[float, ...]:
    """How far each bone is turned in the picture: bends add up along the chain.

    >>> arm = (Bone("upper"), Bone("lower", 0))
    >>> turned(arm, [0.5, 1.0])
    (0.5, 1.5)
    """
    turns: list[float] = []
    for bone, bend in zip(bones, bends, strict=True):
        turns.append(bend if bone.parent is None else turns[bone.parent] + bend)
    return tuple(turns)


def place(bones: Sequence[Bone], turns: Sequence[float]) -> tuple[Joint, ...]:
    """Where every bone is, given how far each is turned in the picture.

    >>> arm = (Bone("upper"), Bone("lower", 0, (0, 10)))
    >>> place(arm, [math.pi / 2, 0])[1]
    Joint(x=-10.0, y=0.0, turn=0)
    """
    joints: list[Joint] = []
    for bone, turn in zip(bones, turns, strict=True):
        x, y = bone.at if bone.parent is None else spot(joints[bone.parent], bone.at)
        joints.append(Joint(x, y, turn))
    return tuple(joints)


def spot(joint: Joint, point: Point) -> Point:
    """Where a point of a bone is in the figure, to a millionth of a pixel.

    >>> spot(Joint(5, 5, math.pi), (1, 2))
    (4.0, 3.0)
    """
    sine, cosine = math.sin(joint.turn), math.cos(joint.turn)
    x, y = point
    return round(joint.x + x * cosine - y * sine, 6), round(joint.y + x * sine + y * cosine, 6)


def lowest(bones: Sequence[Bone], joints: Sequence[Joint]) -> float:
    """The height of the ground below a posed figure: the lowest point of what may touch it.

    >>> lowest([Bone("leg", touch=((0, 10, 2),))], [Joint(0, 0, 0)])
    12.0
    """
    return max(
        spot(joint, (x, y))[1] + radius
        for bone, joint in zip(bones, joints, strict=True)
        for x, y, radius in bone.touch
    )


def bounds(points: Iterable[Point], margin: float = 0.0) -> Box:
    """The box around points, a little wider.

    >>> bounds([(0, 1), (2, 0)], 1)
    (-1, -1, 3, 2)
    """
    xs, ys = zip(*points, strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
