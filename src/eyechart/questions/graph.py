"""One scene graph to hold in the hand: what a picture shows, and of what it shows nothing else.

Tables are the currency of everything that is fast; this is for proofs, tests and people.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

__all__ = ["SceneGraph", "Thing"]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in the picture."""

    id: str
    name: str
    attributes: tuple[str, ...] = ()
    box: tuple[float, float, float, float] | None = None
    """Left, top, width and height in pixels."""


@dataclass(frozen=True, slots=True)
class SceneGraph:
    """What is annotated in a picture.

    >>> graph = SceneGraph({"1": Thing("1", "cup", ("red",))}, inventories=frozenset({"cup"}))
    >>> graph.things["1"].attributes
    ('red',)
    """

    things: Mapping[str, Thing]
    relations: frozenset[tuple[str, str, str]] = frozenset()
    """Subject, relation, object."""
    location: str | None = None
    weather: str | None = None
    width: float | None = None
    height: float | None = None
    inventories: frozenset[str] = field(default_factory=frozenset)
    """Names and categories of which the graph has every instance; thing for everything."""

    @classmethod
    def from_gqa(cls, record: Mapping[str, Any], inventories: Iterable[str] = ()) -> "SceneGraph":
        """From a value of GQA's scene-graph file.

        >>> cup = {"name": "cup", "x": 1, "y": 2, "w": 3, "h": 4, "attributes": ["red"], "relations": []}
        >>> SceneGraph.from_gqa({"width": 10, "height": 10, "objects": {"7": cup}}).things["7"].box
        (1, 2, 3, 4)
        """
        # The record is JSON; what is missing fails where it is asked for.
        objects = record["objects"]
        return cls(
            things={
                id_: Thing(id_, each["name"], tuple(each["attributes"]), tuple(each[side] for side in "xywh"))
                for id_, each in objects.items()
            },
            relations=frozenset(
                (id_, edge["name"], edge["object"]) for id_, each in objects.items() for edge in each["relations"]
            ),
            location=record.get("location"),
            weather=record.get("weather"),
            width=record["width"],
            height=record["height"],
            inventories=frozenset(inventories),
        )

    @classmethod
    def from_tables(cls, image_id: str, tables: Mapping[str, pl.DataFrame]) -> "SceneGraph":
        """One picture's graph from a benchmark's tables; images and inventories may be missing.

        >>> key = {"image_id": "1", "object_id": "a"}
        >>> things = pl.DataFrame(key | {"name": "cup", "x": 0.0, "y": 0.0, "w": 1.0, "h": 1.0})
        >>> reds = pl.DataFrame(key | {"attribute": "red"})
        >>> edges = pl.DataFrame(schema=["image_id", "subject_id", "predicate", "object_id"])
        >>> tables = {"objects": things, "attributes": reds, "relations": edges}
        >>> SceneGraph.from_tables("1", tables).things["a"].attributes
        ('red',)
        """
        own = {name: table.filter(pl.col("image_id") == image_id) for name, table in tables.items()}
        attributes: dict[str, list[str]] = {}
        for row in own["attributes"].iter_rows(named=True):
            attributes.setdefault(row["object_id"], []).append(row["attribute"])
        image = next(own["images"].iter_rows(named=True), {}) if "images" in own else {}
        return cls(
            things={
                row["object_id"]: _thing(row, attributes.get(row["object_id"], ()))
                for row in own["objects"].iter_rows(named=True)
            },
            relations=frozenset(own["relations"].select("subject_id", "predicate", "object_id").iter_rows()),
            location=image.get("location"),
            weather=image.get("weather"),
            width=image.get("width"),
            height=image.get("height"),
            inventories=frozenset(own["inventories"]["kind"]) if "inventories" in own else frozenset(),
        )


def _thing(row: Mapping[str, Any], attributes: Iterable[str]) -> Thing:
    left, top, width, height = sides = (row["x"], row["y"], row["w"], row["h"])
    box = None if None in sides else (left, top, width, height)
    return Thing(row["object_id"], row["name"], tuple(attributes), box)
