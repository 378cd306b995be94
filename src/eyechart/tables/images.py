"""The tables about pictures: the images themselves, their captions and their neighbours."""

import polars as pl

from eyechart.tables.schema import Column, Reference, Table

IMAGE = Reference(("image_id",), "images", ("image_id",))
IMAGE_ID = Column("image_id", pl.String, "The image.", required=True)

IMAGES = Table(
    "images",
    "One row per picture.",
    (
        Column("image_id", pl.String, "Id, unique in the benchmark.", required=True),
        Column("split", pl.String, "The part of the benchmark it belongs to, such as train, val or test."),
        Column("width", pl.Int32, "Width in pixels."),
        Column("height", pl.Int32, "Height in pixels."),
        Column(
            "file",
            pl.String,
            "File name, relative to the benchmark's images/ or to the root named in the manifest.",
        ),
        Column("url", pl.String, "Where the picture is published."),
        Column("source", pl.String, "The collection it was taken from, such as mscoco or abstract_v002."),
        Column("coco_id", pl.String, "The same picture's id in COCO."),
        Column("flickr_id", pl.String, "The photograph's id at Flickr."),
        Column("location", pl.String, "The kind of place that the picture shows."),
        Column("weather", pl.String, "The weather that the picture shows."),
    ),
    key=("image_id",),
)

CAPTIONS = Table(
    "captions",
    "One row per sentence that describes a picture.",
    (
        IMAGE_ID,
        Column("caption_id", pl.String, "Id of the caption.", required=True),
        Column("worker_id", pl.String, "Who wrote it."),
        Column("caption", pl.String, "The sentence.", required=True),
    ),
    key=("caption_id",),
    references=(IMAGE,),
)

NEIGHBOURS = Table(
    "neighbours",
    "One row per near picture of a picture.",
    (
        IMAGE_ID,
        Column("rank", pl.Int32, "1 for the nearest.", required=True),
        Column("neighbour_id", pl.String, "The near picture.", required=True),
        Column("distance", pl.Float32, "Distance between their features."),
    ),
    key=("image_id", "rank"),
    references=(IMAGE, Reference(("neighbour_id",), "images", ("image_id",))),
)

FINGERPRINTS = Table(
    "fingerprints",
    "One row per picture file: a hash by which near copies are found, and the size it really has.",
    (
        IMAGE_ID,
        Column("phash", pl.UInt64, "Perceptual hash; null where the picture cannot be read or has no shapes in it."),
        Column("width", pl.Int32, "Width in pixels, from the file."),
        Column("height", pl.Int32, "Height in pixels, from the file."),
        Column("problem", pl.String, "Why the picture cannot be read; null if it can."),
    ),
    key=("image_id",),
    references=(IMAGE,),
)
