"""WUPS equals the literal score of sets, item by item, and what the script does with its quirks."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import MissingDependencyError, UsageError
from eyechart.metrics import (
    SET_ACCURACY,
    WUPS_0_9,
    WUPS_ACM_0_9,
    WUPS_MCM_0_0,
    Absent,
    consensus_wups_scores,
    set_scores,
    wups,
    wups_scores,
)
from eyechart.text import packaged_nouns

ITEMS = ["dog", "cat", "dogs", "trash_can", "trash can", "table", "desk", "two", "three", "xyzzy", "Dog", ""]
SETS = st.lists(st.sampled_from(ITEMS), min_size=1, max_size=4).map(", ".join)
THRESHOLDS = st.sampled_from([-1.0, 0.0, 0.5, 0.9, 1.0])


def literal_measure(one: str, other: str, threshold: float) -> float:
    """1 if equal; else the similarity, a tenth of it below the threshold."""
    if one == other:
        return 1.0
    if threshold == -1:
        return 0.0
    similarity = packaged_nouns().similarity(one, other)
    return similarity * (0.1 if similarity < threshold else 1.0)


def literal_score(answer: str, prediction: str, threshold: float) -> float:
    """The smaller of both products of maxima (Malinowski and Fritz 2014, equation 8)."""
    mine, theirs = ([item.strip() for item in text.split(",")] for text in (answer, prediction))
    left = math.prod(max(literal_measure(a, t, threshold) for t in theirs) for a in mine)
    right = math.prod(max(literal_measure(t, a, threshold) for a in mine) for t in theirs)
    return min(left, right)


@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=6), THRESHOLDS)
def test_whole_columns_equal_the_literal_score(pairs: list[tuple[str, str]], threshold: float) -> None:
    """A column of answers scores as each pair does on its own."""
    answers, predictions = (pl.Series(side) for side in zip(*pairs, strict=True))
    expected = [literal_score(*pair, threshold) for pair in pairs]
    assert set_scores(answers, predictions, threshold).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "prediction", "threshold", "expected"),
    [
        ("book", "book, book", -1, 1.0),
        ("book, pen", "pen,  book", -1, 1.0),
        ("book, pen", "book", -1, 0.0),
        ("Book", "book", -1, 0.0),
        ("", "", -1, 1.0),
        ("", "book", 0.0, 0.0),
        ("dog", "cat", 0.9, 0.1 * 6 / 7),
        ("dog", "cat", 0.0, 6 / 7),
        ("two", "three", 0.9, 0.9),
        ("xyzzy", "xyzzy", 0.9, 1.0),
        ("xyzzy", "cat", 0.0, 0.0),
        ("dog, cat", "dog", 0.0, 6 / 7),
        ("trash can", "ashcan", 0.0, 0.0),
        ("trash_can", "ashcan", 0.9, 1.0),
    ],
)
def test_single_scores(answer: str, prediction: str, threshold: float, expected: float) -> None:
    """Sets, thresholds, unknown and empty items, and terms of several words score as the script does."""
    assert wups(answer, prediction, threshold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("terms", "expected"), [("strings", (0.0, 0.0)), ("underscores", (1.0, 0.0)), ("endings", (1.0, 1.0))]
)
def test_terms_of_several_words(terms: str, expected: tuple[float, float]) -> None:
    """Spaces find nothing, become underscores, or are left for the longest ending that is a noun."""
    scores = wups("trash can", "ashcan", terms=terms), wups("big Trash can", "ashcan", terms=terms)
    assert scores == pytest.approx(expected)


def test_spelling_decides_equality_where_it_is_asked_for() -> None:
    """Case and spaces divide equal answers only under the script's policy."""
    scores = [wups("Zyx wvu", "zyx_wvu", -1, terms=terms) for terms in ("strings", "underscores", "endings")]
    assert scores == [0.0, 1.0, 1.0]


def test_an_unknown_policy_is_refused() -> None:
    """A typing mistake is answered with what there is."""
    with pytest.raises(UsageError, match=r"found 'string', .* did you mean 'strings'"):
        wups("a", "b", terms="string")


def test_consensus_is_mean_and_maximum_over_people() -> None:
    """Each person counts once; questions that nobody answered have no score."""
    people = pl.DataFrame({"question_id": ["1"] * 4 + ["2"], "answer": ["dog", "dog", "cat", None, "cat"]})
    guess = pl.DataFrame({"question_id": ["3", "1"], "answer": ["dog", "dog"]})
    scores = consensus_wups_scores(guess, people, 0.0)
    assert scores["acm"].to_list() == [None, pytest.approx((1 + 1 + 6 / 7) / 3)]
    assert scores["mcm"].to_list() == [None, 1.0]


def test_questions_without_reference_have_no_score() -> None:
    """A missing reference is null, not zero; order is kept."""
    asked = pl.DataFrame({"question_id": ["1", "2"], "answer": ["dog", None]})
    guess = pl.DataFrame({"question_id": ["2", "1"], "answer": ["dog", "dog"]})
    assert wups_scores(guess, asked, -1).rows() == [("2", None), ("1", 1.0)]


def test_metrics_of_a_benchmark() -> None:
    """The named metrics read the tables that they need and say which WordNet they used."""
    tables = {
        "questions": pl.LazyFrame({"question_id": ["1"], "answer": ["dog, cat"]}),
        "answers": pl.LazyFrame(
            {
                "question_id": ["1", "1"],
                "worker_id": ["a", "b"],
                "answer": ["dog", "cat"],
                "shown": ["image", "caption"],
            }
        ),
    }
    guess = pl.DataFrame({"question_id": ["1"], "answer": ["cat, dog"]})
    assert SET_ACCURACY.score(guess, tables).rows() == [("1", 1.0)]
    assert WUPS_MCM_0_0.score(guess, tables)["score"].to_list() == [pytest.approx(6 / 7)]
    assert WUPS_ACM_0_9.made_with is not None
    assert WUPS_ACM_0_9.made_with().startswith("WordNet 3.0 (sha256 ")
    assert SET_ACCURACY.made_with is None


def test_what_is_missing_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without references or without WordNet there is a reason and no number."""
    guess = pl.DataFrame({"question_id": ["1"], "answer": ["cat"]})
    with pytest.raises(Absent, match="no reference answers"):
        WUPS_0_9.score(guess, {"questions": pl.LazyFrame({"question_id": ["1"]})})

    def no_wordnet() -> None:
        raise MissingDependencyError("install it")

    monkeypatch.setitem(set_scores.__globals__, "packaged_nouns", no_wordnet)
    with pytest.raises(Absent, match="install it"):
        WUPS_0_9.score(guess, {"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["dog"]})})
