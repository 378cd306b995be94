"""Animals: figures of discrete poses, each drawn once per colouring."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec

from eyechart.errors import FormatError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.errors import choose
from eyechart.scenes.art.figures.bird import Bird, BirdPose
from eyechart.scenes.art.figures.brush import paints
from eyechart.scenes.art.figures.free import Free, FreePose
from eyechart.scenes.art.figures.plans import Posed, Rig, Stance, stand
from eyechart.scenes.art.figures.quadruped import Quadruped, QuadrupedPose
from eyechart.scenes.art.model import Anchors, Clip, Form, Kind, Part, Place, Slot
from eyechart.scenes.art.palette import palette
from eyechart.scenes.art.slots import SlotEntry, colors_of, slots_of

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
        return self._parts(clip.pose, tuple(colors_of(self.slots, clip).items()))

    @cached_property
    def _parts(self) -> Callable[..., tuple[Part, ...]]:
        return lru_cache(maxsize=512)(self._painted)

    def _painted(self, pose: int, colors: tuple[tuple[str, str], ...]) -> tuple[Part, ...]:
        values = {slot: palette()[color] for slot, color in colors}
        form = self.forms[pose]
        return (Part(self.drawings[pose].format_map(values), form.box, outline=f"{self.name}/{form.name}"),)

    def joints(self, clip: Clip) -> tuple[tuple[float, float, float], ...]:  # noqa: ARG002  # every piece has joints
        """None: its poses are drawn."""
        return ()


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A file of an animal, before its plan reads the rest."""

    noun: str
    plan: str
    places: tuple[Place, ...]
    poses: tuple[str, ...]
    slots: dict[str, SlotEntry]
    body: dict[str, Any]
    scale: float = 1.0
    attributes: tuple[str, ...] = ()
    tweaks: dict[str, dict[str, Any]] = {}
    """By pose, what differs from what the plan does."""


_Body = type[Quadruped] | type[Bird] | type[Free]
_Pose = type[QuadrupedPose] | type[BirdPose] | type[FreePose]
_PLANS: dict[str, tuple[_Body, _Pose]] = {
    "quadruped": (Quadruped, QuadrupedPose),
    "sitter": (Quadruped, QuadrupedPose),
    "bird": (Bird, BirdPose),
    "free": (Free, FreePose),
}
_POSES = "poses.toml"


def read_animals(folder: Traversable) -> dict[str, Animal]:
    """The animals of a folder, by name: a file each, and the poses of every plan in one more.

    >>> from importlib.resources import files
    >>> animals = read_animals(files("eyechart.scenes.art").joinpath("data/animals"))
    >>> animals["dog"].forms[0].name, animals["duck"].places
    ('standing', ('floor', 'water'))
    """
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
    slots = tuple(slots_of(entry.slots, where).values())
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
        _check_bones(stance, rig, f"{where}: {pose}")
        drawn[pose] = (stand(rig, stance, entry.scale), stance)
    return Animal(
        name=name,
        forms=tuple(_form(pose, entry, *both) for pose, both in drawn.items()),
        slots=slots,
        places=entry.places,
        drawings=tuple(posed.svg for posed, _ in drawn.values()),
    )


def _check_bones(stance: Stance, rig: Rig, where: str) -> None:
    known = [bone.name for bone in rig.bones]
    for name in stance.turns:
        if name not in known:
            raise FormatError(f"{where}: found a turn of {name!r}, expected a bone; {did_you_mean(name, known)}")


def _form(pose: str, entry: _Entry, posed: Posed, stance: Stance) -> Form:
    seat, mouth = posed.points.get("seat"), posed.points.get("mouth") or posed.points.get("chin")
    anchors = Anchors(base=(0.0, 0.0), seats=(seat,) if seat else (), mouth=mouth)
    return Form(pose, entry.noun, (*entry.attributes, *stance.attributes), posed.slots, anchors, posed.box)
