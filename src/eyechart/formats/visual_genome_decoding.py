"""Visual Genome's records into tables: what several files say of the same object becomes one row."""

from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from eyechart.formats.files import Json
from eyechart.formats.layout import Batch, Frames
from eyechart.formats.values import lists
from eyechart.formats.visual_genome_records import Region, Relationship, Thing

__all__ = ["decode_images"]

Owned = list[tuple[str, Thing]]
"""Objects with their pictures' ids."""


def decode_images(batch: Batch) -> Frames:
    """All that the files say of some pictures; where two disagree, the first file of the format's list is believed."""
    regions = [
        (image.key, region)
        for role in ("regions", "region_graphs")
        for image in batch[role]
        for region in image.regions
    ]
    things, relations = _things(batch, regions), _relations(batch, regions)
    return {
        "images": _images(batch),
        "objects": _merged(_objects(things), "image_id", "object_id"),
        "attributes": _attributes(things),
        "relations": _merged(_relation_rows(relations), "image_id", "relation_id"),
        "regions": _merged(_region_rows(regions), "image_id", "region_id"),
        "questions": _questions(batch),
    }


def _things(batch: Batch, regions: list[tuple[str, Region]]) -> Owned:
    """Every object that a file mentions, the most complete files first."""
    listed = [(image.key, image.objects) for image in batch["objects"]]
    listed += [(image.key, image.attributes) for image in batch["attributes"]]
    listed += [
        (image.key, [end for relation in image.relationships for end in (relation.subject, relation.object) if end])
        for image in batch["relationships"]
    ]
    listed += [(image.key, image.objects) for image in batch["scene_graphs"]]
    listed += [(image, region.objects or []) for image, region in regions]
    return [(image, thing) for image, things in listed for thing in things]


def _relations(batch: Batch, regions: list[tuple[str, Region]]) -> list[tuple[str, Relationship]]:
    listed = [(image.key, image.relationships) for role in ("relationships", "scene_graphs") for image in batch[role]]
    listed += [(image, region.relationships or []) for image, region in regions]
    return [(image, relation) for image, relations in listed for relation in relations]


def _images(batch: Batch) -> pl.DataFrame:
    """Pictures; the folder in the address tells which of the two archives holds the file."""
    known = {image.key: image for image in batch["image_data"]}
    addresses = {
        image.key: image.image_url
        for role in ("scene_graphs", "relationships", "attributes", "objects")
        for image in batch[role]
        if image.image_url is not None
    } | {key: image.url for key, image in known.items() if image.url is not None}
    members = {
        name: [None if (image := known.get(key)) is None else getattr(image, name) for key in batch.keys]
        for name in ("width", "height", "coco_id", "flickr_id")
    }
    return pl.DataFrame(
        {
            "image_id": batch.keys,
            "url": [addresses.get(key) for key in batch.keys],
            "width": members["width"],
            "height": members["height"],
            **{name: [None if v is None else str(v) for v in members[name]] for name in ("coco_id", "flickr_id")},
        },
        schema={"image_id": pl.String, "url": pl.String, "width": pl.Int32, "height": pl.Int32}
        | dict.fromkeys(("coco_id", "flickr_id"), pl.String),
    ).with_columns(
        split=pl.lit(batch.split, dtype=pl.String),
        file=pl.col("url").str.extract(r"([^/]+/[^/?]+\.[a-z]+)(?:\?.*)?$"),
        source=pl.lit("visual_genome"),
    )


def _objects(things: Owned) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "image_id": _texts(image for image, _ in things),
            "object_id": _texts(thing.key for _, thing in things),
            **_naming([thing for _, thing in things]),
            "x": _numbers(thing.x for _, thing in things),
            "y": _numbers(thing.y for _, thing in things),
            "w": _numbers(thing.width if thing.w is None else thing.w for _, thing in things),
            "h": _numbers(thing.height if thing.h is None else thing.h for _, thing in things),
            "synsets": _lists([thing.synsets for _, thing in things]),
            "merged_ids": _lists([_ids(thing.merged_object_ids) for _, thing in things]),
        }
    )


