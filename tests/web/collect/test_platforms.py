"""Workers who come by a signed link: their ids are not kept, frames are allowed, and they leave with what they need."""

from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select
from studies import FILLED, fill

from eyechart.collection import Work
from eyechart.database import accounts, work
from eyechart.web.collect.platforms import completion_code, link_to

TURK = "https://workersandbox.mturk.com"


def stranger(app: FastAPI) -> TestClient:
    """A browser without cookies and without our form's token, as in somebody else's frame."""
    return TestClient(app, follow_redirects=False, headers={"accept": "text/html", "sec-fetch-site": "cross-site"})


def turk(link: str, worker: str, assignment: str) -> str:
    return f"{link}&assignmentId={assignment}&hitId=H1&workerId={worker}&turkSubmitTo={TURK}"


def test_mechanical_turk_from_preview_to_hand_in(app: FastAPI) -> None:
    """A preview takes nothing; an accepted HIT is a task in a frame; its end is a form that posts back."""
    site = app.state.site
    link = link_to(site, "mturk", "answer").removeprefix("http://testserver")
    browser = stranger(app)
    preview = browser.get(turk(link, "", "ASSIGNMENT_ID_NOT_AVAILABLE"))
    assert "Accept the HIT" in preview.text
    assert "https://worker.mturk.com" in preview.headers["content-security-policy"]
    arrived = browser.get(turk(link, "A1SECRET", "ASG1"))
    address = arrived.headers["location"]
    page = browser.get(address)
    assert f"frame-ancestors https://worker.mturk.com {TURK}" in page.headers["content-security-policy"]
    assert (
        browser.get(turk(link, "A1SECRET", "ASG1")).headers["location"].partition("?")[0] == address.partition("?")[0]
    )
    done = browser.post(address, data=fill(page.text, FILLED["answer"]))
    assert "/work/answer/finish" in done.headers["location"]
    finish = browser.get(done.headers["location"])
    assert f'action="{TURK}/mturk/externalSubmit"' in finish.text
    assert 'value="ASG1"' in finish.text
    assert f"form-action 'self' {TURK};" in finish.headers["content-security-policy"]
    with site.database.reading() as rows:
        kept = repr(
            [
                rows.execute(select(table)).all()
                for table in (work.WORKERS, work.IDENTITIES, accounts.ACCOUNTS, accounts.AUDIT)
            ]
        )
    assert "A1SECRET" not in kept


def test_prolific_to_the_code(app: FastAPI) -> None:
    """So many responses as the link says, then the code that Prolific was told."""
    site = app.state.site
    link = link_to(site, "prolific", "answer", 2).removeprefix("http://testserver").partition("&PROLIFIC")[0]
    browser = stranger(app)
    address = browser.get(f"{link}&PROLIFIC_PID=5f&STUDY_ID=s&SESSION_ID=x").headers["location"]
    for _ in range(2):
        page = browser.get(address).text
        assert completion_code(site, "answer") not in page
        address = browser.post(address, data=fill(page, FILLED["answer"])).headers["location"]
    assert completion_code(site, "answer") in browser.get(address).text
    assert browser.get(address).headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert len({each.worker for each in Work(site.database).responses("answer")}) == 1


@pytest.mark.parametrize(
    "change", [("answer", "age"), ("count=1", "count=99"), ("key=", "key=0"), ("mturk", "prolific")]
)
def test_links_are_signed(app: FastAPI, change: tuple[str, str]) -> None:
    """Another study, another count, another platform: no link of ours."""
    link = link_to(app.state.site, "mturk", "answer").removeprefix("http://testserver").replace(*change)
    assert stranger(app).get(turk(link, "A1", "ASG1") + "&PROLIFIC_PID=A1").status_code == 403


def test_nobody_is_sent_to_a_stranger(app: FastAPI) -> None:
    """The address to post back to is one of Mechanical Turk's."""
    link = link_to(app.state.site, "mturk", "answer").removeprefix("http://testserver")
    for back in ["https://elsewhere.example", "https://www.mturk.com.elsewhere.example", "javascript:alert(1)"]:
        assert stranger(app).get(turk(link, "A1", "ASG1").replace(TURK, back)).status_code == 422


def test_a_pass_opens_work_and_nothing_else(app: FastAPI) -> None:
    """Neither the account's page nor anybody else's forms."""
    link = link_to(app.state.site, "mturk", "answer").removeprefix("http://testserver")
    browser = stranger(app)
    address = browser.get(turk(link, "A1", "ASG1")).headers["location"]
    key = parse_qs(urlsplit(address).query)["pass"][0]
    assert browser.get(f"/account?pass={key}").status_code == 303
    assert browser.post(f"/account/tokens?pass={key}", data={"name": "x"}).status_code in {401, 403}
    assert browser.get(f"/work/answer?pass={key[:-1]}").status_code == 303
    assert browser.get(f"/work/answer?pass={key}").status_code == 200
