"""Strings only: what questions and answers say, before anybody looks at a picture."""

from eyechart.text.answers import clean_answer, normalize_answer, normalize_answers
from eyechart.text.question_types import QUESTION_TYPES, question_type

__all__ = ["QUESTION_TYPES", "clean_answer", "normalize_answer", "normalize_answers", "question_type"]
