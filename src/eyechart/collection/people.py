"""Workers: pseudonyms, where they came from, what they may do, what they were blocked from."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, func, insert, select, update

from eyechart.collection.rows import insert_once, inserted, set_once
from eyechart.collection.task_types import Test
from eyechart.database import work
from eyechart.errors import WorkError

__all__ = ["Attempt", "block", "end_leases", "grant", "identify", "lift", "merge", "revoke", "secret", "take_test"]

_NEW_NAMES = 20


def secret(rows: Connection, name: str) -> bytes:
    """A secret of this database: made when it is first asked for."""
    wanted = select(work.SECRETS.c.value).where(work.SECRETS.c.name == name)
    found = rows.execute(wanted).scalar_one_or_none()
    if found is None:
        insert_once(rows, work.SECRETS, {"name": name, "value": secrets.token_hex(32)})
        found = rows.execute(wanted).scalar_one()
    return bytes.fromhex(found)


def identify(rows: Connection, platform: str, external: str, now: datetime, name: str | None = None) -> str:
    """The pseudonym of somebody from a platform; the name they have there is kept only as a keyed hash."""
    digest = hmac.new(secret(rows, "identities"), f"{platform}\n{external}".encode(), hashlib.sha256).hexdigest()
    identity, worker = work.IDENTITIES.c, work.WORKERS.c
    known = (
        select(worker.name)
        .join_from(work.WORKERS, work.IDENTITIES, identity.worker_id == worker.worker_id)
        .where(identity.platform == platform, identity.external_hash == digest)
    )
    found = rows.execute(known).scalar_one_or_none()
    if found is not None:
        return str(found)
    worker_id, pseudonym = _new_worker(rows, name, now)
    if not insert_once(
        rows, work.IDENTITIES, {"platform": platform, "external_hash": digest, "worker_id": worker_id}
    ):  # somebody was faster
        rows.execute(work.WORKERS.delete().where(worker.worker_id == worker_id))
        return str(rows.execute(known).scalar_one())
    return pseudonym


def _new_worker(rows: Connection, name: str | None, now: datetime) -> tuple[int, str]:
    for _ in range(_NEW_NAMES):
        pseudonym = name or f"w-{secrets.token_hex(4)}"
        if insert_once(rows, work.WORKERS, {"name": pseudonym, "created": now}):
            number = select(work.WORKERS.c.worker_id).where(work.WORKERS.c.name == pseudonym)
            return int(rows.execute(number).scalar_one()), pseudonym
        if name is not None:
            raise WorkError(f"worker {name!r}: found one of this name already, expected a new name; choose another")
    raise WorkError("worker: found no free pseudonym; try again")


def merge(rows: Connection, kept: int, gone: int) -> None:
    """Two workers turned out to be one person: identities move, and both's lineages are met."""
    met = work.ENGAGEMENTS.c
    both = select(met.lineage).where(met.worker_id == kept)
    rows.execute(update(work.ENGAGEMENTS).where(met.worker_id == gone, met.lineage.not_in(both)).values(worker_id=kept))
    rows.execute(update(work.IDENTITIES).where(work.IDENTITIES.c.worker_id == gone).values(worker_id=kept))


# ---------------------------------------------------------------------- what somebody may do


@dataclass(frozen=True)
class Attempt:
    """How a qualification test went."""

    passed: bool
    score: float
    right: tuple[bool, ...]
    left: int
    """How often it may be tried again."""


def take_test(
    rows: Connection, worker_id: int, name: str, test: Test, answers: Mapping[int, str], now: datetime
) -> Attempt:
    """Mark a test; who reaches the mark holds the qualification with the share as its value."""
    attempt = work.ATTEMPTS.c
    mine = and_(attempt.worker_id == worker_id, attempt.qualification == name)
    rows.execute(select(work.WORKERS.c.worker_id).where(work.WORKERS.c.worker_id == worker_id).with_for_update())
    taken = int(rows.execute(select(func.count()).select_from(work.ATTEMPTS).where(mine)).scalar_one())
    if taken >= test.attempts:
        raise WorkError(
            f"test {name}: found {taken} attempts, expected at most {test.attempts}; ask who runs the study"
        )
    right = tuple(
        _said(answers.get(number, "")) in {_said(each) for each in question.accepted}
        for number, question in enumerate(test.questions)
    )
    score = sum(right) / len(right)
    passed = score >= test.pass_mark
    tried = {"worker_id": worker_id, "qualification": name, "score": score, "passed": passed, "at": now}
    kept_answers = {str(number): text[:500] for number, text in answers.items()}
    rows.execute(insert(work.ATTEMPTS).values(**tried, answers=kept_answers))
    if passed:
        grant(rows, worker_id, name, value=score, why="passed the test", now=now, until=None)
    return Attempt(passed, score, right, test.attempts - taken - 1)


def _said(text: str) -> str:
    return " ".join(text.casefold().split())


def grant(
    rows: Connection,
    worker_id: int,
    name: str,
    *,
    value: float,
    why: str,
    now: datetime,
    until: datetime | None,
) -> None:
    """Give a qualification, or change its value."""
    key = {"worker_id": worker_id, "qualification": name}
    values = {"value": value, "why": why, "at": now, "until": until, "revoked": False}
    set_once(rows, work.GRANTS, key, values)


def revoke(rows: Connection, worker_id: int, name: str) -> None:
    """Take a qualification away; the row stays."""
    mine = and_(work.GRANTS.c.worker_id == worker_id, work.GRANTS.c.qualification == name)
    rows.execute(update(work.GRANTS).where(mine).values(revoked=True))


def block(
    rows: Connection, worker_id: int, study_id: int | None, why: str, now: datetime, until: datetime | None
) -> None:
    """Block somebody from a study, or from all; what they hold goes to others, what they still send is kept."""
    values = {"worker_id": worker_id, "study_id": study_id, "why": why, "at": now, "until": until, "lifted": False}
    inserted(rows, work.BLOCKS, values)
    lease = work.LEASES.c
    theirs = and_(lease.worker_id == worker_id, lease.state == "live")
    if study_id is not None:
        theirs = and_(theirs, lease.study_id == study_id)
    ended = list(rows.execute(select(lease.lease_id).where(theirs).with_for_update()).scalars())
    end_leases(rows, ended, "ended")


def lift(rows: Connection, worker_id: int, study_id: int | None) -> None:
    """Lift the blocks of somebody: of one study, or those from all."""
    there = work.BLOCKS.c
    same = there.study_id.is_(None) if study_id is None else there.study_id == study_id
    rows.execute(update(work.BLOCKS).where(there.worker_id == worker_id, same).values(lifted=True))


def end_leases(rows: Connection, lease_ids: list[int], state: str) -> None:
    """Give the slots of leases to others; those of gold have no others and are closed."""
    if not lease_ids:
        return
    slot = work.SLOTS.c
    held = and_(slot.lease_id.in_(lease_ids), slot.state == "leased")
    free = {"state": "free", "lease_id": None, "expires": None}
    rows.execute(update(work.SLOTS).where(held, slot.expires.is_not(None)).values(**free))
    rows.execute(update(work.SLOTS).where(held, slot.expires.is_(None)).values(state="rejected"))
    rows.execute(update(work.LEASES).where(work.LEASES.c.lease_id.in_(lease_ids)).values(state=state))
