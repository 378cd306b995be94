"""Descriptions: what is wrong is one sentence that says where; what is right becomes tracks, phases and splits."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_challenge import DESCRIPTION, SPLITS, make_benchmark

from eyechart.challenge import describe, hosting
from eyechart.challenge.describing import Split
from eyechart.challenge.splits import divide, packed, unpacked
from eyechart.database import Database
from eyechart.errors import EyechartError, FormatError


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('slug = "cats"', "slug = 7", "cats.toml, slug: found `int`, expected `str`"),
        ('slug = "cats"', 'slug = "Cats!"', "cats.toml, slug: found an unfit value"),
        (
            'slug = "cats"',
            'slug = "cats"\nprize = 7',
            "cats.toml: found 'prize', expected only what a description knows",
        ),
        ('slug = "cats"', "slug = ", "cats.toml: found no TOML"),
        ('metrics = ["vqa", "ma"]', 'metrics = ["vqq"]', "no metric is called 'vqq'"),
        ('metrics = ["vqa", "ma"]', "metrics = []", "track open: found no metric"),
        ('metrics = ["vqa", "ma"]', 'metrics = ["gqa-grounding"]', "which looks at more than answers"),
        (
            'guards = "test-standard"',
            'guards = "test-standart"',
            "guards 'test-standart': did you mean 'test-standard'",
        ),
        (
            'test-reserve = "never"',
            'test-reserve = "public"',
            "its scores are never shown; write test-reserve = 'never'",
        ),
        ('test-standard = "public", ', "", "test-reserve guards test-standard, which is not scored here"),
        ("shows = { test-dev", "shows = { test-deff", "phase dev: track open has no split 'test-deff'"),
        ('{ split = "test-dev" }', '{ split = "test-dev", share = 0.5 }', "found 2 of split, ids and share"),
        ("total = 20", "total = 3", "phase test: found more results a day than in all"),
        ("total = 20", "total = 20\nopens = 2026-01-01T00:00:00", "without a zone, expected one"),
        (
            "total = 20",
            "total = 20\nopens = 2026-02-01T00:00:00Z\ncloses = 2026-01-01T00:00:00Z",
            "found an end that is not after its beginning",
        ),
        ('slug = "pick"', 'slug = "test"', "found two phases called 'test'"),
        ('slug = "choice"', 'slug = "open"', "found two tracks called 'open'"),
        ('tracks = ["choice"]', 'tracks = ["chose"]', "no track is called 'chose': did you mean 'choice'"),
    ],
)
def test_mistakes_are_told_where_they_are(before: str, after: str, said: str) -> None:
    """One sentence each."""
    assert before in DESCRIPTION
    with pytest.raises(EyechartError) as refused:
        describe(DESCRIPTION.replace(before, after, 1), "cats.toml")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            '{ split = "test-dev" }',
            '{ split = "val" }',
            "found no question of split 'val' \\(the benchmark has test-challenge",
        ),
        ('{ split = "test-dev" }', '{ ids = "ids.txt" }', "found 1 ids that the benchmark does not have \\(x7\\)"),
        ('{ split = "test-dev" }', '{ ids = "none.txt" }', "found no list of ids"),
        ('groups = ["answer_type"]', 'groups = ["colour"]', "no column of questions is called 'colour'"),
        ('metrics = ["vqa", "ma"]', 'metrics = ["pairs"]', "track open: pairs needs pairs"),
        ('benchmark = "benchmark"', 'benchmark = "nowhere"', "found nothing there, expected a benchmark folder"),
        ('benchmark = "benchmark"', 'benchmark = "choiceless"', "found nothing there"),
    ],
)
def test_what_the_benchmark_lacks_is_told_at_once(
    database_url: str, tmp_path: Path, before: str, after: str, said: str
) -> None:
    """Not when the first result arrives; and nothing is half made."""
    make_benchmark(tmp_path / "benchmark")
    (tmp_path / "ids.txt").write_text("1\n2 x7")
    text = DESCRIPTION.replace(before, after, 1)
    database = Database(database_url)
    with pytest.raises(EyechartError, match=said), database.writing() as rows:
        hosting.create(rows, describe(text, "cats.toml"), text, tmp_path)
    with database.writing() as rows:
        hosting.create(rows, describe(DESCRIPTION, "cats.toml"), DESCRIPTION, tmp_path)
        with pytest.raises(EyechartError, match="There is a challenge called 'cats' already"):
            hosting.create(rows, describe(DESCRIPTION, "cats.toml"), DESCRIPTION, tmp_path)
    database.close()


@given(st.lists(st.floats(0.05, 1.0), min_size=1, max_size=4), st.integers(0, 2**32))
def test_splits_by_lot_share_the_images(shares: list[float], seed: int) -> None:
    """No image is in two splits, whole images go together, and the order of the questions does not matter."""
    total = sum(shares)
    splits = {f"s{place}": Split(share=share / total) for place, share in enumerate(shares)}
    asked = pl.DataFrame(
        {
            "question_id": [str(n) for n in range(300)],
            "image_id": [str(n // 3) for n in range(300)],
            "split": ["x"] * 300,
        }
    )
    try:
        made = divide(asked, splits, seed=seed, name="t")
        again = divide(asked.reverse(), splits, seed=seed, name="t")
    except EyechartError as empty:
        assert "found no question for it" in str(empty)  # noqa: PT017 - a small share may win no image
        return
    image = dict(asked.select("question_id", "image_id").rows())
    places: dict[str, set[str]] = {}
    for slug, ids in made.items():
        assert set(ids) == set(again[slug])
        for key in ids:
            places.setdefault(image[key], set()).add(slug)
    assert {len(slugs) for slugs in places.values()} == {1}
    assert sum(ids.len() for ids in made.values()) >= 297  # the last share ends at 1 but for rounding


def test_ids_come_back_from_the_database() -> None:
    """Whatever they are."""
    ids = pl.Series("question_id", ["1", "n17", "007", "ä"], dtype=pl.String)
    assert unpacked(packed(ids)).equals(ids)


def test_a_phase_without_tracks_takes_all_that_fit() -> None:
    """Those that have its splits."""
    text = DESCRIPTION.replace('tracks = ["open"]\n', "", 2)
    described = describe(text, "cats.toml")
    assert [[phase.slug for phase in described.phases_of(track)] for track in described.tracks] == [
        ["dev", "test"],
        ["pick"],
    ]
    assert set(described.tracks[0].splits) == set(SPLITS)
    with pytest.raises(FormatError):
        describe("[" * 5000, "deep.toml")
