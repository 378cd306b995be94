"""What patterns can be about: each name makes a frame of all such facts in some pictures.

============  ==========================================================================
scene         v of type t: what the picture as a whole is like
place         k: the kind of place that it shows
present       k: a kind of which there are things, n of them
absent        k: a kind that is known not to be there
thing         o
position      o, p: where it is; q: the other side
category      o, k: a category of it by which it can be asked for
value         o has v of type t
values        o has v of type t and w of type u
holding       k, v of type t: something of the kind has the value
link          s stands in relation r to o
pair          a has v and b has w, both of type t
kinds         k and j: two kinds, present or not
group         k: two or more things of a kind, all of which are known
described     o is the only thing of category k that has v
order         a is more v than b
likeness      all things of category k are called the same, or not
genders       all people of kind k are of one gender, or not
agreement     all things of kind k have one value of type t, or not
============  ==========================================================================
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags, Ints, Keys, Ragged, spread, stacked
from eyechart.questions.bind import comparing
from eyechart.questions.bind.drawing import uniform
from eyechart.questions.bind.frames import Frame, Shard, Sort, Variable, several_or_one
from eyechart.questions.bind.world import POSITIONS, World

__all__ = ["BINDINGS", "Binding"]

_ABSENT_PER_IMAGE = 10
_PAIRS_PER_THING = 4
_LEAST_CONTEXT = 0.005
"""Of pictures with things like those in this one, the share that shows a kind, below which nobody would ask for it."""
COMPARED = ("color", "material", "shape")
"""The types in which one says that two things agree."""


@dataclass(frozen=True)
class Binding:
    """A kind of fact: the variables of its rows, and what makes them."""

    about: str
    variables: Mapping[str, Sort]
    features: Mapping[str, str]
    """What guards may ask of a row beside its variables, with a sentence each."""
    make: Callable[[Shard], Frame]


def _keys(shard: Shard, purpose: str, *parts: Ints | Keys) -> Keys:
    return shard.keyed(f"fact {purpose}", *parts)


# ---------------------------------------------------------------------- scenes


def _scene(shard: Shard) -> Frame:
    world, codes = shard.world, shard.codes
    known = shard.forms.knows_value()[world.scene_value]
    image, value = world.scene_image[known], world.scene_value[known]
    key = _keys(shard, "scene", world.image_keys[image], codes.values.keys[value])
    type_ = codes.type_of[value]
    return Frame(image, key, {"v": Variable("value", value), "t": Variable("type", type_)}, {})


def _place(shard: Shard) -> Frame:
    world, codes = shard.world, shard.codes
    image = np.flatnonzero((world.place != NONE) & shard.forms.knows_kind()[world.place])
    kind = world.place[image]
    key = _keys(shard, "place", world.image_keys[image], codes.kinds.keys[kind])
    return Frame(image, key, {"k": Variable("kind", kind, several=np.zeros_like(kind))}, {})


# ---------------------------------------------------------------------- kinds


def members(world: World, sayable: np.ndarray) -> tuple[Ints, Ints, Ragged]:
    """Every kind of every picture that has things, with the things: image, kind, things."""
    thing, kind = world.called.rows, world.called.values
    said = sayable[kind]
    thing, kind = thing[said], kind[said]
    number = world.thing_image[thing] * len(world.codes.kinds) + kind
    order = np.argsort(number, kind="stable")
    unique, counts = np.unique(number[order], return_counts=True)
    image, found = np.divmod(unique, len(world.codes.kinds))
    return image, found, Ragged.of(counts, thing[order])


def _sayable(shard: Shard) -> np.ndarray:
    return shard.forms.knows_kind() & shard.codes.is_named


def _kind_variable(shard: Shard, kind: Ints, key: Keys, things: Ragged) -> Variable:
    """A kind with its things; the number is the only thing's own, or a coin."""
    single = things.lengths == 1
    only = np.full(len(kind), NONE, dtype=np.int64)
    only[single] = things.values[things.offsets[:-1][single]]
    several = several_or_one(shard.codes, kind, key)
    several = np.where(single, np.where(only != NONE, shard.world.several[only], 0), several)
    return Variable("kind", kind, several=several, thing=only, members=things)


