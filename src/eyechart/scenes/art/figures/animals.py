"""Animals: figures of discrete poses, each drawn once per colouring."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec

from eyechart.errors import FormatError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.errors import choose
from eyechart.scenes.art.figures.brush import paints
from eyechart.scenes.art.figures.plans import Posed, Rig, Stance, stand
from eyechart.scenes.art.figures.quadruped import Quadruped, QuadrupedPose
from eyechart.scenes.art.model import Anchors, Clip, Form, Kind, Part, Place, Slot
from eyechart.scenes.art.palette import palette

__all__ = ["Animal", "read_animals"]

_T = TypeVar("_T")


@dataclass(frozen=True)
class Animal:
    """A piece that takes one of some poses."""

    name: str
    forms: tuple[Form, ...]
    slots: tuple[Slot, ...]
    places: tuple[Place, ...]
    drawings: tuple[str, ...]
    """In the order of forms; the colours of slots in braces."""
    kind: Kind = "animal"
    limbs: tuple[str, ...] = ()

    def form(self, clip: Clip) -> Form:
        """The pose that a clip shows."""
        return self.forms[choose(clip, "pose", clip.pose, len(self.forms))]

    def parts(self, clip: Clip) -> tuple[Part, ...]:
        """The drawing of the clip's pose in the clip's colours."""
        self.form(clip)
        return self._parts(clip.pose, clip.colors)

    @cached_property
    def _parts(self):
        return lru_cache(maxsize=512)(self._painted)

    def _painted(self, pose: int, colors: tuple[str | None, ...]) -> tuple[Part, ...]:
        chosen = (*colors, *(None for _ in self.slots))
        values = {slot.name: palette()[color or slot.default] for slot, color in zip(self.slots, chosen, strict=False)}
        form = self.forms[pose]
        return (Part(self.drawings[pose].format_map(values), form.box, outline=f"{self.name}/{form.name}"),)

    def joints(self, clip: Clip) -> tuple[tuple[float, float, float], ...]:  # noqa: ARG002  # every piece has joints
        """None: its poses are drawn."""
        return ()


class _Slot(msgspec.Struct, forbid_unknown_fields=True):
    default: str
    colors: tuple[str, ...] = ()
    gives: bool = True


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A file of an animal, before its plan reads the rest."""

    noun: str
    plan: str
    places: tuple[Place, ...]
    poses: tuple[str, ...]
    slots: dict[str, _Slot]
    body: dict[str, Any]
    scale: float = 1.0
    attributes: tuple[str, ...] = ()
    tweaks: dict[str, dict[str, Any]] = {}
    """By pose, what differs from what the plan does."""


_PLANS: dict[str, tuple[type[Quadruped], type[QuadrupedPose]]] = {
    "quadruped": (Quadruped, QuadrupedPose),
    "sitter": (Quadruped, QuadrupedPose),
}
_POSES = "poses.toml"


def read_animals(folder: Traversable) -> dict[str, Animal]:
    """The animals of a folder, by name: a file each, and the poses of every plan in one more."""
    poses = _toml(folder.joinpath(_POSES))
    raw = {
        file.name.removesuffix(".toml"): _toml(file)
        for file in sorted(folder.iterdir(), key=lambda each: each.name)
        if file.name.endswith(".toml") and file.name != _POSES
    }
    return {name: _animal(name, _inherited(name, raw), poses) for name in raw}


def _toml(file: Traversable) -> dict[str, Any]:
    try:
        return msgspec.toml.decode(file.read_bytes(), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise FormatError(f"{file.name}: found {error}, expected TOML; correct the place") from None


def _inherited(name: str, raw: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """What a file says, over what the file says that it is like."""
    own = dict(raw[name])
    like = own.pop("like", None)
    if like is None:
        return own
    if like not in raw or "like" in raw[like]:
        raise FormatError(
            f"{name}.toml: found like {like!r}, expected a file that stands alone; {did_you_mean(like, raw)}"
        )
    return _merged(raw[like], own)


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    both = {key: _merged(base[key], own[key]) for key in base.keys() & own.keys() if isinstance(own[key], dict)}
    return {**base, **own, **both}


def _convert(value: Mapping[str, Any], into: type[_T], where: str) -> _T:
    try:
        return msgspec.convert(value, into)
    except msgspec.ValidationError as error:
        raise FormatError(f"{where}: {error}; correct the entry") from None


def _animal(name: str, raw: Mapping[str, Any], poses: Mapping[str, Any]) -> Animal:
    where = f"{name}.toml"
    entry = _convert(raw, _Entry, where)
    if entry.plan not in _PLANS:
        raise FormatError(f"{where}: found the plan {entry.plan!r}, expected one of {', '.join(_PLANS)}; name one")
    body_type, pose_type = _PLANS[entry.plan]
    slots = tuple(_slot(key, slot, where) for key, slot in entry.slots.items())
    rig = _convert(entry.body, body_type, f"{where}: body").rig(paints(entry.slots), where)
    drawn: dict[str, tuple[Posed, Stance]] = {}
    for pose in entry.poses:
        known = poses.get(entry.plan, {})
        if pose not in known and pose not in entry.tweaks:
            raise FormatError(
                f"{where}: found the pose {pose!r}, expected one of the plan; {did_you_mean(pose, known)}"
            )
        found = {**known.get(pose, {}), **entry.tweaks.get(pose, {})}
        stance = _convert(found, pose_type, f"{where}: {pose}").stance()
        drawn[pose] = (stand(rig, stance, entry.scale), stance)
    return Animal(
        name=name,
        forms=tuple(_form(pose, entry, *both) for pose, both in drawn.items()),
        slots=slots,
        places=entry.places,
        drawings=tuple(posed.svg for posed, _ in drawn.values()),
    )


def _slot(name: str, slot: _Slot, where: str) -> Slot:
    for color in (slot.default, *slot.colors):
        if color not in palette():
            raise FormatError(f"{where}: slot {name!r} has the colour {color!r}, expected one of the palette; name one")
    return Slot(name, slot.default, slot.colors or (slot.default,), slot.gives)


def _form(pose: str, entry: _Entry, posed: Posed, stance: Stance) -> Form:
    seat = posed.points.get("seat")
    anchors = Anchors(base=(0.0, 0.0), seats=(seat,) if seat else (), mouth=posed.points.get("mouth"))
    return Form(pose, entry.noun, (*entry.attributes, *stance.attributes), posed.slots, anchors, posed.box)
