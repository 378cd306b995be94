"""The art as data for the scene editor: what a browser needs to draw scenes exactly as the renderer does."""

from collections.abc import Mapping
from functools import cache, singledispatch
from typing import Any

from eyechart.errors import UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.scenes.art.backgrounds import DEPTHS, HEIGHT, WIDTH, Background
from eyechart.scenes.art.catalogue import backgrounds, pieces
from eyechart.scenes.art.drawings import STYLE
from eyechart.scenes.art.figures import Animal, Cut, Drape, Person
from eyechart.scenes.art.model import Form, Piece, Point, Slot
from eyechart.scenes.art.objects import Object
from eyechart.scenes.art.palette import palette

__all__ = ["atlas", "stencil"]

Json = dict[str, Any]  # what is written for a browser; its members are those that the editor's modules read


@cache
def atlas() -> Json:
    """What can be put into scenes, without the drawings: the palette, the backgrounds, and every piece by its name.

    >>> atlas()["size"], atlas()["pieces"]["doll01"]["label"], atlas()["backgrounds"]["park"]["label"]
    ((500, 400), 'man in blue', 'park')
    """
    return {
        "size": (WIDTH, HEIGHT),
        "depths": DEPTHS,
        "style": STYLE,
        "palette": dict(palette()),
        "backgrounds": {name: _place(name, found) for name, found in backgrounds().items()},
        "pieces": {name: _entry(piece) for name, piece in pieces().items()},
    }


def _place(name: str, background: Background) -> Json:
    return {
        "label": name.replace("_", " "),
        "indoors": background.indoors,
        "looks": [form.name for form in background.forms],
        "scales": background.scales,
        "levels": background.levels,
    }


def _entry(piece: Piece) -> Json:
    return {
        "label": _label(piece),
        "kind": piece.kind,
        "scenes": getattr(piece, "scenes", ()),
        "places": piece.places,
    }


def _label(piece: Piece) -> str:
    """What a person calls it: by its name, people by what they are and wear."""
    if not isinstance(piece, Person):
        return piece.name.replace("_", " ")
    top = next(slot.default for slot in piece.slots if slot.name == "top")
    return f"{piece.noun} in {top}"


@cache
def stencil(name: str) -> Json:
    """One piece, or one background, with all its drawings; ``{slot}`` stands where a colour goes.

    >>> apple = stencil("apple")
    >>> [form["name"] for form in apple["forms"]], "{skin}" in apple["forms"][0]["svg"]
    (['whole', 'bitten', 'half'], True)
    >>> len(stencil("doll01")["bones"]), stencil("park")["forms"][0]["name"]
    (15, 'sunny')
    """
    known: Mapping[str, Piece] = {**pieces(), **backgrounds()}
    if (piece := known.get(name)) is None:
        raise UnknownNameError(f"no art is called {name!r}: {did_you_mean(name, known)}")
    return {
        "name": name,
        "kind": piece.kind,
        "label": _label(piece),
        "slots": [_slot(slot) for slot in piece.slots],
        "limbs": piece.limbs,
        **_drawn(piece),
    }


def _slot(slot: Slot) -> Json:
    return {"name": slot.name, "default": slot.default, "colors": slot.colors}


def _form(form: Form, svg: str) -> Json:
    return {
        "name": form.name,
        "slots": form.slots,
        "base": form.anchors.base,
        "box": form.box,
        "svg": svg,
    }


@singledispatch
def _drawn(piece: Piece) -> Json:
    """What depends on how a piece is drawn."""
    raise NotImplementedError(piece.name)


@_drawn.register
def _(piece: Object) -> Json:
    marks = {slot.name: f"{{{slot.name}}}" for slot in piece.slots}
    x, y = piece.middle
    frame = f'<g transform="translate({-x:g} {-y:g})">'
    return {
        "flips": piece.flips,
        "forms": [
            _form(form, f"{frame}{drawing.fill(marks)}</g>")
            for form, drawing in zip(piece.forms, piece.drawings, strict=True)
        ],
    }


@_drawn.register
def _(piece: Animal) -> Json:
    return {"forms": [_form(form, svg) for form, svg in zip(piece.forms, piece.drawings, strict=True)]}


@_drawn.register
def _(piece: Background) -> Json:
    marks = {slot.name: f"{{{slot.name}}}" for slot in piece.slots}
    return {
        "forms": [
            _form(form, "".join(drawing.fill(marks) for _, drawing in layers))
            for form, layers in zip(piece.forms, piece.layers, strict=True)
        ]
    }


@_drawn.register
def _(piece: Person) -> Json:
    """Bones, and what hangs on them: each cut once, however many styles and faces show it."""
    looks = [[[repr(cut) for cut in face] for face in style] for style in piece.looks]
    cuts = {repr(cut): cut for style in piece.looks for face in style for cut in face}
    places = {key: place for place, key in enumerate(cuts)}
    return {
        "skin": piece.skin,
        "expressions": piece.expressions,
        "forms": [_form(form, "") for form in piece.forms],
        "bones": [
            {
                "name": bone.name,
                "parent": bone.parent,
                "at": bone.at,
                "low": bone.low,
                "high": bone.high,
                "touch": bone.touch,
            }
            for bone in piece.skeleton.bones
        ],
        "ends": [_end(piece, name) for name in piece.limbs],
        "poses": piece.poses,
        "cuts": [_cut(cut) for cut in cuts.values()],
        "looks": [[[places[key] for key in face] for face in style] for style in looks],
    }


def _cut(cut: Cut | Drape) -> Json:
    if isinstance(cut, Drape):
        return {"points": cut.points, "edge": cut.edge, "slot": cut.slot}
    return {"bone": cut.mount.bone, "at": cut.mount.at, "scale": cut.scale, "svg": cut.svg}


_ENDS: dict[str, Point] = {
    "hips": (24.0, 2.0),
    "torso": (0.0, -0.62),
    "head": (-1.5, -43.0),
    "hand": (0.0, 14.0),
    "foot": (-15.0, 5.0),
}
"""Where one takes hold of a limb, away from its joint; of a torso in shares of its length."""
_ALONG = 0.78
"""Of arms and legs: so far towards the joint below, where the handle of the next limb is not yet."""


def _end(piece: Person, limb: str) -> Point:
    """The point of a limb, in the frame of its bone, that a person drags to turn it."""
    kind = limb.removeprefix("left ").removeprefix("right ")
    if kind in _ENDS:
        size = 1.0 if kind == "hips" else piece.sizes[kind]
        return _ENDS[kind][0] * size, _ENDS[kind][1] * size
    number = piece.limbs.index(limb)
    below = [bone.at for bone in piece.skeleton.bones if bone.parent == number]
    fixed = [mount.at for mount in piece.skeleton.mounts.values() if mount.bone == number]
    x, y = max(below or fixed, key=lambda at: at[1])
    return x * _ALONG, y * (_ALONG if below else 1.0)
