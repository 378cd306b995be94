"""What scene graphs hold: objects, their kinds, attributes and relations (GQA, section 3.1 and figures 11 and 12)."""

from collections.abc import Mapping
from functools import partial

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total
from eyechart.analysis.views import Views
from eyechart.metrics import Absent
from eyechart.scenes import ontology

__all__ = ["attributes", "categories", "clouds", "objects", "relations", "tree"]

_MOST = 30
_MOST_WORDS = 40
_SIDES = r"\b(left|right)\b"
"""Every pair of things has a left and a right one, which says nothing."""
_RINGS = 3
_SMALLEST = 0.004


def _counted(views: Views, table: str, column: str) -> pl.DataFrame:
    counted = (
        views[table].drop_nulls(column).group_by(pl.col(column).str.to_lowercase()).agg(times=pl.len().cast(pl.Int64))
    )
    rows = counted.sort("times", column, descending=[True, False]).collect(engine="streaming")
    if not rows.height:
        raise Absent(f"the table {table} has no {column}")
    return rows.with_columns(share=pl.col("times") / pl.col("times").sum())


def _frequent(views: Views, table: str, column: str, label: str) -> list[Result]:
    rows = _counted(views, table, column)
    word, share = rows.select(column, "share").row(0)
    title = f"“{word}” is the most frequent of {rows.height:,} {label}: {share:.1%} of {total(rows['times']):,.0f}"
    about = f"The {min(_MOST, rows.height)} most frequent {label} of the scene graphs."
    chart = Chart("bars", x=column, y="times", y_title="times")
    return [Result(f"frequent-{table}", title, about, rows.head(_MOST), chart)]


objects = partial(_frequent, table="objects", column="name", label="names of objects")
attributes = partial(_frequent, table="attributes", column="attribute", label="attributes")
relations = partial(_frequent, table="relations", column="predicate", label="relations")


def clouds(views: Views) -> list[Result]:
    """Frequent objects, attributes and relations as words (GQA, figure 7)."""
    parts = []
    for table, column in (("objects", "name"), ("attributes", "attribute"), ("relations", "predicate")):
        if table in views:
            counted = _counted(views, table, column).rename({column: "word"})
            parts.append(counted.filter(~pl.col("word").str.contains(_SIDES)).with_columns(of=pl.lit(table)))
    rows = pl.concat(part.head(_MOST_WORDS) for part in parts).select("word", "of", "share", "times")
    different = ", ".join(f"{part.height:,} {part['of'][0]}" for part in parts if part.height)
    about = "The most frequent, as large as they are frequent, without left and right (GQA, figure 7)."
    chart = Chart("words", x="word", y="share", color="of")
    return [Result("scene-words", f"Scenes name {different}", about, rows, chart)]


def categories(views: Views) -> list[Result]:
    """How many things of each category there are; a thing counts for each of its categories."""
    named = _named(views)
    words = ontology.packaged_ontology()
    below = {name for name, category in words.categories.items() if category.parents}
    pairs = [(name, each) for name in named["name"] for each in words.ancestors(name) if each in below]
    above = pl.DataFrame(pairs, schema={"name": pl.String, "category": pl.String}, orient="row")
    rows = named.join(above, on="name").group_by("category").agg(pl.col("times").sum())
    if not rows.height:
        raise Absent("the ontology knows none of the names")
    rows = rows.with_columns(share=pl.col("times") / named["times"].sum()).sort(
        "times", "category", descending=[True, False]
    )
    category, share = rows.select("category", "share").row(0)
    title = f"{share:.0%} of the things that the ontology knows are of the category “{category}”"
    about = "Things by category of the ontology; a thing counts for every category that it belongs to."
    chart = Chart("bars", x="category", y="share", y_title="share of things", percent=True)
    return [Result("frequent-categories", title, about, rows.head(_MOST), chart)]


def tree(views: Views) -> list[Result]:
    """The things of a set in the ontology's hierarchy, most general in the middle (GQA, figure 12)."""
    named = _named(views)
    words = ontology.packaged_ontology()
    whole = {name: _chain(words.hierarchy.parents, name) for name in named["name"]}
    # The root of everything would fill the first ring and say nothing.
    chains = {name: (chain[1:] or chain)[:_RINGS] for name, chain in whole.items()}
    levels = [f"level_{ring + 1}" for ring in range(_RINGS)]
    paths = pl.DataFrame(
        [(name, *chain, *[None] * (_RINGS - len(chain))) for name, chain in chains.items()],
        schema={"name": pl.String, **dict.fromkeys(levels, pl.String)},
        orient="row",
    )
    rows = named.join(paths, on="name").group_by(levels).agg(things=pl.col("times").sum())
    things = total(rows["things"])
    small = pl.col("things") < _SMALLEST * things
    last = pl.when(small).then(pl.lit("…")).otherwise(pl.col(levels[-1]))
    rows = rows.with_columns(pl.when(pl.col(levels[-1]).is_null()).then(None).otherwise(last).alias(levels[-1]))
    rows = (
        rows.group_by(levels)
        .agg(pl.col("things").sum())
        .sort(["things", *levels], descending=[True, *[False] * _RINGS])
    )
    root, most = (
        rows.group_by(levels[0]).agg(pl.col("things").sum()).sort("things", levels[0], descending=[True, False]).row(0)
    )
    title = f"{most / things:.0%} of things are a kind of “{root}”"
    about = "Things by their place in the ontology, the most general categories in the middle (GQA, figure 12)."
    return [Result("ontology-tree", title, about, rows, Chart("sunburst", y="things", path=tuple(levels)))]


def _named(views: Views) -> pl.DataFrame:
    """How often each noun of the ontology is there: name, times."""
    words = ontology.packaged_ontology()
    counted = _counted(views, "objects", "name")
    nouns = [None if (noun := words.noun(name)) is None else noun.name for name in counted["name"]]
    known = counted.with_columns(pl.Series("name", nouns, dtype=pl.String)).drop_nulls("name")
    if not known.height:
        raise Absent("the ontology knows none of the names")
    return known.group_by("name").agg(pl.col("times").sum()).sort("name")


def _chain(parents: Mapping[str, tuple[str, ...]], name: str) -> list[str]:
    """From the most general name down to this one, by the first of several parents."""
    chain = [name]
    while above := [each for each in parents.get(chain[-1], ())[:1] if each not in chain]:
        chain += above
    return chain[::-1]
