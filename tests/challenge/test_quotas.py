"""A quota of five is five, whoever comes at once, whatever the clock says, and whatever goes wrong."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_challenge import SmallChallenge, results
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from eyechart.challenge import Worker, hosting, quotas, submitting
from eyechart.database import challenges as t
from eyechart.database import now
from eyechart.errors import UsageError

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def hand_in_at_once(cats: SmallChallenge, file: Path, count: int) -> list[str]:
    """So many uploads by threads that start together; what each was told."""
    ready, told = threading.Barrier(count), []

    def upload(number: int) -> None:
        ready.wait()
        try:
            cats.hand_in(file, method=f"try {number}")
            told.append("accepted")
        except UsageError as refused:
            told.append(str(refused))

    threads = [threading.Thread(target=upload, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def test_fifty_at_once_at_a_limit_of_five(cats: SmallChallenge, tmp_path: Path) -> None:
    """Exactly five are accepted, the others hear when there is room again, and each number was given once."""
    told = hand_in_at_once(cats, results(tmp_path / "r.json"), 50)
    refused = [each for each in told if each != "accepted"]
    assert len(told) == 50
    assert len(refused) == 45
    assert all(
        "Your team has used its 5 submissions of today; there are new ones at 00:00 UTC" in each for each in refused
    )
    with cats.database.reading() as rows:
        numbers = rows.execute(select(t.QUOTA_SLOTS.c.in_day).order_by(t.QUOTA_SLOTS.c.in_day)).scalars().all()
    assert numbers == [1, 2, 3, 4, 5]
    assert len(cats.states()) == 5


def test_no_number_is_given_twice_even_without_the_lock(cats: SmallChallenge, tmp_path: Path) -> None:
    """The unique keys stand by themselves."""
    cats.hand_in(results(tmp_path / "r.json"))
    second = cats.hand_in(results(tmp_path / "r.json"))
    with cats.database.reading() as rows:
        slot = dict(rows.execute(select(t.QUOTA_SLOTS)).mappings().first() or {})
    with pytest.raises(IntegrityError), cats.database.writing() as rows:
        quotas.free_slot(rows, second)
        rows.execute(insert(t.QUOTA_SLOTS).values(**slot | {"submission_id": second}))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2026-03-01T23:59:59.999999+00:00", "2026-03-02T00:00:00+00:00", False),
        ("2026-03-01T00:00:00+00:00", "2026-03-01T23:59:59.999999+00:00", True),
        ("2026-03-02T00:30:00+02:00", "2026-03-01T12:00:00+00:00", True),
        ("2026-03-01T23:30:00-05:00", "2026-03-02T12:00:00+00:00", True),
    ],
)
def test_a_day_is_a_day_of_utc(cats: SmallChallenge, tmp_path: Path, first: str, second: str, *, same: bool) -> None:
    """Five on one day leave none for it, and five for the next, whatever the zone of the clock."""
    file = results(tmp_path / "r.json")
    for _ in range(5):
        cats.hand_in(file, at=datetime.fromisoformat(first))
    if same:
        with pytest.raises(UsageError, match="00:00 UTC"):
            cats.hand_in(file, at=datetime.fromisoformat(second))
    else:
        cats.hand_in(file, at=datetime.fromisoformat(second))


def test_the_total_holds_over_days(cats: SmallChallenge, tmp_path: Path) -> None:
    """Twenty in all, five a day: nothing on the fifth day."""
    file = results(tmp_path / "r.json")
    for number in range(20):
        cats.hand_in(file, at=NOON + timedelta(days=number // 5))
    with pytest.raises(UsageError, match="used all 20 submissions of this phase"):
        cats.hand_in(file, at=NOON + timedelta(days=4))


def test_failures_have_a_ledger_of_their_own(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """Three broken files a day cost nothing; then nothing is taken until tomorrow."""
    (tmp_path / "broken.json").write_text("[")
    for _ in range(3):
        cats.hand_in(tmp_path / "broken.json")
        worker.run(idle=False)
        with cats.database.reading() as rows:
            left = quotas.left(rows, cats.phase("test"), cats.team, now())
        assert (left.today, left.in_all) == (5, 20)
    with pytest.raises(UsageError, match="3 files today that could not be scored"):
        cats.hand_in(results(tmp_path / "r.json"))
    cats.hand_in(results(tmp_path / "r.json"), at=now() + timedelta(days=1))


def test_more_failures_than_the_ledger_has_count_as_results(
    cats: SmallChallenge, worker: Worker, tmp_path: Path
) -> None:
    """Five broken files at once: three are free, two cost a submission each."""
    (tmp_path / "broken.json").write_text("[")
    for _ in range(5):
        cats.hand_in(tmp_path / "broken.json")
    worker.run(idle=False)
    assert cats.states() == ["failed"] * 5
    with cats.database.reading() as rows:
        left = quotas.left(rows, cats.phase("test"), cats.team, now())
        kinds = dict(rows.execute(select(t.QUOTA_SLOTS.c.kind, func.count()).group_by(t.QUOTA_SLOTS.c.kind)).all())
    assert (left.today, left.in_all, left.failures_today) == (3, 18, 0)
    assert kinds == {"accepted": 2, "failed": 3}


def test_what_hosts_take_back_before_it_was_scored_costs_nothing(
    cats: SmallChallenge, worker: Worker, tmp_path: Path
) -> None:
    """A participant's own withdrawal keeps the slot; a score that was seen has been paid for."""
    file = results(tmp_path / "r.json")
    stuck, own, seen = cats.hand_in(file), cats.hand_in(file), cats.hand_in(file)
    with cats.database.writing() as rows:
        submitting.withdraw(rows, stuck, by_host=True)
        submitting.withdraw(rows, own, by_host=False)
    worker.run(idle=False)
    with cats.database.writing() as rows:
        submitting.withdraw(rows, seen, by_host=True)
        assert quotas.left(rows, cats.phase("test"), cats.team, now()).today == 3
    assert cats.states() == ["cancelled"] * 3


