"""Edges that follow from what is known: sides, heights, nearness from boxes; the same colour, material, shape."""

import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.normalize.vocabulary import table_of

__all__ = ["SAME", "add_spatial_edges", "mark_same"]

_EDGE = ("image_id", "object_id", "predicate", "other_id")
_OPPOSITES = {"to the left of": "to the right of", "above": "below"}
SAME = {"color": "the same color as", "material": "the same material as", "shape": "the same shape as"}
"""Attribute types, and how one says that two things have the same value of one."""


def add_spatial_edges(graphs: Graphs, placed: pl.DataFrame) -> pl.DataFrame:
    """Proposals: edges that the boxes show and nobody has annotated; edges dropped that the boxes contradict."""
    edges = geometry.spatial_relations(placed).rename({"object_id": "other_id", "subject_id": "object_id"})
    stated = graphs.relations.select("image_id", "predicate", object_id="subject_id", other_id="object_id")
    new = edges.join(stated, on=_EDGE, how="anti", maintain_order="left")
    turned = {**_OPPOSITES, **{other: one for one, other in _OPPOSITES.items()}}
    against = stated.with_columns(predicate=pl.col("predicate").replace_strict(turned, default=None)).drop_nulls()
    wrong = against.join(edges, on=_EDGE, how="semi", maintain_order="left")
    why = pl.format("the boxes say {}", "predicate")
    return joined(
        [
            proposed("relation", "against the boxes", wrong, was=pl.col("predicate").replace_strict(turned), why=why),
            proposed("relation", "boxes", new, became=pl.col("predicate")),
        ]
    )


def mark_same(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Proposals: edges between things, each the only one of its name, that share their only value of a type.

    Shades are left out: two shades of blue may be the same color, or not.
    """
    ontology = context.vocabulary.ontology

    def told(attribute: str) -> tuple[str | None, bool]:
        known = ontology.attributes.get(attribute)
        return (None, False) if known is None else (SAME.get(known.type), known.parent is not None)

    types = table_of(graphs.attributes, ["attribute"], {"became": pl.String, "shade": pl.Boolean}, told)
    alone = graphs.objects.filter(pl.len().over("image_id", "name") == 1).select("image_id", "object_id")
    only = (
        graphs.attributes.join(types, on="attribute", how="left", maintain_order="left")
        .drop_nulls("became")
        .join(alone, on=("image_id", "object_id"), how="semi", maintain_order="left")
        .filter(pl.len().over("image_id", "object_id", "became") == 1, ~pl.col("shade"))
    )
    both = only.join(
        only.rename({"object_id": "other_id"}), on=("image_id", "became", "attribute"), maintain_order="left_right"
    ).filter(pl.col("object_id") != pl.col("other_id"))
    stated = graphs.relations.select("image_id", object_id="subject_id", became="predicate", other_id="object_id")
    new = both.join(stated, on=("image_id", "object_id", "became", "other_id"), how="anti", maintain_order="left")
    return proposed("relation", "same value", new, why=pl.col("attribute"))
