"""eyechart ask on folders: the same bytes whoever works, killed runs go on, and the command line says what was done."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from command_line import call
from made_graphs import made_graphs

from eyechart._lib.hashing import sha256_of_file
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.asking import Asking, ask, candidates
from eyechart.pipeline.stages import ask as asking
from eyechart.questions.asking import SCENES, engine
from eyechart.questions.graph import SceneGraph
from eyechart.store import Benchmark
from eyechart.tables import TABLES

IMAGES = 12


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    folder = tmp_path_factory.mktemp("scenes") / "made"
    with Benchmark.create(folder) as draft:
        for name, rows in made_graphs(IMAGES, seed=21).items():
            draft.write(name, rows)
        draft.write("questions", pl.DataFrame({"question_id": ["old"], "image_id": ["0"], "question": ["Why?"]}))
    return Benchmark.open(folder)


def content(folder: Path) -> dict[str, str]:
    """The hash of every file."""
    return {str(path.relative_to(folder)): sha256_of_file(path) for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def several_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pictures make a shard, here only: shards say themselves which rows are theirs."""
    monkeypatch.setattr(asking, "_IMAGES_PER_SHARD", 4)


@pytest.mark.usefixtures("several_shards")
def test_the_whole_way(scenes: Benchmark, tmp_path: Path) -> None:
    """Scene graphs come along, old questions do not; ids and references of tables hold; a second run does nothing."""
    how = Asking(seed=2, per_image=30)
    made = ask(scenes, Output(tmp_path / "asked"), how)
    questions = made.read("questions")
    assert questions.height > 250
    assert questions["question_id"].n_unique() == questions.height
    assert made.rows("objects") == scenes.rows("objects")
    assert "old" not in set(questions["question_id"])
    mentions = made.read("mentions").join(questions.select("question_id", "image_id"), on="question_id", how="left")
    objects = made.read("objects").select("image_id", "object_id")
    assert mentions.join(objects, on=["image_id", "object_id"], how="anti").height == 0
    assert mentions.select(TABLES["mentions"].key).is_duplicated().sum() == 0
    assert made.read("coverage").filter(what="pattern")["count"].sum() == questions.height
    before = content(made.folder)
    assert content(ask(scenes, Output(tmp_path / "asked"), how).folder) == before


@pytest.mark.slow
@pytest.mark.usefixtures("several_shards")
def test_same_bytes_on_a_pool(scenes: Benchmark, tmp_path: Path) -> None:
    """Two processes write what one writes."""
    how = Asking(seed=2, per_image=30)
    one = ask(scenes, Output(tmp_path / "one" / "made"), how, where=Where("local"))
    two = ask(scenes, Output(tmp_path / "two" / "made"), how, where=Where("pool", workers=2))
    assert content(two.folder) == content(one.folder)


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """Killed after its first shard, a run goes on and ends with the same bytes."""
    folder = tmp_path / "scenes"
    with Benchmark.create(folder) as draft:
        for name, rows in made_graphs(2200, seed=22).items():
            draft.write(name, rows)
    scenes, how = Benchmark.open(folder), Asking(seed=2, per_image=5)
    expected = content(ask(scenes, Output(tmp_path / "expected" / "made"), how).folder)
    command = [sys.executable, "-m", "eyechart.cli.main", "ask", str(folder), "-o", str(tmp_path / "made")]
    started = subprocess.Popen([*command, "--seed", "2", "--per-image", "5", "--quiet"])
    first = tmp_path / ".made.unfinished" / "shards" / "00000.json"
    while not first.exists() and started.poll() is None:
        time.sleep(0.02)
    os.kill(started.pid, signal.SIGKILL)
    assert started.wait() == -signal.SIGKILL
    assert not (tmp_path / "made").exists()
    assert content(ask(scenes, Output(tmp_path / "made"), how).folder) == expected


def test_verified(scenes: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line asks, verifies, and says what was used and refused."""
    out = str(tmp_path / "asked")
    code, printed, _ = call(capsys, "ask", str(scenes.folder), "-o", out, "--per-image", "20", "--verify", "--quiet")
    assert code == 0
    assert "questions" in printed
    assert "refused" in printed
    assert "does not agree" not in printed
    code, printed, _ = call(capsys, "ask", str(scenes.folder), "--count", "--quiet")
    assert code == 0
    assert "directOf" in printed


def test_mistakes(scenes: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong with a command is one sentence."""
    for options, message in (
        (["--rate", "0", "-o", "x"], "--rate is 0"),
        (["--per-image", "0", "-o", "x"], "--per-image is 0"),
        (["--verify", "--language", "german", "-o", "x"], "found it with --language german"),
        ([], "found no --output"),
        (["--language", "germn", "-o", str(tmp_path / "x")], "no language is called"),
    ):
        code, _, said = call(capsys, "ask", str(scenes.folder), *options, "--quiet")
        assert code == 2
        assert message in said
    bare = tmp_path / "bare"
    with Benchmark.create(bare) as draft:
        draft.write("images", pl.DataFrame({"image_id": ["1"]}))
    code, _, said = call(capsys, "ask", str(bare), "-o", str(tmp_path / "x"), "--quiet")
    assert code == 2
    assert "found no objects" in said


def test_candidates_are_what_counting_by_hand_gives(scenes: Benchmark) -> None:
    """The number of facts that is stated before anything is asked is what a loop over all graphs finds."""
    stated = dict(candidates(scenes, Asking()).select("group", "facts").iter_rows())
    words = engine().codes.ontology
    materials = relations = 0
    for graph in _graphs(scenes):
        values = [words.attribute(each) for thing in graph.things.values() for each in thing.attributes]
        materials += sum(each is not None and each.type == "material" for each in values)
        relations += sum(one != other for one, _, other in graph.relations)
    assert stated["materialVerify"] == materials
    assert stated["relVerify"] == relations


def _graphs(scenes: Benchmark) -> list[SceneGraph]:
    tables = {name: scenes.read(name) for name in SCENES}
    return [SceneGraph.from_tables(image, tables) for image in tables["images"]["image_id"]]


def test_one_stage_alone(scenes: Benchmark, tmp_path: Path) -> None:
    """The counts of a larger set can be used for a smaller one."""
    made = ask(scenes, Output(tmp_path / "asked"), Asking(counts=scenes.folder, per_image=3))
    assert made.rows("questions") > 0
    again = asking.AskQuestions(str(scenes.folder), str(scenes.folder / ".counts"), per_image=3)
    assert run(again, Output(tmp_path / "again")).read("questions").equals(made.read("questions"))
