"""Another set of choices from decoys that have been made: one variant of a benchmark beside the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.remedies import choices_of
from eyechart.store import Benchmark, Draft

__all__ = ["OfferChoices"]

_REPLACED = ("choices", "decoys", "scores")


@dataclass(frozen=True)
class OfferChoices:
    """Offer some kinds of decoys; a part of the questions is a shard."""

    name: ClassVar[str] = "offer"

    made: str
    """The benchmark with decoys."""
    original: str
    """The one that it was made of, with the original choices."""
    kinds: tuple[str, ...]
    seed: int = 0

    def inputs(self) -> Sequence[Path]:
        """Both benchmarks."""
        return [Path(self.made), Path(self.original)]

    def plan(self) -> Sequence[Json]:
        """Parts of the questions, and of everything that stays as it is."""
        made = Benchmark.open(self.made)
        others = [table for table in made if table not in {"questions", *_REPLACED}]
        return [*carried(made, ["questions"]), *carried(made, others)]

    def run(self, shard: Json, write: Write) -> Json:
        """Copy a part, and offer choices to its questions."""
        made = self._opened
        carry(made, shard, write)
        if shard[0] != "questions":
            return
        questions = made.part(*shard).select("question_id", "answer")
        ids = questions["question_id"].implode()
        decoys, old = (
            benchmark.scan(table).filter(pl.col("question_id").is_in(ids)).collect()
            for benchmark, table in ((made, "decoys"), (Benchmark.open(self.original), "choices"))
        )
        if self.kinds == ("orig",):
            write("choices", old)
            return
        targets = with_targets(questions, made).drop_nulls()
        write("choices", choices_of(targets, decoys, old, self.kinds, self.seed))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: questions do not know of each other."""

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.made)
