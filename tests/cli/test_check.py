"""``eyechart check``: every code is found where its fault is planted, and none in a clean benchmark."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image

from eyechart._lib.hashing import sha256_of_file
from eyechart.analysis import CHECKS
from eyechart.cli.main import main
from eyechart.store import Benchmark, MadeBy, Manifest, Part
from eyechart.tables import TABLES

Rows = list[dict[str, Any]]
Content = dict[str, Rows]
Plant = Callable[[Content], object]
Spoil = Callable[[Path], object]


def clean() -> Content:
    """A small benchmark with nothing wrong in it."""
    questions = [
        ("q1", "i1", "train", "Is the dog asleep?", "yes/no", "yes"),
        ("q2", "i2", "train", "Is the dog asleep?", "yes/no", "no"),
        ("q3", "i3", "val", "What is on the table?", "other", "cup"),
        ("q4", "i4", "val", "How many cups are there?", "number", "2"),
    ]
    names = ("question_id", "image_id", "split", "question", "answer_type", "answer")
    choices = ("cup", "dog", "lamp", "cat")
    return {
        "images": [
            {"image_id": f"i{n}", "split": "train" if n < 3 else "val", "width": 96, "height": 64, "file": f"i{n}.png"}
            for n in range(1, 5)
        ],
        "questions": [dict(zip(names, row, strict=True)) for row in questions],
        "answers": [
            {"question_id": row[0], "worker_id": str(worker), "answer": row[5], "shown": "image", "confidence": "yes"}
            for row in questions
            for worker in (1, 2, 3)
        ],
        "choices": [
            {"question_id": "q3", "position": place, "choice": choice, "is_target": choice == "cup"}
            for place, choice in enumerate(choices)
        ],
        "pairs": [{"question_id": "q1", "complement_id": "q2"}],
        "objects": [
            {"image_id": "i3", "object_id": "o1", "name": "cup", "x": 1, "y": 2, "w": 30, "h": 20},
            {"image_id": "i3", "object_id": "o2", "name": "table", "x": 0, "y": 20, "w": 96, "h": 44},
        ],
        "relations": [{"image_id": "i3", "subject_id": "o1", "predicate": "on", "object_id": "o2"}],
        "attributes": [{"image_id": "i3", "object_id": "o1", "attribute": "red"}],
        "mentions": [{"question_id": "q3", "object_id": "o2", "where": "question", "words": "4"}],
        "entailments": [{"question_id": "q3", "entailed_id": "q4", "rule": "entailed"}],
    }


def picture(seed: int) -> Image.Image:
    """A picture unlike those of other seeds."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 9, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((96, 64), Image.Resampling.BICUBIC)


def write(folder: Path, content: Content) -> Path:
    """Write the rows as they are, faults and all; the store would refuse some of them."""
    parts = {}
    for table, rows in content.items():
        path = folder / "tables" / table / "00000-000.parquet"
        path.parent.mkdir(parents=True)
        frame = pl.DataFrame(rows, schema=TABLES[table].schema)
        frame.write_parquet(path)
        parts[table] = [Part(path.relative_to(folder).as_posix(), frame.height, sha256_of_file(path))]
    rows_of = {table: len(rows) for table, rows in content.items()}
    Manifest(name="planted", made_by=MadeBy("by hand"), rows=rows_of, parts=parts).save(folder)
    (folder / "images").mkdir()
    for number in range(1, 5):
        picture(number).save(folder / "images" / f"i{number}.png")
    return folder


def change(table: str, row: int, **values: object) -> Plant:
    """Put other values into a row."""
    return lambda content: content[table][row].update(values)


def repeat(table: str, row: int, **values: object) -> Plant:
    """Add a row once more, with other values in it."""
    return lambda content: content[table].append(content[table][row] | values)


def all_right_choices_first(content: Content) -> None:
    """Sixty questions whose right choice comes first."""
    asked = content["questions"][2]
    for number in range(60):
        key = f"b{number:02d}"
        content["questions"].append(asked | {"question_id": key, "question": f"What is thing {number}?"})
        content["choices"] += [
            {"question_id": key, "position": 0, "choice": "cup", "is_target": True},
            {"question_id": key, "position": 1, "choice": "dog", "is_target": False},
        ]


