"""Intervals: the closed form is the literal sum over images, and covers the truth as often as it says."""

import math
import random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.metrics import bootstrap_interval, clustered_means, holm, jackknife_interval, paired_differences

ROWS = st.lists(st.tuples(st.sampled_from("abcde"), st.floats(0, 1)), min_size=2, max_size=30)


def frame(rows: list[tuple[str, float]]) -> pl.DataFrame:
    """Images and scores."""
    return pl.DataFrame(rows, schema={"image_id": pl.String, "score": pl.Float64}, orient="row")


def literal_error(rows: list[tuple[str, float]]) -> float | None:
    """Sum the deviations of each image, square, add up (Cameron and Miller 2015, section II)."""
    mean = sum(score for _, score in rows) / len(rows)
    images = {image for image, _ in rows}
    if len(images) < 2:
        return None
    squares = [sum(score - mean for image, score in rows if image == each) ** 2 for each in images]
    return math.sqrt(len(images) / (len(images) - 1) * sum(squares)) / len(rows)


@given(ROWS)
def test_closed_form(rows: list[tuple[str, float]]) -> None:
    """Mean, error and counts are those of the literal sums."""
    found = clustered_means(frame(rows)).row(0, named=True)
    error = literal_error(rows)
    assert found["value"] == pytest.approx(sum(score for _, score in rows) / len(rows))
    assert found["error"] == (None if error is None else pytest.approx(error, abs=1e-12))
    assert (found["questions"], found["images"]) == (len(rows), len({image for image, _ in rows}))


def test_groups_are_means_of_their_own() -> None:
    """A group's mean and interval do not know of other groups."""
    rows = frame([("a", 1.0), ("b", 0.0), ("a", 0.5), ("b", 0.25)]).with_columns(kind=pl.Series(["x", "x", "y", "y"]))
    grouped = clustered_means(rows, by=["kind"]).drop("kind")
    alone = [clustered_means(rows.filter(kind=kind)) for kind in ("x", "y")]
    assert grouped.equals(pl.concat(alone))


def test_one_image_has_no_interval() -> None:
    """Nothing is known of other images from one."""
    assert clustered_means(frame([("a", 1.0), ("a", 0.0)]))["low"].to_list() == [None]


def correlated(draw: random.Random, images: int) -> pl.DataFrame:
    """Five questions an image that share most of their luck; the true mean is a half."""
    rows = []
    for image in range(images):
        luck = draw.random()
        rows += [(str(image), float(draw.random() < luck)) for _ in range(5)]
    return frame(rows)


@pytest.mark.slow
def test_coverage() -> None:
    """Of 400 intervals of correlated questions about 95 % hold the truth; unclustered ones would hold it far less."""
    draw = random.Random(5)
    clustered = plain = 0
    for _ in range(400):
        rows = correlated(draw, 80)
        found = clustered_means(rows).row(0, named=True)
        clustered += found["low"] <= 0.5 <= found["high"]
        alone = clustered_means(rows.with_columns(image_id=pl.int_range(pl.len()).cast(pl.String))).row(0, named=True)
        plain += alone["low"] <= 0.5 <= alone["high"]
    assert 0.92 <= clustered / 400 <= 0.98
    assert plain / 400 < 0.85


def test_bootstrap_and_jackknife_agree_with_the_closed_form() -> None:
    """Three ways to the same interval."""
    rows = correlated(random.Random(1), 600)
    closed = clustered_means(rows).row(0, named=True)
    width = closed["high"] - closed["low"]
    mean = jackknife_interval(lambda kept: {"mean": float(str(kept["score"].mean()))}, rows)["mean"]
    for other in (bootstrap_interval(rows), mean):
        assert other is not None
        assert other[0] == pytest.approx(closed["low"], abs=0.25 * width)
        assert other[1] == pytest.approx(closed["high"], abs=0.25 * width)


def test_bootstrap_is_the_same_every_time() -> None:
    """Seeded, and independent of the order of rows."""
    rows = correlated(random.Random(2), 50)
    assert bootstrap_interval(rows) == bootstrap_interval(rows.reverse())


def test_pairs_cancel_what_they_share() -> None:
    """Two models that fail on the same questions differ with certainty, though each mean is uncertain."""
    rows = correlated(random.Random(3), 100).with_row_index("question_id").cast({"question_id": pl.String})
    better = rows.select("question_id", score=pl.col("score") * 0.9 + 0.1)
    found = paired_differences(rows, better).row(0, named=True)
    assert found["value"] == pytest.approx(0.1 * (1 - float(str(rows["score"].mean()))))
    assert found["p"] < 1e-6


@given(st.lists(st.none() | st.floats(0, 1), max_size=12))
def test_holm_is_the_step_down_procedure(values: list[float | None]) -> None:
    """Sorted, each times the number of those not smaller, at least the one before, at most one (Holm 1979)."""
    known = sorted(p for p in values if p is not None)
    expected: dict[int, float] = {}
    order = sorted((p, place) for place, p in enumerate(values) if p is not None)
    for rank, (p, place) in enumerate(order):
        steps = [min(1.0, (len(known) - earlier) * known[earlier]) for earlier in range(rank + 1)]
        assert p == known[rank]
        expected[place] = max(steps)
    assert holm(values) == [expected.get(place) for place in range(len(values))]


def test_models_that_never_differ() -> None:
    """Are not found to be different: the difference is 0 and its p-value 1."""
    one = pl.DataFrame({"question_id": ["1", "2"], "image_id": ["x", "y"], "score": [0.0, 1.0]})
    assert paired_differences(one, one).select("value", "low", "high", "p").row(0) == (0.0, 0.0, 0.0, 1.0)
