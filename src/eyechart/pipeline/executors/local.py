"""Shards one after the other, in this process."""

from collections.abc import Iterator, Sequence

from eyechart.pipeline.executors.contract import Task, do_shard

__all__ = ["LocalExecutor"]


class LocalExecutor:
    """The plain loop: easiest to debug, and Polars already uses every core."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:  # one signature for all
        pass

    def map(self, task: Task, numbers: Sequence[int]) -> Iterator[int]:
        """Do the shards in order."""
        for number in numbers:
            yield do_shard(task, number)
