"""What body plans have in common: bones, layers of strokes and skins on them, and the drawing of a pose."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eyechart.scenes.art.figures.brush import Brush, Stroke
from eyechart.scenes.art.figures.rig import Bone, Joint, bounds, lowest, place, spot
from eyechart.scenes.art.figures.strokes import Circle, number, wrap
from eyechart.scenes.art.model import Box, Point

__all__ = ["Layer", "Posed", "Rig", "Skin", "Stance", "eye", "plain", "shaded", "stand", "united"]

_SHADE = "ink .16"
"""What lies over limbs on the far side."""
_STEPS = 24
"""Halvings of an angle until a solution is exact to a millionth of a degree."""

_STEEPEST = 40.0
"""Degrees between a lowered neck and the vertical, at least."""
_BACK, _UP = -90.0, 90.0
"""Directions of tails."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Strokes that are fixed to one bone."""

    bone: int
    strokes: tuple[Stroke, ...]
    when: str = ""
    """The state in which it is drawn, or not with a leading minus; always if empty."""

    def shows(self, states: frozenset[str]) -> bool:
        """Whether it is drawn in a figure of these states."""
        return Brush("", when=self.when).shows(states)


@dataclass(frozen=True, slots=True)
class Skin:
    """A skin that is pulled over circles on several bones."""

    circles: tuple[tuple[int, Circle], ...]
    brush: Brush


@dataclass(frozen=True, slots=True)
class Rig:
    """An animal before it takes a pose: parents come before their children, layers from back to front."""

    bones: tuple[Bone, ...]
    layers: tuple[Layer | Skin, ...]
    points: Mapping[str, tuple[int, Point]]
    """Where others meet it, such as mouth and seat: a bone and a point on it."""
    rest: Mapping[str, float]
    """Degrees by which bones are turned before a pose turns them further; only what is not hanging."""


@dataclass(frozen=True, slots=True)
class Stance:
    """A pose of a body plan: degrees by bone, and what is then adjusted to the animal's proportions."""

    turns: Mapping[str, float]
    attributes: tuple[str, ...] = ()
    states: frozenset[str] = frozenset()
    settle: bool = False
    """Turn the whole body until fore and hind limbs are on the ground."""
    reach: bool = False
    """Lower the neck until the mouth is on the ground, or nearly."""
    stream: float = 0.0
    """How far the tail is on its way from where it rests to straight back."""
    lift: float = 0.0
    """How far above the ground it is, as a share of its height."""


@dataclass(frozen=True, slots=True)
class Posed:
    """A drawing of a pose; the origin is the middle of what it stands on."""

    svg: str
    box: Box
    slots: tuple[str, ...]
    points: Mapping[str, Point]
    ground: float
    """How far the ground is below the lowest point; more than nothing for what jumps or flies."""


def eye(x: float, y: float, radius: float) -> tuple[str, ...]:
    """An eye that can close, as strokes.

    >>> eye(0, 0, 2)[0]
    '-asleep? ink flat: circle 0 0 2'
    """
    x0, x1, r = number(x - radius * 1.2), number(x + radius * 1.2), number(radius * 0.36)
    low = number(y + radius * 1.3)
    return (
        f"-asleep? ink flat: circle {number(x)} {number(y)} {number(radius)}",
        f"-asleep? white flat: circle {number(x - radius * 0.3)} {number(y - radius * 0.35)} {r}",
        f"asleep? ink line {number(max(1.2, radius * 0.6))}: M{x0} {number(y)}Q{number(x)} {low} {x1} {number(y)}",
    )


def shaded(texts: Iterable[str]) -> tuple[str, ...]:
    """Strokes of something on the far side: everything filled is painted over with shade.

    >>> shaded(["coat: circle 0 0 2"])
    ('coat: circle 0 0 2', 'ink .16: circle 0 0 2')
    """
    both = []
    for text in texts:
        paint, _, shape = text.partition(": ")
        both += [text] if " line " in paint else [text, f"{_SHADE}: {shape}"]
    return tuple(both)


def stand(rig: Rig, stance: Stance, scale: float) -> Posed:
    """Draw a pose: place the bones, let limbs and mouth find the ground, and move the origin below the middle."""
    turns = {bone.name: rig.rest.get(bone.name, 0.0) + stance.turns.get(bone.name, 0.0) for bone in rig.bones}
    tail = rig.rest.get("tail", 0.0)
    turns["tail"] = turns.get("tail", 0.0) + stance.stream * ((_BACK if tail < _UP else _BACK + 360.0) - tail)
    if stance.settle:
        root = rig.bones[0].name
        turns[root] = _solve(lambda turn: _tilt(rig, {**turns, root: turn}), -20.0, 85.0)
    if stance.reach:
        turns["neck"] = _solve(lambda turn: _gap(rig, {**turns, "neck": turn}), _STEEPEST, turns["neck"])
    joints = _placed(rig, turns)
    return _drawn(rig, joints, stance, scale)


