"""People: paper dolls whose limbs turn freely within the limits of their joints."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from eyechart.errors import DataError
from eyechart.scenes.art.errors import choose, name_of
from eyechart.scenes.art.figures.reaching import reached
from eyechart.scenes.art.figures.rig import Joint, bounds, lowest, place, spot, turned
from eyechart.scenes.art.figures.skeleton import Skeleton
from eyechart.scenes.art.figures.strokes import hull, rounded
from eyechart.scenes.art.figures.wardrobe import Cut, Drape, Style
from eyechart.scenes.art.model import Anchors, Box, Clip, Form, Kind, Part, Place, Point, Slot, Wear
from eyechart.scenes.art.palette import palette
from eyechart.scenes.art.slots import colors_of

__all__ = ["Person", "Pose"]

_PLAY = 1e-6
"""By how much a turn may pass its limit, since files round."""
_NEARLY = math.radians(25)
"""Somebody whose limbs are so near to those of a ready-made pose is said to be in it."""
_LOOSE = 5.0
"""How far clothes and fists may stand off the bones."""
_SPOTS: dict[str, tuple[str, Point]] = {
    "neck": ("torso", (0.0, -1.0)),
    "back": ("torso", (0.62, -0.72)),
    "head": ("head", (-1.5, -31.0)),
    "eyes": ("head", (-6.5, -20.5)),
    "mouth": ("head", (-8.0, -7.0)),
    "left hand": ("left hand", (0.0, 6.0)),
    "right hand": ("right hand", (0.0, 6.0)),
    "left foot": ("left foot", (0.0, 7.0)),
    "right foot": ("right foot", (0.0, 7.0)),
}
"""Spots of the body: a limb, and a point on it, for a torso in shares of its own measures."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A ready-made pose."""

    name: str
    turns: tuple[float, ...]
    """Radians per limb, as in a clip."""
    means: tuple[str, ...] = ()
    """What is true of somebody who holds it."""
    by: tuple[int, ...] = ()
    """The limbs that show it."""
    lift: float = 0.0
    """How high above the ground it is, in pixels."""

    def fits(self, turns: Sequence[float]) -> bool:
        """Whether limbs are so, nearly.

        >>> Pose("standing", (0.0, 0.1), by=(0,)).fits((0.05, 3.0))
        True
        """
        return all(abs(turns[limb] - self.turns[limb]) < _NEARLY for limb in self.by)


