"""What a check is and what it finds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from eyechart.analysis.evidence import Evidence

__all__ = ["EXAMPLES", "SEVERITIES", "Check", "Finding", "Severity"]

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""The gravest first: what makes results wrong, what may make them wrong, what is good to know."""

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of fault: its code, how grave it is, what it says, and how it is found.

    >>> def unasked(evidence):
    ...     return evidence["questions"].filter(pl.col("question").is_null()).select(example="question_id")
    >>> Check("unasked", "warning", "Questions have no text.", ("questions",), unasked).code
    'unasked'
    """

    code: str
    severity: Severity
    sentence: str
    """One sentence; ``{detail}`` in it is what the first faulty row says in its column detail."""
    needs: tuple[str, ...]
    """The tables without which there is nothing to check."""
    find: Callable[[Evidence], pl.LazyFrame]
    """One row per fault: an id in the column example, and a detail if the sentence has one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A kind of fault that a benchmark has.

    >>> Finding("empty-box", "warning", 2, ("1/7", "3/9"), "Boxes have no area.").count
    2
    """

    code: str
    severity: Severity
    count: int
    examples: tuple[str, ...]
    """The ids of some, the first in alphabetical order."""
    sentence: str
