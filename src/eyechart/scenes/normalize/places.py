"""Where the picture was taken, and in which weather, if what is in it tells."""

import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.normalize.vocabulary import table_of

__all__ = ["infer_locations", "infer_weather"]

_PLACES = ("room", "outdoor place")
"""Categories of which a large instance is where the picture was taken."""


def infer_locations(graphs: Graphs, placed: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Proposals: a place that is seen itself, else one that enough things are at home in, else indoors or outdoors."""
    open_ = graphs.images.filter(pl.col("location").is_null()).select("image_id")
    found = pl.concat([_seen(graphs, placed, context), _voted(graphs, context), _surroundings(graphs, context)])
    first = found.join(open_, on="image_id", how="semi", maintain_order="left").unique(
        "image_id", keep="first", maintain_order=True
    )
    return proposed("image", "location", first, became=pl.format("location: {}", "place"))


def _seen(graphs: Graphs, placed: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Places that fill much of the picture, the largest."""

    def place(name: str) -> tuple[str | None]:
        is_place = any(context.vocabulary.is_a(name, kind) for kind in _PLACES)
        return (context.vocabulary.noun_name(name) if is_place else None,)

    told = table_of(graphs.objects, ["name"], {"place": pl.String}, place)
    things = graphs.objects.select("image_id", "object_id", "name").join(told, on="name", maintain_order="left")
    sized = things.drop_nulls("place").join(geometry.areas(placed), on=("image_id", "object_id"), maintain_order="left")
    large = sized.filter(pl.col("area") >= context.settings.place_area).sort(
        "area", descending=True, maintain_order=True
    )
    why = pl.format("fills {} of the picture", pl.col("area").round(2))
    return large.unique("image_id", keep="first", maintain_order=True).select("image_id", "place", why=why)


def _voted(graphs: Graphs, context: Context) -> pl.DataFrame:
    """The place that most names are at home in: enough of them, a large enough share, and alone at the top."""

    def places(name: str) -> tuple[list[str]]:
        noun = context.vocabulary.noun(name)
        return ([place for place in noun.places if _is_place(context, place)] if noun is not None else [],)

    told = table_of(graphs.objects, ["name"], {"place": pl.List(pl.String)}, places)
    names = graphs.objects.select("image_id", "name").unique(maintain_order=True).join(told, on="name")
    votes = names.filter(pl.col("place").list.len() > 0).with_columns(voters=pl.len().over("image_id"))
    counted = (
        votes.explode("place").group_by("image_id", "place", "voters").agg(votes=pl.len()).sort("image_id", "place")
    )
    enough = counted.filter(
        pl.col("votes") >= context.settings.place_votes,
        pl.col("votes") >= context.settings.place_share * pl.col("voters"),
        pl.col("votes") == pl.col("votes").max().over("image_id"),
    )
    alone = enough.filter(pl.len().over("image_id") == 1)
    return alone.select("image_id", "place", why=pl.format("{} of {} names", "votes", "voters"))


def _is_place(context: Context, place: str) -> bool:
    return any(context.vocabulary.is_a(place, kind) for kind in _PLACES)


def _surroundings(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Indoors or outdoors, if nothing speaks against it."""
    known = context.vocabulary.lists.surroundings
    told = table_of(
        graphs.objects,
        ["name"],
        {"place": pl.String},
        lambda name: [known.get(context.vocabulary.noun_name(name))],
    )
    names = graphs.objects.select("image_id", "name").join(told, on="name", maintain_order="left").drop_nulls("place")
    by_image = names.group_by("image_id", maintain_order=True).agg(
        pl.col("place").unique(maintain_order=True), why=pl.col("name").unique(maintain_order=True).str.join(", ")
    )
    return by_image.filter(pl.col("place").list.len() == 1).with_columns(pl.col("place").list.first())


def infer_weather(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Proposals: the weather that the sky and what falls from it show, where they agree."""
    rules = pl.DataFrame(
        [(*rule, None)[:3] for rule in context.vocabulary.lists.weather],
        schema=["noun", "attribute", "weather"],
        orient="row",
    )
    nouns = table_of(graphs.objects, ["name"], {"noun": pl.String}, lambda name: [context.vocabulary.noun_name(name)])
    things = (
        graphs.objects.select("image_id", "object_id", "name")
        .join(nouns, on="name", maintain_order="left")
        .join(rules.select("noun").unique(), on="noun", how="semi", maintain_order="left")
    )
    facts = things.join(graphs.attributes, on=("image_id", "object_id"), maintain_order="left")
    shown = pl.concat(
        [
            facts.select("image_id", "noun", "attribute"),
            things.select("image_id", "noun", attribute=pl.lit("")),
        ]
    ).join(rules, on=("noun", "attribute"), maintain_order="left")
    open_ = graphs.images.filter(pl.col("weather").is_null()).select("image_id")
    agreed = (
        shown.join(open_, on="image_id", how="semi", maintain_order="left")
        .group_by("image_id", maintain_order=True)
        .agg(
            pl.col("weather").unique(maintain_order=True),
            why=pl.concat_str("attribute", "noun", separator=" ").str.strip_chars().unique(maintain_order=True),
        )
        .filter(pl.col("weather").list.len() == 1)
    )
    return joined(
        [
            proposed(
                "image",
                "weather",
                agreed.with_columns(pl.col("why").list.join(", ")),
                became=pl.format("weather: {}", pl.col("weather").list.first()),
            )
        ]
    )
