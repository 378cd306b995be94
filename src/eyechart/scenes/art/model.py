"""What art is made of: pieces with forms, slots and anchors, backgrounds with regions, and the records of a scene.

All coordinates of a piece are scene pixels at depth 0, relative to the piece's origin, which is where a clip's x and y
put it; y grows downward, and the piece faces left.
"""

from dataclasses import dataclass, field
from typing import Literal, Protocol

__all__ = [
    "IDENTITY",
    "Anchors",
    "Box",
    "Clip",
    "Form",
    "Kind",
    "Matrix",
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
]

Kind = Literal["human", "animal", "largeObject", "smallObject", "background"]
"""The four of the abstract-scenes dataset; a background is a piece, too, so that its colours have a row."""

Place = Literal["floor", "surface", "wall", "ceiling", "sky", "water", "tree"]
"""Where a piece can be: on the ground, on a surface of something, hanging, flying, floating, in a tree."""

Role = Literal["wall", "ground", "sky", "water", "far"]
"""What a region is for: things hang on walls, stand on grounds, fly in skies, float on water; far is mere scenery."""

Worn = Literal["head", "eyes", "back", "hand", "neck", "feet"]
"""Where a person wears or carries a piece."""

Point = tuple[float, float]
Segment = tuple[float, float, float]
"""A level line: left end, right end, height."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Matrix = tuple[float, float, float, float, float, float]
"""As in SVG: x' = a x + c y + e, y' = b x + d y + f."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Clip:
    """One piece in a scene: a row of the table of clip art."""

    name: str
    x: float
    y: float
    depth: int = 0
    """From 0, nearest and largest, to 4."""
    flip: bool = False
    """Mirrored: the piece then faces right."""
    variant: int = 0
    """Which form of an object."""
    pose: int = 0
    """Which form of an animal."""
    style: int = 0
    """Which clothes of a person."""
    expression: int = 0
    """Face of a person; 0 is blank."""
    turns: tuple[float, ...] = ()
    """Radians by which each limb is turned against the one it hangs on; none means the piece's own rest."""
    colors: tuple[str | None, ...] = ()
    """Colour of each slot, null for the drawing's own; shorter than the slots means null for the others."""
    layer: int = 0
    """Within a depth, larger ones are drawn first."""
    sublayer: int = 0
    """Within a layer, larger ones are drawn first."""
    instance: int = 0
    """Which of several equal ones."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture before it is drawn: a background, and clips in any order.

    >>> Scene("park", (Clip("tree", 100, 150, depth=2), Clip("dog", 250, 300))).clips[1].name
    'dog'
    """

    background: str
    clips: tuple[Clip, ...] = ()
    colors: tuple[str | None, ...] = ()
    """Colour of each slot of the background, null for its own."""
    variant: int = 0
    """Which look of the background."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a drawing that can be coloured."""

    name: str
    default: str
    """A colour of the palette."""
    colors: tuple[str, ...] = ()
    """Colours that such a thing has in the world; the default is among them."""
    gives: bool = True
    """Whether the whole object is said to have this colour ("the red car"); not so for a lampshade's stripe."""


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where other things meet a piece."""

    base: Point = (0.0, 0.0)
    """Middle of what it stands on; a hanging piece has its middle here."""
    surfaces: tuple[Segment, ...] = ()
    """Small things can stand on these."""
    insides: tuple[Segment, ...] = ()
    """Small things can stand in it here: shelves, a basket."""
    seats: tuple[Point, ...] = ()
    """Hips of somebody who sits on it."""
    beds: tuple[Segment, ...] = ()
    """Somebody can lie here."""
    grips: tuple[Point, ...] = ()
    """Hands hold it here."""
    feet: tuple[Point, ...] = ()
    """Feet of somebody who rides it."""
    worn: Point | None = None
    """What comes onto the body part that wears it."""
    mouth: Point | None = None
    """Where an animal or person carries or eats."""


@dataclass(frozen=True, slots=True)
class Form:
    """One drawing of a piece: a type of an object, a pose of an animal."""

    name: str
    noun: str
    """What the ontology calls it."""
    attributes: tuple[str, ...] = ()
    """What is true of it besides the colours of slots: materials, states, shapes, poses."""
    slots: tuple[str, ...] = ()
    """The slots that this drawing shows."""
    anchors: Anchors = Anchors()
    box: Box = (0.0, 0.0, 0.0, 0.0)
    """What it draws lies within."""
    shows: tuple[str, ...] = ()
    """Other things to be seen in the drawing, such as the books of a bookshelf: nobody may say that they are absent."""
    count: int = 1
    """How many things of its noun it draws: three balloons on one string."""


@dataclass(frozen=True, slots=True)
class Part:
    """A rigid part of a drawing and how it is placed; a piece without limbs is one part."""

    svg: str
    """An SVG fragment in the part's own coordinates, with its colours."""
    box: Box
    """What it draws lies within."""
    matrix: Matrix = IDENTITY
    """From the part's coordinates to those of the piece."""
    outline: str = ""
    """The same drawing in any one colouring: parts of equal outline have equal shapes. The svg itself if empty."""
    tag: str = ""
    """What it shows, such as shirt or hair: parts of one tag are also measured by themselves."""
    polygon: tuple[Point, ...] = ()
    """Its convex shape, in the part's coordinates, if that is new in every pose; it is measured without drawing."""
    edge: float = 0.0
    """The radius that rounds the polygon."""


@dataclass(frozen=True, slots=True)
class Wear:
    """What a tag of a person's drawing is: something that is worn, or hair."""

    noun: str
    color: str
    attributes: tuple[str, ...] = ()


class Piece(Protocol):
    """A thing that scenes can show."""

    @property
    def name(self) -> str:
        """Such as apple, dog or doll07."""

    @property
    def kind(self) -> Kind:
        """As the dataset sorts clip art."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Types of an object, poses of an animal, clothes of a person; at least one."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """In the order of a clip's colours."""

    @property
    def limbs(self) -> tuple[str, ...]:
        """Names of what turns, in the order of a clip's turns; none for a rigid piece."""

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it can be."""

    def form(self, clip: Clip) -> Form:
        """The form that a clip shows; an error names the clip's mistake."""

    def parts(self, clip: Clip) -> tuple[Part, ...]:
        """What is drawn, the hindmost first."""

    def joints(self, clip: Clip) -> tuple[tuple[float, float, float], ...]:
        """Per limb: x and y of its joint and its rotation in the picture, in radians, before flip and scale."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a background that is an object of the scene: the sky, the floor."""

    name: str
    noun: str
    role: Role
    box: Box
    """In scene pixels."""
    slot: str | None = None
    """The slot that gives its colour."""
    attributes: tuple[str, ...] = field(default=())