def _present(shard: Shard) -> Frame:
    image, kind, things = members(shard.world, _sayable(shard))
    key = _keys(shard, "kind", shard.world.image_keys[image], shard.codes.kinds.keys[kind])
    features = {"complete": shard.world.known[image, kind]}
    variables = {
        "k": _kind_variable(shard, kind, key, things),
        "n": Variable("number", _counted(shard.world, things)),
    }
    return Frame(image, key, variables, features)


def _counted(world: World, things: Ragged) -> Ints:
    """How many things there are; NONE where one of them is several: nobody knows how many apples "apples" are."""
    plural = np.zeros(len(things), dtype=np.int64)
    np.add.at(plural, things.rows, world.several[things.values])
    return np.where(plural > 0, NONE, things.lengths)


def _absent(shard: Shard) -> Frame:
    """Kinds that are known not to be there, drawn by how well they would fit."""
    world, codes = shard.world, shard.codes
    weight = np.sqrt(shard.counts.kinds) * (_sayable(shard) & (shard.counts.kinds > 0))
    image, kind = np.nonzero(world.absent & (weight > 0)[None, :] & (shard.context > _LEAST_CONTEXT))
    keys = shard.keyed("absent", world.image_keys[image], codes.kinds.keys[kind])
    times = -np.log1p(-uniform(keys)) / (weight[kind] * shard.context[image, kind])
    order = np.lexsort((times, image))
    image, kind = image[order], kind[order]
    rank = np.arange(len(image)) - np.searchsorted(image, image)
    image, kind = image[rank < _ABSENT_PER_IMAGE], kind[rank < _ABSENT_PER_IMAGE]
    key = _keys(shard, "kind", world.image_keys[image], codes.kinds.keys[kind])
    nobody = Ragged.of(np.zeros(len(kind), dtype=np.int64), np.zeros(0, dtype=np.int64))
    return Frame(image, key, {"k": _kind_variable(shard, kind, key, nobody)}, {})


def _two_kinds(shard: Shard) -> Frame:
    """Every kind of a picture, present or not, with another one."""
    present, absent = shard.kept("present", _present), shard.kept("absent", _absent)
    image = np.concatenate([present.image, absent.image])
    key = np.concatenate([present.key, absent.key])
    order = np.lexsort((shard.keyed("partner", key), image))
    starts = np.searchsorted(image[order], image[order], side="left")
    ends = np.searchsorted(image[order], image[order], side="right")
    following = np.arange(len(order)) + 1
    one, other = order, order[np.where(following < ends, following, starts)]
    k, j = _joined(present["k"], absent["k"], one), _joined(present["k"], absent["k"], other)
    there = np.arange(len(image)) < len(present)
    codes = shard.codes
    distinct = ~codes.confused[k.code, j.code]
    features = {
        "there": there[one],
        "other_there": there[other],
        "complete": shard.world.known[image[one], k.code] & shard.world.known[image[one], j.code],
    }
    count_k, count_j = _counted(shard.world, k.members), _counted(shard.world, j.members)  # type: ignore[arg-type]  # both have them
    variables = {"k": k, "j": j, "n": Variable("number", count_k), "m": Variable("number", count_j)}
    frame = Frame(image[one], _keys(shard, "kinds", key[one], key[other]), variables, features)
    return frame.take(np.flatnonzero(distinct))


def _joined(one: Variable, other: Variable, rows: Ints) -> Variable:
    columns = {
        name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in ("code", "several", "thing")
    }
    things = stacked([one.members, other.members])  # type: ignore[list-item]  # both have them
    return Variable("kind", **columns, members=things).take(rows)


