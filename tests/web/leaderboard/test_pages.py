"""A challenge from the first page to the board: as a participant and as a host, in pages and through the interface."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from challenge_site import ChallengeSite, challenge_site
from small_challenge import results
from sqlalchemy import update
from web_site import site

from eyechart.challenge import Worker
from eyechart.database import challenges as t
from eyechart.database import now


@pytest.fixture
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChallengeSite]:
    with challenge_site(tmp_path_factory.mktemp("pages")) as running:
        yield running


def test_somebody_takes_part(made: ChallengeSite) -> None:
    """Found a team, invite, join, hand in, wait, look, take off the board, take back."""
    browser, friend = made.browser("grace"), made.browser("friend")
    assert (
        "Found a team first"
        in browser.post(
            "/challenges/cats/open/test/submit", data={"method": "m"}, files={"file": ("r.json", b"[]")}
        ).text
    )
    assert browser.post("/challenges/cats/team", data={"name": "Cobol"}).status_code == 303
    assert browser.post("/challenges/cats/team/invite", data={"login": "friend"}).status_code == 303
    assert "<b>Cobol</b> has invited you" in friend.get("/challenges/cats").text
    number = friend.get("/challenges/cats").text.partition('name="team" value="')[2].partition('"')[0]
    assert friend.post("/challenges/cats/team/join", data={"team": number}).status_code == 303
    file = results(made.folder / "cobol.json", wrong=1).read_bytes()
    sent = friend.post(
        "/challenges/cats/open/test/submit",
        data={"method": "Compiler", "public": "true"},
        files={"file": ("r.json", file)},
    )
    where = sent.headers["location"]
    assert "Waiting to be scored" in browser.get(where).text
    made.worker.run(idle=False)
    assert "99.00" in browser.get(where).text
    assert browser.get(f"{where}/file").content == file
    board = "/challenges/cats/open/test/board"
    assert "Cobol" in made.browser("").get(board).text
    browser.post(f"{where}/public")
    assert "Cobol" not in made.browser("").get(board).text
    assert made.browser("").get(where).status_code == 404
    browser.post(f"{where}/public", data={"public": "true"})
    assert "99.00" in made.browser("").get(where).text
    friend.post(f"{where}/withdraw")
    assert "Cobol" not in made.browser("").get(board).text
    assert "was taken back" in browser.get(where).text
    assert "so its members stay" in friend.post("/challenges/cats/team/leave").text


def test_a_host_runs_it(made: ChallengeSite) -> None:
    """Flags, baselines, again, bars, and the release when the phase is over."""
    host, visitor = made.browser("host"), made.browser("")
    page = host.get("/challenges/cats/host").text
    assert "Fitted" in page
    assert "Looked into" in page
    fitted = next(
        each["submission_id"]
        for each in host.get("/challenges/cats/host?format=json").json()["submissions"]
        if each["method"] == "Fitted"
    )
    host.post(f"/submissions/{fitted}/settle")
    assert 'aria-label="Looked into' not in host.get("/challenges/cats/host").text
    file = {"file": ("b.json", results(made.folder / "b.json", wrong=50).read_bytes())}
    baseline = {"method": "Always yes", "public": "true"}
    assert host.post("/challenges/cats/open/test/baseline", data=baseline, files=file).status_code == 303
    assert host.post("/challenges/cats/rerun").status_code == 303
    made.worker.run(idle=False)
    board = "/challenges/cats/open/test/board"
    assert "Always yes" in visitor.get(board).text
    kittens = next(
        part.partition('"')[0]
        for part in host.get("/challenges/cats/host").text.split('name="team" value="')[1:]
        if "Kittens" in part.partition("</form>")[0]
    )
    host.post("/challenges/cats/bar", data={"team": kittens, "barred": "true"})
    assert "Kittens" not in visitor.get(board).text
    host.post("/challenges/cats/bar", data={"team": kittens})
    assert "Kittens" in visitor.get(board).text
    early = host.post("/challenges/cats/open/test/release")
    assert (early.status_code, "release its scores when it is over" in early.text) == (422, True)
    with made.cats.database.writing() as rows:
        rows.execute(update(t.PHASES).where(t.PHASES.c.slug == "test").values(closes=now() - timedelta(minutes=1)))
    assert "test-challenge" not in visitor.get(board).text
    assert host.post("/challenges/cats/open/test/release").status_code == 303
    assert "test-challenge" in visitor.get(board).text
    assert "test-reserve" not in visitor.get(board).text


@pytest.mark.parametrize("deed", ["rerun", "bar", "open/test/release", "open/test/baseline"])
def test_only_hosts_host(made: ChallengeSite, deed: str) -> None:
    """A participant, another requester and a visitor are told so."""
    said = {"data": {"method": "x", "team": "1"}, "files": {"file": ("r.json", b"[]")} if "baseline" in deed else None}
    for login, status in (("ada", 403), ("outsider", 403), ("", 401)):
        assert made.browser(login).post(f"/challenges/cats/{deed}", **said).status_code == status
    assert made.browser("ada").post("/submissions/3/settle").status_code == 403


def test_the_programming_interface(made: ChallengeSite) -> None:
    """A token hands in, follows and reads; one that may only read does not hand in."""
    from eyechart.web.ui import accounts

    with made.cats.database.writing() as rows:
        found = accounts.find_account(rows, "ada")
        assert found is not None
        tokens = {
            scope: accounts.create_token(rows, found[0], "t", accounts.SCOPES[: place + 1], timedelta(days=1))
            for place, scope in enumerate(accounts.SCOPES)
        }
    browser = made.browser("")
    browser.headers["accept"] = "application/json"
    file = results(made.folder / "api.json", wrong=2).read_bytes()

    def sent(scope: str) -> Any:
        return browser.post(
            "/api/challenges/cats/open/dev/submissions",
            data={"method": "by program", "once": "1"},
            files={"file": ("r.json", file)},
            headers={"authorization": f"Bearer {tokens[scope]}"},
        )

    assert sent("read").status_code == 403
    number = sent("write").json()["submission_id"]
    assert sent("write").json()["submission_id"] == number
    made.worker.run(idle=False)
    reading = {"authorization": f"Bearer {tokens['read']}"}
    told = browser.get(f"/api/submissions/{number}", headers=reading).json()
    assert (told["state"], {score["split"] for score in told["scores"]}) == ("scored", {"test-dev"})
    assert browser.get("/api/challenges/cats/open/test/board").json()["ranking"] == "test-standard.vqa"
    assert browser.get("/api/challenges/nothing").status_code == 404
    assert browser.get("/api/challenges/cats/gaps", headers=reading).status_code == 403


def test_the_client_speaks_with_a_server(made: ChallengeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """``eyechart challenge submit --server`` and ``status --server`` as a participant types them."""
    from eyechart.challenge import Method
    from eyechart.cli import challenge_client
    from eyechart.web.ui import accounts

    with made.cats.database.writing() as rows:
        found = accounts.find_account(rows, "ada")
        assert found is not None
        token = accounts.create_token(rows, found[0], "t", accounts.SCOPES, timedelta(days=1))
    browser = made.browser("")

    def opened(request: Any, timeout: float) -> Any:
        assert timeout
        answer = browser.request(
            request.get_method(), request.selector, content=request.data, headers=dict(request.header_items())
        )
        if answer.status_code >= 400:
            raise challenge_client.urllib.error.HTTPError(
                request.full_url, answer.status_code, "no", {}, __import__("io").BytesIO(answer.content)
            )
        return __import__("io").BytesIO(answer.content)

    monkeypatch.setattr(challenge_client.urllib.request, "urlopen", opened)
    server = challenge_client.Server("http://testserver", token)
    told = server.submit(("cats", "open", "dev"), results(made.folder / "c.json"), Method("client"))
    assert told["state"] == "queued"
    assert server.submissions("cats", told["submission_id"])[0]["method"] == "client"
    assert len(server.submissions("cats")) > 3
    with pytest.raises(Exception, match="There is no challenge called 'dogs'"):
        server.submissions("dogs")


def test_an_empty_site_teaches(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a challenge is, and how one is made."""
    with site(tmp_path_factory.mktemp("empty")) as app:
        from web_site import signed_in

        page = signed_in(app, "anonymous").get("/challenges").text
    assert "No challenge yet" in page
    assert "eyechart challenge create" in page


