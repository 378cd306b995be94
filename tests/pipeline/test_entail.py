"""The entailment stage: what follows from what, with what is there brought along, however it runs."""

import json
from pathlib import Path

import polars as pl
import pytest

from eyechart.cli.main import main
from eyechart.errors import DataError
from eyechart.metrics import followers
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages import entail
from eyechart.pipeline.stages.entail import EntailQuestions
from eyechart.questions import Program
from eyechart.store import Benchmark

STEP = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
ASKED = {
    "color": ("select: apple (7)->query: color [0]", "red"),
    "again": ("select: apple (7)->query: color [0]", "red"),
    "green": ("select: apple (7)->verify color: green [0]", "no"),
    "there": ("select: fruit (7)->exist: ? [0]", "yes"),
    "left": ("select: apple (7)->verify rel: cup,to the left of,s (8) [0]", "yes"),
    "right": ("select: cup (8)->verify rel: apple,to the right of,s (7) [0]", "yes"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same questions about each of nine images, in two parts."""
    rows = [
        {"question_id": f"{image} {key}", "image_id": image, "answer": answer, "program": Program.parse(program).rows}
        for image in "123456789"
        for key, (program, answer) in ASKED.items()
    ]
    made = tmp_path / "asked"
    with Benchmark.create(made) as draft:
        draft.write("questions", pl.DataFrame(rows, schema_overrides={"program": pl.List(STEP)}))
        draft.write("images", pl.DataFrame({"image_id": list("123456789")}))
    return made


def entailed(folder: Path, output: Path, where: Where | None = None) -> Benchmark:
    """The benchmark with entailments."""
    return run(EntailQuestions(str(folder)), Output(output), where=where or Where())


def test_what_follows_within_each_image(folder: Path, tmp_path: Path) -> None:
    """Equal questions are equivalent and follow too; a color tells another one, a relation its inverse."""
    made = entailed(folder, tmp_path / "made")
    rows = set(made.read("entailments").filter(pl.col("question_id").str.starts_with("3 ")).iter_rows())
    assert rows >= {
        ("3 color", "3 color", "equivalent"),
        ("3 color", "3 again", "equivalent"),
        ("3 color", "3 again", "stated"),
        ("3 color", "3 green", "exclusive"),
        ("3 left", "3 right", "inverse"),
        ("3 right", "3 left", "inverse"),
        ("3 color", "3 there", "category+existence"),
    }
    assert ("3 green", "3 color") not in {row[:2] for row in rows}
    assert all(entailed_id.startswith("3 ") for _, entailed_id, _ in rows)
    assert made.rows("images") == 9


def test_metrics_read_it(folder: Path, tmp_path: Path) -> None:
    """Consistency over entailed questions counts each once, with those that mean the same."""
    pairs = followers(entailed(folder, tmp_path / "made").scan("entailments"))
    of_color = pairs.filter(pl.col("question_id") == "3 color")["entailed_id"]
    assert sorted(of_color) == ["3 again", "3 green", "3 there"]


def test_workers_change_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process and two make the same files."""
    monkeypatch.setattr(entail, "_IMAGES_PER_SHARD", 2)
    one, two = (
        entailed(folder, tmp_path / name, where)
        for name, where in (("one", Where()), ("two", Where("pool", workers=2)))
    )
    assert one.manifest.parts == two.manifest.parts
    assert len(one.manifest.parts["entailments"]) == 5


def test_questions_without_programs_are_told(tmp_path: Path) -> None:
    """Nothing can follow from words alone."""
    with Benchmark.create(tmp_path / "typed") as draft:
        draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}))
    with pytest.raises(DataError, match="found no programs, expected questions that say what they mean"):
        entailed(tmp_path / "typed", tmp_path / "made")


def test_the_verb(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says how many answers follow from others, and by which rules."""
    arguments = ["entail", str(folder), "-o", str(tmp_path / "made"), "-q"]
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--json"])
    assert left.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert told["questions"] == 54
    assert told["rules"]["inverse"] == 18
    with pytest.raises(SystemExit):
        main(arguments)
    assert "exclusive" in capsys.readouterr().out
