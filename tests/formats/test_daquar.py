"""DAQUAR: a line with a question, a line with its answer."""

from pathlib import Path

import pytest
from round_trip import Case, imported

from eyechart.errors import FormatError
from eyechart.formats import FORMATS

DAQUAR = FORMATS.load("daquar")


def test_the_last_picture_named_is_the_one_shown() -> None:
    """Questions name their picture at the end, with whatever words before it; a few name another one earlier."""
    tables = imported(DAQUAR, Case("daquar", "train").roles)
    assert tables["questions"]["image_id"].to_list() == ["image3", "image4", "image383"]
    assert tables["images"]["file"].to_list() == ["image3.png", "image4.png", "image383.png"]
    assert tables["questions"]["answer"][0] == "cup, tape_dispenser"


def test_a_question_without_a_picture_has_none() -> None:
    """It is kept, without an image."""
    questions = imported(DAQUAR, Case("daquar", "reduced").roles)["questions"]
    assert questions.select("question_id", "image_id").rows() == [
        ("test-0", "image17"),
        ("test-1", None),
        ("test-2", None),
    ]


def test_an_odd_line_is_refused(tmp_path: Path) -> None:
    """Somewhere a line is missing, and what follows would be answers to other questions."""
    path = tmp_path / "train.txt"
    path.write_text("what is it in image1 ?\ncup\nwhat is it in image2 ?\n")
    with pytest.raises(FormatError, match="line 3: found the end of the file, expected 2 lines for each record"):
        imported(DAQUAR, {"questions": [path]})
