"""Nearest rows: blocks, thresholds and half precision leave no trace in what is found."""

import numpy as np
import pytest

from eyechart.features import nearest, nearest_by_distance
from eyechart.features.neighbours import _multiplies_half


def vectors(rows: int, width: int = 24, seed: int = 1) -> np.ndarray:
    """Unit vectors in clumps, some of them twice."""
    draw = np.random.default_rng(seed)
    centres = draw.standard_normal((12, width))
    made = centres[draw.integers(0, 12, rows)] + 0.3 * draw.standard_normal((rows, width))
    made[rows // 2 : rows // 2 + rows // 10] = made[: rows // 10]
    return (made / np.linalg.norm(made, axis=1)[:, None]).astype(np.float32)


def by_comparing_all(scores: np.ndarray, k: int) -> np.ndarray:
    """The literal way: everything with everything, the first of equals first."""
    rounded = np.round(scores, 6)
    return np.lexsort((np.broadcast_to(np.arange(scores.shape[1]), scores.shape), -rounded))[:, :k]


@pytest.mark.parametrize("precision", ["single", "half"])
@pytest.mark.parametrize("k", [1, 24, 900])
def test_nearest_is_comparing_all_with_all(precision: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with small blocks, and where the k best come from many of them."""
    if precision == "half":
        pytest.importorskip("torch")
    monkeypatch.setattr("eyechart.features.neighbours._ROWS", 64)
    monkeypatch.setattr("eyechart.features.neighbours._COLUMNS", 256)
    monkeypatch.setattr("eyechart.features.neighbours._PENDING", 500)
    base = vectors(2000)
    queries = vectors(150, seed=2)
    queries[:50] = base[::40]
    found = nearest(queries, base, k, precision=precision)
    scores = queries.astype(np.float64) @ base.astype(np.float64).T
    expected = by_comparing_all(scores, k)
    np.testing.assert_array_equal(found.places, expected)
    np.testing.assert_allclose(found.scores, np.take_along_axis(np.round(scores, 6), expected, 1), atol=1e-12)


def test_nearest_by_distance_is_comparing_all_with_all() -> None:
    """Far from the origin, where squares are large and differences small."""
    base = vectors(1500) + np.float32(30)
    queries = base[::15]
    apart = np.linalg.norm(queries[:, None].astype(np.float64) - base[None].astype(np.float64), axis=2)
    found = nearest_by_distance(queries, base, 24)
    np.testing.assert_array_equal(found.places, by_comparing_all(-apart, 24))
    np.testing.assert_allclose(found.scores, np.sort(apart, axis=1)[:, :24], atol=1e-5)


def test_fewer_rows_than_wanted() -> None:
    """What is not there is -1."""
    found = nearest(vectors(3), vectors(2), 4)
    assert (found.places[:, 2:] == -1).all()
    assert np.isneginf(found.scores[:, 2:]).all()
    assert nearest(vectors(10)[:0], vectors(10), 3).places.shape == (0, 3)


def test_processor_is_asked_without_torch() -> None:
    """Whether half precision pays is told by the processor, not by trying."""
    assert _multiplies_half() in {True, False}
