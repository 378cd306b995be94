"""What a track's results are compared with, opened once per process: answers, and which split has which question."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl
from sqlalchemy import Connection, select

from eyechart.challenge.splits import unpacked
from eyechart.database import challenges as t
from eyechart.errors import BenchmarkError
from eyechart.metrics import groups_of, metric_named
from eyechart.store import Benchmark

__all__ = ["Truth", "Truths", "track_columns"]

_KEPT = 4
"""So many tracks stay open in a process."""
_ALWAYS = ("questions", "answers", "choices")


def track_columns(benchmark: Benchmark) -> tuple[str, ...]:
    """The columns of questions by which numbers can be told apart."""
    questions = groups_of(benchmark.read("questions"))
    return tuple(name for name, kind in questions.schema.items() if kind in {pl.String, pl.Boolean})


@dataclass(frozen=True)
class Truth:
    """One track, ready to score."""

    tables: Mapping[str, pl.LazyFrame]
    """What its metrics need, in memory."""
    questions: pl.DataFrame
    """All questions of the benchmark, with an image each and everything they can be grouped by."""
    splits: Mapping[str, pl.DataFrame]
    """The questions of each split, by its name."""
    metrics: tuple[str, ...]
    groups: tuple[str, ...]
    task: str

    @classmethod
    def load(cls, rows: Connection, track_id: int) -> "Truth":
        """Open a track's benchmark, which must hold what it held when the challenge was made."""
        track = rows.execute(select(t.TRACKS).where(t.TRACKS.c.track_id == track_id)).mappings().one()
        members = rows.execute(select(t.SPLITS.c.slug, t.SPLITS.c.members).where(t.SPLITS.c.track_id == track_id)).all()
        benchmark = Benchmark.open(Path(track["benchmark"]))
        if benchmark.fingerprint != track["fingerprint"]:
            raise BenchmarkError(
                f"{benchmark.folder}: found another benchmark than when the challenge was made, expected the same; "
                "put the old one back"
            )
        metrics = tuple(track["metrics"])
        needed = {*_ALWAYS, *(table for name in metrics for table in metric_named(name).needs), *_referenced(benchmark)}
        questions = groups_of(benchmark.read("questions"))
        return cls(
            {name: benchmark.read(name).lazy() for name in sorted(needed) if name in benchmark},
            questions.with_columns(image_id=pl.coalesce("image_id", "question_id")),
            {slug: unpacked(ids).to_frame() for slug, ids in members},
            metrics,
            tuple(track["groups"]),
            track["task"],
        )

    @cached_property
    def known(self) -> pl.DataFrame:
        """The ids of all questions."""
        return self.questions.select("question_id")

    @cached_property
    def choices(self) -> pl.DataFrame | None:
        """What may be picked, if picks are asked for."""
        if self.task != "multiple-choice":
            return None
        return self.tables["choices"].select("question_id", "choice").collect()

    @cached_property
    def columns(self) -> pl.DataFrame:
        """What every question is counted by."""
        return self.questions.select(list(dict.fromkeys(("question_id", "image_id", *self.groups))))


def _referenced(benchmark: Benchmark) -> tuple[str, ...]:
    """Small tables that metrics look at if they are there."""
    return tuple(name for name in ("pairs", "entailments", "judgements") if name in benchmark)


class Truths:
    """The tracks that a process has open, the least used of which is let go of first."""

    def __init__(self) -> None:
        self._open: OrderedDict[int, Truth] = OrderedDict()

    def of(self, rows: Connection, track_id: int) -> Truth:
        """A track's truth, opened on first use."""
        if track_id not in self._open:
            self._open[track_id] = Truth.load(rows, track_id)
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)
        self._open.move_to_end(track_id)
        return self._open[track_id]
