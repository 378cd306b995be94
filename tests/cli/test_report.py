"""Descriptions and reports from the command line."""

import json
from pathlib import Path

import polars as pl
import pytest
from command_line import call

from eyechart.store import Benchmark

SAMPLE = Path(__file__).parents[1] / "fixtures" / "sample"
MODELS = [str(SAMPLE / "predictions" / f"{name}.json") for name in ("guessing", "looking")]


@pytest.fixture
def sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The sample, imported."""
    call(capsys, "import", "vqa", str(SAMPLE), "-o", str(tmp_path / "sample"), "--quiet")
    return str(tmp_path / "sample")


def test_describe_prints_sentences(sample: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a folder, what was found is told by chapter."""
    code, out, _ = call(capsys, "describe", sample, "-q")
    assert code == 0
    assert out.startswith("Questions\n\n  ")
    assert "of answers are yes or no" in out


def test_describe_keeps_figures_with_their_numbers(
    sample: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page, and each figure as drawing, picture and rows."""
    folder = tmp_path / "portrait"
    code, out, _ = call(capsys, "describe", sample, "-o", str(folder), "--beside", sample, "--json", "-q")
    assert code == 0
    found = json.loads(out)
    assert Path(found["page"]).read_text("utf-8").startswith("<!doctype html>")
    for result in found["results"]:
        rows = (folder / "figures" / f"{result['name']}.csv").read_text("utf-8").splitlines()
        assert len(rows) == len(result["rows"]) + 1
        drawn = (folder / "figures" / f"{result['name']}.svg").exists()
        assert drawn == (result["chart"]["kind"] != "table")
    assert found["absent"]["age"] == "the benchmark has no judgements"


def test_describe_only_what_is_asked_for(sample: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One description by name, after a prefix; an unknown name says which are near."""
    code, out, _ = call(capsys, "describe", sample, "--only", "first-words", "--prefix", "What color", "--json", "-q")
    assert code == 0
    assert "begin with “what color" in json.loads(out)["results"][0]["title"]
    code, _, error = call(capsys, "describe", sample, "--only", "first-word")
    assert code == 2
    assert "did you mean 'first-words'" in error


def test_report_compares_models(sample: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One page with the grades of both, their difference, and where each is right."""
    page = tmp_path / "report.html"
    code, out, _ = call(capsys, "report", sample, *MODELS, "-o", str(page), "--json", "-q")
    assert code == 0
    headings = json.loads(out)["sections"]
    assert headings == ["Grades", "Differences", "Where guessing is right", "Where looking is right", "The benchmark"]
    text = page.read_text("utf-8")
    assert "points better than guessing" in text
    assert len(text) < 3_000_000


def test_report_needs_a_name_for_each(sample: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two models with the same name cannot be told apart."""
    code, _, error = call(capsys, "report", sample, *MODELS, "--name", "looking")
    assert code == 2
    assert "expected one for each; use --name" in error


def test_describe_says_why_there_is_nothing_to_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder with predictions alone holds nothing that is asked or answered."""
    with Benchmark.create(tmp_path / "p") as draft:
        draft.write("predictions", pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}))
    code, out, error = call(capsys, "describe", str(tmp_path / "p"), "-q")
    assert (code, out) == (2, "")
    assert "found predictions and nothing to tell of them (the benchmark has no questions" in error
    assert "eyechart grade" in error
