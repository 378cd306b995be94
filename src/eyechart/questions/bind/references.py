"""All ways to name a thing that fit exactly one thing of its picture.

A thing can be called by its name or by something more general. Whatever else in the picture may be called so is a
*rival*. A *modifier* (a value, a position, a relation to another thing) excludes some of the rivals, which is a set of
bits; a reference is a noun with modifiers that exclude all rivals together, while none of them could be left out.
Relations lead to other things, which are named by references in their turn, up to three deep.
"""

from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from importlib.resources import files

import msgspec
import numpy as np

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.codes import NONE, Codes
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Keys, Ragged, spread
from eyechart.questions.bind.world import World
from eyechart.questions.language.forms import INCOMING, OUTGOING, Forms

__all__ = ["DEPTH", "HORIZONTAL_POSITIONS", "PRONOUN", "THAT", "THE", "THIS", "References", "refer", "sides"]

THE, THIS, THAT, PRONOUN = range(4)
DEPTH = 3
HORIZONTAL_POSITIONS = 3
"""Positions with smaller numbers are left, right or middle; the others top, bottom or middle."""


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How likely each way is, from references.toml."""

    direct: float
    category: float
    this: float
    that: float
    pronoun: float
    value: float
    values: float
    without: float
    position: float
    verb: float
    preposition: float
    side: float
    comparative: float
    incoming: float
    mixed: float
    general: float
    phrased: float
    deeper: float
    main_area: float
    person_area: float
    most_rivals: int


@cache
def _weights() -> Weights:
    text = files("eyechart.questions.bind").joinpath("references.toml").read_bytes()
    return msgspec.toml.decode(text, type=Weights)


@dataclass(frozen=True)
class References:
    """References, one per place of the arrays, in the order of the things."""

    thing: Ints
    kind: Ints
    """What the thing is called."""
    style: Ints
    first: Ints
    """A value, NONE if there is none."""
    second: Ints
    negated: Flags
    """Whether the first value is one that the thing has not."""
    position: Ints
    relation: Ints
    direction: Ints
    variant: Ints
    anchor: Ints
    """The reference to the other thing of the relation."""
    depth: Ints
    weight: Floats
    touched: Ints
    """``touched[reference, depth]``: the other things that it mentions."""

    def __len__(self) -> int:
        return len(self.thing)

    def take(self, rows: Ints) -> "References":
        """Some of them."""
        return replace(self, **{each.name: getattr(self, each.name)[rows] for each in fields(self)})

    @cached_property
    def _starts(self) -> Ints:
        return np.searchsorted(self.thing, np.arange(int(self.thing[-1]) + 3 if len(self) else 2))

    def ranges(self, things: Ints) -> tuple[Ints, Ints]:
        """Where the references of things begin and end."""
        places = np.minimum(things, len(self._starts) - 2)
        return self._starts[places], self._starts[places + 1]

    @cached_property
    def _heaped(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(self.weight)])

    def drawn(self, things: Ints, key: Keys) -> Ints:
        """One reference for each thing, likely by its weight; NONE where there is none."""
        starts, ends = self.ranges(things)
        before = self._heaped
        drawn = before[starts] + (key >> np.uint64(11)).astype(np.float64) * 2.0**-53 * (before[ends] - before[starts])
        place = np.clip(np.searchsorted(before, drawn, side="right") - 1, starts, np.maximum(ends - 1, starts))
        return np.where(ends > starts, place, NONE)


@dataclass(frozen=True)
class _Bases:
    """Things with what they may be called, and the things that may be called the same."""

    thing: Ints
    kind: Ints
    steps: Ints
    """How far above the thing's own name."""
    block: Ints
    """Where the things of the same kind and picture begin, in the order of ``member``."""
    size: Ints
    member: Ints
    all_rivals: Keys
    """A bit for each rival."""
    familiar: Floats
    """How readily one says the noun."""


@dataclass(frozen=True)
class _Modifiers:
    """What can be said of the thing of a base, and whom that excludes."""

    base: Ints
    value: Ints
    negated: Flags
    position: Ints
    relation: Ints
    direction: Ints
    other: Ints
    weight: Floats
    excluded: Keys

    def take(self, rows: Ints | Flags) -> "_Modifiers":
        return replace(self, **{each.name: getattr(self, each.name)[rows] for each in fields(self)})