def _solve(error: Callable[[float], float], low: float, high: float) -> float:
    """Where a growing function is nought, or the end that is nearer to it."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if error(middle) > 0 else (middle, high)
    return (low + high) / 2


def _placed(rig: Rig, turns: Mapping[str, float]) -> tuple[Joint, ...]:
    return place(rig.bones, [math.radians(turns[bone.name]) for bone in rig.bones])


def _tilt(rig: Rig, turns: Mapping[str, float]) -> float:
    """How much higher the fore limbs are than the rest."""
    joints = _placed(rig, turns)
    fore = [place for place, bone in enumerate(rig.bones) if bone.name.startswith("front")]
    rear = [place for place, bone in enumerate(rig.bones) if bone.name.startswith("hind") or not place]
    low_fore, low_rear = (
        lowest([rig.bones[place] for place in group], [joints[place] for place in group]) for group in (fore, rear)
    )
    return low_rear - low_fore


def _gap(rig: Rig, turns: Mapping[str, float]) -> float:
    """How far the mouth is above the ground on which the rest stands."""
    joints = _placed(rig, turns)
    bone, point = rig.points["chin"]
    return lowest(rig.bones, joints) - spot(joints[bone], point)[1]


def _drawn(rig: Rig, joints: Sequence[Joint], stance: Stance, scale: float) -> Posed:
    drawn: list[str] = []
    points: list[Point] = []
    slots: dict[str, None] = {}
    for layer in rig.layers:
        svg, within, used = _skin(layer, joints, stance) if isinstance(layer, Skin) else _layer(layer, joints, stance)
        drawn.append(svg)
        points += within
        slots |= dict.fromkeys(used)
    left, top, right, bottom = bounds(points, 1.0)
    floor = lowest(rig.bones, joints) if any(bone.touch for bone in rig.bones) else bottom
    lift = stance.lift * (floor - top)
    x, y = (left + right) / 2, floor + lift
    frame = f'<g transform="matrix({number(scale)} 0 0 {number(scale)} {number(-x * scale)} {number(-y * scale)})"'
    edge = f' stroke-width="{number(1.2 / scale)}"' if scale != 1 else ""
    met = {
        name: ((px - x) * scale, (py - y) * scale)
        for name, (bone, at) in rig.points.items()
        for px, py in [spot(joints[bone], at)]
    }
    box = ((left - x) * scale, (top - y) * scale, (right - x) * scale, (bottom - y) * scale)
    return Posed(f"{frame}{edge}>{''.join(drawn)}</g>", box, tuple(slots), met, lift * scale)


def _layer(layer: Layer, joints: Sequence[Joint], stance: Stance) -> tuple[str, list[Point], list[str]]:
    joint = joints[layer.bone]
    shown = [stroke for stroke in layer.strokes if layer.shows(stance.states) and stroke.shows(stance.states)]
    if not shown:
        return "", [], []
    turn = f"rotate({number(math.degrees(joint.turn))})" if joint.turn else ""
    svg = "".join(stroke.svg for stroke in shown)
    points = [spot(joint, point) for stroke in shown for point in stroke.points]
    used = [stroke.slot for stroke in shown if stroke.slot]
    return f'<g transform="translate({number(joint.x)} {number(joint.y)}){turn}">{svg}</g>', points, used


def _skin(skin: Skin, joints: Sequence[Joint], stance: Stance) -> tuple[str, list[Point], list[str]]:
    if not skin.brush.shows(stance.states):
        return "", [], []
    circles = [(*spot(joints[bone], (x, y)), r) for bone, (x, y, r) in skin.circles]
    points = [(x + a * r, y + b * r) for x, y, r in circles for a in (-1, 1) for b in (-1, 1)]
    return skin.brush.paint(wrap(circles)), points, [skin.brush.slot] if skin.brush.slot else []


def united(first: Skin, second: Skin) -> tuple[Skin, ...]:
    """Two skins of one coat that look like one: no edge runs through either."""
    return (first, second, replace(first, brush=plain(first.brush)), replace(second, brush=plain(second.brush)))


def plain(brush: Brush) -> Brush:
    """The same paint without an edge.

    >>> plain(Brush('fill="#ffffff"')).attributes
    'fill="#ffffff" stroke="none"'
    """
    return replace(brush, attributes=f'{brush.attributes} stroke="none"')
