"""The command line as a user meets it: help, mistakes, results on standard output, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import call

from eyechart.cli.main import VERBS
from eyechart.store import Benchmark

SAMPLE = Path(__file__).parents[1] / "fixtures" / "sample"


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
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
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
    code, _, err = call(capsys, "export", "qavg", str(sample), "-o", str(tmp_path / "back"))
    assert code == 2
    assert "expected a table that qavg can hold" in err


def test_grade(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """Grading prints every number with its interval and count, and keeps every question's score."""
    predictions = str(SAMPLE / "predictions" / "looking.json")
    scores = str(tmp_path / "scores")
    code, out, _ = call(capsys, "grade", str(sample), predictions, "-o", scores, "--json")
    assert code == 0
    overall = json.loads(out)["numbers"][0]
    assert (overall["metric"], overall["group"], overall["questions"]) == ("vqa", "overall", 24)
    assert overall["value"] == pytest.approx(0.9417, abs=1e-4)
    assert overall["low"] < overall["value"] < overall["high"]
    assert Benchmark.open(scores).rows("scores") >= 24


def test_grade_at_any_threshold_with_any_vectors(
    capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path
) -> None:
    """A threshold stands in the metric's name, vectors come from a file, and the result names both."""
    vectors = tmp_path / "tiny.vec"
    vectors.write_text("red 1 0\nblue 0 1\n")
    arguments = ["grade", str(sample), str(SAMPLE / "predictions" / "looking.json"), "-o", str(tmp_path / "scores")]
    wanted = ["--metric", "masses-0.8", "--metric", "wups-mcm-0.55", "--metric", "feasibility"]
    code, out, _ = call(capsys, *arguments, *wanted, "--vectors", str(vectors), "--json")
    made_with = json.loads(out)["made_with"]
    assert code == 0
    assert made_with["masses-0.8"] == made_with["feasibility"]
    assert made_with["masses-0.8"].startswith("tiny.vec (sha256 ")
    assert made_with["wups-mcm-0.55"].startswith("WordNet")
    code, _, err = call(capsys, *arguments, "--metric", "masses-1.5")
    assert (code, "no metric is called 'masses-1.5'" in err) == (2, True)


def test_without_answers_there_is_no_accuracy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Predictions that only say what can be answered are graded by that, and nothing else becomes 0."""
    people = [{"answer": "soup", "answer_confidence": "yes"}] * 10
    records = [{"image": f"{n}.jpg", "question": "What?", "answers": people, "answerable": n % 2} for n in range(4)]
    (tmp_path / "val.json").write_text(json.dumps(records))
    said = [{"image": record["image"], "answerable": 0.9} for record in records]
    (tmp_path / "said.json").write_text(json.dumps(said))
    benchmark = str(tmp_path / "b")
    assert call(capsys, "import", "vizwiz", str(tmp_path / "val.json"), "-o", benchmark, "-q")[0] == 0
    code, out, _ = call(capsys, "grade", benchmark, str(tmp_path / "said.json"), "--json")
    graded = json.loads(out)
    assert code == 0
    assert {number["metric"] for number in graded["numbers"]} == {"answerability"}
    assert graded["skipped"]["vqa"] == "the predictions hold no answers"


def test_grade_replaces_only_scores(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """Neither the benchmark nor a folder of something else is taken for the place of scores."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    predictions = str(SAMPLE / "predictions" / "looking.json")
    for place, message in ((sample, "a benchmark that import has made"), (tmp_path / "mine", "that is no benchmark")):
        code, _, err = call(capsys, "grade", str(sample), predictions, "--metric", "vqa", "-o", str(place))
        assert (code, message in err) == (2, True)
    assert Benchmark.open(sample).rows("questions") == 24
    assert (tmp_path / "mine" / "file").read_text() == "mine"


