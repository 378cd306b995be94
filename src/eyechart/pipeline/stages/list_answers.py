"""A benchmark with GQA's valid and plausible answers for each question; a part of the questions is a shard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from eyechart.errors import DataError
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.questions import AnswerLists
from eyechart.store import Benchmark, Draft

__all__ = ["ListAnswers"]


@dataclass(frozen=True)
class ListAnswers:
    """Say for each question with a program which answers are of the right kind, and which occur."""

    name: ClassVar[str] = "answers"

    benchmark: str

    def inputs(self) -> Sequence[Path]:
        """The benchmark."""
        return [Path(self.benchmark)]

    def plan(self) -> Sequence[Json]:
        """Parts of the questions, twice: as they are, and to list their answers; and parts of the other tables."""
        opened = self._opened
        if "questions" not in opened:
            raise DataError(f"{self.benchmark}: found no questions, expected some with programs; ask some first")
        listed = [["choices", number] for _, number in carried(opened, ["questions"])]
        return [*listed, *carried(opened, [table for table in opened if table != "choices"])]

    def run(self, shard: Json, write: Write) -> Json:
        """The answers of one part of the questions, or a part of another table."""
        if shard[0] != "choices":
            carry(self._opened, shard, write)
            return
        lists = _lists(self.benchmark, self._opened.fingerprint)
        for rows in self._opened.part("questions", shard[1]).iter_slices(20_000):
            write("choices", lists.choices(rows))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: each question has its answers."""

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)


@lru_cache(1)  # shards that one process does share it
def _lists(folder: str, fingerprint: str) -> AnswerLists:  # noqa: ARG001  # the key
    return AnswerLists.of(Benchmark.open(folder).scan("questions"))
