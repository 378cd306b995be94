"""Counter-examples, from pictures to a sheet."""

import json
from pathlib import Path

import polars as pl
import pytest
from command_line import call
from drawn_benchmark import drawn_benchmark

from eyechart.store import Benchmark


def with_neighbours(folder: Path) -> Benchmark:
    """Drawings with eight neighbours each, one of which, at a drawn rank, has another colour: people chose that one."""
    plain = drawn_benchmark(folder.parent / "plain", 48)
    questions = plain.read("questions").filter(pl.col("group_global") == "color")
    color = dict(questions.select("image_id", "answer").iter_rows())
    rows, pairs = [], []
    for number, (image_id, own) in enumerate(color.items()):
        same = [other for other in color if color[other] == own and other != image_id][:7]
        other = [each for each in color if color[each] != own][number * 5 % 30]
        near = [*same]
        near.insert(number * 3 % 8, other)
        rows += [{"image_id": image_id, "rank": rank, "neighbour_id": each} for rank, each in enumerate(near, 1)]
        pairs.append({"question_id": f"color-{image_id}", "complement_id": f"color-{other}"})
    with Benchmark.create(folder) as draft:
        draft.image_root = plain.manifest.image_root
        draft.write("images", plain.read("images"))
        draft.write("questions", questions)
        draft.write("neighbours", pl.DataFrame(rows, schema_overrides={"rank": pl.Int32}))
        draft.write("pairs", pl.DataFrame(pairs))
    return Benchmark.open(folder)


def test_explanations_beat_their_controls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The one neighbour with another colour is found by looking, and by no ranking that does not look."""
    benchmark = str(with_neighbours(tmp_path / "b").folder)
    assert call(capsys, "encode", benchmark, "--encoder", "colors", "-q")[0] == 0
    options = ("--train", "--train-split", "train", "--split", "val", "--neighbours", "8", "--epochs", "30", "--json")
    code, printed, said = call(
        capsys, "explain", str(tmp_path / "run"), benchmark, "-o", str(tmp_path / "out"), *options
    )
    assert code == 0, said
    recall = {(each["ranking"], each["k"]): each["value"] for each in json.loads(printed)["recalls"]}
    assert recall["model", 1] > 0.8
    assert recall["shuffled neighbours", 1] > 0.8
    assert max(recall[name, 1] for name in ("random", "distance", "rank-only", "hard-negative")) < 0.6
    rows = pl.read_parquet(tmp_path / "out" / "explanations.parquet")
    assert rows.group_by("question_id").agg(pl.col("place").sort())["place"].to_list()[0] == list(range(1, 9))
    sheet = (tmp_path / "out" / "explanations.html").read_text()
    assert "unlike this:" in sheet
    assert "data:image/png;base64," in sheet


def test_mistakes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without neighbours, without enough of them, without an explainer."""
    plain, benchmark = drawn_benchmark(tmp_path / "few", 8), with_neighbours(tmp_path / "b")
    for each in (plain, benchmark):
        assert call(capsys, "encode", str(each.folder), "--encoder", "colors", "-q")[0] == 0
    run, out = str(tmp_path / "run"), str(tmp_path / "out")
    assert "eyechart complement" in call(capsys, "explain", run, str(plain.folder), "-o", out)[2]
    assert "explain --train" in call(capsys, "explain", run, str(benchmark.folder), "-o", out)[2]
    assert "take fewer" in call(capsys, "explain", run, str(benchmark.folder), "-o", out, "--train")[2]