def test_places_that_cannot_be_written_to(
    capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in the way, or the folder one stands in, is told in one sentence."""
    for place, message in (
        (sample / "benchmark.json" / "x", "found no place to write"),
        (Path(), "another, or run it"),
    ):
        monkeypatch.chdir(tmp_path)
        code, _, err = call(capsys, "import", "vqa", str(SAMPLE), "-o", str(place), "-q")
        assert (code, len(err.splitlines()), message in err) == (2, 1, True)


def test_grade_by_any_column(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """Questions are grouped by any column, and a wrong name is answered with the near one."""
    predictions = str(SAMPLE / "predictions" / "looking.json")
    arguments = ["grade", str(sample), predictions, "-o", str(tmp_path / "scores"), "--metric", "vqa"]
    _, out, _ = call(capsys, *arguments, "--by", "words")
    assert "words 4" in out
    code, _, err = call(capsys, *arguments, "--by", "question_typ")
    assert code == 2
    assert "did you mean 'question_type'" in err


def test_grade_a_part(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """Missing predictions are an error that counts them; --subset grades the others and says so."""
    some = tmp_path / "some.csv"
    some.write_text("question_id,answer\n1000,red\n1001,3\n")
    code, _, err = call(capsys, "grade", str(sample), str(some))
    assert code == 2
    assert "found none for 22 of 24 questions" in err
    code, out, _ = call(capsys, "grade", str(sample), str(some), "--subset")
    assert code == 0
    assert "2 of 24 questions were answered" in out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "found an empty file"),
        (b"{}", "expected `array`"),
        (b"[]", "found no predictions"),
        (b"[1]", "record 1"),
        (b'[{"question_id": 1000, "answer": NaN}]', "found NaN, which is no JSON"),
        (b'[{"question_id": 1000, "answer": 3}]', "found `int`, expected `str`"),
        (b'[{"question_id": 1000, "answer": "\xff"}]', "not UTF-8"),
        (b'[{"question_id": 1000, "answer": "a"}, {"question_id": 1000, "answer": "b"}]', "found id '1000' again"),
        (b'[{"question_id": 5, "answer": "a"}]', "found 1 for questions that the benchmark does not have (5)"),
    ],
)
def test_bad_results(
    capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    """Whatever a results file holds, a mistake is one sentence."""
    path = tmp_path / "results.json"
    path.write_bytes(content)
    code, out, err = call(capsys, "grade", str(sample), str(path))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_compare(capsys: pytest.CaptureFixture[str], sample: Path, tmp_path: Path) -> None:
    """The model that looks is better than the one that guesses, beyond chance."""
    files = [str(SAMPLE / "predictions" / f"{name}.json") for name in ("guessing", "looking")]
    code, out, _ = call(capsys, "compare", str(sample), *files, "--json", "--metric", "vqa")
    assert code == 0
    overall = json.loads(out)["differences"][0]
    assert overall["low"] > 0
    assert overall["p_holm"] < 0.001
    some = tmp_path / "some.csv"
    some.write_text("question_id,answer\n1000,red\n")
    code, _, err = call(capsys, "compare", str(sample), files[0], str(some))
    assert (code, err.startswith(f"eyechart: {some}: found none for 23 of 24 questions")) == (2, True)
    code, _, err = call(capsys, "compare", str(sample), files[0])
    assert code == 2
    assert "expected two or more" in err


def test_formats(capsys: pytest.CaptureFixture[str]) -> None:
    """The list of formats names their files."""
    code, out, _ = call(capsys, "formats", "vqa")
    assert code == 0
    assert "annotations" in out


@pytest.mark.slow
def test_demo(tmp_path: Path) -> None:
    """The tour runs from nothing, in a process of its own, ends with a page, and goes on where it was stopped."""
    command = [sys.executable, "-m", "eyechart.cli.main", "demo", str(tmp_path / "demo"), "--tiny", "--quiet"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "blind, among random decoys" in result.stdout
    assert (tmp_path / "demo" / "report.html").read_text("utf-8").startswith("<!doctype html>")
    made = (tmp_path / "demo" / "tiny" / "balanced" / "benchmark.json").stat().st_mtime_ns
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (tmp_path / "demo" / "tiny" / "balanced" / "benchmark.json").stat().st_mtime_ns == made
    assert again.stdout.partition("What it comes to")[2] == result.stdout.partition("What it comes to")[2]
