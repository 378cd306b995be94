"""The body plan of what goes on four legs: a trunk, a neck, a head, a tail and four limbs of three bones."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec

from eyechart.scenes.art.figures.brush import read_brush, read_strokes
from eyechart.scenes.art.figures.plans import Layer, Rig, Skin, Stance, eye, shaded, united
from eyechart.scenes.art.figures.rig import Bone
from eyechart.scenes.art.figures.strokes import Circle, capsule, sides
from eyechart.scenes.art.model import Point

__all__ = ["Quadruped", "QuadrupedPose"]

Taper = tuple[float, float, float]
"""Length, radius at the upper end, radius at the lower end."""
_Layers = Callable[..., Layer]
"""Makes a layer of strokes on a bone."""


class _Leg(msgspec.Struct, forbid_unknown_fields=True):
    """A pair of legs; the far one stands a little aside."""

    at: Point
    upper: Taper
    lower: Taper
    foot: Taper
    art: tuple[str, ...] = ()
    """Hoof or paw, in the frame of the foot."""
    paint: str = ""
    """Of the lower leg, if it differs from the coat."""
    far: Point = (5.0, -1.0)
    begin: float = 0.45
    """The share of the upper leg that has no edge, since it is one with the trunk."""


class _Neck(msgspec.Struct, forbid_unknown_fields=True):
    at: Point
    length: float
    base: float
    top: float
    turn: float
    """Degrees: 90 is forward, 180 is up."""


class _Tail(msgspec.Struct, forbid_unknown_fields=True):
    at: Point
    turn: float = 0.0
    art: tuple[str, ...] = ()
    front: bool = False
    """Whether it is before the trunk."""


class Quadruped(msgspec.Struct, forbid_unknown_fields=True):
    """Proportions and drawings of one animal, in its own pixels."""

    trunk: tuple[Circle, ...]
    neck: _Neck
    front: _Leg
    hind: _Leg
    tail: _Tail
    chin: Point
    """What comes to the ground when it eats, in the frame of the head."""
    head: tuple[str, ...]
    behind: tuple[str, ...] = ()
    """What of the head is behind the trunk: far ears, horns."""
    eyes: tuple[Circle, ...] = ()
    coat: str = "coat"
    far_coat: str = ""
    marks: tuple[str, ...] = ()
    """On the trunk."""
    over: tuple[str, ...] = ()
    """On the trunk, before the near legs: a shell."""
    hides: str = ""
    """The state in which only what is over the trunk is seen."""
    mane: tuple[str, ...] = ()
    """On the neck."""
    seat: Point | None = None
    """Where somebody sits on the trunk."""

    def rig(self, known: Mapping[str, str], where: str) -> Rig:
        """Bones and layers."""
        bones = self._bones(known, where)
        number = {bone.name: place for place, bone in enumerate(bones)}
        out = f"-{self.hides}" if self.hides else ""
        coat = replace(read_brush(self.coat, known, where), when=out)

        def layer(bone: str, texts: tuple[str, ...], when: str = out) -> Layer:
            return Layer(number[bone], read_strokes(texts, known, f"{where}: {bone}"), when)

        trunk = tuple((0, circle) for circle in self.trunk)
        neck = ((0, (*self.neck.at, self.neck.base)), (number["head"], (0.0, 0.0, self.neck.top)))
        tail = layer("tail", self.tail.art)
        return Rig(
            bones=bones,
            layers=(
                *(() if self.tail.front else (tail,)),
                layer("head", self.behind),
                *self._leg("far hind", self.hind, layer),
                *self._leg("far front", self.front, layer),
                *united(Skin(trunk, coat), Skin(neck, coat)),
                layer("root", self.marks),
                *((tail,) if self.tail.front else ()),
                *self._leg("hind", self.hind, layer),
                *self._leg("front", self.front, layer),
                layer("root", self.over, ""),
                layer("neck", self.mane),
                layer("head", (*self.head, *(text for circle in self.eyes for text in eye(*circle)))),
            ),
            points={
                "chin": (number["head"], self.chin),
                **({"seat": (0, self.seat)} if self.seat else {}),
            },
            rest={"neck": self.neck.turn, "tail": self.tail.turn},
        )

    def _bones(self, known: Mapping[str, str], where: str) -> tuple[Bone, ...]:
        bones = [
            Bone("root", touch=self.trunk),
            Bone("neck", 0, self.neck.at),
            Bone("head", 1, (0.0, self.neck.length)),
            Bone("tail", 0, self.tail.at),
        ]
        foot_points = {
            name: [point for stroke in read_strokes(leg.art, known, f"{where}: {name}") for point in stroke.points]
            for name, leg in (("front", self.front), ("hind", self.hind))
        }
        for name, leg in (
            ("far hind", self.hind),
            ("far front", self.front),
            ("hind", self.hind),
            ("front", self.front),
        ):
            dx, dy = leg.far if name.startswith("far") else (0.0, 0.0)
            top = len(bones)
            length, start, ankle = leg.foot
            # Far feet stand a little farther up in the picture.
            up = 3.0 if name.startswith("far") else 0.0
            ends = ((0.0, 0.0, start - up), (0.0, length, ankle - up))
            touch = (*ends, *((x, y, -up) for x, y in foot_points[name.removeprefix("far ")]))
            bones += [
                Bone(f"{name} upper", 0, (leg.at[0] + dx, leg.at[1] + dy)),
                Bone(f"{name} lower", top, (0.0, leg.upper[0])),
                Bone(f"{name} foot", top + 1, (0.0, leg.lower[0]), touch=touch),
            ]
        return tuple(bones)

    def _leg(self, name: str, leg: _Leg, layer: _Layers) -> tuple[Layer, ...]:
        far = name.startswith("far")
        coat = (far and self.far_coat) or self.coat
        lower = leg.paint or coat
        pieces = {
            "upper": (f"{coat} flat: {capsule(*leg.upper)}", f"ink line 1.2 .3: {sides(*leg.upper, leg.begin)}"),
            "lower": (f"{lower} flat: {capsule(*leg.lower)}", f"ink line 1.2 .3: {sides(*leg.lower)}"),
            "foot": (f"{lower} flat: {capsule(*leg.foot)}", f"ink line 1.2 .3: {sides(*leg.foot)}", *leg.art),
        }
        return tuple(layer(f"{name} {bone}", shaded(texts) if far else texts) for bone, texts in pieces.items())


class QuadrupedPose(msgspec.Struct, forbid_unknown_fields=True):
    """A pose: degrees by bone, limbs as lists of three."""

    attributes: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    settle: bool = False
    reach: bool = False
    stream: float = 0.0
    lift: float = 0.0
    root: float = 0.0
    neck: float = 0.0
    head: float = 0.0
    tail: float = 0.0
    front: tuple[float, float, float] = (0.0, 0.0, 0.0)
    far_front: tuple[float, float, float] | None = None
    hind: tuple[float, float, float] = (0.0, 0.0, 0.0)
    far_hind: tuple[float, float, float] | None = None

    def stance(self) -> Stance:
        """Degrees for every bone."""
        turns = {name: getattr(self, name) for name in ("root", "neck", "head", "tail")}
        for name, limb in (
            ("front", self.front),
            ("hind", self.hind),
            ("far front", self.far_front or self.front),
            ("far hind", self.far_hind or self.hind),
        ):
            turns |= {f"{name} {bone}": turn for bone, turn in zip(("upper", "lower", "foot"), limb, strict=True)}
        return Stance(
            turns=turns,
            attributes=self.attributes,
            states=frozenset(self.states),
            settle=self.settle,
            reach=self.reach,
            stream=self.stream,
            lift=self.lift,
        )
