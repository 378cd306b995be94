"""GQA's scene graphs: objects with boxes, attributes and relations, by image."""

import msgspec
import polars as pl

from eyechart.formats.files import Json
from eyechart.formats.gqa_questions import image_rows
from eyechart.formats.layout import Batch, Encoded, Frames
from eyechart.formats.values import Id, Pixels, as_number, grouped, known, present

__all__ = ["SceneGraph", "decode_scene_graphs", "encode_scene_graphs"]


class Relation(msgspec.Struct, gc=False):
    """A relation of the object in which it stands to another one."""

    object: Id
    name: str


class Object(msgspec.Struct, gc=False):
    """A thing in the picture."""

    name: str | None = None
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    attributes: list[str] = []
    # Real files have a list; GQA's own page shows an object of them.
    relations: list[Relation] | dict[str, Relation] = []


class SceneGraph(msgspec.Struct, gc=False):
    """What is in a picture."""

    objects: dict[str, Object]
    width: Pixels | None = None
    height: Pixels | None = None
    location: str | None = None
    weather: str | None = None


def decode_scene_graphs(batch: Batch) -> Frames:
    """Scene graphs, column by column."""
    graphs: list[SceneGraph] = batch["scene_graphs"]
    placed = [
        (image, name, thing)
        for image, graph in zip(batch.keys, graphs, strict=True)
        for name, thing in graph.objects.items()
    ]
    return {
        "images": image_rows(pl.Series(batch.keys, dtype=pl.String), batch.split).with_columns(
            width=pl.Series([graph.width for graph in graphs], dtype=pl.Int32),
            height=pl.Series([graph.height for graph in graphs], dtype=pl.Int32),
            location=pl.Series([graph.location for graph in graphs], dtype=pl.String),
            weather=pl.Series([graph.weather for graph in graphs], dtype=pl.String),
        ),
        "objects": pl.DataFrame(
            {
                "image_id": [image for image, _, _ in placed],
                "object_id": [name for _, name, _ in placed],
                "name": [thing.name for _, _, thing in placed],
                **{side: [getattr(thing, side) for _, _, thing in placed] for side in "xywh"},
            },
            schema_overrides=dict.fromkeys(("image_id", "object_id", "name"), pl.String)
            | dict.fromkeys("xywh", pl.Float64),
        ),
        "attributes": pl.DataFrame(
            [(image, name, attribute) for image, name, thing in placed for attribute in thing.attributes],
            schema=dict.fromkeys(("image_id", "object_id", "attribute"), pl.String),
            orient="row",
        ).unique(maintain_order=True),
        "relations": pl.DataFrame(
            [
                (image, name, relation.name, str(relation.object))
                for image, name, thing in placed
                for relation in _relations(thing)
            ],
            schema=dict.fromkeys(("image_id", "subject_id", "predicate", "object_id"), pl.String),
            orient="row",
        ).unique(maintain_order=True),
    }


def _relations(thing: Object) -> list[Relation]:
    return list(thing.relations.values()) if isinstance(thing.relations, dict) else thing.relations


def encode_scene_graphs(frames: Frames) -> Encoded:
    """Scene graphs of the pictures in which something is known."""
    things = _objects(frames)
    images = (
        frames["images"]
        .select("image_id", "width", "height", "location", "weather")
        .unique("image_id", maintain_order=True)
    )
    records = {
        image: known(width=width, height=height, location=location, weather=weather) | {"objects": things[image]}
        for image, width, height, location, weather in images.iter_rows()
        if image in things
    }
    return Encoded(list(records), list(records.values()))


def _objects(frames: Frames) -> dict[str, dict[str, Json]]:
    """The objects of each picture by id."""
    attributes = present(frames, "attributes").select("image_id", "object_id", "attribute")
    properties = grouped(((i, o) for i, o, _ in attributes.iter_rows()), attributes["attribute"].to_list())
    relations = present(frames, "relations").select("image_id", "subject_id", "object_id", "predicate")
    edges = grouped(
        ((image, subject) for image, subject, _, _ in relations.iter_rows()),
        [{"object": other, "name": predicate} for _, _, other, predicate in relations.iter_rows()],
    )
    found: dict[str, dict[str, Json]] = {}
    rows = present(frames, "objects").select("image_id", "object_id", "name", "x", "y", "w", "h")
    for image, key, name, x, y, w, h in rows.iter_rows():
        box = known(x=as_number(x), y=as_number(y), w=as_number(w), h=as_number(h))
        links = {"attributes": properties.get((image, key), []), "relations": edges.get((image, key), [])}
        found.setdefault(image, {})[key] = known(name=name) | box | links
    return found
