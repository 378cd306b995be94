"""A benchmark of what people gave: a benchmark's own tables, and rows made of a file of collected work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.collection import collected_tables, read_collected
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import most_said
from eyechart.store import Benchmark, Draft
from eyechart.tables import TABLES
from eyechart.text import question_type

__all__ = ["GatherCollected"]


@dataclass(frozen=True)
class GatherCollected:
    """Join collected work to the benchmark that it was collected for."""

    name: ClassVar[str] = "gather"

    collected: str
    """The file that eyechart collect export wrote."""
    benchmark: str | None = None
    """The benchmark that was asked about; none to make one of what was collected alone."""

    def inputs(self) -> Sequence[Path]:
        """The file, and the benchmark if there is one."""
        return [Path(each) for each in (self.collected, self.benchmark) if each is not None]

    def plan(self) -> Sequence[Json]:
        """The parts of the benchmark's tables to which nothing is added."""
        return [] if self._opened is None else carried(self._opened, [n for n in self._opened if n not in self._made])

    def run(self, shard: Json, write: Write) -> Json:
        """Bring one part along."""
        if self._opened is not None:
            carry(self._opened, shard, write)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Put the tables to which something was added."""
        del statistics
        for name, rows in self._made.items():
            before = self._opened.read(name) if self._opened is not None else TABLES[name].empty()
            draft.put(name, _joined(name, before, rows))

    @cached_property
    def _opened(self) -> Benchmark | None:
        return None if self.benchmark is None else Benchmark.open(self.benchmark)

    @cached_property
    def _made(self) -> dict[str, pl.DataFrame]:
        lines = [line for _, rows in read_collected(Path(self.collected)) for line in rows]
        made = collected_tables(lines)
        images = made.get("images", TABLES["images"].empty())
        if self._opened is not None:
            images = _joined("images", self._opened.read("images"), images)
        if "questions" in made:
            answers = made.get("answers", TABLES["answers"].empty())
            made["questions"] = _described(_with_splits(made["questions"], images.select("image_id", "split")), answers)
        return made


def _with_splits(questions: pl.DataFrame, images: pl.DataFrame) -> pl.DataFrame:
    """New questions are in the split of their picture."""
    joined = questions.drop("split").join(images, on="image_id", how="left", maintain_order="left")
    return joined.select(questions.columns)


def _described(questions: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """New questions with the answer that most people gave, and the types that VQA tells by words."""
    said = pl.col("answer")
    number = said.str.contains(r"^[0-9]+$")
    kind = pl.when(said.is_in(["yes", "no"])).then(pl.lit("yes/no")).when(number).then(pl.lit("number"))
    told = {"question_type": question_type(pl.col("question"))}
    told["answer_type"] = pl.when(said.is_not_null()).then(kind.otherwise(pl.lit("other")))
    answered = most_said(questions, answers.lazy())
    return answered.with_columns(pl.coalesce(name, value).alias(name) for name, value in told.items())


def _joined(name: str, before: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Old rows as they are, then those with new keys."""
    key = list(TABLES[name].key)
    fresh = rows.join(before.select(key), on=key, how="anti", nulls_equal=True, maintain_order="left")
    return pl.concat([before, fresh])
