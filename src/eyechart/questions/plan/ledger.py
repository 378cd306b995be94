"""What was refused and why: for each group how many facts there were, and how many of them each guard refused."""

from dataclasses import dataclass, field

import polars as pl

__all__ = ["Ledger"]

ASKED = "asked"
FACTS = "facts"
"""Entries of the ledger that are no refusals: all facts, and those that became questions."""


@dataclass
class Ledger:
    """Counts by group and reason; the ledgers of shards add up.

    >>> ledger = Ledger()
    >>> ledger.facts("exist", 5)
    >>> ledger.refused("exist", "k.count", 2)
    >>> ledger.rows.rows()
    [('exist', 'facts', 5), ('exist', 'k.count', 2)]
    """

    counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def facts(self, group: str, number: int) -> None:
        """There are so many facts that the group could ask about."""
        self._add(group, FACTS, number)

    def refused(self, group: str, reason: str, number: int) -> None:
        """So many facts were not asked about for a reason."""
        self._add(group, reason, number)

    def asked(self, groups: pl.Series) -> None:
        """Questions that were made, by the group of each."""
        for group, number in groups.value_counts(sort=True, name="n").iter_rows():
            self._add(group, ASKED, number)

    @property
    def rows(self) -> pl.DataFrame:
        """As the table ``refusals``."""
        groups, reasons = zip(*self.counts, strict=True) if self.counts else ((), ())
        return pl.DataFrame(
            {"group": groups, "reason": reasons, "count": list(self.counts.values())},
            schema={"group": pl.String, "reason": pl.String, "count": pl.Int64},
        )

    def _add(self, group: str, reason: str, number: int) -> None:
        if number or reason == FACTS:
            self.counts[group, reason] = self.counts.get((group, reason), 0) + number