def _holding(shard: Shard) -> Frame:
    """Something of a kind has a value, or one that is more exact: light blue things are blue."""
    world, codes = shard.world, shard.codes
    exact, general = np.nonzero(codes.holds)
    broader = Ragged.grouped(exact, general, len(codes.values)).take(world.value)
    said = shard.forms.knows_value()[broader.values]
    thing, value = world.value_thing[broader.rows[said]], broader.values[said]
    kinds = codes.chain.take(world.thing_kind[thing])
    sayable = _sayable(shard)[kinds.values] & ~codes.says[kinds.values, value[kinds.rows]]
    place, kind = kinds.rows[sayable], kinds.values[sayable]
    thing, value = thing[place], value[place]
    number = (world.thing_image[thing] * len(codes.kinds) + kind) * len(codes.values) + value
    # A thing that is both blue and light blue is one blue thing.
    once = np.unique(np.stack([number, thing]), axis=1)
    unique, counts = np.unique(once[0], return_counts=True)
    things = Ragged.of(counts, once[1])
    rest, value = np.divmod(unique, len(codes.values))
    image, kind = np.divmod(rest, len(codes.kinds))
    key = _keys(shard, "holding", world.image_keys[image], codes.kinds.keys[kind], codes.values.keys[value])
    everybody = everything_called(world, image, kind)
    lacking = world.lacks(everybody.values, value[everybody.rows])
    without = np.bincount(everybody.rows, lacking, len(everybody)).astype(np.int64)
    whole = _counted(world, everybody)
    variables = {
        "k": _kind_variable(shard, kind, key, things),
        "v": Variable("value", value),
        "t": Variable("type", codes.type_of[value]),
        "n": Variable("number", _counted(world, things)),
        "z": Variable("number", np.where(whole == NONE, NONE, without)),
        "m": Variable("number", whole),
    }
    features = {
        "complete": world.known[image, kind],
        "known": counts + without == everybody.lengths,
        "some_lack": without > 0,
    }
    return Frame(image, key, variables, features)


def everything_called(world: World, image: Ints, kind: Ints) -> Ragged:
    """All things that may be called of a kind in the picture of each row."""
    width, called = len(world.codes.kinds), world.called
    number = world.thing_image[called.rows] * width + called.values
    order = np.argsort(number, kind="stable")
    wanted = image * width + kind
    starts, ends = (np.searchsorted(number[order], wanted, side=side) for side in ("left", "right"))
    return Ragged.of(ends - starts, called.rows[order][spread(starts, ends - starts)])


def _described(shard: Shard) -> Frame:
    """The only thing of a category that has a value, among others that have it not."""
    frame = _holding(shard)
    only = (frame["n"].code == 1) & np.asarray(frame.features["known"]) & (frame["z"].code > 0)
    only &= shard.codes.is_category[frame["k"].code]
    found = frame.take(np.flatnonzero(only))
    members = found["k"].members
    thing = members.values if members is not None else np.zeros(0, dtype=np.int64)
    fits = shard.world.thing_kind[thing] != found["k"].code
    variables = {**{name: found[name] for name in ("k", "v", "t")}, "o": Variable("thing", thing)}
    features = {"complete": found.features["complete"]}
    return Frame(found.image, found.key, variables, features).take(np.flatnonzero(fits))


# ---------------------------------------------------------------------- things


def _thing(shard: Shard) -> Frame:
    world = shard.world
    thing = np.flatnonzero(shard.forms.knows_kind()[world.thing_kind])
    key = _keys(shard, "thing", world.thing_keys[thing])
    return Frame(world.thing_image[thing], key, {"o": Variable("thing", thing)}, {})


def _position(shard: Shard) -> Frame:
    world, code = shard.world, shard.codes.types.code
    known = shard.forms.knows_kind()[world.thing_kind]
    thing = np.concatenate([np.flatnonzero((axis != NONE) & known) for axis in (world.horizontal, world.vertical)])
    horizontal = np.arange(len(thing)) < np.count_nonzero((world.horizontal != NONE) & known)
    position = np.where(horizontal, world.horizontal[thing], world.vertical[thing])
    key = _keys(shard, "position", world.thing_keys[thing], position)
    # left and right, top and bottom; what is in the middle is on neither side.
    coin = (shard.keyed("side", key) & np.uint64(1)).astype(np.int64)
    other = np.array([1, 0, 0, 4, 3])[position]
    other = np.where(position == POSITIONS.index("middle"), coin, other)
    type_ = np.where(horizontal, code["hposition"], code["vposition"])
    variables = {
        "o": Variable("thing", thing),
        "p": Variable("position", position),
        "q": Variable("position", other),
        "t": Variable("type", type_),
    }
    return Frame(world.thing_image[thing], key, variables, {"horizontal": horizontal})


