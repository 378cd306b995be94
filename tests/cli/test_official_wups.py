"""``eyechart official wups`` reads line-aligned files as the script does, and refuses what the script gets wrong."""

import json
from pathlib import Path

import pytest

from eyechart.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    with pytest.raises(SystemExit) as left:
        main(["official", "wups", *arguments])
    printed = capsys.readouterr()
    return int(left.value.code or 0), printed.out, printed.err


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Three questions, the last line without an end."""
    (tmp_path / "gold.txt").write_text("dog\nbook, pen\r\ndog")
    (tmp_path / "guess.txt").write_text("cat\npen, book\ndog\n\n")
    return str(tmp_path / "gold.txt"), str(tmp_path / "guess.txt")


@pytest.mark.parametrize(
    ("threshold", "score", "class_mean"),
    [("-1", 2 / 3, 0.75), ("0.0", (6 / 7 + 2) / 3, (13 / 14 + 1) / 2), ("0.9", (0.6 / 7 + 2) / 3, (7.6 / 14 + 1) / 2)],
)
def test_scores(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], threshold: str, score: float, class_mean: float
) -> None:
    """The mean over lines, and over distinct gold lines."""
    code, out, _ = run(capsys, *files, f"--threshold={threshold}", "--json")
    found = json.loads(out)
    assert (code, found["lines"], found["classes"]) == (0, 3, 2)
    assert (found["score"], found["class_mean"]) == pytest.approx((score, class_mean))
    assert (found["wordnet"] is None) == (threshold == "-1")


def test_text_names_wordnet(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """People read the same lines as of the script, and which WordNet was used."""
    _, out, _ = run(capsys, *files)
    assert "final score is 69.52%" in out
    assert "WordNet 3.0 (sha256" in out


def test_blank_lines_shift_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A blank prediction is refused with its line; dropping it gives the shifted score of the script."""
    (tmp_path / "gold.txt").write_text("dog\ncat\npen\n")
    (tmp_path / "guess.txt").write_text("\ndog\ncat\npen\n")
    paths = str(tmp_path / "gold.txt"), str(tmp_path / "guess.txt")
    code, out, message = run(capsys, *paths, "--threshold=-1")
    assert (code, out) == (2, "")
    assert "guess.txt, line 1: found a blank line (1 in all)" in message
    assert json.loads(run(capsys, *paths, "--threshold=-1", "--drop-blank", "--json")[1])["score"] == 1.0


@pytest.mark.parametrize(
    ("gold", "guess", "more", "message"),
    [
        (b"dog\ncat\n", b"dog\n", [], "guess.txt: found 1 answers, expected 2 as in"),
        (b"\n", b"dog\n", [], "gold.txt: found no answers"),
        (b"dog\n", b"\xff\n", [], "guess.txt, byte 0: found no UTF-8"),
        (b"dog\n", b"dog\n", ["--threshold=2"], "threshold: found 2, expected -1"),
        (b"dog\n", b"cat\n", ["--terms=word"], "terms: found 'word', expected one of strings, underscores, endings"),
    ],
)
def test_mistakes_are_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], gold: bytes, guess: bytes, more: list[str], message: str
) -> None:
    """Files that do not fit together, or are no text, are named."""
    (tmp_path / "gold.txt").write_bytes(gold)
    (tmp_path / "guess.txt").write_bytes(guess)
    code, _, printed = run(capsys, str(tmp_path / "gold.txt"), str(tmp_path / "guess.txt"), *more)
    assert code == 2
    assert message in printed


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path that leads nowhere is a sentence."""
    code, _, message = run(capsys, str(tmp_path / "a"), str(tmp_path / "b"))
    assert code == 2
    assert "a: No such file or directory" in message
