"""The noun hierarchy as integer tables: parsed once from WordNet's files, then kept beside other caches.

A row of ``ancestors`` says how many steps a synset stands below another, itself included. Synsets are numbered by how
many stand below them, so that those which everything meets lie close together in memory.
"""

import io
import os
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from eyechart._lib.files import write_atomically
from eyechart.errors import DataError
from eyechart.text.wordnet_files import NounFiles, Synset, index_lines, synset_lines

__all__ = ["Ints", "NounTables", "cached_tables", "expand", "parse_tables", "split_rows"]

Ints = npt.NDArray[np.integer]

_PIECE = 200_000
"""So many rows are looked at once when detours are searched."""
_LAYOUT = 1
"""Raised when the arrays below change, so that an old cache is not read."""


@dataclass(frozen=True, slots=True)
class NounTables:
    """Every array of the hierarchy; rows of synset s stand in ``start[s]:start[s + 1]``."""

    names: npt.NDArray[np.uint8]
    """Names such as dog.n.01, one per line."""
    name_order: Ints
    """Where each name stands in alphabetical order."""
    min_depth: Ints
    max_depth: Ints
    start: Ints
    ancestor: Ints
    distance: Ints
    """The fewest steps up from the synset to that ancestor."""
    detour: Ints
    """The fewest steps between both by way of any common ancestor: rarely less than the distance."""
    words: npt.NDArray[np.uint8]
    """Words, one per line."""
    word_start: Ints
    word_synset: Ints
    """Senses of each word, most frequent first."""


def cached_tables(found: NounFiles) -> NounTables:
    """The tables of these files, from the cache if they were made before."""
    path = _cache_folder() / f"wordnet-{found.version}-{found.sha256[:16]}-{_LAYOUT}.npz"
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return NounTables(**{each.name: kept[each.name] for each in fields(NounTables)})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        tables = parse_tables(found)
        _keep(path, tables)
        return tables


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "eyechart"