@dataclass(frozen=True)
class Person:
    """A doll: its skeleton, its poses, and what it looks like in every style with every face."""

    name: str
    noun: str
    gender: str
    age: str
    """toddler, child, teenager, adult or elderly."""
    attributes: tuple[str, ...]
    skin: str
    """The value of its skin's colour."""
    sizes: Mapping[str, float]
    """Of head, hands, feet and torso, in relation to an adult's; of the torso in pixels."""
    skeleton: Skeleton
    stances: Mapping[str, Pose]
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

    @cached_property
    def poses(self) -> Mapping[str, tuple[float, ...]]:
        """Turns of the limbs by the name of the ready-made pose."""
        return {name: pose.turns for name, pose in self.stances.items()}

    def parts(self, clip: Clip) -> tuple[Part, ...]:
        """Limbs and cloths where the clip's turns bring them, the hindmost first."""
        self._chosen(clip)
        return self._assembled(
            clip.style, clip.expression, tuple(colors_of(self.slots, clip).items()), self._turns(clip)
        )

    @cached_property
    def _assembled(self) -> Callable[..., tuple[Part, ...]]:
        """Kept a while, since a scene is checked, measured and drawn."""
        return lru_cache(maxsize=128)(self._assemble)

    def _assemble(
        self, style: int, expression: int, colors: tuple[tuple[str, str], ...], turns: tuple[float, ...]
    ) -> tuple[Part, ...]:
        joints = self._joints(turns)
        frames = [(joint.x, joint.y, math.cos(joint.turn), math.sin(joint.turn)) for joint in joints]
        painted = self._painted(style, expression, colors)
        return tuple(
            _draped(piece, color, joints)
            if isinstance(piece, Drape)
            else _cut(piece, color, outline, frames[piece.mount.bone])
            for piece, color, outline in painted
        )

    def _chosen(self, clip: Clip) -> tuple[str, Style]:
        choose(clip, "expression", clip.expression, len(self.expressions))
        return self.styles[choose(clip, "style", clip.style, len(self.styles))]

    @cached_property
    def _painted(self) -> Callable[..., tuple[tuple[Cut | Drape, str, str], ...]]:
        return lru_cache(maxsize=256)(self._paint)

    def _paint(
        self, style: int, expression: int, colors: tuple[tuple[str, str], ...]
    ) -> tuple[tuple[Cut | Drape, str, str], ...]:
        values = {slot: palette()[color] for slot, color in colors} | {"skin": self.skin}
        return tuple(
            (piece, values[piece.slot], "")
            if isinstance(piece, Drape)
            else (piece, piece.svg.format_map(values), piece.svg)
            for piece in self.looks[style][expression]
        )

    def _turns(self, clip: Clip) -> tuple[float, ...]:
        if not clip.turns:
            return self.stances["standing"].turns
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

    @cached_property
    def _joints(self) -> Callable[..., tuple[Joint, ...]]:
        return lru_cache(maxsize=64)(self._placed)

    def _placed(self, turns: tuple[float, ...]) -> tuple[Joint, ...]:
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
        self._chosen(clip)
        return self._form(clip.style, clip.expression, self._turns(clip))

    @cached_property
    def _form(self) -> Callable[..., Form]:
        return lru_cache(maxsize=256)(self._described)

    def _described(self, style: int, expression: int, turns: tuple[float, ...]) -> Form:
        name, clothes = self.styles[style]
        face = (self.expressions[expression],) if expression else ()
        joints = self._joints(turns)
        shown = {"hair", *(slot for garment in clothes.garments() for slot in garment.slots())}
        return Form(
            name=name,
            noun=self.noun,
            attributes=(*self.attributes, *face, *self.posture(turns)),
            slots=tuple(slot.name for slot in self.slots if slot.name in shown),
            anchors=self._anchors(turns, joints),
            box=self._box(joints),
        )

    def posture(self, turns: Sequence[float]) -> tuple[str, ...]:
        """What limbs say: the meanings of every ready-made pose that they are in, nearly."""
        held = (pose for pose in self.stances.values() if pose.means and pose.fits(turns))
        return tuple(dict.fromkeys(meaning for pose in held for meaning in pose.means))

    def wears(self, clip: Clip) -> Mapping[str, Wear]:
        """What the tags of its drawing are: clothes, shoes one by one, and hair."""
        _, style = self._chosen(clip)
        colors = colors_of(self.slots, clip)
        found = {"hair": Wear("hair", colors["hair"])}
        for tag, garment in style.tagged().items():
            found[tag] = Wear(garment.noun, colors[garment.slot], garment.attributes)
        return found

    def spots(self, clip: Clip) -> Mapping[str, Point]:
        """Where parts of the body are in the pose of a clip, in the piece's coordinates."""
        turns = self._turns(clip)
        return self._spots(turns)

    @cached_property
    def _spots(self) -> Callable[..., Mapping[str, Point]]:
        return lru_cache(maxsize=256)(self._spotted)

    def _spotted(self, turns: tuple[float, ...]) -> Mapping[str, Point]:
        joints = self._joints(turns)
        found = {name: self._spot(joints, limb, self._sized(limb, at)) for name, (limb, at) in _SPOTS.items()}
        return {**found, "hips": (joints[0].x, joints[0].y), "ground": self._ground(turns, joints)}

    def _sized(self, limb: str, at: Point) -> Point:
        if limb == "torso":
            return at[0] * self.sizes["shoulders"], at[1] * self.sizes["torso"]
        size = self.sizes[limb.rsplit(maxsplit=1)[-1]]
        return at[0] * size, at[1] * size

    def _ground(self, turns: Sequence[float], joints: Sequence[Joint]) -> Point:
        lift = max((pose.lift for pose in self.stances.values() if pose.lift and pose.fits(turns)), default=0.0)
        return 0.0, lowest(self.skeleton.bones, joints) + lift

    def _anchors(self, turns: tuple[float, ...], joints: Sequence[Joint]) -> Anchors:
        spots = self._spots(turns)
        hands = (spots["left hand"], spots["right hand"])
        return Anchors(base=self._ground(turns, joints), grips=hands, mouth=spots["mouth"])

    def _box(self, joints: Sequence[Joint]) -> Box:
        points = [
            (x + a * r, y + b * r)
            for joint, bone in zip(joints, self.skeleton.bones, strict=True)
            for cx, cy, r in bone.touch
            for x, y in [spot(joint, (cx, cy))]
            for a in (-1, 1)
            for b in (-1, 1)
        ]
        return bounds([*points, *self._hair(joints)], _LOOSE)

    def _hair(self, joints: Sequence[Joint]) -> Iterator[Point]:
        """Corners of what is on the head besides the skull."""
        for cut in self.looks[0][0]:
            if isinstance(cut, Cut) and cut.tag == "hair":
                (x, y), (left, top, right, bottom) = cut.mount.at, cut.box
                for corner in ((left, top), (right, top), (left, bottom), (right, bottom)):
                    at = (x + cut.scale * corner[0], y + cut.scale * corner[1])
                    yield spot(joints[cut.mount.bone], at)

    def _spot(self, joints: Sequence[Joint], limb: str, at: Point) -> Point:
        mount = self.skeleton.mounts[limb]
        return spot(joints[mount.bone], (mount.at[0] + at[0], mount.at[1] + at[1]))

    def reach(self, clip: Clip, limb: str, point: Point) -> tuple[float, ...] | None:
        """The turns with one limb's end, such as left hand, at a point; None if it is too far away."""
        side, end = limb.split()
        upper, lower = ("upper arm", "forearm") if end == "hand" else ("thigh", "shin")
        numbers = dict(zip(self.limbs, range(len(self.limbs)), strict=True))
        if f"{side} {lower}" not in numbers:
            return None
        chain = (numbers[f"{side} {upper}"], numbers[f"{side} {lower}"], numbers.get(limb))
        mount = self.skeleton.mounts[limb]
        along = mount.at[1] if numbers.get(limb) is None else self.skeleton.bones[mount.bone].at[1]
        size = self.sizes[end] * _SPOTS[limb][1][1]
        return reached(self.skeleton.bones, self._turns(clip), chain, along + size, point)


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
