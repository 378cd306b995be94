"""From a world and a number to a scene: who is there, what they do, and what is around them.

Whoever acts comes first, with what they need for it; the place is then furnished around them.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from eyechart.scenes.art import Clip, Scene
from eyechart.scenes.generate.acting import Stage
from eyechart.scenes.generate.attire import Attire
from eyechart.scenes.generate.bias import Probe, plant
from eyechart.scenes.generate.bodies import is_person
from eyechart.scenes.generate.canvas import Canvas, Placed, Wish
from eyechart.scenes.generate.composition import Composition
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.generate.props import Props
from eyechart.scenes.generate.stock import Stock, packaged_stock
from eyechart.scenes.generate.world import Activity, Weights, World

__all__ = ["Composer"]

_STANCES = frozenset({"sit", "lie", "ride", "stand", "swim", "perch", "chase", "play", "push", "look"})
_FREE_HANDS = frozenset({"sit", "stand", "look", "idle"})
_UPRIGHT = frozenset({"sit", "stand", "look", "idle", "ride", "push"})
_ANYBODY = ("person", "animal")
_AGAIN = 0.6
"""How often a thing that is there already is used before another is brought."""
_PROBE_DEPTHS = (0, 1)


class Composer:
    """Composes the scenes of one world.

    >>> from eyechart.scenes.generate.reading import packaged_world
    >>> composer = Composer(packaged_world("natural"))
    >>> composer.compose(7, seed=1) == composer.compose(7, seed=1)
    True
    """

    def __init__(self, world: World, stock: Stock | None = None) -> None:
        self.world = world
        self.stock = stock or packaged_stock()
        self.attire = Attire(world, self.stock)
        self.places = {name: place.weight for name, place in world.places.items()}
        self.looks = [(name, look) for name, place in world.places.items() for look in place.looks]
        self.without = frozenset(world.probes.pieces if world.probes and world.bias else ())
        self.fitting = cache(self._fitting)

    def compose(self, number: int, seed: int) -> Composition:
        """The scene of a number."""
        lots = Lots(seed, number)
        place = lots.choose(self.places, "place")
        look = lots.choose(self.world.places[place].looks, "look")
        background = self.stock.backgrounds[place]
        variant = self.stock.forms(place)[look]
        canvas = Canvas(background, variant, lots)
        making = _Making(self, canvas, place, None if background.indoors else look)
        making.do()
        return Composition(
            Scene(
                place,
                tuple(placed.clip for placed in canvas.placed),
                self.attire.colors(f"{place}/{look}", background, lots),
                variant,
            ),
            place,
            making.weather,
            tuple(canvas.acts),
            tuple(canvas.said),
            making.probe,
        )

    def planted(self, lots: Lots, place: str, look: int) -> Probe | None:
        """What a planted world asks about in a scene."""
        world = self.world
        if world.probes is None or world.bias is None:
            return None
        name = self.stock.backgrounds[place].forms[look].name
        return plant(world.probes, world.bias, (self.looks.index((place, name)), place), lots)

    def _fitting(self, place: str, who: frozenset[str], manners: frozenset[str]) -> tuple[Activity, ...]:
        """What somebody can do at a place."""
        return tuple(
            activity
            for activity in self.world.activities
            if activity.manner in manners
            and activity.weight > 0
            and who.intersection(activity.who)
            and (not activity.places or place in activity.places)
        )


class _Making:
    """One scene in the making."""

    def __init__(self, composer: Composer, canvas: Canvas, place: str, weather: str | None) -> None:
        self.composer, self.canvas, self.place, self.weather = composer, canvas, place, weather
        self.world, self.stock, self.attire = composer.world, composer.stock, composer.attire
        self.lots = canvas.lots
        self.stage = Stage(canvas, self.attire)
        self.habitat = self.world.places[place]
        self.props = Props(canvas, self.attire)
        self.stances: dict[str, str] = {}
        self.probe: str | None = None

    def do(self) -> None:
        self._plant()
        for number, name in enumerate(self._cast()):
            self._bring_on(name, number)
        for number, group in enumerate(self.habitat.groups):
            if not group.weather or self.weather in group.weather:
                self.props.fill(group, self.place, number, self.composer.without)

    def _plant(self) -> None:
        probe = self.composer.planted(self.lots, self.place, self.canvas.look)
        if probe is None:
            return
        depth = _PROBE_DEPTHS[int(self.lots.uniform("probe depth") * len(_PROBE_DEPTHS))]
        clip = self.attire.thing(probe.piece, depth, self.lots)
        piece = self.stock.pieces[probe.piece]
        colors = tuple(
            probe.color if slot.name == probe.slot else color
            for slot, color in zip(piece.slots, clip.colors, strict=True)
        )
        placed = self.canvas.stand(replace(clip, colors=colors), piece, Wish((0.03, 0.97), kept=True))
        if placed is not None:
            self.probe = placed.object_id

    def _cast(self) -> Iterator[str]:
        """Who is in the scene: people, each at most once, and animals."""
        taken: set[str] = set()
        for number in range(self.lots.number(self.habitat.people, "people")):
            age = self.lots.choose(self.world.people.ages, "age", number)
            free = [name for name in self.stock.ages[age] if name not in taken]
            if free:
                taken.add(free[int(self.lots.uniform("person", number) * len(free))])
        yield from sorted(taken)
        for number in range(self.lots.number(self.habitat.animals, "animals")):
            yield self.lots.choose(self.habitat.fauna, "animal", number)

    def _bring_on(self, name: str, number: int) -> None:
        piece = self.stock.pieces[name]
        person = is_person(piece)
        busy = self.lots.chance(self.world.people.busy, "busy", number)
        stance = self._stance(name, number) if busy else None
        placed = stance or self._idle(name, number)
        if placed is None or not person:
            return
        manner = self.stances.get(placed.object_id, "idle")
        if manner in _FREE_HANDS and self.lots.chance(self.world.people.handy, "handy", number):
            self._hand(placed, number)
        if manner in _UPRIGHT and self.lots.chance(self.world.people.dressed, "dressed", number):
            self._dress(placed, number)

    def _stance(self, name: str, number: int) -> Placed | None:
        """Let somebody do something that says where they are."""
        fitting = self.composer.fitting(self.place, self._who(name), _STANCES)
        if not fitting:
            return None
        activity = _one(fitting, self.lots, "stance", number)
        actor = self._actor(name, activity, number)
        if actor is None:
            return None
        target = self._target(activity, number, actor.depth)
        if target is None:
            return None
        placed = self.stage.act(replace(actor, depth=target.clip.depth), activity, target)
        if placed is not None:
            self.stances[placed.object_id] = activity.manner
        return placed

    def _idle(self, name: str, number: int) -> Placed | None:
        actor = self._actor(name, None, number)
        return None if actor is None else self.stage.idle(actor)

    def _who(self, name: str) -> frozenset[str]:
        """What activities may call somebody."""
        piece = self.stock.pieces[name]
        return frozenset({name, "person", piece.age} if is_person(piece) else {name, "animal"})

    def _actor(self, name: str, activity: Activity | None, number: int) -> Clip | None:
        """Somebody in a fitting pose, without a place."""
        piece = self.stock.pieces[name]
        depth = self.lots.number(self.world.people.depths, "depth of", number)
        poses = activity.poses if activity else {}
        clip = Clip(name, 0, 0, depth, flip=self.lots.chance(0.5, "flip", name, number))
        clip = replace(clip, colors=self.attire.colors(name, piece, self.lots, number))
        if not is_person(piece):
            return self._posed_animal(clip, poses or self.world.poses.get(name) or self.world.poses["animal"], number)
        there = {pose: weight for pose, weight in (poses or self.world.people.poses).items() if pose in piece.poses}
        if not there:
            return None
        pose = self.lots.choose(there, "pose", number)
        faces = (activity.faces if activity else {}) or self.world.people.faces
        face = piece.expressions.index(self.lots.choose(faces, "face", number))
        style = int(self.lots.uniform("clothes", number) * len(piece.forms))
        return replace(clip, turns=piece.poses[pose], expression=face, style=style)

    def _posed_animal(self, clip: Clip, poses: Weights, number: int) -> Clip | None:
        drawn = self.stock.forms(clip.name)
        there = {drawn[pose]: weight for pose, weight in poses.items() if pose in drawn}
        return replace(clip, pose=self.lots.choose(there, "pose", number)) if sum(there.values()) > 0 else None

    def _target(self, activity: Activity, number: int, depth: int) -> Placed | None:
        """What an activity is done with: something that is there, or something that is brought."""
        name = self.lots.choose(activity.what, "what", number)
        if name in _ANYBODY:
            return self._somebody(name, number)
        there = [each for each in self.canvas.named(name) if each.ground is not None]
        if there and self.lots.chance(_AGAIN, "again", number):
            return there[-1]
        return self._bring(name, number, depth, activity.kinds.get(name))

    def _somebody(self, kind: str, number: int) -> Placed | None:
        wanted = "human" if kind == "person" else "animal"
        there = [each for each in self.canvas.placed if each.piece.kind == wanted]
        return there[int(self.lots.uniform("somebody", number) * len(there))] if there else None

    def _bring(self, name: str, number: int, depth: int, kinds: Weights | None = None) -> Placed | None:
        piece = self.stock.pieces[name]
        if name in self.composer.without or "floor" not in piece.places:
            return None
        if piece.kind == "animal":
            clip = self._actor(name, None, number + 100)
            if clip is None:
                return None
            clip = replace(clip, depth=depth)
        else:
            clip = self.attire.thing(name, depth, self.lots, self.canvas.counts.get(name, 0), kinds)
        flat = name in self.world.flat
        return self.canvas.stand(clip, piece, Wish((0.04, 0.96), flat=flat))

    def _hand(self, placed: Placed, number: int) -> None:
        fitting = self.composer.fitting(self.place, self._who(placed.clip.name), frozenset({"hold"}))
        if fitting:
            activity = _one(fitting, self.lots, "hand", number)
            clip = self._carried(activity, number)
            if clip is not None:
                self.stage.hold(placed, activity, clip)

    def _dress(self, placed: Placed, number: int) -> None:
        fitting = self.composer.fitting(self.place, self._who(placed.clip.name), frozenset({"wear"}))
        if fitting:
            activity = _one(fitting, self.lots, "wear", number)
            clip = self._carried(activity, number + 50)
            if clip is not None:
                self.stage.wear(placed, activity, clip)

    def _carried(self, activity: Activity, number: int) -> Clip | None:
        what = {name: weight for name, weight in activity.what.items() if name not in self.composer.without}
        if not sum(what.values()) > 0:
            return None
        name = self.lots.choose(what, "carried", number)
        return self.attire.thing(name, 0, self.lots, self.canvas.counts.get(name, 0), activity.kinds.get(name))


def _one(fitting: tuple[Activity, ...], lots: Lots, purpose: str, number: int) -> Activity:
    weights = {place: activity.weight for place, activity in enumerate(fitting)}
    return fitting[lots.choose(weights, purpose, number)]
