"""Studies and their items: what is wanted, in how many copies, in which order."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from eyechart.collection.model import Item, Settings, Study
from eyechart.collection.rows import by_first, find_study, insert_once
from eyechart.collection.task_types import TaskType, Wording
from eyechart.database import work
from eyechart.errors import UsageError, WorkError

__all__ = ["add_items", "create_study", "engage", "lineage_of", "set_state"]

_WINDOW = 500
"""So many items are open at a time: all get their first response before one gets its second, then the next window."""
_MOST_K = 1000
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_ROWS = 1000


def create_study(
    rows: Connection,
    name: str,
    kind: TaskType,
    *,
    wording: str | Wording | None,
    settings: Settings,
    pool: str | None,
    title: str | None,
    account: int | None,
    now: datetime,
) -> Study:
    """A new study; its wording is kept under the hash of its words."""
    _check(name, kind, settings)
    pool = pool or _pool_of_fed(rows, settings) or name
    _check_feeds(rows, name, settings, pool)
    words = wording if isinstance(wording, Wording) else kind.wording(wording)
    named = wording if isinstance(wording, str) else next((n for n, w in kind.wordings.items() if w == words), "own")
    kept = {"wording_hash": words.hash, "task": kind.name, "name": named, "text": msgspec.to_builtins(words)}
    insert_once(rows, work.WORDINGS, {**kept, "created": now})
    study = {
        "name": name,
        "title": title or words.title,
        "task": kind.name,
        "wording_hash": words.hash,
        "pool": pool,
        "settings": msgspec.to_builtins(settings),
        "state": "open",
        "created": now,
        "created_by": account,
    }
    if not insert_once(rows, work.STUDIES, study):
        raise WorkError(f"study {name!r}: found one of this name already, expected a new name; choose another")
    return find_study(rows, name)


def _check(name: str, kind: TaskType, settings: Settings) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"study {name!r}: found other characters than a-z, 0-9 and -, expected a name of those; write it anew"
        )
    strangers = [part for part in settings.withheld if part not in kind.may_withhold]
    if strangers:
        allowed = ", ".join(kind.may_withhold) or "nothing"
        raise UsageError(
            f"study {name}, withheld: found {strangers[0]!r}, expected of task {kind.name} only {allowed}; leave it out"
        )
    if kind.may_withhold and not kind.shown(settings.withheld):
        raise UsageError(f"study {name}, withheld: found every part, expected one to be left; show one")
    for field in ("k", "units", "lease_seconds"):
        value = getattr(settings, field)
        if value is not None and not 1 <= value <= (10**7 if field == "lease_seconds" else _MOST_K):
            raise UsageError(
                f"study {name}, {field}: found {value}, expected 1 to {_MOST_K} (seconds: 10,000,000); correct it"
            )


def _pool_of_fed(rows: Connection, settings: Settings) -> str | None:
    return find_study(rows, settings.feeds[0]).pool if settings.feeds else None


def _check_feeds(rows: Connection, name: str, settings: Settings, pool: str) -> None:
    """A study and those it feeds must know each other's askers."""
    for fed in settings.feeds:
        other = find_study(rows, fed).pool
        if other != pool:
            raise UsageError(
                f"study {name}, feeds: found {fed} of pool {other!r}, expected the same as its own, {pool!r}, "
                "so that who asks does not answer; make both in one pool"
            )


def set_state(rows: Connection, name: str, state: str) -> None:
    """Open, pause or close a study; who holds something may still hand it in."""
    if state not in {"open", "paused", "closed"}:
        raise UsageError(f"state: found {state!r}, expected open, paused or closed; choose one")
    study = find_study(rows, name)
    rows.execute(update(work.STUDIES).where(work.STUDIES.c.study_id == study.study_id).values(state=state))


def lineage_of(study: Study, item: Item) -> str:
    """What a worker meets once.

    Studies of a pool share it, so that who asked a question, or answered it elsewhere, does not get it again.
    """
    parts = {"task": study.task.name, "image": item.image_id, "question": item.question_id, "item": item.key}
    if item.kind != "real":
        return f"{study.name}|{item.kind}={item.key}"
    return "|".join([study.pool, *(f"{each}={parts[each]}" for each in study.task.lineage)])


