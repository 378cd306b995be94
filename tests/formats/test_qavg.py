"""Decoys: what questions alone and pictures alone suggest, and the truth among them."""

import polars as pl
from round_trip import Case, imported

from eyechart.formats import FORMATS

QAVG = FORMATS.load("qavg")


def test_decoys_know_where_they_came_from() -> None:
    """Seven candidates: three of similar images, three of similar questions, and the target."""
    choices = imported(QAVG, Case("qavg", "release").roles)["choices"].filter(question_id="9001")
    assert list(range(7)) == choices["position"].to_list()
    by_origin = choices.group_by("origin", maintain_order=True).agg("choice")
    assert dict(by_origin.iter_rows()) == {
        "iou": ["A cup.", "Glass.", "On the table."],
        "qou": ["Blue.", "Black.", "White."],
        "target": ["Red."],
    }
    assert choices.filter("is_target")["origin"].to_list() == ["target"]


def test_a_decoy_that_reads_like_the_answer_stays_a_decoy() -> None:
    """The target is the answer, not what is spelt like it."""
    choices = imported(QAVG, Case("qavg", "release").roles)["choices"].filter(question_id="9002")
    assert sorted(choices.filter(pl.col("choice") == "White.")["is_target"].to_list()) == [False, True]


def test_files_for_visual7w_need_no_questions() -> None:
    """They hold ids and decoys only; nobody knows the target."""
    tables = imported(QAVG, Case("qavg", "visual7w").roles)
    assert tables["questions"].select("question_id", "question", "split").row(0) == ("5", None, "train")
    assert tables["choices"]["is_target"].null_count() == tables["choices"].height == 6
