"""Raw scene graphs to clean ones: words of the ontology, one thing per box, edges that hold, and a ledger of it all."""

from eyechart.scenes.normalize.cleaning import normalize
from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.coverage import KINDS, coverage, covered
from eyechart.scenes.normalize.detections import Detections, read_detections
from eyechart.scenes.normalize.edits import ADDED, REJECTED, Edits, check_edits, load_edits, unused_rejections
from eyechart.scenes.normalize.graph import Graphs, apply
from eyechart.scenes.normalize.ledger import CONSEQUENCES
from eyechart.scenes.normalize.lists import Lists, Settings, load_settings, packaged_lists
from eyechart.scenes.normalize.ngrams import read_ngrams
from eyechart.scenes.normalize.tallies import Tallies, add_up, survey
from eyechart.scenes.normalize.vocabulary import Vocabulary, packaged_vocabulary

__all__ = [
    "ADDED",
    "CONSEQUENCES",
    "KINDS",
    "REJECTED",
    "Context",
    "Detections",
    "Edits",
    "Graphs",
    "Lists",
    "Settings",
    "Tallies",
    "Vocabulary",
    "add_up",
    "apply",
    "check_edits",
    "coverage",
    "covered",
    "load_edits",
    "load_settings",
    "normalize",
    "packaged_lists",
    "packaged_vocabulary",
    "read_detections",
    "read_ngrams",
    "survey",
    "unused_rejections",
]
