"""JSON lines of anybody's own data."""

import json
from pathlib import Path

import pytest
from round_trip import Case, content, exported, imported

from eyechart.errors import FormatError
from eyechart.formats import FORMATS

JSONL = FORMATS.load("jsonl")


def put(path: Path, *rows: dict[str, object]) -> Path:
    """A file with these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_picture_and_a_question_are_enough() -> None:
    """Ids come from the file's name and the row, types from VQA's list; a picture that comes twice is one."""
    tables = imported(JSONL, Case("jsonl", "minimal").roles)
    assert tables["questions"].select("question_id", "image_id", "question_type").rows() == [
        ("mine-0", "a/cup.jpg", "what color is the"),
        ("mine-1", "a/cup.jpg", "is it"),
        ("mine-2", "https://pictures.example/dog.png", "is the"),
    ]
    assert tables["images"].select("file", "url").rows() == [
        ("a/cup.jpg", None),
        (None, "https://pictures.example/dog.png"),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"image": "a.jpg"}, ("a.jpg", "a.jpg", None)),
        ({"image": "folder/a"}, ("folder/a", "folder/a", None)),
        ({"image": "s3://bucket/a"}, ("s3://bucket/a", None, "s3://bucket/a")),
        ({"image": 7}, ("7", None, None)),
        ({"image": "scene-7"}, ("scene-7", None, None)),
        ({"image_id": 7}, ("7", None, None)),
        ({"image_id": 7, "image": "scene-7"}, ("7", "scene-7", None)),
        ({"image_id": 7, "url": "https://x.example/7"}, ("7", None, "https://x.example/7")),
        ({"file_name": "a.jpg", "coco_url": "https://x.example/a"}, ("a.jpg", "a.jpg", "https://x.example/a")),
    ],
)
def test_a_picture_is_known_by_file_address_or_id(
    row: dict[str, object], expected: tuple[str | None, ...], tmp_path: Path
) -> None:
    """What stands under image may be any of the three; export gives it back as it was."""
    path = put(tmp_path / "mine.jsonl", row | {"question": "What is it?"})
    tables = imported(JSONL, {"questions": [path]})
    assert expected == tables["images"].select("image_id", "file", "url").row(0)
    assert content(path) == content(exported(JSONL, tables, tmp_path / "out")["questions"][0])


def test_full_rows_fill_the_tables() -> None:
    """Every documented column has its place."""
    tables = imported(JSONL, Case("jsonl", "full").roles)
    columns = ["question_id", "image_id", "split", "question_type", "answer_type", "answer", "full_answer"]
    first = ("1", "7", "train", "what color is the", "other", "red", "The cup is red.")
    assert first == tables["questions"].select(columns).row(0)
    assert tables["answers"]["answer"].to_list() == ["red", "dark red", "red", "no", "no"]
    assert tables["choices"].select("choice", "is_target").rows() == [("blue", False), ("red", True)]
    assert tables["images"].select("width", "height").row(0) == (640, 480)


def test_all_splits_are_one_file(tmp_path: Path) -> None:
    """Rows say their split; files that are named after one stand for rows that do not."""
    train = put(
        tmp_path / "train.jsonl", {"image": "a.jpg", "question": "1?"}, {"image": 7, "question": "2?", "split": "x"}
    )
    val = put(tmp_path / "val.jsonl", {"image": "a.jpg", "question": "3?"})
    tables = imported(JSONL, {"questions": [train, val]})
    assert tables["questions"].select("question_id", "split").rows() == [
        ("train-0", "train"),
        ("train-1", "x"),
        ("val-0", "val"),
    ]
    (path,) = exported(JSONL, tables, tmp_path / "out")["questions"]
    assert content(train) + content(val) == content(path)


def test_answers_may_be_numbers_or_truth_values() -> None:
    """They become text as JSON writes it; a person's answer may have a confidence."""
    tables = imported(JSONL, Case("jsonl", "untidy").roles)
    assert tables["questions"]["answer"].to_list() == ["3", "true"]
    assert tables["answers"].select("answer", "confidence").rows()[1:] == [
        ("3.0", None),
        ("true", None),
        ("three", "maybe"),
    ]


def test_a_benchmark_from_elsewhere_is_exported(tmp_path: Path) -> None:
    """Questions of VQA become rows with confidences, file names and ids."""
    tables = imported(FORMATS.load("vqa"), Case("vqa", "open_ended").roles)
    (path,) = exported(JSONL, tables, tmp_path)["questions"]
    first = content(path)[0]
    assert (first["question_id"], first["image_id"], first["image"]) == (7000, 7, "COCO_val2014_000000000007.jpg")
    assert first["answers"][0] == {"answer": "red", "answer_confidence": "yes"}
    again = imported(JSONL, {"questions": [path]})
    assert again["answers"].equals(tables["answers"])
    assert again["questions"].equals(tables["questions"])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"image": "a.jpg"}, r"line 1 \(id mine-0\): found no member `question`"),
        ({"question": "?"}, r"line 1 \(id mine-0\): found no image, image_url or image_id, expected one of them"),
        ({"question": "?", "image": "a.jpg", "width": 10**12}, "width: found another value, expected"),
        ({"question": "?", "image": "a.jpg", "answers": "yes"}, "answers: found `str`, expected `array | null`"),
    ],
)
def test_unfit_rows_are_refused(row: dict[str, object], expected: str, tmp_path: Path) -> None:
    """The sentence says what a row needs."""
    with pytest.raises(FormatError, match=expected):
        imported(JSONL, {"questions": [put(tmp_path / "mine.jsonl", row)]})
