"""Files from the web, whole and verified or not at all: resumed after a kill, tried again after a dropped connection.

A finished file NAME leaves ``NAME.lock.json`` beside it: its size and SHA-256. Where nobody has published a checksum,
the first complete download is trusted, and every later one must equal it.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from eyechart._lib.files import locked, write_atomically
from eyechart._lib.progress import Progress, silent
from eyechart._lib.ranges import Version, check_address
from eyechart._lib.transfer import (
    Patience,
    Remote,
    Transfer,
    decoded,
    lock_note,
    partial_file,
    version_note,
)
from eyechart.errors import DownloadError

__all__ = ["Lock", "Patience", "Remote", "fetch"]

_CHUNK = 1 << 20


class Lock(msgspec.Struct, frozen=True):
    """What a finished file is: later downloads must be the same."""

    url: str
    bytes: int
    sha256: str
    published: bool = False
    """Whether the checksum is the publisher's; else it is that of the first download."""


def fetch(
    remote: Remote,
    target: Path,
    *,
    patience: Patience = Patience(),
    progress: Progress = silent,
    sound: Callable[[Path], bool] = lambda _path: True,
) -> Lock:
    """Have a file of the web at ``target``: verify it if it is there, fetch what is missing if it is not.

    ``sound`` tells whether a file can be what it should be; what is not, such as a page that asks to sign in, is never
    taken as the first download that later ones must equal.

    >>> fetch(Remote("ftp://example.org/a.zip"), Path("a.zip"))
    Traceback (most recent call last):
    eyechart.errors.UsageError: 'ftp://example.org/a.zip': found another kind of address, ...
    """
    check_address(remote.url)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target.with_name(f".{target.name}.busy")):
            return _Download(remote, target, patience, progress, sound).run()
    except DownloadError:
        raise
    except OSError as error:
        raise DownloadError(
            f"{target}: cannot be written ({error.strerror or error}), expected room and the right to write; free some "
            "or choose another folder, then run the same command again to go on"
        ) from error


@dataclass
class _Download:
    """One file under way."""

    remote: Remote
    target: Path
    patience: Patience
    progress: Progress
    sound: Callable[[Path], bool]

    def run(self) -> Lock:
        try:
            return self._verified() if self.target.is_file() else self._fetched()
        except _WrongContentError:
            # A single broken byte somewhere on the way: once more, from the beginning.
            return self._fetched()

    def _verified(self) -> Lock:
        found = self._measured(self.target)
        self._compare(found, self.target)
        return found

    def _fetched(self) -> Lock:
        partial = partial_file(self.target)
        try:
            found = self._attempt(partial)
        except _WrongContentError:
            found = self._last_attempt(partial)
        if self._size_is_verified():
            # The note comes first: a file that has its name has been compared with its note.
            write_atomically(lock_note(self.target), msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
        partial.replace(self.target)
        version_note(self.target).unlink(missing_ok=True)
        return found

    def _size_is_verified(self) -> bool:
        """A server that tells no size may have been cut off unnoticed: its file is not one to hold others to."""
        version = decoded(version_note(self.target), Version)
        return self._expected_bytes() is not None or (version is not None and version.total is not None)

    def _attempt(self, partial: Path) -> Lock:
        Transfer(self.remote, self.target, self.patience, self.progress).complete(self._expected_bytes())
        found = self._measured(partial)
        self._compare(found, partial)
        if not self.sound(partial):
            with partial.open("rb") as file:
                begins = file.read(40)
            self._delete(partial)
            raise DownloadError(
                f"{self.remote.url}: found {found.bytes:,} bytes that begin with {begins!r}, expected another kind of "
                "file; look at the address in a browser, or name a mirror"
            )
        return found

    def _last_attempt(self, partial: Path) -> Lock:
        try:
            return self._attempt(partial)
        except _WrongContentError as error:
            raise DownloadError(
                f"{self.remote.url}: found {error} twice in a row, expected {self._expectation()}; what was fetched is "
                f"deleted; if the owner has published another file, delete {lock_note(self.target)} or update Eyechart"
            ) from error

    def _measured(self, path: Path) -> Lock:
        digest = hashlib.sha256()
        size = path.stat().st_size
        with self.progress(f"Checking {self.target.name}", size, "bytes") as advance, path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                advance(len(chunk))
        address = self.remote.known_as or self.remote.url
        return Lock(address, size, digest.hexdigest(), published=self.remote.sha256 is not None)

    def _compare(self, found: Lock, path: Path) -> None:
        """Delete what is not the expected file, and say what it is."""
        size, sha256 = self._expected_bytes(), self._expected_sha256()
        if size in {None, found.bytes} and sha256 in {None, found.sha256}:
            return
        self._delete(path)
        raise _WrongContentError(f"{found.bytes:,} bytes with SHA-256 {found.sha256}")

    def _delete(self, path: Path) -> None:
        path.unlink()
        version_note(self.target).unlink(missing_ok=True)

    def _expected_bytes(self) -> int | None:
        return self.remote.bytes or (note.bytes if (note := self._note()) else None)

    def _expected_sha256(self) -> str | None:
        return self.remote.sha256 or (note.sha256 if (note := self._note()) else None)

    def _expectation(self) -> str:
        size = f"{size:,}" if (size := self._expected_bytes()) else "some"
        return f"{size} bytes with SHA-256 {self._expected_sha256() or '(not known)'}"

    def _note(self) -> Lock | None:
        return decoded(lock_note(self.target), Lock)


class _WrongContentError(Exception):
    """What arrived is whole, but it is not the expected file."""
