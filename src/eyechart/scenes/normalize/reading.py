"""The rules that read: names, attributes and predicates of the raw graphs become those of the ontology."""

import math

import polars as pl

from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.normalize.vocabulary import Schema, table_of
from eyechart.scenes.ontology import Noun

__all__ = ["attributes_told", "clean_attributes", "clean_names", "clean_predicates", "names_read"]

_THING = ("image_id", "object_id")
_READ: Schema = {
    "names": pl.List(pl.String),
    "rule": pl.String,
    "why": pl.String,
    "told": pl.List(pl.String),
    "owner": pl.String,
    "instances": pl.Int32,
}
_STRONGEST = 2.0
"""How much, at most, one thing that is seen together with a sense more often than by chance speaks for it."""
_SHARE_OF_COUNTS = 0.25
"""What that counts beside a place that both have in common."""


def names_read(graphs: Graphs, context: Context) -> pl.DataFrame:
    """What each raw name was found to mean; of several names of a thing the first that is known."""
    told = table_of(_all_names(graphs.objects), ["text"], _READ, lambda text: _row(context, text))
    things = graphs.objects.select(*_THING, "name", text="name").join(told, on="text", maintain_order="left")
    unknown = things.filter(pl.col("names").list.len() == 0).select(_THING)
    others = (
        graphs.objects.join(unknown, on=_THING, how="semi", maintain_order="left")
        .select(*_THING, "name", text="other_names")
        .explode("text", empty_as_null=False, keep_nulls=False)
        .join(told, on="text", maintain_order="left")
        .filter(pl.col("names").list.len() > 0)
        .unique(_THING, keep="first", maintain_order=True)
        .with_columns(rule=pl.lit("another name"), why=pl.col("text"))
    )
    kept = things.join(others, on=_THING, how="anti", maintain_order="left")
    return pl.concat([kept, others])


def _all_names(objects: pl.DataFrame) -> pl.DataFrame:
    others = objects["other_names"].explode(empty_as_null=False, keep_nulls=False)
    return pl.concat([objects["name"], others]).to_frame("text")


def _row(context: Context, text: str) -> tuple[object, ...]:
    reading = context.vocabulary.name(text)
    noun = context.vocabulary.noun(reading.names[0]) if reading.names else None
    count = context.tallies.objects.get(noun.name, 0) if noun is not None else 0
    if noun is not None and _is_rare(context, "object", count):
        return [], "rare", f"{noun.name} occurs {count} times", [], "", None
    names = list(reading.names)
    return names, reading.rule, reading.why, list(reading.attributes), reading.owner, reading.instances


def _is_rare(context: Context, kind: str, count: int) -> bool:
    """Whether so many are too small a share of all that were counted of a kind."""
    return count < context.settings.rare * context.tallies.totals.get(kind, 0)


def clean_names(read: pl.DataFrame, context: Context) -> pl.DataFrame:
    """Proposals: names of the ontology, and things dropped that it does not name."""
    chosen = read.join(_senses(read, context), on=_THING, how="left", maintain_order="left").with_columns(
        became=pl.coalesce("sense", pl.col("names").list.first()),
        rule=pl.when(pl.col("sense").is_not_null()).then(pl.lit("sense by context")).otherwise("rule"),
        why=pl.coalesce("score", "why"),
    )
    changed = chosen.filter(pl.col("became").ne_missing(pl.col("name")))
    return proposed("object", "name", changed, was=pl.col("name"))


def attributes_told(graphs: Graphs, read: pl.DataFrame) -> pl.DataFrame:
    """Proposals: attributes that were hidden in names, unless the name has stayed as it was."""
    told = read.filter(pl.col("told").list.len() > 0).select(*_THING, "name", became="told", why="name")
    renamed = told.join(graphs.objects.select(*_THING, new="name"), on=_THING, maintain_order="left").filter(
        pl.col("new") != pl.col("name")
    )
    return proposed("attribute", "attribute in name", renamed.explode("became"))


def _senses(read: pl.DataFrame, context: Context) -> pl.DataFrame:
    """For names of several senses the one that the other things of the picture speak for, if not the likeliest."""
    open_ = read.filter(pl.col("names").list.len() > 1)
    empty = {"image_id": pl.String, "object_id": pl.String, "sense": pl.String, "score": pl.String}
    if open_.is_empty():
        return pl.DataFrame(schema=empty)
    sure = read.filter(pl.col("names").list.len() == 1).select("image_id", other=pl.col("names").list.first())
    candidates = open_.select(*_THING, sense="names", rank=pl.int_ranges(pl.col("names").list.len())).explode(
        "sense", "rank"
    )
    at_home = table_of(candidates, ["sense"], {"at_home": pl.Boolean}, lambda sense: [_is_at_home(context, sense)])
    # Where one sense is at home nowhere, places cannot decide between them.
    candidates = candidates.join(at_home, on="sense", how="left", maintain_order="left").with_columns(
        pl.col("at_home").all().over(_THING)
    )
    met = candidates.join(sure.unique(maintain_order=True), on="image_id", how="left", maintain_order="left")
    schema = {"common": pl.Float64, "lift": pl.Float64}
    weights = table_of(met.drop_nulls("other"), ["sense", "other"], schema, lambda *pair: _affinity(context, *pair))
    weight = pl.when("at_home").then("common").otherwise(0.0) + pl.col("lift")
    scored = (
        met.join(weights, on=("sense", "other"), how="left", maintain_order="left")
        .group_by(*_THING, "sense", "rank", maintain_order=True)
        .agg(weight.sum().alias("weight"))
    )
    best = scored.sort("weight", "rank", descending=(True, False), maintain_order=True).unique(
        _THING, keep="first", maintain_order=True
    )
    first = scored.filter(pl.col("rank") == 0).select(*_THING, likeliest="sense", least="weight")
    return (
        best.join(first, on=_THING, maintain_order="left")
        .filter(pl.col("weight") > pl.max_horizontal("least", 0.0) + context.settings.sense_margin)
        .select(
            *_THING,
            "sense",
            score=pl.format("{} {}, {} {}", "sense", pl.col("weight").round(2), "likeliest", pl.col("least").round(2)),
        )
    )


