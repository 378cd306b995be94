"""A toy world: a few pictures, known completely, on which patterns are tried and shown."""

from collections.abc import Mapping
from importlib.resources import files

import msgspec
import polars as pl

__all__ = ["toy_tables"]

_SIDE = 500
"""Of the pictures, in pixels."""


class _Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture of toy.toml."""

    things: dict[str, tuple[str, tuple[float, float, float, float], list[str]]]
    links: list[tuple[str, str, str]]
    location: str | None = None
    weather: str | None = None


def toy_tables() -> Mapping[str, pl.DataFrame]:
    """The tables of the toy world.

    >>> sorted(toy_tables())
    ['attributes', 'images', 'inventories', 'objects', 'relations']
    """
    text = files("eyechart.questions").joinpath("toy.toml").read_bytes()
    pictures = msgspec.toml.decode(text, type=dict[str, _Picture])
    images, objects, attributes, relations = [], [], [], []
    for name, picture in pictures.items():
        place = {"location": picture.location, "weather": picture.weather}
        images.append({"image_id": name, "width": _SIDE, "height": _SIDE, **place})
        for id_, (noun, box, values) in picture.things.items():
            sides = {side: part * _SIDE / 100 for side, part in zip("xywh", box, strict=True)}
            objects.append({"image_id": name, "object_id": id_, "name": noun, **sides})
            attributes += [{"image_id": name, "object_id": id_, "attribute": value} for value in values]
        relations += [
            {"image_id": name, "subject_id": one, "predicate": relation, "object_id": other}
            for one, relation, other in picture.links
        ]
    return {
        "images": pl.DataFrame(images),
        "objects": pl.DataFrame(objects),
        "attributes": pl.DataFrame(attributes),
        "relations": pl.DataFrame(relations),
        "inventories": pl.DataFrame({"image_id": list(pictures), "kind": "thing"}),
    }
