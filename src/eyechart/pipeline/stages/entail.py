"""A benchmark with the table of what follows from what: questions of some thousand pictures are a shard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.questions import Entailer
from eyechart.scenes import ontology
from eyechart.store import Benchmark, Draft

__all__ = ["EntailQuestions"]

_QUESTIONS = ("questions",)
_IMAGES_PER_SHARD = 4000


@dataclass(frozen=True)
class EntailQuestions:
    """Find out which answers follow from which within each picture, and bring along what is there."""

    name: ClassVar[str] = "entail"

    benchmark: str
    ontology: str | None = None
    """A folder with another ontology; the packaged one if not said."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark, and the ontology that a person gave."""
        return [Path(each) for each in (self.benchmark, self.ontology) if each is not None]

    def plan(self) -> Sequence[Json]:
        """Ranges of pictures, and parts of the tables that stay as they are."""
        opened = Benchmark.open(self.benchmark)
        with_programs = opened.scan("questions").select(pl.col("program").list.len().max()).collect().item()
        if not with_programs:
            raise DataError(
                f"{self.benchmark}: found no programs, expected questions that say what they mean; ask them with "
                "eyechart ask, or import GQA's"
            )
        ranges = [["pictures", *span] for span in spans(opened, _QUESTIONS, _IMAGES_PER_SHARD)]
        return [*ranges, *carried(opened, [table for table in opened if table != "entailments"])]

    def run(self, shard: Json, write: Write) -> Json:
        """Entailments of the questions about some pictures, or a part of another table."""
        opened = Benchmark.open(self.benchmark)
        if shard[0] != "pictures":
            carry(opened, shard, write)
            return
        write("entailments", _entailer(self.ontology).entail(rows_of_range(opened, shard[1:], _QUESTIONS)["questions"]))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing is left to do: no answer follows from one about another picture."""


@lru_cache(1)  # what was understood of the words of one shard helps with the next
def _entailer(folder: str | None) -> Entailer:
    return Entailer(ontology.packaged_ontology() if folder is None else ontology.load_ontology(Path(folder)))