def refer(world: World, forms: Forms, *, seed: int) -> References:
    """Every reference, of the things in order."""
    bases = _bases(world, forms)
    plain = _direct(world, forms, bases)
    modifiers = _modifiers(world, forms, bases)
    single, double = _sufficient(world.codes, bases, modifiers)
    levels = [_ordered([plain, *(_described(world, forms, bases, each) for each in (single, double))])]
    related = [_with_relation(each) for each in (single, double)]
    for depth in range(1, DEPTH + 1):
        below = levels[-1]
        deeper = [_related(world, forms, bases, each, below, (depth, seed)) for each in related]
        levels.append(_ordered(deeper))
    return _all(levels)


# ---------------------------------------------------------------------- nouns


def _bases(world: World, forms: Forms) -> _Bases:
    codes = world.codes
    called = world.called
    sayable = forms.knows_kind() & codes.is_named
    thing, kind = called.rows, called.values
    steps = np.arange(len(thing)) - called.offsets[thing]
    numbers = world.thing_image[thing] * len(codes.kinds) + kind
    order = np.argsort(numbers, kind="stable")
    _, begins, inverse, counts = np.unique(numbers[order], return_index=True, return_inverse=True, return_counts=True)
    block, size = np.empty_like(thing), np.empty_like(thing)
    block[order], size[order] = begins[inverse], counts[inverse]
    slot = np.empty_like(thing)
    slot[order] = np.arange(len(thing)) - begins[inverse]
    few = sayable[kind] & (size <= _weights().most_rivals)
    kept = np.flatnonzero(few)
    bits = (np.uint64(1) << size[kept].astype(np.uint64)) - np.uint64(1)
    own = np.uint64(1) << slot[kept].astype(np.uint64)
    familiar = _weights().general ** np.maximum(steps[kept] - 1, 0)
    familiar = np.where(codes.is_phrased[kind[kept]], _weights().phrased, 1) * familiar
    return _Bases(thing[kept], kind[kept], steps[kept], block[kept], size[kept], thing[order], bits & ~own, familiar)


def _direct(world: World, forms: Forms, bases: _Bases) -> References:
    """Nouns that need no modifier, and what one says of the main thing of a picture."""
    codes, weights = world.codes, _weights()
    unique = np.flatnonzero(bases.size == 1)
    weight = np.where(bases.steps[unique] == 0, weights.direct, weights.category) * bases.familiar[unique]
    rows = [(unique, THE, weight)]
    main = world.area[bases.thing] > weights.main_area
    shown = np.flatnonzero((bases.size == 1) & main)
    rows += [(shown, THIS, np.full(len(shown), weights.this)), (shown, THAT, np.full(len(shown), weights.that))]
    sole = (bases.size == 1) & (world.area[bases.thing] > weights.person_area)
    sole &= bases.kind == codes.kinds.code.get("person", NONE)
    spoken = forms.pronouns["it"][forms.class_of[world.thing_kind[bases.thing], world.several[bases.thing]]] != 0
    he = np.flatnonzero(sole & spoken)
    rows.append((he, PRONOUN, np.full(len(he), weights.pronoun)))
    number = np.concatenate([each for each, _, _ in rows])
    style = np.concatenate([np.full(len(each), style) for each, style, _ in rows])
    found = _blank(bases.thing[number], bases.kind[number])
    # A pronoun agrees with what the person is, not with "person".
    kind = np.where(style == PRONOUN, world.thing_kind[found.thing], found.kind)
    return replace(found, kind=kind, style=style, weight=np.concatenate([each for _, _, each in rows]))


def _blank(thing: Ints, kind: Ints) -> References:
    height = len(thing)
    nothing, zero = np.full(height, NONE, dtype=np.int64), np.zeros(height, dtype=np.int64)
    return References(
        thing=thing,
        kind=kind,
        style=zero,
        first=nothing,
        second=nothing,
        negated=np.zeros(height, dtype=bool),
        position=nothing,
        relation=nothing,
        direction=zero,
        variant=zero,
        anchor=nothing,
        depth=zero,
        weight=np.ones(height),
        touched=np.full((height, DEPTH), NONE, dtype=np.int64),
    )


