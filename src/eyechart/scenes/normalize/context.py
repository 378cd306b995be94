"""What every rule may look at besides the graphs: words, numbers that decide, counts of the whole set, evidence."""

from dataclasses import dataclass, field
from functools import cached_property

from eyechart.scenes.normalize.detections import Detections
from eyechart.scenes.normalize.edits import Edits
from eyechart.scenes.normalize.lists import Settings
from eyechart.scenes.normalize.tallies import Tallies
from eyechart.scenes.normalize.vocabulary import Vocabulary

__all__ = ["Context"]


@dataclass(frozen=True)
class Context:
    """The same for all pictures of a set."""

    vocabulary: Vocabulary
    settings: Settings
    tallies: Tallies
    edits: Edits = field(default_factory=Edits.none)
    ngrams: dict[str, float] = field(default_factory=dict)
    """Scores of phrases."""
    detections: Detections | None = None
    """What a detector saw."""

    @cached_property
    def relation_counts(self) -> dict[tuple[str, ...], int]:
        """How often each relation was annotated."""
        return self.tallies.margin("value")

    @cached_property
    def attribute_counts(self) -> dict[str, int]:
        """How often each attribute was annotated."""
        counts: dict[str, int] = {}
        for (_, value), count in self.tallies.attributes.items():
            counts[value] = counts.get(value, 0) + count
        return counts

    @cached_property
    def starts(self) -> dict[tuple[str, ...], int]:
        """How often each subject had each relation."""
        return self.tallies.margin("subject", "value")

    @cached_property
    def ends(self) -> dict[tuple[str, ...], int]:
        """How often each relation had each object."""
        return self.tallies.margin("value", "object")
