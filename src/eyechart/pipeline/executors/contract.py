"""What all executors have in common: the task that travels to a worker, and the one function that does a shard."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import msgspec

from eyechart.errors import ExecutionError
from eyechart.pipeline.stage import Stage
from eyechart.store import ShardWriter

__all__ = ["MOST_DEATHS", "Deaths", "Executor", "Task", "do_shard"]

MOST_DEATHS = 3
"""How often workers may die without finishing a single shard before the run gives up."""


class Task(msgspec.Struct, frozen=True):
    """All that a worker needs: small, and JSON."""

    stage: str
    """Where the stage's class is: ``module:name``."""
    config: dict[str, Any]  # the stage's fields
    shards: list[Any]  # the stage's plan
    folder: str
    """The unfinished benchmark, on storage that every worker sees."""


class Executor(Protocol):
    """Does shards somewhere; yields the number of each as it is finished, in any order."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None: ...

    def map(self, task: Task, numbers: Sequence[int]) -> Iterator[int]:
        """Do the shards with these numbers."""
        ...


def do_shard(task: Task, number: int) -> int:
    """Do one shard here and now, and leave the note that it is finished."""
    module, _, name = task.stage.partition(":")
    stage: Stage = msgspec.convert(task.config, getattr(import_module(module), name))
    writer = ShardWriter(Path(task.folder), number)
    statistics = stage.run(task.shards[number], writer.write)
    writer.close(statistics)
    return number


class Deaths:
    """Counts workers that die: many may, as long as the work goes on."""

    def __init__(self) -> None:
        self.in_a_row = 0

    def progress(self) -> None:
        """A shard was finished."""
        self.in_a_row = 0

    def count(self, missing: Sequence[int]) -> None:
        """A worker died; give up if that happens again and again without progress."""
        self.in_a_row += 1
        if self.in_a_row > MOST_DEATHS:
            listed = ", ".join(map(str, sorted(missing)[:10]))
            raise ExecutionError(
                f"workers died {self.in_a_row} times in a row without finishing a shard; shards {listed} are "
                "missing; give them more memory (fewer --workers), then run the same command again to go on"
            )
