"""``eyechart ontology``: check and cover, from the command line."""

import json
from pathlib import Path

import polars as pl
import pytest
from command_line import call

from eyechart.store import Benchmark

FILES = {
    "categories.toml": "[thing]\n[fruit]\nparents = ['thing']\n[empty]\nparents = ['thing']\n",
    "types.toml": "[color]\nexclusive = true\n",
    "objects/fruit.csv": "name,is\napple,fruit\n",
    "attributes/color.csv": "name,type\norange,color\n",
    "relations/places.csv": "name,kind\nabove,preposition\n",
}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """An ontology of one's own, with a kind of which there is nothing."""
    for name, text in FILES.items():
        file = tmp_path / "own" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "own"


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    """A few words of annotators."""
    with Benchmark.create(tmp_path / "raw") as draft:
        things = ["Apples", "apple", "Dog", "Dog", "area"]
        ids = [str(number) for number in range(len(things))]
        draft.write("objects", pl.DataFrame({"image_id": "1", "object_id": ids, "name": things}))
        draft.write("attributes", pl.DataFrame({"image_id": "1", "object_id": ids[:1], "attribute": ["Orange"]}))
    return tmp_path / "raw"


def test_the_packaged_ontology_is_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Sizes, nothing found, exit code 0."""
    code, out, _ = call(capsys, "ontology", "check")
    assert code == 0
    assert "Found: nothing." in out
    code, out, _ = call(capsys, "ontology", "check", "--json")
    told = json.loads(out)
    assert (code, told["faults"]) == (0, [])
    assert told["sizes"]["objects"] >= 1740


def test_faults_are_told(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With place and advice, exit code 1; the same for machines."""
    code, out, _ = call(capsys, "ontology", "check", str(own))
    assert code == 1
    assert "categories.toml, [empty]" in out
    assert "'empty' has nothing below it; put objects into it or remove it" in out
    assert "Found: 1 orphan." in out
    code, out, _ = call(capsys, "ontology", "check", str(own), "--json")
    (fault,) = json.loads(out)["faults"]
    assert (code, fault["code"], fault["name"]) == (1, "orphan", "empty")


def test_an_ontology_that_cannot_be_read(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with file, line and word, exit code 2."""
    (own / "objects" / "fruit.csv").write_text("name,is\napple,friut\n", encoding="utf-8")
    code, _, said = call(capsys, "ontology", "check", str(own))
    assert code == 2
    assert "fruit.csv, line 2: found what it is 'friut'" in said
    assert "did you mean 'fruit'" in said


def test_coverage(benchmark: Path, own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mentions and distinct words, what is not mapped; for the packaged ontology and for one's own."""
    code, out, _ = call(capsys, "ontology", "cover", str(benchmark), "--json")
    told = json.loads(out)
    assert code == 0
    things, colors = told["coverage"]
    assert (things["mentions"], things["mapped"], things["amorphous"]) == (5, 4, 1)
    assert (things["words"], things["words_mapped"], colors["mapped"]) == (4, 3, 1)
    assert [(each["word"], each["fate"]) for each in told["unmapped"]] == [("area", "amorphous")]
    _, out, _ = call(capsys, "ontology", "cover", str(benchmark), "--ontology", str(own), "--json")
    told = json.loads(out)
    assert told["coverage"][0]["mapped"] == 2
    assert [(each["word"], each["count"]) for each in told["unmapped"]] == [("Dog", 2), ("area", 1)]
    _, out, _ = call(capsys, "ontology", "cover", str(benchmark), "--ontology", str(own), "--top", "1")
    assert "objects that are not mapped\n2  Dog  unknown word" in out
    assert "40.0 %" in out
    assert "area" not in out
    _, out, _ = call(capsys, "ontology", "cover", str(benchmark), "--top", "0")
    assert "not mapped" not in out
