"""Triples that sound unnatural, and what becomes of them: rewritten where a rule knows how, dropped where none does.

Four witnesses, in this order: rules about categories, what the ontology says of each relation, how often the triple
should occur by chance and does not, and scores of n-grams.
"""

from collections.abc import Iterator

import polars as pl

from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.graph import Graphs, joined, proposed
from eyechart.scenes.normalize.lists import TripleRule
from eyechart.scenes.normalize.vocabulary import table_of

__all__ = ["contradictions", "prune_triples", "triples_named"]

Verdict = tuple[str | None, bool, str, str]
"""The relation that stays or becomes, whether it turns round, the rule and the reason; an empty rule for no change."""


def triples_named(graphs: Graphs) -> pl.DataFrame:
    """The relations with the names of their ends."""
    names = graphs.objects.select("image_id", "object_id", "name")
    return (
        graphs.relations.select("image_id", "subject_id", "predicate", "object_id")
        .join(
            names.rename({"object_id": "subject_id", "name": "subject"}),
            on=("image_id", "subject_id"),
            maintain_order="left",
        )
        .join(names.rename({"name": "target"}), on=("image_id", "object_id"), maintain_order="left")
    )


def prune_triples(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Proposals: relations rewritten, turned or dropped."""
    rows = triples_named(graphs)
    schema = {"became": pl.String, "turned": pl.Boolean, "rule": pl.String, "why": pl.String}
    told = table_of(rows, ["subject", "predicate", "target"], schema, lambda *triple: _judged(context, *triple))
    read = rows.join(told, on=("subject", "predicate", "target"), how="left", maintain_order="left").rename(
        {"subject_id": "object_id", "object_id": "other_id"}
    )
    itself = pl.col("object_id") == pl.col("other_id")
    read = read.with_columns(
        became=pl.when(~itself).then("became"),
        rule=pl.when(itself).then(pl.lit("to itself")).otherwise("rule"),
        turned=pl.col("turned") & ~itself,
    )
    changed = read.filter(pl.col("rule") != "")
    straight, turned = changed.filter(~pl.col("turned")), changed.filter("turned")
    round_ = turned.select("image_id", "rule", "why", "became", object_id="other_id", other_id="object_id")
    return joined(
        [
            proposed("relation", "triple", straight, was=pl.col("predicate")),
            proposed("relation", "triple", turned, was=pl.col("predicate"), became=None),
            proposed("relation", "triple", round_),
        ]
    )


def _judged(context: Context, subject: str, relation: str, target: str) -> Verdict:
    noun = context.vocabulary.noun_name
    triple = (noun(subject), relation, noun(target))
    return next(
        (
            verdict
            for witness in (_by_category, _by_ontology, _by_chance, _by_ngram)
            if (verdict := witness(context, *triple)) is not None
        ),
        (relation, False, "", ""),
    )


def _by_category(context: Context, subject: str, relation: str, target: str) -> Verdict | None:
    for rule in _rules_of(context, relation):
        if context.vocabulary.is_a(subject, rule.subject) and context.vocabulary.is_a(target, rule.target):
            why = f"{rule.subject} {rule.relation} {rule.target}"
            return rule.becomes or None, rule.action == "turn", "category rule", why
    return None


def _rules_of(context: Context, relation: str) -> Iterator[TripleRule]:
    ontology = context.vocabulary.ontology
    above = {relation, *(ontology.implied(relation) if relation in ontology.relations else ())}
    return (rule for rule in context.vocabulary.lists.triples if rule.relation in above and rule.becomes != relation)


def _by_ontology(context: Context, subject: str, relation: str, target: str) -> Verdict | None:
    """A relation that makes no sense between two things becomes the more general one that does."""
    ontology = context.vocabulary.ontology
    if relation not in ontology.relations or ontology.makes_sense(subject, relation, target):
        return None
    if context.tallies.triples.get((subject, relation, target), 0) >= context.settings.trusted:
        return None
    general = next((each for each in ontology.implied(relation) if ontology.makes_sense(subject, each, target)), None)
    return general, False, "unnatural", f"{subject} {relation} {target}"


def _by_chance(context: Context, subject: str, relation: str, target: str) -> Verdict | None:
    """Far rarer than ends and relation that have nothing to do with each other would meet."""
    total = context.tallies.relation_counts.get(relation, 0)
    if not total:
        return None
    expected = (
        context.tallies.starts.get((subject, relation), 0) * context.tallies.ends.get((relation, target), 0) / total
    )
    found = context.tallies.triples.get((subject, relation, target), 0)
    if expected < context.settings.expected or found >= context.settings.lift * expected:
        return None
    return None, False, "rarer than chance", f"{found} times, {expected:.0f} by chance"


def _by_ngram(context: Context, subject: str, relation: str, target: str) -> Verdict | None:
    phrase = f"{subject} {relation} {target}"
    score = context.ngrams.get(phrase)
    if score is None or score >= context.settings.ngram:
        return None
    return None, False, "n-gram", f"{phrase}: {score:g}"


def contradictions(graphs: Graphs, context: Context) -> pl.DataFrame:
    """Proposals: of two opposite attributes of a thing neither is known to hold; both are dropped."""
    rows = graphs.attributes
    ontology = context.vocabulary.ontology

    def opposite(attribute: str) -> tuple[str | None]:
        known = ontology.attributes.get(attribute)
        return (known.opposite if known is not None else None,)

    told = table_of(rows, ["attribute"], {"opposite": pl.String}, opposite)
    both = rows.join(told, on="attribute", how="left", maintain_order="left").drop_nulls("opposite")
    facts = rows.rename({"attribute": "opposite"})
    found = both.join(facts, on=("image_id", "object_id", "opposite"), how="semi", maintain_order="left")
    return proposed("attribute", "contradiction", found, was=pl.col("attribute"), why=pl.col("opposite"))
