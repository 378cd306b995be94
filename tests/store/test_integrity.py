"""Files that are no longer those that the manifest names."""

from pathlib import Path

import polars as pl
import pytest

from eyechart.store import DAMAGE, MANIFEST, Benchmark, damaged_files

PART = "tables/questions/00000-000.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of one file."""
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("questions", pl.DataFrame({"question_id": [str(number) for number in range(500)]}))
    return tmp_path / "b"


def problems(folder: Path) -> list[tuple[str, str]]:
    """File and problem of all damages."""
    found = damaged_files(Benchmark.open(folder))
    assert found.schema == DAMAGE
    return found.select("file", "problem").rows()


def test_a_whole_benchmark(folder: Path) -> None:
    """Has no damage, and the result its columns all the same."""
    assert problems(folder) == []


def test_a_missing_file(folder: Path) -> None:
    """Is told, and nothing is read."""
    (folder / PART).unlink()
    assert problems(folder) == [(PART, "missing")]


def test_a_file_cut_off(folder: Path) -> None:
    """Is changed, and cannot be read."""
    (folder / PART).write_bytes((folder / PART).read_bytes()[:-20])
    assert problems(folder) == [(PART, "changed"), (PART, "unreadable")]


def test_damaged_pages_under_a_sound_foot(folder: Path) -> None:
    """Are found by reading a changed file to its end."""
    content = bytearray((folder / PART).read_bytes())
    content[4:200] = bytes(196)
    (folder / PART).write_bytes(content)
    assert problems(folder) == [(PART, "changed"), (PART, "unreadable")]


def test_other_rows_than_the_manifest_says(folder: Path) -> None:
    """In a file, or in a table as a whole."""
    path = folder / PART
    pl.read_parquet(path).head(7).write_parquet(path)
    assert problems(folder) == [(PART, "changed"), (PART, "rows")]
    manifest = folder / MANIFEST
    manifest.write_text(manifest.read_text().replace('"questions": 500', '"questions": 501'))
    assert (MANIFEST, "rows") in problems(folder)


def test_a_file_that_the_manifest_does_not_name(folder: Path) -> None:
    """Is told, wherever among the tables it lies; other kinds of files are not our business."""
    stray = "tables/answers/old.parquet"
    (folder / stray).parent.mkdir()
    (folder / stray).write_bytes(b"")
    (folder / "tables" / "notes.txt").write_text("mine")
    assert [(stray, "unlisted")] == problems(folder)
