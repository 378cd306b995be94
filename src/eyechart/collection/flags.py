"""What makes a response suspicious, seen as it arrives: kept for whoever reviews, no reason to refuse."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from eyechart.collection.model import Study
from eyechart.collection.rows import Row
from eyechart.database import work

__all__ = ["FLAGS", "flags_of"]

FLAGS = {
    "too_fast": "handed in faster than one can read it",
    "conversational": "small talk instead of an answer",
    "echo": "most words are the question's own",
    "same_for_everything": "the same as the last ten",
}
"""Every flag, and what it says."""

_SAME = 10
_WORD = re.compile(r"\w+(?:'\w+)?")
_LONG_ENOUGH = 4
_ECHOED = 0.8


@cache
def _phrases() -> re.Pattern[str]:
    listed = msgspec.toml.decode((Path(__file__).parent / "phrases.toml").read_bytes())["conversational"]
    return re.compile(r"\b(?:" + "|".join(re.escape(each) for each in listed) + r")\b", re.IGNORECASE)


def flags_of(
    rows: Connection, study: Study, worker_id: int, unit: Row, body: Mapping[str, Any], seconds: float
) -> list[str]:
    """The flags of a response."""
    said = _said(body)
    found = {
        "too_fast": seconds < study.choice("minimum_seconds"),
        "conversational": said is not None and is_conversational(said),
        "echo": said is not None and is_echo(said, str(unit["content"].get("question", ""))),
        "same_for_everything": said is not None and _always_same(rows, study, worker_id, said),
    }
    return [name for name, holds in found.items() if holds]


def _said(body: Mapping[str, Any]) -> str | None:
    said = body.get("answer", body.get("choice"))
    return said if isinstance(said, str) else None


def is_conversational(text: str) -> bool:
    """Whether somebody chats.

    >>> is_conversational("I guess it is red lol"), is_conversational("red")
    (True, False)
    """
    return _phrases().search(text) is not None


def is_echo(answer: str, question: str) -> bool:
    """Whether an answer of several words repeats the question.

    >>> is_echo("what colour is this bus", "What colour is the bus?"), is_echo("the bus", "Is this the bus?")
    (True, False)
    """
    words, asked = (_WORD.findall(text.casefold()) for text in (answer, question))
    return len(words) >= _LONG_ENOUGH and sum(word in asked for word in words) >= _ECHOED * len(words)


def _always_same(rows: Connection, study: Study, worker_id: int, said: str) -> bool:
    response = work.RESPONSES.c
    mine = (response.study_id == study.study_id) & (response.worker_id == worker_id)
    last = select(response.body).where(mine).order_by(response.response_id.desc()).limit(_SAME - 1)
    bodies = list(rows.execute(last).scalars())
    return len(bodies) == _SAME - 1 and all(_said(body) == said for body in bodies)
