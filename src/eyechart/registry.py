"""Names for things that are loaded only when somebody asks for them.

A room lists its formats, stages or metrics once, as ``name -> "module:attribute"``. Nothing is imported until
``load``; other packages add names through entry points of the group ``eyechart.<kind>``.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Generic, TypeVar, cast

from eyechart.errors import UnknownNameError

__all__ = ["Registry", "did_you_mean"]

T = TypeVar("T")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Say which known names are near to a mistaken one, or list them all.

    >>> did_you_mean("visaul7w", ["vqa", "visual7w"])
    "did you mean 'visual7w'?"
    >>> did_you_mean("x", ["gqa", "vqa"])
    'known names are gqa, vqa'
    """
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(repr(n) for n in near)}?"
    return f"known names are {', '.join(known)}"


class Registry(Generic[T]):
    """One table of names; iterate it to list them, ``load`` one to import it.

    >>> colours = Registry[object]("codec", {"json": "json:loads"})
    >>> list(colours)
    ['json']
    >>> colours.load("json")("[1]")
    [1]
    >>> colours.load("jason")
    Traceback (most recent call last):
    eyechart.errors.UnknownNameError: no codec is called 'jason': did you mean 'json'?
    """

    def __init__(self, kind: str, places: Mapping[str, str]) -> None:
        self.kind = kind
        self._own = dict(places)

    @cached_property
    def places(self) -> dict[str, str]:
        """Where each name lives, ours and those of other packages; ours win."""
        group = f"eyechart.{self.kind}s"
        return {point.name: point.value for point in entry_points(group=group)} | self._own

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.places))

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def load(self, name: str) -> T:
        """Import and return the thing called ``name``."""
        if name not in self.places:
            raise UnknownNameError(f"no {self.kind} is called {name!r}: {did_you_mean(name, self.places)}")
        module, _, attribute = self.places[name].partition(":")
        # The table promises the type; import_module cannot know it.
        return cast(T, getattr(import_module(module), attribute))
