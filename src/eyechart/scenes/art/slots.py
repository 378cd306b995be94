"""Slots as lists of art write them, and the colours that a clip gives them."""

from collections.abc import Mapping, Sequence

import msgspec

from eyechart.errors import DataError, FormatError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.errors import name_of
from eyechart.scenes.art.model import Clip, Slot
from eyechart.scenes.art.palette import palette

__all__ = ["SlotEntry", "colors_of", "slots_of"]


class SlotEntry(msgspec.Struct, forbid_unknown_fields=True):
    """What a list says of a slot."""

    default: str
    colors: tuple[str, ...] = ()
    gives: bool = True


def slots_of(entries: Mapping[str, SlotEntry], where: str) -> dict[str, Slot]:
    """The slots of a piece; their colours are those of the palette.

    >>> slots_of({"skin": SlotEntry("red", ("red", "green"))}, "food.toml: apple")["skin"].colors
    ('red', 'green')
    """
    return {name: _slot(name, entry, where) for name, entry in entries.items()}


def _slot(name: str, entry: SlotEntry, where: str) -> Slot:
    for color in (entry.default, *entry.colors):
        if color not in palette():
            raise FormatError(f"{where}: slot {name!r} has the colour {color!r}, expected one of the palette; name one")
    if entry.colors and entry.default not in entry.colors:
        raise FormatError(f"{where}: slot {name!r} lacks its default {entry.default!r} in colors; list it, too")
    return Slot(name, entry.default, entry.colors or (entry.default,), entry.gives)


def colors_of(slots: Sequence[Slot], clip: Clip) -> dict[str, str]:
    """The colour of every slot: the clip's, else the drawing's own.

    >>> colors_of([Slot("body", "red"), Slot("roof", "gray")], Clip("car", 0, 0, colors=("blue",)))
    {'body': 'blue', 'roof': 'gray'}
    """
    if len(clip.colors) > len(slots):
        raise DataError(
            f"{name_of(clip)}: found {len(clip.colors)} colours, expected {len(slots)} at most; remove some"
        )
    named = {slot.name: slot.default for slot in slots}
    for slot, color in zip(slots, clip.colors, strict=False):
        if color is None:
            continue
        if color not in palette():
            near = did_you_mean(color, palette())
            raise DataError(f"{name_of(clip)}: found the colour {color!r}, expected one of the palette; {near}")
        named[slot.name] = color
    return named
