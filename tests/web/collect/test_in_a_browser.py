"""Pages of workers and requesters as people meet them: every state for everybody, by keyboard alone, nothing lost."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from browser import browser, violations
from fastapi import FastAPI
from studies import FILLED, TOLD
from web_site import session

from eyechart.collection import Settings, Work, plan_items
from eyechart.store import Benchmark
from eyechart.web import Settings as Site
from eyechart.web import application


class Running:
    """A site on a port of this machine, that can be stopped and started again."""

    def __init__(self, folder: Path, benchmark: Path, language: str = "en") -> None:
        self.folder, self.benchmark, self.language, self.port = folder, benchmark, language, 0
        self.start()

    def start(self) -> None:
        self.app: FastAPI = application(Site(self.folder, benchmarks=(self.benchmark,), language=self.language))
        config = uvicorn.Config(self.app, port=self.port, log_level="error", timeout_graceful_shutdown=2)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.02)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def page(self, chromium: Any, role: str, **options: Any) -> Any:
        """A page of somebody with this role, who is signed in."""
        context = chromium.new_context(base_url=self.address, **options)
        secret = session(self.app, role)
        context.add_cookies([{"name": "eyechart_session", "value": secret, "url": self.address}])
        return context.new_page()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as started:
        yield started


@pytest.fixture
def running(made_site: Path, tmp_path: Path) -> Iterator[Running]:
    """A site of its own for each test."""
    import shutil

    shutil.copytree(made_site / "site", tmp_path / "site")
    started = Running(tmp_path / "site", made_site / "asked")
    yield started
    started.stop()


def open_task(page: Any, study: str) -> None:
    page.goto(f"/work/{study}")
    page.click("main form button")
    page.wait_for_selector("#task")


# ---------------------------------------------------------------------- everybody can read it

LOOKS = [("light", 1280), ("dark", 360)]


def states(page: Any) -> Iterator[str]:
    """Every page and state of workers, one after the other."""
    yield page.goto("/work").url
    yield page.goto("/work/answer").url
    for study in FILLED:
        open_task(page, study)
        yield study
        page.click("button[value=next]")
        page.wait_for_selector("#mistakes")
        yield f"{study} with mistakes"
    yield page.goto("/work/answer/test").url
    page.goto("/work/answer?because=thanks&note=late")
    yield "thanks"


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("language", ["en", "ar"])
def test_everybody_can_work(
    chromium: Any, made_site: Path, tmp_path: Path, *, scheme: str, width: int, language: str
) -> None:
    """WCAG 2.2 AA in every state, in the light and in the dark, from left and from right, on a phone and on a desk."""
    import shutil

    shutil.copytree(made_site / "site", tmp_path / "site")
    started = Running(tmp_path / "site", made_site / "asked", language)
    page = started.page(chromium, "worker", viewport={"width": width, "height": 800}, color_scheme=scheme)
    wrong = []
    for state in states(page):
        assert page.get_attribute("html", "dir") == ("rtl" if language == "ar" else "ltr")
        wrong += [f"{state}: {each}" for each in violations(page)]
        across = page.evaluate("document.documentElement.scrollWidth")
        wrong += [f"{state}: {across} wide"] if across > width else []
    started.stop()
    assert wrong == []


REQUESTER = ("", "/new", "/answer", *(f"/answer/{tab}" for tab in ("responses", "quality", "gold", "pay", "links")))


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_everybody_can_ask(chromium: Any, running: Running, scheme: str, width: int) -> None:
    """The pages of requesters, with work in them."""
    work = Work(running.app.state.site.database)
    for name in "abc":
        held: Any = work.claim("answer", work.worker("here", name))
        work.submit(held.token, "a key of it", {0: {"answer": "lol red", "confidence": "no"}}, comment="hm")
    page = running.page(chromium, "admin", viewport={"width": width, "height": 800}, color_scheme=scheme)
    wrong = []
    paths = [f"/studies{path}" for path in REQUESTER]
    for path in [*paths, "/", "/account", "/api", "/admin/accounts", "/admin/log", "/nothing"]:
        page.goto(path)
        wrong += [f"{path}: {each}" for each in violations(page)]
        across = page.evaluate("document.documentElement.scrollWidth")
        wrong += [f"{path}: {across} wide"] if across > width else []
    assert wrong == []


# ---------------------------------------------------------------------- by keyboard alone


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until it is there, as somebody without a mouse would."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} is not reached by Tab")


def fill_by_keyboard(page: Any, study: str, unit: int) -> None:
    """Fill in one item without a pointer."""
    for name, value in FILLED[study].items():
        field = f'[name="{unit}.{name}"]'
        kind = page.get_attribute(field, "type") if page.query_selector(field) else "hidden"
        if kind == "hidden" or not value:
            continue
        tab_to(page, field)
        if kind == "checkbox":
            page.keyboard.press("Space")
        elif kind == "radio":
            page.keyboard.press("Space")
            for _ in range(40):
                if page.evaluate("document.activeElement.value") == value:
                    break
                page.keyboard.press("ArrowRight")
        else:
            page.keyboard.insert_text(value)


@pytest.mark.parametrize("study", FILLED)
def test_every_task_is_done_by_keyboard(chromium: Any, running: Running, study: str) -> None:
    """From the list of studies to the next item, with keys only."""
    page = running.page(chromium, "worker")
    page.goto("/work")
    tab_to(page, f'a[href="/work/{study}"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Begin")
    tab_to(page, "main form button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#task")
    first = page.url
    for unit in range(page.locator("section.unit").count()):
        fill_by_keyboard(page, study, unit)
    tab_to(page, "button[value=next]")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    assert "/tasks/" in page.url
    body = Work(running.app.state.site.database).responses(study)[0].body
    for name, value in FILLED[study].items():
        if name in {"answer", "question", "caption", "confidence", "youngest_age", "needs_commonsense"}:
            assert body[name] == value


def test_the_grid_is_walked_in_two_directions(chromium: Any, running: Running) -> None:
    """Down goes a row down; more pictures come when they are asked for, and how many were seen is told."""
    page = running.page(chromium, "worker", viewport={"width": 1280, "height": 900})
    open_task(page, "complement")
    page.wait_for_selector("text=Show 6 more pictures")
    tab_to(page, '[name="0.picked"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    columns = page.evaluate("getComputedStyle(document.querySelector('.grid')).gridTemplateColumns.split(' ').length")
    assert page.evaluate("document.activeElement.value") == str(2 + columns)
    assert page.input_value('[name="0.seen"]') == "24"
    page.click("text=Show 6 more pictures")
    assert page.evaluate("document.activeElement.value") == "25"
    assert page.input_value('[name="0.seen"]') == "30"


# ---------------------------------------------------------------------- nothing is lost


def wait_for_draft(page: Any) -> None:
    page.locator("[data-saved]", has_text="Draft saved").wait_for()


def test_drafts_survive_a_reload_and_a_restart(chromium: Any, running: Running) -> None:
    """What was typed is there again, to the letter."""
    page = running.page(chromium, "worker")
    open_task(page, "caption")
    text = 'A "disk" <b>on</b>  paper & …\nand more'
    page.fill('[name="0.caption"]', text)
    wait_for_draft(page)
    page.reload()
    assert page.input_value('[name="0.caption"]') == text
    running.stop()
    page.fill('[name="0.caption"]', text + "!")
    page.locator("[data-saved]", has_text="Not saved yet").wait_for()
    running.start()
    page.reload()
    assert page.input_value('[name="0.caption"]') == text + "!"


def test_two_tabs_never_write_over_each_other(chromium: Any, running: Running) -> None:
    """The second to save is told, and neither text is lost."""
    one = running.page(chromium, "worker")
    open_task(one, "caption")
    other = one.context.new_page()
    other.goto(one.url)
    one.fill('[name="0.caption"]', "the first")
    wait_for_draft(one)
    other.fill('[name="0.caption"]', "the second")
    other.locator("[data-saved]", has_text="another tab").wait_for()
    one.reload()
    assert one.input_value('[name="0.caption"]') == "the first"
    other.click("button[value=next]")
    other.wait_for_selector("text=changed in another tab")
    assert other.input_value('[name="0.caption"]') == "the second"


def test_a_withheld_picture_never_travels(chromium: Any, running: Running) -> None:
    """No picture at all arrives, and nothing that arrives names one."""
    site = running.app.state.site
    work, benchmark = Work(site.database), Benchmark.open(site.settings.benchmarks[0])
    work.create_study("blind", "choose", settings=Settings(withheld=("image",), benchmark=str(benchmark.folder)))
    work.add_items("blind", plan_items("choose", benchmark.tables()))
    page = running.page(chromium, "worker")
    traffic: list[tuple[str, str, bytes]] = []
    page.on(
        "response",
        lambda each: (
            traffic.append((each.url, each.headers.get("content-type", ""), each.body()))
            if each.status == 200
            else None
        ),
    )
    for study in ("blind", "answer-blind", "answer-caption"):
        open_task(page, study)
        page.wait_for_timeout(300)
    assert len(traffic) > 6
    assert not [url for url, kind, _ in traffic if kind.startswith("image/") and "icon" not in url]
    assert not [url for url, _, content in traffic if TOLD in url or TOLD.encode() in content]


def test_the_next_item_is_there_at_once(chromium: Any, running: Running) -> None:
    """It comes by itself after handing in, and another one."""
    page = running.page(chromium, "worker")
    open_task(page, "ambiguity")
    seen = set()
    for _ in range(3):
        seen.add(page.url)
        for unit in range(page.locator("section.unit").count()):
            page.check(f'[name="{unit}.also_right"][value="yes"]')
        with page.expect_navigation():
            page.click("button[value=next]")
    assert len(seen) == 3
