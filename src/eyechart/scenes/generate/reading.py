"""World files: read, laid over the world that they are based on, and checked against the art that there is."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from eyechart.errors import FormatError, UnknownNameError, UsageError
from eyechart.registry import did_you_mean
from eyechart.scenes.generate.stock import Stock, packaged_stock
from eyechart.scenes.generate.world import CHEST, Activity, Group, Habitat, Hold, Weights, World

__all__ = ["packaged_world", "packaged_worlds", "read_world", "with_strength", "world_text"]

_FOLDER = "worlds"
_OWN = "own"
_ANYBODY = {"person", "animal"}

_NAMED = {"places": Habitat, "holds": Hold}
"""Tables of entries by name."""

Tables = dict[str, Any]  # what TOML holds before it has a type


@cache
def packaged_worlds() -> tuple[str, ...]:
    """The names of the worlds that come with the package.

    >>> "natural" in packaged_worlds()
    True
    """
    folder = files(__package__).joinpath(_FOLDER)
    return tuple(sorted(each.name.removesuffix(".toml") for each in folder.iterdir() if each.name.endswith(".toml")))


def world_text(name: str) -> str:
    """The text of a packaged world, or of a world file.

    >>> world_text("natrual")
    Traceback (most recent call last):
    eyechart.errors.UnknownNameError: no world is called 'natrual': did you mean 'natural'?
    """
    if name.endswith(".toml"):
        try:
            return Path(name).read_text("utf-8")
        except OSError as error:
            raise FormatError(f"{name}: found {error.strerror}, expected a world file; check the path") from None
    return _packaged(name).read_text("utf-8")


def read_world(text: str, where: str = "world", stock: Stock | None = None) -> World:
    r"""A world from the text of its file; errors name the file and the entry.

    >>> world = read_world('about = "Blue bananas."\nbased_on = "natural"\n[colors.banana]\npeel = {blue = 1}')
    Traceback (most recent call last):
    eyechart.errors.FormatError: world, colors.banana.peel: found 'blue', expected a color of this slot ...
    """
    tables = _laid_over(_tables(text, where), where)
    try:
        world = msgspec.convert(tables, World)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at ")
        entry = _named(re.sub(r"^`\$\.?|`$", "", place), tables) or "the file"
        raise FormatError(f"{where}, {entry}: found a wrong value ({problem}); correct it") from None
    _Checker(world, where, stock or packaged_stock()).check()
    return world


def _named(place: str, tables: Tables) -> str:
    """A place in the file with the names of tables that the decoder leaves out: places.park for places[...]."""
    kind = next((kind for table, kind in _NAMED.items() if place.startswith(f"{table}[...]")), None)
    if kind is None:
        return place
    table, _, rest = place.partition("[...]")
    for name, value in tables[table].items():
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            return f"{table}.{name}{rest}"
    return place


def with_strength(world: World, strength: float, where: str = "world", stock: Stock | None = None) -> World:
    """A planted world with another strength of its bias.

    >>> with_strength(packaged_world("question"), 0.6).bias.strength
    0.6
    """
    if world.bias is None:
        raise UsageError(
            f"{where}: found a strength for a world without a bias; choose a planted world, or leave it out"
        )
    changed = msgspec.structs.replace(world, bias=msgspec.structs.replace(world.bias, strength=strength))
    _Checker(changed, where, stock or packaged_stock()).check()
    return changed


@cache
def packaged_world(name: str) -> World:
    """A world that comes with the package, read once.

    >>> packaged_world("natural").based_on is None
    True
    """
    return read_world(_packaged(name).read_text("utf-8"), name)


def _packaged(name: str) -> Traversable:
    if name not in packaged_worlds():
        raise UnknownNameError(f"no world is called {name!r}: {did_you_mean(name, packaged_worlds())}")
    return files(__package__).joinpath(_FOLDER, f"{name}.toml")


def _tables(text: str, where: str) -> Tables:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{where}: found {error}, expected TOML; correct the line") from None


def _laid_over(tables: Tables, where: str) -> Tables:
    """The tables over those of the world that they are based on, and so on down."""
    base = tables.get("based_on")
    if base is None:
        return tables
    if base not in packaged_worlds():
        raise FormatError(
            f"{where}, based_on: found {base!r}, expected one of {', '.join(packaged_worlds())}; name one"
        )
    below = _laid_over(_tables(world_text(base), base), base)
    return _merged(below, tables)


def _merged(below: Tables, above: Tables) -> Tables:
    """Tables of names are merged; weights and lists are replaced whole."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict) and not (_are_weights(value) and _are_weights(old))
        merged[key] = _merged(old, value) if both and isinstance(old, dict) else value
    return merged


