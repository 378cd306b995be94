"""Audits that were kept, as a figure: the same numbers, before and after."""

from pathlib import Path

import polars as pl
import pytest

from eyechart.errors import DataError, MissingBenchmarkError
from eyechart.pipeline.shortcut_report import audit_section, audited_shares
from eyechart.store import Benchmark, Draft, MadeBy

IMAGES = ["a"] * 4 + ["b"] * 4


def kept(folder: Path, scores: dict[str, list[float]], source: Benchmark | None = None) -> Path:
    """An audit's folder: the score of each question by each probe."""
    rows = pl.DataFrame(
        [
            (str(question), f"shortcut {probe}", score)
            for probe, values in scores.items()
            for question, score in enumerate(values)
        ],
        schema=["question_id", "metric", "score"],
        orient="row",
    )
    inputs = {str(source.folder): source.fingerprint} if source else {}
    with Draft(folder, MadeBy("audit", inputs=inputs)) as draft:
        draft.write("scores", rows)
    return folder


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    """Eight questions about two pictures."""
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("questions", pl.DataFrame({"question_id": list("01234567"), "image_id": IMAGES}))
    return Benchmark.open(tmp_path / "b")


def test_shares_are_means_with_intervals_by_picture(benchmark: Benchmark, tmp_path: Path) -> None:
    """All questions of a picture are right together, so the interval is as wide as that of two, not of eight."""
    shares = audited_shares(kept(tmp_path / "audit", {"Q": [1] * 4 + [0] * 4, "Q+I": [1] * 8}, benchmark))
    found = {row["probe"]: row for row in shares.iter_rows(named=True)}
    assert found["Q"]["value"] == 0.5
    assert (found["Q"]["low"], found["Q"]["high"]) == (0, 1)
    assert (found["Q+I"]["low"], found["Q+I"]["high"]) == (1, 1)
    alone = audited_shares(kept(tmp_path / "without", {"Q": [1] * 4 + [0] * 4}))
    assert alone["low"].item() > 0


def test_before_and_after_is_told_of_the_strongest_shortcut(benchmark: Benchmark, tmp_path: Path) -> None:
    """The blind probe that was best before is the one whose fall is told; what sees everything is no shortcut."""
    before = kept(tmp_path / "before", {"A": [1, 0, 0, 0], "Q+A": [1, 1, 1, 0], "I+Q+A": [1, 1, 1, 1]}, benchmark)
    after = kept(tmp_path / "after", {"A": [0, 0, 0, 0], "Q+A": [0, 1, 0, 0], "I+Q+A": [1, 1, 1, 1]}, benchmark)
    section = audit_section({"before": before, "after": after})
    (result,) = section.results
    assert result.title == "Q+A alone loses 50 points from before to after"
    assert result.rows.height == 6
    assert {number.says for number in section.numbers} == {
        "the strongest shortcut of before: Q+A",
        "the strongest shortcut of after: Q+A",
    }
    assert audit_section({"before": before}).results[0].title == "Q+A alone answers 75%"


def test_what_is_no_audit_is_told(benchmark: Benchmark, tmp_path: Path) -> None:
    """A folder without an audit, and one with other scores."""
    with pytest.raises(MissingBenchmarkError, match="found no audit there"):
        audit_section({"x": tmp_path / "nowhere"})
    with pytest.raises(DataError, match="found no shortcut scores, expected those that eyechart audit -o keeps"):
        audited_shares(benchmark.folder)
