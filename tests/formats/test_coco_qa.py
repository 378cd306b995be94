"""COCO-QA: four files, line by line."""

from pathlib import Path

import pytest
from round_trip import Case, exported, imported

from eyechart.errors import FormatError
from eyechart.formats import FORMATS

COCO_QA = FORMATS.load("coco-qa")


def test_lines_of_the_same_number_are_a_question() -> None:
    """The kind is a word, the picture has its COCO name, and the id is the split and the line."""
    tables = imported(COCO_QA, Case("coco-qa", "train").roles)
    columns = ["question_id", "image_id", "split", "question", "answer", "question_type"]
    assert tables["questions"].select(columns).rows() == [
        ("train-0", "7", "train", "what is on the table", "cup", "object"),
        ("train-1", "9", "train", "how many dogs are there", "two", "number"),
        ("train-2", "7", "train", "what is the color of the cup", "red", "color"),
        ("train-3", "123456", "train", "where is the cat", "room", "location"),
    ]
    assert tables["images"]["file"].to_list()[-1] == "COCO_train2014_000000123456.jpg"


def test_pictures_of_test_are_those_of_validation() -> None:
    """COCO-QA has no validation split; its test split was made from COCO's."""
    tables = imported(COCO_QA, Case("coco-qa", "test").roles)
    assert tables["images"].select("file", "split").rows() == [("COCO_val2014_000000000011.jpg", "test")]


def test_both_splits_are_one_benchmark(tmp_path: Path) -> None:
    """Lines are numbered anew in each split, ids are not; export gives a folder for each."""
    train, test = (Case("coco-qa", name).roles for name in ("train", "test"))
    tables = imported(COCO_QA, {role: [*train[role], *test[role]] for role in train})
    assert not tables["questions"]["question_id"].is_duplicated().any()
    written = exported(COCO_QA, tables, tmp_path)
    for role in train:
        assert [path.read_bytes() for path in written[role]] == [path.read_bytes() for path in train[role] + test[role]]
        assert [path.relative_to(tmp_path).as_posix() for path in written[role]] == [
            f"{split}/{role}.txt" for split in ("train", "test")
        ]


def test_files_of_different_length_are_refused(tmp_path: Path) -> None:
    """A missing line would shift every answer behind it."""
    questions, answers = tmp_path / "questions.txt", tmp_path / "answers.txt"
    questions.write_text("what is red\nwhat is blue\n")
    answers.write_text("cup\n")
    expected = r"questions\.txt: line 2 and .*answers\.txt: found no line for this question in the file of answers"
    with pytest.raises(FormatError, match=expected):
        imported(COCO_QA, {"questions": [questions], "answers": [answers]})


def test_line_breaks_inside_a_text_do_not_shift_lines(tmp_path: Path) -> None:
    """A question from elsewhere may hold a line break; in the file it is a space."""
    tables = imported(COCO_QA, Case("coco-qa", "train").roles)
    tables["questions"] = tables["questions"].with_columns(question=tables["questions"]["question"] + "\n?")
    (path,) = exported(COCO_QA, tables, tmp_path)["questions"]
    assert path.read_text().split("\n")[0] == "what is on the table ?"
    assert path.read_text().count("\n") == 4
