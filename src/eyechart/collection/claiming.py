"""Claims: one transaction that finds what a worker may do, and hands it to nobody else.

A slot is taken by its row (locked, on PostgreSQL, past those that others are taking); the worker's meeting with the
lineage is a row too, and unique. What somebody let go or let expire goes to others first.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, exists, func, insert, or_, select, update

from eyechart._lib.keyed import Key
from eyechart.collection.model import Assignment, Nothing, Study
from eyechart.collection.rows import insert_once, inserted
from eyechart.collection.showing import arrange, assignment
from eyechart.database import work

__all__ = ["claim", "renew"]

_TRIES = 20
"""So many slots are tried that turn out to be taken; then the worker is asked to come back."""
_SOON = timedelta(seconds=5)

_SLOTS, _LEASES, _MET = work.SLOTS.c, work.LEASES.c, work.ENGAGEMENTS.c


class _Claim(NamedTuple):
    """Who claims what, when."""

    rows: Connection
    study: Study
    worker_id: int
    now: datetime


def claim(rows: Connection, study: Study, worker_id: int, worker: str, now: datetime) -> Assignment | Nothing:
    """The worker's assignment: the one that is held already, or a new one, or the reason why there is none."""
    asked = _Claim(rows, study, worker_id, now)
    held = _held(asked)
    if held is not None:
        return assignment(rows, study, worker, held, resumed=True)
    barred = _barred(asked)
    if barred is not None:
        return barred
    token = secrets.token_urlsafe(24)
    lease_id = None
    for number in range(_units(asked)):
        taken = _gold(asked, number) or _slot(asked)
        if taken is None:
            break
        if lease_id is None:
            lease_id = _lease(asked, token)
        _give(asked, lease_id, number, taken)
    if lease_id is None:
        return _nothing(asked)
    return assignment(rows, study, worker, token, resumed=False)


def _units(asked: _Claim) -> int:
    """How many items to hand out: as many as are one assignment, and no more than the worker may still do."""
    most = asked.study.settings.most_per_worker
    units = int(asked.study.choice("units"))
    return units if most is None else min(units, most - _done(asked))


def _lease_seconds(study: Study) -> timedelta:
    return timedelta(seconds=int(study.choice("lease_seconds")))


def _held(asked: _Claim) -> str | None:
    """The token of the assignment that the worker holds, made fresh; slots that others took over by now are lost."""
    rows, study, now = asked.rows, asked.study, asked.now
    mine = select(_LEASES.lease_id, _LEASES.token).where(
        _LEASES.study_id == study.study_id, _LEASES.worker_id == asked.worker_id, _LEASES.state == "live"
    )
    found = rows.execute(mine.with_for_update()).one_or_none()
    if found is None:
        return None
    lease_id, token = found
    if not renew(rows, study, lease_id, now):
        rows.execute(update(work.LEASES).where(_LEASES.lease_id == lease_id).values(state="lost"))
        return None
    return str(token)


def renew(rows: Connection, study: Study, lease_id: int, now: datetime) -> datetime | None:
    """Hold the slots of a lease for another while; nothing if others have taken over all of them."""
    until = now + _lease_seconds(study)
    still = and_(_SLOTS.lease_id == lease_id, _SLOTS.state == "leased")
    numbers = list(rows.execute(select(_SLOTS.slot_id).where(still).with_for_update()).scalars())
    if not numbers:
        return None
    # Slots of gold have no end: nobody takes them over.
    ends = and_(_SLOTS.slot_id.in_(numbers), _SLOTS.expires.is_not(None))
    rows.execute(update(work.SLOTS).where(ends).values(expires=until))
    rows.execute(update(work.LEASES).where(_LEASES.lease_id == lease_id).values(expires=until))
    return until


def _barred(asked: _Claim) -> Nothing | None:
    """Whether the worker may have nothing at all."""
    rows, study, now = asked.rows, asked.study, asked.now
    if study.state != "open":
        return Nothing("closed", detail=study.state)
    block = work.BLOCKS.c
    standing = and_(
        block.worker_id == asked.worker_id,
        ~block.lifted,
        or_(block.study_id.is_(None), block.study_id == study.study_id),
        or_(block.until.is_(None), block.until > now),
    )
    blocked = rows.execute(select(block.until, block.why).where(standing)).first()
    if blocked is not None:
        return Nothing("blocked", when=blocked.until, detail=blocked.why)
    wanted = study.settings.qualification
    if wanted is not None and not _holds(asked, wanted):
        return Nothing("unqualified", detail=wanted)
    most = study.settings.most_per_worker
    if most is not None and _done(asked) >= most:
        return Nothing("limit", detail=str(most))
    return None