def _category(shard: Shard) -> Frame:
    world, codes = shard.world, shard.codes
    called = world.called
    thing, kind = called.rows, called.values
    useful = (_sayable(shard) & codes.is_category)[kind] & (kind != world.thing_kind[thing])
    useful &= shard.forms.knows_kind()[world.thing_kind[thing]]
    thing, kind = thing[useful], kind[useful]
    key = _keys(shard, "category", world.thing_keys[thing], codes.kinds.keys[kind])
    single = world.several[thing]
    variables = {"o": Variable("thing", thing), "k": Variable("kind", kind, several=single, thing=thing)}
    only = everything_called(world, world.thing_image[thing], kind).lengths == 1
    return Frame(world.thing_image[thing], key, variables, {"only": only})


# ---------------------------------------------------------------------- values


def _value(shard: Shard) -> Frame:
    world, codes = shard.world, shard.codes
    kind = world.thing_kind[world.value_thing]
    known = shard.forms.knows_value()[world.value] & shard.forms.knows_kind()[kind] & ~codes.says[kind, world.value]
    thing, value = world.value_thing[known], world.value[known]
    key = _keys(shard, "value", world.thing_keys[thing], codes.values.keys[value])
    type_ = codes.type_of[value]
    variables = {"o": Variable("thing", thing), "v": Variable("value", value), "t": Variable("type", type_)}
    return Frame(world.thing_image[thing], key, variables, {"single": world.the_value[thing, type_] == value})


def _values(shard: Shard) -> Frame:
    world, codes = shard.world, shard.codes
    one = _value(shard)
    thing, value = one["o"].code, one["v"].code
    mates = Ragged.grouped(thing, np.arange(len(thing)), world.things).take(thing)
    first, second = mates.rows, mates.values
    ordered = one["t"].code[first] < one["t"].code[second]
    first, second = first[ordered], second[ordered]
    key = _keys(shard, "values", one.key[first], codes.values.keys[value[second]])
    variables = {
        "o": Variable("thing", thing[first]),
        "v": Variable("value", value[first]),
        "t": Variable("type", one["t"].code[first]),
        "w": Variable("value", value[second]),
        "u": Variable("type", one["t"].code[second]),
    }
    single = one.features["single"]
    return Frame(one.image[first], key, variables, {"single": single[first], "other_single": single[second]})


def _pair(shard: Shard) -> Frame:
    """Two things of a picture that have one value each of the same exclusive type."""
    one = _value(shard)
    known = np.flatnonzero(np.asarray(one.features["single"], dtype=bool) & shard.codes.is_exclusive[one["t"].code])
    one = one.take(known)
    place = one.image * len(shard.codes.types) + one["t"].code
    mates = Ragged.grouped(place, np.arange(len(one)), int(place.max(initial=0)) + 1).take(place)
    first, second = mates.rows, mates.values
    # Which of the two comes first is a coin; which pairs are looked at does not grow with the square of the things.
    near = _few(shard, one, first, second)
    first, second = first[near], second[near]
    world, codes = shard.world, shard.codes
    key = _keys(shard, "pair", one.key[first], one.key[second])
    variables = {
        "a": Variable("thing", one["o"].code[first]),
        "b": Variable("thing", one["o"].code[second]),
        "v": Variable("value", one["v"].code[first]),
        "w": Variable("value", one["v"].code[second]),
        "t": Variable("type", one["t"].code[first]),
    }
    kinds = world.thing_kind
    alike = codes.confused[kinds[variables["a"].code], kinds[variables["b"].code]]
    apart = codes.contradict[variables["v"].code, variables["w"].code]
    agree = variables["v"].code == variables["w"].code
    features = {"alike": alike, "differ": apart, "agree": agree, **_agreements(shard, variables)}
    return Frame(one.image[first], key, variables, features)


