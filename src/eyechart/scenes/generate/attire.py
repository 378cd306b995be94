"""How things look: which type of a piece, in which colours, by the habits of a world."""

from eyechart.scenes.art import Clip, Piece, Slot
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.generate.stock import Stock
from eyechart.scenes.generate.world import Weights, World

__all__ = ["Attire"]

_OWN = "own"


class Attire:
    """Draws types and colours in one world.

    >>> from eyechart.scenes.generate.reading import packaged_world
    >>> from eyechart.scenes.generate.stock import packaged_stock
    >>> attire = Attire(packaged_world("natural"), packaged_stock())
    >>> clips = [attire.thing("banana", 0, Lots(1, scene)) for scene in range(100)]
    >>> sum(clip.colors == ("yellow",) for clip in clips) > 60
    True
    """

    def __init__(self, world: World, stock: Stock) -> None:
        self.world, self.stock = world, stock
        self._habits: dict[str, tuple[Weights, ...]] = {}

    def thing(self, name: str, depth: int, lots: Lots, number: int = 0, kinds: Weights | None = None) -> Clip:
        """A clip of an object: its type and its colours; ``number`` tells several of a scene apart."""
        piece = self.stock.pieces[name]
        kinds = kinds or self.world.kinds.get(name)
        if kinds is None:
            variant = int(lots.uniform("kind", name, number) * len(piece.forms))
        else:
            variant = self.stock.forms(name)[lots.choose(kinds, "kind", name, number)]
        flip = getattr(piece, "flips", True) and lots.chance(0.5, "flip", name, number)
        return Clip(name, 0, 0, depth, flip=flip, variant=variant, colors=self.colors(name, piece, lots, number))

    def colors(self, name: str, piece: Piece, lots: Lots, number: int = 0) -> tuple[str | None, ...]:
        """A colour for each slot of a piece, or of a background's look (park/sunny); None for the drawing's own."""
        habits = self._habits.get(name)
        if habits is None:
            habits = self._habits[name] = tuple(self._habit(name, piece.kind, slot) for slot in piece.slots)
        drawn = (lots.choose(habit, "color", name, number, place) for place, habit in enumerate(habits))
        return tuple(None if color == _OWN else color for color in drawn)

    def _habit(self, name: str, kind: str, slot: Slot) -> Weights:
        colors = self.world.colors
        said = colors.get(name, {}).get(slot.name) or colors.get(name.partition("/")[0], {}).get(slot.name)
        if said is None and kind == "human":
            said = {
                color: weight
                for color, weight in colors.get("person", {}).get(slot.name, {}).items()
                if color in {*slot.colors, _OWN}
            }
        if said:
            return said
        share = self.world.own_color
        spread = {color: (1 - share) / len(slot.colors) for color in slot.colors}
        return {_OWN: share, **spread}
