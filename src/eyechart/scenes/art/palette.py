"""The colours of the drawings, by the names that the ontology gives them."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from eyechart.errors import FormatError, UnknownNameError
from eyechart.registry import did_you_mean

__all__ = ["color_value", "palette"]

_FILE = "data/palette.toml"
_VALUE = re.compile(r"#[0-9a-f]{6}")


@cache
def palette() -> Mapping[str, str]:
    """Every colour and its value.

    >>> palette()["red"]
    '#cf4439'
    """
    text = files(__package__).joinpath(_FILE).read_bytes()
    colors = msgspec.toml.decode(text, type=dict[str, str])
    for name, value in colors.items():
        if not _VALUE.fullmatch(value):
            raise FormatError(f"{_FILE}: {name} is {value!r}, expected six hexadecimal digits after #; correct it")
    return MappingProxyType(colors)


def color_value(name: str) -> str:
    """The value of a colour; an unknown one is an error that names the near ones.

    >>> color_value("rde")
    Traceback (most recent call last):
    eyechart.errors.UnknownNameError: no colour is called 'rde': did you mean 'red'?
    """
    if (value := palette().get(name)) is None:
        raise UnknownNameError(f"no colour is called {name!r}: {did_you_mean(name, palette())}")
    return value
