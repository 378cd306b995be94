"""Simulated workers of known competence: to try a study before people do, and to see that its statistics rank them.

The right answer of an item is what is known of it, or else a keyed draw; a worker gives it as often as they are
competent, and something else otherwise. They keep to the protocol like anybody else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import select

from eyechart._lib.keyed import Key
from eyechart.collection.model import Assignment, Study
from eyechart.collection.rows import Row
from eyechart.collection.work import Work
from eyechart.database import now as this_moment
from eyechart.database import work as t
from eyechart.errors import UsageError

__all__ = ["Simulated", "crowd", "simulate"]

_WORDS: list[str] = msgspec.toml.decode((Path(__file__).parent / "simulation.toml").read_bytes())["words"]
_UNABLE = ("scene", "scene_edit", "scene_graph")
_AGES = ("3-4", "5-8", "9-12", "13-17", "18+")
_SECONDS = 12.0


@dataclass(frozen=True)
class Simulated:
    """A simulated worker."""

    name: str
    competence: float
    """How often the right answer is given."""


def crowd(count: int, low: float = 0.4, high: float = 0.95, prefix: str = "simulated") -> list[Simulated]:
    """Workers whose competence rises evenly.

    >>> [each.competence for each in crowd(3, 0.5, 0.9)]
    [0.5, 0.7, 0.9]
    """
    step = (high - low) / max(1, count - 1)
    return [Simulated(f"{prefix}-{number}", round(low + number * step, 6)) for number in range(count)]


def simulate(
    work: Work, name: str, workers: Sequence[Simulated], *, seed: int = 0, start: datetime | None = None
) -> int:
    """Let simulated workers take turns at a study until there is nothing left for any of them; how many responses.

    >>> from tempfile import mkdtemp
    >>> from eyechart.collection import Item, Settings
    >>> from eyechart.database import Database
    >>> work = Work(Database(f"{mkdtemp()}/work.db"))
    >>> _ = work.create_study("pilot", "answer", settings=Settings(k=3))
    >>> work.add_items("pilot", [Item(key="1", question_id="1", content={"question": "Is it red?"})])
    1
    >>> simulate(work, "pilot", crowd(4))
    3
    """
    study = work.study(name)
    if study.task.name in _UNABLE:
        raise UsageError(f"study {name}: found task {study.task.name}, expected one without drawing; try it yourself")
    at = start or this_moment()
    names = {each: work.worker("simulated", each.name, now=at) for each in workers}
    if study.settings.qualification is not None:
        for known in names.values():
            work.grant(known, study.settings.qualification, why="simulated", now=at)
    given, busy = 0, True
    while busy:
        busy = False
        for each, known in names.items():
            found = work.claim(name, known, now=at)
            if not isinstance(found, Assignment):
                continue
            bodies = _bodies(work, study, found, each, seed)
            at += timedelta(seconds=_SECONDS * len(bodies) / len(names))
            work.submit(found.token, "simulated", bodies, now=max(at, found.started + timedelta(seconds=_SECONDS)))
            given, busy = given + len(bodies), True
    return given


def _bodies(work: Work, study: Study, found: Assignment, who: Simulated, seed: int) -> dict[int, dict[str, Any]]:
    """What somebody says to all items of an assignment."""
    units, items = t.LEASE_UNITS.c, t.ITEMS.c
    wanted = (
        select(units.number, items.key, items.content, items.expected)
        .join_from(t.LEASE_UNITS, t.ITEMS, items.item_id == units.item_id)
        .join(t.LEASES, t.LEASES.c.lease_id == units.lease_id)
        .where(t.LEASES.c.token == found.token)
    )
    shown = {unit.number: unit.shown for unit in found.units}
    with work.database.reading() as rows:
        return {
            row["number"]: _body(study, row, shown[row["number"]], who, seed)
            for row in rows.execute(wanted).mappings()
            if row["number"] in shown
        }


def _body(study: Study, item: Row, shown: Mapping[str, Any], who: Simulated, seed: int) -> dict[str, Any]:
    """What somebody says to one item."""
    said = Key(seed, "says")
    told = item["expected"][0] if isinstance(item["expected"], list) else item["expected"]
    answer = item["content"].get("answer")
    asked = _Asked(
        key=item["key"],
        shown=shown,
        field=study.task.fields[0].name,
        known={**({"answer": answer} if answer else {}), **(told or {})},
        knows=Key(seed, "knows").uniform(study.name, item["key"], who.name) < who.competence,
        truth=said.of(study.pool, item["content"].get("question_id", item["key"])),
        other=said.of(study.name, item["key"], who.name),
    )
    body = _SAY.get(study.task.name, _answer)(asked)
    return {"answer": body["answer"]} if study.task.name == "answer_vocabulary" else body


@dataclass(frozen=True)
class _Asked:
    """An item, and what is drawn for it."""

    key: str
    shown: Mapping[str, Any]
    field: str
    known: Mapping[str, Any]
    """What is right, where that is known."""
    knows: bool
    truth: int
    """The same for everybody."""
    other: int
    """Each one's own."""


