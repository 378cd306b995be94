"""Cleaning as a stage: by shards, in any executor, on from where it was, with what else the benchmark holds."""

from pathlib import Path

import polars as pl
import pytest
from graphs_by_hand import graph, together

from eyechart.errors import DataError
from eyechart.pipeline import Output, Where
from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.covering import cover
from eyechart.pipeline.normalizing import TALLIES, Cleaning, clean
from eyechart.pipeline.stages import normalize_scenes, survey_scenes
from eyechart.scenes.normalize import load_settings
from eyechart.store import Benchmark

DOG = (10.0, 60.0, 20.0, 20.0)


def raw(folder: Path, count: int = 7, **more: pl.DataFrame) -> Benchmark:
    """Some pictures of a dog that was annotated twice, with a cat and a thing that nobody knows."""
    pictures = [
        graph(
            [("a", "Dog", DOG), ("b", "dog", DOG), ("c", "CAT", (70.0, 60.0, 20.0, 20.0)), ("d", "xyzzy")],
            [("a", "grey"), ("b", "wet")],
            [("c", "is next to", "b"), ("c", "ON", "d")],
            image=str(number),
        )
        for number in range(count)
    ]
    with Benchmark.create(folder) as draft:
        for name, rows in (together(*pictures) | more).items():
            draft.write(name, rows)
    return Benchmark.open(folder)


def cleaned(benchmark: Benchmark, output: Path, *, where: Where | None = None, **how: object) -> Benchmark:
    """The clean benchmark."""
    return clean(benchmark, Output(output), Cleaning(**how), where=where or Where())  # type: ignore[arg-type]


def same(one: Benchmark, other: Benchmark) -> bool:
    """Whether two benchmarks have the same tables, rows in the same order."""
    return list(one) == list(other) and all(one.read(table).equals(other.read(table)) for table in one)


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of two pictures, in this process."""
    monkeypatch.setattr(normalize_scenes, "_IMAGES_PER_SHARD", 2)
    monkeypatch.setattr(survey_scenes, "_IMAGES_PER_SHARD", 3)


def test_clean_graphs_and_their_ledger(tmp_path: Path) -> None:
    """Names, copies, edges; counts are kept in the benchmark that was counted, and not counted again."""
    benchmark = raw(tmp_path / "raw")
    made = cleaned(benchmark, tmp_path / "clean")
    assert made.rows("objects") == 14
    assert set(made.read("objects")["name"]) == {"dog", "cat"}
    assert made.rows("changes") > 7
    counts = Benchmark.open(tmp_path / "raw" / TALLIES).read("tallies")
    assert counts.filter(kind="object").select("subject", "count").rows() == [("cat", 7), ("dog", 14)]
    assert counts.filter(kind="image")["count"].item() == 7
    before = (tmp_path / "raw" / TALLIES / "benchmark.json").stat().st_mtime_ns
    cleaned(benchmark, tmp_path / "again")
    assert (tmp_path / "raw" / TALLIES / "benchmark.json").stat().st_mtime_ns == before


@pytest.mark.usefixtures("small_shards")
def test_shards_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small shards or large ones give the same rows, also of tables that are not sorted by picture."""
    mixed = raw(tmp_path / "raw")
    shuffled = {
        name: mixed.read(name).sample(fraction=1, shuffle=True, seed=1)
        for name in ("objects", "attributes", "relations")
    }
    benchmark = raw(tmp_path / "shuffled", **shuffled)
    small = cleaned(benchmark, tmp_path / "small")
    monkeypatch.setattr(normalize_scenes, "_IMAGES_PER_SHARD", 1000)
    large = cleaned(benchmark, tmp_path / "large")
    for table in small:
        ids = [name for name, dtype in small.read(table).schema.items() if dtype != pl.List(pl.String)]
        assert small.read(table).sort(ids).equals(large.read(table).sort(ids)), table


def test_executors_change_nothing(tmp_path: Path) -> None:
    """One process or two."""
    benchmark = raw(tmp_path / "raw")
    one = cleaned(benchmark, tmp_path / "one")
    two = cleaned(benchmark, tmp_path / "two", where=Where("pool", workers=2))
    assert same(one, two)


