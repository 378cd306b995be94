"""What the owners of datasets publish: addresses, sizes, checksums, and what each archive holds.

One TOML file per distribution lies in `distribution_files`. An unknown key in it is an error, so that a misspelt
checksum is not a missing one.
"""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, NoReturn

import msgspec

from eyechart._lib.ranges import check_address
from eyechart.errors import DataError, UnknownNameError
from eyechart.registry import did_you_mean

__all__ = ["ANNOTATIONS", "Distribution", "File", "Member", "distribution", "distribution_names", "parse"]

ANNOTATIONS = "annotations"
"""The part that is always fetched."""

Bytes = Annotated[int, msgspec.Meta(gt=0)]
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
FolderName = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]*$")]


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in an archive, or several."""

    path: str
    """The end of its path in the archive; * stands for anything within one folder."""
    format: str | None = None
    role: str | None = None
    """What the file is to its format; a member without one is unpacked and not imported by itself."""
    split: str | None = None
    """The split that it is of, by which it is chosen."""

    def __post_init__(self) -> None:
        if (self.format is None) != (self.role is None):
            raise ValueError("found one of format and role, expected both or none")

    @property
    def is_pattern(self) -> bool:
        """Whether it may stand for several files."""
        return "*" in self.path


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An archive on the web."""

    url: str
    members: Annotated[list[Member], msgspec.Meta(min_length=1)]
    bytes: Bytes | None = None
    about_bytes: Bytes | None = None
    """A rounded size, for planning only."""
    sha256: Sha256 | None = None
    part: str = ANNOTATIONS
    split: str | None = None
    pictures: FolderName | None = None
    """The folder that the members go to, without folders of their own: several archives may share one."""

    def __post_init__(self) -> None:
        check_address(self.url)

    @property
    def likely_bytes(self) -> int | None:
        """The size as far as it is known."""
        return self.bytes or self.about_bytes


class Distribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dataset as its owners publish it."""

    title: str
    licence: str
    home: str
    cite: str
    """The key of the paper in the bibliography."""
    splits: list[str]
    """The splits that are fetched unless others are named; none where files hold all splits."""
    files: Annotated[list[File], msgspec.Meta(min_length=1)]
    notes: str = ""
    name: str = ""
    """The name of its file."""

    def __post_init__(self) -> None:
        check_address(self.home)
        if len({file.pictures for file in self.files} - {None}) > 1:
            raise ValueError("found several folders of pictures, expected one, for a benchmark has one")

    @property
    def parts(self) -> list[str]:
        """The parts that it comes in, in order."""
        return list(dict.fromkeys(file.part for file in self.files))

    @property
    def known_splits(self) -> list[str]:
        """Every split that can be asked for, in order."""
        named = (split for file in self.files for split in (file.split, *(member.split for member in file.members)))
        return [split for split in dict.fromkeys([*self.splits, *named]) if split is not None]


def distribution_names() -> list[str]:
    """The distributions that can be downloaded.

    >>> "vqa-v2" in distribution_names()
    True
    """
    return sorted(path.name.removesuffix(".toml") for path in _folder().iterdir() if path.name.endswith(".toml"))


def distribution(name: str) -> Distribution:
    """Everything known of one distribution.

    >>> distribution("vqa-v2").licence
    'CC BY 4.0'
    >>> distribution("vqa-v3")
    Traceback (most recent call last):
    eyechart.errors.UnknownNameError: no distribution is called 'vqa-v3': did you mean 'vqa-v2' or 'vqa-v1'?
    """
    if name not in distribution_names():
        raise UnknownNameError(f"no distribution is called {name!r}: {did_you_mean(name, distribution_names())}")
    return parse((_folder() / f"{name}.toml").read_bytes(), name)


def parse(content: bytes, name: str) -> Distribution:
    """Read the description of a distribution; what is not understood is an error.

    >>> parse(b'titel = "x"', "mine")
    Traceback (most recent call last):
    eyechart.errors.DataError: mine.toml: found the unknown key 'titel', expected one of ... did you mean 'title'...
    """
    try:
        found = msgspec.toml.decode(content, type=Distribution)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        _explain(error, name)
    return msgspec.structs.replace(found, name=name)


def _explain(error: Exception, name: str) -> NoReturn:
    unknown = re.search(r"unknown field `(?P<key>[^`]*)`(?: - at `\$\.?(?P<place>[^`]*)`)?", str(error))
    if unknown is None:
        raise DataError(f"{name}.toml: {error}; correct the file") from error
    kind = {0: Distribution, 1: File, 2: Member}[(unknown["place"] or "").count("[")]
    place = f" in {unknown['place']}" if unknown["place"] else ""
    keys = [field for field in kind.__struct_fields__ if (kind, field) != (Distribution, "name")]
    raise DataError(
        f"{name}.toml: found the unknown key {unknown['key']!r}{place}, expected one of {', '.join(keys)}: "
        f"{did_you_mean(unknown['key'], keys)}"
    ) from error


def _folder() -> Traversable:
    return files("eyechart.pipeline").joinpath("distribution_files")
