"""Ask-a-model takes a picture and a question, says what the model says, and keeps nothing unless it is asked to."""

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn_benchmark import drawn_benchmark
from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image
from web_site import signed_in, site

from eyechart.errors import UsageError
from eyechart.features import load_encoder
from eyechart.models import load_recipe
from eyechart.pipeline.answering import train
from eyechart.pipeline.encoding import Encoding, encode


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    folder = tmp_path_factory.mktemp("ask")
    made = drawn_benchmark(folder / "b")
    encode(made, load_encoder("colors"), Encoding(), made.folder / "features" / "vector")
    for name, recipe in {"sees": "bow-q-i", "guesses": "prior"}.items():
        changes = {"training.epochs": "30", "training.batch": "16"}
        train(made, load_recipe(recipe, changes if recipe != "prior" else {}), folder / name)
    settings = {"benchmarks": (folder / "b",), "models": (folder / "sees", folder / "guesses")}
    with site(folder / "site", **settings) as app:
        yield app


@pytest.fixture(scope="module")
def browser(app: FastAPI) -> TestClient:
    return signed_in(app, "requester")


def disk(color: str, form: str = "PNG") -> bytes:
    drawn, content = Image.new("RGB", (64, 48), "white"), io.BytesIO()
    drawn.paste(color, (4, 10, 30, 36))
    drawn.save(content, form)
    return content.getvalue()


def ask(browser: TestClient, question: str = "What color is it?", upload: bytes | None = None, **form: str) -> str:
    files = {} if upload is None else {"upload": ("a.png", upload, "image/png")}
    answer = browser.post("/ask", data={"model": "sees", "question": question, **form}, files=files)
    assert answer.status_code == 200, answer.text
    return answer.text


def said(page: str) -> list[str]:
    return re.findall(r"<h2>[^<]*say[^<]* <em>([^<]*)</em>", page)


def test_a_picture_of_ones_own(browser: TestClient) -> None:
    """It is answered, shown from the page itself, and asked about again without being sent by hand."""
    page = ask(browser, upload=disk("red"))
    assert said(page)[0] == "red"
    again = re.search(r'name="again" value="([^"]+)"', page)
    assert again is not None
    assert f'href="data:image/jpeg;base64,{again[1]}"' in page.replace("&#43;", "+")
    assert said(ask(browser, again=again[1]))[0] == "red"


def test_nothing_is_kept_unless_asked(app: FastAPI, browser: TestClient) -> None:
    """No file is written for a picture; one that is kept is its owner's alone, until it is forgotten."""
    ask(browser, upload=disk("blue"))
    files = app.state.site.files
    assert [path for path in files.rglob("*") if path.is_file()] == []
    page = ask(browser, upload=disk("blue"), keep="yes")
    name = re.search(r"/ask/kept/([0-9a-f]{64})", page)
    assert name is not None
    assert browser.get(name[0]).headers["content-type"] == "image/jpeg"
    assert signed_in(app, "admin").get(name[0]).status_code == 404
    assert said(ask(browser, again=base64.b64encode(browser.get(name[0]).content).decode())) != []
    browser.post("/ask/forget", data={"name": name[1]})
    assert browser.get(name[0]).status_code == 404
    assert [path for path in files.rglob("*") if path.is_file()] == []


def test_a_picture_of_the_benchmark(browser: TestClient) -> None:
    """Picked from those that the page offers; near ones that are answered otherwise follow."""
    assert "/ask?image=1&amp;model=sees" in browser.get("/ask").text
    page = ask(browser, image="1")
    assert said(page)[0] == "yellow"
    assert "Near pictures that it answers otherwise" in page
    assert browser.get("/ask/picture/sees/1?small=true").status_code == 200


def test_what_it_says_blind_stands_beside(browser: TestClient) -> None:
    """With and without the picture; a model that never looks says so."""
    page = ask(browser, image="1")
    assert len(said(page)) == 2
    assert "The blind model guesses says" in page
    assert "looks at no picture" in browser.get("/ask?model=guesses").text


@pytest.mark.parametrize(
    ("form", "upload", "status", "message"),
    [
        ({"question": ""}, None, 422, ""),
        ({"question": "   "}, None, 422, "ask something"),
        ({"model": "nobody"}, None, 404, "No model here"),
        ({"image": "nowhere"}, None, 404, "no picture of the image"),
        ({"again": "!!!"}, None, 422, "found no picture"),
        ({"again": base64.b64encode(b"<svg/>").decode()}, None, 422, "not a picture"),
        ({}, b"<svg onload=alert(1)></svg>", 422, "not a picture"),
        ({}, b"\x89PNG\r\n\x1a\n broken", 422, "not a picture"),
        ({"choices": "\n".join(map(str, range(40)))}, None, 422, "at most 30"),
    ],
)
def test_mistakes_are_a_sentence(
    browser: TestClient, form: dict[str, str], upload: bytes | None, status: int, message: str
) -> None:
    """Whatever is sent, the answer is a page that says what is wrong."""
    files = {} if upload is None else {"upload": ("a.png", upload, "image/png")}
    answer = browser.post("/ask", data={"model": "sees", "question": "What?", **form}, files=files)
    assert answer.status_code == status
    assert message in answer.text


def test_questions_are_text(browser: TestClient) -> None:
    """What somebody types is never markup."""
    assert "<script>alert" not in ask(browser, question="<script>alert(1)</script>", choices="<b>x</b>\nred")


@pytest.mark.parametrize("role", ["anonymous", "worker", "participant"])
def test_only_requesters_ask(app: FastAPI, role: str) -> None:
    """Others are sent away before any model runs."""
    assert signed_in(app, role).get("/ask").status_code in {303, 403}
    assert signed_in(app, role).post("/ask", data={"model": "sees", "question": "What?"}).status_code in {401, 403}


def test_no_model(tmp_path: Path) -> None:
    """An empty booth teaches; a folder that is no model stops the start."""
    with site(tmp_path / "site") as app:
        assert "eyechart train" in signed_in(app, "requester").get("/ask").text
    with pytest.raises(UsageError, match="expected a trained model"), site(tmp_path / "other", models=(tmp_path,)):
        pass
