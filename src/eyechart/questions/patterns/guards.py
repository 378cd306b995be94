"""Guards: conditions under which a fact fits to a pattern, written like ``o.person and t in ("color", "size")``.

They are read as Python expressions, of which only names, features, comparisons, ``and``, ``or``, ``not`` and the
functions below are allowed, and become functions of whole columns.
"""

import ast
from collections.abc import Callable

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags
from eyechart.questions.bind.frames import Frame, Shard
from eyechart.questions.patterns.features import FEATURES
from eyechart.questions.patterns.scope import Place, Scope
from eyechart.registry import did_you_mean

__all__ = ["Guard", "guard"]

Guard = Callable[[Shard, Frame], Flags]
Column = np.ndarray  # flags, codes or numbers, by the expression
Value = Callable[[Shard, Frame], Column]

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
o (thing); known names are o
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
            return np.asarray(shard.codes.below[code][:, shard.codes.kinds.codes(kinds)].any(axis=1))

        return test

    def _feature(self, name: str, feature: str) -> Guard:
        sort = self.scope.sort(name, self.place)
        if feature not in FEATURES[sort]:
            known = ", ".join(FEATURES[sort]) or "nothing"
            raise self.place.fault(
                f"the guard {self.text!r}: found {name}.{feature}, of a {sort} one may ask {known}",
                did_you_mean(feature, FEATURES[sort]),
            )
        asked = FEATURES[sort][feature].of
        return lambda shard, frame: asked(shard, frame[name])

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
