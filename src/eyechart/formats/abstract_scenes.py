"""Abstract scenes of VQA (Antol et al. 2015): the clip art of each scene, the index of scenes, their captions.

Layout: scene_json_abstract_v002_*.zip and captions_abstract_v002_*.zip. A scene lists all clip art that its maker was
offered, five instances of each, and says which are present; the table has these, the others are kept as residue.
"""

import re
from pathlib import Path

import msgspec
import polars as pl

from eyechart.formats.clip_art import Instance, clip_art_rows, encode_clip_art
from eyechart.formats.containers import FORM, JsonFolder, JsonLists
from eyechart.formats.files import Json
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.values import Id, Pixels, as_id, grouped, known, present, split_in, split_of_name

__all__ = ["ABSTRACT_SCENES"]

_DATA = "abstract_v002"
_DIGITS = 12
_CONFIG = "abstract_scenes_v002_data_scene_config.json"
_YEAR = "2015"


class Picture(msgspec.Struct, gc=False):
    """A picture of a scene."""

    image_id: Id
    file_name: str | None = None
    url: str | None = None
    width: Pixels | None = None
    height: Pixels | None = None


class Place(msgspec.Struct, gc=False):
    """Where a scene's own file is: beside its picture, under the same name."""

    image_id: Id


class Indexed(msgspec.Struct, gc=False):
    """What the index says of a scene."""

    images: list[Picture]
    compositions: list[Place]


class Caption(msgspec.Struct, gc=False):
    """A sentence about a scene."""

    id: Id
    image_id: Id
    caption: str


class Captioned(msgspec.Struct, gc=False):
    """What the file of captions says of a scene."""

    images: list[Picture]
    annotations: list[Caption]


class Offer(msgspec.Struct, gc=False):
    """The instances of one piece of clip art."""

    instance: list[Instance] = []


class Scene(msgspec.Struct, gc=False, rename={"scene_type": "sceneType", "offers": "availableObject"}):
    """What the interface stored when a scene was handed in."""

    scene_type: str | None = None
    offers: list[Offer] = []


class Composition(msgspec.Struct, gc=False):
    """A scene; only the scene itself is certain to be there."""

    scene: Scene
    file_name: str | None = None
    image_name: str | None = msgspec.field(name="imgName", default=None)


def decode(batch: Batch) -> Frames:
    """Scenes: their pictures, their captions, and the clip art that is present."""
    scenes: dict[str, Composition] = dict(zip(batch.ids.get("scenes", []), batch["scenes"], strict=True))
    captions: list[Captioned] = batch["captions"]
    there = [
        (key, found)
        for key, composition in scenes.items()
        for offer in composition.scene.offers
        for found in offer.instance
        if found.present
    ]
    return {
        "images": _images(batch, scenes),
        "captions": _captions([caption for record in captions for caption in record.annotations]),
        "cliparts": clip_art_rows(there),
    }


def _images(batch: Batch, scenes: dict[str, Composition]) -> pl.DataFrame:
    """One row per scene; a file name that only the scene knows is better than none."""
    listed = [picture for role in ("captions", "index") for record in batch[role] for picture in record.images[::-1]]
    pictures = {str(picture.image_id): picture for picture in listed}
    found = [pictures.get(key, _UNKNOWN) for key in batch.keys]
    own = [scenes.get(key) for key in batch.keys]
    return pl.DataFrame(
        {
            "image_id": batch.keys,
            "file": [picture.file_name or _file(scene) for picture, scene in zip(found, own, strict=True)],
            "url": [picture.url or None for picture in found],
            "width": [picture.width for picture in found],
            "height": [picture.height for picture in found],
            "location": [None if scene is None else _location(scene.scene.scene_type) for scene in own],
        },
        schema=dict.fromkeys(("image_id", "file", "url"), pl.String)
        | {"width": pl.Int32, "height": pl.Int32, "location": pl.String},
    ).with_columns(split=pl.lit(batch.split, dtype=pl.String), source=pl.lit(_DATA))


_UNKNOWN = Picture("")


def _file(scene: Composition | None) -> str | None:
    return None if scene is None else scene.image_name or scene.file_name


def _location(scene_type: str | None) -> str | None:
    """Park of Park-All: behind the hyphen stands which clip art was offered."""
    return None if scene_type is None else scene_type.partition("-")[0]


def _captions(captions: list[Caption]) -> pl.DataFrame:
    columns = {
        "image_id": [str(caption.image_id) for caption in captions],
        "caption_id": [str(caption.id) for caption in captions],
        "caption": [caption.caption for caption in captions],
    }
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def encode_index(frames: Frames) -> Encoded:
    """Pictures, and scenes under the same names."""
    pictures = _pictures(frames)
    return Encoded(
        list(pictures),
        [
            {
                "images": [picture],
                "compositions": [{"image_id": picture["image_id"], "file_name": _scene_file(picture["file_name"])}],
            }
            for picture in pictures.values()
        ],
    )


def _scene_file(name: str) -> str:
    return re.sub(r"\.\w+$", "", name) + ".json"


