"""Official distributions: choose the files, have them in the cache, unpack what is needed, say what to import."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import ClassVar, NamedTuple
from urllib.parse import urlsplit
from zipfile import is_zipfile

import msgspec

from eyechart._lib.archives import unzip, zip_members
from eyechart._lib.download import fetch
from eyechart._lib.files import write_atomically
from eyechart._lib.progress import Progress, silent
from eyechart._lib.ranges import size_on_server
from eyechart._lib.transfer import Patience, Remote, bytes_under_way, decoded
from eyechart.errors import DataError, DownloadError, UnknownNameError
from eyechart.pipeline.distributions import ANNOTATIONS, Distribution, File, Member
from eyechart.pipeline.stage import Json, Stage, Write
from eyechart.pipeline.stages.import_files import ImportFiles
from eyechart.registry import did_you_mean
from eyechart.store import Draft

__all__ = ["Cache", "Found", "ImportTogether", "Obtained", "check_room", "importing", "is_ready", "obtain", "select"]

_TEXT_INFLATION = 10
"""How much larger annotations may be unpacked; pictures do not grow."""


@dataclass(frozen=True)
class Cache:
    """Where files from the web are kept, laid out by their published addresses, so that none is fetched twice.

    ``archives/`` holds the files as published and can be served as it is: it is a mirror. ``unpacked/`` and
    ``pictures/`` hold what was taken out of them.
    """

    folder: Path
    mirror: str | None = None
    """Another place of the same layout as ``archives/`` to fetch from."""

    def archive(self, file: File) -> Path:
        """Where an archive is."""
        return self.folder / "archives" / _by_address(file.url)

    def unpacked(self, file: File) -> Path:
        """Where an archive's members are."""
        if file.pictures is not None:
            return self.folder / "pictures" / file.pictures
        return self.folder / "unpacked" / _by_address(file.url).removesuffix(".zip")

    def note(self, file: File) -> Path:
        """Where it is written down what was unpacked."""
        return self.folder / "unpacked" / f"{_by_address(file.url)}.json"

    def address(self, file: File) -> str:
        """Where to fetch a file from."""
        return file.url if self.mirror is None else f"{self.mirror.rstrip('/')}/{_by_address(file.url)}"


def _by_address(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname}{parts.path}"


class _Unpacked(msgspec.Struct, frozen=True):
    """What was taken out of an archive: for each pattern, the files with their sizes."""

    members: dict[str, dict[str, int]] = {}


class Found(NamedTuple):
    """An unpacked file that can be imported."""

    format: str
    role: str
    path: Path


class Obtained(NamedTuple):
    """What a download has brought."""

    files: list[Found]
    image_root: Path | None
    """The folder of the pictures, where there are some."""


def select(source: Distribution, parts: Sequence[str] = (), splits: Sequence[str] = ()) -> list[File]:
    """The archives of the wanted parts and splits, each with the members that are wanted.

    >>> from eyechart.pipeline.distributions import distribution
    >>> [file.url.rpartition("/")[2] for file in select(distribution("vqa-v1"), splits=["test-dev"])]
    ['Questions_Test_mscoco.zip']
    """
    _refuse_unknown(source, "part", parts, source.parts)
    _refuse_unknown(source, "split", splits, source.known_splits)
    wanted_splits = {None, *(splits or source.splits)}
    chosen = [
        msgspec.structs.replace(file, members=[member for member in file.members if member.split in wanted_splits])
        for file in source.files
        if file.part in {ANNOTATIONS, *parts} and file.split in wanted_splits
    ]
    return [file for file in chosen if file.members]


def _refuse_unknown(source: Distribution, noun: str, names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) if known else f"its files hold every {noun}"
            raise UnknownNameError(f"{source.name} has no {noun} called {name!r}: {hint}")


def is_ready(file: File, cache: Cache) -> bool:
    """Whether everything wanted of an archive is unpacked, so that the archive itself is not needed."""
    folder, noted = cache.unpacked(file), _noted(file, cache)
    return all(member.path in noted.members for member in file.members) and all(
        _has_size(folder / name, size) for member in file.members for name, size in noted.members[member.path].items()
    )


