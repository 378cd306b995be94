"""Files and folders that are there whole or not at all."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eyechart.errors import UsageError

__all__ = ["locked", "replace_folder", "write_atomically"]


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that readers see the old content or the new one, never a part.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "a.json"
    >>> write_atomically(path, b"{}")
    >>> path.read_bytes()
    b'{}'
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def replace_folder(new: Path, target: Path) -> None:
    """Put a finished folder in the place of another; the old one goes only when the new one stands.

    >>> import tempfile; root = Path(tempfile.mkdtemp())
    >>> (root / "new").mkdir(); (root / "old").mkdir(); _ = (root / "new" / "file").write_text("x")
    >>> replace_folder(root / "new", root / "old")
    >>> (root / "old" / "file").read_text(), (root / "new").exists()
    ('x', False)
    """
    old = target.with_name(f".{target.name}.replaced")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.replace(old)
    new.replace(target)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file while working; a second process is told, and the lock of a killed one is void.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "lock"
    >>> with locked(path), locked(path):
    ...     pass
    Traceback (most recent call last):
    eyechart.errors.UsageError: ...lock: another process is writing here; wait for it, or choose another output
    """
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"{path}: another process is writing here; wait for it, or choose another output"
            raise UsageError(message) from None
        yield