# ---------------------------------------------------------------------- modifiers


def _modifiers(world: World, forms: Forms, bases: _Bases) -> _Modifiers:
    """Everything that may be said of the things that have rivals."""
    shared = np.flatnonzero(bases.size > 1)
    parts = [
        _value_modifiers(world, forms, bases, shared),
        _without_modifiers(world, forms, bases, shared),
        _position_modifiers(world, bases, shared),
        *(_relation_modifiers(world, forms, bases, shared, direction) for direction in (OUTGOING, INCOMING)),
    ]
    found = _Modifiers(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(_Modifiers)))
    return found.take(found.excluded != 0)


def _modifier(base: Ints, excluded: Keys, weight: Floats, **said: Ints | Flags) -> _Modifiers:
    nothing = np.full(len(base), NONE, dtype=np.int64)
    columns = dict.fromkeys(("value", "position", "relation", "other"), nothing) | {
        "negated": np.zeros(len(base), dtype=bool),
        "direction": np.zeros(len(base), dtype=np.int64),
    }
    return _Modifiers(base=base, excluded=excluded, weight=weight, **(columns | said))


def _members(bases: _Bases, base: Ints) -> tuple[Ints, Ints]:
    """For modifiers of these bases: the row of each pair of modifier and member, and the member."""
    size = bases.size[base]
    return np.repeat(np.arange(len(base)), size), bases.member[spread(bases.block[base], size)]


def _bits(bases: _Bases, base: Ints, excluded: Flags) -> Keys:
    """Flags of all members in a row each become one number of bits, without the thing itself."""
    size = bases.size[base]
    if not len(base):
        return np.zeros(0, dtype=np.uint64)
    starts = np.cumsum(size) - size
    slots = spread(np.zeros(len(size), dtype=np.int64), size).astype(np.uint64)
    found: Keys = np.bitwise_or.reduceat(excluded.astype(np.uint64) << slots, starts)
    return found & bases.all_rivals[base]


def _value_modifiers(world: World, forms: Forms, bases: _Bases, shared: Ints) -> _Modifiers:
    places = world.values_of.take(bases.thing[shared])
    base, value = shared[places.rows], world.value[places.values]
    known = forms.knows_value()[value] & ~world.codes.says[bases.kind[base], value]
    base, value = base[known], value[known]
    row, member = _members(bases, base)
    excluded = _bits(bases, base, world.lacks(member, value[row]))
    return _modifier(base, excluded, np.full(len(base), _weights().value), value=value)


def _without_modifiers(world: World, forms: Forms, bases: _Bases, shared: Ints) -> _Modifiers:
    """That is not red: where the others are red and this one is known to be something else."""
    row, member = _members(bases, shared)
    places = world.values_of.take(member)
    base, value = shared[row[places.rows]], world.value[places.values]
    pairs = np.unique(base * len(world.codes.values) + value)
    base, value = pairs // len(world.codes.values), pairs % len(world.codes.values)
    sayable = np.asarray(forms.clause[:, 1].any(axis=1))
    lacking = world.lacks(bases.thing[base], value) & sayable[value]
    base, value = base[lacking], value[lacking]
    row, member = _members(bases, base)
    has = world.the_value[member, world.codes.type_of[value[row]]]
    excluded = _bits(bases, base, (has != NONE) & world.codes.holds[has, value[row]])
    weight = np.full(len(base), _weights().without)
    return _modifier(base, excluded, weight, value=value, negated=np.ones(len(base), dtype=bool))


def _position_modifiers(world: World, bases: _Bases, shared: Ints) -> _Modifiers:
    found = []
    for table in (world.horizontal, world.vertical):
        base = shared[table[bases.thing[shared]] != NONE]
        position = table[bases.thing[base]]
        row, member = _members(bases, base)
        other = table[member]
        excluded = _bits(bases, base, (other != NONE) & (other != position[row]))
        found.append(_modifier(base, excluded, np.full(len(base), _weights().position), position=position))
    return _Modifiers(*(np.concatenate([getattr(part, each.name) for part in found]) for each in fields(_Modifiers)))


