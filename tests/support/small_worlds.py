"""Random small pictures, and questions of every form about their things, for tests that try rules on thousands of them.

Words are few and close to each other, so that every side condition of a rule is met often: values with kinds and with
similar ones, a type with an order, relations with inverses, opposites and more general ones, names below names.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from eyechart.questions.graph import SceneGraph, Thing

__all__ = ["Asking", "perturbed", "random_graph"]

NAMES = ("apple", "pear", "apple slice", "dog", "puppy", "cat", "man", "woman", "girl", "cup", "mug")
CATEGORIES = ("fruit", "food", "animal", "pet", "person", "thing", "drinkware")
VALUES = {
    "color": ("red", "maroon", "green", "blue", "light blue"),
    "material": ("wood", "metal", "steel"),
    "size": ("large", "small"),
    "pattern": ("striped", "checkered"),
    "mood": ("happy", "sad"),
    "pose": ("sitting", "standing"),
    "age": ("old", "young"),
}
RELATIONS = (
    *("to the left of", "to the right of", "above", "below", "near", "holding", "held by"),
    *("older than", "younger than", "on", *(["sitting on"] * 4)),
)
OPPOSITES = (("to the left of", "to the right of"), ("above", "below"))
COMPARATIVES = ("older", "younger")
SIDE = 100.0


def random_graph(random: Random) -> SceneGraph:
    """Two to four things, of which more or less is known; nothing that the words forbid."""
    ids = [str(number) for number in range(1, random.choice((2, 3, 3, 4)) + 1)]
    return SceneGraph(
        things={each: _thing(random, each) for each in ids},
        relations=frozenset(_relations(random, ids)),
        location=random.choice((None, "beach", "kitchen")),
        weather=random.choice((None, "sunny", "cloudy")),
        width=SIDE,
        height=SIDE,
        inventories=frozenset({"thing"}) if random.random() < 0.8 else frozenset(random.sample(CATEGORIES, 2)),
    )


def perturbed(graph: SceneGraph, random: Random) -> SceneGraph:
    """The same things in another state: some renamed, recoloured, moved, newly related."""
    things = {
        each.id: _thing(random, each.id, each) if random.random() < 0.4 else each for each in graph.things.values()
    }
    kept = [each for each in sorted(graph.relations) if random.random() < 0.7]
    added = _relations(random, list(things)) if random.random() < 0.7 else []
    inventories = graph.inventories if random.random() < 0.8 else frozenset({"thing"})
    return replace(graph, things=things, relations=frozenset(_consistent([*kept, *added])), inventories=inventories)


def _thing(random: Random, id_: str, old: Thing | None = None) -> Thing:
    """A thing with one value at most of each type; an old one keeps its name or its values."""
    keeps = random.choice(("name", "values", "nothing")) if old else "nothing"
    name = old.name if old and keeps == "name" else random.choice(NAMES)
    values = tuple(random.choice(VALUES[type_]) for type_ in VALUES if random.random() < 0.6)
    left, top = random.uniform(0, 80), random.uniform(0, 80)
    box = (left, top, 20.0, 20.0)
    return Thing(id_, name, old.attributes if old and keeps == "values" else values, box)


def _relations(random: Random, ids: list[str]) -> list[tuple[str, str, str]]:
    pairs = [(one, other) for one in ids for other in ids if one != other]
    wanted = random.choices([*pairs, *pairs[:2]], k=random.randint(0, 5))
    return _consistent([(one, random.choice(RELATIONS), other) for one, other in wanted])


_TURNED = {
    **{one: other for pair in OPPOSITES for one, other in (pair, pair[::-1])},
    "older than": "younger than",
    "younger than": "older than",
    "holding": "held by",
    "held by": "holding",
}
_CLOSE = {**_TURNED, "sitting on": "on"}
"""What one would ask instead of a relation that holds."""


def _consistent(edges: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Without edges that say the opposite of earlier ones."""
    kept: list[tuple[str, str, str]] = []
    for one, relation, other in edges:
        opposite = None if relation in {"holding", "held by"} else _TURNED.get(relation)
        if (one, opposite, other) not in kept and (other, relation, one) not in kept:
            kept.append((one, relation, other))
    return kept


Steps = list[tuple[str, str, list[int]]]


