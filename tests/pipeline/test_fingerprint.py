"""The stage that looks at pictures: the same rows however it is cut and whoever does it."""

from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from eyechart.errors import EyechartError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages import fingerprint
from eyechart.pipeline.stages.fingerprint import FingerprintPictures, state_of_pictures
from eyechart.store import Benchmark

COUNT = 7


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of seven pictures, the last of them damaged, and an image without a file."""
    names = [f"{number}.png" for number in range(COUNT)]
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("images", pl.DataFrame({"image_id": [*map(str, range(COUNT + 1))], "file": [*names, None]}))
    (tmp_path / "b" / "images").mkdir()
    for number, name in enumerate(names):
        Image.radial_gradient("L").resize((40 + number, 30)).save(tmp_path / "b" / "images" / name)
    (tmp_path / "b" / "images" / names[-1]).write_bytes(b"broken")
    return tmp_path / "b"


def stage(folder: Path) -> FingerprintPictures:
    """The stage for a benchmark as it is."""
    return FingerprintPictures(str(folder), state_of_pictures(Benchmark.open(folder)) or "")


def test_each_file_has_a_row(folder: Path, tmp_path: Path) -> None:
    """With the size of the file, or the problem; images without a file are left out."""
    rows = run(stage(folder), Output(tmp_path / "prints")).read("fingerprints")
    assert [*map(str, range(COUNT))] == rows["image_id"].to_list()
    assert [*range(40, 40 + COUNT - 1), None] == rows["width"].to_list()
    assert rows["problem"].is_not_null().to_list() == [False] * (COUNT - 1) + [True]
    assert rows["phash"].null_count() == 1


def test_shards_are_slices(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pictures a shard has, the rows are the same, in the same order."""
    whole = run(stage(folder), Output(tmp_path / "whole")).read("fingerprints")
    monkeypatch.setattr(fingerprint, "_IMAGES_PER_SHARD", 2)
    assert list(stage(folder).plan()) == [0, 2, 4, 6]
    assert whole.equals(run(stage(folder), Output(tmp_path / "sliced")).read("fingerprints"))


def test_a_stopped_look_goes_on(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of finished shards are not decoded again."""
    monkeypatch.setattr(fingerprint, "_IMAGES_PER_SHARD", 2)
    seen: list[str] = []
    look = fingerprint.fingerprint

    def interrupted(path: Path) -> object:
        seen.append(path.name)
        if path.name == "4.png" and seen.count(path.name) == 1:
            raise KeyboardInterrupt
        return look(path)

    monkeypatch.setattr(fingerprint, "fingerprint", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(stage(folder), Output(tmp_path / "prints"))
    with pytest.raises(EyechartError):
        Benchmark.open(tmp_path / "prints")
    assert run(stage(folder), Output(tmp_path / "prints")).rows("fingerprints") == COUNT
    assert seen == ["0.png", "1.png", "2.png", "3.png", "4.png", "4.png", "5.png", "6.png"]


def test_a_pool_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """Executors do not matter."""
    files = [
        run(stage(folder), Output(tmp_path / where.executor), where=where).manifest.parts["fingerprints"]
        for where in (Where(), Where("pool", workers=2))
    ]
    assert files[0] == files[1]


def test_the_state_follows_the_files(folder: Path) -> None:
    """It changes with a picture's content and with a picture that goes; without any there is none."""
    benchmark = Benchmark.open(folder)
    states = [state_of_pictures(benchmark)]
    (folder / "images" / "0.png").write_bytes(b"another")
    states.append(state_of_pictures(benchmark))
    (folder / "images" / "1.png").unlink()
    states.append(state_of_pictures(benchmark))
    assert len(set(states)) == 3
    for path in (folder / "images").iterdir():
        path.unlink()
    assert state_of_pictures(benchmark) is None
