"""The question engine: scene graphs in, proved questions out."""

from eyechart.questions import operations
from eyechart.questions.programs import Program, Step

__all__ = ["Program", "Step", "operations"]
