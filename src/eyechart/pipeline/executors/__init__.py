"""Where a stage runs: in this process, in a pool of processes, or on a Ray cluster. Stages do not know."""

from eyechart.pipeline.executors.contract import Executor
from eyechart.registry import Registry

__all__ = ["EXECUTORS", "Executor"]

EXECUTORS: Registry[type[Executor]] = Registry(
    "executor",
    {
        "local": "eyechart.pipeline.executors.local:LocalExecutor",
        "pool": "eyechart.pipeline.executors.pool:PoolExecutor",
        "ray": "eyechart.pipeline.executors.ray:RayExecutor",
    },
)
"""Name to executor class."""