def add_items(rows: Connection, study: Study, items: Iterable[Item]) -> int:
    """Add items with their slots; one whose key is there already is left alone. How many were new."""
    table = work.ITEMS
    counted = select(func.coalesce(func.max(table.c.rank) + 1, 0)).where(table.c.study_id == study.study_id)
    rank, added = int(rows.execute(counted).scalar_one()), 0
    given = list(items)
    for batch in (given[first : first + _ROWS] for first in range(0, len(given), _ROWS)):
        known = select(table.c.key).where(table.c.study_id == study.study_id, table.c.key.in_([i.key for i in batch]))
        there = set(rows.execute(known).scalars())
        fresh = list({item.key: item for item in batch if item.key not in there}.values())
        if fresh:
            _insert(rows, study, fresh, rank)
        rank, added = rank + len(fresh), added + len(fresh)
    return added


def _insert(rows: Connection, study: Study, items: Sequence[Item], first_rank: int) -> None:
    values = [
        {
            "study_id": study.study_id,
            "key": item.key,
            "lineage": lineage_of(study, item),
            "image_id": item.image_id,
            "question_id": item.question_id,
            "kind": item.kind,
            "content": item.content,
            "expected": item.expected,
            "rank": rank,
        }
        for rank, item in enumerate(items, first_rank)
    ]
    rows.execute(insert(work.ITEMS), values)
    keys = [item.key for item in items]
    found = select(work.ITEMS.c.key, work.ITEMS.c.item_id).where(
        work.ITEMS.c.study_id == study.study_id, work.ITEMS.c.key.in_(keys)
    )
    numbers = by_first(rows, found)
    wanted = []
    for item, value in zip(items, values, strict=True):
        if item.kind == "real":
            k = item.k or study.choice("k")
            wanted += [_slot(study, value, numbers[item.key], ordinal) for ordinal in range(1, k + 1)]
    if wanted:
        rows.execute(insert(work.SLOTS), wanted)
    _note_seen(rows, study, items, values)


def _note_seen(rows: Connection, study: Study, items: Sequence[Item], values: Sequence[dict[str, Any]]) -> None:
    """Of those who have seen an item elsewhere, the ones that are workers here."""
    worker = work.WORKERS.c
    names = sorted({name for item in items for name in item.seen_by})
    known: dict[str, int] = {}
    for first in range(0, len(names), _ROWS):
        wanted = select(worker.name, worker.worker_id).where(worker.name.in_(names[first : first + _ROWS]))
        known |= by_first(rows, wanted)
    for item, value in zip(items, values, strict=True):
        for name in known.keys() & set(item.seen_by):
            engage(rows, known[name], value["lineage"], study.created)


def _slot(study: Study, item: dict[str, object], item_id: int, ordinal: int) -> dict[str, object]:
    rank = int(str(item["rank"]))
    window, place = divmod(rank, _WINDOW)
    waits = study.task.in_rounds and ordinal > 1
    return {
        "study_id": study.study_id,
        "item_id": item_id,
        "ordinal": ordinal,
        "lineage": item["lineage"],
        "priority": (window * _MOST_K + ordinal) * _WINDOW + place,
        "state": "waiting" if waits else "free",
        "lease_id": None,
        "expires": None,
    }


def engage(rows: Connection, worker_id: int, lineage: str, now: datetime) -> None:
    """Note that a worker has met a lineage for good."""
    values = {"worker_id": worker_id, "lineage": lineage, "item_id": None, "answered": True, "at": now}
    if not insert_once(rows, work.ENGAGEMENTS, values):
        mine = (work.ENGAGEMENTS.c.worker_id == worker_id) & (work.ENGAGEMENTS.c.lineage == lineage)
        rows.execute(update(work.ENGAGEMENTS).where(mine).values(answered=True))
