"""Result files at rest: each under the hash of its content, so that no name of a participant ever becomes a path."""

import contextlib
import os
import re
import time
from collections.abc import Collection
from pathlib import Path
from secrets import token_hex

from eyechart._lib.archives import unpack_single
from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import DataError

__all__ = ["Files"]

_HASH = re.compile(r"[0-9a-f]{64}")
_ORPHAN_AGE = 3600.0
"""A file that no submission names is swept away after an hour; until then its upload may still be under way."""


class Files:
    """A folder of result files.

    >>> import tempfile; folder = Path(tempfile.mkdtemp()); _ = (folder / "mine.json").write_text("[]")
    >>> files = Files(folder / "kept")
    >>> files.path(files.keep(folder / "mine.json", most=1000)).read_text()
    '[]'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def keep(self, upload: Path, *, most: int) -> str:
        """Keep a file, unpacked, and synced before its name is told; the name is its hash."""
        arriving = self.folder / f".arriving-{token_hex(8)}"
        try:
            if not unpack_single(upload, arriving, most=most):
                raise DataError("found an empty file, expected results; send another")
            with arriving.open("rb") as file:
                os.fsync(file.fileno())
            name = sha256_of_file(arriving)
            place = self.path(name)
            place.parent.mkdir(exist_ok=True)
            arriving.replace(place)
        finally:
            arriving.unlink(missing_ok=True)
        return name

    def path(self, name: str) -> Path:
        """Where a kept file is."""
        if not _HASH.fullmatch(name):
            raise DataError(f"found {name[:80]!r}, expected the hash of a file")
        return self.folder / name[:2] / f"{name}.json"

    def sweep(self, wanted: Collection[str], *, older: float = _ORPHAN_AGE) -> int:
        """Remove what no submission names any more; returns how many files went."""
        gone = 0
        for place in [*self.folder.glob("??/*.json"), *self.folder.glob(".arriving-*")]:
            # A file may go between being listed and being looked at.
            with contextlib.suppress(FileNotFoundError):
                if place.stem not in wanted and time.time() - place.stat().st_mtime > older:
                    place.unlink()
                    gone += 1
        return gone
