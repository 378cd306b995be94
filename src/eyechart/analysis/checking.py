"""All checks over the tables of a benchmark."""

from collections.abc import Collection, Mapping

import polars as pl

from eyechart.analysis.catalogue import CHECKS
from eyechart.analysis.checks.files import fitting
from eyechart.analysis.evidence import DISTANCE, Evidence
from eyechart.analysis.findings import EXAMPLES, SEVERITIES, Check, Finding

__all__ = ["find_faults"]


def find_faults(
    tables: Mapping[str, pl.LazyFrame], *, codes: Collection[str] | None = None, distance: int = DISTANCE
) -> list[Finding]:
    """What is wrong with a benchmark, the gravest first; only what these codes name, if some are given.

    Besides a benchmark's tables, ``fingerprints`` (of its pictures) and ``damages`` (of its files) may be among them.

    >>> relations = pl.DataFrame({"image_id": ["1"], "subject_id": ["7"], "predicate": ["on"], "object_id": ["7"]})
    >>> from eyechart.tables import TABLES
    >>> tables = {"relations": TABLES["relations"].conform(relations).lazy()}
    >>> [(fault.code, fault.examples) for fault in find_faults(tables, codes=["self-relation"])]
    [('self-relation', ('1/7 (on)',))]
    """
    evidence = Evidence(fitting(tables), distance)
    wanted = CHECKS.values() if codes is None else [check for code, check in CHECKS.items() if code in codes]
    checks = [check for check in wanted if all(table in evidence for table in check.needs)]
    counted = pl.collect_all([_counted(check, evidence) for check in checks])
    found = [_finding(check, rows) for check, rows in zip(checks, counted, strict=True) if rows["count"].item()]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def _counted(check: Check, evidence: Evidence) -> pl.LazyFrame:
    faults = check.find(evidence)
    details = [pl.col("detail").min()] if "{detail}" in check.sentence else []
    examples = pl.col("example").unique().bottom_k(EXAMPLES).sort().implode()
    return faults.select(pl.len().alias("count"), examples, *details)


def _finding(check: Check, rows: pl.DataFrame) -> Finding:
    (facts,) = rows.rows(named=True)
    sentence = check.sentence.replace("{detail}", str(facts.get("detail")))
    return Finding(check.code, check.severity, facts["count"], tuple(facts["example"]), sentence)
