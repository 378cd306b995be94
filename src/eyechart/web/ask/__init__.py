"""Ask a model: a picture, a question, and what a trained model makes of it."""

from eyechart.web.ask.area import AREA

__all__ = ["AREA"]
