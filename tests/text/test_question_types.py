"""The kind of a question is the longest listed beginning, in whole words."""

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.text import QUESTION_TYPES, question_type

LISTS = Path(__file__).parents[2] / "src" / "eyechart" / "text" / "question_type_lists"


def literal_type(question: str, kind: str) -> str:
    """Try every listed type, the longest first, and ask whether the question begins with it."""
    words = question.lower().strip().split(" ")
    listed = [line.split() for line in (LISTS / QUESTION_TYPES[kind]).read_text("utf-8").splitlines()]
    for prefix in sorted(listed, key=len, reverse=True):
        if words[: len(prefix)] == prefix:
            return " ".join(prefix)
    return "none of the above"


def listed_words(kind: str) -> list[str]:
    """All words of a list, and some that are in none."""
    return sorted(
        {*(LISTS / QUESTION_TYPES[kind]).read_text("utf-8").split(), "cup", "Is", "WHAT", "colors", "isn't", ""}
    )


@pytest.mark.parametrize("kind", sorted(QUESTION_TYPES))
@given(data=st.data())
def test_agrees_with_a_literal_second_implementation(kind: str, data: st.DataObject) -> None:
    """Any sequence of listed and unlisted words has the type that trying every line gives."""
    words = st.lists(st.sampled_from(listed_words(kind)), max_size=8).map(" ".join)
    questions = data.draw(st.lists(words | st.text("aeistwh ?'", max_size=20), max_size=8))
    frame = pl.DataFrame({"question": questions}, schema={"question": pl.String})
    found = frame.select(question_type(pl.col("question"), kind))["question"].to_list()
    assert found == [literal_type(question, kind) for question in questions]


def test_unknown_questions_stay_unknown() -> None:
    """Where there is no question, there is no type."""
    frame = pl.DataFrame({"question": [None, ""]}, schema={"question": pl.String})
    assert frame.select(question_type(pl.col("question")))["question"].to_list() == [None, "none of the above"]


@pytest.mark.real_data
def test_agrees_with_real_labels(real_data: Path) -> None:
    """All 200 real questions get the type that VQA gives them."""
    questions = json.loads((real_data / "vqa_v2/questions.json").read_text())["questions"]
    labels = {
        a["question_id"]: a["question_type"]
        for a in json.loads((real_data / "vqa_v2/annotations.json").read_text())["annotations"]
    }
    frame = pl.DataFrame({"question": [q["question"] for q in questions]})
    found = frame.select(question_type(pl.col("question")))["question"].to_list()
    assert found == [labels[q["question_id"]] for q in questions]
    assert len(found) == 200
