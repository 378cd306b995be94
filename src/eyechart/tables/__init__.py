"""The schemas of a benchmark's tables: the one place that says what each column means.

>>> TABLES["pairs"].key
('question_id', 'complement_id')
"""

from eyechart.tables.images import CAPTIONS, IMAGES, NEIGHBOURS
from eyechart.tables.questions import ANSWERS, CHOICES, ENTAILMENTS, JUDGEMENTS, MENTIONS, PAIRS, QUESTIONS
from eyechart.tables.results import EXTRAS, PREDICTIONS, SCORES
from eyechart.tables.scenes import ATTRIBUTES, OBJECTS, REGIONS, RELATIONS, SENSES
from eyechart.tables.schema import Column, Reference, Table

__all__ = ["SCHEMA_VERSION", "TABLES", "Column", "Reference", "Table"]

SCHEMA_VERSION = 1
"""Raised by one with every change of a schema; ``store.migrations`` says how old folders are read."""

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        IMAGES,
        CAPTIONS,
        QUESTIONS,
        ANSWERS,
        CHOICES,
        PAIRS,
        NEIGHBOURS,
        OBJECTS,
        ATTRIBUTES,
        RELATIONS,
        REGIONS,
        SENSES,
        MENTIONS,
        ENTAILMENTS,
        JUDGEMENTS,
        PREDICTIONS,
        SCORES,
        EXTRAS,
    )
}
"""Every table by name, in the order in which they are documented."""
