"""A headless browser for tests of pages; what is not there is said in a sentence, and the test is skipped."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

Page = Any  # a page of playwright, which is installed with the other tools for tests

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no browser is installed; apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        launched = started.chromium.launch(executable_path=program, args=list(_FLAGS))
        yield launched
        launched.close()


def violations(page: Page) -> list[str]:
    """What of WCAG 2.2 AA a page breaks, by axe."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"runOnly": list(WCAG)}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]
