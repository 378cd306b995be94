"""A benchmark with its answers balanced: some of its questions, and what belongs to them."""

from base64 import b85decode, b85encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from eyechart.errors import DataError, UsageError
from eyechart.pipeline.carrying import BY_QUESTION, carried, carry, kept_only
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.registry import did_you_mean
from eyechart.remedies import Balance, balance, split_by_image
from eyechart.store import Benchmark, Draft
from eyechart.tables import TABLES

__all__ = ["BalanceAnswers"]


@dataclass(frozen=True)
class BalanceAnswers:
    """Choose questions by their counts, then copy the chosen ones; a part of a table is a shard."""

    name: ClassVar[str] = "balance"

    benchmark: str
    how: Balance
    splits: dict[str, float] = field(default_factory=dict[str, float])
    """Shares of new splits, by picture; empty leaves the splits as they are."""
    keep_all: bool = False
    """Mark the chosen questions instead of leaving out the others."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark."""
        return [Path(self.benchmark)]

    def plan(self) -> Sequence[Json]:
        """Parts of questions with which of their rows are chosen, and parts of the other tables as they are."""
        opened = self._opened
        chosen = self.rules.is_null()
        others = [table for table in opened if table != "questions" and (self.keep_all or table not in BY_QUESTION)]
        sizes = [part.rows for part in opened.manifest.parts["questions"]]
        starts = np.cumsum([0, *sizes])[:-1]
        rows = zip(carried(opened, ["questions"]), starts, sizes, strict=True)
        questions = [[*part, _packed(chosen.slice(int(start), size))] for part, start, size in rows]
        return [*questions, *carried(opened, others)]

    @cached_property
    def rules(self) -> pl.Series:
        """For each question what drops it; null for those that are chosen."""
        opened = self._opened
        if "questions" not in opened:
            raise DataError(f"{self.benchmark}: found no questions, expected some to balance; ask or import some first")
        known = TABLES["questions"].schema
        for column in self.how.columns:
            if column not in known:
                raise UsageError(f"no column of questions is called {column!r}: {did_you_mean(column, known)}")
        questions = with_targets(opened.scan("questions").select(self.how.columns).collect(), opened)
        groups = list(dict.fromkeys(name for level in self.how.levels for name in level.by))
        if all(questions[name].null_count() == questions.height for name in groups):
            raise UsageError(
                f"{self.benchmark}: found no values in {', '.join(groups)}, expected groups; name another column"
            )
        if questions["answer"].null_count():
            lacking = questions.filter(pl.col("answer").is_null())["question_id"]
            raise DataError(
                f"{self.benchmark}: found {lacking.len():,} questions without an answer ({lacking[0]!r}), expected one "
                "of each; balance the splits that have answers"
            )
        return balance(questions, self.how)

    def run(self, shard: Json, write: Write) -> Json:
        """Copy the chosen rows of one part of the questions, or a part of another table."""
        opened = self._opened
        if shard[0] not in {"questions", "images"}:
            carry(opened, shard, write)
            return
        rows = opened.part(shard[0], shard[1])
        if shard[0] == "questions":
            chosen = _unpacked(shard[2], rows.height)
            marked = rows.with_columns(balanced=chosen)
            rows = marked if self.keep_all else marked.filter(chosen)
        if self.splits:
            rows = rows.with_columns(split=split_by_image(pl.col("image_id"), self.splits, self.how.seed))
        write(shard[0], rows)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Bring along what is said of the chosen questions."""
        opened = self._opened
        for table in [] if self.keep_all else BY_QUESTION:
            if table in opened:
                draft.put(table, kept_only(table, opened.scan(table), draft.scan("questions")).collect())

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)


def _packed(flags: pl.Series) -> str:
    """Flags as text, eight in a byte."""
    return b85encode(np.packbits(flags.to_numpy()).tobytes()).decode()


def _unpacked(packed: str, size: int) -> pl.Series:
    flags = np.unpackbits(np.frombuffer(b85decode(packed), dtype=np.uint8), count=size)
    return pl.Series(flags.astype(bool))