def _question(asked: _Asked) -> dict[str, Any]:
    number = len(asked.shown["earlier_questions"]) + 1
    return {"question": f"Is thing {number} of picture {asked.key} {_WORDS[5 + asked.truth % 5]}?"}


def _caption(asked: _Asked) -> dict[str, Any]:
    return {"caption": f"Somebody describes picture {asked.key} in one sentence that is long enough."}


def _yes_or_no(asked: _Asked) -> dict[str, Any]:
    right = asked.known.get(asked.field) or ("yes", "no")[asked.truth % 2]
    return {asked.field: right if asked.knows else {"yes": "no", "no": "yes"}[right]}


def _age(asked: _Asked) -> dict[str, Any]:
    right = asked.known.get("youngest_age") or _AGES[asked.truth % len(_AGES)]
    return {"youngest_age": right if asked.knows else _AGES[asked.other % len(_AGES)]}


def _pick(asked: _Asked) -> dict[str, Any]:
    near = len(asked.shown["neighbours"])
    if not near or asked.truth % 5 == 0:
        return {"reason": "no_sense", "seen": near}
    return {"picked": 1 + (asked.truth if asked.knows else asked.other) % near, "seen": near}


def _answer(asked: _Asked) -> dict[str, Any]:
    right = asked.known.get("answer") or _WORDS[asked.truth % len(_WORDS)]
    wrong = next(word for word in (_WORDS[(asked.other + n) % len(_WORDS)] for n in range(2)) if word != right)
    confidence = "yes" if asked.knows else ("maybe", "no")[asked.other % 2]
    return {"answer": right if asked.knows else wrong, "confidence": confidence}


def _choice(asked: _Asked) -> dict[str, Any]:
    """A choice by its place as shown; what is right does not hang on the order in which somebody sees it."""
    known = asked.known.get("choice") or asked.known.get("answer")
    if "choices" not in asked.shown:
        return {"text": known if asked.knows and known else _WORDS[asked.other % len(_WORDS)]}
    choices = asked.shown["choices"]
    right = choices.index(known) if known in choices else choices.index(sorted(choices)[asked.truth % len(choices)])
    wrong = (right + 1 + asked.other % max(1, len(choices) - 1)) % len(choices)
    return {"choice": right if asked.knows else wrong}


_SAY: Mapping[str, Callable[[_Asked], dict[str, Any]]] = MappingProxyType(
    {
        "question": _question,
        "caption": _caption,
        "commonsense": _yes_or_no,
        "ambiguity": _yes_or_no,
        "age": _age,
        "complement": _pick,
        "choose": _choice,
    }
)
"""What is said to the items of a task; where it is not named, an answer."""
