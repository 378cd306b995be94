"""The command line as a user meets it: help, mistakes, results on standard output, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eyechart.cli.main import VERBS, main

SAMPLE = Path(__file__).parents[2] / "src" / "eyechart" / "cli" / "sample"


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command line; give its exit code and what it printed."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    printed = capsys.readouterr()
    return int(left.value.code or 0), printed.out, printed.err


@pytest.fixture
def sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The sample, imported."""
    code, _, _ = call(capsys, "import", "vqa", str(SAMPLE), "-o", str(tmp_path / "sample"), "--quiet")
    assert code == 0
    return tmp_path / "sample"


def test_every_verb_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of each verb says what it does and describes every option."""
    for verb in VERBS:
        code, out, _ = call(capsys, verb, "--help")
        assert code == 0
        assert f"Usage: eyechart {verb}" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["imprt"], "import"),
        (["import", "vga", "x", "-o", "y"], "no format is called 'vga': did you mean 'vqa'"),
        (["import", "vqa", "x.json", "-o", "y"], "x.json: the name does not tell which file of vqa it is"),
        (["import", "vqa", "questions=x.json", "-o", "y"], "x.json: found no such file"),
        (["import", "vqa", "--ouptut", "y"], "--ouptut"),
        (["export", "vqa", "nowhere", "-o", "y"], "nowhere: found nothing there, expected a benchmark folder"),
        (["grade", "nowhere", "y"], "nowhere: found nothing there, expected a benchmark folder"),
        (["import", "vqa", "questions=x", "-o", "y", "--executor", "rey"], "did you mean 'ray'?"),
    ],
)
def test_mistakes_are_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    """A user's mistake ends with exit code 2, one line on standard error, and no traceback."""
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("eyechart: ")
    assert len(err.splitlines()) == 1


def test_import_says_what_it_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Import prints counts for people, or one JSON object for machines; progress goes to standard error."""
    target = str(tmp_path / "b")
    code, out, err = call(capsys, "import", "vqa", str(SAMPLE), "-o", target, "--json")
    assert code == 0
    assert json.loads(out)["rows"]["answers"] == 240
    assert "Import" in err


def test_round_trip(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """Export gives the same JSON values as the imported files."""
    code, out, _ = call(capsys, "export", "vqa", str(sample), "-o", str(tmp_path / "back"), "--json")
    assert code == 0
    for written in json.loads(out)["files"]:
        path = Path(written["path"])
        assert json.loads(path.read_text()) == json.loads((SAMPLE / path.name).read_text())


def test_export_without_rows_is_a_mistake(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """A format that can hold nothing of a benchmark says so."""
    code, _, err = call(capsys, "export", "coco-captions", str(sample), "-o", str(tmp_path / "back"))
    assert code == 2
    assert "expected a table that coco-captions can hold" in err


def test_grade(capsys: pytest.CaptureFixture[str], sample: Path) -> None:
    """Grading prints the mean and its parts."""
    code, out, _ = call(capsys, "grade", str(sample), str(SAMPLE / "predictions" / "looking.json"), "--json")
    assert code == 0
    assert json.loads(out)["overall"] == {"accuracy": pytest.approx(94.17, abs=0.01), "questions": 24}


def test_formats(capsys: pytest.CaptureFixture[str]) -> None:
    """The list of formats names their files."""
    code, out, _ = call(capsys, "formats", "vqa")
    assert code == 0
    assert "annotations" in out


def test_demo(tmp_path: Path) -> None:
    """The demo runs from nothing, in a process of its own, and finds no error in its sample."""
    command = [sys.executable, "-m", "eyechart.cli.main", "demo", str(tmp_path / "demo"), "--quiet"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "VQA accuracy" in result.stdout
    assert (tmp_path / "demo" / "sample" / "benchmark.json").is_file()
    assert result.stderr == ""
