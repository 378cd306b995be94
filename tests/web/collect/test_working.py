"""A worker's way through every task by plain forms: no script is needed, nothing is lost, nothing withheld is sent."""

import re
from html import unescape

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx import Response
from studies import FILLED, TOLD, begin, fill, hidden
from web_site import signed_in

from eyechart.collection import Settings, Work, plan_items
from eyechart.store import Benchmark


def hand_in(browser: TestClient, address: str, page: str, values: dict[str, str], **more: str) -> Response:
    return browser.post(address.partition("?")[0], data=fill(page, values, **more))


@pytest.mark.parametrize("study", FILLED)
def test_every_task_is_done_by_a_plain_form(app: FastAPI, study: str) -> None:
    """Instructions, a task, an empty form refused with a sentence, a filled one kept, the next one at once."""
    browser = signed_in(app, "worker")
    assert browser.get("/work").text.count('href="/work/') == len(FILLED) + 2
    assert "Begin" in browser.get(f"/work/{study}").text
    address, page = begin(browser, study)
    empty = hand_in(browser, address, page, {})
    assert (empty.status_code, "something is missing" in empty.text) == (422, True)
    taken = hand_in(browser, address, page, FILLED[study], comment="a remark", active_seconds="12.5")
    assert taken.status_code == 303, unescape(taken.text)
    assert taken.headers["location"] != address
    assert browser.get(taken.headers["location"]).status_code == 200
    first, *_ = Work(app.state.site.database).responses(study)
    assert (first.comment, first.active_seconds, first.state) == ("a remark", 12.5, "accepted")


def test_the_same_form_twice_is_one_response(app: FastAPI) -> None:
    """Two clicks, a reload, a retry after a broken connection: kept once."""
    browser = signed_in(app, "worker")
    address, page = begin(browser, "answer")
    assert {hand_in(browser, address, page, FILLED["answer"]).status_code for _ in range(3)} == {303}
    assert len(Work(app.state.site.database).responses("answer")) == 1


def test_a_draft_comes_back_word_for_word(app: FastAPI) -> None:
    """Saved by the form or by the page's script; a tab that does not know of it cannot write over it."""
    browser = signed_in(app, "worker")
    address, page = begin(browser, "caption")
    text = 'A "quoted" <b>disk</b> & more\n of it…'
    assert hand_in(browser, address, page, {"caption": text}, then="save").status_code == 303
    again = browser.get(address).text
    assert "&#34;quoted&#34; &lt;b&gt;disk&lt;/b&gt; &amp; more\n of it…</textarea>" in again
    assert hidden(again, "revision") == "1"
    saved = {"revision": 1, "body": {"0.caption": "another"}}
    assert browser.put(f"{address}/draft", json=saved).json() == {"revision": 2}
    assert browser.put(f"{address}/draft", json=saved).status_code == 409
    stale = hand_in(browser, address, again, FILLED["caption"])
    assert (stale.status_code, "changed in another tab" in stale.text) == (409, True)
    assert FILLED["caption"]["caption"] in stale.text
    assert hidden(stale.text, "revision") == "2"
    assert hand_in(browser, address, stale.text, FILLED["caption"]).status_code == 303


@pytest.mark.parametrize("withheld", [("image",), ("question",), ("choices",), ("image", "question")])
def test_what_is_withheld_is_not_there(app: FastAPI, withheld: tuple[str, ...]) -> None:
    """Neither in the page nor behind any address of it; the page says that something is left out."""
    site = app.state.site
    work, benchmark = Work(site.database), Benchmark.open(site.settings.benchmarks[0])
    settings = Settings(withheld=withheld, benchmark=str(benchmark.folder), units=1)
    work.create_study("blind", "choose", settings=settings)
    work.add_items("blind", plan_items("choose", benchmark.tables()))
    browser = signed_in(app, "worker")
    address, page = begin(browser, "blind")
    assert TOLD not in page
    assert page.count("left out on purpose") == len(withheld)
    assert ("What colour is the disk?" in page) == ("question" not in withheld)
    assert (page.count('type="radio"') == 4) == ("choices" not in withheld)
    pictures = re.findall(r'src="([^"]*pictures[^"]*)"', page)
    assert bool(pictures) == ("image" not in withheld)
    if "image" in withheld:
        found = browser.get(f"{address}/pictures/0/0", headers={"accept": "application/json"})
        assert (found.status_code, len(found.content) < 300) == (404, True)
    values = {"text": "red"} if "choices" in withheld else {"choice": "1"}
    assert hand_in(browser, address, page, values).status_code == 303


