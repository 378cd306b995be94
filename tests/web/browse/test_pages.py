"""The browser's pages show what the tables hold, to those who may see it, and every view is a link."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from shelved import models, shelved
from web_site import signed_in, site

from eyechart.store import Benchmark


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    folder = tmp_path_factory.mktemp("browse")
    shelved(folder / "b")
    for name, rows in models().items():
        with Benchmark.create(folder / name) as draft:
            draft.write("predictions", rows)
    with site(folder / "site", benchmarks=(folder / "b",), predictions=(folder / "right", folder / "yes")) as app:
        yield app


@pytest.fixture(scope="module")
def browser(app: FastAPI) -> TestClient:
    return signed_in(app, "requester")


ADDRESSES = (
    "/browse",
    "/browse/b",
    "/browse/b?text=dog&with=answers",
    "/browse/b?as=pictures&rest=yes&text=cup",
    "/browse/b/question/1",
    "/browse/b/picture/a",
    "/browse/b/statistics",
    "/browse/b/statistics/answer-kinds",
    "/api/browse",
    "/api/browse/b",
)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("role", ["anonymous", "worker", "participant"])
def test_only_requesters_look(app: FastAPI, role: str, address: str) -> None:
    """Workers would see answers, participants those of a test."""
    said = signed_in(app, role).get(address)
    assert said.status_code == (303 if role == "anonymous" and not address.startswith("/api") else 403) or (
        role == "anonymous" and said.status_code == 401
    )
    assert "crimson" not in said.text


def asked(page: str) -> list[str]:
    """The ids of the questions that a page lists."""
    return re.findall(r'<p class="asked"><a href="/browse/b/question/([^"]+)"', page)


def test_the_list(browser: TestClient) -> None:
    """Questions with their answers, what models said, and how many there are."""
    page = browser.get("/browse/b").text
    assert asked(page) == ["1", "2", "3", "4", "5", "6"]
    assert "<b>6</b> questions" in page
    assert "right: <b>red</b>" in page


def test_filters_stand_in_the_address(browser: TestClient) -> None:
    """A view is a link; each filter can be taken away by another."""
    page = browser.get("/browse/b", params={"text": "dog", "split": "val", "low.agreement": "0.5"}).text
    assert asked(page) == ["5"]
    assert re.findall(r'<li><a href="([^"]+)" aria-label="Remove', page) == [
        "/browse/b?split=val&amp;low.agreement=0.5",
        "/browse/b?text=dog&amp;low.agreement=0.5",
        "/browse/b?text=dog&amp;split=val",
    ]


def test_a_form_leads_to_a_short_address(browser: TestClient) -> None:
    """What nobody filled in does not stand in the link that one sends."""
    sent = "/browse/b?text=dog&within=question&split=&low.agreement=&with=&as=pictures"
    assert browser.get(sent).headers["location"] == "/browse/b?text=dog&as=pictures"


def test_what_else_is_stored_stands_beside(browser: TestClient) -> None:
    """Answers, choices and captions, where one asks for them."""
    assert "9 × red" in browser.get("/browse/b?with=answers").text  # noqa: RUF001 - a product
    assert "red · blue" in browser.get("/browse/b?with=choices").text
    assert "A dog beside two cups." in browser.get("/browse/b?with=captions").text


def test_one_question(browser: TestClient) -> None:
    """Answers, models, program, pair, what follows, scene graph: all on one page."""
    page = browser.get("/browse/b/question/1").text
    for expected in ("crimson", "query: color", "gives <b>red</b>", "made up", "/browse/b/question/6", ">green<"):
        assert expected in page
    assert page.count('data-thing="1"') >= 3


def test_pictures(browser: TestClient) -> None:
    """By picture, the questions that fit, or all."""
    page = browser.get("/browse/b?as=pictures&text=brown").text
    assert page.count("/browse/b/question/") == 1
    assert browser.get("/browse/b?as=pictures&text=color&rest=yes").text.count("/browse/b/question/") == 3


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/browse/nothing", 404, "No benchmark here is called"),
        ("/browse/b/question/99", 404, "found no question"),
        ("/browse/b?text=(a&match=regex", 422, "is no regular expression"),
        ("/browse/b?colour=red", 422, "found a filter"),
        ("/browse/b?after=x", 422, "after"),
        ("/browse/b?with=secrets", 422, "expected one of answers"),
        ("/browse/b/picture/a", 404, "there is no picture"),
        ("/browse/b/statistics/weather", 404, "no description is called"),
    ],
)
def test_mistakes_are_a_sentence(browser: TestClient, address: str, status: int, said: str) -> None:
    """A wrong link says what is wrong with it."""
    answer = browser.get(address)
    assert answer.status_code == status
    assert said in answer.text


def test_programs_get_the_same(browser: TestClient) -> None:
    """JSON page by page, or CSV."""
    first = browser.get("/api/browse/b?split=train&size=2").json()
    assert ([each["question_id"] for each in first["questions"]], first["total"]) == (["1", "2"], 3)
    rest = browser.get(f"/api/browse/b?split=train&size=2&after={first['after']}").json()
    assert ([each["question_id"] for each in rest["questions"]], rest["after"]) == (["6"], None)
    table = browser.get("/api/browse/b?split=val", headers={"accept": "text/csv"}).text.splitlines()
    assert len(table) == 4
    assert table[0].startswith("row,question_id,image_id")


def test_what_a_benchmark_says_is_text(tmp_path: Path) -> None:
    """Questions, answers and ids are never markup."""
    import polars as pl

    nasty = '<script>alert("1")</script>'
    with Benchmark.create(tmp_path / "b") as draft:
        rows = {"question_id": [nasty], "image_id": [nasty], "question": [nasty], "answer": [nasty], "split": [nasty]}
        draft.write("questions", pl.DataFrame(rows))
        draft.write("answers", pl.DataFrame({"question_id": [nasty], "answer": [nasty], "worker_id": ["1"]}))
    with site(tmp_path / "site", benchmarks=(tmp_path / "b",)) as app:
        browser = signed_in(app, "admin")
        pages = [
            browser.get("/browse/b"),
            browser.get("/browse/b", params={"text": nasty, "as": "pictures"}),
            browser.get("/browse/b/question/%3Cscript%3Ealert(%221%22)%3C%2Fscript%3E"),
        ]
    assert [page.status_code for page in pages] == [200] * 3
    assert not any("<script>alert" in page.text for page in pages)
