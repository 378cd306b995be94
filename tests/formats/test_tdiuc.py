"""TDIUC: VQA's layout with one answer and its own kinds of questions."""

from round_trip import Case, imported

from eyechart.formats import FORMATS

TDIUC = FORMATS.load("tdiuc")


def test_the_one_answer_is_the_reference() -> None:
    """It is the question's answer, and one person's; the source of the question is its author."""
    tables = imported(TDIUC, Case("tdiuc", "train").roles)
    rows = tables["questions"].select("question_type", "answer", "author_id").rows()
    assert rows == [
        ("color", "red", "generation"),
        ("absurd", "doesnotapply", "generation"),
        ("counting", "two", "genome"),
    ]
    assert tables["answers"].select("worker_id", "answer").rows() == [("1", "red"), ("1", "doesnotapply"), ("1", "two")]


def test_kinds_are_not_made_up() -> None:
    """VQA's list of first words has no say here: without an annotation the kind is unknown."""
    roles = Case("tdiuc", "train").roles
    questions = imported(TDIUC, {"questions": roles["questions"]})["questions"]
    assert questions["question_type"].to_list() == [None, None, None]


def test_pictures_are_named_as_in_coco() -> None:
    """The subset is in the head, however it spells its licence."""
    for case, expected in (("train", "COCO_train2014_000000000007.jpg"), ("american", "COCO_val2014_000000000007.jpg")):
        assert expected == imported(TDIUC, Case("tdiuc", case).roles)["images"]["file"][0]
