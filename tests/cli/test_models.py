"""Encode, train and predict as they are typed."""

import json
from pathlib import Path

import polars as pl
import pytest
from command_line import call
from drawn_benchmark import drawn_benchmark

from eyechart.features import FeatureStore
from eyechart.store import Benchmark

QUICK = (
    "--set",
    "training.patience=null",
    "--set",
    "training.precision=fp32",
    "--set",
    "training.batch=16",
    "--set",
    "training.rate=3e-3",
)
SMALL = (
    "--set",
    "settings.width=32",
    "--set",
    "settings.word=16",
    "--set",
    "training.average=null",
    "--set",
    "training.stall=1.0",
)


@pytest.mark.slow
def test_from_pictures_to_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Encoded, trained and graded: who looks at the picture is right, who does not guesses, and attention is kept."""
    benchmark = str(drawn_benchmark(tmp_path / "b").folder)
    assert call(capsys, "encode", benchmark, "--encoder", "colors", "--view", "objects", "-q")[0] == 0
    run, out = str(tmp_path / "run"), str(tmp_path / "p")
    options = ("-o", run, "-q", "--json", "--set", "training.epochs=60", *QUICK, *SMALL)
    code, printed, _ = call(capsys, "train", "mac-objects", benchmark, *options)
    assert code == 0
    assert json.loads(printed)["results"]["held out"] > 0.75
    assert call(capsys, "predict", run, benchmark, "-o", out, "--split", "val")[0] == 0
    rows = Benchmark.open(out).read("predictions")
    assert rows.height == 16
    assert rows["attention_boxes"][0][0][4] == pytest.approx(1.0)
    assert call(capsys, "predict", run, benchmark, "-o", f"{out}-blind", "--condition", "no-image")[0] == 0
    blind = (
        Benchmark.open(f"{out}-blind")
        .read("predictions")
        .join(Benchmark.open(benchmark).read("questions"), on="question_id")
    )
    accuracy = blind.select((pl.col("answer") == pl.col("answer_right")).mean()).item()
    assert accuracy < 0.7


def test_scene_graphs_are_perfect_sight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A store of scene rows needs no pictures; the box of each object is kept."""
    benchmark = drawn_benchmark(tmp_path / "b", 4)
    code, printed, _ = call(capsys, "encode", str(benchmark.folder), "--view", "scene", "--json", "-q")
    assert code == 0
    store = FeatureStore.open(json.loads(printed)["features"])
    boxes = store.boxes(store.places(pl.Series(["0"])))
    assert boxes is not None
    assert boxes[0, 0].tolist() == pytest.approx([4 / 64, 10 / 48, 30 / 64, 36 / 48], abs=1e-3)


def test_recipes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a model, all of them."""
    code, printed, _ = call(capsys, "train")
    assert code == 0
    assert "deeper-lstm-q-norm-i" in printed


def test_open_models_answer_multiple_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where choices are offered, one of them is answered; if they are not wanted, any answer."""
    benchmark = str(drawn_benchmark(tmp_path / "b", choices=True).folder)
    run = str(tmp_path / "run")
    assert call(capsys, "train", "type-prior", benchmark, "-o", run, "-q", "--set", "settings.fewest=1")[0] == 0
    for name, options in (("offered", ()), ("open", ("--open-ended",))):
        assert call(capsys, "predict", run, benchmark, "-o", str(tmp_path / name), *options)[0] == 0
    offered, free = (Benchmark.open(tmp_path / name).read("predictions") for name in ("offered", "open"))
    assert offered["scores"].list.len().unique().to_list() == [4]
    assert free["scores"].null_count() == free.height


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("train", "mac-object", "B", "-o", "R"), "did you mean 'mac-objects'"),
        (("train", "mac-objects", "B", "-o", "R"), "eyechart encode"),
        (("train", "prior"), "eyechart train MODEL B -o RUN"),
        (("train", "prior", "B", "-o", "R", "--set", "epochs"), "NAME=VALUE"),
        (("train", "prior", "B", "-o", "R", "--set", "training.epoch=3"), "unknown field `epoch`"),
        (("train", "prior", "B", "-o", "R", "--split", "test"), "no split of questions is called 'test'"),
        (("predict", "B", "B", "-o", "P"), "eyechart train"),
        (("encode", "B", "--encoder", "colours"), "did you mean 'colors'"),
        (("encode", "B", "--view", "square"), "vector, grid, objects, scene"),
        (("encode", "B", "--detected", "B/benchmark.json"), ".tsv, .hdf5"),
    ],
)
def test_mistakes_are_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
) -> None:
    """One sentence, and what to do."""
    drawn_benchmark(tmp_path / "B", 4)
    monkeypatch.chdir(tmp_path)
    code, _, said = call(capsys, *arguments)
    assert (code, told in said) == (2, True), said


def test_features_made_otherwise_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model answers only from features like those of its training."""
    benchmark = str(drawn_benchmark(tmp_path / "b", 12).folder)
    for name, options in (("plain", ()), ("unit", ("--unit",))):
        assert call(capsys, "encode", benchmark, "--encoder", "colors", "--name", name, "-q", *options)[0] == 0
    run = str(tmp_path / "run")
    assert call(capsys, "train", "nearest-image", benchmark, "-o", run, "--features", "plain", "-q")[0] == 0
    code, _, said = call(capsys, "predict", run, benchmark, "-o", str(tmp_path / "p"), "--features", "unit")
    assert code == 2
    assert "encode the pictures in the same way" in said
    code, _, said = call(capsys, "predict", run, benchmark, "-o", str(tmp_path / "p"))
    assert "plain, unit" in said
