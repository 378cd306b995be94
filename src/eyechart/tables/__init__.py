"""The schemas of a benchmark's tables: the one place that says what each column means.

>>> TABLES["pairs"].key
('question_id', 'complement_id')
"""

from eyechart.tables.catalogue import SCHEMA_VERSION, TABLES
from eyechart.tables.schema import Column, Reference, Table

__all__ = ["SCHEMA_VERSION", "TABLES", "Column", "Reference", "Table"]
