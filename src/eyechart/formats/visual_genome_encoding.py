"""Tables into Visual Genome's records, as version 1.4 spells them."""

from collections.abc import Callable

import polars as pl

from eyechart.formats.files import Json
from eyechart.formats.layout import Encoded, Frames
from eyechart.formats.values import as_id, as_number, known, present

__all__ = [
    "encode_attributes",
    "encode_image_data",
    "encode_objects",
    "encode_question_answers",
    "encode_region_graphs",
    "encode_regions",
    "encode_relationships",
    "encode_scene_graphs",
]

Row = dict[str, Json]
Rows = dict[str, list[Row]]
"""Rows of a table by image."""


def encode_image_data(frames: Frames) -> Encoded:
    """Pictures of which the size is known."""
    rows = _images(frames).drop_nulls("width").select("image_id", "url", "width", "height", "coco_id", "flickr_id")
    records = [
        {"image_id": as_id(key)}
        | known(url=url, width=width, height=height)
        | {"coco_id": _id_or_null(coco), "flickr_id": _id_or_null(flickr)}
        for key, url, width, height, coco, flickr in rows.iter_rows()
    ]
    return Encoded(rows["image_id"].to_list(), records)


def encode_objects(frames: Frames) -> Encoded:
    """Objects; where some are known to be merged, as from version 1.4 on, only those that this is known of."""
    things = _by_image(frames, "objects")
    addresses = dict(_images(frames).select("image_id", "url").iter_rows())

    def record(image: str) -> Row:
        merged = [row for row in things[image] if row["merged_ids"] is not None]
        address = known(image_url=addresses.get(image)) if merged else {}
        return address | {"objects": [_named(row) | _merged(row) for row in merged or things[image]]}

    return _encoded(frames, things, "image_id", record)


def encode_attributes(frames: Frames) -> Encoded:
    """Every object, with its attributes if it has any."""
    things, said = _by_image(frames, "objects"), _attributes(frames)
    return _encoded(
        frames, things, "image_id", lambda image: {"attributes": [_with_attributes(row, said) for row in things[image]]}
    )


def encode_relationships(frames: Frames) -> Encoded:
    """Relations with their objects written out at both ends."""
    relations, things = _by_image(frames, "relations"), _things(frames)

    def record(image: str) -> Row:
        return {
            "relationships": [
                _relation(row)
                | {"subject": _end(things, image, row["subject_id"]), "object": _end(things, image, row["object_id"])}
                for row in relations[image]
            ]
        }

    return _encoded(frames, relations, "image_id", record)


def encode_scene_graphs(frames: Frames) -> Encoded:
    """Objects with attributes, and relations between their ids."""
    things, said, relations = _by_image(frames, "objects"), _attributes(frames), _by_image(frames, "relations")
    return _encoded(
        frames,
        things,
        "image_id",
        lambda image: {
            "objects": [_with_attributes(row, said) for row in things[image]],
            "relationships": [_relation(row) | _ends(row) for row in relations.get(image, [])],
        },
    )


def encode_regions(frames: Frames) -> Encoded:
    """Described regions."""
    regions = _by_image(frames, "regions")
    return _encoded(frames, regions, "id", lambda image: {"regions": [_region(row) for row in regions[image]]})


def encode_region_graphs(frames: Frames) -> Encoded:
    """Described regions of which the objects are known, with these."""
    whole = _by_image(frames, "regions")
    regions = {
        image: kept for image, rows in whole.items() if (kept := [row for row in rows if row["object_ids"] is not None])
    }
    things = _things(frames)
    stated = {
        (row["image_id"], row["relation_id"]): row for rows in _by_image(frames, "relations").values() for row in rows
    }

    def graph(row: Row) -> Row:
        image = row["image_id"]
        relations = [stated.get((image, key)) for key in row["relation_ids"] or ()]
        return known(
            objects=[_end(things, image, key, one_name=True) for key in row["object_ids"]],
            relationships=None
            if row["relation_ids"] is None
            else [_relation(found) | _ends(found) for found in relations if found is not None],
            synsets=None if row["senses"] is None else [_sense(sense) for sense in row["senses"]],
        )

    return _encoded(
        frames, regions, "image_id", lambda image: {"regions": [_region(row) | graph(row) for row in regions[image]]}
    )


