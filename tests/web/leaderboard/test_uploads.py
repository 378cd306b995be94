"""Whatever is uploaded, and whatever is written into a field: a sentence, never an error page, never a script."""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from challenge_site import ChallengeSite, challenge_site
from httpx import Response
from small_challenge import results
from sqlalchemy import select, update

from eyechart.database import challenges as t

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChallengeSite]:
    with challenge_site(tmp_path_factory.mktemp("uploads"), largest_request=3_000_000) as running:
        with running.cats.database.writing() as rows:
            rows.execute(update(t.PHASES).values(per_day=None, total=None, failed_per_day=1000))
        yield running


def hand_in(made: ChallengeSite, content: bytes, name: str = "r.json", **fields: Any) -> Response:
    """Send the form as the team; follow it to the submission's page."""
    browser = made.browser("ada")
    said = {"method": "hostile", "public": "true"} | fields
    sent = browser.post("/challenges/cats/open/test/submit", data=said, files={"file": (name, content)})
    if sent.status_code != 303:
        return sent
    made.worker.run(idle=False)
    return browser.get(sent.headers["location"])


def zipped(*members: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def bomb(megabytes: int) -> bytes:
    return zipped(("r.json", b" " * (megabytes << 20)))


HOSTILE = {
    "empty": (b"", "found an empty file"),
    "zip bomb": (bomb(300), "found a file of more than 268,435,456 bytes"),
    "gzip bomb": (gzip.compress(b"[" + b" " * (300 << 20), 1), "found a file of more than 268,435,456 bytes"),
    "bomb of records": (gzip.compress(b"[" + b"{}," * 5_000_000 + b"{}]"), "found 5,000,001 records for 400 questions"),
    "two in a zip": (zipped(("a.json", b"[]"), ("b.json", b"[]")), "found an archive of 2 files"),
    "a way out": (zipped(("../../../etc/passwd", b"root")), "found broken JSON"),
    "cut off": (gzip.compress(random.Random(1).randbytes(9000))[:600], "found a file that cannot be unpacked"),
    "bad zip": (b"PK\x03\x04" + b"x" * 100, "found a file that cannot be unpacked"),
    "deep": (b"[" * 500_000, "nested too deeply"),
    "deep in a record": (b'[{"question_id": 1, "answer": "a", "x": ' + b"[" * 500_000, "found"),
    "wrong types": (b'[{"question_id": true, "answer": {}}]', "record 1"),
    "duplicates": (b'[{"question_id": 1, "answer": "a"}, {"question_id": "1", "answer": "b"}]', "more than once"),
    "html": (json.dumps([{"question_id": SCRIPT, "answer": SCRIPT}]).encode(), "that this track does not have"),
    "nul": (b'[{"question_id": "\\u0000", "answer": "\\u0000"}]', "that this track does not have"),
    "surrogate": (b'[{"question_id": "\\ud800", "answer": "a"}]', "found"),
    "binary": (bytes(range(256)) * 50, "found"),
    "a huge number": (b'[{"question_id": ' + b"9" * 5000 + b', "answer": "a"}]', "record 1"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_get_a_sentence(made: ChallengeSite, kind: str) -> None:
    """On the form or on the submission's page; the next file is taken as if nothing had been."""
    content, said = HOSTILE[kind]
    found = hand_in(made, content)
    assert found.status_code in {200, 422}
    assert said in found.text.replace("&#34;", '"').replace("&#39;", "'")
    assert "<script>alert" not in found.text
    assert "<img src=x" not in found.text


def test_more_than_the_site_takes_is_stopped(made: ChallengeSite) -> None:
    """By the declared length, at once; by what arrives, if none is declared."""
    browser = made.browser("ada")
    form = {"content-type": "multipart/form-data; boundary=x"}
    path = "/challenges/cats/open/test/submit"
    declared = browser.post(path, content=iter([b"--x"]), headers=form | {"content-length": str(1 << 30)})
    streamed = browser.post(path, content=iter([b"x" * 1_000_000] * 5), headers=form)
    assert (declared.status_code, streamed.status_code) == (413, 413)
    assert "That is larger than this site takes" in declared.text


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/passwd", "C:\\x", "a" * 400 + ".json", SCRIPT, "\u202egnp.exe", "", "x\r\ny"]
)
def test_file_names_are_never_paths(made: ChallengeSite, name: str) -> None:
    """They are shown as text, if at all, and nothing is written outside."""
    before = {path for path in made.folder.rglob("*") if path.suffix != ".json"}
    found = hand_in(made, results(made.folder / "fine.json", wrong=3).read_bytes(), name or "x")
    assert found.status_code in {200, 422}
    assert "<script>alert" not in found.text
    outside = {path for path in made.folder.rglob("*") if path.suffix != ".json"} - before
    assert [path for path in outside if "results" not in path.parts] == []


@pytest.mark.parametrize("field", ["method", "about", "link", "members", "external_data"])
def test_html_in_every_field_is_text(made: ChallengeSite, field: str) -> None:
    """On every page that shows it, and in JSON and CSV."""
    found = hand_in(made, results(made.folder / "fine.json", wrong=4).read_bytes(), **{field: SCRIPT})
    if field == "link":
        assert (found.status_code, "Not an address of the web" in found.text) == (422, True)
    for path in ("/challenges/cats/open/test/board", "/challenges/cats/submissions", "/challenges/cats/host"):
        page = made.browser("host").get(path)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert made.browser("host").get(f"{path}?format=csv").headers["content-type"].startswith("text/csv")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("method", "", "Something is missing: the method"),
        ("method", "x" * 200, "Too long: the method"),
        ("method", "a\x00b", "Not a plain text"),
        ("method", "a\u202eb", "Not a plain text"),
        ("link", "javascript:alert(1)", "Not an address of the web"),
        ("link", "https://", "Not an address of the web"),
        ("about", "x" * 5000, "Too long: the description"),
    ],
)
def test_fields_are_refused_in_a_sentence_and_kept(made: ChallengeSite, field: str, value: str, said: str) -> None:
    """What was written into the other fields is still there."""
    kept = {"members": "Ada and Charles"} if field != "members" else {}
    found = hand_in(made, b"[]", **kept | {field: value})
    assert found.status_code == 422
    assert said in found.text.replace("&#39;", "'")
    assert "Ada and Charles" in found.text


