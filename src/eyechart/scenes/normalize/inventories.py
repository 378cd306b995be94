"""Of which kinds every instance is annotated: because people said so, or because a detector saw no other.

A detector that reports everything above a low score is used as a doubter: a kind is complete in a picture if each of
its detections overlaps an annotated thing of that kind. Without detections of it, it is absent. What no detector looked
for stays unknown.
"""

import polars as pl

from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.detections import Detections
from eyechart.scenes.normalize.graph import Graphs
from eyechart.scenes.normalize.vocabulary import table_of
from eyechart.tables import TABLES

__all__ = ["complete_kinds"]

_KEY = ("image_id", "kind")


def complete_kinds(graphs: Graphs, known: pl.DataFrame, context: Context) -> pl.DataFrame:
    """The inventories: those that were there, those that a person adds, those that detections confirm."""
    found = [_stored(known, context), _said(graphs, context), _confirmed(graphs, context)]
    whole = pl.concat([TABLES["inventories"].conform(each) for each in found])
    return whole.unique(_KEY, keep="first", maintain_order=True)


def _stored(known: pl.DataFrame, context: Context) -> pl.DataFrame:
    kinds = table_of(known, ["kind"], {"noun": pl.String}, lambda kind: [_kind(context, kind)])
    renamed = known.join(kinds, on="kind", how="left", maintain_order="left")
    return renamed.select("image_id", kind="noun", evidence="evidence")


def _kind(context: Context, word: str) -> str:
    """A category by its own name, else the noun that a word stands for."""
    ontology = context.vocabulary.ontology
    names = () if word in ontology.categories else context.vocabulary.name(word).names
    return context.vocabulary.noun_name(names[0]) if names else word


def _said(graphs: Graphs, context: Context) -> pl.DataFrame:
    said = context.edits.complete.select("image", "became")
    kinds = table_of(said, ["became"], {"kind": pl.String}, lambda kind: [_kind(context, kind)])
    named = said.join(kinds, on="became", how="left", maintain_order="left")
    images = graphs.images.select("image_id")
    everywhere = images.join(named.filter(pl.col("image").is_null()).select("kind"), how="cross")
    here = images.join(named.select("kind", image_id="image").drop_nulls(), on="image_id", maintain_order="left")
    return pl.concat([here.select(_KEY), everywhere.select(_KEY)]).with_columns(evidence=pl.lit("people"))


def _confirmed(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Kinds of which every detection is a thing that is annotated."""
    detections = context.detections
    if detections is None:
        return TABLES["inventories"].empty()
    names = pl.DataFrame({"kind": detections.kinds}, schema={"kind": pl.String})
    nouns = table_of(names, ["kind"], {"noun": pl.String}, lambda kind: [_kind(context, kind)])
    images = _looked_at(graphs, detections)
    seen = (
        detections.boxes.filter(pl.col("score") >= context.settings.detection_score)
        .rename({"image_id": "seen_as"})
        .join(images, on="seen_as", maintain_order="left")
        .join(nouns, on="kind", maintain_order="left")
        .with_row_index("detection")
    )
    annotated = _annotated(graphs, seen, context)
    doubted = seen.join(annotated, on="detection", how="anti").select("image_id", kind="noun").unique()
    every = images.select("image_id").join(nouns.select(kind="noun").unique(maintain_order=True), how="cross")
    sure = every.join(doubted, on=_KEY, how="anti", maintain_order="left")
    return sure.with_columns(evidence=pl.lit("detector"))


def _looked_at(graphs: Graphs, detections: Detections) -> pl.DataFrame:
    """The pictures that the detector saw, by their own id or by COCO's."""
    seen = detections.images.to_frame("seen_as")
    ids = [graphs.images.select("image_id", seen_as=name) for name in ("image_id", "coco_id")]
    named = pl.concat(ids).drop_nulls().join(seen, on="seen_as", how="semi", maintain_order="left")
    return named.unique("image_id", keep="first", maintain_order=True)


def _annotated(graphs: Graphs, seen: pl.DataFrame, context: Context) -> pl.DataFrame:
    """The detections that overlap a thing of their kind."""
    vocabulary = context.vocabulary
    things = graphs.objects.select("image_id", "name", *(pl.col(side).alias(f"own_{side}") for side in "xywh"))
    pairs = seen.join(things, on="image_id")
    same = table_of(pairs, ["name", "noun"], {"same": pl.Boolean}, lambda name, kind: [vocabulary.is_a(name, kind)])
    alike = pairs.join(same.filter("same"), on=("name", "noun"))
    return alike.filter(_iou() >= context.settings.detection_iou).select("detection").unique()


def _iou() -> pl.Expr:
    def shared(start: str, size: str) -> pl.Expr:
        ends = [pl.col(f"{own}{start}") + pl.col(f"{own}{size}") for own in ("", "own_")]
        return (pl.min_horizontal(ends) - pl.max_horizontal(start, f"own_{start}")).clip(0)

    both = shared("x", "w") * shared("y", "h")
    return both / (pl.col("w") * pl.col("h") + pl.col("own_w") * pl.col("own_h") - both)
