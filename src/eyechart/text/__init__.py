"""Strings only: what questions and answers say, before anybody looks at a picture."""

from eyechart.text.answers import (
    clean_answer,
    contractions,
    normalize_answer,
    normalize_answers,
    normalize_words,
    plain_answers,
    strip_punctuation,
)
from eyechart.text.packaged_vectors import PACKAGED_VECTORS, packaged_vectors
from eyechart.text.question_types import QUESTION_TYPES, question_type
from eyechart.text.vectors import FileVectors, WordVectors, text_vectors, words_of
from eyechart.text.wordnet import Nouns, packaged_nouns
from eyechart.text.wordnet_tables import expand, split_rows

__all__ = [
    "PACKAGED_VECTORS",
    "QUESTION_TYPES",
    "FileVectors",
    "Nouns",
    "WordVectors",
    "clean_answer",
    "contractions",
    "expand",
    "normalize_answer",
    "normalize_answers",
    "normalize_words",
    "packaged_nouns",
    "packaged_vectors",
    "plain_answers",
    "question_type",
    "split_rows",
    "strip_punctuation",
    "text_vectors",
    "words_of",
]
