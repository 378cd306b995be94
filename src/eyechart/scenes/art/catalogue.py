"""All art by its name: objects, animals and people, and the backgrounds behind them."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from eyechart.scenes.art.backgrounds import Background, packaged_backgrounds
from eyechart.scenes.art.model import Piece
from eyechart.scenes.art.objects import packaged_objects

__all__ = ["backgrounds", "pieces"]


@cache
def pieces() -> Mapping[str, Piece]:
    """Every piece that scenes can show, by name.

    >>> pieces()["tree"].kind
    'largeObject'
    """
    return MappingProxyType({**packaged_objects()})


@cache
def backgrounds() -> Mapping[str, Background]:
    """Every background, by name.

    >>> backgrounds()["park"].indoors
    False
    """
    return MappingProxyType(packaged_backgrounds())
