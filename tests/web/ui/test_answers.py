"""Every answer: its headers, its static files, its refusals, its size."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from fastapi import FastAPI
from web_site import signed_in, site


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """One small site for all tests of this file."""
    with site(tmp_path_factory.mktemp("site"), largest_request=100_000) as running:
        yield running


def test_answers_carry_the_headers(app: FastAPI) -> None:
    """A page, a file, a refusal and a description alike."""
    browser = signed_in(app, "anonymous")
    for path in ["/", app.state.site.statics.address("ui/page.css"), "/nothing", "/api/openapi.json"]:
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy


def test_static_files_are_kept_for_long(app: FastAPI) -> None:
    """Their address changes with their content, and nothing else is served from there."""
    browser = signed_in(app, "anonymous")
    statics = app.state.site.statics
    for address in statics.files:
        found = browser.get(address)
        assert found.status_code == 200
        assert "immutable" in found.headers["cache-control"]
    for path in ["/static/ui-00000000/page.css", "/static/../application.py", "/static/ui/page.css"]:
        assert browser.get(path).status_code == 404


def test_refusals_are_sentences(app: FastAPI) -> None:
    """As a page for people, as a problem for programs."""
    browser = signed_in(app, "admin")
    page = browser.get("/nothing")
    assert (page.status_code, "There is nothing at this address" in page.text) == (404, True)
    told = browser.get("/nothing", headers={"accept": "application/json"}).json()
    assert told["detail"].startswith("There is nothing at this address")
    wrong = browser.post("/admin/accounts/invite", data={"role": "king"})
    assert (wrong.status_code, "role: " in wrong.text) == (422, True)
    assert browser.get("/admin/accounts?after=x").status_code == 422
    assert browser.put("/sign-in").status_code == 405


def test_large_requests_are_stopped(app: FastAPI) -> None:
    """By their declared length, and by what arrives if none was declared."""
    browser = signed_in(app, "anonymous")
    large = b"login=" + b"x" * 200_000
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert browser.post("/sign-in", content=large, headers=form).status_code == 413
    assert browser.post("/sign-in", content=iter([large]), headers=form).status_code == 413


def test_tables_are_turned_by_key(app: FastAPI) -> None:
    """Every account is seen once, in order, whichever way the table is sorted."""
    from eyechart.web.ui import accounts

    with app.state.site.database.writing() as rows:
        for n in range(120):
            accounts.create_account(rows, f"w{n:03}", "worker")
    browser = signed_in(app, "admin")
    for sort in ["login", "-login", "role", "-since"]:
        seen: list[str] = []
        path = f"/admin/accounts?sort={sort}"
        while path:
            text = browser.get(path).text
            seen += [part.partition("<")[0] for part in text.split('<th scope="row">')[1:]]
            following = re.search(r'href="([^"]+)" rel="next"', text)
            path = f"/admin/accounts{unescape(following[1])}" if following else ""
        assert len(seen) == len(set(seen))
        assert {f"w{n:03}" for n in range(120)} <= set(seen)