def _is_at_home(context: Context, sense: str) -> bool:
    noun = context.vocabulary.noun(sense)
    return noun is not None and bool(noun.places)


def _affinity(context: Context, sense: str, other: str) -> tuple[float, float]:
    """How much one thing in a picture speaks for a sense: by places in common, and by what is seen together."""
    one, two = context.vocabulary.noun(sense), context.vocabulary.noun(other)
    if one is None or two is None:
        return 0.0, 0.0
    return _common_places(one, two), _lift(context, one.name, two.name)


def _common_places(one: Noun, two: Noun) -> float:
    """The cosine between the places of two things: what is at home everywhere speaks for little."""
    common = len(set(one.places) & set(two.places))
    return common / math.sqrt(len(one.places) * len(two.places)) if common else 0.0


def _lift(context: Context, one: str, two: str) -> float:
    """How much more often than by chance two things are seen together, where there are enough pictures to tell."""
    seen = context.tallies.together
    expected = seen.get((one, one), 0) * seen.get((two, two), 0) / max(context.tallies.images, 1)
    lift = math.log(max(seen.get((one, two), 0), 1) / expected) if expected >= 1 else 0.0
    return _SHARE_OF_COUNTS * min(max(lift, -_STRONGEST), _STRONGEST)


def clean_attributes(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Proposals: values of the ontology; dropped is what it does not know, or what the thing cannot have."""
    rows = graphs.attributes.join(graphs.objects.select(*_THING, "name"), on=_THING, how="left", maintain_order="left")
    schema: Schema = {"values": pl.List(pl.String), "rule": pl.String, "why": pl.String}
    told = table_of(rows, ["name", "attribute"], schema, lambda *pair: _attribute(context, *pair))
    read = rows.join(told, on=("name", "attribute"), how="left", maintain_order="left", nulls_equal=True)
    changed = read.filter(pl.col("values").list.first().ne_missing(pl.col("attribute")))
    further = read.select(*_THING, "why", "rule", became=pl.col("values").list.slice(1)).explode("became").drop_nulls()
    return joined(
        [
            proposed("attribute", "attribute", changed, was=pl.col("attribute"), became=pl.col("values").list.first()),
            proposed("attribute", "attribute", further),
        ]
    )


def _attribute(context: Context, name: str | None, text: str) -> tuple[list[str], str, str]:
    if name is None:
        return [], "no such object", ""
    reading = context.vocabulary.attribute(context.vocabulary.noun_name(name), text)
    values, rule, why = reading.attributes, reading.rule, reading.why
    if not values:
        noun = context.vocabulary.noun_name(name)
        counts = context.tallies.attributes
        trusted = [value for value in reading.forbidden if counts.get((noun, value), 0) >= context.settings.trusted]
        values, rule = tuple(trusted), "synonym" if trusted else rule
    rare = [value for value in values if _is_rare(context, "attribute", context.tallies.attribute_counts.get(value, 0))]
    if rare:
        return [value for value in values if value not in rare], "rare", f"{rare[0]} is rare"
    return list(values), rule, why


def clean_predicates(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Proposals: relations of the ontology, what they tell of the subject, and relations dropped."""
    names = graphs.objects.select("image_id", "object_id", "name")
    rows = (
        graphs.relations.select("image_id", "subject_id", "predicate", "object_id")
        .join(
            names.rename({"object_id": "subject_id", "name": "subject"}),
            on=("image_id", "subject_id"),
            how="left",
            maintain_order="left",
        )
        .join(names.rename({"name": "target"}), on=("image_id", "object_id"), how="left", maintain_order="left")
    )
    schema: Schema = {"became": pl.String, "rule": pl.String, "why": pl.String, "told": pl.List(pl.String)}
    told = table_of(rows, ["subject", "predicate", "target"], schema, lambda *triple: _relation(context, *triple))
    read = rows.join(
        told, on=("subject", "predicate", "target"), how="left", maintain_order="left", nulls_equal=True
    ).rename({"subject_id": "object_id", "object_id": "other_id"})
    changed = read.filter(pl.col("became").ne_missing(pl.col("predicate")))
    poses = read.select(*_THING, became="told", why="predicate").explode("became").drop_nulls("became")
    return joined(
        [
            proposed("relation", "relation", changed, was=pl.col("predicate")),
            proposed("attribute", "attribute in predicate", poses.unique((*_THING, "became"), maintain_order=True)),
        ]
    )


def _relation(
    context: Context, subject: str | None, predicate: str, target: str | None
) -> tuple[str | None, str, str, list[str]]:
    if subject is None or target is None:
        return None, "no such object", "", []
    reading = context.vocabulary.predicate(predicate)
    if not reading.relations:
        return None, reading.rule, reading.why, []
    ontology, noun = context.vocabulary.ontology, context.vocabulary.noun_name
    sensible = [each for each in reading.relations if ontology.makes_sense(noun(subject), each, noun(target))]
    relation = (sensible or reading.relations)[0]
    if _is_rare(context, "relation", context.tallies.relation_counts.get(relation, 0)):
        return None, "rare", f"{relation} is rare", []
    return relation, reading.rule, reading.why, list(reading.attributes)
