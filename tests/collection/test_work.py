"""The protocol of collected work: one accepted answer for a slot, one meeting of worker and lineage, no word lost."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from eyechart.collection import Assignment, Item, Nothing, Settings, Work
from eyechart.database import Database
from eyechart.errors import MistakesError, StaleDraftError, UsageError, WorkError

START = datetime(2026, 1, 1, tzinfo=UTC)
YES = {"answer": "yes", "confidence": "yes"}


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


@pytest.fixture
def work(database_url: str) -> Iterator[Work]:
    database = Database(database_url)
    yield Work(database)
    database.close()


def question(number: int) -> Item:
    content = {
        "question": f"Is thing {number} red?",
        "question_id": str(number),
        "image": {"image_id": f"p{number}", "file": f"secret-{number}.jpg", "width": 4, "height": 3},
    }
    return Item(key=str(number), question_id=str(number), image_id=f"p{number}", content=content)


def study(
    work: Work, name: str = "pilot", kind: str = "answer", *, items: int = 1, pool: str = "pool", **chosen: object
) -> None:
    work.create_study(name, kind, settings=Settings(**chosen), pool=pool, now=START)  # type: ignore[arg-type]
    work.add_items(name, [question(number) for number in range(items)])


def held(found: Assignment | Nothing) -> Assignment:
    assert isinstance(found, Assignment), found
    return found


def reason(found: Assignment | Nothing) -> str:
    assert isinstance(found, Nothing), found
    return found.reason


def answered(work: Work, worker: str, name: str = "pilot", at: float = 0) -> Assignment:
    given = held(work.claim(name, worker, now=later(at)))
    work.submit(given.token, f"{worker}-{at}", dict.fromkeys([u.number for u in given.units], YES), now=later(at + 5))
    return given


def test_k_different_workers(work: Work) -> None:
    """A question gets k answers, each from another worker, and no more."""
    study(work, k=2)
    ada, bo, cy = (work.worker("t", name) for name in ("ada", "bo", "cy"))
    answered(work, ada)
    assert reason(work.claim("pilot", ada, now=later(9))) == "seen"
    answered(work, bo)
    assert reason(work.claim("pilot", cy, now=later(9))) == "done"
    progress = work.progress("pilot")
    assert (progress.wanted, progress.done, progress.finished, progress.workers) == (2, 2, 1, 2)


def test_an_assignment_is_resumed(work: Work) -> None:
    """A second claim gives the same assignment, with the draft, and holds it longer."""
    study(work, lease_seconds=60)
    ada = work.worker("t", "ada")
    first = held(work.claim("pilot", ada, now=START))
    draft = work.save_draft(first.token, 0, {"answer": "ye"}, now=later(5))
    again = held(work.claim("pilot", ada, now=later(30)))
    assert (again.token, again.resumed, again.draft) == (first.token, True, draft)
    assert again.expires == later(90)
    assert work.heartbeat(first.token, now=later(80)) == later(140)


def test_two_windows_never_write_over_each_other(work: Work) -> None:
    """A draft that started from an older revision is refused."""
    study(work)
    token = held(work.claim("pilot", work.worker("t", "ada"))).token
    work.save_draft(token, 0, "one")
    with pytest.raises(StaleDraftError, match="found revision 1 saved already") as told:
        work.save_draft(token, 0, "other")
    assert told.value.revision == 1
    assert work.save_draft(token, 1, "two").revision == 2


def test_expired_but_not_taken_over_counts(work: Work) -> None:
    """Time that ran out is no reason to refuse an answer that nobody else has given."""
    study(work, k=1, lease_seconds=60)
    given = held(work.claim("pilot", work.worker("t", "ada"), now=START))
    assert work.submit(given.token, "key", {0: YES}, now=later(3600)).accepted == (0,)


def test_taken_over_is_kept_as_late(work: Work) -> None:
    """Who comes after the slot went to another is told, paid, and not counted."""
    study(work, k=1, lease_seconds=60, pay_millionths=7)
    ada, bo = work.worker("t", "ada"), work.worker("t", "bo")
    first = held(work.claim("pilot", ada, now=START))
    second = held(work.claim("pilot", bo, now=later(61)))
    assert work.heartbeat(first.token, now=later(62)) is None
    late = work.submit(first.token, "key", {0: YES}, now=later(70))
    assert (late.accepted, late.late, late.millionths) == ((), (0,), 7)
    assert work.submit(second.token, "key", {0: YES}, now=later(80)).accepted == (0,)
    assert {each.worker: each.state for each in work.responses("pilot")} == {ada: "late", bo: "accepted"}
    assert reason(work.claim("pilot", ada, now=later(90))) == "done"


def test_a_repeated_submission_counts_once(work: Work) -> None:
    """The same key brings the same receipt; another text under another key is kept beside it."""
    study(work, k=1, pay_millionths=7)
    given = held(work.claim("pilot", work.worker("t", "ada"), now=START))
    first = work.submit(given.token, "key", {0: YES}, now=later(5))
    again = work.submit(given.token, "key", {0: {"answer": "no", "confidence": "no"}}, now=later(6))
    assert (first.repeated, again.repeated) == (False, True)
    assert (again.accepted, again.millionths) == (first.accepted, first.millionths)
    other = work.submit(given.token, "other", {0: {"answer": "no", "confidence": "no"}}, now=later(7))
    assert (other.late, other.millionths) == ((0,), 0)
    assert [each.body["answer"] for each in work.responses("pilot")] == ["no", "yes"]
    work.review(work.responses("pilot")[-1].response_id, "rejected")
    told = work.submit(given.token, "key", {0: YES}, now=later(8))
    assert (told.accepted, told.late, told.rejected, told.repeated) == ((), (), (0,), True)


def test_mistakes_keep_nothing_and_lose_nothing(work: Work) -> None:
    """A body with mistakes is refused with a sentence each; the assignment stays."""
    study(work)
    given = held(work.claim("pilot", work.worker("t", "ada"), now=START))
    with pytest.raises(MistakesError) as told:
        work.submit(given.token, "key", {0: {"answer": " ", "confidence": "yes"}}, now=later(5))
    assert told.value.mistakes == {"0.answer": "Write an answer."}
    assert work.submit(given.token, "key", {0: YES}, now=later(6)).accepted == (0,)


def test_who_asked_never_answers(work: Work) -> None:
    """Questions written in one study are answered in another by others; blind and seeing answers as well."""
    study(work, "answer", k=1, items=0)
    study(work, "blind", "answer_blind", k=1, items=0)
    study(work, "strange", k=1, items=0, pool="elsewhere")
    with pytest.raises(UsageError, match="expected the same as its own"):
        work.create_study("ask", "question", settings=Settings(feeds=("answer", "strange")))
    work.create_study("ask", "question", settings=Settings(feeds=("answer", "blind")), now=START)
    work.add_items("ask", [Item(key="7", image_id="7", content={"image": {"image_id": "7", "file": "7.jpg"}})])
    ada, bo, cy = (work.worker("t", name) for name in ("ada", "bo", "cy"))
    token = held(work.claim("ask", ada, now=START)).token
    work.submit(token, "key", {0: {"question": "Is it red?"}}, now=later(9))
    assert reason(work.claim("answer", ada, now=later(10))) == "seen"
    assert reason(work.claim("blind", ada, now=later(10))) == "seen"
    given = held(work.claim("answer", bo, now=later(10)))
    assert given.units[0].shown["question"] == "Is it red?"
    assert reason(work.claim("blind", bo, now=later(11))) == "seen"
    assert held(work.claim("blind", cy, now=later(12))).units[0].shown == {"question": "Is it red?"}


def test_rounds_wait_for_each_other(work: Work) -> None:
    """The second writer comes after the first, sees the first question, and must not repeat it."""
    work.create_study("ask", "question", now=START)
    work.add_items("ask", [Item(key="7", image_id="7", content={"image": {"image_id": "7", "file": "7.jpg"}})])
    ada, bo = work.worker("t", "ada"), work.worker("t", "bo")
    first = held(work.claim("ask", ada, now=START))
    assert first.units[0].shown["earlier_questions"] == []
    assert reason(work.claim("ask", bo, now=later(1))) == "waiting"
    work.submit(first.token, "key", {0: {"question": "Is it red?"}}, now=later(9))
    second = held(work.claim("ask", bo, now=later(10)))
    assert second.units[0].shown["earlier_questions"] == ["Is it red?"]
    with pytest.raises(MistakesError, match="asked before"):
        work.submit(second.token, "key", {0: {"question": "is it  RED?"}}, now=later(19))


def test_what_is_withheld_is_not_there(work: Work) -> None:
    """Nothing of a picture that is withheld is in the assignment or can be fetched with its token."""
    study(work, "blind", "answer_blind")
    given = held(work.claim("blind", work.worker("t", "ada")))
    assert "secret" not in repr(given)
    assert "p0" not in repr(given)
    with pytest.raises(WorkError, match="found none that this assignment shows"):
        work.picture(given.token, 0, 0)
    study(work, "seen", "answer", pool="other")
    seen = held(work.claim("seen", work.worker("t", "ada")))
    assert "secret" not in repr(seen)
    assert work.picture(seen.token, 0, 0).file == "secret-0.jpg"


def test_choices_are_shuffled_and_kept_as_they_were(work: Work) -> None:
    """Each worker sees another order; what is kept is the choice itself."""
    texts = [f"choice {number}" for number in range(18)]
    work.create_study("mc", "choose", settings=Settings(withheld=("image",), units=1), now=START)
    work.add_items("mc", [Item(key="1", question_id="1", content={"question": "Which?", "choices": texts})])
    orders = []
    for name in ("ada", "bo", "cy"):
        given = held(work.claim("mc", work.worker("t", name), now=START))
        orders.append(given.units[0].shown["choices"])
        work.submit(given.token, "key", {0: {"choice": 4}}, now=later(9))
    assert all(sorted(order) == sorted(texts) for order in orders)
    assert len({tuple(order) for order in orders}) == 3
    kept = [each.body["choice"] for each in reversed(work.responses("mc"))]
    assert kept == [order[4] for order in orders]


def test_several_items_are_one_assignment(work: Work) -> None:
    """All units are handed in together, each from another item; what others took over meanwhile is late."""
    study(work, items=5, units=3, k=1, lease_seconds=60)
    ada, bo = work.worker("t", "ada"), work.worker("t", "bo")
    given = held(work.claim("pilot", ada, now=START))
    assert len({unit.shown["question"] for unit in given.units}) == 3
    with pytest.raises(MistakesError, match="Respond to this one too"):
        work.submit(given.token, "key", {0: YES}, now=later(5))
    study(work, "single", "answer", pool="elsewhere")
    other = held(work.claim("pilot", bo, now=later(100)))
    assert len(other.units) == 3
    receipt = work.submit(given.token, "key", dict.fromkeys(range(3), YES), now=later(110))
    assert (receipt.accepted, receipt.late) == ((), (0, 1, 2))
    assert work.submit(other.token, "key", dict.fromkeys(range(3), YES), now=later(120)).accepted == (0, 1, 2)


def test_the_richest_picture_may_be_taken(work: Work) -> None:
    """Where items may be left out, they go to others, and come back to whoever left them last of all."""
    work.create_study("pairs", "answer", settings=Settings(units=2, k=1), now=START)
    given_back = work.worker("t", "ada")
    work.add_items("pairs", [question(0), question(1)])
    token = held(work.claim("pairs", given_back, now=START)).token
    work.release(token)
    work.release(token)
    again = held(work.claim("pairs", given_back, now=later(1)))
    assert len(again.units) == 2
    assert again.token != token


def test_rejected_work_is_asked_of_somebody_else(work: Work) -> None:
    """The words stay, the pay is withheld, and another slot takes the place."""
    study(work, k=1, pay_millionths=7)
    ada, bo = work.worker("t", "ada"), work.worker("t", "bo")
    answered(work, ada)
    number = work.responses("pilot")[0].response_id
    work.review(number, "rejected", why="nonsense")
    assert (work.progress("pilot").rejected, work.progress("pilot").wanted, work.progress("pilot").done) == (1, 1, 0)
    assert reason(work.claim("pilot", ada, now=later(9))) == "seen"
    answered(work, bo)
    assert {each.worker: (each.owed, each.withheld) for each in work.owed("pilot")} == {ada: (0, 7), bo: (7, 0)}
    work.review(number, "accepted")
    assert work.responses("pilot", worker=ada)[0].state == "late"
    assert work.mark_paid("pilot") == 14


def test_gold_is_hidden_and_blocks(work: Work) -> None:
    """Items with known answers look like others; who is wrong too often gets nothing more."""
    study(work, items=30, k=1, gold_share=0.5, gold_least=3, gold_mark=0.5, gold_window=4)
    known = [
        Item(
            key=f"g{number}",
            content={"question": f"Is gold {number} red?"},
            kind="gold",
            expected=[YES | {"answer": "red"}],
        )
        for number in range(10)
    ]
    work.add_items("pilot", known)
    ada = work.worker("t", "ada")
    seen = []
    for turn in range(60):
        found = work.claim("pilot", ada, now=later(10 * turn))
        if isinstance(found, Nothing):
            break
        seen.append(found.units[0].shown["question"])
        work.submit(found.token, f"{turn}", {0: YES}, now=later(10 * turn + 5))
    assert reason(found) == "blocked"
    assert 3 <= sum("gold" in text for text in seen) <= 4
    assert work.progress("pilot").wanted == 30
    work.lift(ada, "pilot")
    assert isinstance(work.claim("pilot", ada, now=later(1000)), Assignment)


def test_qualifications(work: Work) -> None:
    """A test that is passed opens a study, a revoked qualification closes it, and tests are not tried for ever."""
    study(work, qualification="answer", items=3)
    ada = work.worker("t", "ada")
    assert reason(work.claim("pilot", ada)) == "unqualified"
    assert not work.take_test(ada, "answer", {}).passed
    right = {0: "horse", 1: "Two", 2: "yes", 3: "Give my best guess and say that I am not sure"}
    passed = work.take_test(ada, "answer", right)
    assert (passed.passed, passed.score, passed.left) == (True, 1.0, 1)
    given = held(work.claim("pilot", ada))
    work.submit(given.token, "key", {0: YES})
    work.revoke(ada, "answer")
    assert reason(work.claim("pilot", ada)) == "unqualified"
    work.grant(ada, "answer", until=START)
    assert reason(work.claim("pilot", ada)) == "unqualified"
    work.take_test(ada, "answer", {})
    with pytest.raises(WorkError, match="expected at most 3"):
        work.take_test(ada, "answer", right)


def test_a_block_ends_what_is_held(work: Work) -> None:
    """What a blocked worker still sends is kept beside the count; the slot went to somebody else."""
    study(work, k=1, pay_millionths=7)
    ada, bo = work.worker("t", "ada"), work.worker("t", "bo")
    given = held(work.claim("pilot", ada, now=START))
    work.block(ada, None, why="spam", until=later(100), now=later(1))
    assert reason(work.claim("pilot", ada, now=later(2))) == "blocked"
    answered(work, bo, at=3)
    assert work.submit(given.token, "key", {0: YES}, now=later(9)).late == (0,)
    assert {each.worker: (each.owed, each.withheld) for each in work.owed("pilot")} == {ada: (0, 7), bo: (7, 0)}
    work.add_items("pilot", [question(5)])
    answered(work, ada, at=101)


def test_limits_and_states(work: Work) -> None:
    """A paused study hands out nothing, takes what is out; a worker may have a limit."""
    study(work, items=3, k=1, most_per_worker=2, units=2)
    ada = work.worker("t", "ada")
    given = held(work.claim("pilot", ada, now=START))
    work.set_state("pilot", "paused")
    assert reason(work.claim("pilot", work.worker("t", "bo"))) == "closed"
    assert work.submit(given.token, "key", {0: YES, 1: YES}, now=later(5)).accepted == (0, 1)
    work.set_state("pilot", "open")
    assert reason(work.claim("pilot", ada)) == "limit"


def test_identities_are_one_worker_and_hidden(work: Work) -> None:
    """The same person is the same pseudonym; the name at the platform is nowhere in the database."""
    first = work.worker("mturk", "A1SECRETNAME")
    assert work.worker("mturk", "A1SECRETNAME") == first
    other = work.worker("prolific", "A1SECRETNAME")
    assert other != first
    study(work, k=2)
    answered(work, first)
    work.merge_workers(first, other)
    assert work.worker("prolific", "A1SECRETNAME") == first
    assert "SECRET" not in first + other


def test_flags(work: Work) -> None:
    """What is suspicious is kept beside the response."""
    study(work, items=12, k=1)
    ada = work.worker("t", "ada")
    for turn in range(10):
        answered(work, ada, at=10 * turn)
    given = held(work.claim("pilot", ada, now=later(200)))
    chat = {"answer": "I guess not lol", "confidence": "no"}
    work.submit(given.token, "chat", {0: chat}, now=later(200.5))
    newest, before, *_ = work.responses("pilot")
    assert newest.flags == ("too_fast", "conversational")
    assert before.flags == ("same_for_everything",)
    assert [each.body for each in work.responses("pilot", flag="conversational")] == [chat]
    assert work.progress("pilot").flags == {"too_fast": 1, "conversational": 1, "same_for_everything": 1}


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("Über", {}, "expected a name of those"),
        ("x", {"withheld": ("image",)}, "expected of task answer only nothing"),
        ("x", {"k": 0}, "found 0, expected 1 to"),
    ],
)
def test_wrong_studies_are_refused(work: Work, name: str, chosen: dict[str, object], said: str) -> None:
    """A sentence for each."""
    with pytest.raises(UsageError, match=said):
        work.create_study(name, "answer", settings=Settings(**chosen))  # type: ignore[arg-type]


def test_names_are_told(work: Work) -> None:
    """Unknown studies, workers and tokens."""
    study(work)
    with pytest.raises(WorkError, match="did you mean 'pilot'"):
        work.progress("pilots")
    with pytest.raises(WorkError, match="worker 'nobody': found none"):
        work.claim("pilot", "nobody")
    with pytest.raises(WorkError, match="belongs to no assignment"):
        work.release("nothing")
    with pytest.raises(WorkError, match="found one of this name already"):
        work.create_study("pilot", "answer")
