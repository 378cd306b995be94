"""Submissions: kept before they are answered, counted once, never thrown away.

A second arrival of the same submission gets the same receipt. What arrives after somebody else has taken the slot over
is kept and paid as late; what arrives after the time but before that still counts.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, func, select, update

from eyechart.collection.bodies import BODIES, Given, read
from eyechart.collection.feeding import feed
from eyechart.collection.flags import flags_of
from eyechart.collection.gold import note_result
from eyechart.collection.model import Receipt, Study
from eyechart.collection.rows import Row, find_study, inserted
from eyechart.collection.studies import engage
from eyechart.database import work
from eyechart.errors import MistakesError, WorkError

__all__ = ["find_lease", "submit"]

_LONGEST_KEY = 120
_LONGEST_COMMENT = 2000


class _Submission(NamedTuple):
    """What arrives, and for which lease."""

    rows: Connection
    study: Study
    lease: Row
    key: str
    comment: str | None
    active_seconds: float | None
    now: datetime


class _Kept(NamedTuple):
    """A response that was kept."""

    number: int
    state: str
    millionths: int


def find_lease(rows: Connection, token: str, *, lock: bool = False) -> tuple[Row, Study]:
    """A lease by its token, and its study."""
    wanted = select(work.LEASES, work.STUDIES.c.name.label("study")).join(work.STUDIES)
    wanted = wanted.where(work.LEASES.c.token == token)
    lease = rows.execute(wanted.with_for_update(of=work.LEASES) if lock else wanted).mappings().one_or_none()
    if lease is None:
        raise WorkError("token: found one that belongs to no assignment, expected one of a claim; claim again")
    return lease, find_study(rows, lease["study"])


def submit(
    rows: Connection,
    token: str,
    idempotency_key: str,
    bodies: Mapping[int, Any],
    *,
    comment: str | None,
    active_seconds: float | None,
    now: datetime,
) -> Receipt:
    """Keep what a worker hands in."""
    if not 1 <= len(idempotency_key) <= _LONGEST_KEY:
        raise WorkError(f"idempotency key: expected 1 to {_LONGEST_KEY} characters; make one for each submission")
    if comment is not None and len(comment) > _LONGEST_COMMENT:
        raise MistakesError({"comment": f"Write at most {_LONGEST_COMMENT:,} characters."})
    lease, study = find_lease(rows, token, lock=True)
    arrived = _Submission(rows, study, lease, idempotency_key, comment or None, active_seconds, now)
    before = _kept_before(arrived)
    if before:
        return _receipt(arrived, before, (), repeated=True)
    units = _units(arrived)
    _check_numbers(arrived, bodies, units)
    checked = _checked(arrived, bodies, units)
    kept = [_keep(arrived, units[number], body, len(checked)) for number, body in checked.items()]
    skipped = tuple(number for number in units if number not in checked)
    _finish(arrived, [units[number] for number in skipped])
    return _receipt(arrived, kept, skipped, repeated=False)


def _kept_before(arrived: _Submission) -> list[_Kept]:
    response, payment = work.RESPONSES.c, work.PAYMENTS.c
    paid = func.coalesce(payment.millionths, 0)
    same = (
        select(response.number, response.state, paid)
        .join_from(work.RESPONSES, work.PAYMENTS, payment.response_id == response.response_id, isouter=True)
        .where(response.lease_id == arrived.lease["lease_id"], response.idempotency_key == arrived.key)
        .order_by(response.number)
    )
    return [_Kept(*row) for row in arrived.rows.execute(same)]


def _units(arrived: _Submission) -> dict[int, Row]:
    """The units of the lease, with their items; each slot locked."""
    units, items, slots = work.LEASE_UNITS, work.ITEMS, work.SLOTS
    wanted = (
        select(
            units.c.number,
            units.c.arranged,
            slots.c.slot_id,
            slots.c.ordinal,
            slots.c.lease_id.label("holder"),
            slots.c.state,
            items.c.item_id,
            items.c.key,
            items.c.kind,
            items.c.lineage,
            items.c.content,
            items.c.expected,
        )
        .join_from(units, slots, slots.c.slot_id == units.c.slot_id)
        .join(items, items.c.item_id == units.c.item_id)
        .where(units.c.lease_id == arrived.lease["lease_id"])
        .order_by(slots.c.slot_id)
        .with_for_update(of=work.SLOTS)
    )
    found = {row["number"]: row for row in arrived.rows.execute(wanted).mappings()}
    return dict(sorted(found.items()))


def _check_numbers(arrived: _Submission, bodies: Mapping[int, Any], units: Mapping[int, Row]) -> None:
    unknown = sorted(set(bodies) - set(units))
    if unknown:
        raise WorkError(f"unit {unknown[0]}: found no such unit in this assignment; reload the page")
    if not bodies:
        raise MistakesError({"": "Respond to at least one before you submit."})
    mine = arrived.lease["lease_id"]
    left_out = [number for number, unit in units.items() if number not in bodies and unit["holder"] == mine]
    if left_out and not arrived.study.task.may_skip and arrived.lease["state"] == "live":
        raise MistakesError({f"{number}.": "Respond to this one too." for number in left_out})


def _checked(arrived: _Submission, bodies: Mapping[int, Any], units: Mapping[int, Row]) -> dict[int, dict[str, Any]]:
    """Bodies as they are kept; the mistakes of all units together."""
    kind = BODIES.load(arrived.study.task.name)
    read_bodies: dict[int, dict[str, Any]] = {}
    mistakes: dict[str, str] = {}
    for number, raw in sorted(bodies.items()):
        unit = units[number]
        given = Given(unit["content"], unit["arranged"], arrived.study.shown, arrived.study.settings.rules)
        try:
            read_bodies[number] = read(kind, raw, given, number)
        except MistakesError as error:
            mistakes |= error.mistakes
    if mistakes:
        raise MistakesError(mistakes)
    return read_bodies


def _keep(arrived: _Submission, unit: Row, body: dict[str, Any], together: int) -> _Kept:
    """Keep one response, and all that follows from it."""
    rows, study, now = arrived.rows, arrived.study, arrived.now
    counts = unit["holder"] == arrived.lease["lease_id"] and unit["state"] == "leased"
    seconds = (now - arrived.lease["started"]).total_seconds() / together
    response = {
        "study_id": study.study_id,
        "item_id": unit["item_id"],
        "slot_id": unit["slot_id"],
        "worker_id": arrived.lease["worker_id"],
        "lease_id": arrived.lease["lease_id"],
        "number": unit["number"],
        "idempotency_key": arrived.key,
        "state": "accepted" if counts else "late",
        "body": body,
        "arranged": unit["arranged"],
        "comment": arrived.comment,
        "wording_hash": study.wording_hash,
        "seconds": max(seconds, 0.0),
        "active_seconds": arrived.active_seconds,
        "flags": flags_of(rows, study, arrived.lease["worker_id"], unit, body, seconds),
        "submitted": now,
    }
    number = inserted(rows, work.RESPONSES, response)
    millionths = _pay(arrived, number)
    _settle(arrived, unit)
    if counts:
        _count(arrived, unit, number, body)
    return _Kept(unit["number"], response["state"], millionths)


def _pay(arrived: _Submission, response_id: int) -> int:
    """What is owed for a response: once for each unit of an assignment, however often it is handed in.

    Who gave the assignment back is owed nothing; of who was blocked while working, somebody has to decide.
    """
    if arrived.lease["submitted_key"] is not None or arrived.lease["state"] == "released":
        return 0
    millionths = int(arrived.study.choice("pay_millionths"))
    payment = {
        "study_id": arrived.study.study_id,
        "worker_id": arrived.lease["worker_id"],
        "response_id": response_id,
        "millionths": millionths,
        "currency": arrived.study.settings.currency,
        "state": "withheld" if arrived.lease["state"] == "ended" else "owed",
        "at": arrived.now,
    }
    inserted(arrived.rows, work.PAYMENTS, payment)
    return millionths


def _settle(arrived: _Submission, unit: Row) -> None:
    """The worker has answered: whatever becomes of the slot, the lineage is not offered again."""
    engage(arrived.rows, arrived.lease["worker_id"], unit["lineage"], arrived.now)


def _count(arrived: _Submission, unit: Row, response_id: int, body: Mapping[str, Any]) -> None:
    """Fill the slot; open the next round, feed the studies that build on this one, compare with what is known."""
    rows, slots = arrived.rows, work.SLOTS
    mine = slots.c.slot_id == unit["slot_id"]
    rows.execute(update(slots).where(mine).values(state="done", expires=None))
    if arrived.study.task.in_rounds:
        follows = and_(slots.c.item_id == unit["item_id"], slots.c.state == "waiting")
        first = select(slots.c.slot_id).where(follows).order_by(slots.c.ordinal).limit(1).scalar_subquery()
        rows.execute(update(slots).where(slots.c.slot_id == first).values(state="free"))
    if unit["kind"] != "real":
        known: dict[str, Any] = {"response_id": response_id, "body": body, "now": arrived.now}
        note_result(rows, arrived.study, arrived.lease["worker_id"], unit, **known)
    else:
        feed(rows, arrived.study, arrived.lease["worker_id"], unit, body, arrived.now)


def _finish(arrived: _Submission, left_out: list[Row]) -> None:
    """End the lease; what was left out goes to others."""
    rows, lease = arrived.rows, arrived.lease
    if lease["submitted_key"] is not None:
        return
    for unit in left_out:
        held = and_(work.SLOTS.c.slot_id == unit["slot_id"], work.SLOTS.c.lease_id == lease["lease_id"])
        rows.execute(update(work.SLOTS).where(held).values(state="free", lease_id=None, expires=None))
    state = "submitted" if lease["state"] == "live" else lease["state"]
    mine = work.LEASES.c.lease_id == lease["lease_id"]
    rows.execute(update(work.LEASES).where(mine).values(state=state, submitted_key=arrived.key))


def _receipt(arrived: _Submission, kept: list[_Kept], skipped: tuple[int, ...], *, repeated: bool) -> Receipt:
    response = work.RESPONSES.c
    mine = and_(
        response.study_id == arrived.study.study_id,
        response.worker_id == arrived.lease["worker_id"],
        response.state == "accepted",
    )
    done = arrived.rows.execute(select(func.count()).select_from(work.RESPONSES).where(mine)).scalar_one()
    return Receipt(
        accepted=tuple(each.number for each in kept if each.state == "accepted"),
        late=tuple(each.number for each in kept if each.state == "late"),
        rejected=tuple(each.number for each in kept if each.state == "rejected"),
        skipped=skipped,
        repeated=repeated,
        millionths=sum(each.millionths for each in kept),
        currency=arrived.study.settings.currency,
        done=int(done),
    )
