"""How operations write their arguments: things with the ids they stand for, relations with a side, options."""

import re
from dataclasses import dataclass
from typing import Literal, Self, cast

__all__ = ["ArgumentError", "Related", "Side", "Things", "Value", "options"]

Side = Literal["s", "o", "_"]
"""What the named thing is in the relation: its subject, its object, or either (the same colour)."""

_ID = r"[^(),\s](?:[^(),]*[^(),\s])?"
_THINGS = re.compile(rf"(?P<name>[^(),|]*[^(),|\s])(?: \((?P<ids>-|{_ID}(?:,{_ID})*)\))?")
_RELATED = re.compile(rf"(?P<name>[^(),|]+),(?P<relation>[^(),]+),(?P<side>[so_])(?: \((?P<ids>-|{_ID}(?:,{_ID})*)\))?")
_NEGATED = re.compile(r"not\((?P<value>[^()]+)\)")
_ANYTHING = "_"
_ABSENT = "-"


class ArgumentError(ValueError):
    """An argument that its operation cannot read; says what was expected."""


@dataclass(frozen=True, slots=True)
class Things:
    """Things by name, and the ids that the name stands for in the picture.

    >>> Things.read("animal (1,2)")
    Things(name='animal', ids=('1', '2'))
    >>> Things("cup", ()).written, Things("cup").written
    ('cup (-)', 'cup')
    """

    name: str
    ids: tuple[str, ...] | None = None
    """None where the program does not say; empty for what is absent, written ``(-)``."""

    @classmethod
    def read(cls, argument: str) -> Self:
        """A name, with ids in brackets or without."""
        if not (match := _THINGS.fullmatch(argument)):
            raise ArgumentError("a name and ids, such as 'cup (7)', 'cup (1,2)', 'cup (-)' for an absent one, or 'cup'")
        return cls(match["name"], _ids(match["ids"]))

    @property
    def written(self) -> str:
        """As in a program."""
        return self.name + _in_brackets(self.ids)


@dataclass(frozen=True, slots=True)
class Related:
    """Things in a relation to others.

    >>> Related.read("_,to the left of,s (4)")
    Related(name=None, relation='to the left of', side='s', ids=('4',))
    >>> Related("lamp", "near", "o", ()).written
    'lamp,near,o (-)'
    """

    name: str | None
    """None for anything, written ``_``."""
    relation: str
    side: Side
    ids: tuple[str, ...] | None = None

    @classmethod
    def read(cls, argument: str) -> Self:
        """Name, relation, side, and ids in brackets or without."""
        if not (match := _RELATED.fullmatch(argument)):
            raise ArgumentError(
                "name,relation,side and ids, such as 'cup,on,s (7)' (side s: the cup is the subject, o: the object)"
            )
        name = None if match["name"] == _ANYTHING else match["name"]
        # The pattern lets no other letters pass.
        return cls(name, match["relation"], cast(Side, match["side"]), _ids(match["ids"]))

    @property
    def written(self) -> str:
        """As in a program."""
        return f"{self.name or _ANYTHING},{self.relation},{self.side}{_in_brackets(self.ids)}"


@dataclass(frozen=True, slots=True)
class Value:
    """A value that something has, or has not.

    >>> Value.read("not(red)")
    Value(name='red', negated=True)
    >>> Value("red", negated=True).written
    'not(red)'
    """

    name: str
    negated: bool = False

    @classmethod
    def read(cls, argument: str) -> Self:
        """A value, or not(value)."""
        if match := _NEGATED.fullmatch(argument):
            return cls(match["value"], negated=True)
        if not argument or set(argument) & set("()|"):
            raise ArgumentError("a value, such as 'red' or 'not(red)'")
        return cls(argument)

    @property
    def written(self) -> str:
        """As in a program."""
        return f"not({self.name})" if self.negated else self.name


def options(argument: str) -> tuple[str, str]:
    """Two different options.

    >>> options("red|green")
    ('red', 'green')
    """
    first, _, second = argument.partition("|")
    if not first or not second or "|" in second or first == second:
        raise ArgumentError("two different options, such as 'red|green'")
    return first, second


def _ids(written: str | None) -> tuple[str, ...] | None:
    if written is None:
        return None
    return () if written == _ABSENT else tuple(written.split(","))


def _in_brackets(ids: tuple[str, ...] | None) -> str:
    return "" if ids is None else f" ({','.join(ids) or _ABSENT})"
