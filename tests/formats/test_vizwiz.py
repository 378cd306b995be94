"""VizWiz: the picture's name is every id."""

from pathlib import Path

import pytest
from round_trip import Case, imported

from eyechart.errors import FormatError
from eyechart.formats import FORMATS

VIZWIZ = FORMATS.load("vizwiz")


@pytest.mark.parametrize(
    ("case", "name", "split"),
    [
        ("release_2019", "VizWiz_train_000000028000.jpg", "train"),
        ("release_2020", "VizWiz_val_00000007.jpg", "val"),
        ("test", "VizWiz_test_00000000.jpg", "test"),
    ],
)
def test_names_of_either_length_are_ids(case: str, name: str, split: str) -> None:
    """Twelve digits in 2019, eight in 2020; the name says the split, whatever the file is called."""
    tables = imported(VIZWIZ, Case("vizwiz", case).roles)
    assert tables["questions"].select("question_id", "image_id", "split").row(0) == (name, name, split)
    assert tables["images"].select("image_id", "file", "source").row(0) == (name, name, "vizwiz")


def test_answerable_is_a_label_of_its_own() -> None:
    """A question of type unanswerable may be answerable."""
    questions = imported(VIZWIZ, Case("vizwiz", "release_2020").roles)["questions"]
    assert questions.select("answer_type", "answerable").rows() == [("other", True), ("unanswerable", True)]


def test_test_questions_have_no_answers() -> None:
    """Nothing is made up for what the file does not have."""
    tables = imported(VIZWIZ, Case("vizwiz", "test").roles)
    assert "answers" not in tables
    assert tables["questions"]["answerable"].null_count() == tables["questions"].height


def test_both_tasks_are_one_prediction() -> None:
    """Answers and probabilities meet by picture, in whatever order the files are."""
    predictions = imported(VIZWIZ, Case("vizwiz", "results").roles)["predictions"]
    expected = [("VizWiz_val_00000007.jpg", "cup", 1.0), ("VizWiz_val_00000008.jpg", "yes", 0.25)]
    assert expected == predictions.select("question_id", "answer", "answerable").rows()


def test_a_picture_with_two_questions_is_refused(tmp_path: Path) -> None:
    """The name could not tell them apart."""
    path = tmp_path / "val.json"
    path.write_text('[{"image": "a.jpg", "question": "1?"}, {"image": "a.jpg", "question": "2?"}]')
    with pytest.raises(FormatError, match=r"found id 'a\.jpg' again"):
        imported(VIZWIZ, {"annotations": [path]})
