"""The body plan of birds: a trunk, a neck, a head, a tail, wings that are folded or spread, and two thin legs."""

from collections.abc import Mapping

import msgspec

from eyechart.scenes.art.figures.brush import read_brush, read_strokes
from eyechart.scenes.art.figures.plans import Layer, Rig, Skin, Stance, eye, shaded, united
from eyechart.scenes.art.figures.rig import Bone
from eyechart.scenes.art.figures.strokes import Circle, number
from eyechart.scenes.art.model import Point

__all__ = ["Bird", "BirdPose"]

_TOES = 2.0
"""How thick feet are, below the end of the leg."""
_HIDDEN = 178.0
"""Legs that are tucked in point into the body."""


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


class _Wing(msgspec.Struct, forbid_unknown_fields=True):
    at: Point
    folded: tuple[str, ...]
    """On the trunk, from the shoulder backwards."""
    spread: tuple[str, ...]
    """Hanging from the shoulder, its front edge to the right: raised, it is to the left."""
    far: Point = (-4.0, -2.0)


class _Leg(msgspec.Struct, forbid_unknown_fields=True):
    at: Point
    length: float
    width: float = 2.4
    paint: str = "orange"
    foot: tuple[str, ...] = ()
    far: Point = (-5.0, -1.0)


class Bird(msgspec.Struct, forbid_unknown_fields=True):
    """Proportions and drawings of one bird, in its own pixels."""

    trunk: tuple[Circle, ...]
    neck: _Neck
    tail: _Tail
    wing: _Wing
    leg: _Leg
    chin: Point
    """What comes to the ground when it eats, in the frame of the head."""
    head: tuple[str, ...]
    eyes: tuple[Circle, ...] = ()
    coat: str = "coat"
    marks: tuple[str, ...] = ()
    """On the trunk, below the wing."""

    def rig(self, known: Mapping[str, str], where: str) -> Rig:
        """Bones and layers."""
        bones = self._bones()
        at = {bone.name: place for place, bone in enumerate(bones)}
        coat = read_brush(self.coat, known, where)

        def layer(bone: str, texts: tuple[str, ...], when: str = "") -> Layer:
            return Layer(at[bone], read_strokes(texts, known, f"{where}: {bone}"), when)

        trunk = tuple((0, circle) for circle in self.trunk)
        neck = ((0, (*self.neck.at, self.neck.base)), (at["head"], (0.0, 0.0, self.neck.top)))
        leg = (f"{self.leg.paint} line {number(self.leg.width)}: M0 0L0 {number(self.leg.length)}",)
        return Rig(
            bones=bones,
            layers=(
                layer("far wing", shaded(self.wing.spread), "spread"),
                layer("tail", self.tail.art),
                layer("far leg", (*leg, *shaded(())), "-tucked"),
                layer("far foot", shaded(self.leg.foot), "-tucked"),
                layer("leg", leg, "-tucked"),
                layer("foot", self.leg.foot, "-tucked"),
                *united(Skin(trunk, coat), Skin(neck, coat)),
                layer("root", self.marks),
                layer("head", (*self.head, *(text for circle in self.eyes for text in eye(*circle)))),
                layer("folded wing", self.wing.folded, "-spread"),
                layer("wing", self.wing.spread, "spread"),
            ),
            points={"chin": (at["head"], self.chin)},
            rest={"neck": self.neck.turn, "tail": self.tail.turn},
        )

    def _bones(self) -> tuple[Bone, ...]:
        (x, y), (dx, dy) = self.leg.at, self.leg.far
        wing, apart = self.wing.at, self.wing.far
        sole = ((0.0, 0.0, _TOES),)
        return (
            Bone("root", touch=self.trunk),
            Bone("neck", 0, self.neck.at),
            Bone("head", 1, (0.0, self.neck.length)),
            Bone("tail", 0, self.tail.at),
            Bone("far wing", 0, (wing[0] + apart[0], wing[1] + apart[1])),
            Bone("folded wing", 0, wing),
            Bone("wing", 0, wing),
            Bone("far leg", 0, (x + dx, y + dy)),
            Bone("far foot", 7, (0.0, self.leg.length), touch=sole),
            Bone("leg", 0, (x, y)),
            Bone("foot", 9, (0.0, self.leg.length), touch=sole),
        )


class BirdPose(msgspec.Struct, forbid_unknown_fields=True):
    """A pose: degrees by bone; legs and wings as near and far."""

    attributes: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    reach: bool = False
    lift: float = 0.0
    root: float = 0.0
    neck: float = 0.0
    head: float = 0.0
    tail: float = 0.0
    wings: tuple[float, float] = (0.0, 0.0)
    legs: tuple[float, float] = (0.0, 0.0)
    feet: tuple[float, float] = (0.0, 0.0)

    def stance(self) -> Stance:
        """Degrees for every bone; what turns with the trunk turns with it."""
        tucked = "tucked" in self.states
        turns = {"root": self.root, "neck": self.neck + self.root, "tail": self.tail + self.root, "head": self.head}
        turns |= {"folded wing": self.root, "wing": self.wings[0], "far wing": self.wings[1]}
        for name, leg, foot in zip(("leg", "far leg"), self.legs, self.feet, strict=True):
            turns |= {name: _HIDDEN if tucked else leg, name.replace("leg", "foot"): foot}
        return Stance(
            turns=turns,
            attributes=self.attributes,
            states=frozenset(self.states),
            reach=self.reach,
            lift=self.lift,
        )
