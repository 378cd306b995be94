"""Documentation that is read by a test stays true: links lead somewhere, pages are current, tutorials run."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from eyechart.cli.main import VERBS, main

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
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


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every file that the tutorial shows is written, every command typed, every line shown below it printed."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/tutorials/first-benchmark.md").read_text("utf-8")
    for language, name, body in re.findall(r"```(\w+)(?: file=(\S+))?\n(.*?)```", text, re.DOTALL):
        if name:
            (tmp_path / name).write_text(body, encoding="utf-8")
        elif language == "console":
            follow(body, capsys)


def follow(transcript: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Type the commands of a transcript; what it shows must be printed."""
    for part in re.split(r"^\$ ", transcript, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        _, *arguments = shlex.split(command, comments=True)
        with pytest.raises(SystemExit) as left:
            main(arguments)
        printed = capsys.readouterr().out
        assert (left.value.code or 0) == (1 if "error" in shown and "0 errors" not in shown else 0), printed
        assert [line for line in shown.splitlines() if line.strip() and line not in printed.splitlines()] == [], printed
