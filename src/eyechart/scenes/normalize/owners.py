"""Body parts, clothes and parts of things, attached to whom they belong to."""

import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.graph import Graphs, proposed
from eyechart.scenes.normalize.lists import Attachment
from eyechart.scenes.normalize.vocabulary import table_of

__all__ = ["attach_parts"]

_THING = ("image_id", "object_id")
_OWNED = ("image_id", "part_id", "owner_id")


def attach_parts(graphs: Graphs, placed: pl.DataFrame, hints: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Proposals: edges between parts and their owners.

    ``hints`` are owners that stood in names: image_id, object_id, owner. A part gets an owner if one alone can be it:
    of those that the name tells, or that contain it; and if no edge between a part and such an owner is there already.
    """
    names = graphs.objects.select(*_THING, "name")
    candidates = pl.concat([_contained(names, placed, context), _hinted(names, hints, context)]).unique(
        _OWNED, keep="last", maintain_order=True
    )
    owned = _linked(graphs).select("image_id", part_id="object_id", owner_id="other_id")
    known = candidates.join(owned, on=_OWNED, how="semi").select("image_id", "part_id")
    free = candidates.join(known, on=("image_id", "part_id"), how="anti", maintain_order="left")
    told = free.filter("told")
    shown = free.join(told, on=("image_id", "part_id"), how="anti", maintain_order="left")
    sole = pl.concat([told, shown]).filter(pl.len().over("image_id", "part_id") == 1)
    from_owner = pl.col("from_owner")
    return proposed(
        "relation",
        "attached to owner",
        sole,
        object_id=pl.when(from_owner).then("owner_id").otherwise("part_id"),
        other_id=pl.when(from_owner).then("part_id").otherwise("owner_id"),
        became=pl.col("relation"),
    )


def _contained(names: pl.DataFrame, placed: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Parts and those whose boxes contain them."""
    inside = geometry.overlaps(placed).filter(pl.col("inside") >= context.settings.part_inside)
    pairs = (
        inside.select("image_id", "inside", part_id="object_id", owner_id="other_id")
        .join(names.rename({"object_id": "part_id", "name": "part"}), on=("image_id", "part_id"), maintain_order="left")
        .join(
            names.rename({"object_id": "owner_id", "name": "owner"}), on=("image_id", "owner_id"), maintain_order="left"
        )
    )
    return _fitting(pairs, context, told=False, why=pl.format("{} of its box", pl.col("inside").round(2)))


def _hinted(names: pl.DataFrame, hints: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Parts and those whom their names tell."""
    parts = hints.select(*_THING, "owner").filter(pl.col("owner") != "").join(names, on=_THING, maintain_order="left")
    nouns = table_of(names, ["name"], {"noun": pl.String}, lambda name: [context.vocabulary.noun_name(name)])
    things = names.join(nouns, on="name", how="left", maintain_order="left")
    pairs = parts.select("image_id", part_id="object_id", part="name", noun="owner").join(
        things.select("image_id", "noun", owner_id="object_id", owner="name"),
        on=("image_id", "noun"),
        maintain_order="left",
    )
    return _fitting(pairs, context, told=True, why=pl.format("its name tells of a {}", "noun"))


def _fitting(pairs: pl.DataFrame, context: Context, *, told: bool, why: pl.Expr) -> pl.DataFrame:
    schema = {"relation": pl.String, "from_owner": pl.Boolean}
    rules = table_of(pairs, ["part", "owner"], schema, lambda *pair: _attachment(context, *pair))
    fitting = pairs.join(rules, on=("part", "owner"), how="left", maintain_order="left").drop_nulls("relation")
    return fitting.select(*_OWNED, "relation", "from_owner", told=pl.lit(told), why=why)


def _attachment(context: Context, part: str, owner: str) -> tuple[str | None, bool | None]:
    rule = _rule(context, part, owner)
    return (rule.relation, rule.from_owner) if rule is not None else (None, None)


def _rule(context: Context, part: str, owner: str) -> Attachment | None:
    is_a = context.vocabulary.is_a
    return next(
        (rule for rule in context.vocabulary.lists.attachments if is_a(part, rule.part) and is_a(owner, rule.owner)),
        None,
    )


def _linked(graphs: Graphs) -> pl.DataFrame:
    """Which things any edge connects, both ways round."""
    ends = graphs.relations.select("image_id", "object_id", other_id="subject_id")
    return pl.concat([ends, ends.select("image_id", object_id="other_id", other_id="object_id")]).unique()
