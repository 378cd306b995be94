"""Three truth values: True, False, and None for what nobody knows. Unknown is not false."""

from collections.abc import Iterable

__all__ = ["Truth", "all_of", "any_of", "negation"]

Truth = bool | None


def negation(one: Truth) -> Truth:
    """The opposite of what is known; of what is not, nothing is known.

    >>> negation(True), negation(None)
    (False, None)
    """
    return None if one is None else not one


def all_of(many: Iterable[Truth]) -> Truth:
    """False if one is false; unknown if one is unknown; else true.

    >>> all_of([True, None, False]), all_of([True, None]), all_of([])
    (False, None, True)
    """
    found = set(many)
    if False in found:
        return False
    return None if None in found else True


def any_of(many: Iterable[Truth]) -> Truth:
    """True if one is true; unknown if one is unknown; else false.

    >>> any_of([True, None]), any_of([False, None]), any_of([])
    (True, None, False)
    """
    return negation(all_of(negation(one) for one in many))
