"""The ledger: every change that was made, with an id that is the same on every run, and what follows from it."""

from dataclasses import dataclass, field

import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.scenes.normalize.edits import Edits
from eyechart.scenes.normalize.graph import Graphs, apply, joined, proposed

__all__ = ["CONSEQUENCES", "Ledger", "with_ids"]

CONSEQUENCES = ("went along", "moved along")
"""Rules of changes that only follow from another change: they come and go with it."""

_ID_COLUMNS = ("object_id", "other_id", "what", "was", "became", "rule")
_KEY = Key(0, "change of a scene graph")
_THING = ("image_id", "object_id")


@dataclass
class Ledger:
    """Makes what rules propose, unless a person has rejected it, and keeps the record."""

    edits: Edits
    _parts: list[pl.DataFrame] = field(default_factory=list)

    def record(self, graphs: Graphs, proposals: pl.DataFrame) -> Graphs:
        """The graphs after the proposals that nobody has rejected, and after what follows from them."""
        if proposals.is_empty():
            return graphs
        accepted = self.edits.judged(with_ids(proposals)).drop("change_id")
        made = joined([accepted, _went_along(graphs, accepted), _moved_along(graphs, accepted)])
        self._parts.append(with_ids(made))
        return apply(graphs, made)

    @property
    def changes(self) -> pl.DataFrame:
        """All changes in the order in which they were made."""
        whole = pl.concat([with_ids(joined([])), *self._parts])
        return whole.unique(("image_id", "change_id"), keep="first", maintain_order=True)


def with_ids(changes: pl.DataFrame) -> pl.DataFrame:
    """Changes with their ids: hashes of what changed, so that another change beside it gives it no other id.

    >>> rows = pl.DataFrame({"image_id": ["1", "2"], "object_id": ["a", "a"]})
    >>> with_ids(proposed("object", "rare", rows, was="cup"))["change_id"].n_unique()
    1
    """
    codes = changes.select(key_of(pl.col(name).fill_null("")) for name in _ID_COLUMNS)
    # Over arrays: an expression over six columns would grow by the power of their number.
    keys = pl.Series(_KEY.array(*(codes[name].to_numpy() for name in _ID_COLUMNS)), dtype=pl.UInt64)
    return changes.with_columns(change_id=keys.cast(pl.String))


def _went_along(graphs: Graphs, changes: pl.DataFrame) -> pl.DataFrame:
    """The attributes and relations of things that are dropped."""
    dropped = pl.col("what").eq("object") & pl.col("became").is_null() & pl.col("other_id").is_null()
    gone = changes.filter(dropped).select(*_THING, why=pl.format("without {}", "was"))
    if gone.is_empty():
        return joined([])
    attributes = graphs.attributes.join(gone, on=_THING, maintain_order="left")
    edges = graphs.relations.rename({"object_id": "other_id", "subject_id": "object_id"})
    starting = edges.join(gone, on=_THING, maintain_order="left")
    ended = gone.rename({"object_id": "other_id"})
    ending = edges.join(ended, on=("image_id", "other_id"), maintain_order="left").join(
        gone, on=_THING, how="anti", maintain_order="left"
    )
    return joined(
        [
            proposed("attribute", CONSEQUENCES[0], attributes, was=pl.col("attribute")),
            proposed("relation", CONSEQUENCES[0], starting, was=pl.col("predicate")),
            proposed("relation", CONSEQUENCES[0], ending, was=pl.col("predicate")),
        ]
    )


def _moved_along(graphs: Graphs, changes: pl.DataFrame) -> pl.DataFrame:
    """The attributes and relations of things that are found to be other things."""
    same = pl.col("what").eq("object") & pl.col("became").is_null() & pl.col("other_id").is_not_null()
    others = changes.filter(same).select(*_THING, into="other_id")
    if others.is_empty():
        return joined([])
    return joined([*_moved_attributes(graphs.attributes, others), *_moved_relations(graphs.relations, others)])


def _moved_attributes(attributes: pl.DataFrame, others: pl.DataFrame) -> list[pl.DataFrame]:
    moved = attributes.join(others, on=_THING, maintain_order="left")
    arrived = moved.select("image_id", "attribute", object_id="into", why=pl.format("from {}", "object_id"))
    new = arrived.join(attributes, on=("image_id", "object_id", "attribute"), how="anti", maintain_order="left")
    left = moved.with_columns(why=pl.format("to {}", "into"))
    return [
        proposed("attribute", CONSEQUENCES[1], left, was=pl.col("attribute")),
        proposed("attribute", CONSEQUENCES[1], new, became=pl.col("attribute")),
    ]


def _moved_relations(relations: pl.DataFrame, others: pl.DataFrame) -> list[pl.DataFrame]:
    found = relations.select("image_id", "subject_id", "predicate", "object_id")
    for end in ("subject_id", "object_id"):
        ends = others.select("image_id", pl.col("object_id").alias(end), pl.col("into").alias(f"new_{end}"))
        found = found.join(ends, on=("image_id", end), how="left", maintain_order="left")
    moved = found.filter(pl.col("new_subject_id").is_not_null() | pl.col("new_object_id").is_not_null())
    left = moved.select("image_id", "predicate", object_id="subject_id", other_id="object_id")
    arrived = moved.select(
        "image_id",
        "predicate",
        subject_id=pl.coalesce("new_subject_id", "subject_id"),
        object_id=pl.coalesce("new_object_id", "object_id"),
    )
    new = arrived.filter(pl.col("subject_id") != pl.col("object_id")).join(
        relations, on=("image_id", "subject_id", "predicate", "object_id"), how="anti", maintain_order="left"
    )
    added = new.select("image_id", "predicate", object_id="subject_id", other_id="object_id")
    return [
        proposed("relation", CONSEQUENCES[1], left, was=pl.col("predicate"), why="its end was merged"),
        proposed("relation", CONSEQUENCES[1], added, became=pl.col("predicate"), why="its end was merged"),
    ]