def test_team_names_are_text(made: ChallengeSite) -> None:
    """And two names that look alike are one."""
    browser = made.browser("scripter")
    assert browser.post("/challenges/cats/team", data={"name": "<i>Cats</i>"}).status_code == 303
    assert "&lt;i&gt;Cats&lt;/i&gt;" in browser.get("/challenges/cats").text
    again = made.browser("copycat").post("/challenges/cats/team", data={"name": " <I>cats</i> "})
    assert (again.status_code, "Another team is called" in again.text) == (422, True)


def test_a_form_from_elsewhere_does_nothing(made: ChallengeSite) -> None:
    """Neither by a browser that says where it comes from, nor without the token."""
    browser = made.browser("ada")
    with made.cats.database.reading() as rows:
        before = len(rows.execute(select(t.SUBMISSIONS.c.submission_id)).all())
    file = {"file": ("r.json", results(made.folder / "fine.json").read_bytes())}
    path = "/challenges/cats/open/test/submit"
    elsewhere = browser.post(path, data={"method": "x"}, files=file, headers={"sec-fetch-site": "cross-site"})
    browser.headers["x-csrf-token"] = "0" * 64
    tokenless = browser.post(path, data={"method": "x"}, files=file)
    assert (elsewhere.status_code, tokenless.status_code) == (403, 403)
    with made.cats.database.reading() as rows:
        assert len(rows.execute(select(t.SUBMISSIONS.c.submission_id)).all()) == before
