"""benchmark.json: what a folder holds, and how it came about."""

from pathlib import Path
from typing import Any

import msgspec

from eyechart._lib.files import write_atomically
from eyechart.errors import BenchmarkError, BenchmarkVersionError
from eyechart.tables import SCHEMA_VERSION

__all__ = ["MANIFEST", "MadeBy", "Manifest", "Part"]

MANIFEST = "benchmark.json"


class Part(msgspec.Struct, frozen=True):
    """One Parquet file of a table."""

    file: str
    """Path within the benchmark's folder."""
    rows: int
    sha256: str


class MadeBy(msgspec.Struct, frozen=True):
    """Who made a benchmark: enough to make it again."""

    stage: str
    config: dict[str, Any] = {}  # the stage's own fields, as JSON
    inputs: dict[str, str] = {}
    """SHA-256 of each file, or of each benchmark's manifest, that went in."""
    version: str = ""
    """The version of Eyechart."""
    seed: int | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of benchmark.json."""

    name: str
    made_by: MadeBy
    licence: str | None = None
    schema_version: int = SCHEMA_VERSION
    rows: dict[str, int] = {}
    """Rows by table."""
    splits: dict[str, int] = {}
    """Questions by split."""
    image_root: str | None = None
    """The folder of the pictures, if not ``images/`` inside the benchmark."""
    parts: dict[str, list[Part]] = {}
    """The files of each table, in order."""

    @classmethod
    def load(cls, folder: Path) -> "Manifest":
        """Read and validate a folder's manifest.

        >>> import tempfile; folder = Path(tempfile.mkdtemp())
        >>> Manifest(name="tiny", made_by=MadeBy("by hand")).save(folder)
        >>> Manifest.load(folder).name
        'tiny'
        """
        path = folder / MANIFEST
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BenchmarkError(
                f"{path}: found a manifest that cannot be read ({error}), expected one as Eyechart writes it; "
                "make the benchmark again"
            ) from error
        if manifest.schema_version > SCHEMA_VERSION:
            raise BenchmarkVersionError(
                f"{path}: found schema version {manifest.schema_version}, expected at most {SCHEMA_VERSION}; "
                "install a newer Eyechart"
            )
        return manifest

    def save(self, folder: Path) -> None:
        """Write the manifest; from then on the folder is a benchmark."""
        content = msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"
        write_atomically(folder / MANIFEST, content)
