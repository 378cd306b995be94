"""Candidate answers of formats that list decoys and the right answer apart."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from eyechart.formats.layout import Frames
from eyechart.tables import TABLES

__all__ = ["Candidate", "candidates", "choices_of"]


class Candidate(NamedTuple):
    """One choice of a question."""

    choice: str
    is_target: bool | None
    origin: str | None


def candidates(question_id: str, decoys: Sequence[tuple[str, str | None]], target: str | None) -> list[Candidate]:
    """The decoys, with their origins, in order; the target at a place that depends on the question's id alone.

    Always last, or always first, would tell a model that sees places which one is right. Without decoys there is
    nothing to choose from.

    >>> [found.choice for found in candidates("7", [("red", "iou"), ("blue", "qou")], "green")]
    ['green', 'red', 'blue']
    """
    listed = [Candidate(choice, False if target is not None else None, origin) for choice, origin in decoys]
    if target is not None and decoys:
        drawn = hashlib.blake2b(question_id.encode(), digest_size=8, person=b"target").digest()
        listed.insert(int.from_bytes(drawn) % (len(listed) + 1), Candidate(target, is_target=True, origin="target"))
    return listed


def choices_of(offered: Mapping[str, Sequence[Candidate]]) -> Frames:
    """The table of choices, given the candidates of each question.

    >>> choices_of({"7": [Candidate("yes", True, "target")]})["choices"].rows()
    [('7', 0, 'yes', True, 'target')]
    """
    flat = [found for listed in offered.values() for found in listed]
    columns = {
        "question_id": [key for key, listed in offered.items() for _ in listed],
        "position": [place for listed in offered.values() for place in range(len(listed))],
        "choice": [found.choice for found in flat],
        "is_target": [found.is_target for found in flat],
        "origin": [found.origin for found in flat],
    }
    return {"choices": pl.DataFrame(columns, schema=TABLES["choices"].schema)}
