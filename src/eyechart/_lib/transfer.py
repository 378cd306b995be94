"""The bytes of one file, over as many connections as it takes.

Beside a file NAME lie, while it is under way, ``NAME.partial`` (the bytes so far) and ``NAME.partial.json`` (which
version of the file they belong to), so that a process that was killed at any moment is continued by the next.
"""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from eyechart._lib.files import write_atomically
from eyechart._lib.progress import Advance, Progress
from eyechart._lib.ranges import InterruptedTransferError, OtherContentError, Rest, Version, request_rest
from eyechart.errors import DownloadError

__all__ = ["Patience", "Remote", "Transfer", "bytes_under_way", "decoded", "lock_note", "partial_file", "version_note"]

_CHUNK = 1 << 20

T = TypeVar("T")


@dataclass(frozen=True)
class Remote:
    """A file on the web and what is known of it."""

    url: str
    bytes: int | None = None
    sha256: str | None = None
    known_as: str | None = None
    """The address to write down, where ``url`` is a mirror of it."""


@dataclass(frozen=True)
class Patience:
    """How long to put up with a server."""

    timeout: float = 30.0
    """Seconds without a single byte after which a connection counts as dropped."""
    attempts: int = 6
    """How many in a row may fail without bringing a byte more than was ever there."""
    first_pause: float = 1.0
    """Seconds before the second attempt; each further pause is twice as long."""
    longest_pause: float = 60.0


def lock_note(target: Path) -> Path:
    """Where the size and the checksum of a fetched file are written down.

    >>> lock_note(Path("train.zip")).name
    'train.zip.lock.json'
    """
    return target.with_name(f"{target.name}.lock.json")


def bytes_under_way(target: Path) -> int:
    """How much of a file is here already.

    >>> bytes_under_way(Path("nowhere.zip"))
    0
    """
    for path in (target, partial_file(target)):
        if path.is_file():
            return path.stat().st_size
    return 0


def partial_file(target: Path) -> Path:
    """Where a file's bytes gather until it is whole.

    >>> partial_file(Path("train.zip")).name
    'train.zip.partial'
    """
    return target.with_name(f"{target.name}.partial")


def version_note(target: Path) -> Path:
    """Where it is written down which version of a file the bytes so far belong to.

    >>> version_note(Path("train.zip")).name
    'train.zip.partial.json'
    """
    return target.with_name(f"{target.name}.partial.json")


@dataclass
class Transfer:
    """The bytes of one file, over as many connections as it takes."""

    remote: Remote
    target: Path
    patience: Patience
    progress: Progress

    def complete(self, expected: int | None) -> None:
        """Fill the partial file up to the end."""
        partial = partial_file(self.target)
        failures, best = 0, _size(partial)
        with _Meter(self.progress, f"Fetching {self.target.name}") as meter:
            while True:
                try:
                    return self._go_on(partial, expected, meter)
                except InterruptedTransferError as dropped:
                    # A server without ranges that drops every time brings the same bytes again: no progress.
                    failures = 0 if _size(partial) > best else failures + 1
                    best = max(best, _size(partial))
                    self._pause(dropped, failures)

    def _go_on(self, partial: Path, expected: int | None, meter: "_Meter") -> None:
        known = self._known_version(partial)
        start = _size(partial) if known else 0
        if known is not None and start and start == known.total:
            meter.reset(start, start)
            return
        with request_rest(self.remote.url, start, known, timeout=self.patience.timeout) as rest:
            self._refuse_other_size(rest.version.total, expected)
            if rest.start == 0:
                self._begin(partial, rest.version)
            meter.reset(rest.start, rest.version.total or expected)
            self._append(partial, rest, meter)
        found, total = _size(partial), expected if rest.version.total is None else rest.version.total
        if total is not None and found < total:
            raise InterruptedTransferError(f"the connection ended after {found:,} of {total:,} bytes")

    def _known_version(self, partial: Path) -> Version | None:
        """The version that the bytes at hand belong to, if they can be continued at all."""
        known = decoded(version_note(self.target), Version)
        resumable = known is not None and known.url == self.remote.url and partial.is_file()
        if not resumable or known is None:
            return None
        if known.total is not None and _size(partial) > known.total:
            return None
        return known if known.validator or self.remote.sha256 else None

    def _begin(self, partial: Path, version: Version) -> None:
        # Emptied before the note is written: a kill in between must not pair old bytes with a new version.
        partial.open("wb").close()
        write_atomically(version_note(self.target), msgspec.json.encode(version))

    def _append(self, partial: Path, rest: Rest, meter: "_Meter") -> None:
        with partial.open("ab") as file:
            while chunk := rest.read(_CHUNK):
                file.write(chunk)
                # Bytes in a buffer of this process would be lost with it.
                file.flush()
                meter.advance(len(chunk))

    def _refuse_other_size(self, total: int | None, expected: int | None) -> None:
        if total is not None and expected is not None and total != expected:
            raise DownloadError(
                f"{self.remote.url}: the server offers {total:,} bytes, expected {expected:,}; look at the address in "
                "a browser; if the owner has published another file, update Eyechart or delete "
                f"{lock_note(self.target)}"
            )

    def _pause(self, dropped: InterruptedTransferError, failures: int) -> None:
        if isinstance(dropped, OtherContentError):
            version_note(self.target).unlink(missing_ok=True)
        if failures >= self.patience.attempts:
            raise DownloadError(
                f"{self.remote.url}: {failures} attempts in a row brought nothing ({dropped}), expected the file; "
                "check the connection and run the same command again, it goes on where it was"
            ) from dropped
        pause = self.patience.first_pause * 2 ** max(failures - 1, 0)
        time.sleep(min(max(pause, dropped.wait), self.patience.longest_pause))


class _Meter:
    """Progress that begins once the total is known and may be set back when a server starts over."""

    def __init__(self, progress: Progress, label: str) -> None:
        self.progress = progress
        self.label = label
        self._held = ExitStack()
        self._advance: Advance | None = None
        self._done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._held.close()

    def reset(self, done: int, total: int | None) -> None:
        """So much is here."""
        if self._advance is None:
            self._advance = self._held.enter_context(self.progress(self.label, total or 0, "bytes"))
        self.advance(done - self._done)

    def advance(self, amount: int) -> None:
        """So much more is here."""
        self._done += amount
        if self._advance is not None and amount:
            self._advance(amount)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def decoded(path: Path, kind: type[T]) -> T | None:
    """A small JSON note, if it is there and whole."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
