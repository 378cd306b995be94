"""A benchmark with its answers balanced: some of its questions, and what belongs to them."""

from base64 import b85decode, b85encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from eyechart.errors import DataError, UsageError
from eyechart.pipeline.carrying import BY_QUESTION, carried, carry, kept_only
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.questions import meanings
from eyechart.registry import did_you_mean
from eyechart.remedies import Balance, balance, split_by_image
from eyechart.store import Benchmark, Draft
from eyechart.tables import TABLES

__all__ = ["ONCE", "BalanceAnswers"]

_MEANING = "meaning"
ONCE = {"repeated": ("image_id", "question"), "same meaning": ("image_id", _MEANING)}
"""What may be asked once only of an image: the same words, and the same in other words, where programs tell."""


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
        questions = [
            ["questions", number, _packed(chosen.slice(start, size))]
            for number, (start, size) in enumerate(_places(opened))
        ]
        return [*questions, *carried(opened, others)]

    @cached_property
    def rules(self) -> pl.Series:
        """For each question what drops it; null for those that are chosen."""
        questions = self.questions
        if all(questions[name].null_count() == questions.height for name in self.how.groups):
            named = ", ".join(self.how.groups)
            raise UsageError(f"{self.benchmark}: found no values in {named}, expected groups; name another column")
        if lacking := questions["answer"].null_count():
            first = questions["answer"].is_null().arg_max() or 0
            id_ = self._opened.scan("questions").select("question_id").slice(first, 1).collect().item()
            raise DataError(
                f"{self.benchmark}: found {lacking:,} questions without an answer ({id_!r}), expected one "
                "of each; balance the splits that have answers"
            )
        return balance(questions, self.how)

    @cached_property
    def questions(self) -> pl.DataFrame:
        """What is needed to know of each question, small enough that tens of millions fit: words are categories."""
        opened = self._opened
        if "questions" not in opened:
            raise DataError(f"{self.benchmark}: found no questions, expected some to balance; ask or import some first")
        for column in {*self.how.columns} - {_MEANING}:
            if column not in TABLES["questions"].schema:
                known = TABLES["questions"].schema
                raise UsageError(f"no column of questions is called {column!r}: {did_you_mean(column, known)}")
        answers = self._targets
        return pl.concat([self._compact(start, size, answers) for start, size in _places(opened)])

    @cached_property
    def _targets(self) -> pl.Series | None:
        """What people answered, where questions have no answer of their own."""
        opened = self._opened
        own = opened.scan("questions").select("question_id", "answer")
        if "answers" not in opened or not own.select(pl.col("answer").null_count()).collect().item():
            return None
        return with_targets(own.collect(), opened)["answer"]

    def _compact(self, start: int, size: int, answers: pl.Series | None) -> pl.DataFrame:
        """One part of the questions: numbers for ids and for what may be repeated, categories for words."""
        how, repeated = self.how, [name for names in self.how.once.values() for name in names]
        needed = {"program" if name == _MEANING else name for name in how.columns}
        rows = self._opened.scan("questions").select(needed).slice(start, size).collect()
        if _MEANING in repeated:
            rows = rows.with_columns(meanings(rows["program"]).alias(_MEANING))
        if answers is not None:
            rows = rows.with_columns(answers.slice(start, size).alias("answer"))
        hashed = [
            pl.when(pl.col(name).is_not_null()).then(pl.col(name).hash()).alias(name)
            for name in set(repeated) - set(how.labels)
        ]
        words = [pl.col(name).cast(pl.Categorical) for name in how.labels]
        return rows.select(how.draws(rows["question_id"]), *words, *hashed)

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
        kept = draft.scan("questions").select("question_id").collect().lazy()
        for table in [] if self.keep_all else BY_QUESTION:
            if table in opened:
                draft.put(table, kept_only(table, opened.scan(table), kept).collect(engine="streaming"))

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)


def _places(benchmark: Benchmark) -> list[tuple[int, int]]:
    """Where each part of the questions begins, and how many rows it has."""
    sizes = [part.rows for part in benchmark.manifest.parts["questions"]]
    return list(zip(accumulate(sizes[:-1], initial=0), sizes, strict=True))


def _packed(flags: pl.Series) -> str:
    """Flags as text, eight in a byte."""
    return b85encode(np.packbits(flags.to_numpy()).tobytes()).decode()


def _unpacked(packed: str, size: int) -> pl.Series:
    flags = np.unpackbits(np.frombuffer(b85decode(packed), dtype=np.uint8), count=size)
    return pl.Series(flags.astype(bool))