def _pictures(frames: Frames) -> dict[str, dict[str, Json]]:
    """Pictures as the index and the captions list them."""
    subset = pl.format("{}{}_", "split", pl.lit(_YEAR)).fill_null("")
    customary = pl.format("{}_{}{}.png", pl.lit(_DATA), subset, pl.col("image_id").str.zfill(_DIGITS))
    rows = _unique_images(frames).select("image_id", pl.coalesce("file", customary), "url", "height", "width")
    return {
        key: known(image_id=as_id(key), file_name=file, url=url or "", height=height, width=width)
        for key, file, url, height, width in rows.iter_rows()
    }


def _unique_images(frames: Frames) -> pl.DataFrame:
    return frames["images"].unique("image_id", keep="first", maintain_order=True)


def encode_captions(frames: Frames) -> Encoded:
    """Pictures that have captions, and these."""
    pictures, rows = _pictures(frames), present(frames, "captions").select("image_id", "caption_id", "caption")
    said = grouped(
        rows["image_id"],
        [{"id": as_id(key), "image_id": as_id(image), "caption": text} for image, key, text in rows.iter_rows()],
    )
    keys = [key for key in pictures if key in said]
    return Encoded(keys, [{"images": [pictures[key]], "annotations": said[key]} for key in keys])


def encode_scenes(frames: Frames) -> Encoded:
    """Scenes with the clip art that is present.

    >>> from eyechart.scenes import art, render
    >>> rows = render.rows_of([("7", art.Scene("park", (art.Clip("tree", 100.0, 150.0),)))])
    >>> images = pl.DataFrame({"image_id": ["7"], "file": ["7.png"], "location": ["park"], "split": [None]})
    >>> encode_scenes({"images": images, "cliparts": rows}).records[0]["scene"]["sceneType"]
    'park'
    """
    images, offers = _unique_images(frames), encode_clip_art(frames)
    records = {
        key: known(id=as_id(key), file_name=file)
        | {"scene": {"sceneConfigFile": _CONFIG} | known(sceneType=place) | {"availableObject": offers[key](place)}}
        for key, file, place in images.select("image_id", "file", "location").iter_rows()
        if key in offers
    }
    return Encoded(list(records), list(records.values()))


def _subset(split: str | None) -> str:
    return f"{split}{_YEAR}" if split else ""


def _head(_frames: Frames, split: str | None) -> dict[str, Json]:
    info = {"year": int(_YEAR), "version": "1.0", "description": "", "contributor": "", "url": "", "date_created": ""}
    license_ = {"name": "", "url": ""}
    return {"info": info, "data_type": _DATA, "data_subtype": _subset(split), "license": license_}


def _captions_head(frames: Frames, split: str | None) -> dict[str, Json]:
    return _head(frames, split) | {"task_type": "Captioning"}


def _folder_head(_frames: Frames, split: str | None) -> dict[str, Json]:
    return {"prefix": f"{_DATA}_{_subset(split)}_" if split else f"{_DATA}_", "digits": _DIGITS}


def _split(head: dict[str, Json], path: Path) -> str | None:
    subset = head.get("data_subtype")
    return (split_in(subset) if isinstance(subset, str) else None) or split_in(path.name)


def _index_name(split: str | None, head: dict[str, Json]) -> str:
    return f"{_DATA}_{head.get('data_subtype') or split or 'all'}_scene_information.json"


def _captions_name(split: str | None, head: dict[str, Json]) -> str:
    return f"captions_{_DATA}_{head.get('data_subtype') or split or 'all'}.json"


def _scenes_name(split: str | None, head: dict[str, Json]) -> str:
    if FORM in head:
        return f"{_DATA}_{_subset(split) or 'all'}_scenes.json"
    return f"scene_composition_{str(head.get('prefix') or _DATA).strip('_')}"


ABSTRACT_SCENES = Format(
    name="abstract-scenes",
    title="Abstract scenes of VQA: clip art, index and captions",
    families=(
        Family(
            layouts=(
                Layout(
                    "index",
                    "the pictures of all scenes, and the names of the scenes' files",
                    JsonLists(("images", "compositions"), key="image_id"),
                    Indexed,
                    encode_index,
                    hints=("scene_information",),
                    file_name=_index_name,
                    head=_head,
                    split=_split,
                    holds=("images",),
                ),
                Layout(
                    "captions",
                    "sentences that describe the scenes",
                    JsonLists(("images", "annotations"), key="image_id"),
                    Captioned,
                    encode_captions,
                    file_name=_captions_name,
                    head=_captions_head,
                    split=_split,
                    ids={"annotations": ("id",)},
                    holds=("captions", "images"),
                ),
                Layout(
                    "scenes",
                    "one file per scene in a folder, or all scenes in one file",
                    JsonFolder(("id", "imgName", "file_name")),
                    Composition,
                    encode_scenes,
                    hints=("scene_composition", "_indv", "_scenes"),
                    file_name=_scenes_name,
                    head=_folder_head,
                    split=split_of_name,
                    ids={"availableObject": ("instance/0/name",), "instance": ("instanceID",)},
                    folder=True,
                    holds=("cliparts", "images"),
                ),
            ),
            decode=decode,
            lead="images",
            key="image_id",
            parts={"captions": "image_id", "cliparts": "image_id"},
            batch=200,
        ),
    ),
    notes="A composition needs scene. A scene's id is the number at the end of its file's name, or its member id where "
    "many scenes lie in one file. The table has the clip art that is present; what was offered besides, and the log "
    "of the interface, come back on export.",
)
