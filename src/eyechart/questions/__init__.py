"""The question engine: scene graphs in, proved questions out."""

from eyechart.questions import operations
from eyechart.questions.answers import AnswerLists
from eyechart.questions.asking import SCENES, Engine, engine
from eyechart.questions.bind.counts import Counts
from eyechart.questions.entailment import Entailer
from eyechart.questions.forms import FORMS, Form, form_of
from eyechart.questions.graph import SceneGraph, Thing
from eyechart.questions.interpret import interpret
from eyechart.questions.labels import Labels, labels
from eyechart.questions.linting import Complaint, lint
from eyechart.questions.meanings import meanings
from eyechart.questions.patterns import Group, groups_of
from eyechart.questions.plan.composing import Limits
from eyechart.questions.programs import Program, Step
from eyechart.questions.samples import Sample, Samples
from eyechart.questions.toy import toy_tables
from eyechart.questions.verify import faults

__all__ = [
    "FORMS",
    "SCENES",
    "AnswerLists",
    "Complaint",
    "Counts",
    "Engine",
    "Entailer",
    "Form",
    "Group",
    "Labels",
    "Limits",
    "Program",
    "Sample",
    "Samples",
    "SceneGraph",
    "Step",
    "Thing",
    "engine",
    "faults",
    "form_of",
    "groups_of",
    "interpret",
    "labels",
    "lint",
    "meanings",
    "operations",
    "toy_tables",
]