def _are_weights(table: Tables) -> bool:
    return all(isinstance(value, int | float) for value in table.values())


class _Checker:
    """Looks at every entry of one world; the first mistake is an error."""

    def __init__(self, world: World, where: str, stock: Stock) -> None:
        self.world, self.where, self.stock = world, where, stock

    def check(self) -> None:
        world = self.world
        self.some(world.places, "places")
        self.weights({name: place.weight for name, place in world.places.items()}, "places")
        for name, place in world.places.items():
            self.habitat(name)
            for number, group in enumerate(place.groups):
                self.group(group, f"places.{name}.groups[{number}]")
        for number, activity in enumerate(world.activities):
            self.activity(activity, f"activities[{number}] ({activity.does})")
        self.habits()
        self.people()
        self.planted()

    def habitat(self, name: str) -> None:
        place, entry = self.world.places[name], f"places.{name}"
        self.names([name], "places", self.stock.backgrounds, "a background")
        self.names(place.looks, f"{entry}.looks", self.stock.forms(name), "a look of this background")
        self.weights(place.looks, f"{entry}.looks")
        self.counts(place.people, f"{entry}.people")
        self.counts(place.animals, f"{entry}.animals")
        self.pieces(place.fauna, f"{entry}.fauna")
        if any(place.animals[1:]):
            self.weights(place.fauna, f"{entry}.fauna")

    def group(self, group: Group, entry: str) -> None:
        self.pieces(group.pieces, f"{entry}.pieces")
        self.weights(group.pieces, f"{entry}.pieces")
        self.counts(group.count, f"{entry}.count")
        self.kinds(group.kinds, f"{entry}.kinds")
        low, high = group.depths
        if not 0 <= low <= high < len(self.stock.depths):
            self.refuse(f"{entry}.depths", f"{low} to {high}", "two of 0 to 4, the nearer first")
        self.pieces(group.hosts, f"{entry}.hosts")
        for name, (first, last) in (("across", group.across), ("down", group.down)):
            if not 0 <= first < last <= 1:
                self.refuse(f"{entry}.{name}", f"{first:g} to {last:g}", "two shares from 0 to 1, the lesser first")

    def activity(self, activity: Activity, entry: str) -> None:
        known = {*_ANYBODY, *self.stock.ages, *self.stock.pieces}
        self.names(activity.who, f"{entry}.who", known, "person, animal, an age or a piece")
        self.names(activity.what, f"{entry}.what", known, "person, animal or a piece")
        self.weights(activity.what, f"{entry}.what")
        self.kinds(activity.kinds, f"{entry}.kinds")
        self.names(activity.places, f"{entry}.places", self.world.places, "a place of this world")
        self.names(activity.faces, f"{entry}.faces", self.stock.faces, "an expression")
        if activity.hold or activity.manner == "hold":
            self.names([activity.hold or CHEST], f"{entry}.hold", self.world.holds, "one of holds")
        if activity.weight < 0:
            self.refuse(f"{entry}.weight", f"{activity.weight}", "0 or more")

    def people(self) -> None:
        people = self.world.people
        self.names(people.ages, "people.ages", self.stock.ages, "an age")
        self.names(people.faces, "people.faces", self.stock.faces, "an expression")
        self.names(people.poses, "people.poses", self.stock.poses, "a pose of people")
        for entry, weights in (("ages", people.ages), ("faces", people.faces), ("poses", people.poses)):
            self.weights(weights, f"people.{entry}")

    def habits(self) -> None:
        for name, weights in self.world.poses.items():
            self.names([name], "poses", {*self.stock.pieces, "animal"}, "a piece or animal")
            forms = self.stock.forms(name)
            self.names(weights, f"poses.{name}", forms, "a pose that is drawn")
        self.kinds(self.world.kinds, "kinds")
        for name, slots in self.world.colors.items():
            known = {*self.stock.pieces, *self.stock.backgrounds, "person"}
            self.names([name.partition("/")[0]], "colors", known, "a piece, a background or person")
            for slot, weights in slots.items():
                self.color(name, slot, weights)
        self.pieces(self.world.asked, "asked")
        self.pieces(self.world.flat, "flat")

    def kinds(self, kinds: Mapping[str, Weights], entry: str) -> None:
        for name, weights in kinds.items():
            self.pieces([name], entry)
            self.names(weights, f"{entry}.{name}", self.stock.forms(name), "a type that is drawn")
            self.weights(weights, f"{entry}.{name}")

    def color(self, name: str, slot: str, weights: Weights) -> None:
        slots = self.stock.slots(name.partition("/")[0])
        self.names([slot], f"colors.{name}", slots, "a slot of it")
        self.names(weights, f"colors.{name}.{slot}", {*slots[slot], _OWN}, "a color of this slot")
        self.weights(weights, f"colors.{name}.{slot}")

    def planted(self) -> None:
        probes, bias = self.world.probes, self.world.bias
        if probes is None:
            if bias is not None:
                self.refuse("bias", "a bias without probes", "a table probes that says what is asked about")
            return
        for piece, slot in probes.pieces.items():
            self.pieces([piece], "probes.pieces")
            self.names([slot], f"probes.pieces.{piece}", self.stock.slots(piece), "a slot of it")
            self.names(probes.colors, "probes.colors", self.stock.slots(piece)[slot], f"a color of {piece}'s {slot}")
        looks = [f"{name}, {look}" for name, place in self.world.places.items() for look in place.looks]
        if bias is not None and (problem := probes.check(bias, looks)):
            raise FormatError(f"{self.where}, {problem}; correct it")

    def some(self, table: Mapping[str, object], entry: str) -> None:
        if not table:
            self.refuse(entry, "nothing", "at least one")

    def pieces(self, names: Iterable[str], entry: str) -> None:
        self.names(names, entry, self.stock.pieces, "a piece")

    def names(self, names: Iterable[str], entry: str, known: Iterable[str], what: str) -> None:
        listed = set(known)
        for name in names:
            if name not in listed:
                self.refuse(entry, repr(name), f"{what} ({did_you_mean(name, sorted(listed))})")

    def weights(self, weights: Mapping[str, float], entry: str) -> None:
        for name, weight in weights.items():
            if weight < 0:
                self.refuse(f"{entry}.{name}", f"{weight:g}", "0 or more")
        if not sum(weights.values()) > 0:
            self.refuse(entry, "no weight above 0", "one at least")

    def counts(self, counts: Sequence[float], entry: str) -> None:
        self.weights({str(number): weight for number, weight in enumerate(counts)}, entry)

    def refuse(self, entry: str, found: str, expected: str) -> NoReturn:
        raise FormatError(f"{self.where}, {entry}: found {found}, expected {expected}; correct it")


def listed_pieces(world: World) -> Iterator[str]:
    """Every piece that a world may show, for whoever wants to look at all of them."""
    for place in world.places.values():
        yield from place.fauna
        for group in place.groups:
            yield from group.pieces
    for activity in world.activities:
        yield from (name for name in activity.what if name not in _ANYBODY)
