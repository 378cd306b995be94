"""Captions in the layout of COCO (Chen et al. 2015), of photographs and of abstract scenes."""

from pathlib import Path

import msgspec
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json
from eyechart.formats.layout import Batch, Encoded, Family, Format, Frames, Layout
from eyechart.formats.sections import JsonSections
from eyechart.formats.values import Id, Pixels, as_id, known, optional, present, split_in
from eyechart.formats.vqa_records import data_type, split_of_head, text

__all__ = ["COCO_CAPTIONS"]

_ABSTRACT = "abstract_v002"


class Image(msgspec.Struct, gc=False):
    """A picture: photographs have id and coco_url, abstract scenes image_id and url."""

    id: Id | UnsetType = UNSET
    image_id: Id | UnsetType = UNSET
    file_name: str | UnsetType = UNSET
    coco_url: str | UnsetType = UNSET
    url: str | UnsetType = UNSET
    width: Pixels | UnsetType = UNSET
    height: Pixels | UnsetType = UNSET


class Caption(msgspec.Struct, gc=False):
    """A sentence about a picture."""

    id: Id
    image_id: Id
    caption: str


class Record(msgspec.Struct, gc=False):
    """An element of either list."""

    images: Image | UnsetType = UNSET
    annotations: Caption | UnsetType = UNSET


def decode(batch: Batch) -> Frames:
    """Pictures and captions; a picture that only captions name gets a row too."""
    records: list[Record] = batch["captions"]
    source = data_type(batch) or "mscoco"
    captions = _captions([record.annotations for record in records if record.annotations is not UNSET])
    images = _images([record.images for record in records if record.images is not UNSET])
    named = pl.concat([images, captions.select("image_id")], how="diagonal").unique(
        "image_id", keep="first", maintain_order=True
    )
    return {"images": named.with_columns(split=text(batch.split), source=pl.lit(source)), "captions": captions}


def _images(records: list[Image]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "image_id": [str(image.image_id if image.id is UNSET else image.id) for image in records],
            "file": [optional(image.file_name) for image in records],
            "url": [optional(image.url if image.coco_url is UNSET else image.coco_url) for image in records],
            "width": [optional(image.width) for image in records],
            "height": [optional(image.height) for image in records],
        },
        schema={"image_id": pl.String, "file": pl.String, "url": pl.String, "width": pl.Int32, "height": pl.Int32},
    )


def _captions(records: list[Caption]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "caption_id": [str(caption.id) for caption in records],
            "image_id": [str(caption.image_id) for caption in records],
            # Some end in spaces or line breaks, which nobody meant.
            "caption": [caption.caption.strip() for caption in records],
        },
        schema=dict.fromkeys(("caption_id", "image_id", "caption"), pl.String),
    )


def encode(frames: Frames) -> Encoded:
    """Pictures, then captions."""
    images = frames["images"].unique("image_id", keep="first", maintain_order=True)
    captions = present(frames, "captions").join(images.select("image_id"), on="image_id", maintain_order="left")
    pictures = {f"images {row[0]}": {"images": _image(*row)} for row in _columns(images).iter_rows()}
    rows = captions.select("caption_id", "image_id", "caption").iter_rows()
    sentences = {
        f"annotations {key}": {"annotations": {"id": as_id(key), "image_id": as_id(image), "caption": sentence}}
        for key, image, sentence in rows
    }
    records = pictures | sentences
    return Encoded(list(records), list(records.values()))


def _columns(images: pl.DataFrame) -> pl.DataFrame:
    return images.select("image_id", "source", "file", "url", "width", "height")


def _image(key: str, source: str | None, *columns: Json) -> dict[str, Json]:
    abstract = source == _ABSTRACT
    names = ("image_id" if abstract else "id", "file_name", "url" if abstract else "coco_url", "width", "height")
    return known(**dict(zip(names, (as_id(key), *columns), strict=True)))


def _head(frames: Frames, split: str | None) -> dict[str, Json]:
    sources = frames["images"]["source"].drop_nulls().head(1).to_list()
    if sources == [_ABSTRACT]:
        subset = f"{split or ''}{'2015' if split in {'train', 'val', 'test'} else ''}"
        own = {"task_type": "Captioning", "data_type": _ABSTRACT, "data_subtype": subset}
        return {"info": {}, "license": {}} | own
    return {"info": {}, "licenses": []}


def _split(head: dict[str, Json], path: Path) -> str | None:
    return split_of_head(head, path) or split_in(path.name)


def _file_name(split: str | None, head: dict[str, Json]) -> str:
    if head.get("data_type") == _ABSTRACT:
        return f"captions_{_ABSTRACT}_{head.get('data_subtype')}.json"
    return f"captions_{split or 'all'}{'2014' if split in {'train', 'val'} else ''}.json"


COCO_CAPTIONS = Format(
    name="coco-captions",
    title="COCO captions, and those of abstract scenes in the same layout",
    families=(
        Family(
            layouts=(
                Layout(
                    "captions",
                    "pictures and the sentences that describe them",
                    JsonSections({"images": ("id", "image_id"), "annotations": ("id",)}),
                    Record,
                    encode,
                    hints=("caption",),
                    file_name=_file_name,
                    head=_head,
                    split=_split,
                ),
            ),
            decode=decode,
            lead="images",
            context=("captions",),
        ),
    ),
    notes="A picture needs an id; a caption needs id, image_id and caption. Space around captions is not part of them.",
)
