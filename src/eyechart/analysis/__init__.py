"""What a benchmark shows when one looks at all of it: what it holds, and the faults that make its numbers wrong.

>>> find_faults({})
[]
"""

from eyechart.analysis.catalogue import CHECKS
from eyechart.analysis.checking import find_faults
from eyechart.analysis.describing import Told, describe, describe_both
from eyechart.analysis.diagnosing import DIAGNOSES, diagnose
from eyechart.analysis.distributions import chi_square, chi_square_p_value
from eyechart.analysis.evidence import DISTANCE, Evidence
from eyechart.analysis.findings import SEVERITIES, Check, Finding, Severity
from eyechart.analysis.gallery import COMPARISONS, DESCRIPTIONS, Description
from eyechart.analysis.results import Chart, Result
from eyechart.analysis.shortcuts import Shortcut, Verdict, expected_scores, shortcuts, verdicts

__all__ = [
    "CHECKS",
    "COMPARISONS",
    "DESCRIPTIONS",
    "DIAGNOSES",
    "DISTANCE",
    "SEVERITIES",
    "Chart",
    "Check",
    "Description",
    "Evidence",
    "Finding",
    "Result",
    "Severity",
    "Shortcut",
    "Told",
    "Verdict",
    "chi_square",
    "chi_square_p_value",
    "describe",
    "describe_both",
    "diagnose",
    "expected_scores",
    "find_faults",
    "shortcuts",
    "verdicts",
]
