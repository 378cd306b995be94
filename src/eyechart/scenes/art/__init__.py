"""The art of abstract scenes: pieces that can be coloured, posed and put together, and the backgrounds behind them."""

from eyechart.scenes.art.atlas import atlas, stencil
from eyechart.scenes.art.backgrounds import DEPTHS, HEIGHT, WIDTH, Background
from eyechart.scenes.art.catalogue import backgrounds, pieces
from eyechart.scenes.art.checks import background_clip, background_of, check, piece_of
from eyechart.scenes.art.drawings import STYLE
from eyechart.scenes.art.errors import name_of
from eyechart.scenes.art.model import (
    IDENTITY,
    Anchors,
    Box,
    Clip,
    Form,
    Kind,
    Matrix,
    Part,
    Piece,
    Place,
    Point,
    Region,
    Role,
    Scene,
    Segment,
    Slot,
    Wear,
    Worn,
)
from eyechart.scenes.art.objects import Object
from eyechart.scenes.art.palette import color_value, palette

__all__ = [
    "DEPTHS",
    "HEIGHT",
    "IDENTITY",
    "STYLE",
    "WIDTH",
    "Anchors",
    "Background",
    "Box",
    "Clip",
    "Form",
    "Kind",
    "Matrix",
    "Object",
    "Part",
    "Piece",
    "Place",
    "Point",
    "Region",
    "Role",
    "Scene",
    "Segment",
    "Slot",
    "Wear",
    "Worn",
    "atlas",
    "background_clip",
    "background_of",
    "backgrounds",
    "check",
    "color_value",
    "name_of",
    "palette",
    "piece_of",
    "pieces",
    "stencil",
]
