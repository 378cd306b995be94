"""Strings only: what questions and answers say, before anybody looks at a picture."""

from eyechart.text.question_types import QUESTION_TYPES, question_type

__all__ = ["QUESTION_TYPES", "question_type"]
