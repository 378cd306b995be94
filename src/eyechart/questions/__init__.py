"""The question engine: scene graphs in, proved questions out."""

from eyechart.questions import operations
from eyechart.questions.asking import SCENES, Engine, engine
from eyechart.questions.entailment import Entailer
from eyechart.questions.forms import FORMS, Form, form_of
from eyechart.questions.graph import SceneGraph, Thing
from eyechart.questions.interpret import interpret
from eyechart.questions.labels import Labels, labels
from eyechart.questions.linting import Complaint, lint
from eyechart.questions.meanings import meanings
from eyechart.questions.patterns import Group, groups_of
from eyechart.questions.programs import Program, Step
from eyechart.questions.samples import Sample, Samples
from eyechart.questions.toy import toy_tables

__all__ = [
    "FORMS",
    "SCENES",
    "Complaint",
    "Engine",
    "Entailer",
    "Form",
    "Group",
    "Labels",
    "Program",
    "Sample",
    "Samples",
    "SceneGraph",
    "Step",
    "Thing",
    "engine",
    "form_of",
    "groups_of",
    "interpret",
    "labels",
    "lint",
    "meanings",
    "operations",
    "toy_tables",
]