def test_a_board_is_sorted_by_links(made: ChallengeSite) -> None:
    """Every link in the head answers, and says how the table is sorted."""
    import re
    from html import unescape

    browser = made.browser("")
    here = "/challenges/cats/open/test/board"
    links = [
        each for each in re.findall(rf'href="({here}\?sort[^"]+)"', browser.get(here).text) if "format" not in each
    ]
    assert len(links) >= 5
    for link in links:
        page = browser.get(unescape(link))
        assert page.status_code == 200
        assert "aria-sort=" in page.text


def test_the_site_scores_by_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A worker starts when something is handed in, comes back when it is killed, and ends with the site."""
    import os
    import signal
    import time

    from small_challenge import SmallChallenge

    from eyechart.challenge import Files
    from eyechart.web.leaderboard import running

    folder = tmp_path_factory.mktemp("alone")
    started: list[Any] = []
    whole = running._start  # noqa: SLF001 - the process is what is looked at
    with pytest.MonkeyPatch.context() as patch, site(folder / "site") as app:
        patch.setattr(running, "_start", lambda of: started.append(whole(of)) or started[-1])
        cats = SmallChallenge(app.state.site.database, folder)
        cats.files = Files(app.state.site.files / "results")
        cats.hand_in(results(folder / "r.json"))
        deadline = time.monotonic() + 60
        while not started and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(started[0].pid, signal.SIGKILL)
        while cats.states() != ["scored"] and time.monotonic() < deadline:
            time.sleep(0.1)
        assert cats.states() == ["scored"]
        assert len(started) == 2
    assert [each.poll() is None for each in started] == [False, False]
    assert Worker(cats.database, cats.files)
