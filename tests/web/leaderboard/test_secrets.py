"""No route tells a participant anything about a score that is hidden: not a digit, not an order, not a byte.

Two worlds differ in the hidden scores alone. Whatever a visitor, a worker, a rival or the team itself asks for, in any
form and order, both worlds answer the same bytes after running the same statements.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from challenge_site import ChallengeSite, challenge_site
from sqlalchemy import event, select, update

from eyechart.database import challenges as t

HIDDEN = ("test-challenge", "test-reserve")
SENTINELS = ("73.91", "0.7391", "71.73", "0.7173", "77.17", "0.7717", "31.37", "0.3137", "4.19", "0.0419")
WATCHERS = ("", "a.worker", "outsider", "rival0", "ada")
VARYING = {"set-cookie", "date", "content-length"}  # the length of a packed page with another token in it
NEVER = re.compile(rb'name="csrf" value="[0-9a-f]+"|name="once" value="[0-9a-f]+"')


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChallengeSite]:
    with challenge_site(tmp_path_factory.mktemp("secrets")) as running:
        yield running


def plant(made: ChallengeSite, world: str) -> None:
    """Sentinels in place of every hidden score; in the other world, other values in another order."""
    hidden = select(t.SPLITS.c.split_id).where(t.SPLITS.c.slug.in_(HIDDEN))
    with made.cats.database.writing() as rows:
        if world == "sentinels":
            values: dict[str, Any] = {"value": 0.7391, "low": 0.7173, "high": 0.7717}
            flags: dict[str, Any] = {"gap": 0.3137, "bound": 0.0419, "raised": t.SUBMISSIONS.c.created}
        else:
            reverse = 1.0 - t.SCORES.c.submission_id / 1000.0
            values = {"value": reverse, "low": None, "high": None}
            flags = {"gap": 0.0, "bound": 0.9, "raised": None}
        rows.execute(update(t.SCORES).where(t.SCORES.c.split_id.in_(hidden)).values(**values))
        flags["raised"] = (
            select(t.SUBMISSIONS.c.created).limit(1).scalar_subquery() if flags["raised"] is not None else None
        )
        rows.execute(update(t.FLAGS).values(**flags))


def routes(made: ChallengeSite) -> Iterator[tuple[str, str]]:
    """Every route of challenges with every name in it, every form and order; and every deed that a form can do."""
    from eyechart.web.application import describe

    metrics = ("vqa", "ma")
    keys = [
        "rank",
        "team",
        "method",
        *(f"{split}.{metric}" for split in ("test-dev", "test-standard", *HIDDEN) for metric in metrics),
    ]
    keys += [f"{split}.vqa.{group}" for split in HIDDEN for group in ("number", "other")]
    orders = [f"?sort={key}&order={order}" for key, order in product(keys, ("asc", "desc"))] + ["?by=answer_type"]
    forms = ["", "?format=json", "?format=csv"]
    for path, methods in describe(made.app)["paths"].items():
        if "challenge" not in path and "submission" not in path:
            continue
        for filled in names(path):
            for method in methods:
                if method == "get":
                    yield from (
                        ("get", filled + query) for query in (orders + forms if path.endswith("/board") else forms)
                    )
                elif not re.search("withdraw|/team|public", path):  # which change what everybody may see
                    yield method, filled


def names(path: str) -> Iterator[str]:
    for track, phase in (("open", "test"), ("open", "dev"), ("choice", "pick")):
        whole = path.replace("{challenge}", "cats").replace("{track}", track).replace("{phase}", phase)
        if "{number}" in whole:
            yield from (whole.replace("{number}", str(number)) for number in range(1, 13))
            return
        yield whole
        if whole == path.replace("{challenge}", "cats"):
            return


def asked(made: ChallengeSite, watcher: str) -> dict[str, tuple[int, bytes, list[str]]]:
    """What each route answers to a watcher: status, body and headers, and which statements it ran."""
    browser, answers, ran = made.browser(watcher), {}, []
    database = made.cats.database

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        ran.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    for method, path in routes(made):
        ran.clear()
        found = browser.request(method, path)
        told = {name: value for name, value in found.headers.items() if name not in VARYING}
        body = NEVER.sub(b"", found.content) + repr(sorted(told.items())).encode()
        answers[f"{method} {path}"] = (found.status_code, body, list(ran))
    event.remove(database.engine, "before_cursor_execute", note)
    return answers


@pytest.mark.parametrize("watcher", WATCHERS)
def test_hidden_scores_change_nothing_that_anybody_sees(
    made: ChallengeSite, watcher: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Byte for byte, statement by statement, for every route; and no sentinel in any of them or in what was logged."""
    plant(made, "sentinels")
    one = asked(made, watcher)
    plant(made, "others")
    other = asked(made, watcher)
    logged = "".join(capfd.readouterr())
    assert len(one) > 150
    assert [path for path, answer in one.items() if answer[0] >= 500] == []
    assert [path for path in one if one[path] != other[path]] == []
    for path, (_, body, _) in one.items():
        assert [each for each in SENTINELS if each.encode() in body] == [], path
    assert [each for each in SENTINELS if each in logged] == []


def test_hosts_see_what_is_held_back_but_not_the_reserve(made: ChallengeSite) -> None:
    """The same question finds the sentinels where they may be: the test can fail."""
    from eyechart.challenge import hosting

    plant(made, "sentinels")
    with made.cats.database.writing() as rows:
        assert hosting.submissions_of(rows, made.cats.id)
    page = made.browser("host").get("/challenges/cats/host").text
    assert "73.91" in page
    assert "+31.37" in page
    told = made.browser("host").get("/submissions/7?format=json").json()
    assert {score["split"] for score in told["scores"]} == {"test-dev", "test-standard", "test-challenge"}


def test_only_one_file_reads_scores() -> None:
    """Who sees what is decided in one place; the worker writes, and copies are made of whole tables."""
    package = Path(t.__file__).parents[1]
    readers = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\bSCORES\b", path.read_text("utf-8"))
    ]
    of_challenges = [path for path in readers if path.startswith(("challenge/", "web/leaderboard", "cli/challenge"))]
    assert sorted(of_challenges) == ["challenge/viewing.py", "challenge/worker.py"]
