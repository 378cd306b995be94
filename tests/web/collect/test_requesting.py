"""A requester's way: a study from a form or a file, what comes back, who can be relied on, what is owed, files."""

import io
import zipfile
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from studies import FILLED, begin, fill
from web_site import signed_in

from eyechart.collection import Work
from eyechart.store import Benchmark


def answered(app: FastAPI, study: str, answers: list[str]) -> list[TestClient]:
    """People who have answered the first item each."""
    people = [signed_in(app, role) for role in ("worker", "requester", "admin")][: len(answers)]
    for person, answer in zip(people, answers, strict=True):
        address, page = begin(person, study)
        done = person.post(address, data=fill(page, FILLED["answer"] | {"answer": answer}, then="stop"))
        assert done.status_code == 303
    return people


def test_a_study_from_a_form(app: FastAPI) -> None:
    """A few choices make a study that people can work on at once."""
    browser = signed_in(app, "requester")
    form = {"name": "pilot", "task": "choose", "benchmark": "0", "k": "2", "pay": "0.05", "sample": "5"}
    made = browser.post("/studies/new", data=form | {"withheld": ["image"], "wording": "choose/brief", "title": "Pick"})
    assert (made.status_code, made.headers.get("location")) == (303, "/studies/pilot"), made.text
    study = Work(app.state.site.database).study("pilot")
    assert (study.title, study.settings.pay_millionths, study.shown) == ("Pick", 50_000, ("question", "choices"))
    page = browser.get("/studies/pilot").text
    assert "of 10 responses" in page
    assert "left out on purpose" in begin(signed_in(app, "worker"), "pilot")[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "With Blanks"}, "expected a name of those"),
        ({"name": "answer"}, "found one of this name already"),
        ({"task": "/etc/passwd"}, "expected one of the list"),
        ({"benchmark": "7"}, "choose one of the list"),
        ({"k": "many"}, "expected a number above 0"),
        ({"pay": "-1"}, "expected an amount such as"),
        ({"withheld": "answer"}, "found &#39;answer&#39;"),
        ({"sample": "0"}, "expected a number above 0"),
    ],
)
def test_a_wrong_choice_is_a_sentence(app: FastAPI, change: dict[str, str], said: str) -> None:
    """And what was typed is still there."""
    form = {"name": "pilot", "task": "choose", "benchmark": "0", "title": "What I typed"} | change
    found = signed_in(app, "requester").post("/studies/new", data=form)
    assert (found.status_code, said in found.text, "What I typed" in found.text) == (422, True, True), found.text


def test_a_study_from_a_file(app: FastAPI) -> None:
    """A TOML file says everything; a mistake in it is told by its key; a file of ours is no task."""
    browser = signed_in(app, "requester")

    def send(text: str, name: str = "pilot.toml") -> tuple[int, str]:
        found = browser.post("/studies/file", data={"benchmark": "0"}, files={"file": (name, text.encode())})
        return found.status_code, found.text

    assert send('name = "filed"\ntask = "answer"\nsample = 3\n[settings]\nk = 4')[0] == 303
    assert Work(app.state.site.database).progress("filed").wanted == 12
    status, text = send('name = "x"')
    assert (status, "pilot.toml" in text, "task" in text) == (422, True, True)
    assert send('name = "x"\ntask = "../../secret.toml"')[0] == 422
    assert send("\x00\xff{{{")[0] == 422
    assert send("x" * 3_000_000)[0] == 413


def test_what_comes_back_is_looked_at(app: FastAPI) -> None:
    """Filters, a rejection with its reason, a known answer, a block: each changes what people get next."""
    answered(app, "answer", ["red", "blue"])
    browser, work = signed_in(app, "requester"), Work(app.state.site.database)
    page = browser.get("/studies/answer/responses").text
    assert page.count('<p class="said">') == 2
    assert "handed in faster than one can read it" in page
    assert "None is like that" in browser.get("/studies/answer/responses?state=rejected").text
    last, first = work.responses("answer")
    bare = browser.post("/studies/answer/review", data={"response": last.response_id, "decision": "rejected"})
    assert (bare.status_code, "needs its reason" in bare.text) == (422, True)
    given = {"response": last.response_id, "decision": "rejected", "why": "small talk", "back": "?state=accepted"}
    done = browser.post("/studies/answer/review", data=given)
    assert done.headers["location"] == "/studies/answer/responses?state=accepted"
    assert [each.state for each in work.responses("answer")] == ["rejected", "accepted"]
    assert browser.post("/studies/age/review", data=given).status_code == 404
    assert browser.post("/studies/answer/gold", data={"response": first.response_id}).status_code == 303
    assert browser.post("/studies/answer/gold", data={"response": first.response_id}).status_code == 409
    assert "What colour is the disk?" in browser.get("/studies/answer/gold").text
    picture = browser.get(f"/studies/answer/responses/{first.response_id}/picture")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/webp")
    assert browser.post("/studies/answer/block", data={"worker": first.worker, "why": "bot"}).status_code == 303
    assert "because=blocked" in signed_in(app, "worker").post("/work/answer/claim").headers["location"]


