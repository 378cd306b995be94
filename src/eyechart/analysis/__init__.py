"""What a benchmark shows when one looks at all of it: the faults that make its numbers wrong.

>>> find_faults({})
[]
"""

from eyechart.analysis.catalogue import CHECKS
from eyechart.analysis.checking import find_faults
from eyechart.analysis.distributions import chi_square, chi_square_p_value
from eyechart.analysis.evidence import DISTANCE, Evidence
from eyechart.analysis.findings import SEVERITIES, Check, Finding, Severity

__all__ = [
    "CHECKS",
    "DISTANCE",
    "SEVERITIES",
    "Check",
    "Evidence",
    "Finding",
    "Severity",
    "chi_square",
    "chi_square_p_value",
    "find_faults",
]
