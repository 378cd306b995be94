"""Faults of keys and references: rows that repeat an id, and ids that name nothing."""

import polars as pl

from eyechart.analysis.evidence import Evidence
from eyechart.analysis.findings import Check
from eyechart.tables import TABLES, Reference

__all__ = ["KEY_CHECKS"]

_STATEMENTS = ("attributes", "relations", "mentions", "entailments", "senses")
"""Tables whose rows say something of other rows: said twice is no more than once."""

_SPECIAL = ("questions", "fingerprints")
"""Tables whose references have checks of their own."""


def _repeated_keys(evidence: Evidence) -> pl.LazyFrame:
    return _repeated(evidence, [name for name in TABLES if name not in _STATEMENTS])


def _repeated_statements(evidence: Evidence) -> pl.LazyFrame:
    return _repeated(evidence, list(_STATEMENTS))


def _repeated(evidence: Evidence, names: list[str]) -> pl.LazyFrame:
    frames = [_repeats(evidence[name], name) for name in names if name in evidence and TABLES[name].key]
    return pl.concat([pl.LazyFrame(schema={"example": pl.String}), *frames])


def _repeats(rows: pl.LazyFrame, name: str) -> pl.LazyFrame:
    key = TABLES[name].key
    # Hashes first: grouping tens of millions of string keys costs ten times as much as hashing them.
    suspects = rows.select(key).drop_nulls().filter(pl.struct(key).hash().is_duplicated())
    return suspects.group_by(key).len().filter(pl.col("len") > 1).select(example=_named(name, key))


def _named(table: str, columns: tuple[str, ...]) -> pl.Expr:
    return pl.concat_str(
        pl.lit(f"{table} "), pl.concat_str([pl.col(c).cast(pl.String) for c in columns], separator="/")
    )


def _dangling(evidence: Evidence) -> pl.LazyFrame:
    frames = [
        _unresolved(evidence, name, reference)
        for name, table in TABLES.items()
        for reference in table.references
        if name in evidence and name not in _SPECIAL
    ]
    return pl.concat([pl.LazyFrame(schema={"example": pl.String}), *frames])


def _unresolved(evidence: Evidence, name: str, reference: Reference) -> pl.LazyFrame:
    ids = evidence[name].select(reference.columns).drop_nulls().unique()
    targets = evidence[reference.table].select(reference.targets)
    return ids.join(targets, left_on=reference.columns, right_on=reference.targets, how="anti").select(
        example=_named(f"{name}.{reference.columns[-1]}", reference.columns)
    )


def _unknown_image(evidence: Evidence) -> pl.LazyFrame:
    questions = evidence["questions"].drop_nulls("image_id")
    return questions.join(evidence["images"], on="image_id", how="anti").select(example="question_id")


def _no_image(evidence: Evidence) -> pl.LazyFrame:
    return evidence["questions"].filter(pl.col("image_id").is_null()).select(example="question_id")


def _unresolved_mention(evidence: Evidence) -> pl.LazyFrame:
    objects = evidence["objects"].select("image_id", "object_id")
    placed = (
        evidence["mentions"]
        .select("question_id", "object_id")
        .join(evidence["questions"].select("question_id", "image_id"), on="question_id")
        # Scene graphs are often published for a part of the pictures; without one there is nothing to resolve in.
        .join(objects.select("image_id").unique(), on="image_id", how="semi")
    )
    return placed.join(objects, on=["image_id", "object_id"], how="anti").select(
        example=pl.format("{}/{}", "question_id", "object_id")
    )


def _unresolved_entailment(evidence: Evidence) -> pl.LazyFrame:
    entailed = evidence["entailments"].select(question_id="entailed_id").drop_nulls().unique()
    return entailed.join(evidence["questions"], on="question_id", how="anti").select(example="question_id")


KEY_CHECKS = (
    Check("repeated-key", "error", "Rows of a table have the same key.", (), _repeated_keys),
    Check(
        "repeated-statement", "note", "The scene graph or the grounding says the same twice.", (), _repeated_statements
    ),
    Check("dangling-reference", "error", "Rows name an id that the table it points to does not have.", (), _dangling),
    Check(
        "unknown-image",
        "error",
        "Questions are about an image that the images do not have.",
        ("questions",),
        _unknown_image,
    ),
    Check("question-without-image", "warning", "Questions name no image.", ("questions",), _no_image),
    Check(
        "unresolved-mention",
        "warning",
        "Questions point to an object that the scene graph of their image does not have.",
        ("mentions", "objects", "questions"),
        _unresolved_mention,
    ),
    Check(
        "unresolved-entailment",
        "note",
        "Questions that others entail are not in the benchmark, so consistency can only be measured in part.",
        ("entailments", "questions"),
        _unresolved_entailment,
    ),
)