def test_the_same_upload_sent_again_is_the_same_submission(cats: SmallChallenge, tmp_path: Path) -> None:
    """Whoever hears no answer sends again, and pays once."""
    file = results(tmp_path / "r.json")
    assert cats.hand_in(file, once="abc") == cats.hand_in(file, once="abc")
    assert cats.hand_in(file, once="abd") != cats.hand_in(file, once="abc")
    assert len(cats.states()) == 2


def test_phases_open_and_close(cats: SmallChallenge, tmp_path: Path) -> None:
    """To the microsecond: open at the beginning, closed at the end."""
    opens, closes = NOON, NOON + timedelta(days=1)
    with cats.database.writing() as rows:
        rows.execute(t.PHASES.update().where(t.PHASES.c.slug == "test").values(opens=opens, closes=closes))
    file, instant = results(tmp_path / "r.json"), timedelta(microseconds=1)
    with pytest.raises(UsageError, match="Test opens on 01 March 2026 at 12:00 UTC"):
        cats.hand_in(file, at=opens - instant)
    with pytest.raises(UsageError, match="Test closed on 02 March 2026 at 12:00 UTC"):
        cats.hand_in(file, at=closes)
    cats.hand_in(file, at=opens)
    cats.hand_in(file, at=closes - instant)


def test_a_barred_team_hands_in_nothing(cats: SmallChallenge, tmp_path: Path) -> None:
    """And nobody does without a team."""
    with cats.database.writing() as rows:
        hosting.bar(rows, cats.team, cats.host)
    with pytest.raises(UsageError, match="barred your team"):
        cats.hand_in(results(tmp_path / "r.json"))
    with pytest.raises(UsageError, match="handed in by teams"):
        cats.hand_in(results(tmp_path / "r.json"), team_id=None)


@given(st.datetimes(timezones=st.timezones()))
def test_days_are_those_of_utc(moment: datetime) -> None:
    """Against the literal: the date on a clock in Greenwich that knows no summer."""
    literal = moment.astimezone(UTC).strftime("%Y-%m-%d")
    assert quotas.day_of(moment).zfill(10) == literal.zfill(10)
