"""Raw scene graphs into clean ones, with the ledger of what changed; some thousand pictures are a shard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.stages.survey_scenes import GRAPHS, vocabulary_of
from eyechart.scenes import normalize
from eyechart.store import Benchmark, Draft

__all__ = ["NormalizeScenes"]

_TABLES = (*GRAPHS, "inventories")
_MADE_ANEW = {*_TABLES, "changes", "tallies", "mentions", "extras"}
"""Extras hold what a foreign file says beside the tables; of clean graphs it would say wrong things."""

_IMAGES_PER_SHARD = 2000


@dataclass(frozen=True)
class NormalizeScenes:
    """Clean the scene graphs of a benchmark, and bring along what else it holds."""

    name: ClassVar[str] = "normalize"

    benchmark: str
    tallies: str
    """The benchmark of ``SurveyScenes``: counts of this set, or of a larger one like it."""
    settings: normalize.Settings = field(default_factory=normalize.load_settings)
    edits: str | None = None
    detections: str | None = None
    ngrams: str | None = None
    ontology: str | None = None

    def inputs(self) -> Sequence[Path]:
        """The benchmark, the counts, and the files that a person gave."""
        given = (self.benchmark, self.tallies, self.edits, self.detections, self.ngrams, self.ontology)
        return [Path(each) for each in given if each is not None]

    def plan(self) -> Sequence[Json]:
        """Ranges of pictures, and parts of the tables that stay as they are."""
        opened = self._opened
        if "objects" not in opened:
            raise DataError(f"{self.benchmark}: found no objects, expected scene graphs; import or generate some first")
        if self.edits is not None:
            things = opened.scan("objects").select("image_id", "object_id")
            normalize.check_edits(
                self._context.edits, self.edits, opened.scan("images"), things, self._context.vocabulary
            )
        others = [table for table in opened if table not in _MADE_ANEW]
        ranges = [["graphs", *span] for span in spans(opened, _TABLES, _IMAGES_PER_SHARD)]
        return [*ranges, *carried(opened, others)]

    def run(self, shard: Json, write: Write) -> Json:
        """Clean the graphs of one range, or bring a part of another table along."""
        if shard[0] != "graphs":
            carry(self._opened, shard, write)
            return
        raw = rows_of_range(self._opened, shard[1:], _TABLES)
        for table, rows in normalize.normalize(raw, self._context).items():
            write(table, rows)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Questions' words that mention a thing mention what it is now, or nothing."""
        if "mentions" in self._opened:
            draft.put("mentions", _mentions(self._opened.scan("mentions"), self._opened, draft).collect())

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)

    @cached_property
    def _context(self) -> normalize.Context:
        return normalize.Context(
            vocabulary=vocabulary_of(self.ontology),
            settings=self.settings,
            tallies=_tallies(self.tallies, Benchmark.open(self.tallies).fingerprint),
            edits=normalize.load_edits(Path(self.edits)) if self.edits is not None else normalize.Edits.none(),
            ngrams=_ngrams(self.ngrams, _state(self.ngrams)),
            detections=_detections(self.detections, _state(self.detections)),
        )


@lru_cache(1)  # shards that one process does share it
def _tallies(folder: str, fingerprint: str) -> normalize.Tallies:  # noqa: ARG001  # the key: counts made anew are read anew
    return normalize.Tallies(Benchmark.open(folder).read("tallies"))


@lru_cache(1)  # shards that one process does share it
def _ngrams(file: str | None, state: str) -> dict[str, float]:  # noqa: ARG001  # the key: a changed file is read anew
    return {} if file is None else normalize.read_ngrams(Path(file))


@lru_cache(1)
def _detections(file: str | None, state: str) -> normalize.Detections | None:  # noqa: ARG001  # as above
    return None if file is None else normalize.read_detections(Path(file))


def _state(file: str | None) -> str:
    return "" if file is None else str(Path(file).stat().st_mtime_ns)


def _mentions(mentions: pl.LazyFrame, opened: Benchmark, draft: Draft) -> pl.LazyFrame:
    """Mentions of things that are still there; those of merged things are of the one that stayed."""
    asked = opened.scan("questions").select("question_id", "image_id")
    now = draft.scan("objects").select("image_id", "object_id", "merged_ids")
    stayed = now.select("image_id", "object_id", into="object_id")
    merged = now.select("image_id", into="object_id", object_id="merged_ids").explode("object_id").drop_nulls()
    known = pl.concat([stayed, merged.select("image_id", "object_id", "into")]).unique(
        ("image_id", "object_id"), keep="first", maintain_order=True
    )
    found = mentions.join(asked, on="question_id", maintain_order="left").join(
        known, on=("image_id", "object_id"), maintain_order="left"
    )
    return found.with_columns(object_id="into").select(mentions.collect_schema().names()).unique(maintain_order=True)
