"""Who comes in, who does not, and what a stranger can find out by trying."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select
from web_site import PASSWORD, signed_in, site

from eyechart.database.accounts import ACCOUNTS, API_TOKENS, AUDIT, SESSIONS
from eyechart.web.ui import accounts


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    """A site of its own for each test."""
    with site(tmp_path / "site") as running:
        yield running


def sign_in(client: TestClient, login: str, password: str) -> int:
    return client.post("/sign-in", data={"login": login, "password": password}).status_code


def test_the_first_start_invites_whoever_runs_it(app: FastAPI) -> None:
    """A link makes the administrator's account once, and there is no second one."""
    database = app.state.site.database
    token = accounts.first_administrator(database)
    browser = signed_in(app, "anonymous")
    assert "administrator" in browser.get(f"/invitations/{token}").text
    made = browser.post(f"/invitations/{token}", data={"login": "ada", "password": PASSWORD})
    assert (made.status_code, made.headers["location"]) == (303, "/")
    assert "ada" in browser.get("/").text
    assert signed_in(app, "anonymous").get(f"/invitations/{token}").status_code == 404
    assert accounts.first_administrator(database) == ""


def test_nothing_that_lets_somebody_in_is_kept(app: FastAPI) -> None:
    """Neither a password nor the secret of a session or of a token is in the database."""
    browser = signed_in(app, "worker")
    page = browser.post("/account/tokens", data={"name": "mine", "scope": "write", "days": "3"}).text
    token = re.search(r'class="secret">([\w-]+)<', page)
    assert token is not None
    with app.state.site.database.reading() as rows:
        kept = repr([rows.execute(select(table)).all() for table in (ACCOUNTS, SESSIONS, API_TOKENS, AUDIT)])
    assert PASSWORD not in kept
    assert token[1] not in kept
    assert browser.cookies["eyechart_session"] not in kept
    assert "$argon2id$" in kept


def test_guessing_is_stopped_and_says_nothing_about_logins(app: FastAPI) -> None:
    """A login that exists is answered like one that does not; after five tries one waits."""
    signed_in(app, "worker")
    known = [sign_in(signed_in(app, "anonymous"), "a.worker", f"wrong {n}") for n in range(6)]
    unknown = [sign_in(signed_in(app, "anonymous"), "nobody", f"wrong {n}") for n in range(6)]
    assert known == unknown == [403] * 5 + [429]
    assert sign_in(signed_in(app, "anonymous"), "a.worker", PASSWORD) == 429


def test_a_session_ends(app: FastAPI) -> None:
    """By signing out, by a closed account and by time."""
    browser = signed_in(app, "worker")
    assert browser.get("/account").status_code == 200
    secret = browser.cookies["eyechart_session"]
    assert browser.post("/sign-out").status_code == 303
    browser.cookies.set("eyechart_session", secret)
    assert browser.get("/account").headers["location"] == "/sign-in?next=/account"
    again = signed_in(app, "worker")
    administrator = signed_in(app, "admin")
    assert administrator.post("/admin/accounts/close", data={"login": "a.worker"}).status_code == 303
    assert again.get("/account").status_code == 303
    with app.state.site.database.writing() as rows:
        account, _ = accounts.find_account(rows, "a.admin") or pytest.fail("there is one")
        late = accounts.start_session(rows, account, timedelta(seconds=-1))
    administrator.cookies.set("eyechart_session", late)
    assert administrator.get("/account").status_code == 303


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"x-csrf-token": "wrong"}, 403),
        ({"x-csrf-token": ""}, 403),
        ({"origin": "http://testserver", "sec-fetch-site": "same-origin"}, 200),
    ],
)
def test_other_sites_cannot_send_our_forms(app: FastAPI, headers: dict[str, str], status: int) -> None:
    """Where a form comes from counts, and its token too."""
    browser = signed_in(app, "admin")
    assert browser.post("/admin/accounts/invite", data={"role": "worker"}, headers=headers).status_code == status


def test_roles_open_their_own_doors_only(app: FastAPI) -> None:
    """A worker is no administrator; a visitor is asked to sign in, a program is told."""
    assert signed_in(app, "worker").get("/admin/log").status_code == 403
    assert signed_in(app, "anonymous").get("/admin/log").status_code == 303
    told = signed_in(app, "anonymous").get("/admin/log", headers={"accept": "application/json"})
    assert (told.status_code, told.headers["content-type"]) == (401, "application/problem+json")
    assert signed_in(app, "admin").get("/admin/log").status_code == 200


def test_tokens_do_what_their_scope_says(app: FastAPI) -> None:
    """One that may read cannot write; a revoked or an old one is nobody's."""
    signed_in(app, "admin")
    database = app.state.site.database
    with database.writing() as rows:
        account, _ = accounts.find_account(rows, "a.admin") or pytest.fail("there is one")
        tokens = [
            accounts.create_token(rows, account, "t", scopes, lasts)
            for scopes, lasts in [(("read",), None), (("read", "write"), None), (("read",), timedelta(seconds=-1))]
        ]
    client = TestClient(app, follow_redirects=False, headers={"accept": "application/json"})

    def calls(token: str) -> list[int]:
        headers = {"authorization": f"Bearer {token}"}
        written = client.post("/admin/accounts/invite", data={"role": "worker"}, headers=headers)
        return [client.get("/admin/accounts", headers=headers).status_code, written.status_code]

    assert [calls(token) for token in tokens] == [[200, 403], [200, 200], [401, 401]]


def test_sign_up_is_closed_unless_opened(app: FastAPI, tmp_path: Path) -> None:
    """By default nobody comes in without an invitation; a site may open for participants."""
    assert signed_in(app, "anonymous").get("/sign-up").status_code == 403
    with site(tmp_path / "open", sign_up=frozenset({"participant"})) as opened:
        browser = signed_in(opened, "anonymous")
        weak = browser.post("/sign-up", data={"login": "team", "password": "short"})
        assert (weak.status_code, "at least 10" in weak.text) == (422, True)
        assert browser.post("/sign-up", data={"login": "team", "password": PASSWORD}).status_code == 303
        assert "participant" in browser.get("/account").text


def test_one_is_never_sent_elsewhere(app: FastAPI) -> None:
    """The page after sign-in is one of this site, whatever a link says."""
    signed_in(app, "worker")
    for onward in ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "/\n/x"]:
        browser = signed_in(app, "anonymous")
        page = browser.post("/sign-in", data={"login": "a.worker", "password": PASSWORD, "next": onward})
        assert page.headers["location"] == "/"
