"""What every rule may look at besides the graphs: words, numbers that decide, counts of the whole set, evidence."""

from dataclasses import dataclass, field

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