class Asking:
    """Questions about the things of a picture: true ones and false ones, sensible and not."""

    def __init__(self, graph: SceneGraph, random: Random) -> None:
        self.graph, self.random = graph, random
        self.ids = sorted(graph.things)
        self.favourite, self.topic = random.choice(self.ids), random.choice(list(VALUES))

    def program(self) -> str:
        """One question."""
        return _written(self.random.choice(_FORMS)(self))

    def programs(self, number: int) -> Iterator[str]:
        """So many questions, of which some may be equal."""
        for _ in range(number):
            yield self.program()

    # ------------------------------------------------------------------ references

    def thing(self) -> str:
        """Some thing's id; often the same, so that questions have something to do with each other."""
        return self.favourite if self.random.random() < 0.5 else self.random.choice(self.ids)

    def two(self) -> tuple[str, str]:
        """Two different things' ids; often the same two."""
        one, other = self.ids[:2] if self.random.random() < 0.5 else self.random.sample(self.ids, 2)
        return (one, other) if self.random.random() < 0.5 else (other, one)

    def name(self, id_: str) -> str:
        """What a thing is called, or something else."""
        own = self.graph.things[id_].name
        roll = self.random.random()
        if roll < 0.6:
            return own
        return self.random.choice(CATEGORIES) if roll < 0.85 else self.random.choice(NAMES)

    def value(self, id_: str | None = None) -> tuple[str, str]:
        """A type and a value, often the thing's own."""
        own = [(type_, each) for type_, some in VALUES.items() for each in some if id_ and each in self._own(id_)]
        roll = self.random.random()
        if own and roll < 0.5:
            return self.random.choice(own)
        # Often of the same type: what is asked of a light blue thing is whether it is blue, or green.
        type_ = self.random.choice(own)[0] if own and roll < 0.7 else self.topic
        return type_, self.random.choice(VALUES[type_])

    def _own(self, id_: str) -> tuple[str, ...]:
        return self.graph.things[id_].attributes

    def relation(self, one: str, other: str) -> str:
        """A relation, often one that holds."""
        edges = self.graph.relations
        own = sorted(each for subject, each, target in edges if (subject, target) == (one, other))
        turned = sorted(each for subject, each, target in edges if (subject, target) == (other, one))
        near = [_CLOSE[each] for each in own if each in _CLOSE] + [_TURNED[each] for each in turned if each in _TURNED]
        likely = (own + near) * 2 + turned
        return self.random.choice(likely) if likely and self.random.random() < 0.8 else self.random.choice(RELATIONS)

    def described(self, id_: str, ids: str | None = None, depth: int = 1) -> Steps:
        """Steps that lead to a thing, if it is as the picture says."""
        bracket = f" ({ids or id_})"
        steps: Steps = [("select", self.name(id_) + bracket, [])]
        roll = self.random.random()
        if roll < 0.25 and depth:
            anchor = self.random.choice([each for each in self.ids if each != id_])
            steps = self.described(anchor, depth=depth - 1)
            side = self.random.choice("so")
            relation = self.relation(id_, anchor) if side == "s" else self.relation(anchor, id_)
            name = self.random.choice((self.name(id_), "_"))
            steps.append(("relate", f"{name},{relation},{side}{bracket}", [len(steps) - 1]))
        if self.random.random() < 0.35:
            steps.append(self.filter(id_, len(steps) - 1))
        return steps

    def filter(self, id_: str, place: int) -> tuple[str, str, list[int]]:
        """A filter on what an earlier step gives."""
        type_, value = self.value(id_)
        return f"filter {type_}", f"not({value})" if self.random.random() < 0.25 else value, [place]


def _written(steps: Steps) -> str:
    return "->".join(
        f"{operation}: {argument}" + (f" [{', '.join(map(str, taken))}]" if taken else "")
        for operation, argument, taken in steps
    )


def _about(asking: Asking, operation: str, argument: str, id_: str | None = None) -> Steps:
    steps = asking.described(id_ or asking.thing())
    return [*steps, (operation, argument, [len(steps) - 1])]


def _query(asking: Asking) -> Steps:
    types = (*VALUES, *([asking.topic] * 8), *(["name"] * 3), "hposition", "vposition")
    return _about(asking, "query", asking.random.choice(types))


def _verify(asking: Asking) -> Steps:
    id_ = asking.thing()
    type_, value = asking.value(id_)
    return _about(asking, f"verify {type_}", value, id_)


