"""The bones of people, from a few measures: fifteen limbs, or eight for toddlers."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from eyechart.scenes.art.figures.rig import Bone
from eyechart.scenes.art.figures.strokes import Circle
from eyechart.scenes.art.model import Point

__all__ = ["ARMS", "LEGS", "SIDES", "Build", "Mount", "Skeleton", "skeleton"]

SIDES = ("left", "right")
"""Somebody who faces left shows the left side."""
ARMS, LEGS = ("upper arm", "forearm", "hand"), ("thigh", "shin", "foot")

Taper = tuple[float, float, float]
"""Length, radius at the upper end, radius at the lower end."""


class Build(msgspec.Struct, forbid_unknown_fields=True):
    """Measures of a body, in scene pixels at depth 0."""

    limbs: int
    """Fifteen or eight."""
    head: float
    """Size of the head, of which 1 is an adult's."""
    neck: float
    torso: float
    """From hips to shoulders."""
    shoulders: float
    """Half of their width, as seen from the side and a little from the front."""
    waist: float
    hips: float
    upper_arm: Taper
    forearm: Taper
    hand: float
    """Size of the hand, of which 1 is an adult's."""
    thigh: Taper
    shin: Taper
    foot: float
    """Size of the foot, of which 1 is an adult's."""
    stoop: float = 0.0
    """Degrees by which the torso leans forward at rest."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a limb is: a bone, and a point on it that is the limb's own origin."""

    bone: int
    at: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Bones, and where each limb is on them; limbs without a bone of their own are fixed to another."""

    bones: tuple[Bone, ...]
    mounts: Mapping[str, Mount]


_FEW = 8
"""Limbs of a toddler."""
_FIXED = {"torso", "hand", "shin", "foot"}
"""Limbs that a toddler does not move by themselves."""
_NOWHERE = Mount(0)


def skeleton(build: Build, limits: Mapping[str, tuple[float, float]]) -> Skeleton:
    """The skeleton of a build; limits are degrees by kind of limb."""
    few = build.limbs == _FEW
    mounts: dict[str, Mount] = {}
    drafts: list[tuple[str, int | None, Point, list[Circle]]] = []
    for name, on, (x, y) in _limbs(build):
        mount, kind = mounts.get(on, _NOWHERE), name.split()[-1]
        at = (x + mount.at[0], y + mount.at[1])
        if few and kind in _FIXED:
            mounts[name] = Mount(mount.bone, at)
        else:
            mounts[name] = Mount(len(drafts))
            drafts.append((name, mount.bone if on else None, at, []))
        on_bone = mounts[name]
        drafts[on_bone.bone][3].extend(
            (cx + on_bone.at[0], cy + on_bone.at[1], r) for cx, cy, r in _touches(kind, build)
        )
    bones = []
    for name, parent, at, touch in drafts:
        low, high = limits[_kind(name, few=few)]
        called = "torso" if few and parent is None else name
        bones.append(Bone(called, parent, at, math.radians(low), math.radians(high), tuple(touch)))
    return Skeleton(tuple(bones), mounts)


def _kind(name: str, *, few: bool) -> str:
    """The row of a limb in the table of limits."""
    kind = name.removeprefix("left ").removeprefix("right ")
    return "leg" if few and kind == "thigh" else kind


def _limbs(build: Build) -> Iterator[tuple[str, str, Point]]:
    """Name, what it hangs on, and where on that; parents first."""
    yield "hips", "", (0.0, 0.0)
    yield "torso", "hips", (0.0, -3.0)
    yield "head", "torso", (-0.06 * build.shoulders, -build.torso - build.neck)
    for side, way in zip(SIDES, (1.0, -1.0), strict=True):
        upper, lower, end = (f"{side} {limb}" for limb in ARMS)
        yield upper, "torso", (way * build.shoulders * 0.8, build.upper_arm[1] - build.torso)
        yield lower, upper, (0.0, build.upper_arm[0])
        yield end, lower, (0.0, build.forearm[0])
    for side, way in zip(SIDES, (1.0, -1.0), strict=True):
        upper, lower, end = (f"{side} {limb}" for limb in LEGS)
        yield upper, "hips", (way * build.hips * 0.45, 2.0)
        yield lower, upper, (0.0, build.thigh[0])
        yield end, lower, (0.0, build.shin[0])


def _touches(kind: str, build: Build) -> tuple[Circle, ...]:
    """What of a limb may touch the ground."""
    skull, foot, hand = 20 * build.head, build.foot, build.hand
    wide, high = build.shoulders, build.torso
    circles: dict[str, tuple[Circle, ...]] = {
        "hips": ((-build.hips / 2, 3.0, build.hips / 2), (build.hips / 2, 3.0, build.hips / 2)),
        "torso": ((wide - 6, 6 - high, 6.0), (6 - wide, 6 - high, 6.0)),
        "head": ((-1.5, -skull, skull),),
        "forearm": ((0.0, 0.0, build.forearm[1]),),
        "hand": ((0.0, 6 * hand, 4 * hand),),
        "shin": ((0.0, 0.0, build.shin[1]),),
        "foot": ((5 * foot, 5 * foot, 3 * foot), (-12 * foot, 5 * foot, 3 * foot)),
    }
    return circles.get(kind.rsplit(maxsplit=1)[-1], ())
