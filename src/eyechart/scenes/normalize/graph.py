"""Scene graphs of many pictures as tables, and the one way in which they change: by rows of the ledger.

A rule looks at a graph and proposes changes; ``apply`` makes them. Nothing else writes to the tables, so that the raw
graphs and the ledger together give the clean ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import polars as pl

from eyechart.tables import TABLES

__all__ = ["Graphs", "apply", "no_changes", "proposed"]

_CHANGE = {name: dtype for name, dtype in TABLES["changes"].schema.items() if name != "change_id"}
_THING = ("image_id", "object_id")
_FACT = ("image_id", "object_id", "attribute")
_EDGE = ("image_id", "subject_id", "predicate", "object_id")


@dataclass(frozen=True)
class Graphs:
    """The scene graphs of some pictures."""

    images: pl.DataFrame
    objects: pl.DataFrame
    attributes: pl.DataFrame
    relations: pl.DataFrame

    @classmethod
    def of(cls, tables: dict[str, pl.DataFrame]) -> "Graphs":
        """Graphs from tables as they are stored; a row that is there twice is one row.

        >>> Graphs.of({"objects": pl.DataFrame({"image_id": ["1"], "object_id": ["a"]})}).objects["name"].to_list()
        ['']
        """
        whole = {
            name: TABLES[name].conform(tables.get(name, TABLES[name].empty()))
            for name in ("images", "objects", "attributes", "relations")
        }
        return cls(
            images=whole["images"].unique("image_id", keep="first", maintain_order=True),
            # A thing without a name has an empty one, so that "was nothing" always means "was not there".
            objects=whole["objects"]
            .with_columns(pl.col("name").fill_null(""))
            .unique(_THING, keep="first", maintain_order=True),
            attributes=whole["attributes"].unique(_FACT, keep="first", maintain_order=True),
            relations=whole["relations"].unique(_EDGE, keep="first", maintain_order=True),
        )


def proposed(what: str, rule: str, rows: pl.DataFrame, **columns: pl.Expr | str | None) -> pl.DataFrame:
    """Rows of the ledger from rows that have what they need; what is not said is nothing.

    >>> rows = pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["Dog"]})
    >>> proposed("object", "spelling", rows, was=pl.col("name"), became="dog").row(0)
    ('1', 'a', None, 'object', 'Dog', 'dog', 'spelling', None)
    """
    known = {name: pl.col(name) for name in ("object_id", "other_id", "was", "became", "rule", "why") if name in rows}
    said = {name: pl.lit(value) if not isinstance(value, pl.Expr) else value for name, value in columns.items()}
    every = {"rule": pl.lit(rule), **known, **said, "image_id": pl.col("image_id"), "what": pl.lit(what)}
    return rows.select(every.get(name, pl.lit(None)).cast(dtype).alias(name) for name, dtype in _CHANGE.items())


def no_changes() -> pl.DataFrame:
    """An empty ledger."""
    return pl.DataFrame(schema=_CHANGE)


def apply(graphs: Graphs, changes: pl.DataFrame) -> Graphs:
    """The graphs after some changes. What is not there is not removed, what is there is not added.

    >>> dog = Graphs.of({"objects": pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["Dog"]})})
    >>> change = proposed("object", "spelling", dog.objects, was=pl.col("name"), became="dog")
    >>> apply(dog, change).objects["name"].to_list()
    ['dog']
    """
    if changes.is_empty():
        return graphs
    by_kind = {kind: changes.filter(what=kind) for kind in ("object", "attribute", "relation", "image")}
    moved = _merged(graphs, by_kind["object"])
    return Graphs(
        images=_images(moved.images, by_kind["image"]),
        objects=_objects(moved.objects, by_kind["object"]),
        attributes=_attributes(moved.attributes, by_kind["attribute"]),
        relations=_relations(moved.relations, by_kind["relation"]),
    )


def _merged(graphs: Graphs, changes: pl.DataFrame) -> Graphs:
    """What belonged to a thing that is found to be another one belongs to that one."""
    merged = changes.filter(pl.col("became").is_null(), pl.col("other_id").is_not_null())
    if merged.is_empty():
        return graphs
    others = merged.select(*_THING, other="other_id")
    return replace(
        graphs,
        objects=_with_merged_ids(graphs.objects, others),
        attributes=_moved(graphs.attributes, others, "object_id").unique(_FACT, keep="first", maintain_order=True),
        relations=_moved_relations(graphs.relations, others).unique(_EDGE, keep="first", maintain_order=True),
    )


def _moved_relations(relations: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """The relations between what their ends are found to be; one between a thing and its copy is none."""
    before = relations.with_columns(subject_was="subject_id", object_was="object_id")
    moved = _moved(_moved(before, others, "subject_id"), others, "object_id")
    stayed = (pl.col("subject_was") == pl.col("subject_id")) & (pl.col("object_was") == pl.col("object_id"))
    kept = moved.filter(stayed | (pl.col("subject_id") != pl.col("object_id")))
    return kept.drop("subject_was", "object_was")


def _moved(rows: pl.DataFrame, others: pl.DataFrame, column: str) -> pl.DataFrame:
    found = rows.join(others.rename({"object_id": column}), on=["image_id", column], how="left", maintain_order="left")
    return found.with_columns(pl.coalesce("other", column).alias(column)).drop("other")


def _with_merged_ids(objects: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    own = others.join(objects.select(*_THING, "merged_ids"), on=_THING, maintain_order="left")
    absorbed = (
        own.select("image_id", object_id="other", ids=pl.concat_list(pl.concat_list("object_id"), _ids("merged_ids")))
        .group_by("image_id", "object_id", maintain_order=True)
        .agg(pl.col("ids").explode())
    )
    joined = objects.join(absorbed, on=_THING, how="left", maintain_order="left")
    both = pl.concat_list(_ids("merged_ids"), _ids("ids")).list.unique(maintain_order=True)
    return joined.with_columns(merged_ids=pl.when(pl.col("ids").is_null()).then("merged_ids").otherwise(both)).drop(
        "ids"
    )


def _ids(column: str) -> pl.Expr:
    return pl.col(column).fill_null(pl.lit([], dtype=pl.List(pl.String)))


def _objects(objects: pl.DataFrame, changes: pl.DataFrame) -> pl.DataFrame:
    gone = changes.filter(pl.col("became").is_null()).select(_THING)
    renamed = changes.drop_nulls("became").select(*_THING, "became").unique(_THING, keep="last", maintain_order=True)
    return (
        objects.join(gone, on=_THING, how="anti", maintain_order="left")
        .join(renamed, on=_THING, how="left", maintain_order="left")
        .with_columns(name=pl.coalesce("became", "name"))
        .drop("became")
    )


def _attributes(attributes: pl.DataFrame, changes: pl.DataFrame) -> pl.DataFrame:
    gone = changes.select(*_THING, attribute="was").drop_nulls()
    added = changes.select(*_THING, attribute="became").drop_nulls()
    kept = attributes.join(gone, on=_FACT, how="anti", maintain_order="left")
    return pl.concat([kept, added]).unique(_FACT, keep="first", maintain_order=True)


def _relations(relations: pl.DataFrame, changes: pl.DataFrame) -> pl.DataFrame:
    ends = {"image_id": pl.col("image_id"), "subject_id": pl.col("object_id"), "object_id": pl.col("other_id")}
    gone = changes.drop_nulls("was").select(**ends, predicate="was")
    added = changes.drop_nulls("became").select(**ends, predicate="was", became="became")
    kept = relations.join(gone, on=_EDGE, how="anti", maintain_order="left")
    # An edge that only gets another name keeps the id that the source gave it.
    ids = relations.select(*_EDGE, "relation_id")
    named = added.join(ids, on=_EDGE, how="left", maintain_order="left", nulls_equal=False)
    new = named.select("image_id", "relation_id", "subject_id", pl.col("became").alias("predicate"), "object_id")
    whole = pl.concat([kept, TABLES["relations"].conform(new)])
    return whole.unique(_EDGE, keep="first", maintain_order=True)


def _images(images: pl.DataFrame, changes: pl.DataFrame) -> pl.DataFrame:
    """Changes of pictures are written as "location: kitchen"."""
    for name in ("location", "weather"):
        start = f"{name}: "
        about = changes.filter(pl.coalesce("became", "was").str.starts_with(start))
        told = about.select("image_id", said=pl.col("became").str.strip_prefix(start), known=pl.lit(value=True))
        images = (
            images.join(
                told.unique("image_id", keep="last", maintain_order=True),
                on="image_id",
                how="left",
                maintain_order="left",
            )
            .with_columns(pl.when("known").then("said").otherwise(name).alias(name))
            .drop("said", "known")
        )
    return images


def joined(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Proposals of several kinds as one."""
    return pl.concat([no_changes(), *parts])
