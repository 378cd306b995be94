"""People: paper dolls whose limbs turn freely within the limits of their joints."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from eyechart.errors import DataError
from eyechart.scenes.art.errors import choose, name_of
from eyechart.scenes.art.figures.rig import Bone, Joint, bounds, lowest, place, spot, turned
from eyechart.scenes.art.figures.skeleton import Mount, Skeleton
from eyechart.scenes.art.figures.strokes import hull, number, rounded
from eyechart.scenes.art.figures.wardrobe import Cut, Drape, Style
from eyechart.scenes.art.model import Anchors, Clip, Form, Kind, Part, Place, Point, Slot
from eyechart.scenes.art.palette import palette

__all__ = ["Person", "Pose"]

_PLAY = 1e-6
"""By how much a turn may pass its limit, since files round."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A ready-made pose."""

    name: str
    turns: tuple[float, ...]
    """Radians per limb, as in a clip."""
    means: tuple[str, ...]
    """What is true of somebody who holds it."""
    by: tuple[int, ...]
    """The limbs that show it."""


@dataclass(frozen=True)
class Person:
    """A doll: its skeleton, its poses, and what it looks like in every style with every face."""

    name: str
    noun: str
    attributes: tuple[str, ...]
    skin: str
    """The value of its skin's colour."""
    skeleton: Skeleton
    poses: Mapping[str, Pose]
    styles: tuple[tuple[str, Style], ...]
    expressions: tuple[str, ...]
    """Names in the order of a clip's expressions; the first is blank."""
    looks: tuple[tuple[tuple[Cut | Drape, ...], ...], ...]
    """What is drawn, by style and expression, from back to front."""
    slots: tuple[Slot, ...]
    kind: Kind = "human"
    places: tuple[Place, ...] = ("floor",)

    @cached_property
    def limbs(self) -> tuple[str, ...]:
        """Names of what turns, in the order of a clip's turns."""
        return tuple(bone.name for bone in self.skeleton.bones)

    def parts(self, clip: Clip) -> tuple[Part, ...]:
        """Limbs and cloths where the clip's turns bring them, the hindmost first."""
        choose(clip, "style", clip.style, len(self.styles))
        choose(clip, "expression", clip.expression, len(self.expressions))
        joints = self._joints(self._turns(clip))
        frames = [(joint.x, joint.y, math.cos(joint.turn), math.sin(joint.turn)) for joint in joints]
        painted = self._painted(clip.style, clip.expression, clip.colors)
        return tuple(
            _draped(piece, color, joints)
            if isinstance(piece, Drape)
            else _cut(piece, color, outline, frames[piece.mount.bone])
            for piece, color, outline in painted
        )

    @cached_property
    def _painted(self):
        return lru_cache(maxsize=256)(self._paint)

    def _paint(self, style: int, expression: int, colors: tuple[str | None, ...]):
        chosen = (*colors, *(None for _ in self.slots))
        values = {slot.name: palette()[color or slot.default] for slot, color in zip(self.slots, chosen, strict=False)}
        values["skin"] = self.skin
        return tuple(
            (piece, values[piece.slot], "")
            if isinstance(piece, Drape)
            else (piece, piece.svg.format_map(values), piece.svg)
            for piece in self.looks[style][expression]
        )

    def _turns(self, clip: Clip) -> tuple[float, ...]:
        if not clip.turns:
            return self.poses["standing"].turns
        bones = self.skeleton.bones
        if len(clip.turns) != len(bones):
            raise DataError(
                f"{name_of(clip)}: found {len(clip.turns)} turns, expected {len(bones)}, one for each of "
                f"{', '.join(self.limbs)}; give these"
            )
        for bone, turn in zip(bones, clip.turns, strict=True):
            if not bone.low - _PLAY <= turn <= bone.high + _PLAY:
                raise DataError(
                    f"{name_of(clip)}: found {turn:.3f} as the turn of its {bone.name}, expected {bone.low:.3f} to "
                    f"{bone.high:.3f}; keep it within its joint"
                )
        return clip.turns

    def _joints(self, turns: Sequence[float]) -> tuple[Joint, ...]:
        bones = self.skeleton.bones
        return place(bones, turned(bones, turns))

    def joints(self, clip: Clip) -> tuple[tuple[float, float, float], ...]:
        """Per limb: where its joint is, and how far it is turned in the picture."""
        return tuple((joint.x, joint.y, joint.turn) for joint in self._joints(self._turns(clip)))

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """Its styles, standing."""
        return tuple(self.form(Clip(self.name, 0, 0, style=style)) for style in range(len(self.styles)))

    def form(self, clip: Clip) -> Form:
        """What a clip shows: a style, with the face and the pose as attributes, and where its feet and hands are."""
        name, style = self.styles[choose(clip, "style", clip.style, len(self.styles))]
        face = self.expressions[choose(clip, "expression", clip.expression, len(self.expressions))]
        turns = self._turns(clip)
        joints = self._joints(turns)
        boxes = [part.box for part in ()]
        attributes = (*self.attributes, *((face,) if clip.expression else ()), *self.posture(turns))
        slots = tuple(
            slot.name for slot in self.slots if slot.name in {"hair", *(each.slot for each in style.garments())}
        )
        return Form(name, self.noun, attributes, slots, self._anchors(joints))

    def posture(self, turns: Sequence[float]) -> tuple[str, ...]:
        """What limbs say: the meanings of every ready-made pose that they are in, nearly."""
        return ()

    def _anchors(self, joints: Sequence[Joint]) -> Anchors:
        ground = lowest(self.skeleton.bones, joints)
        hands = tuple(self._spot(joints, f"{side} hand", (0.0, 6.0)) for side in ("left", "right"))
        return Anchors(base=(0.0, ground), grips=hands, mouth=self._spot(joints, "head", (-7.0, -8.0)))

    def _spot(self, joints: Sequence[Joint], limb: str, at: Point) -> Point:
        mount = self.skeleton.mounts[limb]
        return spot(joints[mount.bone], (mount.at[0] + at[0], mount.at[1] + at[1]))


def _cut(cut: Cut, svg: str, outline: str, frame: tuple[float, float, float, float]) -> Part:
    x, y, cosine, sine = frame
    px, py = cut.mount.at
    k = cut.scale
    matrix = (k * cosine, k * sine, -k * sine, k * cosine, x + px * cosine - py * sine, y + px * sine + py * cosine)
    return Part(svg, cut.box, matrix, outline, cut.tag)


def _draped(drape: Drape, color: str, joints: Sequence[Joint]) -> Part:
    corners = tuple(hull(spot(joints[bone], at) for bone, at in drape.points))
    svg = f'<path d="{rounded(corners, drape.edge)}" fill="{color}"/>'
    return Part(svg, bounds(corners, drape.edge + 1), tag=drape.tag, polygon=corners, edge=drape.edge)
