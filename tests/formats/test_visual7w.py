"""Visual7W: telling in words, pointing at boxes."""

import json
from pathlib import Path

import pytest
from round_trip import Case, imported

from eyechart.errors import FormatError
from eyechart.formats import FORMATS

VISUAL7W = FORMATS.load("visual7w")


def put(path: Path, *pairs: dict[str, object]) -> Path:
    """A file with one picture and these questions."""
    path.write_text(json.dumps({"images": [{"image_id": 1, "qa_pairs": pairs}]}))
    return path


def test_questions_take_the_split_of_their_picture() -> None:
    """One file has all splits."""
    questions = imported(VISUAL7W, Case("visual7w", "telling").roles)["questions"]
    assert questions.select("question_id", "image_id", "split", "question_type").rows() == [
        ("501", "7", "val", "what"),
        ("502", "7", "val", "how"),
        ("503", "9", "train", "why"),
    ]


def test_the_target_is_among_the_choices() -> None:
    """Three wrong answers in their order and the right one somewhere among them; no choices where the file has none."""
    choices = imported(VISUAL7W, Case("visual7w", "telling").roles)["choices"]
    assert choices["question_id"].value_counts(sort=True).rows() == [("501", 4), ("502", 4)]
    first = choices.filter(question_id="501")
    assert first.filter("is_target").select("choice", "origin").rows() == [("The cup.", "target")]
    assert first.filter(~first["is_target"])["choice"].to_list() == ["The car.", "The hat.", "The wall."]


def test_the_place_of_the_target_says_nothing(tmp_path: Path) -> None:
    """Over many questions the target stands everywhere equally often, and always in the same places."""
    pairs = [{"qa_id": i, "question": "?", "answer": "a", "multiple_choices": ["b", "c", "d"]} for i in range(2000)]
    path = put(tmp_path / "telling.json", *pairs)
    targets = imported(VISUAL7W, {"telling": [path]})["choices"].filter("is_target")
    counts = targets["position"].value_counts().sort("position")["count"].to_list()
    assert all(430 < count < 570 for count in counts)
    assert imported(VISUAL7W, {"telling": [path]})["choices"].filter("is_target").equals(targets)


def test_pointing_answers_are_objects() -> None:
    """An answer, and each choice, is the id of a box; the questions tell which picture a box belongs to."""
    tables = imported(VISUAL7W, Case("visual7w", "pointing").roles)
    assert tables["questions"]["answer"].to_list() == ["11", "12"]
    assert set(tables["choices"]["choice"]) == set(tables["objects"]["object_id"])
    assert tables["objects"].select("image_id", "object_id", "name", *"xywh").row(0) == (
        "8",
        "14",
        "cup",
        -2,
        6,
        20,
        25,
    )


def test_the_two_sorts_of_files_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """A pointing file given as a telling file is refused, and the other way round."""
    asked = {"qa_id": 1, "question": "Which?", "type": "which"}
    with pytest.raises(FormatError, match="found `int`, expected `str`"):
        imported(VISUAL7W, {"telling": [put(tmp_path / "file.json", asked | {"answer": 7})]})
    with pytest.raises(FormatError, match="qa_id 1: found type 'which', expected which in a pointing file"):
        imported(VISUAL7W, {"telling": [put(tmp_path / "file.json", asked | {"answer": "7"})]})
    with pytest.raises(FormatError, match="found type 'what'"):
        imported(VISUAL7W, {"pointing": [put(tmp_path / "file.json", asked | {"answer": 7, "type": "what"})]})


def test_repeated_questions_are_refused(tmp_path: Path) -> None:
    """Ids are unique in the whole file, not only in a picture."""
    asked = {"qa_id": 1, "question": "Who?", "answer": "A man."}
    with pytest.raises(FormatError, match=r"file\.json: found qa_id '1' 2 times"):
        imported(VISUAL7W, {"telling": [put(tmp_path / "file.json", asked, asked)]})


def test_the_first_candidate_is_the_prediction() -> None:
    """Further candidates are kept beside the tables."""
    predictions = imported(VISUAL7W, Case("visual7w", "results").roles)["predictions"]
    assert predictions.select("question_id", "answer").rows() == [("501", "The cup."), ("601", "11"), ("502", None)]
