"""``eyechart check``: what is wrong with a benchmark."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.analysis import CHECKS, DISTANCE, SEVERITIES, Finding
from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UnknownNameError, UsageError
from eyechart.pipeline import Where
from eyechart.pipeline.checking import Report
from eyechart.pipeline.checking import check as look
from eyechart.registry import did_you_mean
from eyechart.store import Benchmark

__all__ = ["check"]

_FARTHEST = 12
"""Beyond this many unlike bits of 64, pictures that have nothing in common come near each other."""
_LONGEST = 60
"""Characters of an example that are shown to people."""


def check(
    benchmark: Path,
    /,
    *,
    only: Annotated[list[str] | None, Parameter(negative="")] = None,
    skip: Annotated[list[str] | None, Parameter(negative="")] = None,
    distance: int = DISTANCE,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> int:
    """Look for mistakes, leaks and biases in a benchmark; the exit code is 1 if there is an error among them.

    Parameters
    ----------
    benchmark
        The benchmark's folder.
    only
        Look for nothing but this code; can be repeated.
    skip
        Do not look for this code; can be repeated.
    distance
        Pictures whose perceptual hashes differ in at most this many of 64 bits are taken for copies.
    """
    if not 0 <= distance <= _FARTHEST:
        raise UsageError(f"--distance: found {distance}, expected 0 to {_FARTHEST}; choose one of these")
    report = look(
        Benchmark.open(benchmark),
        codes=_codes(only, skip),
        distance=distance,
        where=Where(**asdict(execution)),
        progress=speech.progress,
    )
    totals = {f"{severity}s": report.count(severity) for severity in SEVERITIES}
    if speech.json:
        found = [asdict(finding) for finding in report.findings]
        print_json({"benchmark": str(benchmark), "findings": found, "skipped": report.skipped, "totals": totals})
    else:
        _print(report, totals)
    return 1 if totals["errors"] else 0


def _codes(only: list[str] | None, skip: list[str] | None) -> list[str]:
    for code in [*(only or []), *(skip or [])]:
        if code not in CHECKS:
            raise UnknownNameError(f"no check is called {code!r}: {did_you_mean(code, CHECKS)}")
    return [code for code in only or CHECKS if code not in (skip or [])]


def _print(report: Report, totals: dict[str, int]) -> None:
    width = max(map(len, SEVERITIES))
    heads = columns([(found.severity.ljust(width), found.code, found.count) for found in report.findings]).splitlines()
    indent = " " * (width + 2)
    for head, found in zip(heads, report.findings, strict=True):
        print(head)
        print(f"{indent}{_printable(found.sentence)}")
        print(f"{indent}{_examples(found)}\n")
    for sentence in report.skipped:
        print(sentence)
    counted = [f"{number} {kind.removesuffix('s') if number == 1 else kind}" for kind, number in totals.items()]
    print(", ".join(counted) + ".")


def _examples(found: Finding) -> str:
    shown = [_printable(e if len(e) <= _LONGEST else e[: _LONGEST - 1] + "…") for e in found.examples]
    return ("" if found.count <= len(shown) else "for example ") + ", ".join(shown)


def _printable(text: str) -> str:
    """Foreign ids may hold characters that would command the terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