def _relation_modifiers(world: World, forms: Forms, bases: _Bases, shared: Ints, direction: int) -> _Modifiers:
    own, far = (world.subject, world.object) if direction == OUTGOING else (world.object, world.subject)
    links = Ragged.grouped(own, np.arange(len(own)), world.things).take(bases.thing[shared])
    base, link = shared[links.rows], links.values
    relation, other = world.relation[link], far[link]
    # "the man behind the other man" is right but nobody would say it.
    sayable = forms.links.exists[relation, direction].any(axis=1) & (world.thing_kind[other] != bases.kind[base])
    base, relation, other = base[sayable], relation[sayable], other[sayable]
    row, member = _members(bases, base)
    ends = (member, other[row]) if direction == OUTGOING else (other[row], member)
    excluded = _bits(bases, base, ~world.linked(ends[0], relation[row], ends[1], possibly=True))
    weight = _relation_weights(world.codes)[relation] * (_weights().incoming if direction == INCOMING else 1)
    places = np.full(len(base), direction)
    return _modifier(base, excluded, weight, relation=relation, direction=places, other=other)


@cache
def sides(codes: Codes) -> Flags:
    """Which relations say on which side of the other a thing is."""
    return np.isin(np.arange(len(codes.relations)), codes.relations.codes(["to the left of", "to the right of"]))


@cache
def _relation_weights(codes: Codes) -> Floats:
    weights = _weights()
    return np.select(
        [sides(codes), codes.is_comparative, codes.is_verb],
        [weights.side, weights.comparative, weights.verb],
        weights.preposition,
    )


def _sufficient(codes: Codes, bases: _Bases, modifiers: _Modifiers) -> tuple[_Modifiers, "_Pairs"]:
    """Modifiers that exclude all rivals alone; and pairs that do so only together."""
    alone = modifiers.excluded == bases.all_rivals[modifiers.base]
    partial = modifiers.take(~alone & ~modifiers.negated)
    return modifiers.take(alone), _pairs(codes, bases, partial)


@dataclass(frozen=True)
class _Pairs:
    """Two modifiers that are needed both."""

    one: _Modifiers
    other: _Modifiers


def _pairs(codes: Codes, bases: _Bases, partial: _Modifiers) -> _Pairs:
    by_base = Ragged.grouped(partial.base, np.arange(len(partial.base)), len(bases.thing))
    mates = by_base.take(partial.base)
    one, other = mates.rows, mates.values
    has_value = partial.value != NONE
    # The first of a pair is a value that stands before the noun; the second a further one, a place or a relation.
    fitting = has_value[one] & codes.before[partial.value[one]]
    types = codes.type_of[partial.value]
    fitting &= ~has_value[other] | ((types[one] < types[other]) & codes.before[partial.value[other]])
    one, other = one[fitting], other[fitting]
    together = partial.excluded[one] | partial.excluded[other]
    whole = together == bases.all_rivals[partial.base[one]]
    return _Pairs(partial.take(one[whole]), partial.take(other[whole]))


# ---------------------------------------------------------------------- references without other things


def _described(world: World, forms: Forms, bases: _Bases, found: "_Modifiers | _Pairs") -> References:
    """References by values and positions."""
    if isinstance(found, _Pairs):
        rows = np.flatnonzero(found.other.relation == NONE)
        one, other = found.one.take(rows), found.other.take(rows)
        both_values = other.value != NONE
        weight = np.where(both_values, _weights().values, one.weight * _weights().mixed)
        made = _blank(bases.thing[one.base], bases.kind[one.base])
        return _faded(
            bases, one.base, replace(made, first=one.value, second=other.value, position=other.position, weight=weight)
        )
    one = found.take(found.relation == NONE)
    made = _blank(bases.thing[one.base], bases.kind[one.base])
    variant = (world.thing_keys[made.thing] % np.uint64(forms.position_clause.shape[1])).astype(np.int64)
    return _faded(
        bases,
        one.base,
        replace(made, first=one.value, negated=one.negated, position=one.position, weight=one.weight, variant=variant),
    )


