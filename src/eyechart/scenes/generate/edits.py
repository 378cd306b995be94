"""Small changes of a scene, from least to most, and the least that changes an answer: abstract complementary pictures.

Each change keeps the scene whole: what stands goes on standing, what carries something is neither moved nor turned into
something else without it, and what somebody does with a thing is true of the thing that takes its place.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from eyechart.errors import UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.scenes.art import WIDTH, Clip, Form, Piece, name_of
from eyechart.scenes.generate.bodies import Person, is_person
from eyechart.scenes.generate.composition import Composition, clip_id
from eyechart.scenes.generate.depict import depict
from eyechart.scenes.generate.graph import Graph, Link
from eyechart.scenes.generate.stock import Stock, packaged_stock

__all__ = ["Answer", "Change", "Edit", "edit", "edits"]

Change = Literal["color", "face", "pose", "kind", "place", "places", "piece", "absence"]
"""What an edit changes, from least to most."""

Answer = Callable[[Graph], str | None]
"""Answers one question on a graph; None where the question cannot be asked of it."""

_SPOTS = (0.15, 0.35, 0.5, 0.65, 0.85)
"""Where things are moved to, as shares of the width."""
_FARTHER = 60.0
"""A move that is shorter, in pixels, says nothing."""
_MOST_LARGER = 1.7
"""How much larger or smaller what takes the place of a thing may be."""
_AT_ONCE = 16
_FROM_AFAR = frozenset({"looking at"})
"""What one does whatever one's legs do."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed scene, and what was changed."""

    change: Change
    object_id: str
    """What was changed, by its id in the old scene."""
    composition: Composition


def edit(
    composition: Composition,
    answer: Answer,
    *,
    about: Collection[str] = (),
    makes_sense: Callable[[Graph], bool] = lambda _graph: True,
    stock: Stock | None = None,
) -> Edit | None:
    """The least edit after which a question still makes sense but has another answer; None if there is none.

    The question is a function of the graph; ``about`` names the things that may change, all of them if empty.

    >>> from eyechart.scenes.art import Scene
    >>> tree = Clip("tree", 250.0, 200.0, depth=3, colors=("green",))
    >>> composition = Composition(Scene("park", (tree,)), "park")
    >>> def is_green(graph: Graph) -> str | None:
    ...     trees = list(graph.named("tree"))
    ...     return ("yes" if "green" in trees[0].attributes else "no") if len(trees) == 1 else None
    >>> found = edit(composition, is_green, about=["tree-0"])
    >>> found.change, is_green(depict([found.composition])[0])
    ('color', 'no')
    """
    (before,) = depict([composition], stock)
    was = answer(before)
    there = {thing.object_id: thing.scenery or bool(thing.part_of) for thing in before.things}
    candidates = edits(composition, about, stock)
    while batch := list(islice(candidates, _AT_ONCE)):
        graphs = depict([each.composition for each in batch], stock)
        for each, graph in zip(batch, graphs, strict=True):
            now = answer(graph)
            if now is not None and now != was and makes_sense(graph) and _keeps_others(each, there, graph):
                return each
    return None


def _keeps_others(found: Edit, there: Mapping[str, bool], graph: Graph) -> bool:
    """Whether everything else that was seen is seen still, and what has changed, too, unless it is gone."""
    if found.change != "absence":
        solid = sum(not (thing.scenery or thing.part_of) for thing in graph.things)
        if solid < sum(not scenery for scenery in there.values()):
            return False
    own = {each for each in there if each.partition("/")[0] == found.object_id}
    left = {clip.name + f"-{clip.instance}" for clip in found.composition.scene.clips}
    others = {each for each in there.keys() - own if each.partition("/")[0] in left}
    return others <= {thing.object_id for thing in graph.things}


def edits(composition: Composition, about: Collection[str] = (), stock: Stock | None = None) -> Iterator[Edit]:
    """Changed scenes, those with the least change first; ``about`` names the things that may change.

    >>> from eyechart.scenes.art import Scene
    >>> composition = Composition(Scene("park", (Clip("tree", 250.0, 200.0, depth=3),)), "park")
    >>> found = [each.change for each in edits(composition, ["tree-0"])]
    >>> found[0], found[-1]
    ('color', 'absence')
    """
    editor = _Editor(composition, stock or packaged_stock())
    chosen = editor.chosen(about)
    ways = (editor.colors, editor.faces, editor.poses, editor.kinds, editor.moves, editor.exchanges, editor.pieces)
    for way in (*ways, editor.absences):
        for place in chosen:
            yield from way(place)


