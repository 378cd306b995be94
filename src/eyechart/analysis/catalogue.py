"""Every check by code: what can be wrong with a benchmark, and how it is found.

>>> CHECKS["self-relation"].severity
'warning'
"""

from eyechart.analysis.checks.answers import ANSWER_CHECKS
from eyechart.analysis.checks.choices import CHOICE_CHECKS
from eyechart.analysis.checks.files import FILE_CHECKS
from eyechart.analysis.checks.keys import KEY_CHECKS
from eyechart.analysis.checks.pictures import PICTURE_CHECKS
from eyechart.analysis.checks.scenes import SCENE_CHECKS
from eyechart.analysis.checks.splits import SPLIT_CHECKS
from eyechart.analysis.findings import Check

__all__ = ["CHECKS"]

CHECKS: dict[str, Check] = {
    check.code: check
    for check in (
        *FILE_CHECKS,
        *KEY_CHECKS,
        *SPLIT_CHECKS,
        *ANSWER_CHECKS,
        *CHOICE_CHECKS,
        *SCENE_CHECKS,
        *PICTURE_CHECKS,
    )
}
"""In the order in which they are documented."""
