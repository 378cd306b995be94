"""What clean scene graphs hold how often: the pass before asking, which tells how likely decoys are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.stage import Json, Write
from eyechart.questions import SCENES, engine
from eyechart.store import Benchmark, Draft

__all__ = ["CountScenes"]

_IMAGES_PER_SHARD = 5000
_KEY = ("kind", "subject", "value", "object")


@dataclass(frozen=True)
class CountScenes:
    """Count kinds, values and links; some thousand pictures are a shard."""

    name: ClassVar[str] = "count"

    benchmark: str
    ontology: str | None = None
    """A folder with an ontology of one's own."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark, and the ontology."""
        return [Path(self.benchmark), *([Path(self.ontology)] if self.ontology is not None else [])]

    def plan(self) -> Sequence[Json]:
        """Ranges of pictures."""
        opened = Benchmark.open(self.benchmark)
        if "objects" not in opened or "images" not in opened:
            raise DataError(f"{self.benchmark}: found no objects, expected scene graphs; import or generate some first")
        return spans(opened, SCENES, _IMAGES_PER_SHARD)

    def run(self, shard: Json, write: Write) -> Json:
        """Count what is in the pictures of one range."""
        rows = rows_of_range(Benchmark.open(self.benchmark), shard, SCENES)
        write("tallies", engine(ontology=self.ontology).count(rows))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Counts of parts become counts of the whole."""
        added = draft.scan("tallies").group_by(_KEY).agg(pl.col("count").sum()).sort(_KEY, nulls_last=True)
        draft.put("tallies", added.collect())
