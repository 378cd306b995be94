"""How often what occurs in a whole set: a pass of its own, by which rarity, chance and context are judged."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eyechart.scenes.normalize.graph import Graphs
from eyechart.scenes.normalize.vocabulary import Schema, Vocabulary, table_of
from eyechart.tables import TABLES

__all__ = ["Tallies", "add_up", "survey"]

_KEY = ("kind", "subject", "value", "object")


def survey(graphs: Graphs, vocabulary: Vocabulary) -> pl.DataFrame:
    """The counts of some pictures: things, attributes of things, triples, and what is seen together.

    >>> from eyechart.scenes.normalize.vocabulary import packaged_vocabulary
    >>> dogs = pl.DataFrame({"image_id": ["1", "1"], "object_id": ["a", "b"], "name": ["Dog", "dogs"]})
    >>> survey(Graphs.of({"objects": dogs}), packaged_vocabulary()).filter(kind="object").row(0)
    ('object', 'dog', None, None, 2)
    """
    things = _things(graphs, vocabulary)
    counted = [
        _counted("image", graphs.images.with_columns(subject=None)),
        _counted("object", things),
        _counted("attribute", _attributes(graphs, things, vocabulary)),
        _counted("relation", _triples(graphs, things, vocabulary)),
        _counted("together", _together(things, vocabulary)),
    ]
    return add_up(pl.concat(counted))


def add_up(tallies: pl.DataFrame) -> pl.DataFrame:
    """Counts of parts as counts of the whole, in alphabetical order.

    >>> dogs = pl.DataFrame({"kind": "object", "subject": "dog", "value": None, "object": None, "count": [2, 3]})
    >>> add_up(dogs)["count"].to_list()
    [5]
    """
    return tallies.group_by(_KEY).agg(pl.col("count").sum()).sort(_KEY, nulls_last=True)


def _counted(kind: str, rows: pl.DataFrame) -> pl.DataFrame:
    given = [name for name in _KEY[1:] if name in rows.columns]
    counted = rows.group_by(given, maintain_order=True).agg(count=pl.len())
    return TABLES["tallies"].conform(counted.with_columns(kind=pl.lit(kind)))


def _things(graphs: Graphs, vocabulary: Vocabulary) -> pl.DataFrame:
    def told(name: str) -> tuple[str | None, bool, tuple[str, ...]]:
        reading = vocabulary.name(name)
        if not reading.names:
            return None, False, ()
        return vocabulary.noun_name(reading.names[0]), len(reading.names) == 1, reading.attributes

    schema: Schema = {"subject": pl.String, "sure": pl.Boolean, "told": pl.List(pl.String)}
    nouns = table_of(graphs.objects, ["name"], schema, told)
    return (
        graphs.objects.select("image_id", "object_id", "name")
        .join(nouns, on="name", how="left", maintain_order="left")
        .drop_nulls("subject")
    )


def _attributes(graphs: Graphs, things: pl.DataFrame, vocabulary: Vocabulary) -> pl.DataFrame:
    def told(name: str, attribute: str) -> tuple[list[str]]:
        reading = vocabulary.attribute(name, attribute)
        return ([*reading.attributes, *reading.forbidden],)

    stated = graphs.attributes.join(things, on=("image_id", "object_id"), maintain_order="left")
    hidden = things.select("subject", attribute="told").explode("attribute", empty_as_null=False)
    rows = pl.concat(
        [each.select("subject", "attribute") for each in (stated, hidden, _poses(graphs, things, vocabulary))]
    )
    values = table_of(rows, ["subject", "attribute"], {"value": pl.List(pl.String)}, told)
    return (
        rows.join(values, on=("subject", "attribute"), how="left", maintain_order="left")
        .select("subject", "value")
        .explode("value")
        .drop_nulls()
    )


def _poses(graphs: Graphs, things: pl.DataFrame, vocabulary: Vocabulary) -> pl.DataFrame:
    """The attributes of subjects that predicates hold: "standing next to"."""
    schema = {"attribute": pl.List(pl.String)}
    told = table_of(graphs.relations, ["predicate"], schema, lambda text: [vocabulary.predicate(text).attributes])
    subjects = things.select("image_id", "subject", subject_id="object_id")
    holding = told.filter(pl.col("attribute").list.len() > 0)
    found = graphs.relations.select("image_id", "subject_id", "predicate").join(holding, on="predicate")
    return found.join(subjects, on=("image_id", "subject_id")).explode("attribute")


def _triples(graphs: Graphs, things: pl.DataFrame, vocabulary: Vocabulary) -> pl.DataFrame:
    def told(predicate: str) -> tuple[str | None]:
        return (next(iter(vocabulary.predicate(predicate).relations), None),)

    relations = table_of(graphs.relations, ["predicate"], {"value": pl.String}, told)
    ends = things.select("image_id", "object_id", "subject")
    return (
        graphs.relations.select("image_id", "subject_id", "predicate", "object_id")
        .join(relations, on="predicate", how="left", maintain_order="left")
        .drop_nulls("value")
        .join(ends.rename({"subject": "object"}), on=("image_id", "object_id"), maintain_order="left")
        .join(ends.rename({"object_id": "subject_id"}), on=("image_id", "subject_id"), maintain_order="left")
        .select("subject", "value", "object")
    )


def _together(things: pl.DataFrame, vocabulary: Vocabulary) -> pl.DataFrame:
    """What the senses of ambiguous words are seen with, where the sense is sure; once per picture."""
    nouns = vocabulary.ontology.nouns.values()
    senses = {
        sense.name for noun in nouns for word in noun.ambiguous for sense in vocabulary.ontology.nouns_of(word)
    } | {noun.name for noun in nouns if noun.ambiguous}
    sure = things.filter("sure").select("image_id", "subject").unique(maintain_order=True)
    of_interest = sure.join(pl.DataFrame({"subject": sorted(senses)}, schema={"subject": pl.String}), on="subject")
    both = of_interest.join(sure.rename({"subject": "object"}), on="image_id")
    # With itself each sure noun counts, too: in how many pictures it surely is.
    others = both.select("subject", "object").filter(pl.col("subject") != pl.col("object"))
    return pl.concat([others, sure.select("subject", object="subject")])


@dataclass(frozen=True)
class Tallies:
    """The counts of a set, for looking up."""

    rows: pl.DataFrame

    @cached_property
    def images(self) -> int:
        """How many pictures were counted."""
        return sum(self._of("image", "subject").values())

    @cached_property
    def objects(self) -> dict[str, int]:
        """How often each noun was annotated."""
        return {noun: count for (noun,), count in self._of("object", "subject").items()}

    @cached_property
    def attributes(self) -> dict[tuple[str, ...], int]:
        """How often each noun had each attribute."""
        return self._of("attribute", "subject", "value")

    @cached_property
    def triples(self) -> dict[tuple[str, ...], int]:
        """How often each triple was annotated."""
        return self._of("relation", "subject", "value", "object")

    @cached_property
    def together(self) -> dict[tuple[str, ...], int]:
        """In how many pictures each two nouns were surely seen; of a noun with itself, in how many it was."""
        return self._of("together", "subject", "object")

    @cached_property
    def relation_counts(self) -> dict[str, int]:
        """How often each relation was annotated."""
        return {relation: count for (relation,), count in self._of("relation", "value").items()}

    @cached_property
    def attribute_counts(self) -> dict[str, int]:
        """How often each attribute was annotated."""
        return {attribute: count for (attribute,), count in self._of("attribute", "value").items()}

    @cached_property
    def starts(self) -> dict[tuple[str, ...], int]:
        """How often each subject had each relation."""
        return self._of("relation", "subject", "value")

    @cached_property
    def ends(self) -> dict[tuple[str, ...], int]:
        """How often each relation had each object."""
        return self._of("relation", "value", "object")

    @cached_property
    def totals(self) -> dict[str, int]:
        """How many things, attributes of things and triples were counted in all."""
        counted = self.rows.group_by("kind").agg(pl.col("count").sum())
        return dict(counted.iter_rows())

    def _of(self, kind: str, *columns: str) -> dict[tuple[str, ...], int]:
        counted = self.rows.filter(kind=kind).group_by(columns).agg(pl.col("count").sum())
        return {row[:-1]: row[-1] for row in counted.iter_rows()}
