"""Operations from the two texts by which a program writes them."""

from collections.abc import Callable, Mapping

from eyechart.errors import DataError
from eyechart.questions.arguments import ArgumentError, Related, Things, Value, options
from eyechart.questions.operations.asking import Choose, ChooseCompared, ChooseRelation, Query, Verify, VerifyRelation
from eyechart.questions.operations.comparing import Common, Different, DifferentPair, Same, SamePair
from eyechart.questions.operations.counting import (
    All,
    AllBut,
    AsMany,
    AtLeast,
    AtMost,
    Count,
    Exactly,
    Fewer,
    More,
    NoneOf,
    Only,
)
from eyechart.questions.operations.kinds import Operation
from eyechart.questions.operations.things import Filter, Order, Relate, Scene, Select
from eyechart.questions.operations.truths import And, Exist, Or
from eyechart.registry import did_you_mean

__all__ = ["OPERATIONS", "read_operation"]

_SIDES = ("left", "right", "top", "bottom")


def _select(_type: str, argument: str) -> Operation:
    return Scene() if argument == "scene" else Select(Things.read(argument))


def _choose(type_: str, argument: str) -> Operation:
    return Choose(type_, options(argument)) if argument or not type_ else ChooseCompared(type_)


def _choose_relation(_type: str, argument: str) -> Operation:
    related = Related.read(argument)
    options(related.relation)
    return ChooseRelation(related)


def _relation(related: Related) -> Related:
    if "|" in related.relation:
        raise ArgumentError("one relation; two are for 'choose rel'")
    return related


def _same(type_: str, argument: str) -> Operation:
    return _nothing(SamePair(type_), argument) if type_ else Same(_word(argument))


def _different(type_: str, argument: str) -> Operation:
    return _nothing(DifferentPair(type_), argument) if type_ else Different(_word(argument))


def _order(_type: str, argument: str) -> Operation:
    side, _, place = argument.partition(",")
    if side not in _SIDES:
        raise ArgumentError(f"side,place, such as 'left,2'; sides are {', '.join(_SIDES)}")
    return Order(side, _number(place, least=1))


def _all_but(type_: str, argument: str) -> Operation:
    number, _, value = argument.partition(",")
    return AllBut(type_, _number(number, least=1), Value.read(value))


def _number(text: str, *, least: int = 0) -> int:
    if not text.isdecimal() or str(int(text)) != text or int(text) < least:
        raise ArgumentError(f"a whole number from {least}")
    return int(text)


def _word(argument: str) -> str:
    if not argument or set(argument) & set("()|"):
        raise ArgumentError("a word, such as 'color'")
    return argument


def _nothing(operation: Operation, argument: str) -> Operation:
    if argument != operation.argument:
        raise ArgumentError(repr(operation.argument))
    return operation


Reader = Callable[[str, str], Operation]
"""From an attribute type and an argument to an operation."""

OPERATIONS: Mapping[str, Reader] = {
    "select": _select,
    "filter": lambda type_, argument: Filter(type_, Value.read(argument)),
    "relate": lambda _type, argument: Relate(_relation(Related.read(argument))),
    "order": _order,
    "query": lambda _type, argument: Query(_word(argument)),
    "verify": lambda type_, argument: Verify(type_, _word(argument)),
    "verify rel": lambda _type, argument: VerifyRelation(_relation(Related.read(argument))),
    "choose": _choose,
    "choose rel": _choose_relation,
    "exist": lambda _type, argument: _nothing(Exist(), argument),
    "and": lambda _type, argument: _nothing(And(), argument),
    "or": lambda _type, argument: _nothing(Or(), argument),
    "same": _same,
    "different": _different,
    "common": lambda _type, argument: _nothing(Common(), argument),
    "count": lambda _type, argument: _nothing(Count(), argument),
    "at least": lambda _type, argument: AtLeast(_number(argument, least=1)),
    "at most": lambda _type, argument: AtMost(_number(argument)),
    "exactly": lambda _type, argument: Exactly(_number(argument)),
    "all": lambda type_, argument: All(type_, Value.read(argument)),
    "none": lambda type_, argument: NoneOf(type_, Value.read(argument)),
    "all but": _all_but,
    "only": lambda _type, argument: _nothing(Only(), argument),
    "more": lambda _type, argument: _nothing(More(), argument),
    "fewer": lambda _type, argument: _nothing(Fewer(), argument),
    "as many": lambda _type, argument: _nothing(AsMany(), argument),
}
"""How each operation is read, by the words it begins with."""

_WITH_TYPE = {"filter", "verify", "choose", "same", "different", "all", "none", "all but"}


def read_operation(operation: str, argument: str) -> Operation:
    """An operation from its two texts; a blank at the end of the argument is layout.

    >>> read_operation("filter color", "not(red)")
    Filter(type='color', value=Value(name='red', negated=True))
    >>> read_operation("choose older", "")
    ChooseCompared(comparative='older')
    >>> read_operation("filtre color", "red")
    Traceback (most recent call last):
    eyechart.errors.DataError: no operation is called 'filtre color': did you mean 'filter'?
    """
    head, type_ = _headed(operation)
    argument = argument.removesuffix(" ")
    try:
        return OPERATIONS[head](type_, argument)
    except ArgumentError as error:
        raise DataError(f"{operation}: found the argument {argument!r}, expected {error}") from error


def _headed(operation: str) -> tuple[str, str]:
    """The operation and the attribute type that follows it."""
    words = operation.split(" ")
    for taken in (2, 1):
        head, type_ = " ".join(words[:taken]), " ".join(words[taken:])
        if head in OPERATIONS and (not type_ or head in _WITH_TYPE):
            return head, type_
    raise DataError(f"no operation is called {operation!r}: {did_you_mean(words[0], OPERATIONS)}")
