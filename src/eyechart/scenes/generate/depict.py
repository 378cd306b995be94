"""What a composed scene shows, as a graph: boxes as measured, what is seen of each thing, and what is true of it.

A thing of which less than three tenths can be seen is not in the graph, as if somebody had annotated the picture.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations

import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.art import HEIGHT, WIDTH, Clip, Form, Piece, Region, Slot, name_of, piece_of
from eyechart.scenes.art import Box as Sides
from eyechart.scenes.generate.bodies import Person, is_person
from eyechart.scenes.generate.composition import Composition
from eyechart.scenes.generate.graph import Box, Graph, Link, Thing
from eyechart.scenes.generate.stock import Stock, packaged_stock
from eyechart.scenes.render import Measures, Seen, measure

__all__ = ["LEAST_SEEN", "depict", "sketch", "spatial"]

LEAST_SEEN = 0.3
"""The share of a thing that must be seen; what is covered more is not annotated."""

_LEAST_PIXELS = 12
"""What is smaller than this many pixels of the scene is not annotated either."""
_FACING = 0.55
"""How much of a thing's width must be before the other for it to be in front of it."""


def depict(compositions: Sequence[Composition], stock: Stock | None = None) -> list[Graph]:
    """The graphs of some scenes with all relations, also those that follow from the boxes.

    >>> from eyechart.scenes.art import Scene
    >>> tree = Clip("tree", 120, 200, depth=3)
    >>> (graph,) = depict([Composition(Scene("park", (tree,)), "park")])
    >>> graph["tree-0"].name, graph["sky"].scenery
    ('tree', True)
    """
    sketched = [sketch(composition, stock) for composition in compositions]
    found: dict[int, list[Link]] = {}
    named = ((str(number), graph) for number, graph in enumerate(sketched))
    for image, subject, predicate, target in spatial(named).iter_rows():
        found.setdefault(int(image), []).append(Link(subject, predicate, target))
    return [replace(graph, links=(*graph.links, *found.get(number, []))) for number, graph in enumerate(sketched)]


def spatial(graphs: Iterable[tuple[str, Graph]]) -> pl.DataFrame:
    """The relations between the things of some graphs that follow from their boxes; scenery has none.

    >>> tree, bush = Thing("tree-0", "tree", Box(0, 0, 50, 90)), Thing("bush-0", "bush", Box(100, 10, 50, 80))
    >>> spatial([("7", Graph(500, 400, "park", None, (tree, bush), ()))]).row(0)
    ('7', 'tree-0', 'to the left of', 'bush-0')
    """
    rows = [
        (image, thing.object_id, *thing.box)
        for image, graph in graphs
        for thing in graph.things
        if not thing.scenery and not thing.part_of
    ]
    names = ("image_id", "object_id", "x", "y", "w", "h")
    types = dict(zip(names, (pl.String, pl.String, *(pl.Float64,) * 4), strict=True))
    objects = pl.DataFrame(rows, schema=types, orient="row")
    images = objects.select(pl.col("image_id").unique(maintain_order=True), width=pl.lit(WIDTH), height=pl.lit(HEIGHT))
    return geometry.spatial_relations(geometry.boxes(objects, images))


def sketch(composition: Composition, stock: Stock | None = None) -> Graph:
    """The graph of one scene without the relations that follow from boxes, which are found for many at once."""
    return _Sketch(composition, stock or packaged_stock()).graph()


