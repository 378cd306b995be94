"""Options that mean the same in every verb."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Group, Parameter

from eyechart._lib.progress import Progress, on_console

__all__ = ["Execution", "Speech"]

_EXECUTION = Group("Where it runs", sort_key=8)
_SPEECH = Group("What is shown", sort_key=9)


@Parameter(name="*", group=_EXECUTION)
@dataclass(frozen=True)
class Execution:
    """Where a stage runs."""

    executor: str = "local"
    "local, pool (processes on this machine) or ray (a cluster)."
    workers: int | None = None
    "How many workers; one per core if not said."
    address: str | None = None
    "The Ray cluster to join; one is started on this machine if not said."


@Parameter(name="*", group=_SPEECH)
@dataclass(frozen=True)
class Speech:
    """How much is said, and to whom."""

    json: Annotated[bool, Parameter(negative="")] = False
    "Print one JSON object for machines."
    quiet: Annotated[bool, Parameter(negative="", alias="-q")] = False
    "Say nothing on standard error."

    @property
    def progress(self) -> Progress:
        """The fitting way to show progress."""
        return on_console(quiet=self.quiet)
