"""What a stage is: a config, a plan of shards, a pure run per shard, and a reduction.

A stage is a frozen dataclass whose fields are its configuration, all of them JSON. The same work is done wherever it
runs: an executor carries only the stage's name, its fields and a shard's number to a worker; rows travel through
Parquet files.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

import polars as pl

from eyechart.store import Draft

__all__ = ["Json", "Stage", "Write"]

Json = Any  # a JSON value: what a shard or its statistics look like is the stage's own affair

Write = Callable[[str, pl.DataFrame], None]
"""Adds rows to a table of the output."""


class Stage(Protocol):
    """One step from folders to a folder."""

    name: ClassVar[str]

    def inputs(self) -> Sequence[Path]:
        """The files and benchmarks that go in; their content decides whether finished shards still hold."""
        ...

    def plan(self) -> Sequence[Json]:
        """One small description per shard, in order; the same for the same inputs."""
        ...

    def run(self, shard: Json, write: Write) -> Json:
        """Do one shard: write its rows, return statistics for the reduction."""
        ...

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Join what shards cannot know of each other; called once, after all of them."""
        ...
