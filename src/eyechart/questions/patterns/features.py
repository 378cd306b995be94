"""What guards may ask of a variable: features of things, kinds, values, types, relations and positions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from eyechart.questions.arrays.codes import COUNT, MASS, NONE, PLURAL, Codes
from eyechart.questions.arrays.ragged import Flags, Ints
from eyechart.questions.bind.frames import Shard, Sort, Variable
from eyechart.questions.bind.references import THE

__all__ = ["FEATURES", "Feature"]

_MAIN_AREA, _LARGE_AREA = 0.15, 0.1
"""Shares of the picture from which on one says "this", and from which on one asks what a thing is; as in GQA."""
_HORIZONTAL, _MIDDLE = 3, 2
"""Positions below are left, right and middle."""


@dataclass(frozen=True)
class Feature:
    """Something that is true of a variable in some rows."""

    about: str
    of: Callable[[Shard, Variable], Flags]


def _kind_of(shard: Shard, variable: Variable) -> Ints:
    return shard.world.thing_kind[variable.code]


def _is_gender(code: int) -> Callable[[Shard, Variable], Flags]:
    return lambda shard, variable: shard.codes.gender[_kind_of(shard, variable)] == code


def _is_animal(shard: Shard, variable: Variable) -> Flags:
    below = shard.codes.below[:, shard.codes.kinds.codes(["animal"])]
    return np.asarray(below.any(axis=1))[_kind_of(shard, variable)]


def _sole(shard: Shard, variable: Variable) -> Flags:
    """A thing of which there is a reference without any modifier."""
    named, world = shard.references, shard.world
    bare = (named.style == THE) & (named.kind == world.thing_kind[named.thing]) & ~named.negated
    for modifier in (named.first, named.second, named.position, named.relation):
        bare &= modifier == NONE
    sole = np.zeros(world.things, dtype=bool)
    sole[named.thing[bare]] = True
    return sole[variable.code]


@cache
def _lists() -> dict[str, list[str]]:
    text = files("eyechart.questions.patterns").joinpath("kinds.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, list[str]])


@cache
def _listed(codes: Codes, name: str) -> Flags:
    """For each kind whether it stands in a list of kinds.toml."""
    return np.isin(np.arange(len(codes.kinds)), codes.kinds.codes(_lists()[name]))


def _counted(shard: Shard, variable: Variable) -> Flags:
    countable: Flags = shard.codes.number[variable.code] == COUNT
    return countable & ~_listed(shard.codes, "alone")[variable.code]


def _precedes(shard: Shard, variable: Variable) -> Flags:
    adjective: Flags = shard.forms.adjective[:, 0, 0, 0] != 0
    return shard.codes.before[variable.code] & adjective[variable.code]


def _plain(shard: Shard, variable: Variable) -> Flags:
    types = shard.codes.types
    attributive = np.isin(np.arange(len(types)), types.codes(_lists()["attributive"]))
    return ~attributive[variable.code]


def _turned(shard: Shard, variable: Variable) -> Flags:
    codes = shard.codes
    turned: Flags = (codes.inverse == codes.contrary) & (codes.contrary != NONE)
    return turned[variable.code]


FEATURES: Mapping[Sort, Mapping[str, Feature]] = {
    "thing": {
        "several": Feature("its name stands in the plural", lambda shard, o: shard.world.several[o.code] == 1),
        "person": Feature("it is a person", lambda shard, o: shard.codes.is_person[_kind_of(shard, o)]),
        "living": Feature("it lives", lambda shard, o: shard.codes.is_living[_kind_of(shard, o)]),
        "animal": Feature("it is an animal", _is_animal),
        "main": Feature("one would point at it and say this", lambda shard, o: shard.world.area[o.code] > _MAIN_AREA),
        "large": Feature("it fills a tenth of the picture", lambda shard, o: shard.world.area[o.code] > _LARGE_AREA),
        "female": Feature("its name says so: a woman", _is_gender(1)),
        "male": Feature("its name says so: a man", _is_gender(2)),
        "sole": Feature("its name alone says which one is meant", _sole),
    },
    "kind": {
        "several": Feature("one speaks of several", lambda _, k: np.asarray(k.several) == 1),
        "person": Feature("it is a kind of person", lambda shard, k: shard.codes.is_person[k.code]),
        "living": Feature("it lives", lambda shard, k: shard.codes.is_living[k.code]),
        "mass": Feature("one says some of it", lambda shard, k: shard.codes.number[k.code] == MASS),
        "plural": Feature("it has no singular: pants", lambda shard, k: shard.codes.number[k.code] == PLURAL),
        "count": Feature("there may be several, and one counts them: not skies", _counted),
        "everyday": Feature("one asks for one of it: not a body part", lambda s, k: ~_listed(s.codes, "stiff")[k.code]),
        "category": Feature("it is a category", lambda shard, k: shard.codes.is_category[k.code]),
        "single": Feature("a single thing is meant", lambda _, k: np.asarray(k.thing) != NONE),
    },
    "value": {
        "before": Feature("it may stand before a noun", _precedes),
        "adjective": Feature("it has an adjective", lambda shard, v: shard.forms.adjective[v.code, 0, 0, 0] != 0),
        "comparative": Feature("it has a comparative", lambda shard, v: shard.forms.comparative[v.code] != 0),
    },
    "type": {
        "exclusive": Feature("a thing has one value of it", lambda shard, t: shard.codes.is_exclusive[t.code]),
        "noun": Feature("the language has a word for it", lambda shard, t: shard.forms.type_noun[t.code] != 0),
        "plain": Feature("one says its values after is: not a kitchen chair", _plain),
    },
    "relation": {
        "verb": Feature("it is a verb", lambda shard, r: shard.codes.is_verb[r.code]),
        "comparative": Feature("it compares", lambda shard, r: shard.codes.is_comparative[r.code]),
        "passive": Feature("it is a passive verb", lambda shard, r: shard.codes.is_passive[r.code]),
        "copula": Feature("it needs is", lambda shard, r: shard.codes.has_copula[r.code]),
        "symmetric": Feature("it holds both ways", lambda shard, r: shard.codes.is_symmetric[r.code]),
        "turned": Feature("turned round it is wrong: left and right", _turned),
        "preposition": Feature(
            "it is neither", lambda shard, r: ~(shard.codes.is_verb | shard.codes.is_comparative)[r.code]
        ),
    },
    "position": {
        "horizontal": Feature("left, right or middle", lambda _, p: p.code < _HORIZONTAL),
        "middle": Feature("middle", lambda _, p: p.code == _MIDDLE),
    },
    "number": {},
}
"""Every feature by the sort of variable that has it."""
