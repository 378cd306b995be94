"""Strings only: what questions and answers say, before anybody looks at a picture."""

from eyechart.text.answers import (
    clean_answer,
    clean_answers,
    contractions,
    normalize_answer,
    normalize_answers,
    normalize_words,
    plain_answers,
    strip_punctuation,
)
from eyechart.text.encoders import BAG_OF_WORDS, TextEncoder, text_encoder, word_bags
from eyechart.text.packaged_vectors import PACKAGED_VECTORS, packaged_vectors
from eyechart.text.parts_of_speech import PARTS, tagged_words
from eyechart.text.question_types import QUESTION_TYPES, question_type
from eyechart.text.sentences import SENTENCES, Sentences
from eyechart.text.vectors import FileVectors, WordVectors, text_vectors, words_of
from eyechart.text.wordnet import Nouns, packaged_nouns
from eyechart.text.wordnet_tables import expand, split_rows
from eyechart.text.wu_palmer import Senses

__all__ = [
    "BAG_OF_WORDS",
    "PACKAGED_VECTORS",
    "PARTS",
    "QUESTION_TYPES",
    "SENTENCES",
    "FileVectors",
    "Nouns",
    "Senses",
    "Sentences",
    "TextEncoder",
    "WordVectors",
    "clean_answer",
    "clean_answers",
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
    "tagged_words",
    "text_encoder",
    "text_vectors",
    "word_bags",
    "words_of",
]
