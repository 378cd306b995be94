"""What GQA's scores are told apart by, profiles of spelling, and what happens when nothing counts."""

from typing import get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.cli.official_gqa import Profile
from eyechart.errors import UnknownNameError
from eyechart.metrics import (
    GQA_ACCURACY,
    GQA_CONSISTENCY,
    GQA_CONSISTENCY_EQUIVALENT,
    GQA_CONSISTENCY_LENIENT,
    GQA_DISTRIBUTION,
    GQA_GROUPS,
    GQA_OOD,
    GQA_PLAUSIBILITY,
    GQA_PROFILES,
    GQA_VALIDITY,
    Absent,
    answer_distance,
    chi_square,
    gqa_accuracy,
    gqa_spelled,
)


@given(st.text(alphabet=" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2003ab?", max_size=12))
def test_words_are_those_of_python(text: str) -> None:
    """The number of words is that of Python's split, with all its blanks."""
    assert pl.DataFrame({"question": [text]}).select(GQA_GROUPS["words"]).item() == len(text.split())


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["select", "query", "exist", "choose name"]), st.sampled_from(["name", "?", "names", ""])
        ),
        max_size=5,
    )
)
def test_steps(program: list[tuple[str, str]]) -> None:
    """Steps that only ask for the result are not counted."""
    free = ("exist", "query: name", "choose name")
    expected = sum(not any(part in f"{operation}: {argument}" for part in free) for operation, argument in program)
    steps = [[{"operation": operation, "argument": argument} for operation, argument in program]]
    dtype = pl.List(pl.Struct({"operation": pl.String, "argument": pl.String}))
    assert pl.DataFrame({"program": steps}, schema={"program": dtype}).select(GQA_GROUPS["steps"]).item() == expected


def test_kinds() -> None:
    """Questions of the structural type query are open, all others binary."""
    frame = pl.DataFrame({"structural": ["query", "choose", "verify"]})
    assert frame.select(kind=GQA_GROUPS["kind"])["kind"].to_list() == ["open", "binary", "binary"]


def test_profiles_have_one_list() -> None:
    """The command line offers exactly the profiles that there are; another name is refused with a suggestion."""
    assert get_args(Profile) == tuple(GQA_PROFILES)
    with pytest.raises(UnknownNameError, match="did you mean 'lenient'"):
        gqa_accuracy("leniant")


@given(st.lists(st.sampled_from(["Yes.", " yes", "YES!", "a dog", "dog.", "."]), max_size=6))
def test_profiles_keep_rows(answers: list[str]) -> None:
    """Every profile gives a string per answer, and the same for an answer spelled already."""
    column = pl.Series("answer", answers, dtype=pl.String)
    for profile in GQA_PROFILES:
        once = gqa_spelled(column, profile)
        assert once.len() == len(answers)
        assert gqa_spelled(once, profile).to_list() == once.to_list()


@pytest.mark.parametrize(
    "metric",
    [
        GQA_ACCURACY,
        GQA_CONSISTENCY,
        GQA_CONSISTENCY_EQUIVALENT,
        GQA_CONSISTENCY_LENIENT,
        GQA_VALIDITY,
        GQA_PLAUSIBILITY,
    ],
    ids=lambda metric: metric.name,
)
def test_nothing_counts(metric: object) -> None:
    """Without balanced questions, entailments or choices there is a reason instead of a number."""
    predictions = pl.DataFrame({"question_id": ["1"], "answer": ["yes"]})
    questions = pl.LazyFrame({"question_id": ["1"], "answer": ["yes"], "balanced": [False], "detailed": ["x"]})
    with pytest.raises(Absent):
        metric.score(predictions, {"questions": questions})  # type: ignore[attr-defined]  # one of the metrics above


@pytest.mark.parametrize("metric", [GQA_DISTRIBUTION, GQA_OOD], ids=lambda metric: metric.name)
def test_no_groups(metric: object) -> None:
    """Without groups there is neither distribution nor head and tail."""
    predictions = pl.DataFrame({"question_id": ["1"], "answer": ["yes"]})
    columns = {
        "question_id": ["1"],
        "answer": ["yes"],
        "balanced": [True],
        "group_global": [None],
        "group_local": [None],
    }
    with pytest.raises(Absent):
        metric.measure(predictions, {"questions": pl.LazyFrame(columns)})  # type: ignore[attr-defined]  # as above


def test_lenient_consistency_flags() -> None:
    """Where some entailed questions are unknown, the score says so."""
    questions = pl.LazyFrame({"question_id": ["1", "2", "3"], "answer": ["a"] * 3, "balanced": [True, False, False]})
    entailments = pl.LazyFrame({"question_id": ["1", "1"], "entailed_id": ["2", "3"], "rule": ["entailed"] * 2})
    predictions = pl.DataFrame({"question_id": ["1", "2"], "answer": ["a", "a"]})
    tables = {"questions": questions, "entailments": entailments}
    assert GQA_CONSISTENCY_LENIENT.score(predictions, tables).rows() == [
        ("1", 1.0, "1 of 2 entailed questions are not known"),
        ("2", None, None),
    ]


@given(
    st.lists(st.tuples(st.sampled_from("gh"), st.sampled_from("ab"), st.sampled_from("abc")), min_size=1, max_size=20)
)
def test_distance_is_free_of_size(rows: list[tuple[str, str, str]]) -> None:
    """Ten times the questions have the same distance, between 0 and 1; chi-square is ten times as large."""
    frame = pl.DataFrame(rows, schema=["group_global", "gold", "predicted"], orient="row")
    tenfold = pl.concat([frame] * 10)
    assert answer_distance(tenfold) == pytest.approx(answer_distance(frame))
    assert 0 <= answer_distance(frame) <= 1
    assert chi_square(tenfold) == pytest.approx(10 * chi_square(frame))
