"""Taking turns at writing one SQLite file: threads by a lock, processes by a lock file, and several for one sync.

SQLite lets one write at a time; who has to wait there sleeps for ever longer spans and may starve. Here waiting is a
queue: of the kernel between processes, and inside one process whoever gets the turn does the work of all who wait,
each within a savepoint of its own, and commits once. A commit is a sync of the disk, so many answers share one.
"""

import fcntl
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection

__all__ = ["Turns", "Writers"]

T = TypeVar("T")
_TOGETHER = 64
"""At most so many share a commit: the first of them waits for the last."""


class Turns:
    """One writer at a time, over all threads and processes of a machine.

    >>> with Turns(None).taken():
    ...     pass
    """

    def __init__(self, file: str | None) -> None:
        self._thread = threading.Lock()
        self._file = file
        self._descriptor: int | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the turn while the block runs; a process that is killed lets go of it."""
        with self._thread:
            if self._file is None:
                yield
                return
            if self._descriptor is None:
                self._descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the file."""
        with self._thread:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None


class _Asked:
    """A transaction that somebody waits for."""

    def __init__(self, run: Callable[[Connection], Any]) -> None:
        self.run = run
        self.called = threading.Event()
        """Done, or next to lead."""
        self.done = False
        self.result: Any = None  # what run gives
        self.error: BaseException | None = None


class Writers:
    """Transactions of many threads: in the order in which they came, those that wait together in one."""

    def __init__(self, begin: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._begin = begin
        """Takes the turn and begins; commits as it is left."""
        self._waiting: deque[_Asked] = deque()
        self._door = threading.Lock()
        self._led = False

    def write(self, run: Callable[[Connection], T]) -> T:
        """What the transaction gives, once it is on disk."""
        asked = _Asked(run)
        with self._door:
            self._waiting.append(asked)
            leads, self._led = not self._led, True
        if not leads:
            self._wait(asked)
        if not asked.done:
            self._lead()
        if asked.error is not None:
            raise asked.error
        result: T = asked.result
        return result

    def _wait(self, asked: _Asked) -> None:
        try:
            asked.called.wait()
        except BaseException:  # an interrupt: the others go on
            with self._door:
                if asked in self._waiting:
                    self._waiting.remove(asked)
                    self._call_next(was_called=asked.called.is_set())
            raise

    def _call_next(self, *, was_called: bool) -> None:
        """Let the next one lead, if it was this one's turn; the caller holds the door."""
        if was_called and self._waiting:
            self._waiting[0].called.set()
        elif was_called:
            self._led = False

    def _lead(self) -> None:
        """Do all that waits, one's own first; then the first of those who came meanwhile leads."""
        with self._door:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
        try:
            with self._begin() as rows:
                for asked in batch:
                    _attempt(rows, asked, alone=len(batch) == 1)
        except BaseException as error:  # noqa: BLE001 - of the commit: none of them stands, and each is told
            for asked in batch:
                asked.error = asked.error or error
        with self._door:
            self._call_next(was_called=True)
        for asked in batch:
            asked.done = True
            asked.called.set()


def _attempt(rows: Connection, asked: _Asked, *, alone: bool) -> None:
    """One of them; its error takes back only what it did."""
    if alone:
        asked.result = asked.run(rows)
        return
    try:
        with rows.begin_nested():
            asked.result = asked.run(rows)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where it was asked for
        asked.error = error