def _noted(file: File, cache: Cache) -> _Unpacked:
    return decoded(cache.note(file), _Unpacked) or _Unpacked()


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def check_room(files: Sequence[File], cache: Cache, *, keep: bool = True) -> None:
    """Refuse to begin what cannot end: ask for the sizes that nobody has published, compare with the free space."""
    missing = [file for file in files if not is_ready(file, cache)]
    if not missing:
        return
    sizes = [file.likely_bytes or size_on_server(cache.address(file)) or 0 for file in missing]
    to_fetch = [max(0, size - bytes_under_way(cache.archive(file))) for file, size in zip(missing, sizes, strict=True)]
    fetched = sum(to_fetch) if keep else max(to_fetch)
    unpacked = sum(size * (1 if file.pictures else _TEXT_INFLATION) for file, size in zip(missing, sizes, strict=True))
    free = shutil.disk_usage(_existing(cache.folder)).free
    if fetched + unpacked > free:
        raise DownloadError(
            f"{cache.folder}: found {free:,} bytes free, expected about {fetched + unpacked:,} ({fetched:,} for "
            f"archives and {unpacked:,} unpacked); free some, choose another --cache, or fetch fewer --splits"
        )


def _existing(folder: Path) -> Path:
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())


def obtain(
    files: Sequence[File],
    cache: Cache,
    *,
    keep: bool = True,
    patience: Patience = Patience(),
    progress: Progress = silent,
) -> Obtained:
    """Have the archives' members unpacked in the cache; what is there already is neither fetched nor unpacked again."""
    for file in files:
        if is_ready(file, cache):
            continue
        remote = Remote(cache.address(file), file.bytes, file.sha256, known_as=file.url)
        archive = cache.archive(file)
        fetch(remote, archive, patience=patience, progress=progress, sound=is_zipfile)
        _unpack(file, cache, progress)
        if not keep:
            archive.unlink()
    found = [found for file in files for found in _importable(file, cache)]
    pictures = [cache.unpacked(file).resolve() for file in files if file.pictures is not None]
    return Obtained(found, pictures[0] if pictures else None)


def _unpack(file: File, cache: Cache, progress: Progress) -> None:
    archive, folder = cache.archive(file), cache.unpacked(file)
    names = zip_members(archive)
    matching = {member.path: _matching(archive, member, names) for member in file.members}
    wanted = {name for matched in matching.values() for name in matched}
    flat = file.pictures is not None
    places = unzip(archive, folder, wanted=wanted.__contains__, flat=flat, progress=progress)
    unpacked = {
        path: {places[name].relative_to(folder).as_posix(): places[name].stat().st_size for name in matched}
        for path, matched in matching.items()
    }
    note = cache.note(file)
    note.parent.mkdir(parents=True, exist_ok=True)
    # Splits that were unpacked by an earlier call stay known.
    write_atomically(note, msgspec.json.encode(_Unpacked(_noted(file, cache).members | unpacked)))


def _matching(archive: Path, member: Member, names: Sequence[str]) -> list[str]:
    matched = [name for name in names if PurePosixPath(name).match(member.path)]
    if not matched or (len(matched) > 1 and not member.is_pattern):
        held = ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")  # noqa: PLR2004
        raise DataError(
            f"{archive}: found {len(matched)} files for {member.path!r} among {held or 'no files'}, expected "
            f"{'some' if member.is_pattern else 'one'}; the owners have published another archive: update Eyechart, or "
            "unpack it by hand and use eyechart import"
        )
    return matched


def _importable(file: File, cache: Cache) -> Iterable[Found]:
    folder, noted = cache.unpacked(file), _noted(file, cache)
    for member in file.members:
        if member.format is not None and member.role is not None:
            yield from (Found(member.format, member.role, folder / name) for name in sorted(noted.members[member.path]))


def importing(files: Sequence[Found]) -> Stage:
    """The stage that makes a benchmark of unpacked files.

    >>> importing([Found("vqa", "questions", Path("questions.json"))]).name
    'import'
    """
    by_format: dict[str, dict[str, list[str]]] = {}
    for found in files:
        by_format.setdefault(found.format, {}).setdefault(found.role, []).append(str(found.path))
    imports = [ImportFiles(name, roles) for name, roles in by_format.items()]
    return imports[0] if len(imports) == 1 else ImportTogether(imports)


@dataclass(frozen=True)
class ImportTogether:
    """Files of several formats, about the same pictures, into one benchmark."""

    name: ClassVar[str] = "download"

    imports: list[ImportFiles]

    def inputs(self) -> Sequence[Path]:
        """The files of all formats."""
        return [path for each in self.imports for path in each.inputs()]

    def plan(self) -> Sequence[Json]:
        """The shards of each format, with its place in the list."""
        return [[place, shard] for place, each in enumerate(self.imports) for shard in each.plan()]

    def run(self, shard: Json, write: Write) -> Json:
        """Decode one group of files of one format."""
        place, own = shard
        return self.imports[place].run(own, write)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Join what all formats say about the same images."""
        self.imports[0].reduce(draft, statistics)
