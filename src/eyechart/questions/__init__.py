"""The question engine: scene graphs in, proved questions out."""

from eyechart.questions import operations
from eyechart.questions.forms import FORMS, Form, form_of
from eyechart.questions.labels import Labels, labels
from eyechart.questions.programs import Program, Step

__all__ = ["FORMS", "Form", "Labels", "Program", "Step", "form_of", "labels", "operations"]
