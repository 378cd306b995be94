"""Documentation that is read by a test stays true: links lead somewhere, pages are current, every command runs."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from given import prepare
from walkthrough import blocks, copied, walk

from eyechart.cli.main import VERBS

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
SLOW = {"models.md", "explain.md", "complement.md", "describe.md", "audit-and-repair.md"}
FORBIDDEN = re.compile(r"/work/|session|issue #|helper-\d", re.IGNORECASE)


def relative(path: Path) -> str:
    """A page's name for messages."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file or folder that is there."""
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_reference_pages_are_current() -> None:
    """The reference pages are what the code prints."""
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert build.tables_page() == (ROOT / "docs/reference/tables.md").read_text("utf-8")
    assert build.formats_page() == (ROOT / "docs/reference/formats.md").read_text("utf-8")
    assert build.commands_page() == (ROOT / "docs/reference/commands.md").read_text("utf-8")
    assert build.patterns_page() == (ROOT / "docs/reference/patterns.md").read_text("utf-8")


def test_readme_names_every_verb() -> None:
    """Whoever reads the README knows all verbs."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert [verb for verb in VERBS if f"eyechart {verb}" not in text and f"make {verb}" not in text] == []


@pytest.fixture(scope="session")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small benchmarks and files that pages take for granted, made once."""
    folder = tmp_path_factory.mktemp("given")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        prepare()
    return folder


def walked() -> list[Any]:
    """Every page with something to do; those that train for long are slow."""
    texts = {page: page.read_text("utf-8") for page in PAGES}
    todo = [page for page, text in texts.items() if any(block.runs for block in blocks(text))]
    return [
        pytest.param(page, id=relative(page), marks=[pytest.mark.slow] if page.name in SLOW else []) for page in todo
    ]


@pytest.mark.parametrize("page", walked())
def test_what_a_page_says_can_be_done(page: Path, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written, commands typed, Python run; what is shown below a command is printed."""
    folder = tmp_path / "here"
    copied(given, folder)
    monkeypatch.chdir(folder)
    walk(page.read_text("utf-8"), folder)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_whatever_is_not_run_says_why(page: Path) -> None:
    """A block of commands or Python runs, is a file, or has its reason before it; commands stand in console blocks."""
    text = page.read_text("utf-8")
    unknown = [
        block for block in blocks(text) if re.search(r"^(\$ |eyechart )", block.body, re.MULTILINE) and not block.runs
    ]
    assert [block.line for block in unknown if not block.reason and block.language != "text"] == []


def test_the_site_builds_without_a_warning_and_asks_nobody(tmp_path: Path) -> None:
    """Links, headings, code: all in order; no page fetches anything from elsewhere."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "-q", "docs", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list((ROOT / "docs").rglob("*.md"))) - 1
    fetched = re.compile(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["'](?:https?:)?//""")
    assert [page.name for page in pages if fetched.search(page.read_text("utf-8"))] == []


def test_walking_notices_what_does_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that fails, a line that is not printed, and a mistake in Python are found."""
    monkeypatch.chdir(tmp_path)
    for text in (
        "```console\n$ eyechart describe nowhere\n```\n",
        "```console\n$ eyechart formats vizwiz\nNobody prints this.\n```\n",
        "```console\n$ ls\n```\n",
        "```python\n1 / 0\n```\n",
    ):
        with pytest.raises((AssertionError, ZeroDivisionError)):
            walk(text, tmp_path)
    walk("*Needs the network.*\n\n```console\n$ curl nowhere\n```\n", tmp_path)
