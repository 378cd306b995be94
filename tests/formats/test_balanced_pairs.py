"""Balanced pairs without ids: a question becomes two, a picture each."""

from pathlib import Path

import pytest
from round_trip import Case, exported, imported

from eyechart.formats import FORMATS

PAIRS = FORMATS.load("balanced-pairs")


def test_a_pair_becomes_two_questions() -> None:
    """Ids come from the place, the picture's id from its address."""
    tables = imported(PAIRS, Case("balanced-pairs", "train").roles)
    assert tables["questions"].select("question_id", "image_id", "split", "answer").rows() == [
        ("train-0-original", "310", "train", "red"),
        ("train-0-new", "472", "train", "black and yellow"),
        ("train-1-original", "9", "train", "yes"),
        ("train-1-new", "310", "train", "no"),
    ]
    first = tables["pairs"].select("question_id", "complement_id", "origin").row(0)
    assert first == ("train-0-original", "train-0-new", "people")
    assert tables["images"].select("image_id", "file").row(0) == ("310", "COCO_train2014_000000000310.jpg")


def test_addresses_of_other_pictures_are_their_ids() -> None:
    """Without a COCO number the whole address tells pictures apart."""
    images = imported(PAIRS, Case("balanced-pairs", "untidy").roles)["images"]
    assert images["image_id"].to_list() == ["https://other.example/a?b=c", "", "x"]


def test_pairs_of_vqa_can_be_listed(tmp_path: Path) -> None:
    """A benchmark from elsewhere is exported with file names where it has no addresses."""
    tables = imported(FORMATS.load("vqa"), Case("vqa", "pairs").roles)
    (path,) = exported(PAIRS, tables, tmp_path)["pairs"]
    again = imported(PAIRS, {"pairs": [path]})
    assert again["images"]["image_id"].to_list() == ["7", "8", "9"]
    assert again["questions"]["question"].to_list() == ["Is it red?"] * 4


@pytest.mark.real_data
def test_real_pairs(real_data: Path) -> None:
    """A thousand real pairs: every one has two pictures and two answers."""
    tables = imported(PAIRS, {"pairs": [real_data / "vqa_v2/balanced_pairs_1000.json"]})
    assert (tables["pairs"].height, tables["questions"].height, tables["images"].height) == (1000, 2000, 1932)
    assert tables["images"]["split"].unique().to_list() == ["train"]
    assert "extras" not in tables