def _position(asking: Asking) -> Steps:
    axis, sides = asking.random.choice((("hposition", "left right middle"), ("vposition", "top bottom middle")))
    one, other = asking.random.sample(sides.split(), 2)
    return asking.random.choice(
        (_about(asking, f"verify {axis}", one), _about(asking, f"choose {axis}", f"{one}|{other}"))
    )


def _choose(asking: Asking) -> Steps:
    id_ = asking.thing()
    type_, value = asking.value(id_)
    other = asking.random.choice([each for each in VALUES[type_] if each != value])
    return _about(asking, f"choose {type_}", f"{value}|{other}", id_)


def _choose_name(asking: Asking) -> Steps:
    id_ = asking.thing()
    one = asking.graph.things[id_].name
    other = asking.random.choice([each for each in NAMES if each != one])
    return _about(asking, "choose name", f"{one}|{other}", id_)


def _exist(asking: Asking) -> Steps:
    steps = asking.described(asking.thing())
    return [*steps, ("exist", "?", [len(steps) - 1])]


def _joined(first: Steps, second: Steps, last: str) -> Steps:
    shift = len(first)
    moved = [(operation, argument, [each + shift for each in taken]) for operation, argument, taken in second]
    return [*first, *moved, (last, "", [shift - 1, shift + len(second) - 1])]


def _logical(asking: Asking) -> Steps:
    both = [asking.random.choice((_exist, _verify))(asking) for _ in range(2)]
    return _joined(*both, asking.random.choice(("and", "or")))


def _both_values(asking: Asking) -> Steps:
    id_ = asking.thing()
    (one_type, one), (other_type, other) = asking.value(id_), asking.value(id_)
    steps = asking.described(id_)
    end = len(steps) - 1
    checks: Steps = [(f"verify {one_type}", one, [end]), (f"verify {other_type}", other, [end])]
    return [*steps, *checks, ("and", "", [end + 1, end + 2])]


def _verify_relation(asking: Asking) -> Steps:
    one, other = asking.two()
    side = asking.random.choice("so")
    relation = asking.relation(other, one) if side == "s" else asking.relation(one, other)
    ids = asking.random.choice((f" ({other})", f" ({other})", " (-)"))
    return _about(asking, "verify rel", f"{asking.name(other)},{relation},{side}{ids}", one)


def _choose_relation(asking: Asking) -> Steps:
    one, other = asking.two()
    pair = "|".join(asking.random.choice(OPPOSITES))
    side = asking.random.choice("so")
    return _about(asking, "choose rel", f"{asking.name(other)},{pair},{side} ({other})", one)


def _pair(asking: Asking) -> Steps:
    one, other = asking.two()
    operation = asking.random.choice(
        (
            *("same color", "different color", "same material", "different material", "common"),
            *(f"choose {each}" for each in COMPARATIVES),
        )
    )
    return _joined(asking.described(one), asking.described(other), operation)


def _set(asking: Asking) -> Steps:
    operation, type_ = asking.random.choice(("same", "different")), asking.random.choice(("type", "gender", "color"))
    name = asking.random.choice(CATEGORIES)
    return [("select", f"{name} ({','.join(asking.ids)})", []), (operation, type_, [0])]


def _quantified(asking: Asking) -> Steps:
    type_, value = asking.value()
    steps = asking.described(asking.thing(), ids=",".join(asking.ids), depth=0)
    return [*steps, (f"{asking.random.choice(('all', 'none'))} {type_}", value, [len(steps) - 1])]


def _counted(asking: Asking) -> Steps:
    steps = asking.described(asking.thing(), ids=",".join(asking.ids), depth=0)
    number = str(asking.random.randint(1, 3))
    last = asking.random.choice((("count", "?"), ("at least", number), ("at most", number), ("exactly", number)))
    return [*steps, (*last, [len(steps) - 1])]


def _scene(asking: Asking) -> Steps:
    operation = asking.random.choice(
        (
            *(("query", "weather"), ("verify weather", "sunny"), ("choose weather", "sunny|cloudy")),
            *(("query", "place"), ("verify place", "beach"), ("choose place", "beach|kitchen")),
        )
    )
    return [("select", "scene", []), (*operation, [0])]


_FORMS: tuple[Callable[[Asking], Steps], ...] = (
    *(_query, _query, _verify, _verify, _position, _choose, _choose_name, _exist, _exist, _exist, _logical),
    *(_both_values, _verify_relation, _verify_relation, _choose_relation, _pair, _pair, _set, _quantified),
    *(_counted, _scene),
)
