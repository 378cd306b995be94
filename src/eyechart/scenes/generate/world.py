"""What a world is: places, what stands where and how likely, who does what, and the habits of colours and poses."""

from typing import Literal

import msgspec

from eyechart.scenes.generate.bias import Bias, Probes

__all__ = ["CHEST", "Activity", "Group", "Habitat", "Hold", "Manner", "People", "Weights", "World"]

Weights = dict[str, float]
"""How likely each is, in relation to the others."""

CHEST = "chest"
"""Where hands hold what nothing else is said of."""

Manner = Literal["sit", "lie", "ride", "stand", "swim", "perch", "chase", "play", "push", "hold", "wear", "look"]
"""How an activity brings two things together; ``acting`` has a function for each."""

On = Literal["floor", "wall", "ceiling", "sky", "water", "surface"]


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Things that a place has: how many of them, which, and where."""

    pieces: Weights
    count: list[float]
    """Weights of none, one, two and so on."""
    on: On = "floor"
    depths: tuple[int, int] = (0, 4)
    """The nearest and the farthest."""
    across: tuple[float, float] = (0.0, 1.0)
    """From where to where, as shares of the picture's width."""
    down: tuple[float, float] = (0.0, 1.0)
    """On a wall or in the sky: from where to where, as shares of its height."""
    hosts: list[str] = []
    """On surfaces: whose; any if empty."""
    kinds: dict[str, Weights] = {}
    """Types of pieces, where they differ from those of the world."""
    most: int = 1
    """Of one piece in a scene."""
    weather: list[str] = []
    """Only in this weather; in any if empty."""


class Habitat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place where scenes happen; it has the name of its background."""

    looks: Weights
    """How the background looks: sunny or cloudy, wooden or tiled."""
    weight: float = 1.0
    people: tuple[float, ...] = (1.0,)
    """Weights of nobody, one person, two and so on."""
    animals: tuple[float, ...] = (1.0,)
    """Weights of no animal, one and so on."""
    fauna: Weights = {}
    """Which animals."""
    groups: list[Group] = []


class Activity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that somebody does with something."""

    does: str
    """The relation, as the ontology has it."""
    manner: Manner
    who: list[str]
    """person, animal, an age of people, or a piece."""
    what: Weights
    """Pieces that it is done with; person and animal stand for those that are there already."""
    weight: float = 1.0
    places: list[str] = []
    """Where; anywhere if empty."""
    kinds: dict[str, Weights] = {}
    """Types of the pieces, where they differ from those of the world."""
    poses: Weights = {}
    """Names of poses; those that fit the manner if empty."""
    faces: Weights = {}
    """Names of expressions; those of people at large if empty."""
    hold: str = ""
    """Where hands hold it: a name among the world's holds; before the chest if empty."""
    behind: bool = False
    """Whether the thing hides who does it, as a boat does."""


class Hold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a hand is while it holds something."""

    near: Literal["neck", "mouth", "eyes", "hips", "head"]
    by: tuple[float, float]
    """Off that spot, forward (negative) and down, in lengths of the torso."""


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for people at large."""

    ages: Weights
    faces: Weights
    """Expressions."""
    poses: Weights
    """Of those who do nothing in particular; the name of the pose."""
    depths: tuple[float, ...] = (3.0, 4.0, 3.0)
    """Weights of standing nearest, one step farther, and so on; also of animals."""
    busy: float = 0.7
    """How many do something that says where they are: sit, ride, lie."""
    handy: float = 0.6
    """How many of those who can have something in hand."""
    dressed: float = 0.3
    """How many wear something besides their clothes."""


class World(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it, as a world file has it."""

    about: str
    places: dict[str, Habitat]
    people: People
    based_on: str | None = None
    """The packaged world of which this one changes something; its tables are laid over that world's."""
    splits: Weights = {}
    """How scenes are divided; none has a split if empty."""
    activities: list[Activity] = []
    holds: dict[str, Hold] = {}
    poses: dict[str, Weights] = {}
    """Of animals, by piece; ``animal`` for all others."""
    kinds: dict[str, Weights] = {}
    """Types of objects, by piece: those that are not named are not drawn."""
    colors: dict[str, dict[str, Weights]] = {}
    """Of slots, by piece, background, look of a background (``park/cloudy``), or ``person``; the colour ``own`` is the
    drawing's."""
    own_color: float = 0.4
    """How many of the slots that are not mentioned keep the drawing's own colour; the others take any of theirs."""
    flat: list[str] = []
    """Pieces that lie on the ground and that others may stand on, such as rugs."""
    asked: list[str] = []
    """Pieces whose colour is asked for, where a scene shows one of that name that is of one colour."""
    probes: Probes | None = None
    bias: Bias | None = None
