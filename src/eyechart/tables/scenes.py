"""The tables of what is in a picture: objects, attributes, relations, described regions, word senses, clip art."""

import polars as pl

from eyechart.tables.images import IMAGE, IMAGE_ID
from eyechart.tables.schema import Column, Reference, Table

_BOX = (
    Column("x", pl.Float64, "Left edge in pixels."),
    Column("y", pl.Float64, "Top edge in pixels."),
    Column("w", pl.Float64, "Width in pixels."),
    Column("h", pl.Float64, "Height in pixels."),
)

SENSE = pl.Struct({"synset": pl.String, "words": pl.String, "start": pl.Int32, "end": pl.Int32})

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
        Column("merged_ids", pl.List(pl.String), "Ids of annotated objects that were found to be this one."),
        Column("instances", pl.Int32, "How many things the box holds: 2 for two dogs; null where nobody counted."),
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

INVENTORIES = Table(
    "inventories",
    "One row per kind of thing of which a picture has no instance that is not annotated.",
    (
        IMAGE_ID,
        Column(
            "kind",
            pl.String,
            "A name or a category of the ontology; thing stands for everything. What is not annotated is then absent.",
            required=True,
        ),
        Column("evidence", pl.String, "How that is known: drawn, detector, people."),
    ),
    key=("image_id", "kind"),
    references=(IMAGE,),
)

CHANGES = Table(
    "changes",
    "One row per change that cleaning made to a scene graph: the ledger that a person reviews and overrides.",
    (
        IMAGE_ID,
        Column("change_id", pl.String, "Id of the change, the same on every run.", required=True),
        Column("object_id", pl.String, "The object that changed, or the subject of the relation that did."),
        Column("other_id", pl.String, "The other object: of the relation, or the one it was merged with."),
        Column("what", pl.String, "What changed.", required=True, values=("object", "attribute", "relation", "image")),
        Column("was", pl.String, "What stood there; null if it was added."),
        Column("became", pl.String, "What stands there; null if it was removed."),
        Column("rule", pl.String, "The rule that changed it.", required=True),
        Column("why", pl.String, "The rule's reason in this case: a word, a number, a list."),
    ),
    key=("image_id", "change_id"),
    references=(IMAGE,),
)

TALLIES = Table(
    "tallies",
    "One row per thing, attribute of a thing, triple, or two things seen together, with how often a whole set has it.",
    (
        Column(
            "kind",
            pl.String,
            "What was counted; for image the pictures, for together the pictures that show both.",
            required=True,
            values=("image", "object", "attribute", "relation", "together"),
        ),
        Column("subject", pl.String, "The thing: a noun of the ontology."),
        Column("value", pl.String, "Its attribute, or its relation to the other thing."),
        Column("object", pl.String, "The other thing."),
        Column("count", pl.Int64, "How often.", required=True),
    ),
    key=("kind", "subject", "value", "object"),
)

REGIONS = Table(
    "regions",
    "One row per part of a picture that somebody described.",
    (
        IMAGE_ID,
        Column("region_id", pl.String, "Id of the region.", required=True),
        Column("phrase", pl.String, "The description."),
        *_BOX,
        Column("object_ids", pl.List(pl.String), "The objects that the phrase is about, ids within the image."),
        Column("relation_ids", pl.List(pl.String), "The relations that the phrase states, ids within the image."),
        Column("senses", pl.List(SENSE), "Words of the phrase, from which character to which, and what they mean."),
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

CLIPARTS = Table(
    "cliparts",
    "One row per piece of clip art that is present in an abstract scene.",
    (
        IMAGE_ID,
        Column("object_id", pl.String, "Id, unique in the scene.", required=True),
        Column("kind", pl.String, "human, animal, largeObject or smallObject."),
        Column("name", pl.String, "Which thing, such as Doll07 or bench.", required=True),
        Column("instance", pl.Int32, "Which of several equal ones, from 0."),
        Column("x", pl.Float64, "Centre in pixels from the left edge; may lie outside of the picture."),
        Column("y", pl.Float64, "Centre in pixels from the top edge."),
        Column("depth", pl.Int32, "From 0, nearest and largest, to 4."),
        Column("flip", pl.Boolean, "Whether it is mirrored: it then faces right."),
        Column("layer", pl.Int32, "Drawing layer; larger ones are drawn first."),
        Column("sublayer", pl.Int32, "Place in the layer; larger ones are drawn first."),
        Column("pose", pl.Int32, "Pose of an animal, or of a person without movable limbs, from 0."),
        Column("variant", pl.Int32, "Which drawing of an object: another colour, direction or kind, from 0."),
        Column("style", pl.Int32, "Clothes of a person, from 0."),
        Column("expression", pl.Int32, "Face of a person; 0 is none."),
        Column(
            "colors",
            pl.List(pl.String),
            "Colour of each part that can be coloured, in the order of the drawing; null for the drawing's own.",
        ),
        Column("scale", pl.Float64, "Size factor of a person with movable limbs."),
        Column("parts", pl.List(pl.String), "Names of the movable parts; the next four columns follow this order."),
        Column("part_x", pl.List(pl.Float64), "Where each part is, before scaling."),
        Column("part_y", pl.List(pl.Float64), "Where each part is, before scaling."),
        Column("part_turn", pl.List(pl.Float64), "Rotation of each part in the picture, in radians."),
        Column("part_bend", pl.List(pl.Float64), "Rotation of each part against the one it hangs on, in radians."),
    ),
    key=("image_id", "object_id"),
    references=(IMAGE,),
)
