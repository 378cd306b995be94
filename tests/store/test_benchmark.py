"""Benchmark folders: whole or not at all, checked against their schemas, readable by others."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import polars as pl
import pytest

from eyechart.errors import (
    BenchmarkError,
    BenchmarkVersionError,
    MissingBenchmarkError,
    SchemaError,
    UnfinishedBenchmarkError,
    UnknownNameError,
    UsageError,
)
from eyechart.store import MANIFEST, Benchmark, Draft, MadeBy, Manifest, ShardWriter, migrations

QUESTIONS = pl.DataFrame(
    {"question_id": ["1", "2"], "question": ["Is it red?", "What is it?"], "split": ["val", "val"]}
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark of two questions."""
    with Benchmark.create(tmp_path / "tiny", licence="CC0-1.0") as draft:
        draft.write("questions", QUESTIONS)
    return tmp_path / "tiny"


def test_open_gives_what_was_written(folder: Path) -> None:
    """Rows come back with every column of the schema; tables that are not there have no rows."""
    tiny = Benchmark.open(folder)
    assert tiny.read("questions").select("question_id", "question", "split").equals(QUESTIONS)
    assert tiny.manifest.splits == {"val": 2}
    assert list(tiny) == ["questions"]
    assert tiny.read("answers").height == 0


def test_nothing_else_is_left(folder: Path) -> None:
    """A finished folder holds tables, manifest and card; the hidden folder is gone."""
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", MANIFEST, "tables"]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["tiny"]


def test_rows_must_fit(tmp_path: Path) -> None:
    """Unknown columns, missing ids and wrong types are told with table and place, and leave nothing behind."""
    for rows, message in [
        (pl.DataFrame({"question_id": ["1"], "colour": ["red"]}), "table questions: found a column 'colour'"),
        (pl.DataFrame({"question_id": ["1", None]}), "table questions, row 1: found no question_id"),
        (pl.DataFrame({"question_id": ["1"], "balanced": ["perhaps"]}), "table questions, column balanced"),
    ]:
        with pytest.raises(SchemaError, match=message), Benchmark.create(tmp_path / "bad") as draft:
            draft.write("questions", rows)
        assert list(tmp_path.iterdir()) == []


def test_a_benchmark_is_not_overwritten(folder: Path) -> None:
    """Something that is there stays unless it is to be replaced; then the old one stays until the new one is whole."""
    with pytest.raises(UsageError, match="--force"), Benchmark.create(folder):
        pass
    with pytest.raises(ZeroDivisionError), Draft(folder, MadeBy("by hand"), replace=True) as draft:
        draft.write("questions", QUESTIONS.head(1))
        raise ZeroDivisionError
    assert Benchmark.open(folder).rows("questions") == 2
    with Draft(folder, MadeBy("by hand"), replace=True) as draft:
        draft.write("questions", QUESTIONS.head(1))
    assert Benchmark.open(folder).rows("questions") == 1
    assert [path.name for path in folder.parent.iterdir()] == ["tiny"]


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    """Nothing there, another folder, an unfinished one: three different sentences."""
    with pytest.raises(MissingBenchmarkError, match="found nothing there"):
        Benchmark.open(tmp_path / "nowhere")
    with pytest.raises(MissingBenchmarkError, match="found no benchmark.json"):
        Benchmark.open(tmp_path)
    (tmp_path / ".half.unfinished").mkdir()
    with pytest.raises(UnfinishedBenchmarkError, match="run the command that was stopped again"):
        Benchmark.open(tmp_path / "half")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"name": 3}', b"\xff", b"[" * 100_000])
def test_broken_manifest(folder: Path, content: bytes) -> None:
    """A manifest that cannot be read is one sentence."""
    (folder / MANIFEST).write_bytes(content)
    with pytest.raises(BenchmarkError, match=r"benchmark\.json: found a manifest that cannot be read"):
        Benchmark.open(folder)


def test_broken_part(folder: Path) -> None:
    """A part that is gone or damaged is told with its table."""
    part = next((folder / "tables" / "questions").iterdir())
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(SchemaError, match="table questions: found parts that cannot be read"):
        Benchmark.open(folder).read("questions")
    part.unlink()
    with pytest.raises(SchemaError, match="table questions: found parts that cannot be read"):
        Benchmark.open(folder).read("questions")


def test_unknown_table(folder: Path) -> None:
    """A name that no table has is answered with the near one."""
    with pytest.raises(UnknownNameError, match="did you mean 'questions'"):
        Benchmark.open(folder).scan("question")


def test_newer_schema_is_refused(folder: Path) -> None:
    """A folder of a later version is not guessed at."""
    manifest = Manifest.load(folder)
    msgspec.structs.replace(manifest, schema_version=manifest.schema_version + 1).save(folder)
    with pytest.raises(BenchmarkVersionError, match="install a newer Eyechart"):
        Benchmark.open(folder)


