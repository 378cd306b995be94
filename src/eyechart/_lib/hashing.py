"""Content hashes, by which a benchmark names what it was made from."""

import hashlib
from pathlib import Path

__all__ = ["sha256_of", "sha256_of_file", "sha256_of_folder"]


def sha256_of(content: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal.

    >>> sha256_of(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(content).hexdigest()


def sha256_of_file(path: Path) -> str:
    """The SHA-256 of a file, read in pieces.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "empty"; _ = path.write_bytes(b"")
    >>> sha256_of_file(path) == sha256_of(b"")
    True
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_of_folder(folder: Path) -> str:
    """The SHA-256 of the names and contents of a folder's own files.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> sha256_of_folder(folder) == sha256_of(b"")
    True
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return sha256_of("".join(f"{file.name} {sha256_of_file(file)}\n" for file in files).encode())
