"""Measure two ways of doing a thing in one run: wall time, CPU time and peak memory, each in a process of its own.

The two sides take turns, so that a busy machine is busy for both; the best of the rounds counts.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def compare(claim: str, ours: Callable[[], object], theirs: Callable[[], object], *, rounds: int = 3) -> None:
    """Run both sides in turns, print both costs and their ratios."""
    if len(sys.argv) > 1:
        print(json.dumps(asdict(_run({"ours": ours, "theirs": theirs}[sys.argv[1]]))))
        return
    costs: dict[str, list[Cost]] = {"ours": [], "theirs": []}
    for _ in range(rounds):
        for side, seen in costs.items():
            command = [sys.executable, sys.argv[0], side]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            seen.append(Cost(**json.loads(printed.splitlines()[-1])))
    print(claim)
    best = {side: _best(seen) for side, seen in costs.items()}
    for side, function in (("ours", ours), ("theirs", theirs)):
        cost = best[side]
        what = (function.__doc__ or "").split("\n")[0]
        print(f"  {cost.wall_s:7.3f} s  {cost.cpu_s:7.3f} s CPU  {cost.peak_mb:7.0f} MB peak  {what}")
    mine, other = best["ours"], best["theirs"]
    print(
        f"  ratio: {other.wall_s / mine.wall_s:.1f} times faster, {other.cpu_s / mine.cpu_s:.1f} times less CPU, "
        f"{other.peak_mb / mine.peak_mb:.1f} times less memory\n"
    )


def _run(side: Callable[[], object]) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    side()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu, peak_mb())


def peak_mb() -> float:
    """The most memory that this process held; getrusage would count what the parent held when it started us."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _best(costs: list[Cost]) -> Cost:
    return Cost(
        min(cost.wall_s for cost in costs), min(cost.cpu_s for cost in costs), min(cost.peak_mb for cost in costs)
    )


def scratch(name: str) -> Path:
    """A folder for a benchmark's output, not kept."""
    path = DATA / f"{name}-{os.getpid()}"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
