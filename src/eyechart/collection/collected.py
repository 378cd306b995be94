"""Collected work as a file: one line for each response, with everything that is known of it, and back again.

The lines of a study are one moment's view, in an order that depends on nothing but their content. Read into another
database, they give the same lines again.
"""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, insert, select

from eyechart._lib.files import write_atomically
from eyechart.collection.feeding import feed
from eyechart.collection.model import Item, Kind, Settings, Study
from eyechart.collection.people import identify
from eyechart.collection.rows import find_study, insert_once, inserted
from eyechart.collection.studies import add_items, create_study, engage
from eyechart.collection.task_types import Wording, task
from eyechart.database import work
from eyechart.errors import FormatError, WorkError

__all__ = ["Collected", "StudyLine", "gathered", "read_collected", "take_in", "write_collected"]

_ELSEWHERE = "elsewhere"
"""The platform of workers whose answers were given in another place; their names there are their names here."""


class StudyLine(msgspec.Struct, frozen=True, kw_only=True, tag="study", omit_defaults=True):
    """A study: the first line of a file."""

    name: str
    title: str
    task: str
    pool: str
    settings: Settings
    wording_name: str
    wording: Wording
    created: datetime


class Collected(msgspec.Struct, frozen=True, kw_only=True, tag="response", omit_defaults=True):
    """A response, with the item that it responds to."""

    task: str
    key: str
    """The item's."""
    ordinal: int
    """Which of the responses that were wanted, from 1."""
    worker: str
    body: dict[str, Any]
    content: dict[str, Any]
    image_id: str | None = None
    question_id: str | None = None
    kind: Kind = "real"
    state: str = "accepted"
    submitted: datetime
    seconds: float = 0.0
    active_seconds: float | None = None
    comment: str | None = None
    flags: tuple[str, ...] = ()
    arranged: dict[str, Any] = {}
    wording_hash: str = ""


def gathered(rows: Connection, study: Study) -> tuple[StudyLine, list[Collected]]:
    """A study and its responses, in the order of items, ordinals and moments."""
    response, item, slot, worker = work.RESPONSES.c, work.ITEMS.c, work.SLOTS.c, work.WORKERS.c
    wanted = (
        select(
            item.key,
            item.kind,
            item.content,
            item.image_id,
            item.question_id,
            slot.ordinal,
            worker.name.label("worker"),
            *(response[name] for name in ("body", "state", "submitted", "seconds", "active_seconds", "comment")),
            *(response[name] for name in ("flags", "arranged", "wording_hash")),
        )
        .join_from(work.RESPONSES, work.ITEMS, item.item_id == response.item_id)
        .join(work.SLOTS, slot.slot_id == response.slot_id)
        .join(work.WORKERS, worker.worker_id == response.worker_id)
        .where(response.study_id == study.study_id)
    )
    found = [_line(study, dict(row)) for row in rows.execute(wanted).mappings()]
    found.sort(key=lambda line: (line.key, line.ordinal, line.submitted, line.state, line.worker))
    head = StudyLine(
        name=study.name,
        title=study.title,
        task=study.task.name,
        pool=study.pool,
        settings=study.settings,
        wording_name=study.wording_name,
        wording=study.wording,
        created=study.created,
    )
    return head, found


def _line(study: Study, row: dict[str, Any]) -> Collected:
    return Collected(task=study.task.name, **{**row, "flags": tuple(row["flags"])})


def write_collected(path: Path, studies: Sequence[tuple[StudyLine, Sequence[Collected]]]) -> None:
    """Write studies and their responses, a line each; there whole or not at all.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "collected.jsonl"
    >>> write_collected(path, [])
    >>> path.read_bytes()
    b''
    """
    encoder = msgspec.json.Encoder(order="deterministic")
    lines = [encoder.encode(line) for head, rows in studies for line in (head, *rows)]
    write_atomically(path, b"".join(line + b"\n" for line in lines))


def read_collected(path: Path) -> list[tuple[StudyLine, list[Collected]]]:
    """Studies and their responses, from a file of these lines; a mistake names its line.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "collected.jsonl"
    >>> _ = path.write_text("[]")
    >>> read_collected(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.errors.FormatError: ...collected.jsonl, line 1: found what is no line of collected work (...
    """
    decoder = msgspec.json.Decoder(StudyLine | Collected)
    studies: list[tuple[StudyLine, list[Collected]]] = []
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            try:
                line = decoder.decode(text)
            except msgspec.DecodeError as error:
                raise FormatError(
                    f"{path}, line {number}: found what is no line of collected work ({error}), expected what eyechart "
                    "collect export writes; export again"
                ) from error
            if isinstance(line, StudyLine):
                studies.append((line, []))
            elif not studies:
                raise FormatError(f"{path}, line {number}: found a response before any study, expected a study first")
            else:
                studies[-1][1].append(line)
    return studies


# ---------------------------------------------------------------------- into another database


