"""The body plan of what has its own shape, such as fish, crabs and butterflies: named bones with strokes on them."""

from collections.abc import Mapping

import msgspec

from eyechart.errors import FormatError
from eyechart.scenes.art.figures.brush import read_strokes
from eyechart.scenes.art.figures.plans import Layer, Rig, Stance
from eyechart.scenes.art.figures.rig import Bone
from eyechart.scenes.art.figures.strokes import Circle
from eyechart.scenes.art.model import Point

__all__ = ["Free", "FreePose"]


class _Bone(msgspec.Struct, forbid_unknown_fields=True):
    on: str = ""
    """What it hangs on; the root if empty."""
    at: Point = (0.0, 0.0)
    touch: tuple[Circle, ...] = ()
    """Where it may touch the ground."""


class _Layer(msgspec.Struct, forbid_unknown_fields=True):
    art: tuple[str, ...]
    on: str = ""
    when: str = ""
    """The state in which it is drawn, or not with a leading minus."""


class Free(msgspec.Struct, forbid_unknown_fields=True):
    """Bones and drawings of one animal, in its own pixels."""

    layers: tuple[_Layer, ...]
    """The hindmost first."""
    bones: dict[str, _Bone] = {}
    """By name; what hangs on another comes after it."""
    touch: tuple[Circle, ...] = ()
    """Where the root may touch the ground; the lowest point that is drawn if nothing is said."""
    mouth: Point | None = None

    def rig(self, known: Mapping[str, str], where: str) -> Rig:
        """Bones and layers."""
        number = {"": 0}
        bones = [Bone("root", touch=self.touch)]
        for name, bone in self.bones.items():
            self._there(bone.on, number, f"{where}: {name}")
            bones.append(Bone(name, number[bone.on], bone.at, touch=bone.touch))
            number[name] = len(number)
        layers = []
        for layer in self.layers:
            self._there(layer.on, number, f"{where}: a layer")
            strokes = read_strokes(layer.art, known, f"{where}: {layer.on or 'root'}")
            layers.append(Layer(number[layer.on], strokes, layer.when))
        return Rig(tuple(bones), tuple(layers), {"mouth": (0, self.mouth)} if self.mouth else {}, {})

    def _there(self, bone: str, number: Mapping[str, int], where: str) -> None:
        if bone not in number:
            known = ", ".join(filter(None, number)) or "none, since there is only the root"
            raise FormatError(f"{where} is on {bone!r}, expected one of the bones before it: {known}; name one")


class FreePose(msgspec.Struct, forbid_unknown_fields=True):
    """A pose: degrees by bone, and the states that choose what is drawn."""

    attributes: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    lift: float = 0.0
    root: float = 0.0
    turns: dict[str, float] = {}

    def stance(self) -> Stance:
        """Degrees for every bone."""
        return Stance(
            turns={"root": self.root, **self.turns},
            attributes=self.attributes,
            states=frozenset(self.states),
            lift=self.lift,
        )