def test_pictures_have_no_names(app: FastAPI) -> None:
    """A picture is reached by its assignment only, by its worker only, and says nothing of where it came from."""
    browser = signed_in(app, "worker")
    address, page = begin(browser, "complement")
    sources = [unescape(each) for each in re.findall(r'src="([^"]*pictures[^"]*)"', page)]
    assert len(sources) == 31
    assert TOLD not in page
    for source in sources:
        found = browser.get(source)
        assert (found.status_code, found.headers["content-type"]) == (200, "image/webp")
        assert TOLD.encode() not in found.content + repr(found.headers).encode()
    assert signed_in(app, "requester").get(sources[0]).status_code == 404
    assert browser.get(f"{address}/pictures/0/99").status_code == 404
    assert browser.get(f"{address}/pictures/7/0").status_code == 404


def test_others_have_no_business_with_a_task(app: FastAPI) -> None:
    """Its address alone opens nothing."""
    browser = signed_in(app, "worker")
    address, page = begin(browser, "answer")
    stranger = signed_in(app, "requester")
    assert stranger.get(address).status_code == 404
    assert hand_in(stranger, address, page, FILLED["answer"]).status_code == 404
    assert stranger.put(f"{address}/draft", json={"revision": 0, "body": {}}).status_code == 404
    assert stranger.post(f"{address}/release").status_code == 404
    assert signed_in(app, "participant").get("/work").status_code == 403


def test_a_task_given_back_goes_to_others(app: FastAPI) -> None:
    """And its page says so."""
    browser = signed_in(app, "worker")
    address, page = begin(browser, "answer")
    assert browser.post(f"{address}/release").headers["location"] == "/work/answer"
    assert browser.get(address).status_code == 410
    assert browser.post(f"{address}/beat", headers={"accept": "application/json"}).status_code == 410
    late = hand_in(browser, address, page, FILLED["answer"])
    assert "note=late" in late.headers["location"]
    assert [each.state for each in Work(app.state.site.database).responses("answer")] == ["late"]


def test_a_beat_holds_longer(app: FastAPI) -> None:
    """Until a quarter of an hour from now."""
    browser = signed_in(app, "worker")
    address, _ = begin(browser, "answer")
    assert 890 < browser.post(f"{address}/beat").json()["seconds"] <= 900


def test_suggestions_come_near_and_force_nobody(app: FastAPI) -> None:
    """By letters and by meaning; another answer is taken as well."""
    browser = signed_in(app, "worker")
    assert browser.get("/work/answer-vocabulary/suggestions?text=cou").json()[0] == "couch"
    address, page = begin(browser, "answer-vocabulary")
    values = {"answer": "something else", "suggested": "red\nblue"}
    assert hand_in(browser, address, page, values).status_code == 303
    body = Work(app.state.site.database).responses("answer-vocabulary")[0].body
    assert body == {"answer": "something else", "suggested": ["red", "blue"]}


def test_a_study_may_want_a_test_passed(app: FastAPI) -> None:
    """Who fails reads why; who passes may begin; after the last try it is over."""
    site = app.state.site
    work, benchmark = Work(site.database), Benchmark.open(site.settings.benchmarks[0])
    work.create_study("tested", "answer", settings=Settings(qualification="answer", benchmark=str(benchmark.folder)))
    work.add_items("tested", plan_items("answer", benchmark.tables()))
    browser = signed_in(app, "worker")
    assert browser.post("/work/tested/claim").headers["location"] == "/work/tested?because=unqualified"
    assert "Take the test" in browser.get("/work/tested?because=unqualified").text
    failed = browser.post("/work/tested/test", data={"q0": "He is riding a horse."}).text
    assert "0 of 4 are right" in failed
    assert "try 2 more times" in failed
    questions = work.study("tested").task.test
    assert questions is not None
    right = {f"q{place}": each.accepted[0] for place, each in enumerate(questions.questions)}
    assert "Passed" in browser.post("/work/tested/test", data=right).text
    assert "/tasks/" in browser.post("/work/tested/claim").headers["location"]
