"""Reviews and pay: who looked at a response, what follows, and what is owed to whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Text, and_, func, insert, select, type_coerce, update

from eyechart.collection.model import Study
from eyechart.collection.rows import Row, inserted
from eyechart.database import work
from eyechart.errors import UsageError, WorkError

__all__ = ["Owed", "Reviewed", "bonus", "mark_paid", "owed", "responses", "review"]

_MOST = 500


@dataclass(frozen=True)
class Reviewed:
    """A response as requesters see it."""

    response_id: int
    item: str
    kind: str
    worker: str
    state: str
    body: dict[str, Any]
    content: dict[str, Any]
    comment: str | None
    flags: tuple[str, ...]
    seconds: float
    active_seconds: float | None
    submitted: datetime
    decision: str | None
    """The last review's."""


def responses(
    rows: Connection,
    study: Study,
    *,
    worker: str | None,
    flag: str | None,
    state: str | None,
    unreviewed: bool,
    before: int | None,
    limit: int,
) -> list[Reviewed]:
    """Responses, newest first; ``before`` is the last number of the page before."""
    response, item, person = work.RESPONSES.c, work.ITEMS.c, work.WORKERS.c
    last = (
        select(work.REVIEWS.c.decision)
        .where(work.REVIEWS.c.response_id == response.response_id)
        .order_by(work.REVIEWS.c.review_id.desc())
        .limit(1)
        .scalar_subquery()
    )
    where = [response.study_id == study.study_id]
    where += [person.name == worker] if worker is not None else []
    where += [response.state == state] if state is not None else []
    where += [type_coerce(response.flags, Text).like(f'%"{flag}"%')] if flag is not None else []
    where += [response.response_id < before] if before is not None else []
    where += [last.is_(None)] if unreviewed else []
    wanted = (
        select(
            response.response_id,
            item.key.label("item"),
            item.kind,
            person.name.label("worker"),
            response.state,
            response.body,
            item.content,
            response.comment,
            response.flags,
            response.seconds,
            response.active_seconds,
            response.submitted,
            last.label("decision"),
        )
        .join_from(work.RESPONSES, work.ITEMS, item.item_id == response.item_id)
        .join(work.WORKERS, person.worker_id == response.worker_id)
        .where(and_(*where))
        .order_by(response.response_id.desc())
        .limit(min(limit, _MOST))
    )
    return [Reviewed(**{**row, "flags": tuple(row["flags"])}) for row in rows.execute(wanted).mappings()]


def review(
    rows: Connection,
    response_id: int,
    decision: Literal["accepted", "rejected"],
    *,
    why: str | None,
    account: int | None,
    now: datetime,
) -> None:
    """Accept or reject a response; a rejected one no longer counts, and somebody else is asked instead."""
    if decision not in {"accepted", "rejected"}:
        raise UsageError(f"decision: found {decision!r}, expected accepted or rejected; choose one")
    wanted = select(work.RESPONSES).where(work.RESPONSES.c.response_id == response_id).with_for_update()
    found = rows.execute(wanted).mappings().one_or_none()
    if found is None:
        raise WorkError(
            f"response {response_id}: found none of this number, expected one of the study; reload the page"
        )
    values = {"response_id": response_id, "decision": decision, "why": why, "account_id": account, "at": now}
    rows.execute(insert(work.REVIEWS).values(**values))
    if decision == "rejected":
        _reject(rows, found)
    elif found["state"] == "rejected":
        _restore(rows, found)


def _reject(rows: Connection, found: Row) -> None:
    """The words stay; the slot is closed and another one takes its place."""
    mine = work.RESPONSES.c.response_id == found["response_id"]
    rows.execute(update(work.RESPONSES).where(mine).values(state="rejected"))
    unpaid = and_(work.PAYMENTS.c.response_id == found["response_id"], work.PAYMENTS.c.state == "owed")
    rows.execute(update(work.PAYMENTS).where(unpaid).values(state="withheld"))
    if found["state"] != "accepted":
        return
    slot, slots = work.SLOTS.c, work.SLOTS
    old = rows.execute(select(slots).where(slot.slot_id == found["slot_id"])).mappings().one()
    kind = rows.execute(select(work.ITEMS.c.kind).where(work.ITEMS.c.item_id == old["item_id"])).scalar_one()
    rows.execute(update(slots).where(slot.slot_id == found["slot_id"]).values(state="rejected"))
    if kind != "real":
        return
    last = rows.execute(select(func.max(slot.ordinal)).where(slot.item_id == old["item_id"])).scalar_one()
    again = {**old, "ordinal": last + 1, "state": "free", "lease_id": None, "expires": None}
    del again["slot_id"]
    rows.execute(insert(slots).values(**again))


def _restore(rows: Connection, found: Row) -> None:
    """Somebody else may have answered meanwhile: what was rejected by mistake is kept and paid, beside the count."""
    mine = work.RESPONSES.c.response_id == found["response_id"]
    rows.execute(update(work.RESPONSES).where(mine).values(state="late"))
    held_back = and_(work.PAYMENTS.c.response_id == found["response_id"], work.PAYMENTS.c.state == "withheld")
    rows.execute(update(work.PAYMENTS).where(held_back).values(state="owed"))


@dataclass(frozen=True)
class Owed:
    """What a worker has earned in a study, in millionths of the currency's unit."""

    worker: str
    currency: str
    responses: int
    owed: int
    paid: int
    withheld: int


def owed(rows: Connection, study: Study) -> list[Owed]:
    """Pay by worker."""
    payment, person = work.PAYMENTS.c, work.WORKERS.c

    def total(state: str) -> Any:  # a column
        return func.coalesce(func.sum(payment.millionths).filter(payment.state == state), 0).label(state)

    wanted = (
        select(
            person.name.label("worker"),
            payment.currency,
            func.count(payment.response_id).label("responses"),
            *(total(state) for state in ("owed", "paid", "withheld")),
        )
        .join_from(work.PAYMENTS, work.WORKERS, person.worker_id == payment.worker_id)
        .where(payment.study_id == study.study_id)
        .group_by(person.name, payment.currency)
        .order_by(person.name)
    )
    return [
        Owed(row["worker"], row["currency"], row["responses"], *(int(row[n]) for n in ("owed", "paid", "withheld")))
        for row in rows.execute(wanted).mappings()
    ]


def bonus(rows: Connection, study: Study, worker_id: int, millionths: int, why: str, now: datetime) -> None:
    """Owe somebody more."""
    if millionths <= 0:
        raise UsageError(f"bonus: found {millionths}, expected more than 0; correct it")
    payment = {"study_id": study.study_id, "worker_id": worker_id, "millionths": millionths, "why": why, "at": now}
    inserted(rows, work.PAYMENTS, {**payment, "currency": study.settings.currency, "state": "owed"})


def mark_paid(rows: Connection, study: Study, worker_ids: Sequence[int] | None) -> int:
    """Note that what is owed was paid: to some workers, or to all. How many millionths that were."""
    payment = work.PAYMENTS.c
    due = and_(payment.study_id == study.study_id, payment.state == "owed")
    if worker_ids is not None:
        due = and_(due, payment.worker_id.in_(worker_ids))
    total = rows.execute(select(func.coalesce(func.sum(payment.millionths), 0)).where(due)).scalar_one()
    rows.execute(update(work.PAYMENTS).where(due).values(state="paid"))
    return int(total)
