"""``eyechart scenes normalize``, from the command line."""

import json
from pathlib import Path

import pytest
from command_line import call
from graphs_by_hand import graph

from eyechart.store import Benchmark


@pytest.fixture
def raw(tmp_path: Path) -> str:
    """One picture as annotators describe it."""
    tables = graph([("a", "red BIKE"), ("b", "man's hat"), ("c", "area")], [("b", "tall"), ("b", "short")])
    with Benchmark.create(tmp_path / "raw", licence="CC-BY-4.0") as draft:
        for name, rows in tables.items():
            draft.write(name, rows)
    return str(tmp_path / "raw")


def test_it_tells_what_changed(raw: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sizes before and after, and the rules with their rows; the licence goes along."""
    code, out, said = call(capsys, "scenes", "normalize", raw, "-o", str(tmp_path / "clean"))
    assert code == 0
    assert "objects       3      2" in out
    assert "amorphous" in out
    assert "Normalize: 1 shard" in said
    assert Benchmark.open(tmp_path / "clean").manifest.licence == "CC-BY-4.0"


def test_every_file_is_read(raw: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Settings, edits, detections, scores, counts: each changes what comes out; unused edits are told."""
    files = {
        "settings.toml": "rare = 0.9\n",
        "edits.csv": "action,image,what,object,became,rule\nadd,1,weather,,rainy\nreject,,,,,no such rule\n",
        "seen.json": '{"categories": [{"id": 1, "name": "dog"}], "annotations": [], "images": [{"id": "1"}]}',
        "ngrams.csv": "phrase,score\nbicycle on hat,0.1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = {
        "edits": "edits.csv",
        "detections": "seen.json",
        "ngrams": "ngrams.csv",
    }
    given = [word for name, file in options.items() for word in (f"--{name}", str(tmp_path / file))]
    output = str(tmp_path / "clean")
    code, out, _ = call(capsys, "scenes", "normalize", raw, "-o", output, "--tallies", raw, *given, "--json", "-q")
    told = json.loads(out)
    assert code == 0
    assert told["rows"]["objects"] == [3, 2]
    assert told["unused_edits"] == ["line 3"]
    assert {"what": "image", "rule": "added by a person", "count": 1, "dropped": 0} in told["changes"]
    made = Benchmark.open(output)
    assert made.read("images")["weather"].item() == "rainy"
    assert made.read("inventories").select("kind", "evidence").row(0) == ("dog", "detector")
    rare = ("--settings", str(tmp_path / "settings.toml"), "--force")
    call(capsys, "scenes", "normalize", raw, "-o", output, *rare, "-q")
    assert Benchmark.open(output).rows("objects") == 0


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("settings", "rar = 1", "found the key 'rar'"),
        ("edits", "action\nremove", "line 2: the action is 'remove'"),
        ("edits", "action,image,what,object,became\nadd,1,object,z,cup", "line 2: found the object 'z'"),
        ("detections", "[]", "found what is not a detections file"),
        ("ngrams", "a,b", "line 1: found 'a,b'"),
        ("ontology", "", "no such file, expected one to read"),
    ],
)
def test_mistakes(
    option: str, text: str, said: str, raw: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence that names the file, and exit code 2."""
    file = tmp_path / "given"
    file.write_text(text, encoding="utf-8")
    code, _, error = call(capsys, "scenes", "normalize", raw, "-o", str(tmp_path / "x"), f"--{option}", str(file), "-q")
    assert code == 2
    assert "given" in error
    assert said in error
