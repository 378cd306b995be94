"""Whatever workers do, in any order, on any clock: nobody answers twice, no slot is filled twice, no word is lost."""

import os
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import delete, func, select, text

from eyechart.collection import Assignment, Item, Settings, Work
from eyechart.database import Database
from eyechart.database import work as t

LEASE = 60
WORKERS = 4
START = datetime(2026, 1, 1, tzinfo=UTC)
RIGHT = {0: "horse", 1: "2", 2: "yes", 3: "Give my best guess and say that I am not sure"}
worker = st.integers(0, WORKERS - 1)


TABLES = [table for table in t.METADATA.sorted_tables if table in vars(t).values()]


def emptied(database: Database) -> None:
    """No rows, and numbers that begin at 1 again."""
    with database.writing() as rows:
        if database.is_sqlite:
            for table in reversed(TABLES):
                rows.execute(delete(table))
        else:
            names = ", ".join(table.name for table in TABLES)
            rows.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))


class Working(RuleBasedStateMachine):
    """Two studies of one pool: questions are written in the one and answered in the other."""

    place: Database

    def __init__(self) -> None:
        super().__init__()
        # Draws depend on names and numbers, so every run begins with the same ones: else it could not be repeated.
        emptied(self.place)
        self.work = Work(self.place)
        self.run = "run"
        self.written = 0
        self.now = START
        self.tokens: list[tuple[int, Assignment]] = []
        self.acknowledged: dict[tuple[str, str], tuple[int, ...]] = {}

    @initialize(k=st.integers(1, 3), units=st.integers(1, 2), gold=st.sampled_from([0.0, 0.4]))
    def begin(self, k: int, units: int, gold: float) -> None:
        self.ask, self.answer = f"ask-{self.run}", f"answer-{self.run}"
        chosen = Settings(
            k=k,
            units=units,
            lease_seconds=LEASE,
            qualification=self.run,
            gold_share=gold,
            gold_least=2,
            gold_mark=0.3,
        )
        self.work.create_study(self.answer, "answer", settings=chosen, pool=self.run, now=self.now)
        asking = Settings(k=2, lease_seconds=LEASE, feeds=(self.answer,))
        self.work.create_study(self.ask, "question", settings=asking, pool=self.run, now=self.now)
        image = {"image_id": "1", "file": "1.jpg"}
        self.work.add_items(self.ask, [Item(key=f"{n}", image_id=f"{n}", content={"image": image}) for n in (1, 2)])
        questions = [Item(key=f"q{n}", question_id=f"q{n}", content={"question": f"Is {n} red?"}) for n in range(2)]
        gold_items = [
            Item(key=f"g{n}", content={"question": f"Gold {n}?"}, kind="gold", expected={"answer": "yes"})
            for n in range(3)
        ]
        self.work.add_items(self.answer, questions + gold_items)
        self.names = [self.work.worker(self.run, str(each), now=self.now) for each in range(WORKERS)]

    @rule(who=worker, asks=st.booleans())
    def claim(self, who: int, *, asks: bool) -> None:
        found = self.work.claim(self.ask if asks else self.answer, self.names[who], now=self.now)
        if isinstance(found, Assignment):
            self.tokens.append((who, found))

    @precondition(lambda self: self.tokens)
    @rule(data=st.data(), key=st.sampled_from(["a", "b"]), word=st.sampled_from(["yes", "no", "red"]))
    def submit(self, data: st.DataObject, key: str, word: str) -> None:
        _, given = data.draw(st.sampled_from(self.tokens))
        asks = given.study == self.ask
        self.written += 1
        body = {"question": f"Is it {word} {self.written}?"} if asks else {"answer": word, "confidence": "yes"}
        numbers = [unit.number for unit in given.units]
        receipt = self.work.submit(given.token, key, dict.fromkeys(numbers, body), now=self.now)
        # What was rejected, or restored beside the count, since it first arrived is in the receipt still.
        kept = tuple(sorted((*receipt.accepted, *receipt.late, *receipt.rejected)))
        assert receipt.repeated == ((given.token, key) in self.acknowledged)
        assert self.acknowledged.setdefault((given.token, key), kept) == kept

    @precondition(lambda self: self.tokens)
    @rule(data=st.data(), what=st.sampled_from(["heartbeat", "release", "draft", "read"]))
    def touch(self, data: st.DataObject, what: str) -> None:
        _, given = data.draw(st.sampled_from(self.tokens))
        if what == "heartbeat":
            self.work.heartbeat(given.token, now=self.now)
        elif what == "release":
            self.work.release(given.token)
        elif what == "draft":
            draft = self.work.assignment(given.token).draft
            self.work.save_draft(given.token, draft.revision if draft else 0, {"a": 1}, now=self.now)
        else:
            self.work.assignment(given.token)

    @rule(seconds=st.sampled_from([1, LEASE - 1, LEASE + 1, 10 * LEASE, -LEASE]))
    def jump(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule(who=worker, until=st.sampled_from([None, LEASE]), everywhere=st.booleans())
    def block(self, who: int, until: int | None, *, everywhere: bool) -> None:
        end = None if until is None else self.now + timedelta(seconds=until)
        self.work.block(self.names[who], None if everywhere else self.answer, why="-", until=end, now=self.now)

    @rule(who=worker)
    def lift(self, who: int) -> None:
        self.work.lift(self.names[who], None)
        self.work.lift(self.names[who], self.answer)

    @rule(who=worker, holds=st.booleans())
    def qualify(self, who: int, *, holds: bool) -> None:
        if holds:
            self.work.grant(self.names[who], self.run, now=self.now)
        else:
            self.work.revoke(self.names[who], self.run)

    @precondition(lambda self: self.acknowledged)
    @rule(data=st.data(), decision=st.sampled_from(["accepted", "rejected"]))
    def review(self, data: st.DataObject, decision: str) -> None:
        found = [each.response_id for each in self.work.responses(self.answer)]
        if found:
            self.work.review(data.draw(st.sampled_from(found)), decision, now=self.now)

    @invariant()
    def holds(self) -> None:
        if not hasattr(self, "answer"):
            return
        with self.work.database.reading() as rows:
            check(rows, [self.ask, self.answer], sum(map(len, self.acknowledged.values())))


def check(rows: object, names: list[str], acknowledged: int) -> None:
    """What must be true at every moment."""
    execute = rows.execute  # type: ignore[attr-defined]
    numbers = list(execute(select(t.STUDIES.c.study_id).where(t.STUDIES.c.name.in_(names))).scalars())
    response, slot, lease, item = t.RESPONSES.c, t.SLOTS.c, t.LEASES.c, t.ITEMS.c
    mine = response.study_id.in_(numbers)
    accepted = mine & (response.state == "accepted")
    assert execute(select(func.count()).select_from(t.RESPONSES).where(mine)).scalar_one() == acknowledged
    counted = (
        select(func.count()).select_from(t.RESPONSES).join(t.ITEMS, item.item_id == response.item_id).where(accepted)
    )
    for what in ((response.slot_id,), (response.worker_id, item.lineage)):
        twice = counted.group_by(*what).having(func.count() > 1)
        assert execute(twice).all() == []
    done = select(slot.slot_id).where(slot.study_id.in_(numbers), slot.state == "done")
    assert set(execute(done).scalars()) == set(execute(select(response.slot_id).where(accepted)).scalars())
    live = select(func.count()).where(lease.study_id.in_(numbers), lease.state == "live")
    assert execute(live.group_by(lease.study_id, lease.worker_id).having(func.count() > 1)).all() == []
    leased = select(lease.state).join(t.SLOTS, slot.lease_id == lease.lease_id)
    assert set(execute(leased.where(slot.study_id.in_(numbers), slot.state == "leased")).scalars()) <= {"live"}
    askers = select(response.worker_id, item.key, slot.ordinal).join(t.ITEMS, item.item_id == response.item_id)
    askers = askers.join(t.SLOTS, slot.slot_id == response.slot_id).where(mine, item.key.in_(["1", "2"]))
    asked = {(who, f"{key}{ordinal - 1}") for who, key, ordinal in execute(askers)}
    answers = select(response.worker_id, item.key).join(t.ITEMS, item.item_id == response.item_id).where(mine)
    assert not asked & {(who, key) for who, key in execute(answers)}


def run(url: str, runs: int, steps: int) -> None:
    database = Database(url)
    try:
        checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
        chosen = settings(
            max_examples=runs, stateful_step_count=steps, deadline=None, suppress_health_check=checks, database=None
        )
        here = type("Here", (Working,), {"place": database})
        run_state_machine_as_test(here, settings=chosen)  # type: ignore[no-untyped-call]
    finally:
        database.close()


def test_nobody_answers_twice_and_no_word_is_lost(database_url: str) -> None:
    """A few runs, on both databases."""
    run(database_url, 5, 20)


@pytest.mark.slow
def test_nobody_answers_twice_in_many_runs(database_url: str) -> None:
    """On both databases; before a release with EYECHART_RUNS=2000."""
    run(database_url, int(os.environ.get("EYECHART_RUNS", "300")), 25)
