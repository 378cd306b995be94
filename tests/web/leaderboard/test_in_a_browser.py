"""The pages of challenges in a real browser: for everybody who looks, listens or only has a keyboard, on any screen."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from browser import browser, violations
from challenge_site import fill
from small_challenge import results

from eyechart.challenge import Worker
from eyechart.web import Settings, application
from eyechart.web.leaderboard import running
from eyechart.web.ui import accounts
from eyechart.web.ui.people import SESSION_COOKIE

PAGES = (
    ("", "/challenges"),
    ("ada", "/challenges/cats"),
    ("newcomer", "/challenges/cats"),
    ("ada", "/challenges/cats/open/test/board"),
    ("", "/challenges/cats/open/test/board?sort=test-standard.vqa.other&order=asc"),
    ("", "/challenges/cats/choice/pick/board"),
    ("ada", "/challenges/cats/open/dev/submit"),
    ("newcomer", "/challenges/cats/open/dev/submit"),
    ("ada", "/challenges/cats/submissions"),
    ("ada", "/submissions/5"),
    ("", "/submissions/5"),
    ("ada", "/submissions/8"),
    ("ada", "/submissions/10"),
    ("host", "/challenges/cats/host"),
)


class Served:
    """A site with the challenge that has everything, where a browser can reach it."""

    def __init__(self, folder: Path) -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.app = application(Settings(folder / "site", address=self.address))
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="warning", timeout_graceful_shutdown=2))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self.thread.start()
        self.cats = fill(self.app, folder).cats

    def session(self, login: str) -> str:
        with self.cats.database.writing() as rows:
            found = accounts.find_account(rows, login)
            account = found[0] if found else accounts.create_account(rows, login, "participant")
            return accounts.start_session(rows, account)

    def page(self, chromium: Any, login: str, **options: Any) -> Any:
        context = chromium.new_context(**options)
        if login:
            context.add_cookies([{"name": SESSION_COOKIE, "value": self.session(login), "url": self.address}])
        return context.new_page()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "_something_waits", lambda _site: False)
        made = Served(tmp_path_factory.mktemp("looks"))
        yield made
        made.server.should_exit = True
        made.thread.join()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as launched:
        yield launched


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_everybody_can_read_them(chromium: Any, served: Served, scheme: str, width: int) -> None:
    """No violation of WCAG 2.2 AA, nothing to scroll sideways, nothing that the site's policy forbids."""
    said: list[str] = []
    for login, path in PAGES:
        page = served.page(chromium, login, viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.on("console", lambda message: said.append(message.text))
        assert page.goto(served.address + path).status == 200, path
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.context.close()
    assert said == []


@pytest.mark.slow
def test_a_result_is_handed_in_by_keyboard_and_watched(chromium: Any, served: Served, tmp_path: Path) -> None:
    """Tab to the fields, type, Enter; the page shows the score by itself when it is there."""
    page = served.page(chromium, "ada")
    page.goto(f"{served.address}/challenges/cats/open/test/submit")
    page.locator("#file").set_input_files(str(results(tmp_path / "r.json", wrong=1)))
    page.locator("#file").focus()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "method":
            break
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    page.wait_for_url("**/submissions/*")
    page.get_by_role("heading", name="Waiting to be scored").wait_for()
    Worker(served.cats.database, served.cats.files).run(idle=False)
    page.get_by_text("99.00").first.wait_for(timeout=10_000)
    page.context.close()


@pytest.mark.slow
def test_it_works_without_scripts(chromium: Any, served: Served) -> None:
    """Progress has a link; boards sort by links."""
    page = served.page(chromium, "ada", java_script_enabled=False)
    page.goto(f"{served.address}/submissions/10")
    assert page.get_by_role("link", name="Look again").count() == 1 or page.get_by_text("scored").count()
    page.goto(f"{served.address}/challenges/cats/open/test/board")
    page.get_by_role("link", name="Team", exact=True).click()
    assert page.locator("th[aria-sort]").inner_text() == "Team"
    page.context.close()