def without_targets(content: Content) -> None:
    """No choice is right."""
    for choice in content["choices"]:
        choice["is_target"] = False


def tie(content: Content) -> None:
    """One person for the reference answer, one for another, one for neither."""
    content["answers"][6]["answer"], content["answers"][7]["answer"] = "plate", "fork"


PLANTS: dict[str, Plant] = {
    "missing-value": change("attributes", 0, attribute=None),
    "unlisted-value": change("answers", 0, confidence="perhaps"),
    "repeated-key": repeat("questions", 0),
    "repeated-statement": repeat("relations", 0),
    "dangling-reference": change("relations", 0, object_id="o9"),
    "unknown-image": change("questions", 0, image_id="i9"),
    "question-without-image": change("questions", 0, image_id=None),
    "unresolved-mention": change("mentions", 0, object_id="o9"),
    "unresolved-entailment": change("entailments", 0, entailed_id="q9"),
    "id-in-two-splits": repeat("questions", 0, split="val"),
    "image-in-two-splits": repeat("questions", 0, question_id="q9", question="What?", split="val"),
    "question-in-two-splits": repeat("questions", 0, question_id="q9", question="is the  dog asleep", split="val"),
    "missing-split": change("questions", 0, split=None),
    "repeated-question": repeat("questions", 0, question_id="q9"),
    "contradicting-question": repeat("questions", 0, question_id="q9", answer="no"),
    "empty-question": change("questions", 0, question=" "),
    "empty-answer": change("answers", 0, answer=" "),
    "vanishing-answer": change("questions", 0, answer="The"),
    "answer-nobody-gave": change("questions", 2, answer="plate"),
    "answer-not-most-frequent": lambda c: [row.update(answer="plate") for row in c["answers"][6:8]],
    "tied-answer": tie,
    "wrong-answer-type": change("questions", 0, answer="cup"),
    "equal-pair": change("questions", 1, answer="Yes."),
    "broken-pair": change("questions", 1, question="What now?"),
    "no-target": without_targets,
    "several-targets": change("choices", 1, is_target=True),
    "target-not-answer": change("questions", 2, answer="dog"),
    "second-right-choice": change("choices", 1, choice="A cup!"),
    "equal-choices": change("choices", 2, choice="the dog"),
    "broken-positions": change("choices", 3, position=4),
    "position-bias": all_right_choices_first,
    "box-outside-picture": change("objects", 0, w=200),
    "empty-box": change("objects", 0, w=0),
    "self-relation": change("relations", 0, object_id="o1"),
    "wrong-picture-size": change("images", 0, width=95),
}

QUESTIONS = Path("tables/questions/00000-000.parquet")


