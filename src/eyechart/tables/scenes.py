"""The tables of the scene graph: objects, their attributes, their relations, described regions, word senses."""

import polars as pl

from eyechart.tables.images import IMAGE, IMAGE_ID
from eyechart.tables.schema import Column, Reference, Table

_BOX = (
    Column("x", pl.Float64, "Left edge in pixels."),
    Column("y", pl.Float64, "Top edge in pixels."),
    Column("w", pl.Float64, "Width in pixels."),
    Column("h", pl.Float64, "Height in pixels."),
)

OBJECTS = Table(
    "objects",
    "One row per thing in a picture.",
    (
        IMAGE_ID,
        Column("object_id", pl.String, "Id, unique in the image.", required=True),
        Column("name", pl.String, "What it is called."),
        *_BOX,
        Column("other_names", pl.List(pl.String), "Further names that annotators gave."),
        Column("synsets", pl.List(pl.String), "WordNet senses of the names, such as clock.n.01."),
    ),
    key=("image_id", "object_id"),
    references=(IMAGE,),
)

_OBJECT = Reference(("image_id", "object_id"), "objects", ("image_id", "object_id"))

ATTRIBUTES = Table(
    "attributes",
    "One row per property of an object.",
    (
        IMAGE_ID,
        Column("object_id", pl.String, "The object.", required=True),
        Column("attribute", pl.String, "The property, such as red or wooden.", required=True),
    ),
    key=("image_id", "object_id", "attribute"),
    references=(_OBJECT,),
)

RELATIONS = Table(
    "relations",
    "One row per relation between two objects of a picture.",
    (
        IMAGE_ID,
        Column("relation_id", pl.String, "Id where the source has one."),
        Column("subject_id", pl.String, "The object that acts or is placed.", required=True),
        Column("predicate", pl.String, "The relation, such as on, holding or to the left of.", required=True),
        Column("object_id", pl.String, "The object that it relates to.", required=True),
        Column("synsets", pl.List(pl.String), "WordNet senses of the predicate."),
    ),
    key=("image_id", "subject_id", "predicate", "object_id"),
    references=(
        Reference(("image_id", "subject_id"), "objects", ("image_id", "object_id")),
        _OBJECT,
    ),
)

REGIONS = Table(
    "regions",
    "One row per part of a picture that somebody described.",
    (
        IMAGE_ID,
        Column("region_id", pl.String, "Id of the region.", required=True),
        Column("phrase", pl.String, "The description."),
        *_BOX,
    ),
    key=("region_id",),
    references=(IMAGE,),
)

SENSES = Table(
    "senses",
    "One row per word, or WordNet sense, of the vocabulary that annotators used.",
    (
        Column(
            "kind",
            pl.String,
            "What the word names: object, attribute or relation; synset for a bare sense.",
            required=True,
        ),
        Column("word", pl.String, "The word as annotated.", required=True),
        Column("synset", pl.String, "Its sense, such as clock.n.01."),
        Column("definition", pl.String, "What the sense means."),
    ),
    key=("kind", "word"),
)
