"""Bodies that are words: questions, answers, captions."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from eyechart.collection.bodies.contract import BodyKind, Given, Mistake
from eyechart.text import normalize_answer

__all__ = ["ANSWER", "CAPTION", "FREE_ANSWER", "QUESTION", "Answer", "Caption", "FreeAnswer", "Question"]

_LEAST_CAPTION_WORDS = 8
_MOST_ANSWER_WORDS = 12
_LEAST_QUESTION_WORDS = 2


class Question(Struct, forbid_unknown_fields=True):
    """A question about a picture."""

    question: Annotated[str, Meta(max_length=200)]


class Answer(Struct, forbid_unknown_fields=True):
    """An answer, and how sure its writer is."""

    answer: Annotated[str, Meta(max_length=100)]
    confidence: Literal["yes", "maybe", "no"]


class FreeAnswer(Struct, forbid_unknown_fields=True):
    """An answer beside which entries of a vocabulary were suggested."""

    answer: Annotated[str, Meta(max_length=100)]
    suggested: Annotated[list[str], Meta(max_length=50)] = []
    """What was suggested last."""


class Caption(Struct, forbid_unknown_fields=True):
    """A sentence that describes a picture."""

    caption: Annotated[str, Meta(max_length=400)]


def plain(text: str) -> str:
    r"""Text on one line, without spaces around it and without what is not printed.

    >>> plain("  Is it\n red? ")
    'Is it red?'
    """
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def _question_mistakes(body: Question, given: Given) -> Iterator[Mistake]:
    text = plain(body.question)
    if len(text.split()) < _LEAST_QUESTION_WORDS or not _letters(text):
        yield "question", "Write a question of at least two words."
    elif not text.endswith("?"):
        yield "question", "End your question with a question mark."
    elif _letters(text) in {_letters(each) for each in given.arranged.get("earlier_questions", ())}:
        yield "question", "This was asked before; ask about something else."


def _answer_mistakes(body: Answer | FreeAnswer, given: Given) -> Iterator[Mistake]:
    text = plain(body.answer)
    if not _letters(text):
        yield "answer", "Write an answer."
    elif len(text.split()) > _MOST_ANSWER_WORDS:
        yield "answer", f"Answer in a few words, at most {_MOST_ANSWER_WORDS}, not in a sentence."
    elif _letters(text) == _letters(given.content.get("question", "")):
        yield "answer", "This is the question; write its answer."


def _caption_mistakes(body: Caption, given: Given) -> Iterator[Mistake]:
    del given
    words = _letters(body.caption).split()
    if len(words) < _LEAST_CAPTION_WORDS:
        yield "caption", f"Write a sentence of at least {_LEAST_CAPTION_WORDS} words."
    elif words[:2] in (["there", "is"], ["there", "are"]):
        yield "caption", "Do not begin with “there is”; begin with what is to be seen."


def _same_answer(body: Mapping[str, Any], expected: Mapping[str, Any]) -> float:
    return float(normalize_answer(body["answer"]) == normalize_answer(expected["answer"]))


QUESTION = BodyKind(Question, _question_mistakes, lambda body, _given: {"question": plain(body.question)})
ANSWER = BodyKind(
    Answer,
    _answer_mistakes,
    lambda body, _given: {"answer": plain(body.answer), "confidence": body.confidence},
    _same_answer,
)
FREE_ANSWER = BodyKind(
    FreeAnswer,
    _answer_mistakes,
    lambda body, _given: {"answer": plain(body.answer), "suggested": body.suggested},
    _same_answer,
)
CAPTION = BodyKind(Caption, _caption_mistakes, lambda body, _given: {"caption": plain(body.caption)})