def rewrite(folder: Path, change_rows: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change the questions' file, and the hash in the manifest with it."""
    path = folder / QUESTIONS
    change_rows(pl.read_parquet(path)).write_parquet(path)
    old = Benchmark.open(folder).manifest.parts["questions"][0].sha256
    manifest = folder / "benchmark.json"
    manifest.write_text(manifest.read_text().replace(old, sha256_of_file(path)))


SPOILS: dict[str, Spoil] = {
    "missing-file": lambda folder: (folder / QUESTIONS).unlink(),
    "unreadable-file": lambda folder: (folder / QUESTIONS).write_bytes(b"PAR1, but not really"),
    "changed-file": lambda folder: (folder / QUESTIONS).write_bytes((folder / QUESTIONS).read_bytes() + b"PAR1"),
    "wrong-row-count": lambda folder: rewrite(folder, lambda rows: rows.head(3)),
    "unlisted-file": lambda folder: pl.read_parquet(folder / QUESTIONS).write_parquet(
        folder / "tables" / "questions" / "stray.parquet"
    ),
    "wrong-schema": lambda folder: rewrite(folder, lambda rows: rows.with_columns(answer=pl.lit(2))),
    "missing-picture": lambda folder: (folder / "images" / "i1.png").unlink(),
    "unreadable-picture": lambda folder: (folder / "images" / "i1.png").write_bytes(b"no picture"),
    "near-pictures-in-two-splits": lambda folder: picture(1).save(folder / "images" / "i3.png", compress_level=1),
    "near-pictures": lambda folder: picture(1).save(folder / "images" / "i2.png", compress_level=1),
}


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run the verb; its exit code and what it printed."""
    with pytest.raises(SystemExit) as stopped:
        main(["check", *arguments, "--quiet"])
    assert isinstance(stopped.value.code, int)
    return stopped.value.code, capsys.readouterr().out


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    """What is found, by code."""
    _, printed = check(capsys, *arguments, "--json")
    return {finding["code"]: finding for finding in json.loads(printed)["findings"]}


def test_a_clean_benchmark_has_no_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is found, nothing is skipped, and the exit code is 0."""
    code, printed = check(capsys, str(write(tmp_path / "b", clean())))
    assert (code, printed) == (0, "0 errors, 0 warnings, 0 notes.\n")


def test_every_code_has_a_planted_fault() -> None:
    """No check goes without a test."""
    assert set(CHECKS) == set(PLANTS) | set(SPOILS)


@pytest.mark.parametrize("code", PLANTS)
def test_a_fault_planted_in_the_rows_is_found(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The code is among the findings with its severity, a count and an example; the exit code follows the severity."""
    content = clean()
    PLANTS[code](content)
    folder = str(write(tmp_path / "b", content))
    found = findings(capsys, folder)[code]
    assert CHECKS[code].severity == found["severity"]
    assert found["count"] >= 1
    assert 1 <= len(found["examples"]) <= 3
    assert "{" not in found["sentence"]
    exit_code, _ = check(capsys, folder, "--only", code)
    assert int(CHECKS[code].severity == "error") == exit_code


@pytest.mark.parametrize("code", SPOILS)
def test_a_fault_planted_in_the_files_is_found(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The code is among the findings with an example, and nothing crashes."""
    folder = write(tmp_path / "b", clean())
    SPOILS[code](folder)
    found = findings(capsys, str(folder))[code]
    assert CHECKS[code].severity == found["severity"]
    assert found["examples"]


def test_tables_that_cannot_be_read_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file whose pages are damaged is told as such, and the other tables are checked all the same."""
    content = clean()
    PLANTS["self-relation"](content)
    folder = write(tmp_path / "b", content)
    damaged = bytearray((folder / QUESTIONS).read_bytes())
    damaged[4:400] = bytes(396)
    (folder / QUESTIONS).write_bytes(damaged)
    _, printed = check(capsys, str(folder), "--json")
    report = json.loads(printed)
    assert {"changed-file", "unreadable-file", "self-relation"} <= {found["code"] for found in report["findings"]}
    assert report["skipped"] == ["The table questions was not checked: its files cannot be read."]


def test_columns_of_another_type_leave_their_table_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The finding names column and types; other tables are checked all the same."""
    content = clean()
    PLANTS["self-relation"](content)
    folder = write(tmp_path / "b", content)
    rewrite(folder, lambda rows: rows.with_columns(answer=pl.lit(2)))
    found = findings(capsys, str(folder))
    assert found["wrong-schema"]["examples"] == ["questions"]
    assert "questions has Int32 in column answer, not String" in found["wrong-schema"]["sentence"]
    assert "self-relation" in found


def test_a_column_that_may_be_empty_may_be_absent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that was written before a column came is no fault; one without ids is."""
    folder = write(tmp_path / "b", clean())
    rewrite(folder, lambda rows: rows.drop("author_id"))
    assert findings(capsys, str(folder)) == {}
    rewrite(folder, lambda rows: rows.drop("question_id"))
    assert "has no column question_id" in findings(capsys, str(folder))["wrong-schema"]["sentence"]


def test_people_read_errors_first_and_totals_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each finding has an aligned line, its sentence and its examples."""
    content = clean()
    for code in ("equal-pair", "self-relation", "no-target"):
        PLANTS[code](content)
    code, printed = check(capsys, str(write(tmp_path / "b", content)), "--skip", "answer-nobody-gave")
    expected = """\
error    no-target      1
         None of a question's choices is the right one.
         q3

warning  self-relation  1
         Objects are related to themselves.
         i3/o1 (on)

note     equal-pair     1
         Complementary pairs have the same answer twice (9 % have in VQA v2).
         q1/q2

1 error, 1 warning, 1 note.
"""
    assert (1, expected) == (code, printed)


def test_ids_do_not_command_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters of foreign ids are shown as replacement characters, and long ids are cut."""
    content = clean()
    change("relations", 0, object_id="o1", predicate="\x1b[2J" + "on " * 50)(content)
    _, printed = check(capsys, str(write(tmp_path / "b", content)), "--only", "self-relation")
    assert "\x1b" not in printed
    assert "i3/o1 (\N{REPLACEMENT CHARACTER}[2Jon on" in printed
    assert max(map(len, printed.splitlines())) < 100


def test_the_look_at_pictures_is_kept_and_used_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second check does not decode pictures again; a changed picture is decoded anew."""
    folder = write(tmp_path / "b", clean())
    kept = folder / ".fingerprints" / "benchmark.json"
    check(capsys, str(folder))
    made = kept.stat().st_ino
    check(capsys, str(folder))
    assert made == kept.stat().st_ino
    picture(1).save(folder / "images" / "i3.png", compress_level=1)
    assert "near-pictures-in-two-splits" in findings(capsys, str(folder))
    assert made != kept.stat().st_ino


def test_a_damaged_look_at_pictures_is_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is kept is only kept for speed."""
    folder = write(tmp_path / "b", clean())
    check(capsys, str(folder))
    for path in (folder / ".fingerprints").rglob("*.parquet"):
        path.unlink()
    assert findings(capsys, str(folder)) == {}
    (folder / ".fingerprints" / "benchmark.json").write_text("{")
    assert findings(capsys, str(folder)) == {}


def test_a_benchmark_that_cannot_be_written_to_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures are looked at, and nothing is left in the folder."""
    folder = write(tmp_path / "b", clean())
    picture(1).save(folder / "images" / "i3.png", compress_level=1)
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    before = sorted(folder.iterdir())
    assert "near-pictures-in-two-splits" in findings(capsys, str(folder))
    assert before == sorted(folder.iterdir())


def test_without_picture_files_pictures_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said once, and is no fault."""
    folder = write(tmp_path / "b", clean())
    for path in (folder / "images").iterdir():
        path.unlink()
    said = "Pictures were not checked: no picture files are there.\n0 errors, 0 warnings, 0 notes.\n"
    assert (0, said) == check(capsys, str(folder))
    assert not (folder / ".fingerprints").exists()
    assert check(capsys, str(folder), "--only", "self-relation") == (0, "0 errors, 0 warnings, 0 notes.\n")


def test_the_pool_finds_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where pictures are decoded does not matter."""
    folder = write(tmp_path / "b", clean())
    SPOILS["near-pictures-in-two-splits"](folder)
    pooled = findings(capsys, str(folder), "--executor", "pool", "--workers", "2")
    (folder / ".fingerprints" / "benchmark.json").unlink()
    assert pooled == findings(capsys, str(folder))
    assert {"near-pictures-in-two-splits"} == set(pooled)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "self-relatoin"], "no check is called 'self-relatoin': did you mean 'self-relation'?"),
        (["--distance", "40"], "--distance: found 40, expected 0 to 12; choose one of these"),
    ],
)
def test_wrong_options_are_told(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on standard error, and exit code 2."""
    with pytest.raises(SystemExit) as stopped:
        main(["check", str(write(tmp_path / "b", clean())), *arguments])
    assert stopped.value.code == 2
    assert f"eyechart: {said}\n" == capsys.readouterr().err