class _Editor:
    """One scene that is changed in many ways."""

    def __init__(self, composition: Composition, stock: Stock) -> None:
        self.composition, self.scene, self.stock = composition, composition.scene, stock
        self.scales = stock.backgrounds[self.scene.background].scales
        self.ids = [name_of(clip) for clip in self.scene.clips]
        self.linked = {each for link in composition.acts for each in (link.subject, link.object)}

    def chosen(self, about: Collection[str]) -> list[int]:
        """Places of the clips that may change; what somebody wears belongs to who wears it."""
        for each in about:
            if each.partition("/")[0] not in self.ids:
                raise UnknownNameError(f"the scene shows nothing of the id {each!r}: {did_you_mean(each, self.ids)}")
        wanted = {each.partition("/")[0] for each in about}
        return [place for place, each in enumerate(self.ids) if not wanted or each in wanted]

    def colors(self, place: int) -> Iterator[Edit]:
        clip, piece, _ = self._found(place)
        shown = piece.form(clip).slots
        for number, slot in enumerate(piece.slots):
            own = clip.colors[number] if number < len(clip.colors) else None
            for color in slot.colors if slot.name in shown else ():
                if color != (own or slot.default):
                    filled = [*clip.colors, *(None,) * (len(piece.slots) - len(clip.colors))]
                    filled[number] = color
                    yield self._changed("color", place, replace(clip, colors=tuple(filled)))

    def faces(self, place: int) -> Iterator[Edit]:
        clip, piece, _ = self._found(place)
        if is_person(piece):
            for number in range(len(piece.expressions)):
                if number != clip.expression:
                    yield self._changed("face", place, replace(clip, expression=number))

    def poses(self, place: int) -> Iterator[Edit]:
        """Other poses of an animal, or of a person who does nothing that needs this one."""
        clip, piece, _ = self._found(place)
        if is_person(piece):
            yield from self._other_poses(place, clip, piece)
        elif self.ids[place] in self.linked:
            return
        elif piece.kind == "animal":
            for number, form in enumerate(piece.forms):
                if number != clip.pose and form.name not in ("flying", "swimming"):
                    yield self._standing("pose", place, replace(clip, pose=number))

    def _other_poses(self, place: int, clip: Clip, person: Person) -> Iterator[Edit]:
        """Who holds, wears or looks at something stands on other legs; who has free hands moves all limbs."""
        busy = self.ids[place] in self.linked
        if busy and not self._on_own_feet(place):
            return
        for turns in person.poses.values():
            chosen = _on_legs_of(person.limbs, clip.turns, turns) if busy else turns
            if chosen is not None and chosen != clip.turns:
                yield self._standing("pose", place, replace(clip, turns=chosen))

    def _on_own_feet(self, place: int) -> bool:
        """Whether all that somebody does goes on when their legs do something else."""
        own = self.ids[place]
        carried = {self.ids[other] for other in self._carried(place)}
        return all(
            link.predicate in _FROM_AFAR or (link.subject == own and link.object in carried)
            for link in self.composition.acts
            if own in (link.subject, link.object)
        )

    def kinds(self, place: int) -> Iterator[Edit]:
        """Other types of an object that carries nothing."""
        clip, piece, _ = self._found(place)
        if piece.kind in ("human", "animal") or self._carried(place):
            return
        for number in range(len(piece.forms)):
            if number != clip.variant:
                yield self._standing("kind", place, replace(clip, variant=number))

    def moves(self, place: int) -> Iterator[Edit]:
        """To the side, by itself or with what it carries, nearest first."""
        clip = self.scene.clips[place]
        if self._carriers(place):
            return
        spots = sorted((share * WIDTH for share in _SPOTS), key=lambda x: abs(x - clip.x))
        for x in spots:
            if abs(x - clip.x) >= _FARTHER:
                yield self._moved("place", place, {place: x - clip.x})

    def exchanges(self, place: int) -> Iterator[Edit]:
        """Two things trade their places from left to right."""
        clip = self.scene.clips[place]
        for other, another in enumerate(self.scene.clips):
            apart = another.x - clip.x
            if other != place and abs(apart) >= _FARTHER and not self._carriers(place) and not self._carriers(other):
                yield self._moved("places", place, {place: apart, other: -apart})

    def pieces(self, place: int) -> Iterator[Edit]:
        """Something else of its size instead of it."""
        clip, piece, form = self._found(place)
        if self._carried(place) or is_person(piece):
            return
        for name, other in self.stock.pieces.items():
            if name == clip.name or other.kind != piece.kind or set(other.places) != set(piece.places):
                continue
            poses = [number for number, each in enumerate(other.forms) if each.name == form.name]
            if other.kind == "animal" and not poses:
                continue
            instead = replace(clip, name=name, variant=0, pose=poses[0] if other.kind == "animal" else 0, colors=())
            if _alike_in_size(form, other.form(instead)):
                yield self._standing("piece", place, replace(instead, instance=self._free(name)))

    def absences(self, place: int) -> Iterator[Edit]:
        """Without it, and without what it carries."""
        gone = {place, *self._carried(place)}
        yield self._made("absence", place, [c for at, c in enumerate(self.scene.clips) if at not in gone])

    def _found(self, place: int) -> tuple[Clip, Piece, Form]:
        clip = self.scene.clips[place]
        piece = self.stock.piece(clip)
        return clip, piece, piece.form(clip)

    def _carried(self, place: int) -> set[int]:
        """What rests on a thing, is in somebody's hands or on somebody's head, and so on up."""
        found: set[int] = set()
        left = [place]
        while left:
            at = left.pop()
            nearer = {other for other in self._partners(at) if self._rests(other, at)} - found
            found |= nearer
            left += nearer
        return found

    def _carriers(self, place: int) -> list[int]:
        return [other for other in self._partners(place) if self._rests(place, other)]

    def _partners(self, place: int) -> Iterable[int]:
        own = self.ids[place]
        for link in self.composition.acts:
            if own in (link.subject, link.object):
                other = link.object if link.subject == own else link.subject
                if other in self.ids:
                    yield self.ids.index(other)

    def _rests(self, place: int, on: int) -> bool:
        """Whether one thing is drawn upon another, since it is held or carried by it."""
        one, other = self.scene.clips[place], self.scene.clips[on]
        return (one.depth, one.layer) == (other.depth, other.layer) and one.sublayer < other.sublayer

    def _free(self, name: str) -> int:
        taken = {clip.instance for clip in self.scene.clips if clip.name == name}
        return next(number for number in range(len(taken) + 1) if number not in taken)

    def _standing(self, change: Change, place: int, clip: Clip) -> Edit:
        """The clip in another drawing, with its base where the old one had it."""
        old, _, before = self._found(place)
        scale = self.scales[old.depth]
        after = self.stock.piece(clip).form(clip)
        lift = (before.anchors.base[1] - after.anchors.base[1]) * scale
        clips = list(self.scene.clips)
        clips[place] = replace(clip, y=round(old.y + lift, 2))
        for other in self._carried(place):
            clips[other] = replace(clips[other], y=round(clips[other].y + lift, 2))
        return self._made(change, place, clips)

    def _moved(self, change: Change, place: int, ways: dict[int, float]) -> Edit:
        by: dict[int, float] = {}
        for at, way in ways.items():
            by |= dict.fromkeys({at, *self._carried(at)}, way)
        clips = [replace(c, x=round(c.x + by[at], 2)) if at in by else c for at, c in enumerate(self.scene.clips)]
        return self._made(change, place, clips)

    def _changed(self, change: Change, place: int, clip: Clip) -> Edit:
        clips = list(self.scene.clips)
        clips[place] = clip
        return self._made(change, place, clips)

    def _made(self, change: Change, place: int, clips: list[Clip]) -> Edit:
        old = self.ids[place]
        new = clip_id(clips[place].name, clips[place].instance) if len(clips) == len(self.ids) else old
        names = {old: new}
        acts = tuple(
            Link(names.get(link.subject, link.subject), link.predicate, names.get(link.object, link.object))
            for link in self.composition.acts
        )
        said = tuple((names.get(each, each), attribute) for each, attribute in self.composition.said)
        scene = replace(self.scene, clips=tuple(clips))
        return Edit(change, old, replace(self.composition, scene=scene, acts=acts, said=said))


def _on_legs_of(limbs: Sequence[str], own: tuple[float, ...], pose: tuple[float, ...]) -> tuple[float, ...] | None:
    """One's own turns with the legs of a pose; None if the pose turns the whole body.

    >>> _on_legs_of(("hips", "left hand", "left shin"), (0.0, 1.0, 2.0), (0.0, 5.0, 6.0))
    (0.0, 1.0, 6.0)
    """
    if not own or own[0] != pose[0]:
        return None
    legs = ("thigh", "shin", "foot")
    return tuple(new if limb.endswith(legs) else old for limb, old, new in zip(limbs, own, pose, strict=True))


def _alike_in_size(one: Form, other: Form) -> bool:
    areas = [(form.box[2] - form.box[0]) * (form.box[3] - form.box[1]) for form in (one, other)]
    return min(areas) > 0 and max(areas) / min(areas) <= _MOST_LARGER**2
