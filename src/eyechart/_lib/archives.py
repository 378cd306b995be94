"""Archives taken apart without trusting them: no member leaves the folder, none is there half."""

import gzip
import io
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from eyechart._lib.files import locked
from eyechart._lib.progress import Advance, Progress, silent
from eyechart.errors import DataError, DownloadError

__all__ = ["unpack_single", "unzip", "zip_members"]

_CHUNK = 1 << 20
_MOST_INFLATION = 200
"""JSON shrinks thirty-fold at best; a bomb a thousand-fold."""
_HARMLESS = 1 << 24
"""Below this size no ratio does harm."""
_JUNK = re.compile(r"(^|/)(__MACOSX/|\._|\.DS_Store$)")
_ENCRYPTED = 1
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"


def zip_members(archive: Path) -> list[str]:
    """The files in a zip archive, by their paths in it.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "a.zip"
    >>> with zipfile.ZipFile(path, "w") as made:
    ...     made.writestr("val/questions.txt", "is it red")
    >>> zip_members(path)
    ['val/questions.txt']
    """
    with _opened(archive) as opened:
        return [info.filename for info in _files(opened)]


def unzip(
    archive: Path,
    folder: Path,
    *,
    wanted: Callable[[str], bool] = lambda _name: True,
    flat: bool = False,
    progress: Progress = silent,
) -> dict[str, Path]:
    """Take the wanted members out of a zip archive; those that are there with the right size are left alone.

    ``flat`` leaves the archive's folders out. What cannot be trusted is refused before anything is written.

    >>> import tempfile; root = Path(tempfile.mkdtemp())
    >>> with zipfile.ZipFile(root / "a.zip", "w") as made:
    ...     made.writestr("val/questions.txt", "is it red")
    >>> unzip(root / "a.zip", root / "out")["val/questions.txt"].read_text()
    'is it red'
    """
    with _opened(archive) as opened:
        members = [info for info in _files(opened) if wanted(info.filename)]
        _refuse_dangerous(archive, opened.infolist(), members)
        places = _placed(archive, folder, members, flat=flat)
        missing = [info for info in members if not _is_there(places[info.filename], info)]
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_too_large(archive, folder, missing)
        total = sum(info.file_size for info in members)
        with (
            locked(folder / ".unpacking"),
            progress(f"Unpacking {archive.name}", total, "bytes") as advance,
        ):
            advance(total - sum(info.file_size for info in missing))
            for info in missing:
                _extract(opened, info, places[info.filename], advance)
    return places


@contextmanager
def _opened(archive: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(archive) as opened:
            yield opened
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DataError(
            f"{archive}: found an archive that cannot be read ({error}), expected a whole zip file; delete it and "
            "fetch it again"
        ) from error


def _files(opened: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [info for info in opened.infolist() if not info.is_dir() and not _JUNK.search(info.filename)]


def _refuse_dangerous(archive: Path, everything: Sequence[zipfile.ZipInfo], members: Sequence[zipfile.ZipInfo]) -> None:
    for info in everything:
        if problem := _problem(info):
            raise DataError(f"{archive}: found {info.filename!r}, {problem}; such an archive is not unpacked")
    size, packed = sum(info.file_size for info in members), archive.stat().st_size
    if size > _HARMLESS and size > _MOST_INFLATION * packed:
        raise DataError(
            f"{archive}: found members that unpack to {size:,} bytes from {packed:,}, expected at most "
            f"{_MOST_INFLATION}-fold; such an archive is not unpacked"
        )


def _problem(info: zipfile.ZipInfo) -> str | None:
    parts = re.split(r"[/\\]", info.filename)
    if parts[0] == "" or ".." in parts or re.match(r"[A-Za-z]:", info.filename):
        return "which leads out of the folder, expected a path inside it"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return "which is a link or a device, expected a file"
    if info.flag_bits & _ENCRYPTED:
        return "which is encrypted, expected a file that can be read"
    if info.file_size > _HARMLESS and info.file_size > _MOST_INFLATION * max(info.compress_size, 1):
        return f"which unpacks to {info.file_size:,} bytes from {info.compress_size:,}, expected a sane ratio"
    return None


def _placed(archive: Path, folder: Path, members: Sequence[zipfile.ZipInfo], *, flat: bool) -> dict[str, Path]:
    places: dict[str, Path] = {}
    taken: dict[Path, str] = {}
    for info in members:
        path = PurePosixPath(info.filename)
        place = folder / (path.name if flat else path)
        if place in taken:
            raise DataError(
                f"{archive}: found {taken[place]!r} and {info.filename!r}, expected one member for {place}; such an "
                "archive is not unpacked"
            )
        taken[place] = info.filename
        places[info.filename] = place
    return places


def _is_there(place: Path, info: zipfile.ZipInfo) -> bool:
    return place.is_file() and place.stat().st_size == info.file_size


def _refuse_too_large(archive: Path, folder: Path, missing: Sequence[zipfile.ZipInfo]) -> None:
    needed, free = sum(info.file_size for info in missing), shutil.disk_usage(folder).free
    if needed > free:
        raise DownloadError(
            f"{archive}: unpacks to {needed:,} bytes, found {free:,} free in {folder}; free some, then run the same "
            "command again to go on"
        )


def _extract(opened: zipfile.ZipFile, info: zipfile.ZipInfo, place: Path, advance: Advance) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.with_name(f".{place.name}.partial")
    # zipfile compares the CRC at the end and gives no more bytes than the directory states.
    with opened.open(info) as source, partial.open("wb") as file:
        while chunk := source.read(_CHUNK):
            file.write(chunk)
            advance(len(chunk))
    partial.replace(place)


def unpack_single(source: Path, target: Path, *, most: int) -> int:
    """Copy one file, taking it out of gzip or of a zip that holds nothing else; never more than ``most`` bytes.

    Names inside archives are never looked at. Returns the number of bytes.

    >>> import tempfile; root = Path(tempfile.mkdtemp())
    >>> _ = (root / "a.json.gz").write_bytes(gzip.compress(b"[]"))
    >>> unpack_single(root / "a.json.gz", root / "a.json", most=100), (root / "a.json").read_bytes()
    (2, b'[]')
    """
    try:
        with ExitStack() as opened, target.open("xb") as file:
            return _copy(_single(source, opened), file, most)
    except (EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise DataError(
            f"found a file that cannot be unpacked ({error}), expected a whole one; send it plain"
        ) from error


def _copy(content: IO[bytes], file: IO[bytes], most: int) -> int:
    size = 0
    while chunk := content.read(_CHUNK):
        size += len(chunk)
        if size > most:
            raise DataError(f"found a file of more than {most:,} bytes, expected at most that; send less")
        file.write(chunk)
    return size


def _single(source: Path, opened: ExitStack) -> IO[bytes]:
    """The content of a file as a stream: plain, out of gzip, or out of a zip of one file."""
    file = opened.enter_context(source.open("rb"))
    start = file.read(len(_ZIP))
    file.seek(0)
    if start.startswith(_GZIP):
        return opened.enter_context(io.BufferedReader(gzip.GzipFile(fileobj=file)))
    if start != _ZIP:
        return file
    archive = opened.enter_context(zipfile.ZipFile(file))
    members = _files(archive)
    if len(members) != 1:
        raise DataError(f"found an archive of {len(members)} files, expected one file in it; pack only the results")
    return opened.enter_context(archive.open(members[0]))
