"""Visual Genome (Krishna et al. 2017): scene graphs, described regions, questions and word senses.

Layout: the files of visualgenome.org, versions 1.0, 1.2 and 1.4. All but the lists of senses have one record per
picture, and several say the same: scene_graphs.json is objects, attributes and relationships in one.
"""

from collections.abc import Callable

import polars as pl

from eyechart.formats.containers import JsonListOrOne
from eyechart.formats.files import JsonList, JsonMapping
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import known
from eyechart.formats.visual_genome_decoding import decode_images
from eyechart.formats.visual_genome_encoding import (
    encode_attributes,
    encode_image_data,
    encode_objects,
    encode_question_answers,
    encode_region_graphs,
    encode_regions,
    encode_relationships,
    encode_scene_graphs,
)
from eyechart.formats.visual_genome_records import (
    Attributes,
    ImageData,
    Objects,
    Questions,
    Regions,
    Relationships,
    SceneGraph,
    Synset,
)

__all__ = ["VISUAL_GENOME"]

_IMAGES = JsonListOrOne(("image_id", "id"))

_IDS = {
    "objects": ("object_id", "id"),
    "attributes": ("object_id", "id"),
    "relationships": ("relationship_id", "id"),
    "regions": ("region_id", "id"),
    "qas": ("qa_id",),
}
"""How the things in lists are known, by the lists' names."""


def _file(role: str, about: str, record: type, encode: Callable[[Frames], Encoded], *holds: str) -> Layout:
    """A file with a record per picture."""
    names = {"regions": "region_descriptions"}
    return Layout(
        role,
        about,
        _IMAGES,
        record,
        encode,
        hints=(names.get(role, role), role),
        file_name=lambda split, _head: (
            f"{split}_{names.get(role, role)}.json" if split else f"{names.get(role, role)}.json"
        ),
        ids=_IDS,
        holds=("images", *holds),
    )


_GRAPH = ("objects", "attributes", "relations")

_PICTURES = Family(
    # The order says which file is believed first, and which ones a new data set is written to.
    layouts=(
        _file("image_data", "address and size of each picture", ImageData, encode_image_data),
        _file("objects", "objects with names, senses and boxes", Objects, encode_objects, "objects"),
        _file("attributes", "objects with their attributes", Attributes, encode_attributes, "objects", "attributes"),
        _file(
            "relationships", "relations with their objects", Relationships, encode_relationships, "objects", "relations"
        ),
        _file("scene_graphs", "objects, attributes and relations", SceneGraph, encode_scene_graphs, *_GRAPH),
        _file("regions", "described regions", Regions, encode_regions, "regions"),
        _file(
            "region_graphs", "described regions with their objects", Regions, encode_region_graphs, "regions", *_GRAPH
        ),
        _file("question_answers", "questions with answers", Questions, encode_question_answers, "questions"),
    ),
    decode=decode_images,
    lead="images",
    key="image_id",
    parts=dict.fromkeys(("objects", "attributes", "relations", "regions", "questions"), "image_id"),
    batch=500,
)


def _vocabulary(kind: str, role: str) -> Family:
    """The senses of all words of one kind."""

    def decode(batch: Batch) -> Frames:
        rows = pl.DataFrame(
            {"word": batch.keys, "synset": batch[role]}, schema={"word": pl.String, "synset": pl.String}
        )
        return {"senses": rows.with_columns(kind=pl.lit(kind))}

    def encode(frames: Frames) -> Encoded:
        rows = frames["senses"].filter(pl.col("kind") == kind).drop_nulls("synset")
        return Encoded(rows["word"].to_list(), rows["synset"].to_list())

    layout = Layout(role, f"the sense of each word that names a kind of {kind}", JsonMapping(), str, encode, exact=str)
    return Family((layout,), decode, lead="senses", key="word")


def _decode_synsets(batch: Batch) -> Frames:
    senses: list[Synset] = batch["synsets"]
    rows = {
        "word": [sense.synset_name for sense in senses],
        "synset": [sense.synset_name for sense in senses],
        "definition": [sense.synset_definition for sense in senses],
    }
    return {"senses": pl.DataFrame(rows, schema=dict.fromkeys(rows, pl.String)).with_columns(kind=pl.lit("synset"))}


def _encode_synsets(frames: Frames) -> Encoded:
    rows = frames["senses"].filter(pl.col("kind") == "synset").select("word", "definition")
    records = [known(synset_name=word, synset_definition=definition) for word, definition in rows.iter_rows()]
    return Encoded([str(place) for place in range(len(records))], records)


VISUAL_GENOME = Format(
    name="visual-genome",
    title="Visual Genome: scene graphs, regions, questions and word senses",
    families=(
        _PICTURES,
        _vocabulary("object", "object_synsets"),
        _vocabulary("attribute", "attribute_synsets"),
        _vocabulary("relation", "relationship_synsets"),
        Family(
            (Layout("synsets", "what each sense means", JsonList(), Synset, _encode_synsets),),
            _decode_synsets,
            lead="senses",
        ),
    ),
    notes="All versions are read; what is new is written as version 1.4 spells it. Import the files of one version "
    "together: an object keeps the names and the box of the first file that has them, and the boxes of versions 1.2 "
    "and 1.4 differ. Names, attributes and predicates stay as annotated, with capitals and outer blanks.",
)
