"""``eyechart challenge`` as it is typed: from a description to a board, and what is told when it cannot be done."""

import json
from pathlib import Path
from typing import Any

import pytest
from small_challenge import DESCRIPTION, make_benchmark, results

from eyechart.cli.main import main
from eyechart.database import Database
from eyechart.web import accounts


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    make_benchmark(tmp_path / "benchmark")
    (tmp_path / "cats.toml").write_text(DESCRIPTION)
    results(tmp_path / "r.json", wrong=5)
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as left:
        main(["challenge", *arguments])
    captured = capsys.readouterr()
    assert left.value.code == code, captured.err
    return captured.out if code == 0 else captured.err


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(typed(capsys, *arguments, "--json"))


def test_from_description_to_board(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Create, submit, score, look, score again; in words and as JSON."""
    assert place
    assert "The cats challenge is ready as 'cats'" in typed(capsys, "create", "cats.toml")
    assert "test-reserve" in typed(capsys, "create", "cats.toml", "--data", "another")
    said = typed(capsys, "submit", "cats/open/test", "r.json", "--method", "Prior", "--kind", "baseline")
    assert "waits to be scored" in said
    assert asked(capsys, "worker", "--until-done", "-q")["jobs"] == 3
    told = asked(capsys, "status", "cats")
    assert {row["state"] for row in told} == {"scored"}
    assert told[0]["scores"]["test-standard.vqa"] == 95.0
    assert "Prior" in typed(capsys, "status", "cats", "3")
    board = typed(capsys, "board", "cats/open/test")
    assert "95.00" in board
    assert "baseline" in board
    assert asked(capsys, "board", "cats/open/test", "--sort", "test-standard.ma")["columns"][0] == "test-standard.vqa"
    assert asked(capsys, "rerun", "cats") == {"queued": 3}
    assert asked(capsys, "rerun", "cats", "3") == {"queued": 1}
    assert asked(capsys, "worker", "--until-done", "--workers", "2", "-q")["jobs"] <= 3


def test_hosts_are_accounts(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One who does not exist is named, and nothing is made."""
    assert place
    said = typed(capsys, "create", "cats.toml", "--host", "ada", code=2)
    assert "There is no account called 'ada'" in said
    database = Database(place / "eyechart-data" / "work.db")
    with database.writing() as rows:
        accounts.create_account(rows, "ada", "requester")
    database.close()
    typed(capsys, "create", "cats.toml", "--host", "ada")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["create", "none.toml"], "none.toml: found no text to read"),
        (["submit", "cats/open", "r.json", "--method", "x"], "found 2 names, expected CHALLENGE/TRACK/PHASE"),
        (["submit", "cats/open/test", "r.json", "--method", "x"], "Results are handed in by teams"),
        (["submit", "cats/open/test", "r.json", "--method", "x", "--team", "Cats"], "no team called 'Cats'"),
        (["submit", "cats/open/test", "r.json", "--method", "x", "--kind", "human"], "found no such kind"),
        (["submit", "cats/open/test", "none.json", "--method", "x", "--kind", "baseline"], "cannot be unpacked"),
        (["submit", "cats/open/x", "r.json", "--method", "x", "--kind", "baseline"], "no phase called 'x'"),
        (["submit", "cats/open/test", "r.json", "--method", "x", "--server", "nowhere"], "EYECHART_TOKEN"),
        (["status", "dogs"], "There is no challenge called 'dogs'"),
        (["status", "cats", "99"], "found no submission 99"),
        (["release", "cats/open/dev"], "holds no scores back"),
        (["release", "cats/open/test"], "has no end; release its scores when it is over"),
        (["rerun", "cats", "99"], "found no submission 99"),
        (["worker", "--workers", "0"], "--workers is 0"),
        (["board", "cats/open/test", "--sort", "x"], "no column 'x'"),
    ],
)
def test_mistakes_are_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """And exit code 2."""
    assert place
    monkeypatch.delenv("EYECHART_TOKEN", raising=False)
    typed(capsys, "create", "cats.toml")
    told = typed(capsys, *arguments, code=2)
    assert said in told
    assert told.count("\n") == 1
