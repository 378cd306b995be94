"""Planted bias: questions whose answers can be guessed with a known probability, to calibrate what looks for shortcuts.

Every scene of such a world holds one probe, a thing of a kind that comes nowhere else in the scene, in one of n
colours. "What color is the ball?" is asked about it. With strength b one colour, the favourite, has probability b, the
others share 1 - b equally:

- question: each kind of probe has its favourite. The question alone is right with probability b.
- image: each background has its favourite. The picture's background alone is right with probability b.
- answer: one colour is everybody's favourite. Always saying it is right with probability b.
- none: all colours are equally likely. Nothing but looking helps; b is 1/n.

Kinds, backgrounds and their favourites are spread evenly, so that what is not meant to help is right with probability
1/n only.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from eyechart.scenes.generate.lots import Lots

__all__ = ["Bias", "Probe", "Probes", "plant"]

Kind = Literal["none", "question", "image", "answer"]


class Bias(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a world's planted answers depend on, and how strongly."""

    kind: Kind = "none"
    strength: float | None = None
    """The probability of the favourite; 1/n if the kind is none."""


class Probes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be asked about: pieces with a slot, and the colours that the slot may have."""

    pieces: dict[str, str]
    """The slot of each piece."""
    colors: list[str]

    def check(self, bias: Bias, backgrounds: Sequence[str]) -> str | None:
        """What is wrong with them, if anything is.

        >>> Probes({"ball": "body"}, ["red", "blue"]).check(Bias("question", 0.7), ["park"])
        'probes.pieces: found 1 pieces, expected a multiple of the 2 colors, so that favourites are spread evenly'
        """
        colors, groups = len(self.colors), {"question": len(self.pieces), "image": len(backgrounds)}.get(bias.kind, 0)
        if colors < 2:  # noqa: PLR2004  # one colour needs no guessing
            return f"probes.colors: found {colors}, expected at least 2"
        if groups % colors:
            what = "probes.pieces" if bias.kind == "question" else "backgrounds"
            noun = what.rpartition(".")[2]
            return (
                f"{what}: found {groups} {noun}, expected a multiple of the {colors} colors, "
                "so that favourites are spread evenly"
            )
        if bias.kind == "none":
            return None if bias.strength is None else "bias.strength: found a strength without a bias, expected none"
        if bias.strength is None or not 1 / colors <= bias.strength <= 1:
            return f"bias.strength: found {bias.strength}, expected {1 / colors:.2f} (no bias) to 1 (certain)"
        return None


class Probe(msgspec.Struct, frozen=True):
    """The thing that one scene is asked about."""

    piece: str
    slot: str
    color: str


def plant(probes: Probes, bias: Bias, background: tuple[int, str], lots: Lots) -> Probe:
    """Draw the probe of a scene; the background comes with its place among the world's backgrounds.

    >>> probes = Probes({"ball": "body", "kite": "body"}, ["red", "blue"])
    >>> {plant(probes, Bias("question", 1.0), (0, "park"), Lots(1, scene)).color == "red" for scene in range(9)}
    {False, True}
    >>> {plant(probes, Bias("answer", 1.0), (0, "park"), Lots(1, scene)).color for scene in range(9)}
    {'red'}
    """
    pieces = list(probes.pieces)
    place = int(lots.uniform("probe") * len(pieces))
    favourite = {"question": place, "image": background[0], "answer": 0}.get(bias.kind)
    color = _drawn(probes.colors, favourite, bias.strength, lots)
    return Probe(pieces[place], probes.pieces[pieces[place]], color)


def _drawn(colors: Sequence[str], favourite: int | None, strength: float | None, lots: Lots) -> str:
    if favourite is None or strength is None:
        return colors[int(lots.uniform("probe color") * len(colors))]
    preferred = colors[favourite % len(colors)]
    if lots.chance(strength, "probe favourite"):
        return preferred
    others = [color for color in colors if color != preferred]
    return others[int(lots.uniform("probe color") * len(others))]