def test_quality_names_who_differs(app: FastAPI) -> None:
    """Agreement of everybody with the others, once there is something to compare."""
    browser = signed_in(app, "requester")
    assert "Nothing to judge yet" in browser.get("/studies/answer/quality").text
    answered(app, "answer", ["red", "red", "blue"])
    page = browser.get("/studies/answer/quality").text
    assert page.count('href="/studies/answer/responses?worker=') == 3


def test_pay_is_counted(app: FastAPI) -> None:
    """What is owed, a bonus, what was paid."""
    answered(app, "answer", ["red"])
    browser = signed_in(app, "requester")
    assert "0.01 USD" in browser.get("/studies/answer/pay").text
    worker = Work(app.state.site.database).owed("answer")[0].worker
    assert browser.post("/studies/answer/pay/bonus", data={"worker": worker, "amount": "0.5", "why": "thanks"})
    assert "0.51 USD" in browser.get("/studies/answer/pay").text
    assert browser.post("/studies/answer/pay/paid", data={"worker": worker}).status_code == 303
    table = browser.get("/studies/answer/pay.csv")
    assert table.text.splitlines()[1] == f"{worker},USD,1,0.0,0.51,0.0"
    assert table.headers["content-disposition"] == 'attachment; filename="answer-pay.csv"'


def test_files_are_taken_away(app: FastAPI, tmp_path: Path) -> None:
    """A benchmark that opens, rows that no spreadsheet runs, lines with everything."""
    answered(app, "answer", ["=1+1", "red"])
    browser = signed_in(app, "requester")
    with zipfile.ZipFile(io.BytesIO(browser.get("/studies/answer/export.zip").content)) as archive:
        archive.extractall(tmp_path)
    assert Benchmark.open(tmp_path / "answer").rows("answers") == 2
    assert "'=1+1" in browser.get("/studies/answer/export.csv").text
    assert browser.get("/studies/answer/export.jsonl").text.count('"response"') >= 2
    assert browser.get("/studies/age/export.zip").status_code in {200, 409}


def test_programs_see_the_same(app: FastAPI) -> None:
    """How far studies are and what came back, as JSON; nobody else does."""
    answered(app, "answer", ["red"])
    browser = signed_in(app, "requester")
    found = browser.get("/api/studies/answer").json()
    assert (found["done"], found["wanted"], found["state"]) == (1, 120, "open")
    assert browser.get("/api/studies/answer/responses").json()[0]["body"]["answer"] == "red"
    assert len(browser.get("/api/studies").json()) == 13
    assert signed_in(app, "worker").get("/api/studies").status_code == 403
    assert signed_in(app, "anonymous").get("/api/studies").status_code == 401


def test_a_paused_study_hands_nothing_out(app: FastAPI) -> None:
    """And opens again."""
    browser = signed_in(app, "requester")
    assert browser.post("/studies/answer/state", data={"state": "paused"}).status_code == 303
    assert "because=closed" in signed_in(app, "worker").post("/work/answer/claim").headers["location"]
    assert browser.post("/studies/answer/state", data={"state": "open"}).status_code == 303
    assert "/tasks/" in signed_in(app, "worker").post("/work/answer/claim").headers["location"]


@pytest.mark.parametrize("role", ["anonymous", "participant", "worker"])
def test_others_see_no_studies(app: FastAPI, role: str) -> None:
    """Neither pages nor files."""
    browser = signed_in(app, role)
    for path in ["", "/new", "/answer", "/answer/responses", "/answer/export.csv", "/answer/links"]:
        assert browser.get(f"/studies{path}").status_code in {303, 403}