def _agreements(shard: Shard, pair: Mapping[str, Variable]) -> dict[str, Flags]:
    """Whether two things have nothing else in common; and whether nothing else has the first one's value."""
    world, codes = shard.world, shard.codes
    a, b, v = (pair[name].code for name in "abv")
    values = world.the_value[:, [codes.types.code[name] for name in COMPARED]]
    in_common = ((values[a] == values[b]) & (values[a] != NONE)).sum(axis=1)
    by_image = Ragged.grouped(world.thing_image, np.arange(world.things), world.images)
    others = by_image.take(world.thing_image[a])
    row = others.rows
    may = ~world.lacks(others.values, v[row]) & (others.values != a[row]) & (others.values != b[row])
    return {"sole": in_common == 1, "only": np.bincount(row, may, len(a)) == 0}


def _few(shard: Shard, one: Frame, first: Ints, second: Ints) -> Ints:
    """Of all ordered pairs one order each, and of these a share that makes about as many as there are things."""
    own, other = one.key[first], one.key[second]
    kept = np.flatnonzero(own < other)
    draws = shard.keyed("pairs", own[kept], other[kept])
    mates = np.bincount(first, minlength=len(one))[first[kept]]
    few: Ints = kept[uniform(draws) * np.maximum(mates, 1) < _PAIRS_PER_THING]
    return few


# ---------------------------------------------------------------------- links


def _link(shard: Shard) -> Frame:
    world, codes, forms = shard.world, shard.codes, shard.forms
    known = forms.knows_relation()[world.relation]
    known &= forms.knows_kind()[world.thing_kind[world.subject]] & forms.knows_kind()[world.thing_kind[world.object]]
    s, r, o = world.subject[known], world.relation[known], world.object[known]
    key = _keys(shard, "link", world.thing_keys[s], codes.relations.keys[r], world.thing_keys[o])
    only_object, only_subject = _only(world, s, r, o)
    variables = {"s": Variable("thing", s), "r": Variable("relation", r), "o": Variable("thing", o)}
    features = {"only_object": only_object, "only_subject": only_subject}
    return Frame(world.thing_image[s], key, variables, features)


def _only(world: World, s: Ints, r: Ints, o: Ints) -> tuple[np.ndarray, np.ndarray]:
    """Whether the object is the only one that the subject may stand in the relation to; and the other way round."""
    rest, target = np.divmod(world.possible_links, max(world.things, 1))
    subject, relation = np.divmod(rest, len(world.codes.relations))
    forward, forward_counts = np.unique(subject * len(world.codes.relations) + relation, return_counts=True)
    backward, backward_counts = np.unique(target * len(world.codes.relations) + relation, return_counts=True)
    objects = forward_counts[np.searchsorted(forward, s * len(world.codes.relations) + r)]
    subjects = backward_counts[np.searchsorted(backward, o * len(world.codes.relations) + r)]
    return objects == 1, subjects == 1


# ---------------------------------------------------------------------- groups


def _group(shard: Shard) -> Frame:
    image, kind, things = members(shard.world, _sayable(shard))
    many = np.flatnonzero(things.lengths > 1)
    image, kind, things = image[many], kind[many], things.take(many)
    key = _keys(shard, "group", shard.world.image_keys[image], shard.codes.kinds.keys[kind])
    variables = {
        "k": Variable("kind", kind, several=np.ones_like(kind), thing=np.full_like(kind, NONE), members=things),
        "n": Variable("number", _counted(shard.world, things)),
    }
    return Frame(image, key, variables, {"complete": shard.world.known[image, kind]})