@pytest.mark.usefixtures("small_shards")
def test_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is finished is not done again."""
    benchmark, done = raw(tmp_path / "raw"), []
    cleaning = normalize_scenes.normalize.normalize

    def interrupted(tables: dict[str, pl.DataFrame], context: object) -> dict[str, pl.DataFrame]:
        done.append(tables["images"]["image_id"][0])
        if len(done) == 3:
            raise KeyboardInterrupt
        return cleaning(tables, context)  # type: ignore[arg-type]

    monkeypatch.setattr(normalize_scenes.normalize, "normalize", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cleaned(benchmark, tmp_path / "clean")
    assert not (tmp_path / "clean").exists()
    made = cleaned(benchmark, tmp_path / "clean")
    assert done == ["0", "2", "4", "4", "6"]
    assert made.rows("images") == 7


def test_other_tables_come_along(tmp_path: Path) -> None:
    """Questions as they are; mentions of what was merged are of what stayed, of what was dropped are gone."""
    questions = pl.DataFrame({"question_id": ["q"], "image_id": ["1"], "question": ["Is the dog wet?"]})
    mentions = pl.DataFrame(
        {
            "question_id": ["q", "q", "q"],
            "object_id": ["a", "c", "d"],
            "where": ["question", "question", "answer"],
            "words": ["2", "3", "1"],
        }
    )
    made = cleaned(raw(tmp_path / "raw", questions=questions, mentions=mentions), tmp_path / "clean")
    assert made.read("questions")["question_id"].to_list() == ["q"]
    assert made.read("mentions").select("object_id", "words").rows() == [("b", "2"), ("c", "3")]


def test_counts_of_a_larger_set(tmp_path: Path) -> None:
    """What is rare in the whole is rare in the sample."""
    whole = raw(tmp_path / "whole", 40)
    sample = raw(tmp_path / "sample", 1, objects=graph([("a", "okapi"), ("b", "dog")], image="0")["objects"])
    settings = load_settings(None)
    rare = type(settings)(**{name: getattr(settings, name) for name in settings.__struct_fields__} | {"rare": 0.01})
    alone = cleaned(sample, tmp_path / "alone", settings=rare)
    judged = cleaned(sample, tmp_path / "judged", settings=rare, counts=whole.folder)
    assert set(alone.read("objects")["name"]) == {"okapi", "dog"}
    assert set(judged.read("objects")["name"]) == {"dog"}
    assert (whole.folder / TALLIES).is_dir()


def test_files_decide_whether_shards_hold(tmp_path: Path) -> None:
    """An edits file that has changed is read again."""
    benchmark, edits = raw(tmp_path / "raw"), tmp_path / "edits.csv"
    edits.write_text("action,image,what,object,became\nadd,0,object,d,kettle\n", encoding="utf-8")
    first = cleaned(benchmark, tmp_path / "first", files={"edits": edits})
    assert "kettle" in first.read("objects")["name"]
    edits.write_text("action,image,what,object,became\nadd,0,object,d,cup\n", encoding="utf-8")
    assert "cup" in cleaned(benchmark, tmp_path / "second", files={"edits": edits}).read("objects")["name"]
    edits.write_text("action,image,what,object,became\nadd,99,object,d,cup\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"edits\.csv, line 2: found the image '99'"):
        cleaned(benchmark, tmp_path / "third", files={"edits": edits})
    assert not (tmp_path / "third").exists()


def test_damaged_counts_are_made_again(tmp_path: Path) -> None:
    """They can be, at any time."""
    benchmark = raw(tmp_path / "raw")
    one = cleaned(benchmark, tmp_path / "one")
    (benchmark.folder / TALLIES / "benchmark.json").write_text("{}", encoding="utf-8")
    assert same(cleaned(benchmark, tmp_path / "two"), one)


def test_nothing_to_clean(tmp_path: Path) -> None:
    """A benchmark without scene graphs is told what it lacks, and left as it was."""
    with Benchmark.create(tmp_path / "empty"):
        pass
    empty = Benchmark.open(tmp_path / "empty")
    with pytest.raises(DataError, match="found no objects, expected scene graphs"):
        cleaned(empty, tmp_path / "clean")
    with pytest.raises(DataError, match="found no objects, expected scene graphs"):
        cover(empty)


def test_ranges_of_pictures(tmp_path: Path) -> None:
    """Every row is in one range, and a range reads little more than it needs."""
    benchmark = raw(tmp_path / "raw", 5)
    tables = ("images", "objects")
    found = [rows_of_range(benchmark, span, tables) for span in spans(benchmark, tables, 2)]
    assert [each["images"]["image_id"].to_list() for each in found] == [["0", "1"], ["2", "3"], ["4"]]
    assert pl.concat([each["objects"] for each in found]).equals(benchmark.read("objects"))