def _holds(asked: _Claim, qualification: str) -> bool:
    grant = work.GRANTS.c
    good = and_(
        grant.worker_id == asked.worker_id,
        grant.qualification == qualification,
        grant.value >= asked.study.settings.qualification_least,
        ~grant.revoked,
        or_(grant.until.is_(None), grant.until > asked.now),
    )
    return asked.rows.execute(select(grant.value).where(good)).first() is not None


def _done(asked: _Claim) -> int:
    mine = and_(
        work.RESPONSES.c.study_id == asked.study.study_id,
        work.RESPONSES.c.worker_id == asked.worker_id,
        work.RESPONSES.c.state == "accepted",
    )
    return int(asked.rows.execute(select(func.count()).select_from(work.RESPONSES).where(mine)).scalar_one())


def _lease(asked: _Claim, token: str) -> int:
    lease = {
        "study_id": asked.study.study_id,
        "worker_id": asked.worker_id,
        "token": token,
        "state": "live",
        "started": asked.now,
        "expires": asked.now + _lease_seconds(asked.study),
    }
    return inserted(asked.rows, work.LEASES, lease)


# ---------------------------------------------------------------------- slots


_TAKEN = (work.SLOTS.c.slot_id, work.SLOTS.c.item_id, work.SLOTS.c.lineage, work.SLOTS.c.expires)


def _slot(asked: _Claim) -> Mapping[str, Any] | None:
    """The best slot that the worker may have: expired ones first, then free ones, then what was once given back."""
    expired = and_(_SLOTS.state == "leased", _SLOTS.expires <= asked.now)
    free = _SLOTS.state == "free"
    met = and_(_MET.worker_id == asked.worker_id, _MET.lineage == _SLOTS.lineage)
    unmet = ~exists().where(met)
    in_hand = exists().where(
        work.LEASE_UNITS.c.item_id == _SLOTS.item_id,
        work.LEASE_UNITS.c.lease_id == _LEASES.lease_id,
        _LEASES.worker_id == asked.worker_id,
        _LEASES.state == "live",
    )
    given_back = and_(exists().where(met, _MET.item_id == _SLOTS.item_id, ~_MET.answered), ~in_hand)
    ways = [
        _candidates(asked, expired, unmet).order_by(_SLOTS.expires),
        _candidates(asked, free, unmet).order_by(_SLOTS.priority),
        _candidates(asked, or_(free, expired), given_back).order_by(_SLOTS.priority),
    ]
    for way in ways:
        for _ in range(_TRIES):
            found = asked.rows.execute(way).mappings().first()
            if found is None:
                break
            if _meet(asked, found["lineage"], found["item_id"]):
                return dict(found)
    return None


def _candidates(asked: _Claim, state: Any, met: Any) -> Select[Any]:
    where = and_(_SLOTS.study_id == asked.study.study_id, state, met)
    return select(*_TAKEN).where(where).limit(1).with_for_update(skip_locked=True, of=work.SLOTS)


def _meet(asked: _Claim, lineage: str, item_id: int) -> bool:
    """Note that the worker meets a lineage; no if that has happened elsewhere at this moment."""
    values = {"worker_id": asked.worker_id, "lineage": lineage, "item_id": item_id, "answered": False, "at": asked.now}
    if insert_once(asked.rows, work.ENGAGEMENTS, values):
        return True
    again = and_(_MET.worker_id == asked.worker_id, _MET.lineage == lineage, _MET.item_id == item_id, ~_MET.answered)
    return asked.rows.execute(update(work.ENGAGEMENTS).where(again).values(at=asked.now)).rowcount == 1