BINDINGS: dict[str, Binding] = {
    "scene": Binding("what the picture as a whole is like", {"v": "value", "t": "type"}, {}, _scene),
    "place": Binding("the kind of place that it shows", {"k": "kind"}, {}, _place),
    "present": Binding(
        "a kind of which there are things",
        {"k": "kind", "n": "number"},
        {"complete": "every thing of the kind is annotated"},
        _present,
    ),
    "absent": Binding("a kind that is known not to be there", {"k": "kind"}, {}, _absent),
    "kinds": Binding(
        "two kinds, present or absent",
        {"k": "kind", "j": "kind", "n": "number", "m": "number"},
        {
            "there": "there are things of kind k",
            "other_there": "there are things of kind j",
            "complete": "every thing of both kinds is annotated",
        },
        _two_kinds,
    ),
    "holding": Binding(
        "something of a kind has a value: n things of m, while z have it not",
        {"k": "kind", "v": "value", "t": "type", "n": "number", "z": "number", "m": "number"},
        {
            "complete": "every thing of the kind is annotated",
            "known": "of every thing of the kind it is known whether it has the value",
            "some_lack": "something of the kind has it not",
        },
        _holding,
    ),
    "described": Binding(
        "the only thing of a category that has a value, among others that have it not",
        {"o": "thing", "k": "kind", "v": "value", "t": "type"},
        {"complete": "every thing of the category is annotated"},
        _described,
    ),
    "order": Binding(
        "a is more v than b",
        {"a": "thing", "b": "thing", "v": "value", "t": "type"},
        {"people": "both are people"},
        comparing.order,
    ),
    "likeness": Binding(
        "all things of a category are called the same, j, or not",
        {"k": "kind", "n": "number", "j": "kind"},
        {"same": "they are", "differ": "they are not"},
        lambda shard: comparing.likeness(shard, _group(shard)),
    ),
    "genders": Binding(
        "all people of a kind are of one gender, or not",
        {"k": "kind", "n": "number"},
        {"same": "they are", "differ": "they are not", "female": "the first one is a woman or girl"},
        lambda shard: comparing.genders(shard, _group(shard)),
    ),
    "agreement": Binding(
        "all things of a kind have one value of color, material or shape, or not; v is the first one's",
        {"k": "kind", "n": "number", "t": "type", "v": "value"},
        {"same": "they have", "differ": "they have not"},
        lambda shard: comparing.agreement(shard, _group(shard)),
    ),
    "thing": Binding("a thing", {"o": "thing"}, {}, _thing),
    "position": Binding(
        "where a thing is in the picture",
        {"o": "thing", "p": "position", "q": "position", "t": "type"},
        {"horizontal": "the position is left, right or middle"},
        _position,
    ),
    "category": Binding(
        "a category of a thing",
        {"o": "thing", "k": "kind"},
        {"only": "nothing else in the picture may be called so"},
        _category,
    ),
    "value": Binding(
        "a thing has a value",
        {"o": "thing", "v": "value", "t": "type"},
        {"single": "it has one value of the type"},
        _value,
    ),
    "values": Binding(
        "a thing has two values of different types",
        {"o": "thing", "v": "value", "t": "type", "w": "value", "u": "type"},
        {"single": "it has one value of type t", "other_single": "it has one value of type u"},
        _values,
    ),
    "link": Binding(
        "two things stand in a relation",
        {"s": "thing", "r": "relation", "o": "thing"},
        {
            "only_object": "s may stand in the relation to nothing else",
            "only_subject": "nothing else may stand in the relation to o",
        },
        _link,
    ),
    "pair": Binding(
        "two things have values of the same type",
        {"a": "thing", "b": "thing", "v": "value", "w": "value", "t": "type"},
        {
            "alike": "the two could be called the same",
            "differ": "the values differ",
            "agree": "the values are the same",
            "sole": "they agree in one of color, material and shape, and in no other",
            "only": "nothing else can have the value of a",
        },
        _pair,
    ),
    "group": Binding(
        "two or more things of a kind",
        {"k": "kind", "n": "number"},
        {"complete": "every thing of the kind is annotated"},
        _group,
    ),
}
"""Every binding by the name that patterns use."""
