"""``eyechart patterns`` lists, checks and tries patterns, packaged ones and those of a folder."""

import re
from pathlib import Path

import msgspec
import pytest

from eyechart.cli.main import main

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "patterns.md"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The folder that the how-to page shows, written as it stands there."""
    blocks = re.findall(r"```toml file=mine/(\S+)\n(.*?)```", HOW_TO.read_text("utf-8"), re.DOTALL)
    assert [name for name, _ in blocks] == ["groups/tidy.toml", "english/tidy.toml"]
    for name, text in blocks:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def _run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["patterns", *arguments])
    return int(end.value.code or 0)


def test_list_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """The counts are the sums of what is listed."""
    assert _run("list", "--json") == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert len(found["groups"]) >= 117
    assert found["patterns"] == sum(each["patterns"] for each in found["groups"]) >= 524
    assert found["surfaces"] == sum(each["surfaces"] for each in found["groups"]) >= 2294
    assert found["natural"] >= 250


def test_list_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("list", "--language", "german") == 0
    assert re.search(r"\d+ groups, \d+ patterns \(\d+ as people ask\), \d+ surface forms", capsys.readouterr().out)
    assert _run("list", "--language", "german", "--about") == 0
    assert "whether there is a thing of a kind that is there" in capsys.readouterr().out


def test_try_a_pattern(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    """A pattern of one's own asks about the toy world, in all its surface forms."""
    assert _run("try", "tidyYes/1", "--patterns", str(mine), "-n", "5", "--json") == 0
    said = msgspec.json.decode(capsys.readouterr().out)
    assert {each["surface"] for each in said} == {0, 1}
    assert all(re.fullmatch(r"Is .* (really )?(tidy|messy)\?", each["question"]) for each in said)
    assert {each["answer"] for each in said} == {"yes"}
    assert all(each["full_answer"].startswith("Yes, the ") for each in said)


def test_the_how_to_page_passes_lint(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    """Only the groups of the folder are checked, and there is nothing to complain of."""
    assert _run("lint", "--patterns", str(mine)) == 0
    assert "Found nothing in 2 groups." in capsys.readouterr().out


def test_lint_complains(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    """What the compiler cannot see: a name that fits several things, a doubled word, a missing mark, an open twin."""
    words = mine / "english" / "tidy.toml"
    text = words.read_text("utf-8").replace("{is o} {o} [really] {v}?", "Is is {the o} {v}")
    words.write_text(text, "utf-8")
    groups = mine / "groups" / "tidy.toml"
    groups.write_text(groups.read_text("utf-8").replace('twin = "tidyNo"\n', ""), "utf-8")
    assert _run("lint", "--patterns", str(mine)) == 1
    told = capsys.readouterr().out
    assert "{the o} may fit" not in told  # the program finds o
    assert "'Is' twice" in told
    assert "no question mark at the end" in told
    assert "tidyYes: every answer is yes; name the group with the other one as its twin" in told


def test_mistakes(capsys: pytest.CaptureFixture[str], mine: Path) -> None:
    assert _run("try", "tidyYess", "--patterns", str(mine)) == 2
    assert "no group is called 'tidyYess': did you mean 'tidyYes'" in capsys.readouterr().err
    assert _run("try", "tidyYes/9", "--patterns", str(mine)) == 2
    assert "has no pattern '9'; it has 1 to 3" in capsys.readouterr().err
    assert _run("list", "--language", "klingon") == 2
    assert "no language is called 'klingon'" in capsys.readouterr().err
