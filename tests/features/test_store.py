"""Features at rest."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from eyechart.errors import DataError, UsageError
from eyechart.features import FeatureStore, Made, StoreDraft

MADE = Made("made up", "1", "none", "objects", 3)


def written(folder: Path, counts: list[int], *, boxes: bool = True) -> FeatureStore:
    """A store in which every number of picture n's row r is 10 n + r, in shards of two pictures."""
    rows = [np.repeat(10 * n + np.arange(count), 3).reshape(count, 3) for n, count in enumerate(counts)]
    placed = [np.full((count, 4), 0.25) for count in counts]
    with StoreDraft(folder, MADE) as draft:
        for shard in range(0, len(counts), 2):
            ids = [str(n) for n in range(shard, min(shard + 2, len(counts)))]
            chosen = slice(shard, shard + 2)
            draft.add(shard // 2, ids, rows[chosen], placed[chosen] if boxes else None)
        draft.finish(np.full((1, 3), -1.0))
    return FeatureStore.open(folder)


@pytest.mark.parametrize("counts", [[1, 3, 2, 0, 1], [2, 2, 2, 2]])
def test_what_is_written_is_read(tmp_path: Path, counts: list[int]) -> None:
    """Rows of any pictures in any order, zeros beyond a picture's own, its boxes, and the blank picture for null."""
    store = written(tmp_path / "s", counts)
    places = store.places(pl.Series(["2", None, "1", "2"]))
    seen = store.take(places)
    assert seen.counts.tolist() == [counts[2], 1, counts[1], counts[2]]
    assert seen.rows[:, :, 0].tolist()[0][: counts[2]] == [20 + row for row in range(counts[2])]
    assert seen.rows[1, 0].tolist() == [-1, -1, -1]
    assert all((seen.rows[at, count:] == 0).all() for at, count in enumerate(seen.counts))
    boxes = store.boxes(places)
    assert boxes is not None
    assert boxes[2, counts[1] - 1].tolist() == [0.25] * 4


def test_one_number_of_rows_is_one_block(tmp_path: Path) -> None:
    """Pictures with equally many rows come in one copy, the same as row by row."""
    store = written(tmp_path / "s", [1, 1, 1], boxes=False)
    out = np.empty((2, 1, 3), np.float16)
    seen = store.take(np.array([2, -1]), out)
    assert out[:, 0, 0].tolist() == [20, -1]
    assert seen.rows is out
    assert store.boxes(np.array([0])) is None


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """Finished shards are found again by the same job, and by no other."""
    draft = StoreDraft(tmp_path / "s", MADE, inputs="a")
    with draft:
        draft.add(0, ["x"], [np.ones((1, 3))])
    with StoreDraft(tmp_path / "s", MADE, inputs="a") as again:
        assert again.finished() == {0}
    with StoreDraft(tmp_path / "s", MADE, inputs="b") as other:
        assert other.finished() == set()
        other.add(0, ["y"], [np.zeros((1, 3))])
        other.finish(np.zeros((1, 3)))
    assert not draft.folder.exists()
    assert FeatureStore.open(tmp_path / "s").places(pl.Series(["y"])).tolist() == [0]


def test_mistakes_are_told(tmp_path: Path) -> None:
    """A picture without features, a folder without a store, a store that is there already."""
    store = written(tmp_path / "s", [1])
    with pytest.raises(DataError, match="no features of picture 'z' and 0 others"):
        store.places(pl.Series(["z", "0"]))
    with pytest.raises(UsageError, match="eyechart encode"):
        FeatureStore.open(tmp_path)
    with pytest.raises(UsageError, match="--force"), StoreDraft(tmp_path / "s", MADE):
        pass


def test_numbers_beyond_half_precision_are_cut(tmp_path: Path) -> None:
    """A huge number stays huge and finite."""
    with StoreDraft(tmp_path / "s", MADE) as draft:
        draft.add(0, ["x"], [np.array([[1e9, -1e9, 0.5]])])
        draft.finish(np.zeros((1, 3)))
    assert np.isfinite(FeatureStore.open(tmp_path / "s").take(np.array([0])).rows).all()
