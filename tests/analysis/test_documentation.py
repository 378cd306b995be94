"""The page about checks says what the code does."""

import re
from pathlib import Path

from eyechart.analysis import CHECKS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "checks.md"
ROW = re.compile(
    r"^\| `(?P<code>[a-z-]+)` \| (?P<severity>\w+) \| (?P<meaning>[^|]+) \| (?P<remedy>[^|]+) \|$", re.MULTILINE
)


def test_every_code_has_a_row_with_its_severity() -> None:
    """No code is missing, none is invented, in the order of the code, and each says what to do."""
    rows = [(row["code"], row["severity"]) for row in ROW.finditer(PAGE.read_text("utf-8"))]
    assert [(code, check.severity) for code, check in CHECKS.items()] == rows


def test_nothing_in_the_table_escapes_the_comparison() -> None:
    """Every line that looks like a row of codes is one."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert len(CHECKS) == len(lines)