def encode_question_answers(frames: Frames) -> Encoded:
    """Questions with answers; which objects they are about, the published file leaves empty."""
    asked = _by_image(frames, "questions")
    return _encoded(
        frames,
        asked,
        "id",
        lambda image: {"qas": [_question(row) for row in asked[image] if row["question"] is not None]},
    )


def _encoded(frames: Frames, rows: Rows, key: str, record: Callable[[str], Row]) -> Encoded:
    """One record per picture that has rows."""
    images = [image for image in _images(frames)["image_id"] if image in rows]
    return Encoded(images, [{key: as_id(image)} | record(image) for image in images])


def _images(frames: Frames) -> pl.DataFrame:
    return frames["images"].unique("image_id", maintain_order=True)


def _by_image(frames: Frames, table: str) -> Rows:
    found: Rows = {}
    for row in present(frames, table).iter_rows(named=True):
        found.setdefault(row["image_id"], []).append(row)
    return found


def _things(frames: Frames) -> dict[tuple[str, str], Row]:
    return {(row["image_id"], row["object_id"]): row for rows in _by_image(frames, "objects").values() for row in rows}


def _attributes(frames: Frames) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    rows = present(frames, "attributes").select("image_id", "object_id", "attribute")
    for image, key, attribute in rows.iter_rows():
        found.setdefault((image, key), []).append(attribute)
    return found


def _named(row: Row) -> Row:
    """An object with a list of names."""
    names = [row["name"]] if row["name"] is not None else []
    return {"object_id": as_id(row["object_id"]), "names": names + (row["other_names"] or [])} | _placed(row)


def _placed(row: Row) -> Row:
    """The senses and the box."""
    return known(
        synsets=row["synsets"],
        x=as_number(row["x"]),
        y=as_number(row["y"]),
        w=as_number(row["w"]),
        h=as_number(row["h"]),
    )


def _merged(row: Row) -> Row:
    merged = row["merged_ids"]
    return {} if merged is None else {"merged_object_ids": [as_id(key) for key in merged]}


def _with_attributes(row: Row, said: dict[tuple[str, str], list[str]]) -> Row:
    return _named(row) | known(attributes=said.get((row["image_id"], row["object_id"])))


def _end(things: dict[tuple[str, str], Row], image: str, key: str, *, one_name: bool = False) -> Row:
    """An object where another thing mentions it: with one name, or like a merged object's own record."""
    row = things.get((image, key))
    if row is None:
        return {"object_id": as_id(key)}
    if row["merged_ids"] and not one_name:
        return _named(row) | _merged(row)
    return {"object_id": as_id(key)} | known(name=row["name"]) | _placed(row)


def _relation(row: Row) -> Row:
    key = row["relation_id"]
    return known(
        relationship_id=None if key is None else as_id(key), predicate=row["predicate"], synsets=row["synsets"]
    )


def _ends(row: Row) -> Row:
    return {"subject_id": as_id(row["subject_id"]), "object_id": as_id(row["object_id"])}


def _region(row: Row) -> Row:
    return {"region_id": as_id(row["region_id"]), "image_id": as_id(row["image_id"])} | known(
        x=as_number(row["x"]),
        y=as_number(row["y"]),
        width=as_number(row["w"]),
        height=as_number(row["h"]),
        phrase=row["phrase"],
    )


def _sense(sense: Row) -> Row:
    return known(
        synset_name=sense["synset"],
        entity_name=sense["words"],
        entity_idx_start=sense["start"],
        entity_idx_end=sense["end"],
    )


def _question(row: Row) -> Row:
    return (
        {"qa_id": as_id(row["question_id"]), "image_id": as_id(row["image_id"])}
        | known(question=row["question"], answer=row["answer"])
        | {"q_objects": [], "a_objects": []}
    )


def _id_or_null(value: str | None) -> Json:
    return None if value is None else as_id(value)