def _faded(bases: _Bases, base: Ints, made: References) -> References:
    """General nouns are said more rarely."""
    weight = np.where(bases.steps[base] == 0, 1, _weights().category / _weights().direct)
    return replace(made, weight=made.weight * weight * bases.familiar[base])


def _with_relation(found: "_Modifiers | _Pairs") -> "_Modifiers | _Pairs":
    if isinstance(found, _Pairs):
        rows = np.flatnonzero(found.other.relation != NONE)
        return _Pairs(found.one.take(rows), found.other.take(rows))
    return found.take(found.relation != NONE)


# ---------------------------------------------------------------------- references by other things


def _related(
    world: World, forms: Forms, bases: _Bases, found: "_Modifiers | _Pairs", below: References, draws: tuple[int, int]
) -> References:
    """References by a relation, whose other thing is named by a reference of the level below, drawn for each."""
    depth, seed = draws
    by_relation = found.other if isinstance(found, _Pairs) else found
    thing = bases.thing[by_relation.base]
    key = Key(seed, f"reference {depth}").array(
        world.thing_keys[thing],
        world.thing_keys[by_relation.other],
        world.codes.relations.keys[by_relation.relation],
        by_relation.direction.astype(np.uint64),
    )
    anchor = below.drawn(by_relation.other, key)
    if not len(below):
        return _blank(thing[:0], thing[:0])
    fits = (anchor != NONE) & ~(below.touched[anchor] == thing[:, None]).any(axis=1) & (below.style[anchor] == THE)
    fits &= ~_repeats(world.codes, by_relation.relation, below, anchor)
    rows = np.flatnonzero(fits)
    relation = by_relation.take(rows)
    made = _blank(bases.thing[relation.base], bases.kind[relation.base])
    touched = np.concatenate([relation.other[:, None], below.touched[anchor[rows]][:, : DEPTH - 1]], axis=1)
    weight = relation.weight * _weights().deeper ** (depth - 1)
    first = made.first
    if isinstance(found, _Pairs):
        first, weight = found.one.value[rows], weight * _weights().mixed
    return _faded(
        bases,
        relation.base,
        replace(
            made,
            first=first,
            relation=relation.relation,
            direction=relation.direction,
            variant=_variant(forms, relation, key[rows]),
            anchor=anchor[rows],
            depth=np.full(len(rows), depth),
            weight=weight,
            touched=touched,
        ),
    )


def _repeats(codes: Codes, relation: Ints, below: References, anchor: Ints) -> Flags:
    """Whether the other thing is described in the same manner: "to the left of the cup to the left of the pan"."""
    nested = below.relation[anchor]
    same: Flags = (nested != NONE) & ((nested == relation) | (nested == codes.inverse[relation]))
    position = below.position[anchor]
    sideways = sides(codes)[relation] & (position != NONE) & (position < HORIZONTAL_POSITIONS)
    repeats: Flags = same | sideways
    return repeats


def _variant(forms: Forms, relation: _Modifiers, key: Keys) -> Ints:
    """Which of the possible wordings of a link: "on", or "that is on"."""
    exists = forms.links.exists[relation.relation, relation.direction]
    nth = (key % np.uint64(64)).astype(np.int64) % np.maximum(exists.sum(axis=1), 1)
    found: Ints = np.argmax(np.cumsum(exists, axis=1) > nth[:, None], axis=1)
    return found


# ---------------------------------------------------------------------- order


def _concatenated(parts: list[References]) -> References:
    return References(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(References)))


def _ordered(parts: list[References]) -> References:
    """References of one level by thing."""
    found = _concatenated(parts)
    return found.take(np.argsort(found.thing, kind="stable"))


def _all(levels: list[References]) -> References:
    """All levels by thing; anchors point to their new places."""
    bases = np.cumsum([0, *(len(level) for level in levels[:-1])])
    moved = [
        replace(level, anchor=np.where(level.anchor == NONE, NONE, level.anchor + (bases[depth - 1] if depth else 0)))
        for depth, level in enumerate(levels)
    ]
    found = _concatenated(moved)
    order = np.argsort(found.thing, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    anchors = np.where(found.anchor == NONE, NONE, place[found.anchor])
    return replace(found, anchor=anchors).take(order)
