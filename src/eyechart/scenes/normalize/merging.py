"""Things that were annotated twice: found by their boxes and names, and merged into one."""

import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.normalize.vocabulary import table_of

__all__ = ["merge_duplicates"]

_THING = ("image_id", "object_id")
_PAIR = (*_THING, "other_id")
_NEVER = 2.0
"""A share that no two boxes reach."""


def merge_duplicates(graphs: Graphs, placed: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Proposals: of things that are one, the one with most annotations stays, and gets the most special name.

    A thing joins only one that stays itself, so that a row of boxes that overlap like tiles is not one thing.
    """
    pairs = _alike(graphs, placed, context)
    if pairs.is_empty():
        return joined([])
    ranks = _ranks(graphs, placed, context)
    ranked = pairs.join(ranks, on=_THING, maintain_order="left").join(
        ranks.rename({"object_id": "other_id", "rank": "other_rank"}),
        on=("image_id", "other_id"),
        maintain_order="left",
    )
    better = ranked.filter(pl.col("other_rank") < pl.col("rank"))
    stays = better.join(
        better.select("image_id", other_id="object_id").unique(),
        on=("image_id", "other_id"),
        how="anti",
        maintain_order="left",
    )
    merged = stays.sort("other_rank", maintain_order=True).unique(_THING, keep="first", maintain_order=True)
    why = pl.format("{}, {} of the larger box", "likeness", pl.col("of_larger").round(2))
    special = merged.filter("special").unique(("image_id", "other_id"), keep="first", maintain_order=True)
    return joined(
        [
            proposed("object", "duplicate", merged, was=pl.col("name"), why=why),
            proposed(
                "object",
                "more special name",
                special,
                object_id=pl.col("other_id"),
                other_id=None,
                was=pl.col("other"),
                became=pl.col("name"),
                why=pl.format("of {}", "object_id"),
            ),
        ]
    )


def _alike(graphs: Graphs, placed: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Pairs, both ways round, whose boxes and names say that they are one thing."""
    settings = context.settings
    least = min(settings.same_name, settings.related_names, settings.same_kind)
    near = geometry.overlaps(placed).filter(
        (pl.col("of_larger") >= least) | (pl.col("inside") >= settings.stuff_inside)
    )
    names = graphs.objects.select(*_THING, "name")
    named = near.join(names, on=_THING, maintain_order="left").join(
        names.rename({"object_id": "other_id", "name": "other"}), on=("image_id", "other_id"), maintain_order="left"
    )
    schema = {"likeness": pl.String, "share": pl.Float64, "stuff": pl.Boolean, "special": pl.Boolean}
    told = table_of(named, ["name", "other"], schema, lambda *pair: _likeness(context, *pair))
    judged = named.join(told, on=("name", "other"), how="left", maintain_order="left")
    within = pl.col("stuff") & (pl.col("inside") >= settings.stuff_inside)
    one = judged.filter((pl.col("of_larger") >= pl.col("share")) | within)
    # Stuff within stuff holds one way round only; whoever stays, both must know of each other.
    known = pl.concat([one.select(_PAIR), one.select("image_id", object_id="other_id", other_id="object_id")])
    return judged.join(known.unique(), on=_PAIR, how="semi", maintain_order="left")


def _likeness(context: Context, name: str, other: str) -> tuple[str, float, bool, bool]:
    """How names are alike, which share of the larger box is then enough, if both are stuff, if the first is special."""
    vocabulary, settings = context.vocabulary, context.settings
    one, two = vocabulary.noun(name), vocabulary.noun(other)
    if one is None or two is None or {one.gender, two.gender} == {"female", "male"}:
        return "", _NEVER, False, False
    ontology = vocabulary.ontology
    if one.name == two.name:
        several = one.number == "mass" or (name == other == one.plural and one.number == "count")
        share = settings.same_name if name == other else settings.related_names
        return "same name", share, several and name == other, False
    if ontology.alike(one.name, two.name):
        return "related names", settings.related_names, False, ontology.is_a(one.name, two.name)
    if set(one.parents) & set(two.parents):
        return "same kind", settings.same_kind, False, False
    return "", _NEVER, False, False


def _ranks(graphs: Graphs, placed: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Who stays: of stuff the larger, else who is annotated more, then the larger, then the first."""
    mentions = pl.concat(
        [
            graphs.attributes.select(_THING),
            graphs.relations.select(_THING),
            graphs.relations.select("image_id", object_id="subject_id"),
        ]
    )
    stuff = table_of(graphs.objects, ["name"], {"stuff": pl.Boolean}, lambda name: [_is_stuff(context, name)])
    return (
        graphs.objects.select(*_THING, "name")
        .with_row_index("place")
        .join(stuff, on="name", how="left", maintain_order="left")
        .join(mentions.group_by(_THING).agg(mentions=pl.len()), on=_THING, how="left", maintain_order="left")
        .join(geometry.areas(placed), on=_THING, how="left", maintain_order="left")
        .with_columns(mentions=pl.when("stuff").then(0).otherwise(pl.col("mentions").fill_null(0)))
        .sort("mentions", "area", "place", descending=(True, True, False), nulls_last=True)
        .with_row_index("rank")
        .select(*_THING, "rank")
    )


def _is_stuff(context: Context, name: str) -> bool:
    noun = context.vocabulary.noun(name)
    return noun is not None and (noun.number == "mass" or (noun.number == "count" and name == noun.plural))
