"""A benchmark with 18 choices per question, as VQA has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.remedies import ONLY_EQUAL, PLAUSIBLE, Answers, Lists, Pool, Search, Searching, Triplets, eighteen_choices
from eyechart.store import Benchmark, Draft
from eyechart.text import BAG_OF_WORDS, text_encoder

__all__ = ["MakeChoices"]

_PER_SHARD = 25_000


@dataclass(frozen=True)
class MakeChoices:
    """Choices for all questions that have an answer; questions with like words are a shard."""

    name: ClassVar[str] = "choices"

    benchmark: str
    encoder: str = BAG_OF_WORDS
    """What tells which questions are near."""
    seed: int = 0
    per_shard: int = _PER_SHARD

    def inputs(self) -> Sequence[Path]:
        """The benchmark."""
        return [Path(self.benchmark)]

    def plan(self) -> Sequence[Json]:
        """Ranges of questions, and the parts of all other tables."""
        opened = self._opened
        others = [table for table in opened if table != "choices"]
        return [*(["ask", *bounds] for bounds in self._ready.pool.bounds(self.per_shard)), *carried(opened, others)]

    def run(self, shard: Json, write: Write) -> Json:
        """Choices for one range, or a part of another table."""
        if shard[0] != "ask":
            carry(self._opened, shard, write)
            return
        ready = self._ready
        search = Search(ready.triplets, ready.pool, range(shard[1], shard[2]), Searching(PLAUSIBLE, seed=self.seed))
        query, row = ready.blind.of(ready.pool.triplet[search.rows])
        write("choices", eighteen_choices(search, (query, ready.blind_answer[row])))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: questions have their choices."""

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)

    @property
    def _ready(self) -> "_Ready":
        return _prepare(self, self._opened.fingerprint)


@dataclass(frozen=True)
class _Ready:
    """What all shards need: made once per process."""

    triplets: Triplets
    pool: Pool
    blind: Lists
    blind_answer: np.ndarray


@lru_cache(maxsize=1)
def _prepare(stage: MakeChoices, fingerprint: str) -> _Ready:  # noqa: ARG001  # the fingerprint keys the cache
    opened = Benchmark.open(stage.benchmark)
    names = ("question_id", "image_id", "split", "question", "answer")
    asked = with_targets(opened.scan("questions").select(names).collect(), opened).drop_nulls(["question", "answer"])
    if not asked.height:
        raise DataError(f"{stage.benchmark}: found no question with an answer, expected some to choose from")
    asked = asked.with_columns(pl.coalesce("image_id", "question_id").alias("image_id"))
    unseen = opened.scan("answers").filter(pl.col("shown") == "nothing").select("question_id", "answer").collect()
    unseen = unseen.join(asked.select("question_id"), on="question_id", how="semi", maintain_order="left")
    triplets = Triplets(asked, Answers([*asked["answer"], *unseen["answer"]], ONLY_EQUAL))
    number = triplets.ids.to_frame("question_id").with_row_index("triplet")
    places = unseen.join(number, on="question_id", how="left", maintain_order="left")["triplet"]
    return _Ready(
        triplets=triplets,
        pool=Pool.of(triplets, np.arange(len(triplets)), text_encoder(stage.encoder)),
        blind=Lists.by(places.cast(pl.Int64).to_numpy(), len(triplets)),
        blind_answer=triplets.answers.coded(unseen["answer"].to_list()),
    )
