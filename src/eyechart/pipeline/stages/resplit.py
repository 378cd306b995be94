"""A benchmark whose questions are divided anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

import polars as pl

from eyechart.errors import DataError, UsageError
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.registry import did_you_mean
from eyechart.remedies import changing_priors, head_and_tail, superset_splits
from eyechart.store import Benchmark, Draft
from eyechart.tables import TABLES

__all__ = ["SCHEMES", "Resplit"]

SCHEMES = ("changing-priors", "head-tail", "superset", "apply")
"""Ways of dividing: by changing priors, by how frequent an answer is, around another benchmark's splits, or as one of
the schemes in the table ``splits`` says."""


@dataclass(frozen=True)
class Resplit:
    """Divide the questions by one scheme; a part of a table is a shard."""

    name: ClassVar[str] = "resplit"

    benchmark: str
    scheme: Literal["changing-priors", "head-tail", "superset", "apply"]
    test: float = 1 / 3
    """The share of the test set, where priors change."""
    alpha: float = 0.2
    """How much more frequent than the average an answer of the head is."""
    by: str = "group_local"
    """The column that groups like questions, for head and tail."""
    like: str | None = None
    """The benchmark whose splits are taken over."""
    shares: tuple[tuple[str, float], ...] = ()
    applied: str | None = None
    """The scheme of the table ``splits`` that becomes the split."""
    seed: int = 0

    def inputs(self) -> Sequence[Path]:
        """The benchmark, and that whose splits are taken over."""
        return [Path(self.benchmark), *([Path(self.like)] if self.like else [])]

    def plan(self) -> Sequence[Json]:
        """The parts of all tables."""
        opened = Benchmark.open(self.benchmark)
        if "questions" not in opened:
            raise DataError(f"{self.benchmark}: found no questions, expected some to divide; import or ask some first")
        if self.by not in TABLES["questions"].schema:
            known = TABLES["questions"].schema
            raise UsageError(f"no column of questions is called {self.by!r}: {did_you_mean(self.by, known)}")
        return carried(opened, list(opened))

    def run(self, shard: Json, write: Write) -> Json:
        """Bring a part along; questions with their new split."""
        opened = Benchmark.open(self.benchmark)
        if shard[0] == "questions" and self.scheme != "head-tail":
            rows = opened.part(*shard)
            parts = self._parts
            key = "image_id" if self.scheme == "superset" else "question_id"
            joined = rows.drop("split").join(parts, on=key, how="left", maintain_order="left")
            write("questions", joined.select(rows.columns))
        elif shard[0] == "images" and self.scheme != "head-tail":
            rows = opened.part(*shard)
            # Where questions about one picture are in different parts, the picture is in none.
            new = self._parts if self.scheme == "superset" else rows.select("image_id", split=pl.lit(None, pl.String))
            joined = rows.drop("split").join(new, on="image_id", how="left", maintain_order="left")
            write("images", joined.select(rows.columns))
        else:
            carry(opened, shard, write)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Tags of head and tail stand beside the split."""
        if self.scheme != "head-tail":
            return
        tags = self._parts.select("question_id", scheme=pl.lit(self.scheme), part="split").drop_nulls()
        before = draft.scan("splits").collect().filter(pl.col("scheme") != self.scheme)
        whole = [TABLES["splits"].conform(rows) for rows in (before, tags)]
        draft.put("splits", pl.concat(whole))

    @property
    def _parts(self) -> pl.DataFrame:
        return _divided(self, Benchmark.open(self.benchmark).fingerprint)


@lru_cache(1)  # shards that one process does share it
def _divided(stage: Resplit, fingerprint: str) -> pl.DataFrame:  # noqa: ARG001  # the fingerprint keys the cache
    """The split of each question, or of each picture."""
    opened = Benchmark.open(stage.benchmark)
    if stage.scheme == "superset":
        images = opened.scan("images").select("image_id", "coco_id").collect()
        if stage.like is None:
            raise UsageError("superset: found no other benchmark, expected one whose splits are taken over; add --like")
        other = Benchmark.open(stage.like).scan("images").select("image_id", "coco_id", "split").collect()
        return superset_splits(images, other, dict(stage.shares), stage.seed)
    if stage.scheme == "apply":
        return _applied(opened, stage.applied)
    names = dict.fromkeys(["question_id", "question", "question_type", "answer", stage.by])
    questions = with_targets(opened.scan("questions").select(*names).collect(), opened)
    if stage.scheme == "head-tail":
        parts = head_and_tail(questions, stage.alpha, stage.by)
    else:
        parts = changing_priors(questions, stage.test, stage.seed)
    return questions.select("question_id", split=parts)


def _applied(opened: Benchmark, scheme: str | None) -> pl.DataFrame:
    rows = opened.scan("splits").filter(pl.col("scheme") == scheme).select("question_id", split="part").collect()
    if not rows.height:
        known = opened.scan("splits").select(pl.col("scheme").unique().sort()).collect()["scheme"].to_list()
        raise UsageError(f"no scheme is called {scheme!r}: {did_you_mean(str(scheme), known)}")
    return rows