def _keep(path: Path, tables: NounTables) -> None:
    packed = io.BytesIO()
    np.savez(packed, **{each.name: getattr(tables, each.name) for each in fields(tables)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, packed.getvalue())
    except OSError:
        # A home that cannot be written to costs two seconds at every start, and nothing else.
        return


def parse_tables(found: NounFiles) -> NounTables:
    """Make the tables from the files."""
    synsets = list(synset_lines(found))
    index = dict(index_lines(found))
    parents, senses = _linked(found, synsets, index)
    start, ancestor, distance = _ancestors(parents, found)
    min_depth, max_depth = _depths(parents, start)
    # Numbers follow how many stand below, so that what everything meets lies close together.
    order = np.argsort(-np.bincount(ancestor, minlength=len(synsets)), kind="stable")
    number = np.empty(len(synsets), np.int32)
    number[order] = np.arange(len(synsets), dtype=np.int32)
    lengths = np.diff(start)[order]
    rows = expand(start[:-1][order], lengths)
    names = [_name(synsets[each], index) for each in order.tolist()]
    ordered_start, ordered_ancestor = split_rows(lengths), number[ancestor[rows]]
    return NounTables(
        names=_lines(names),
        name_order=np.argsort(np.argsort(np.array(names))).astype(np.int32),
        min_depth=min_depth[order],
        max_depth=max_depth[order],
        start=ordered_start,
        ancestor=ordered_ancestor,
        distance=distance[rows],
        detour=_detours(ordered_start, ordered_ancestor, distance[rows]),
        words=_lines(list(index)),
        word_start=split_rows(np.array([len(sense) for sense in senses], np.int64)),
        word_synset=number[np.array([each for sense in senses for each in sense], np.int64)],
    )


def _linked(
    found: NounFiles, synsets: list[Synset], index: dict[str, tuple[int, ...]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Hypernyms of each synset and senses of each word, by place in the file."""
    by_offset = {synset.offset: place for place, synset in enumerate(synsets)}
    try:
        parents = [[by_offset[offset] for offset in synset.hypernyms] for synset in synsets]
        senses = [[by_offset[offset] for offset in offsets] for offsets in index.values()]
    except KeyError as missing:
        raise DataError(
            f"{found.folder}: found a pointer to offset {missing} where no synset begins, expected data.noun and "
            "index.noun of one release; get both again"
        ) from None
    return parents, senses


def _name(synset: Synset, index: dict[str, tuple[int, ...]]) -> str:
    offsets = index.get(synset.first_lemma, ())
    sense = offsets.index(synset.offset) + 1 if synset.offset in offsets else 0
    return f"{synset.first_lemma}.n.{sense:02}"


def _lines(words: list[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def split_rows(lengths: Ints) -> Ints:
    """Where each of these rows begins, and where the last one ends.

    >>> split_rows(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def expand(first: Ints, lengths: Ints) -> Ints:
    """The numbers first, first + 1, ... of each row, one after the other.

    >>> expand(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    total = int(ends[-1]) if ends.size else 0
    numbers: Ints = np.arange(total, dtype=np.int64) + np.repeat(first - (ends - lengths), lengths)
    return numbers


def _ancestors(parents: list[list[int]], found: NounFiles) -> tuple[Ints, Ints, Ints]:
    """All ancestors with the fewest steps, parents before children."""
    above: dict[int, dict[int, int]] = {}
    waiting = list(range(len(parents)))
    while waiting:
        left = []
        for synset in waiting:
            if all(parent in above for parent in parents[synset]):
                above[synset] = _joined(synset, [above[parent] for parent in parents[synset]])
            else:
                left.append(synset)
        if len(left) == len(waiting):
            raise DataError(f"{found.folder}: found nouns that are kinds of themselves, expected none; get it again")
        waiting = left
    rows = [above[synset] for synset in range(len(parents))]
    start = split_rows(np.array([len(each) for each in rows], np.int64))
    ancestor = np.array([key for each in rows for key in each], np.int32)
    return start, ancestor, np.array([steps for each in rows for steps in each.values()], np.int16)


def _joined(synset: int, above: list[dict[int, int]]) -> dict[int, int]:
    """A synset's own ancestors, from those of its parents."""
    own = {synset: 0}
    for known in above:
        for ancestor, steps in known.items():
            own[ancestor] = min(steps + 1, own.get(ancestor, steps + 1))
    return own


def _depths(parents: list[list[int]], start: Ints) -> tuple[Ints, Ints]:
    """The shortest and the longest way to the top."""
    shortest, longest = [0] * len(parents), [0] * len(parents)
    # A synset has more ancestors than each of its parents, so parents come first.
    for synset in np.argsort(np.diff(start), kind="stable").tolist():
        if parents[synset]:
            shortest[synset] = 1 + min(shortest[parent] for parent in parents[synset])
            longest[synset] = 1 + max(longest[parent] for parent in parents[synset])
    return np.array(shortest, np.int16), np.array(longest, np.int16)


def _detours(start: Ints, ancestor: Ints, distance: Ints) -> Ints:
    """For each row (s, x), the least of steps(s, y) + steps(x, y) over all y above x."""
    lengths = np.diff(start)
    owner = np.repeat(np.arange(lengths.size), lengths)
    key = owner * lengths.size + ancestor
    order = np.argsort(key)
    sorted_key, sorted_distance = key[order], distance[order]
    least = distance.astype(np.int16)
    for begin in range(0, key.size, _PIECE):
        rows = np.arange(begin, min(begin + _PIECE, key.size))
        inner = expand(start[ancestor[rows]], lengths[ancestor[rows]])
        outer = np.repeat(rows, lengths[ancestor[rows]])
        at = np.searchsorted(sorted_key, owner[outer] * lengths.size + ancestor[inner])
        way = sorted_distance[at] + distance[inner]
        first = split_rows(lengths[ancestor[rows]])[:-1]
        least[rows] = np.minimum(least[rows], np.minimum.reduceat(way, first))
    return least
