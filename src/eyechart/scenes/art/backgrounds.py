"""Backgrounds: a drawing whose groups are regions, some of them for one look only, and the rules of its perspective.

A group is called after its region, or after region and look (``sky-cloudy``) if only that look shows it. Things at
depth d are drawn at shrink ** d and stand on the level of d, so that heads of people of one height are in one line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from eyechart.errors import FormatError
from eyechart.scenes.art.drawings import Drawing, read_drawings
from eyechart.scenes.art.errors import choose
from eyechart.scenes.art.model import Anchors, Box, Clip, Form, Kind, Part, Place, Region, Role, Slot
from eyechart.scenes.art.palette import palette
from eyechart.scenes.art.slots import SlotEntry, colors_of, slots_of

__all__ = ["DEPTHS", "HEIGHT", "WIDTH", "Background", "packaged_backgrounds", "read_backgrounds"]

WIDTH, HEIGHT = 500, 400
"""Of a scene, in scene pixels."""

DEPTHS = 5
"""From 0, nearest and largest, to 4."""

_FOLDER = "data/backgrounds"


@dataclass(frozen=True)
class Background:
    """Where a scene plays; as a piece it lies at the origin, in scene pixels."""

    name: str
    forms: tuple[Form, ...]
    """Its looks: sunny or cloudy, wooden or tiled."""
    slots: tuple[Slot, ...]
    regions: tuple[tuple[Region, ...], ...]
    """Of each look, in the order in which they are drawn; their boxes are where things may be put."""
    layers: tuple[tuple[tuple[str, Drawing], ...], ...]
    """Of each look, in the order in which they are drawn: the region that a drawing shows."""
    indoors: bool
    horizon: float
    """Where levels vanish."""
    front: float
    """Where things at depth 0 stand."""
    shrink: float
    """Size of things one step farther away."""
    kind: Kind = "background"
    limbs: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()

    @cached_property
    def scales(self) -> tuple[float, ...]:
        """The size of things at each depth."""
        return tuple(self.shrink**depth for depth in range(DEPTHS))

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """Where things at each depth stand: y of their lowest point."""
        return tuple(self.horizon + (self.front - self.horizon) * scale for scale in self.scales)

    def form(self, clip: Clip) -> Form:
        """The look that a clip shows."""
        return self.forms[choose(clip, "variant", clip.variant, len(self.forms))]

    def parts(self, clip: Clip) -> tuple[Part, ...]:
        """One part per layer, tagged by its region."""
        self.form(clip)
        values = {slot: palette()[color] for slot, color in colors_of(self.slots, clip).items()}
        box = (0.0, 0.0, float(WIDTH), float(HEIGHT))
        return tuple(Part(drawing.fill(values), box, tag=region) for region, drawing in self.layers[clip.variant])

    def joints(self, clip: Clip) -> tuple[tuple[float, float, float], ...]:  # noqa: ARG002  # every piece has joints
        """None: it is rigid."""
        return ()


class _Look(msgspec.Struct, forbid_unknown_fields=True):
    """What a background's file says of a look."""

    attributes: tuple[str, ...] = ()
    regions: dict[str, tuple[str, ...]] = {}
    """What is true of regions in this look only."""


class _Region(msgspec.Struct, forbid_unknown_fields=True):
    """What a background's file says of a region."""

    noun: str
    role: Role
    box: Box
    slot: str | None = None
    attributes: tuple[str, ...] = ()


