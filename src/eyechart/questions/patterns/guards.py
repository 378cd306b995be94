"""Guards: conditions under which a fact fits to a pattern, written like ``o.person and t in ("color", "size")``.

They are read as Python expressions, of which only names, features, comparisons, ``and``, ``or``, ``not`` and the
functions below are allowed, and become functions of whole columns.
"""

import ast
from collections.abc import Callable
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from eyechart.questions.arrays.codes import COUNT, MASS, NONE, PLURAL, Codes
from eyechart.questions.arrays.ragged import Flags
from eyechart.questions.patterns.scope import FEATURES, Place, Scope
from eyechart.questions.bind.frames import Frame, Shard, Variable
from eyechart.questions.bind.references import THE
from eyechart.registry import did_you_mean

__all__ = ["Guard", "guard"]

Guard = Callable[[Shard, Frame], Flags]
Column = np.ndarray  # flags, codes or numbers, by the expression
Value = Callable[[Shard, Frame], Column]

_HORIZONTAL, _MIDDLE = 3, 2
_COMPARISONS: dict[type[ast.cmpop], Callable[[Column, Column], Flags]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
}


def guard(text: str, scope: Scope, place: Place) -> Guard:
    """A condition as a function of a frame.

    >>> here = Place("colors.toml", 3, "verifyAttr")
    >>> guard("o.person and x", Scope({"o": "thing"}, ()), here)
    Traceback (most recent call last):
    eyechart.errors.DataError: colors.toml, line 3, verifyAttr: the guard 'o.person and x': found 'x', in scope are \
o (thing); did you mean 'o'?
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise place.fault(
            f"the guard {text!r} is no expression ({error.msg})", "write it like 'o.person and not o.several'"
        ) from error
    return _Reader(text, scope, place).flags(tree)


class _Reader:
    """Turns an expression into columns."""

    def __init__(self, text: str, scope: Scope, place: Place) -> None:
        self.text, self.scope, self.place = text, scope, place

    def flags(self, node: ast.expr) -> Guard:
        match node:
            case ast.BoolOp(op, values):
                parts = [self.flags(each) for each in values]
                every = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return lambda shard, frame: every.reduce([part(shard, frame) for part in parts])
            case ast.UnaryOp(ast.Not(), operand):
                part = self.flags(operand)
                return lambda shard, frame: ~part(shard, frame)
            case ast.Compare(left, [op], [right]):
                return self._comparison(left, op, right)
            case ast.Call(ast.Name("isa"), [ast.Name(name), *kinds]):
                return self._isa(name, [self._text(each) for each in kinds])
            case ast.Name(name) if name in self.scope.features:
                return lambda _, frame: np.asarray(frame.features[name], dtype=bool)
            case ast.Attribute(ast.Name(name), feature):
                return self._feature(name, feature)
        raise self._fault(ast.unparse(node))

    def _comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Guard:
        match left, op, right:
            case ast.Name(name), ast.In() | ast.NotIn(), ast.Tuple(elements):
                codes = self._codes(name, [self._text(each) for each in elements])
                inside = isinstance(op, ast.In)
                return lambda shard, frame: np.isin(frame[name].code, codes(shard)) == inside
            case ast.Name(name), ast.Eq() | ast.NotEq(), ast.Constant(str() as word):
                codes = self._codes(name, [word])
                equal = isinstance(op, ast.Eq)
                return lambda shard, frame: np.isin(frame[name].code, codes(shard)) == equal
        if type(op) in _COMPARISONS:
            compare, one, other = _COMPARISONS[type(op)], self._number(left), self._number(right)
            return lambda shard, frame: _compared(compare, one(shard, frame), other(shard, frame))
        raise self._fault(ast.unparse(op))

    def _number(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(int() as number):
                return lambda _, frame: np.full(len(frame), number)
            case ast.Name(name) if name in self.scope.variables:
                return lambda _, frame: frame[name].code
            case ast.Attribute(ast.Name(name), "kind") if self.scope.variables.get(name) == "thing":
                return lambda shard, frame: shard.world.thing_kind[frame[name].code]
        raise self._fault(ast.unparse(node))

    def _codes(self, name: str, words: list[str]) -> Callable[[Shard], np.ndarray]:
        sort = self.scope.sort(name, self.place)
        tables = {"value": "values", "type": "types", "relation": "relations", "kind": "kinds"}
        if sort not in tables:
            raise self._fault(name)
        # Words that an ontology does not have fit to nothing; patterns are written for many ontologies.
        return lambda shard: getattr(shard.codes, tables[sort]).codes(words)

    def _isa(self, name: str, kinds: list[str]) -> Guard:
        sort = self.scope.sort(name, self.place)

        def test(shard: Shard, frame: Frame) -> Flags:
            code = frame[name].code if sort == "kind" else shard.world.thing_kind[frame[name].code]
            found: Flags = shard.codes.below[code][:, shard.codes.kinds.codes(kinds)].any(axis=1)
            return found

        return test

    def _feature(self, name: str, feature: str) -> Guard:
        sort = self.scope.sort(name, self.place)
        if feature not in FEATURES[sort]:
            known = ", ".join(FEATURES[sort]) or "nothing"
            raise self.place.fault(
                f"the guard {self.text!r}: found {name}.{feature}, of a {sort} one may ask {known}",
                did_you_mean(feature, FEATURES[sort]),
            )
        return lambda shard, frame: _FEATURES[sort](shard, frame[name], feature)

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(str() as word):
                return word
        raise self._fault(ast.unparse(node))

    def _fault(self, found: str) -> Exception:
        known = [*self.scope.variables, *self.scope.features]
        listed = ", ".join([self.scope.listed, *self.scope.features])
        return self.place.fault(
            f"the guard {self.text!r}: found {found!r}, in scope are {listed}", did_you_mean(found, known)
        )


def _compared(compare: Callable[[Column, Column], Flags], one: Column, other: Column) -> Flags:
    """A comparison of what is known; what is not is neither equal nor different."""
    known: Flags = (one != NONE) & (other != NONE)
    return compare(one, other) & known


def _thing(shard: Shard, variable: Variable, feature: str) -> Flags:
    world, codes = shard.world, shard.codes
    kind = world.thing_kind[variable.code]
    match feature:
        case "several":
            return world.several[variable.code] == 1
        case "person":
            return codes.is_person[kind]
        case "living":
            return codes.is_living[kind]
        case "animal":
            return codes.below[kind][:, codes.kinds.codes(["animal"])].any(axis=1)
        case "main":
            return world.area[variable.code] > 0.15  # noqa: PLR2004  # as in GQA
        case "large":
            return world.area[variable.code] > 0.1  # noqa: PLR2004  # as in GQA
        case "sole":
            return _sole(shard)[variable.code]
        case "female" | "male":
            return codes.gender[kind] == (1 if feature == "female" else 2)
    raise AssertionError(feature)


def _sole(shard: Shard) -> Flags:
    """For each thing whether its name alone says which one is meant."""
    named, world = shard.references, shard.world
    bare = (named.style == THE) & (named.kind == world.thing_kind[named.thing]) & ~named.negated
    for modifier in (named.first, named.second, named.position, named.relation):
        bare &= modifier == NONE
    sole = np.zeros(world.things, dtype=bool)
    sole[named.thing[bare]] = True
    return sole


def _kind(shard: Shard, variable: Variable, feature: str) -> Flags:
    codes = shard.codes
    match feature:
        case "several":
            return np.asarray(variable.several) == 1
        case "person":
            return codes.is_person[variable.code]
        case "living":
            return codes.is_living[variable.code]
        case "mass":
            return codes.number[variable.code] == MASS
        case "plural":
            return codes.number[variable.code] == PLURAL
        case "count":
            return (codes.number[variable.code] == COUNT) & ~_listed(codes, "alone")[variable.code]
        case "everyday":
            return ~_listed(codes, "stiff")[variable.code]
        case "category":
            return codes.is_category[variable.code]
        case "single":
            return np.asarray(variable.thing) != NONE
    raise AssertionError(feature)


@cache
def _lists() -> dict[str, list[str]]:
    text = files("eyechart.questions.patterns").joinpath("kinds.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, list[str]])


@cache
def _listed(codes: Codes, name: str) -> Flags:
    """For each kind whether it stands in a list of kinds.toml."""
    return np.isin(np.arange(len(codes.kinds)), codes.kinds.codes(_lists()[name]))


def _value(shard: Shard, variable: Variable, feature: str) -> Flags:
    match feature:
        case "before":
            adjective = shard.forms.adjective[:, 0, 0, 0] != 0
            return shard.codes.before[variable.code] & adjective[variable.code]
        case "comparative":
            return shard.forms.comparative[variable.code] != 0
        case "adjective":
            return shard.forms.adjective[variable.code, 0, 0, 0] != 0
    raise AssertionError(feature)


def _type(shard: Shard, variable: Variable, feature: str) -> Flags:
    match feature:
        case "exclusive":
            return shard.codes.is_exclusive[variable.code]
        case "noun":
            return shard.forms.type_noun[variable.code] != 0
        case "plain":
            said = ~np.isin(np.arange(len(shard.codes.types)), shard.codes.types.codes(_lists()["attributive"]))
            return said[variable.code]
    raise AssertionError(feature)


def _relation(shard: Shard, variable: Variable, feature: str) -> Flags:
    codes = shard.codes
    tables = {
        "verb": codes.is_verb,
        "comparative": codes.is_comparative,
        "passive": codes.is_passive,
        "copula": codes.has_copula,
        "symmetric": codes.is_symmetric,
        # Turning it round makes it wrong: left and right, above and below.
        "turned": (codes.inverse == codes.contrary) & (codes.contrary != NONE),
        "preposition": ~codes.is_verb & ~codes.is_comparative,
    }
    return tables[feature][variable.code]


def _position(_shard: Shard, variable: Variable, feature: str) -> Flags:
    return variable.code == _MIDDLE if feature == "middle" else variable.code < _HORIZONTAL


_FEATURES: dict[str, Callable[[Shard, Variable, str], Flags]] = {
    "thing": _thing,
    "kind": _kind,
    "value": _value,
    "type": _type,
    "relation": _relation,
    "position": _position,
}
