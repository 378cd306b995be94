"""Which questions belong to which split, decided once, when a challenge is made."""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import polars as pl

from eyechart._lib.keyed import Key, key_of, uniform
from eyechart.challenge.describing import Split
from eyechart.errors import DataError, FormatError
from eyechart.metrics import named_ids

__all__ = ["divide", "packed", "unpacked"]


def divide(questions: pl.DataFrame, splits: Mapping[str, Split], *, seed: int, name: str) -> dict[str, pl.Series]:
    """The ids of each split's questions; those by lot share the images that no other split names.

    >>> asked = pl.DataFrame({"question_id": ["1", "2", "3"], "image_id": ["a", "a", "b"], "split": ["dev", "x", "x"]})
    >>> made = divide(asked, {"dev": Split(split="dev"), "rest": Split(share=1.0)}, seed=1, name="tiny")
    >>> made["dev"].to_list(), made["rest"].to_list()
    (['1'], ['3'])
    """
    named = {slug: _named(questions, split, f"{name}, split {slug}") for slug, split in splits.items()}
    drawn = _drawn(questions, splits, named, seed)
    divided = {slug: drawn[slug] if ids is None else ids for slug, ids in named.items()}
    for slug, ids in divided.items():
        if not ids.len():
            raise DataError(f"{name}, split {slug}: found no question for it, expected some; correct its description")
    return divided


def _named(questions: pl.DataFrame, split: Split, place: str) -> pl.Series | None:
    """The ids that the description names; None for a split by lot."""
    if split.split is not None:
        found = questions.filter(pl.col("split") == split.split)["question_id"]
        if not found.len():
            known = ", ".join(questions["split"].drop_nulls().unique().sort().to_list()) or "none"
            raise DataError(
                f"{place}: found no question of split {split.split!r} (the benchmark has {known}), expected some; "
                "name another, or list the ids"
            )
        return found
    return None if split.ids is None else _listed(questions, Path(split.ids), place)


def _listed(questions: pl.DataFrame, path: Path, place: str) -> pl.Series:
    try:
        text = path.read_text("utf-8")
        ids = msgspec.json.decode(text, type=list[int | str]) if text.lstrip().startswith("[") else text.split()
    except (OSError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise FormatError(
            f"{place}: {path}: found no list of ids ({error}), expected a JSON list or an id a line; correct the file"
        ) from error
    listed = pl.DataFrame({"question_id": pl.Series([str(each) for each in ids], dtype=pl.String)}).unique(
        maintain_order=True
    )
    unknown = listed.join(questions, on="question_id", how="anti", maintain_order="left")["question_id"]
    if unknown.len():
        raise DataError(
            f"{place}: {path}: found {unknown.len():,} ids that the benchmark does not have ({named_ids(unknown)}), "
            "expected only its questions; correct the file"
        )
    return listed["question_id"]


def _drawn(
    questions: pl.DataFrame, splits: Mapping[str, Split], named: Mapping[str, pl.Series | None], seed: int
) -> dict[str, pl.Series]:
    """Splits by lot: each image goes to one of them, by its id and the seed alone."""
    shares = {slug: split.share for slug, split in splits.items() if split.share is not None}
    taken = pl.concat([ids for ids in named.values() if ids is not None] or [pl.Series(dtype=pl.String)])
    placed = questions.with_columns(image=pl.coalesce("image_id", "question_id"))
    free = placed.join(
        placed.filter(pl.col("question_id").is_in(taken.implode())).select("image").unique(), on="image", how="anti"
    )
    lot = free.with_columns(lot=uniform(Key(seed, "challenge splits").over(key_of(pl.col("image")))))
    drawn, low = {}, 0.0
    for slug, share in shares.items():
        drawn[slug] = lot.filter(pl.col("lot").is_between(low, low + share, closed="left"))["question_id"]
        low += share
    return drawn


def packed(ids: pl.Series) -> bytes:
    """Ids as a database keeps them.

    >>> unpacked(packed(pl.Series(["7", "8"]))).to_list()
    ['7', '8']
    """
    return zlib.compress(msgspec.json.encode(ids.to_list()), 6)


def unpacked(members: bytes | Sequence[int]) -> pl.Series:
    """Ids back from the database."""
    ids = msgspec.json.decode(zlib.decompress(bytes(members)), type=list[str])
    return pl.Series("question_id", ids, dtype=pl.String)
