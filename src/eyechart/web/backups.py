"""A whole site in one file: the rows as a SQLite database, the files that people handed in, and the secret.

Rows of PostgreSQL are copied into SQLite too, so that a backup can be restored into either.
"""

import shutil
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

from eyechart.database import Database, copy_rows, count_rows
from eyechart.errors import DataError, UsageError

__all__ = ["back_up", "restore"]

_DATABASE, _SECRET, _FILES = "work.db", "secret", "files"


def back_up(folder: Path, database: str, output: Path) -> int:
    """Write a site into a file; gives the number of rows.

    >>> folder = Path(tempfile.mkdtemp())
    >>> Database(folder / "work.db").close()
    >>> back_up(folder, "", folder / "backup.zip")
    0
    >>> restore(folder / "backup.zip", folder / "again", "")
    0
    """
    if output.exists():
        raise UsageError(f"{output}: found a file already there, expected none; choose another name")
    if not database and not (folder / _DATABASE).exists():
        raise UsageError(f"{folder}: found no site, expected the folder of one; say --data or --database")
    with tempfile.TemporaryDirectory(dir=output.parent) as making:
        copy, unfinished = Path(making) / _DATABASE, Path(making) / "backup.zip"
        rows = _copy(Database(database or folder / _DATABASE), copy)
        _pack(unfinished, {_DATABASE: copy} | _kept(folder))
        unfinished.rename(output)
    return rows


def _kept(folder: Path) -> dict[str, Path]:
    paths = [folder / _SECRET, *sorted((folder / _FILES).rglob("*"))]
    return {path.relative_to(folder).as_posix(): path for path in paths if path.is_file()}


def _pack(place: Path, files: dict[str, Path]) -> None:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            archive.write(path, name)
    place.chmod(0o600)


def _copy(source: Database, place: Path) -> int:
    """SQLite copies itself page by page while others write; PostgreSQL's rows are read in one transaction."""
    with closing(source):
        if not source.is_sqlite:
            with closing(Database(place)) as target:
                return copy_rows(source, target)
        with closing(sqlite3.connect(source.name)) as live, closing(sqlite3.connect(place)) as copy:
            live.backup(copy)
    with closing(Database(place)) as copied:
        return count_rows(copied)


def restore(backup: Path, folder: Path, database: str) -> int:
    """Bring a site back into an empty place; gives the number of rows.

    >>> restore(Path("nowhere.zip"), Path("site"), "")
    Traceback (most recent call last):
    eyechart.errors.DataError: nowhere.zip: found no backup, expected a file that eyechart backup wrote; name another
    """
    if (folder / _SECRET).exists() or (not database and (folder / _DATABASE).exists()):
        raise UsageError(f"{folder}: found a site already there, expected an empty place; choose another --data")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=folder) as unpacking:
        _unpack(backup, Path(unpacking))
        with (
            closing(Database(Path(unpacking) / _DATABASE)) as source,
            closing(Database(database or folder / _DATABASE)) as target,
        ):
            rows = copy_rows(source, target)
        for name in (_SECRET, _FILES):
            if (Path(unpacking) / name).exists():
                shutil.move(Path(unpacking) / name, folder / name)
    return rows


def _unpack(backup: Path, place: Path) -> None:
    try:
        with zipfile.ZipFile(backup) as archive:
            names = archive.namelist()
            ours = _DATABASE in names and not any(name.startswith("/") or ".." in Path(name).parts for name in names)
            if ours:
                archive.extractall(place)
    except (OSError, zipfile.BadZipFile):
        ours = False
    if not ours:
        raise DataError(f"{backup}: found no backup, expected a file that eyechart backup wrote; name another")
    if (place / _SECRET).exists():
        (place / _SECRET).chmod(0o600)
