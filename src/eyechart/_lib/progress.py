"""Progress of long work: a bar on a terminal, plain lines elsewhere, nothing when told to be quiet."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

__all__ = ["Advance", "Progress", "bar", "lines", "on_console", "silent"]

Advance = Callable[[float], None]
"""Call it with the amount done since the last call."""

Progress = Callable[[str, float, str], AbstractContextManager[Advance]]
"""Begins a piece of work: its label, its total, and the unit; gives the function to advance it."""

_SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def silent(label: str, total: float, unit: str) -> Iterator[Advance]:  # noqa: ARG001  # the shape of a Progress
    """Say nothing.

    >>> with silent("Reading", 3, "shards") as advance:
    ...     advance(1)
    """
    yield lambda _amount: None


@contextmanager
def lines(label: str, total: float, unit: str) -> Iterator[Advance]:
    """Write a plain line to standard error now and then, and one at the end."""
    done, begun = 0.0, time.monotonic()
    last = begun

    def advance(amount: float) -> None:
        nonlocal done, last
        done += amount
        if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            of = f" of {total:,.0f}" if total else ""
            sys.stderr.write(f"{label}: {done:,.0f}{of} {unit}\n")

    yield advance
    counted = unit.removesuffix("s") if done == 1 else unit
    sys.stderr.write(f"{label}: {done:,.0f} {counted} in {time.monotonic() - begun:.1f} s\n")


@contextmanager
def bar(label: str, total: float, unit: str) -> Iterator[Advance]:
    """Draw a bar on standard error."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bar

    counted = (DownloadColumn(), TransferSpeedColumn()) if unit == "bytes" else (MofNCompleteColumn(), TextColumn(unit))
    columns = (TextColumn("{task.description}"), BarColumn(), *counted)
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as drawn:
        task = drawn.add_task(label, total=total or None)
        yield lambda amount: drawn.advance(task, amount)


def on_console(*, quiet: bool = False) -> Progress:
    """The fitting way to show progress on this console.

    >>> on_console(quiet=True) is silent
    True
    """
    if quiet:
        return silent
    return bar if sys.stderr.isatty() else lines