def _give(asked: _Claim, lease_id: int, number: int, taken: Mapping[str, Any]) -> None:
    """Put a slot into a lease; the slot that a claim takes over leaves the other one."""
    rows, study = asked.rows, asked.study
    until = None if taken.get("gold") else asked.now + _lease_seconds(study)
    now_leased = {"state": "leased", "lease_id": lease_id, "expires": until}
    rows.execute(update(work.SLOTS).where(_SLOTS.slot_id == taken["slot_id"]).values(**now_leased))
    unit = {"lease_id": lease_id, "number": number, "slot_id": taken["slot_id"], "item_id": taken["item_id"]}
    arranged = arrange(rows, study, taken["item_id"], asked.worker_id)
    rows.execute(insert(work.LEASE_UNITS).values(**unit, arranged=arranged))


# ---------------------------------------------------------------------- items with known answers


def _gold(asked: _Claim, number: int) -> Mapping[str, Any] | None:
    """An item with a known answer instead of a real one, if it is time for one and there is one that is new."""
    settings = asked.study.settings
    if not (settings.gold_share or settings.gold_first or settings.attention_share):
        return None
    turn = _handed_out(asked)
    drawn = Key(settings.seed, "gold").uniform(asked.study.name, asked.worker_id, turn, number)
    if turn < settings.gold_first or drawn < settings.gold_share:
        return _known(asked, "gold")
    if drawn < settings.gold_share + settings.attention_share:
        return _known(asked, "attention")
    return None


def _handed_out(asked: _Claim) -> int:
    """How many items the worker was ever given in this study."""
    units, mine = work.LEASE_UNITS, (_LEASES.study_id == asked.study.study_id) & (_LEASES.worker_id == asked.worker_id)
    counted = select(func.count()).select_from(units).join(work.LEASES, _LEASES.lease_id == units.c.lease_id)
    return int(asked.rows.execute(counted.where(mine)).scalar_one())


def _known(asked: _Claim, kind: str) -> Mapping[str, Any] | None:
    items = work.ITEMS.c
    met = exists().where(_MET.worker_id == asked.worker_id, _MET.lineage == items.lineage)
    those = and_(items.study_id == asked.study.study_id, items.kind == kind, ~met)
    found = (
        asked.rows.execute(select(items.item_id, items.lineage).where(those).order_by(items.rank)).mappings().first()
    )
    if found is None or not _meet(asked, found["lineage"], found["item_id"]):
        return None
    asked.rows.execute(select(items.item_id).where(items.item_id == found["item_id"]).with_for_update())
    last = select(func.coalesce(func.max(_SLOTS.ordinal), 0)).where(_SLOTS.item_id == found["item_id"])
    slot = {
        "study_id": asked.study.study_id,
        "item_id": found["item_id"],
        "ordinal": int(asked.rows.execute(last).scalar_one()) + 1,
        "lineage": found["lineage"],
        "priority": 0,
        "state": "leased",
    }
    return {"slot_id": inserted(asked.rows, work.SLOTS, slot), "item_id": found["item_id"], "gold": True}


# ---------------------------------------------------------------------- nothing


def _nothing(asked: _Claim) -> Nothing:
    """Why there is no slot for this worker, and when there may be one."""
    mine = work.ITEMS.c.kind == "real"
    slots = select(_SLOTS.state, func.count(), func.min(_SLOTS.expires)).join(work.ITEMS).group_by(_SLOTS.state)
    found = {
        state: (count, first)
        for state, count, first in asked.rows.execute(slots.where(_SLOTS.study_id == asked.study.study_id, mine))
    }
    if not found.keys() & {"free", "leased", "waiting"}:
        return Nothing("done")
    if "leased" not in found and not _untouched(asked):
        return Nothing("seen")
    first = found["leased"][1] if "leased" in found else None
    return Nothing("waiting", when=max(first or asked.now, asked.now + _SOON))


def _untouched(asked: _Claim) -> bool:
    """Whether a slot is there whose lineage the worker has not met: taken by others just now, or waiting its turn."""
    met = exists().where(_MET.worker_id == asked.worker_id, _MET.lineage == _SLOTS.lineage)
    wanted = and_(_SLOTS.study_id == asked.study.study_id, _SLOTS.state.in_(["free", "waiting"]), ~met)
    return asked.rows.execute(select(_SLOTS.slot_id).where(wanted).limit(1)).first() is not None
