"""What a whole set of raw scene graphs holds how often: the pass before cleaning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from eyechart.errors import DataError
from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.stage import Json, Write
from eyechart.scenes import normalize, ontology
from eyechart.store import Benchmark, Draft

__all__ = ["GRAPHS", "SurveyScenes", "vocabulary_of"]

GRAPHS = ("images", "objects", "attributes", "relations")
"""The tables that hold scene graphs."""

_IMAGES_PER_SHARD = 5000


@dataclass(frozen=True)
class SurveyScenes:
    """Count things, attributes, triples, and what is seen together; some thousand pictures are a shard."""

    name: ClassVar[str] = "survey"

    benchmark: str
    ontology: str | None = None
    """A folder with an ontology of one's own."""

    def inputs(self) -> Sequence[Path]:
        """The benchmark, and the ontology."""
        return [Path(self.benchmark), *([Path(self.ontology)] if self.ontology is not None else [])]

    def plan(self) -> Sequence[Json]:
        """Ranges of pictures."""
        opened = Benchmark.open(self.benchmark)
        if "objects" not in opened:
            raise DataError(f"{self.benchmark}: found no objects, expected scene graphs; import or generate some first")
        vocabulary_of(self.ontology)
        return spans(opened, GRAPHS, _IMAGES_PER_SHARD)

    def run(self, shard: Json, write: Write) -> Json:
        """Count what is in the pictures of one range."""
        opened = Benchmark.open(self.benchmark)
        graphs = normalize.Graphs.of(rows_of_range(opened, shard, GRAPHS))
        write("tallies", normalize.survey(graphs, vocabulary_of(self.ontology)))

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Counts of parts become counts of the whole."""
        draft.put("tallies", normalize.add_up(draft.scan("tallies").collect()))


@lru_cache(1)  # shards that one process does share it
def _own_vocabulary(folder: Path) -> normalize.Vocabulary:
    return normalize.Vocabulary(ontology.load_ontology(folder), normalize.packaged_lists())


def vocabulary_of(ontology: str | None) -> normalize.Vocabulary:
    """The words of an ontology's folder, or of the packaged one.

    >>> vocabulary_of(None).name("Man's shirts").owner
    'man'
    """
    return normalize.packaged_vocabulary() if ontology is None else _own_vocabulary(Path(ontology))
