"""Scene graphs into questions: a thousand pictures are a shard, which asks what its own rows and the counts prove."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.carrying import BY_QUESTION, carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.questions import SCENES, Counts, Engine, Limits, engine, faults
from eyechart.store import Benchmark, Draft

__all__ = ["DISPROVED", "AskQuestions"]

DISPROVED = "refused by the executor"
"""The reason in the table ``refusals`` for questions that the naive executor does not agree with."""

_IMAGES_PER_SHARD = 1000
_MADE_ANEW = {*BY_QUESTION, "questions", "refusals", "coverage", "tallies", "extras"}
_SUMS = {"refusals": ("group", "reason"), "coverage": ("what", "name")}


@dataclass(frozen=True)
class AskQuestions:
    """Ask about the pictures of a benchmark, and bring along its scene graphs."""

    name: ClassVar[str] = "ask"

    benchmark: str
    counts: str
    """The benchmark of ``CountScenes``: of this set, or of a larger one like it."""
    seed: int = 0
    language: str = "english"
    patterns: tuple[str, ...] = ()
    """Folders with further patterns."""
    ontology: str | None = None
    rate: float = 1.0
    per_image: int | None = None
    complete: tuple[str, ...] = ()
    """Kinds of which every picture shows all there are."""
    verify: bool = False
    """Whether every question is put to the naive executor, and left out if that does not agree."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark, the counts, and the folders that a person gave."""
        given = (self.benchmark, self.counts, *self.patterns, self.ontology)
        return [Path(each) for each in given if each is not None]

    def plan(self) -> Sequence[Json]:
        """Ranges of pictures, and parts of the tables that stay as they are."""
        self._engine  # noqa: B018  # a mistake in a pattern is told before anything runs
        opened = Benchmark.open(self.benchmark)
        others = [table for table in opened if table not in _MADE_ANEW]
        ranges = [["pictures", *span] for span in spans(opened, SCENES, _IMAGES_PER_SHARD)]
        return [*ranges, *carried(opened, others)]

    def run(self, shard: Json, write: Write) -> Json:
        """Ask about the pictures of one range, or bring a part of another table along."""
        opened = Benchmark.open(self.benchmark)
        if shard[0] != "pictures":
            carry(opened, shard, write)
            return
        tables = rows_of_range(opened, shard[1:], SCENES)
        asked = self._engine.ask(tables, self._counts, seed=self.seed)
        splits = tables["images"].select("image_id", "split")
        questions = asked.questions.join(splits, on="image_id", how="left", maintain_order="left")
        mentions, refusals, coverage = asked.mentions, asked.ledger.rows, asked.coverage
        if self.verify:
            wrong = pl.DataFrame(
                [asdict(each) for each in faults(questions, tables)], schema={"question_id": pl.String}
            )
            refused = questions.join(wrong, on="question_id", how="semi")
            questions, mentions = (rows.join(wrong, on="question_id", how="anti") for rows in (questions, mentions))
            refusals = pl.concat([refusals, _disproved(refused)])
        for table, rows in (
            ("questions", questions),
            ("mentions", mentions),
            ("refusals", refusals),
            ("coverage", coverage),
        ):
            write(table, rows)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """The counts of shards become counts of the whole."""
        for table, key in _SUMS.items():
            added = draft.scan(table).group_by(key).agg(pl.col("count").sum()).sort(key)
            draft.put(table, added.collect())

    @cached_property
    def _engine(self) -> Engine:
        limits = Limits(self.rate, self.per_image)
        return engine(self.language, self.patterns, ontology=self.ontology, limits=limits, complete=self.complete)

    @property
    def _counts(self) -> Counts:
        return _read_counts(self.counts, Benchmark.open(self.counts).fingerprint, self._engine)


def _disproved(questions: pl.DataFrame) -> pl.DataFrame:
    group = pl.col("pattern").str.split("/").list.first()
    counted = questions.group_by(group=group, maintain_order=True).agg(count=pl.len().cast(pl.Int64))
    return counted.select("group", reason=pl.lit(DISPROVED), count="count")


@lru_cache(1)  # shards that one process does share it
def _read_counts(folder: str, fingerprint: str, engine_: Engine) -> Counts:  # noqa: ARG001  # the key
    return Counts.of(Benchmark.open(folder).read("tallies"), engine_.codes)