def test_older_schema_is_migrated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrations apply in order while a table is scanned, from the version that the manifest names."""

    def shout(table: str, rows: pl.LazyFrame) -> pl.LazyFrame:
        return rows.with_columns(pl.col("question").str.to_uppercase()) if table == "questions" else rows

    def ask(table: str, rows: pl.LazyFrame) -> pl.LazyFrame:
        return rows.with_columns(pl.col("question") + "!") if table == "questions" else rows

    monkeypatch.setattr(migrations, "MIGRATIONS", [shout, ask])
    assert Benchmark.open(folder).read("questions")["question"].to_list() == ["IS IT RED?!", "WHAT IS IT?!"]


def test_a_folder_without_a_new_column(folder: Path) -> None:
    """A column that came later than a folder reads as unknown."""
    part = next(folder.glob("tables/questions/*.parquet"))
    pl.read_parquet(part).drop("author_id").write_parquet(part)
    assert Benchmark.open(folder).read("questions")["author_id"].to_list() == [None, None]


@pytest.mark.parametrize("moment", ["part", "card", "manifest", "between the renames"])
def test_killed_at_any_moment(tmp_path: Path, moment: str) -> None:
    """Killed while writing, before the manifest, or between the renames: the next run finishes."""
    program = f"""
import os, signal
from pathlib import Path
import polars as pl
from eyechart.store import Benchmark, draft, manifest
from eyechart._lib import files

def die(*_args, **_keywords):
    os.kill(os.getpid(), signal.SIGKILL)

moment = {moment!r}
if moment == "part": draft.sha256_of_file = die
if moment == "card": draft.dataset_card = die
if moment == "manifest": manifest.Manifest.save = die
if moment == "between the renames":
    rename = Path.replace
    Path.replace = lambda a, b: die() if a.name == ".b.unfinished" else rename(a, b)
with draft.Draft(Path({str(tmp_path / "b")!r}), manifest.MadeBy("by hand"), replace=True) as made:
    made.write("questions", pl.DataFrame({{"question_id": ["1", "2", "3"]}}))
"""
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("questions", QUESTIONS)
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    if moment == "between the renames":
        with pytest.raises(UnfinishedBenchmarkError):
            Benchmark.open(tmp_path / "b")
    else:
        assert Benchmark.open(tmp_path / "b").rows("questions") == 2
    with Draft(tmp_path / "b", MadeBy("by hand"), replace=True) as again:
        again.write("questions", pl.DataFrame({"question_id": ["1", "2", "3"]}))
    assert Benchmark.open(tmp_path / "b").rows("questions") == 3
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """A second writer of the same benchmark is told to wait."""
    with Benchmark.create(tmp_path / "b") as draft:
        with pytest.raises(UsageError, match="another process is writing here"), Benchmark.create(tmp_path / "b"):
            pass
        draft.write("questions", QUESTIONS)
    assert Benchmark.open(tmp_path / "b").rows("questions") == 2


def test_parts_are_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are held back until a part is worth a file, and come back in the order in which they were written."""
    monkeypatch.setattr("eyechart.store.draft._PART_BYTES", 2000)
    with Benchmark.create(tmp_path / "b") as draft:
        for start in range(0, 500, 10):
            draft.write("questions", pl.DataFrame({"question_id": [str(start + i) for i in range(10)]}))
    made = Benchmark.open(tmp_path / "b")
    assert 1 < len(made.manifest.parts["questions"]) < 50
    assert made.read("questions")["question_id"].to_list() == [str(i) for i in range(500)]


def test_shards_come_in_order(tmp_path: Path) -> None:
    """Whatever order shards are finished in, rows come in the order of their numbers."""
    with Draft(tmp_path / "b", MadeBy("by hand")) as draft:
        for number in (2, 0, 1):
            writer = ShardWriter(draft.folder, number)
            writer.write("questions", pl.DataFrame({"question_id": [str(number)]}))
            writer.close({"number": number})
        assert draft.finished() == {0: {"number": 0}, 1: {"number": 1}, 2: {"number": 2}}
    assert Benchmark.open(tmp_path / "b").read("questions")["question_id"].to_list() == ["0", "1", "2"]


def test_a_changed_job_starts_over(tmp_path: Path) -> None:
    """Shards of a job with another config are not taken for ours."""
    with pytest.raises(ZeroDivisionError), Draft(tmp_path / "b", MadeBy("count", {"to": 1})) as draft:
        ShardWriter(draft.folder, 0).close()
        raise ZeroDivisionError
    with Draft(tmp_path / "b", MadeBy("count", {"to": 2})) as draft:
        assert draft.finished() == {}


def test_a_folder_may_move(folder: Path, tmp_path: Path) -> None:
    """Paths in the manifest are relative, so a benchmark can be copied anywhere."""
    shutil.move(folder, tmp_path / "elsewhere")
    assert Benchmark.open(tmp_path / "elsewhere").rows("questions") == 2


def test_the_datasets_library_loads_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hugging Face `datasets` finds every table by its name through the card."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    program = (
        "import sys, datasets; datasets.disable_progress_bars();"
        "rows = datasets.load_dataset(sys.argv[1], 'questions', cache_dir=sys.argv[2]);"
        "print(list(rows), rows['full'][0]['question'])"
    )
    command = [sys.executable, "-W", "ignore", "-c", program, str(folder), str(tmp_path / "cache")]
    environment = os.environ | {"HF_HOME": str(tmp_path / "home")}
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.strip() == "['full'] Is it red?"
