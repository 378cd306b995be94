"""A scene while it is put together: what stands where, what is still free, and how much a new thing would hide."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from eyechart.scenes.art import HEIGHT, WIDTH, Background, Box, Clip, Form, Piece, Point, Region, Role
from eyechart.scenes.generate.composition import clip_id
from eyechart.scenes.generate.graph import Link
from eyechart.scenes.generate.lots import Lots

__all__ = ["ANYWHERE", "FRONT", "Canvas", "Placed", "Wish", "spanned"]

FRONT = 20
"""The sublayer of what has nothing before it; what it holds or carries has smaller ones."""

_TRIES = 7
_SOLID = 0.8
"""The share of a thing's width that it needs on the ground."""
_BESIDE = 10.0
"""Things whose feet are nearer than this, in pixels of height, stand side by side or not at all."""
_FLAT_COSTS = 0.15
"""What it costs to hide a thing that lies flat, in relation to others."""
_RIM = 0.1
"""How much of a thing may lie outside of the picture, as a share of its width."""
_LOWEST = HEIGHT - 4.0
_SOMEBODY = ("human", "animal")
_MOST_OF_SOMEBODY = 0.4
_SWAY = (-0.1, 0.35)
"""How far things stand before the level of their depth, as shares of the way to the next one."""


@dataclass(slots=True, eq=False)
class Placed:
    """A clip that has its place."""

    clip: Clip
    piece: Piece
    form: Form
    scale: float
    box: Box
    ground: float | None = None
    """The height on which it stands; none if it hangs, flies or is carried."""
    flat: bool = False
    """Whether it lies on the ground like a rug."""
    kept: bool = False
    """Whether nothing may hide it."""
    seats: int = 0
    """How many of its seats are taken."""
    filled: list[tuple[float, float]] = field(default_factory=list)
    """Where its surfaces are taken, from left to right in the scene."""

    @property
    def object_id(self) -> str:
        """The id of its clip."""
        return clip_id(self.clip.name, self.clip.instance)

    @property
    def middle(self) -> float:
        """The x of its middle."""
        return (self.box[0] + self.box[2]) / 2

    def at(self, point: Point) -> Point:
        """Where a point of the piece is in the scene."""
        across = -point[0] if self.clip.flip else point[0]
        return self.clip.x + across * self.scale, self.clip.y + point[1] * self.scale

    def own(self, point: Point) -> Point:
        """Where a point of the scene is in the piece."""
        across = (point[0] - self.clip.x) / self.scale
        return (-across if self.clip.flip else across), (point[1] - self.clip.y) / self.scale


@dataclass(frozen=True, slots=True)
class Wish:
    """What a thing asks of its place."""

    across: tuple[float, float] = (0.0, 1.0)
    """Which part of the width, as shares."""
    most_hidden: float = 0.45
    """How much of itself or of another it may hide or have hidden."""
    flat: bool = False
    kept: bool = False


def spanned(box: Box, clip: Clip, scale: float) -> Box:
    """A piece's box in the scene.

    >>> spanned((-10, -5, 20, 5), Clip("dog", 100, 50, flip=True), 0.5)
    (90.0, 47.5, 105.0, 52.5)
    """
    left, top, right, bottom = box
    if clip.flip:
        left, right = -right, -left
    return clip.x + left * scale, clip.y + top * scale, clip.x + right * scale, clip.y + bottom * scale


ANYWHERE = Wish()
"""The wish of a thing that asks for nothing in particular."""


