"""Shards on a Ray cluster: one that is running, or one started on this machine for the occasion.

The unfinished benchmark and the inputs must lie on storage that all nodes see. Only numbers travel through Ray; rows go
through Parquet files.
"""

import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from eyechart.errors import ExecutionError, MissingDependencyError
from eyechart.pipeline.executors.contract import Deaths, Task, do_shard

__all__ = ["RayExecutor"]

_LOOPBACK = ("127.", "localhost", "[::1]")


class RayExecutor:
    """Starts a Ray cluster on this machine, or joins the one at ``address``."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self.workers = workers
        self.address = address
        if address is None or address.startswith(_LOOPBACK):
            # Ray replaces loopback addresses with the machine's public one unless told that clusters are off,
            # which is how it behaves by itself on macOS and Windows. Read when Ray is imported.
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

    def map(self, task: Task, numbers: Sequence[int]) -> Iterator[int]:
        """Do the shards in any order; those of a worker or node that dies are done again elsewhere."""
        try:
            import ray
            from ray.exceptions import NodeDiedError, OutOfMemoryError, RayTaskError, WorkerCrashedError
        except ImportError as error:
            raise MissingDependencyError(
                "--executor ray: found no package ray, expected it installed; run pip install 'eyechart[cluster]'"
            ) from error
        with self._cluster():
            # Ray's own retries are off: we know which shards are missing, and count deaths as every executor does.
            remote = ray.remote(max_retries=0, num_cpus=1)(do_shard)
            carried, deaths = ray.put(task), Deaths()
            running = {remote.remote(carried, number): number for number in numbers}
            while running:
                (done,), _ = ray.wait(list(running), num_returns=1)
                number = running.pop(done)
                try:
                    yield ray.get(done)
                    deaths.progress()
                except (WorkerCrashedError, NodeDiedError, OutOfMemoryError):
                    deaths.count([number, *running.values()])
                    running[remote.remote(carried, number)] = number
                except RayTaskError as error:
                    # What the stage raised, as it would have here, without the story of its travel.
                    raise error.cause from None

    @contextmanager
    def _cluster(self) -> Iterator[None]:
        import ray

        if ray.is_initialized():
            yield
            return
        if self.address:
            _join(self.address)
        else:
            ray.init(
                address="local",
                num_cpus=self.workers,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        try:
            yield
        finally:
            ray.shutdown()


def _join(address: str) -> None:
    import ray

    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host and port.isdecimal():
            # Ray itself would ask for minutes before it says that nobody answers.
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, OverflowError) as error:
        raise ExecutionError(
            f"--address {address}: found no Ray cluster ({error}), expected the host:port of one that is running; "
            "correct it, or leave it out to start one on this machine"
        ) from error
