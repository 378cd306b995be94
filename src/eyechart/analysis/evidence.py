"""The tables of a benchmark as checks look at them, and what several checks derive from them, derived once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eyechart.features import near_hashes
from eyechart.tables import TABLES
from eyechart.text import normalize_answers

__all__ = ["DISTANCE", "Evidence", "main_split"]

DISTANCE = 8
"""Perceptual hashes with at most this many unlike bits (of 64) are of the same picture, as a rule."""


def main_split() -> pl.Expr:
    """A split without what follows a hyphen: test-dev shows pictures of test, which is no leak.

    >>> pl.DataFrame({"split": ["test-dev", "val", None]}).select(main_split())["split"].to_list()
    ['test', 'val', None]
    """
    return pl.col("split").str.split("-").list.first()


@dataclass(frozen=True)
class Evidence:
    """Tables by name, lazily; one that is not there has no rows.

    >>> evidence = Evidence({"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["Two."]})})
    >>> evidence.answered.collect().rows(named=True)
    [{'question_id': '1', 'answer': 'Two.', 'normal': '2'}]
    """

    tables: Mapping[str, pl.LazyFrame]
    distance: int = DISTANCE

    def __getitem__(self, table: str) -> pl.LazyFrame:
        return self.tables[table] if table in self.tables else TABLES[table].empty().lazy()

    def __contains__(self, table: object) -> bool:
        return table in self.tables

    @cached_property
    def answered(self) -> pl.LazyFrame:
        """Questions with a reference answer, normalised."""
        return _normalized(self["questions"].select("question_id", "answer").drop_nulls("answer"), "answer")

    @cached_property
    def votes(self) -> pl.LazyFrame:
        """How many of those who saw the picture gave each normalised answer to each question."""
        seen = self["answers"].filter(pl.col("shown").fill_null("image") == "image").select("question_id", "answer")
        return _normalized(seen, "answer").group_by("question_id", "normal").len("people").collect().lazy()

    @cached_property
    def offers(self) -> pl.LazyFrame:
        """Choices, normalised."""
        return _normalized(self["choices"].select("question_id", "position", "choice", "is_target"), "choice")

    @cached_property
    def places(self) -> pl.LazyFrame:
        """The main splits in which each image is used, by its own row or by a question about it."""
        rows = [self[table].select("image_id", main_split()).unique() for table in ("images", "questions")]
        return pl.concat(rows).drop_nulls().unique().collect().lazy()

    @cached_property
    def hashed(self) -> pl.LazyFrame:
        """Images with a perceptual hash and each main split in which they are used, "" for none."""
        hashes = self["fingerprints"].select("image_id", "phash").drop_nulls()
        placed = hashes.join(self.places, on="image_id", how="left").with_columns(pl.col("split").fill_null(""))
        return placed.collect().lazy()

    @cached_property
    def alike(self) -> pl.LazyFrame:
        """Per hash and split that has an image near it: the first and the last such image, itself among them."""
        kinds = self.hashed.group_by("phash", "split").agg(
            pl.col("image_id").min().alias("first"), pl.col("image_id").max().alias("last")
        )
        hashes = self.hashed.select("phash").unique().collect()["phash"]
        pairs = near_hashes(hashes, self.distance).lazy()
        itself = hashes.to_frame().lazy().select(pl.col("phash").alias("one"), pl.col("phash").alias("other"))
        back = pairs.select(pl.col("other").alias("one"), pl.col("one").alias("other"))
        near = pl.concat([itself, pairs.select("one", "other"), back])
        # Among pictures of one world, such as rendered scenes, pairs are many times more than pictures.
        merged = near.join(kinds, left_on="other", right_on="phash").group_by("one", "split")
        return merged.agg(pl.col("first").min(), pl.col("last").max()).collect(engine="streaming").lazy()


def _normalized(rows: pl.LazyFrame, column: str) -> pl.LazyFrame:
    collected = rows.collect()
    return collected.with_columns(normalize_answers(collected[column]).alias("normal")).lazy()
