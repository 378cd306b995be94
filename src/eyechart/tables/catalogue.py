"""All tables by name, and the version of their schemas."""

from eyechart.tables.images import CAPTIONS, FINGERPRINTS, IMAGES, NEIGHBOURS
from eyechart.tables.questions import (
    ANSWERS,
    CHOICES,
    COVERAGE,
    DECOYS,
    ENTAILMENTS,
    JUDGEMENTS,
    MENTIONS,
    PAIRS,
    QUESTIONS,
    REFUSALS,
    SPLITS,
    UNPAIRED,
)
from eyechart.tables.results import EXTRAS, PREDICTIONS, SCORES
from eyechart.tables.scenes import (
    ATTRIBUTES,
    CHANGES,
    CLIPARTS,
    INVENTORIES,
    OBJECTS,
    REGIONS,
    RELATIONS,
    SENSES,
    TALLIES,
)
from eyechart.tables.schema import Table

__all__ = ["SCHEMA_VERSION", "TABLES"]

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
        DECOYS,
        PAIRS,
        UNPAIRED,
        SPLITS,
        NEIGHBOURS,
        FINGERPRINTS,
        OBJECTS,
        ATTRIBUTES,
        RELATIONS,
        INVENTORIES,
        CHANGES,
        TALLIES,
        REGIONS,
        SENSES,
        CLIPARTS,
        MENTIONS,
        ENTAILMENTS,
        JUDGEMENTS,
        REFUSALS,
        COVERAGE,
        PREDICTIONS,
        SCORES,
        EXTRAS,
    )
}
"""Every table by name, in the order in which they are documented."""
