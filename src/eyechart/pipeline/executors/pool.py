"""Shards in a pool of processes on this machine."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from eyechart.pipeline.executors.contract import Deaths, Task, do_shard

__all__ = ["PoolExecutor"]


class PoolExecutor:
    """A process per core; when one is killed, the pool is made anew for the missing shards."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:  # noqa: ARG002  # one signature for all
        self.workers = workers or os.cpu_count() or 1

    def map(self, task: Task, numbers: Sequence[int]) -> Iterator[int]:
        """Do the shards in any order; those at work when a process dies go to the end, so that others come first."""
        missing, deaths = list(numbers), Deaths()
        while missing:
            # One process at a time after a second death: only what kills it is then lost with it.
            workers = 1 if deaths.in_a_row > 1 else self.workers
            try:
                for number in self._once(task, missing, workers):
                    missing.remove(number)
                    deaths.progress()
                    yield number
            except BrokenProcessPool:
                deaths.count(missing)
                missing = missing[workers:] + missing[:workers]

    def _once(self, task: Task, numbers: Sequence[int], workers: int) -> Iterator[int]:
        # Fork would copy Polars' threads half-way; a spawned worker starts clean.
        context = multiprocessing.get_context("spawn")
        with _environment(_settings(workers)), ProcessPoolExecutor(workers, mp_context=context) as pool:
            futures: list[Future[int]] = [pool.submit(do_shard, task, number) for number in numbers]
            try:
                for future in as_completed(futures):
                    yield future.result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _settings(workers: int) -> dict[str, str]:
    """Workers share the cores instead of each taking all, and keep the memory that their next shard needs again."""
    large = str(1 << 30)
    return {
        "POLARS_MAX_THREADS": str(max(1, (os.cpu_count() or 1) // workers)),
        # Of NumPy's arrays and of Polars' columns: taking fresh pages for every shard costs a sixth of the time.
        "MALLOC_TRIM_THRESHOLD_": large,
        "MALLOC_MMAP_THRESHOLD_": large,
        "_RJEM_MALLOC_CONF": "dirty_decay_ms:10000,muzzy_decay_ms:-1",
    }


@contextmanager
def _environment(settings: dict[str, str]) -> Iterator[None]:
    """What processes that start meanwhile find in their environment; what a person has set stays."""
    new = {name: value for name, value in settings.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]
