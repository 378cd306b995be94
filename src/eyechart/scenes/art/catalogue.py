"""All art by its name: objects, animals and people, and the backgrounds behind them."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from eyechart.scenes.art.backgrounds import Background, packaged_backgrounds
from eyechart.scenes.art.figures import read_animals, read_dolls
from eyechart.scenes.art.model import Piece
from eyechart.scenes.art.objects import packaged_objects

__all__ = ["backgrounds", "pieces"]


@cache
def pieces() -> Mapping[str, Piece]:
    """Every piece that scenes can show, by name.

    >>> pieces()["tree"].kind
    'largeObject'
    """
    data = files(__package__).joinpath("data")
    animals, people = read_animals(data.joinpath("animals")), read_dolls(data.joinpath("people"))
    return MappingProxyType({**packaged_objects(), **animals, **people})


@cache
def backgrounds() -> Mapping[str, Background]:
    """Every background, by name.

    >>> backgrounds()["park"].indoors
    False
    """
    return MappingProxyType(packaged_backgrounds())