class Canvas:
    """The picture so far.

    >>> from eyechart.scenes.generate.stock import packaged_stock
    >>> stock = packaged_stock()
    >>> canvas = Canvas(stock.backgrounds["park"], 0, Lots(1, 1))
    >>> tree = canvas.stand(Clip("tree", 0, 0, depth=3), stock.pieces["tree"])
    >>> tree.object_id, canvas.stand(Clip("tree", 0, 0, depth=3), stock.pieces["tree"]).object_id
    ('tree-0', 'tree-1')
    """

    def __init__(self, background: Background, look: int, lots: Lots) -> None:
        self.background, self.look, self.lots = background, look, lots
        self.placed: list[Placed] = []
        self.acts: list[Link] = []
        self.said: list[tuple[str, str]] = []
        self.counts: dict[str, int] = {}

    def regions(self, role: Role) -> list[Region]:
        """The parts of the background that are for one thing."""
        return [region for region in self.background.regions[self.look] if region.role == role]

    def named(self, name: str) -> Iterator[Placed]:
        """The things of a piece."""
        return (each for each in self.placed if each.clip.name == name)

    def put(self, clip: Clip, piece: Piece, box: Box | None = None) -> Placed:
        """Put a clip where it is, as the next instance of its piece."""
        number = self.counts.get(clip.name, 0)
        self.counts[clip.name] = number + 1
        numbered = replace(clip, instance=number, x=round(clip.x, 2), y=round(clip.y, 2))
        form, scale = piece.form(clip), self.background.scales[clip.depth]
        placed = Placed(numbered, piece, form, scale, box or spanned(form.box, numbered, scale))
        self.placed.append(placed)
        return placed

    def take_back(self, placed: Placed) -> None:
        """Remove what was put last of its piece."""
        self.placed.remove(placed)
        self.counts[placed.clip.name] -= 1

    def stand(self, clip: Clip, piece: Piece, wish: Wish = ANYWHERE) -> Placed | None:
        """Put a clip on the ground of its depth where it hides little; None where there is no room."""
        form, scale = piece.form(clip), self.background.scales[clip.depth]
        level = self.level(clip)
        there = replace(clip, x=0.0, y=level - form.anchors.base[1] * scale, layer=layer_of(level, flat=wish.flat))
        box = spanned(form.box, there, scale)
        x = self.room(box, clip, wish, level)
        if x is None:
            return None
        placed = self.put(replace(there, x=x), piece)
        placed.ground, placed.flat, placed.kept = level, wish.flat, wish.kept
        return placed

    def hang(self, clip: Clip, piece: Piece, area: Box, wish: Wish = ANYWHERE) -> Placed | None:
        """Put a clip with its base somewhere in an area, behind what stands; None where there is no room."""
        form, scale = piece.form(clip), self.background.scales[clip.depth]
        left, top, right, bottom = area
        low, high = top - form.box[1] * scale, bottom - form.box[3] * scale
        if high < low:
            return None
        y = self.lots.between(low, high, "height", clip.name, len(self.placed))
        there = replace(clip, x=0.0, y=y, layer=2 * HEIGHT)
        across = (max(wish.across[0], left / WIDTH), min(wish.across[1], right / WIDTH))
        x = self.room(spanned(form.box, there, scale), clip, replace(wish, across=across), None)
        return None if x is None else self.put(replace(there, x=x), piece)

    def hides(self, box: Box, *but: Placed) -> bool:
        """Whether something at a place that is not chosen by room would hide what must be seen, or most of somebody."""
        left, top, right, bottom = box
        for other in self.placed:
            over = min(right, other.box[2]) - max(left, other.box[0])
            under = min(bottom, other.box[3]) - max(top, other.box[1])
            if over <= 0 or under <= 0 or other in but:
                continue
            area = (other.box[2] - other.box[0]) * (other.box[3] - other.box[1])
            if other.kept or (other.piece.kind in _SOMEBODY and over * under > _MOST_OF_SOMEBODY * area):
                return True
        return False

    def level(self, clip: Clip) -> float:
        """The height on which a clip stands: near the level of its depth, so that not all stand in rows."""
        levels = self.background.levels
        farther = min(clip.depth + 1, len(levels) - 1)
        way = levels[farther - 1] - levels[farther]
        return min(_LOWEST, levels[clip.depth] + way * self.lots.between(*_SWAY, "sway", clip.name, len(self.placed)))

    def room(self, box: Box, clip: Clip, wish: Wish, level: float | None) -> float | None:
        """The x, of some drawn ones, where a box that is given for x = 0 hides least and is hidden least."""
        width = box[2] - box[0]
        low = max(wish.across[0] * WIDTH - box[0], -_RIM * width - box[0])
        high = min(wish.across[1] * WIDTH - box[2], WIDTH + _RIM * width - box[2])
        if high < low:
            return None
        drawn = self.lots.uniform("room", clip.name, len(self.placed))
        best, least = None, wish.most_hidden
        for turn in range(_TRIES):
            # Spread evenly but begun anywhere and taken in jumps, so that the first free place is no corner.
            x = low + (high - low) * ((drawn + turn * 0.618034) % 1.0)
            cost = self._cost((box[0] + x, box[1], box[2] + x, box[3]), clip.depth, level, wish)
            if cost < least:
                best, least = x, cost
            if cost <= 0.0:
                break
        return best

    def _cost(self, box: Box, depth: int, level: float | None, wish: Wish) -> float:
        """The largest share of a thing that would be hidden, with what matters more counted more."""
        left, top, right, bottom = box
        area = (right - left) * (bottom - top)
        worst = 0.0
        for other in self.placed:
            over = min(right, other.box[2]) - max(left, other.box[0])
            under = min(bottom, other.box[3]) - max(top, other.box[1])
            if over <= 0 or under <= 0:
                continue
            nearer = other.clip.depth > depth or (
                other.clip.depth == depth and (level or -1.0) >= (other.ground or -1.0)
            )
            if (
                level is not None
                and other.flat
                and other.form.anchors.insides
                and other.box[1] <= level <= other.box[3]
            ):
                return 1.0
            theirs = (other.box[2] - other.box[0]) * (other.box[3] - other.box[1])
            share = over * under / (theirs if nearer else area)
            if (wish.flat and nearer and not other.flat) or (other.flat and not nearer and not wish.flat):
                # What lies on the ground would cover the feet of what stands behind it.
                return 1.0
            if other.flat or wish.flat:
                share *= _FLAT_COSTS
            elif _collide(box, level, other, over):
                return 1.0
            if (nearer and other.kept) or (not nearer and wish.kept):
                return 1.0
            worst = max(worst, share)
        return worst


def layer_of(level: float, *, flat: bool = False) -> int:
    """Of two things of one depth, the one that stands lower is drawn later; what lies flat comes before both.

    >>> layer_of(380), layer_of(350), layer_of(380, flat=True)
    (20, 50, 420)
    """
    return max(0, round(HEIGHT - level)) + (HEIGHT if flat else 0)


def _collide(box: Box, level: float | None, other: Placed, over: float) -> bool:
    """Whether two things would stand in each other."""
    if level is None or other.ground is None or abs(level - other.ground) > _BESIDE:
        return False
    narrow = min(box[2] - box[0], other.box[2] - other.box[0])
    return over > (1 - _SOLID) * narrow