class _Entry(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A background's file."""

    noun: str
    indoors: bool
    horizon: float
    front: float
    shrink: float
    slots: dict[str, SlotEntry] = {}
    looks: dict[str, _Look]
    regions: dict[str, _Region]


def packaged_backgrounds() -> dict[str, Background]:
    """The backgrounds that come with the package, by name.

    >>> [region.name for region in packaged_backgrounds()["beach"].regions[0]][0]
    'sky'
    """
    return dict(read_backgrounds(files(__package__).joinpath(_FOLDER)))


def read_backgrounds(folder: Traversable) -> Iterator[tuple[str, Background]]:
    """Every background of a folder: a file x.toml, and its drawing x.svg.

    >>> sorted(dict(read_backgrounds(files("eyechart.scenes.art").joinpath("data/backgrounds"))))[0]
    'beach'
    """
    for listed in sorted(
        (each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name
    ):
        name = listed.name.removesuffix(".toml")
        try:
            entry = msgspec.toml.decode(listed.read_bytes(), type=_Entry)
        except msgspec.DecodeError as error:
            raise FormatError(f"{listed.name}: found {error}, expected a background; correct the entry") from None
        yield name, _background(name, entry, folder.joinpath(f"{name}.svg"), listed.name)


def _background(name: str, entry: _Entry, file: Traversable, where: str) -> Background:
    slots = slots_of(entry.slots, where)
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{where}: found no drawing {file.name!r}, expected one beside it; draw it") from None
    box, drawings = read_drawings(content, file.name, slots)
    if tuple(box) != (0, 0, WIDTH, HEIGHT):
        raise FormatError(f"{file.name}: found the viewBox {box}, expected 0 0 {WIDTH} {HEIGHT}; correct it")
    _check(entry, drawings, file.name, where)
    looks = list(entry.looks)
    layers = tuple(tuple(_layers(drawings, look)) for look in looks)
    return Background(
        name=name,
        forms=tuple(_form(look, entry, shown) for look, shown in zip(looks, layers, strict=True)),
        slots=tuple(slots.values()),
        regions=tuple(tuple(_regions(entry, look, shown)) for look, shown in zip(looks, layers, strict=True)),
        layers=layers,
        indoors=entry.indoors,
        horizon=entry.horizon,
        front=entry.front,
        shrink=entry.shrink,
    )


def _check(entry: _Entry, drawings: dict[str, Drawing], file: str, where: str) -> None:
    for group in drawings:
        shown, _, look = group.partition("-")
        if shown not in entry.regions or (look and look not in entry.looks):
            known = f"one of {', '.join(entry.regions)}, or one of these, a hyphen and {' or '.join(entry.looks)}"
            raise FormatError(f"{file}: found the group {group!r}, expected {known}; rename it")
    drawn = {group.partition("-")[0] for group in drawings}
    for name, region in entry.regions.items():
        if name not in drawn:
            raise FormatError(f"{where}: found no group for the region {name!r} in {file}, expected one; draw it")
        if region.slot is not None and region.slot not in entry.slots:
            raise FormatError(f"{where}: {name} has the slot {region.slot!r}, expected one of slots; name one")
    stray = {region for look in entry.looks.values() for region in look.regions} - set(entry.regions)
    if stray:
        raise FormatError(f"{where}: a look says something of {min(stray)!r}, expected one of regions; name one")


def _layers(drawings: dict[str, Drawing], look: str) -> Iterator[tuple[str, Drawing]]:
    for group, drawing in drawings.items():
        region, _, only = group.partition("-")
        if only in ("", look):
            yield region, drawing


def _form(look: str, entry: _Entry, shown: Sequence[tuple[str, Drawing]]) -> Form:
    return Form(
        name=look,
        noun=entry.noun,
        attributes=entry.looks[look].attributes,
        slots=tuple(dict.fromkeys(slot for _, drawing in shown for slot in drawing.shown)),
        anchors=Anchors(),
        box=(0.0, 0.0, float(WIDTH), float(HEIGHT)),
    )


def _regions(entry: _Entry, look: str, shown: Sequence[tuple[str, Drawing]]) -> Iterator[Region]:
    for name in dict.fromkeys(region for region, _ in shown):
        found = entry.regions[name]
        attributes = (*found.attributes, *entry.looks[look].regions.get(name, ()))
        yield Region(name, found.noun, found.role, found.box, found.slot, attributes)