class _Sketch:
    """One scene while it is described."""

    def __init__(self, composition: Composition, stock: Stock) -> None:
        self.composition, self.scene = composition, composition.scene
        self.background = stock.backgrounds[self.scene.background]
        self.measures: Measures = measure(self.scene)
        self.said: dict[str, list[str]] = {}
        for object_id, attribute in composition.said:
            self.said.setdefault(object_id, []).append(attribute)

    def graph(self) -> Graph:
        things: list[Thing] = []
        links: list[Link] = []
        unnamed: list[str] = []
        solid: list[tuple[Clip, Thing]] = []
        for clip, seen, tags in zip(self.scene.clips, self.measures.clips, self.measures.tags, strict=True):
            piece = piece_of(clip)
            form = piece.form(clip)
            unnamed += form.shows if seen.area else ()
            if not _is_shown(seen):
                unnamed += [form.noun, *self._worn(clip, piece)] if seen.area else []
                continue
            thing = self._thing(clip, piece, form, seen)
            things.append(thing)
            solid.append((clip, thing))
            if is_person(piece):
                for part, link in self._clothes(clip, piece, thing, tags):
                    things.append(part)
                    links.append(link)
        things += self._scenery()
        shown = {thing.object_id for thing in things}
        acts = [link for link in self.composition.acts if link.subject in shown and link.object in shown]
        tied = {frozenset((link.subject, link.object)) for link in acts}
        links = [*acts, *links, *self._depths(solid, tied)]
        place = self.background.forms[self.scene.variant].noun
        return Graph(WIDTH, HEIGHT, place, self.composition.weather, tuple(things), tuple(links), tuple(unnamed))

    def _worn(self, clip: Clip, piece: Piece) -> Iterator[str]:
        if is_person(piece):
            yield from (wear.noun for wear in piece.wears(clip).values())

    def _thing(self, clip: Clip, piece: Piece, form: Form, seen: Seen) -> Thing:
        object_id = name_of(clip)
        colors = () if is_person(piece) else _colors(clip, piece)
        attributes = dict.fromkeys((*colors, *form.attributes, *self.said.get(object_id, ())))
        return Thing(object_id, form.noun, _box(seen), tuple(attributes), count=form.count)

    def _clothes(
        self, clip: Clip, person: Person, owner: Thing, tags: Mapping[str, Seen]
    ) -> Iterator[tuple[Thing, Link]]:
        """What somebody wears, and hair: a thing each, in the colour of its slot."""
        wears = person.wears(clip)
        for tag, seen in tags.items():
            if tag in wears and _is_shown(seen):
                wear = wears[tag]
                attributes = (wear.color, *wear.attributes)
                part_id = f"{owner.object_id}/{tag.replace(' ', '-')}"
                part = Thing(part_id, wear.noun, _box(seen), attributes, part_of=owner.object_id)
                yield part, Link(owner.object_id, "with" if tag == "hair" else "wearing", part.object_id)

    def _scenery(self) -> Iterator[Thing]:
        slots = {slot.name: slot for slot in self.background.slots}
        places = {slot.name: place for place, slot in enumerate(self.background.slots)}
        for region in self.background.regions[self.scene.variant]:
            seen = self.measures.regions.get(region.name)
            if seen is None or seen.box is None or seen.share < LEAST_SEEN:
                continue
            color = self._region_color(region, slots, places)
            attributes = dict.fromkeys((*color, *region.attributes))
            yield Thing(region.name, region.noun, _box(seen), tuple(attributes), scenery=True, count=None)

    def _region_color(self, region: Region, slots: dict[str, Slot], places: dict[str, int]) -> tuple[str, ...]:
        if region.slot is None:
            return ()
        place, colors = places[region.slot], self.scene.colors
        drawn = colors[place] if place < len(colors) else None
        return (drawn or slots[region.slot].default,)

    def _depths(self, solid: list[tuple[Clip, Thing]], tied: set[frozenset[str]]) -> Iterator[Link]:
        """What stands behind what: of two things that are at different depths and in each other's way."""
        for (near, one), (far, other) in permutations(solid, 2):
            if near.depth >= far.depth or frozenset((one.object_id, other.object_id)) in tied:
                continue
            if _before(one.box, other.box):
                yield Link(one.object_id, "in front of", other.object_id)
                yield Link(other.object_id, "behind", one.object_id)


def _before(near: Box, far: Box) -> bool:
    """Whether two boxes are in each other's way: they overlap, and by most of one's width."""
    across = min(near.x + near.w, far.x + far.w) - max(near.x, far.x)
    down = min(near.y + near.h, far.y + far.h) - max(near.y, far.y)
    return down > 0 and across >= _FACING * min(near.w, far.w)


def _is_shown(seen: Seen) -> bool:
    return seen.box is not None and seen.share >= LEAST_SEEN and seen.area >= _LEAST_PIXELS


def _box(seen: Seen) -> Box:
    box: Sides = seen.box or (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = (round(side, 2) for side in box)
    return Box(left, top, round(right - left, 2), round(bottom - top, 2))


def _filled(clip: Clip, piece: Piece) -> tuple[str, ...]:
    """The colour of every slot: the clip's, else the drawing's own."""
    drawn = (*clip.colors, *(None,) * (len(piece.slots) - len(clip.colors)))
    return tuple(color or slot.default for color, slot in zip(drawn, piece.slots, strict=True))


def _colors(clip: Clip, piece: Piece) -> tuple[str, ...]:
    """The colours that the whole thing is said to have, of the slots that its form shows."""
    shown = _giving(clip.name, clip.variant if piece.kind != "animal" else clip.pose)
    return tuple(color for place, color in enumerate(_filled(clip, piece)) if place in shown)


@cache
def _giving(name: str, number: int) -> frozenset[int]:
    """The places of the slots that a form shows and that give the thing its colour."""
    piece = piece_of(Clip(name, 0, 0))
    form = piece.forms[number]
    return frozenset(place for place, slot in enumerate(piece.slots) if slot.gives and slot.name in form.slots)
