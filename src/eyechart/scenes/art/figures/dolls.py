"""The dolls of the data files: bodies, faces, hair, clothes and poses put together."""

import math
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, Literal, TypeVar

import msgspec

from eyechart.errors import FormatError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.figures.brush import paints
from eyechart.scenes.art.figures.people import Person, Pose
from eyechart.scenes.art.figures.rig import Bone
from eyechart.scenes.art.figures.skeleton import Build, skeleton
from eyechart.scenes.art.figures.wardrobe import Look, Style, Tailor
from eyechart.scenes.art.model import Slot
from eyechart.scenes.art.slots import SlotEntry, slots_of

__all__ = ["read_dolls"]

_T = TypeVar("_T")
_PLANS = {15: "fifteen", 8: "eight"}


class _Hair(msgspec.Struct, forbid_unknown_fields=True):
    behind: tuple[str, ...] = ()
    front: tuple[str, ...] = ()


class _Faces(msgspec.Struct, forbid_unknown_fields=True):
    head: tuple[str, ...]
    hand: tuple[str, ...]
    expressions: dict[str, tuple[str, ...]]
    features: dict[str, tuple[str, ...]]
    skins: dict[str, str]


class _Doll(msgspec.Struct, forbid_unknown_fields=True):
    noun: str
    gender: Literal["female", "male"]
    age: Literal["toddler", "child", "teenager", "adult", "elderly"]
    build: str
    skin: str
    hair: str
    styles: tuple[str, ...]
    colors: dict[str, str]
    """By slot, what it has unless a scene says otherwise."""
    choices: dict[str, str] = {}
    """By slot, the list of colours that it may have, if that is not the one of its own name."""
    attributes: tuple[str, ...] = ()
    features: tuple[str, ...] = ()


class _Pose(msgspec.Struct, forbid_unknown_fields=True):
    means: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    lift: float = 0.0
    hips: float = 0.0
    torso: float | None = None
    head: float | None = None
    left_arm: tuple[float, ...] = ()
    right_arm: tuple[float, ...] = ()
    left_leg: tuple[float, ...] = ()
    right_leg: tuple[float, ...] = ()


def read_dolls(folder: Traversable) -> dict[str, Person]:
    """The dolls of a folder, by name.

    >>> from importlib.resources import files
    >>> dolls = read_dolls(files("eyechart.scenes.art").joinpath("data/people"))
    >>> dolls["doll08"].noun, dolls["doll08"].age
    ('woman', 'elderly')
    """
    files: dict[str, Any] = {  # the type of each file
        "builds": dict[str, Build],
        "limits": dict[str, tuple[float, float]],
        "faces": _Faces,
        "hair": dict[str, _Hair],
        "clothes": dict[str, Style],
        "poses": dict[str, dict[str, _Pose]],
        "colors": dict[str, tuple[str, ...]],
        "dolls": dict[str, _Doll],
    }
    data: dict[str, Any] = {name: _read(folder.joinpath(f"{name}.toml"), into) for name, into in files.items()}
    return {name: _person(name, doll, data) for name, doll in data["dolls"].items()}


def _read(file: Traversable, into: type[_T]) -> _T:
    try:
        return msgspec.toml.decode(file.read_bytes(), type=into)
    except msgspec.DecodeError as error:
        raise FormatError(f"{file.name}: {error}; correct the entry") from None


def _pick(entries: Mapping[str, _T], name: str, where: str) -> _T:
    if name not in entries:
        raise FormatError(
            f"dolls.toml: {where}: found {name!r}, expected an entry of that name; {did_you_mean(name, entries)}"
        )
    return entries[name]


def _person(name: str, doll: _Doll, data: Mapping[str, Any]) -> Person:
    build, faces = _pick(data["builds"], doll.build, name), data["faces"]
    bones = skeleton(build, data["limits"])
    known = {**paints(doll.colors), "skin": "{skin}"}
    tailor = Tailor((build, bones), known, {"head": faces.head, "hand": faces.hand}, name)
    hair = _pick(data["hair"], doll.hair, name)
    features = tuple(text for feature in doll.features for text in _pick(faces.features, feature, name))
    look = Look(doll.skin, (hair.behind, hair.front), features)
    styles = tuple((style, _pick(data["clothes"], style, name)) for style in doll.styles)
    return Person(
        name=name,
        noun=doll.noun,
        gender=doll.gender,
        age=doll.age,
        attributes=doll.attributes,
        sizes={
            "head": build.head,
            "hand": build.hand,
            "foot": build.foot,
            "torso": build.torso,
            "shoulders": build.shoulders,
        },
        skin=_pick(faces.skins, doll.skin, name),
        skeleton=bones,
        stances={key: _pose(key, pose, bones.bones) for key, pose in data["poses"][_PLANS[build.limbs]].items()},
        styles=styles,
        expressions=tuple(faces.expressions),
        looks=tuple(
            tuple(tailor.dress(look, style, face) for face in faces.expressions.values()) for _, style in styles
        ),
        slots=_slots(name, doll, data["colors"]),
    )


def _slots(name: str, doll: _Doll, lists: Mapping[str, tuple[str, ...]]) -> tuple[Slot, ...]:
    """Its slots; none of them gives the whole person a colour."""
    entries = {}
    for slot, default in doll.colors.items():
        listed = _pick(lists, doll.choices.get(slot, slot), f"{name}: colors of {slot!r}")
        entries[slot] = SlotEntry(default, tuple(dict.fromkeys((*listed, default))), gives=False)
    return tuple(slots_of(entries, f"dolls.toml: {name}").values())


_LIMBS = {"arm": ("upper arm", "forearm", "hand"), "leg": ("thigh", "shin", "foot")}


def _pose(name: str, pose: _Pose, bones: tuple[Bone, ...]) -> Pose:
    """Bends from where limbs point."""
    torso = pose.hips if pose.torso is None else pose.torso
    points = {"hips": pose.hips, "torso": torso, "head": torso if pose.head is None else pose.head}
    for side in ("left", "right"):
        for limb, kinds in _LIMBS.items():
            degrees = getattr(pose, f"{side}_{limb}")
            points |= {f"{side} {kind}": value for kind, value in zip(kinds, degrees, strict=False)}
    turns = []
    for bone in bones:
        above = 0.0 if bone.parent is None else points.get(bones[bone.parent].name, 0.0)
        bend = math.radians(points.get(bone.name, above) - above)
        if not bone.low - 1e-6 <= bend <= bone.high + 1e-6:
            low, high = math.degrees(bone.low), math.degrees(bone.high)
            raise FormatError(
                f"poses.toml: {name}: found {math.degrees(bend):g} degrees between {bone.name} and what it hangs on, "
                f"expected {low:g} to {high:g}; turn it less"
            )
        turns.append(bend)
    numbers = {bone.name: place for place, bone in enumerate(bones)}
    by = tuple(numbers[each] for limb in pose.by for each in _bones_of(limb) if each in numbers)
    return Pose(name, tuple(turns), pose.means, by, pose.lift)


def _bones_of(limb: str) -> tuple[str, ...]:
    """An arm or a leg as its two long bones.

    >>> _bones_of("left arm"), _bones_of("torso")
    (('left upper arm', 'left forearm'), ('torso',))
    """
    side, _, kind = limb.partition(" ")
    return tuple(f"{side} {bone}" for bone in _LIMBS[kind][:2]) if kind in _LIMBS else (limb,)