def _naming(things: Sequence[Thing]) -> dict[str, pl.Series]:
    """The first name, and the others where there is a list of them."""
    found = [thing.all_names for thing in things]
    first = [
        thing.name if names is None else next(iter(names), None) for thing, names in zip(things, found, strict=True)
    ]
    return {"name": _texts(first), "other_names": _lists([None if names is None else names[1:] for names in found])}


def _attributes(things: Owned) -> pl.DataFrame:
    said = [(image, thing.key, attribute) for image, thing in things for attribute in thing.attributes or ()]
    return pl.DataFrame(
        {
            "image_id": _texts(image for image, _, _ in said),
            "object_id": _texts(key for _, key, _ in said),
            "attribute": _texts(attribute for _, _, attribute in said),
        }
    ).unique(maintain_order=True)


def _relation_rows(relations: list[tuple[str, Relationship]]) -> pl.DataFrame:
    ends = [relation.ends for _, relation in relations]
    return pl.DataFrame(
        {
            "image_id": _texts(image for image, _ in relations),
            "relation_id": _texts(relation.key for _, relation in relations),
            "subject_id": _texts(subject for subject, _ in ends),
            "predicate": _texts(relation.predicate for _, relation in relations),
            "object_id": _texts(other for _, other in ends),
            "synsets": _lists([relation.synsets for _, relation in relations]),
        }
    )


def _region_rows(regions: list[tuple[str, Region]]) -> pl.DataFrame:
    found = [region for _, region in regions]
    return pl.DataFrame(
        {
            "image_id": _texts(image for image, _ in regions),
            "region_id": _texts(region.key for region in found),
            "phrase": _texts(region.phrase for region in found),
            "x": _numbers(region.x for region in found),
            "y": _numbers(region.y for region in found),
            "w": _numbers(region.w if region.width is None else region.width for region in found),
            "h": _numbers(region.h if region.height is None else region.height for region in found),
            "object_ids": _lists([_keys(region.objects) for region in found]),
            "relation_ids": _lists([_keys(region.relationships) for region in found]),
            "senses": _senses(found),
        }
    )


def _senses(regions: list[Region]) -> pl.Series:
    flat = [sense for region in regions for sense in region.synsets or ()]
    columns = pl.DataFrame(
        {
            "synset": _texts(sense.synset_name for sense in flat),
            "words": _texts(sense.entity_name for sense in flat),
            "start": pl.Series([sense.entity_idx_start for sense in flat], dtype=pl.Int32),
            "end": pl.Series([sense.entity_idx_end for sense in flat], dtype=pl.Int32),
        }
    )
    return lists(columns.to_struct("senses"), [None if r.synsets is None else len(r.synsets) for r in regions])


def _questions(batch: Batch) -> pl.DataFrame:
    asked = [(image.key, question) for image in batch["question_answers"] for question in image.qas]
    return pl.DataFrame(
        {
            "question_id": _texts(str(question.qa_id) for _, question in asked),
            "image_id": _texts(image for image, _ in asked),
            "question": _texts(question.question for _, question in asked),
            "answer": _texts(question.answer for _, question in asked),
        }
    ).with_columns(split=pl.lit(batch.split, dtype=pl.String))


def _merged(rows: pl.DataFrame, *key: str) -> pl.DataFrame:
    """One row per key: of every column the first value that there is."""
    if not rows.select(key).is_duplicated().any():
        return rows
    return rows.group_by(key, maintain_order=True).agg(pl.all().first(ignore_nulls=True))


def _ids(values: Iterable[Json] | None) -> list[str] | None:
    return None if values is None else [str(value) for value in values]


def _keys(things: Sequence[Thing] | Sequence[Relationship] | None) -> list[str] | None:
    return None if things is None else [thing.key for thing in things]


def _texts(values: Iterable[str | None]) -> pl.Series:
    return pl.Series(list(values), dtype=pl.String)


def _numbers(values: Iterator[float | None]) -> pl.Series:
    return pl.Series(list(values), dtype=pl.Float64)


def _lists(values: Sequence[list[str] | None]) -> pl.Series:
    return lists(
        _texts(value for found in values for value in found or ()), [None if v is None else len(v) for v in values]
    )