def take_in(rows: Connection, head: StudyLine, lines: Iterable[Collected], *, k: int | None, now: datetime) -> int:
    """A study with responses that were given elsewhere; how many of them were new.

    Items get as many slots as the study wants, or as there are responses. What is there already is left alone.
    """
    study = _study(rows, head)
    given = list(lines)
    add_items(rows, study, _items(given, k or int(study.choice("k"))))
    there = {(line.key, line.worker, line.submitted) for line in gathered(rows, study)[1]}
    fresh = [line for line in given if (line.key, line.worker, line.submitted) not in there]
    workers = {name: _worker(rows, name, now) for name in sorted({line.worker for line in fresh})}
    for line in fresh:
        _put(rows, study, line, workers[line.worker])
    return len(fresh)


def _study(rows: Connection, head: StudyLine) -> Study:
    found = rows.execute(select(work.STUDIES.c.task).where(work.STUDIES.c.name == head.name)).scalar_one_or_none()
    if found is None:
        made: dict[str, Any] = {"settings": head.settings, "pool": head.pool, "title": head.title, "account": None}
        words: Any = head.wording
        create_study(rows, head.name, task(head.task), wording=words, now=head.created, **made)
    elif found != head.task:
        raise WorkError(
            f"study {head.name!r}: found a study of task {found}, expected one of task {head.task}; name another"
        )
    return find_study(rows, head.name)


def _items(lines: Sequence[Collected], k: int) -> list[Item]:
    """The items that responses speak of, with slots for all of them."""
    most: dict[str, int] = {}
    first: dict[str, Collected] = {}
    for line in lines:
        most[line.key] = max(most.get(line.key, k), line.ordinal)
        first.setdefault(line.key, line)
    return [
        Item(
            key=key,
            content=line.content,
            image_id=line.image_id,
            question_id=line.question_id,
            kind=line.kind,
            k=most[key],
        )
        for key, line in first.items()
    ]


def _worker(rows: Connection, name: str, now: datetime) -> int:
    known = select(work.WORKERS.c.worker_id).where(work.WORKERS.c.name == name)
    found = rows.execute(known).scalar_one_or_none()
    if found is None:
        identify(rows, _ELSEWHERE, name, now, name)
        found = rows.execute(known).scalar_one()
    return int(found)


def _put(rows: Connection, study: Study, line: Collected, worker_id: int) -> None:
    """One response, with the assignment that it must have had."""
    item = work.ITEMS.c
    mine = and_(item.study_id == study.study_id, item.key == line.key)
    unit = rows.execute(select(work.ITEMS).where(mine)).mappings().one()
    slot_id, counts = _slot(rows, study, unit["item_id"], line)
    lease = {"study_id": study.study_id, "worker_id": worker_id, "state": "submitted", "submitted_key": "elsewhere"}
    lease |= {"token": secrets.token_urlsafe(24), "started": line.submitted, "expires": line.submitted}
    lease_id = inserted(rows, work.LEASES, lease)
    response = {
        "study_id": study.study_id,
        "item_id": unit["item_id"],
        "slot_id": slot_id,
        "worker_id": worker_id,
        "lease_id": lease_id,
        "number": 0,
        "idempotency_key": "elsewhere",
        "state": "late" if line.state == "accepted" and not counts else line.state,
        "wording_hash": line.wording_hash or study.wording_hash,
        **{name: getattr(line, name) for name in ("body", "arranged", "comment", "seconds", "active_seconds")},
        "flags": list(line.flags),
        "submitted": line.submitted,
    }
    if line.wording_hash:
        kept = {"wording_hash": line.wording_hash, "task": study.task.name, "name": "elsewhere", "text": {}}
        insert_once(rows, work.WORDINGS, {**kept, "created": line.submitted})
    rows.execute(insert(work.RESPONSES).values(**response))
    engage(rows, worker_id, unit["lineage"], line.submitted)
    if counts and line.state == "accepted" and line.kind == "real":
        feed(rows, study, worker_id, {**unit, "ordinal": line.ordinal}, line.body, line.submitted)


def _slot(rows: Connection, study: Study, item_id: int, line: Collected) -> tuple[int, bool]:
    """The slot of a response, and whether it is free to be filled by it."""
    slot = work.SLOTS.c
    same = and_(slot.item_id == item_id, slot.ordinal == line.ordinal)
    found = rows.execute(select(slot.slot_id, slot.state).where(same)).one_or_none()
    done = {"accepted": "done", "rejected": "rejected"}.get(line.state)
    if found is None:  # of an item with a known answer
        lineage = select(work.ITEMS.c.lineage).where(work.ITEMS.c.item_id == item_id)
        made: dict[str, Any] = {"study_id": study.study_id, "item_id": item_id, "ordinal": line.ordinal, "priority": 0}
        made |= {"lineage": rows.execute(lineage).scalar_one(), "state": done or "rejected"}
        return inserted(rows, work.SLOTS, made), True
    if done is not None and found.state in {"free", "waiting"}:
        rows.execute(work.SLOTS.update().where(slot.slot_id == found.slot_id).values(state=done))
        return found.slot_id, True
    return found.slot_id, False
