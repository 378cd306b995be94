"""Objects: rigid pieces, each a drawing file with a group per type and an entry in the list of its theme."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from eyechart.errors import FormatError
from eyechart.scenes.art.drawings import Drawing, read_drawings
from eyechart.scenes.art.errors import choose
from eyechart.scenes.art.model import (
    Anchors,
    Box,
    Clip,
    Form,
    Kind,
    Part,
    Place,
    Point,
    Segment,
    Slot,
    Worn,
)
from eyechart.scenes.art.palette import palette
from eyechart.scenes.art.slots import SlotEntry, colors_of, slots_of

__all__ = ["Object", "packaged_objects", "read_objects"]

_FOLDER = "data/objects"


@dataclass(frozen=True)
class Object:
    """A rigid piece."""

    name: str
    kind: Kind
    forms: tuple[Form, ...]
    slots: tuple[Slot, ...]
    places: tuple[Place, ...]
    scenes: tuple[str, ...]
    """Backgrounds where it is at home."""
    drawings: tuple[Drawing, ...]
    """In the order of forms."""
    middle: Point
    """Of the drawing file: what comes to the origin."""
    size: tuple[float, float]
    """Width and height of the drawing file at depth 0."""
    worn: Worn | None = None
    """Where a person wears or carries it."""
    flips: bool = True
    """Whether it may be mirrored: not if there is writing on it."""
    limbs: tuple[str, ...] = ()

    def form(self, clip: Clip) -> Form:
        """The type that a clip shows."""
        return self.forms[choose(clip, "variant", clip.variant, len(self.forms))]

    def parts(self, clip: Clip) -> tuple[Part, ...]:
        """The drawing of the clip's type in the clip's colours."""
        form, drawing = self.form(clip), self.drawings[clip.variant]
        x, y = self.middle
        frame = f'<g transform="translate({-x:g} {-y:g})">'
        values = {slot: palette()[color] for slot, color in colors_of(self.slots, clip).items()}
        svg = f"{frame}{drawing.fill(values)}</g>"
        return (Part(svg, form.box, outline=f"{self.name}/{form.name}"),)

    def joints(self, clip: Clip) -> tuple[tuple[float, float, float], ...]:  # noqa: ARG002  # every piece has joints
        """None: it is rigid."""
        return ()


class _Anchors(msgspec.Struct, forbid_unknown_fields=True):
    """Anchors in the coordinates of the drawing file; each is optional."""

    base: Point | None = None
    surfaces: tuple[Segment, ...] | None = None
    insides: tuple[Segment, ...] | None = None
    seats: tuple[Point, ...] | None = None
    beds: tuple[Segment, ...] | None = None
    grips: tuple[Point, ...] | None = None
    feet: tuple[Point, ...] | None = None
    worn: Point | None = None


class _Type(_Anchors, forbid_unknown_fields=True):
    """What a list says of a type, besides what holds for the object."""

    noun: str | None = None
    attributes: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    count: int = 1


class _Entry(_Anchors, forbid_unknown_fields=True, kw_only=True):
    """What a list says of an object."""

    noun: str
    kind: Kind
    places: tuple[Place, ...]
    scenes: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    slots: dict[str, SlotEntry] = {}
    types: dict[str, _Type]
    worn_on: Worn | None = None
    flips: bool = True


def packaged_objects() -> dict[str, Object]:
    """The objects that come with the package, by name.

    >>> packaged_objects()["apple"].forms[0].noun
    'apple'
    """
    return dict(read_objects(files(__package__).joinpath(_FOLDER)))


def read_objects(folder: Traversable) -> Iterator[tuple[str, Object]]:
    """Every object of the lists in a folder; the drawing of entry x of list.toml is list/x.svg.

    >>> sorted(dict(read_objects(files("eyechart.scenes.art").joinpath("data/objects"))))[0]
    'airplane'
    """
    seen: dict[str, str] = {}
    for listed in sorted(
        (each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name
    ):
        theme = listed.name.removesuffix(".toml")
        for name, entry in _entries(listed).items():
            where = f"{listed.name}: {name}"
            if name in seen:
                raise FormatError(f"{where}: found it in {seen[name]} too, expected one entry of a name; rename one")
            seen[name] = listed.name
            yield name, _object(name, entry, folder.joinpath(theme, f"{name}.svg"), where)


def _entries(listed: Traversable) -> dict[str, _Entry]:
    try:
        return msgspec.toml.decode(listed.read_bytes(), type=dict[str, _Entry])
    except msgspec.DecodeError as error:
        raise FormatError(f"{listed.name}: found {error}, expected a list of objects; correct the entry") from None


def _object(name: str, entry: _Entry, file: Traversable, where: str) -> Object:
    slots = slots_of(entry.slots, where)
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{where}: found no drawing {file.name!r}, expected one beside the list; draw it") from None
    box, drawings = read_drawings(content, file.name, slots)
    if list(drawings) != list(entry.types):
        found, expected = ", ".join(drawings), ", ".join(entry.types)
        raise FormatError(
            f"{file.name}: found the groups {found}, expected {expected} as {where} says; make them equal"
        )
    unused = set(slots) - {slot for drawing in drawings.values() for slot in drawing.shown}
    if unused:
        raise FormatError(
            f"{where}: found no shape for the slot {min(unused)!r}, expected its class in {file.name}; add it"
        )
    left, top, right, bottom = box
    return Object(
        name=name,
        kind=entry.kind,
        forms=tuple(_form(key, entry, box, drawings[key]) for key in entry.types),
        slots=tuple(slots.values()),
        places=entry.places,
        scenes=entry.scenes,
        drawings=tuple(drawings.values()),
        middle=((left + right) / 2, (top + bottom) / 2),
        size=(right - left, bottom - top),
        worn=entry.worn_on,
        flips=entry.flips,
    )


def _form(name: str, entry: _Entry, box: Box, drawing: Drawing) -> Form:
    own = entry.types[name]
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    return Form(
        name=name,
        noun=own.noun or entry.noun,
        attributes=(*entry.attributes, *own.attributes),
        shows=own.shows,
        count=own.count,
        slots=tuple(dict.fromkeys(drawing.shown)),
        anchors=_anchors(entry, own, (x, y), bottom),
        box=(left - x, top - y, right - x, bottom - y),
    )


def _anchors(entry: _Entry, own: _Type, middle: Point, bottom: float) -> Anchors:
    """What a type says, else what its object says, moved to the origin."""
    x, y = middle

    def said(name: str) -> Any:  # points and segments, as the lists are decoded
        return getattr(own, name) if getattr(own, name) is not None else getattr(entry, name)

    def moved(point: Point | None) -> Point | None:
        return None if point is None else (point[0] - x, point[1] - y)

    def points(name: str) -> tuple[Point, ...]:
        return tuple((px - x, py - y) for px, py in said(name) or ())

    def segments(name: str) -> tuple[Segment, ...]:
        return tuple((x1 - x, x2 - x, level - y) for x1, x2, level in said(name) or ())

    hanging = "floor" not in entry.places and "surface" not in entry.places
    return Anchors(
        base=moved(said("base")) or ((0.0, 0.0) if hanging else (0.0, bottom - y)),
        surfaces=segments("surfaces"),
        insides=segments("insides"),
        seats=points("seats"),
        beds=segments("beds"),
        grips=points("grips"),
        feet=points("feet"),
        worn=moved(said("worn")),
    )
