"""Pairs and groups equal literal loops over them, whatever the order of the tables."""

from itertools import pairwise, product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.metrics.kinds import Absent, Tables
from eyechart.metrics.pairs import GROUPS, PAIRS, group_accuracies, paired_answers, square_groups

IDS = "abcdef"
GRADES = st.fixed_dictionaries(
    {},
    optional={each: st.tuples(st.sampled_from(["yes", "Yes", "no"]), st.sampled_from([0.0, 0.9, 1.0])) for each in IDS},
)
PAIRS_OF_IDS = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), max_size=8)


def pair_table(pairs: list[tuple[str, str]]) -> pl.DataFrame:
    """Pairs as a table."""
    return pl.DataFrame(pairs, schema={"question_id": pl.String, "complement_id": pl.String}, orient="row")


def graded(grades: dict[str, tuple[str, float]]) -> pl.DataFrame:
    """Answers and scores as a table."""
    rows = [(each, *grade) for each, grade in grades.items()]
    return pl.DataFrame(rows, schema={"question_id": pl.String, "answer": pl.String, "score": pl.Float64}, orient="row")


@given(PAIRS_OF_IDS, GRADES)
def test_pairs_literally(pairs: list[tuple[str, str]], grades: dict[str, tuple[str, float]]) -> None:
    """A pair counts once if both questions are graded; right is exactly 1, identical is after normalisation."""
    expected = set()
    for one, other in pairs:
        if one != other and one in grades and other in grades:
            first, second = sorted([one, other])
            both = grades[one][1] == 1 and grades[other][1] == 1
            expected.add((first, second, both, grades[one][0].lower() == grades[other][0].lower()))
    assert paired_answers(pair_table(pairs), graded(grades)).rows() == sorted(expected)


def benchmark() -> Tables:
    """Five pairs: two counting ones of which one has no number as answer type, yes/no ones, and one that repeats."""
    questions = {
        "1": ("p", "How many cats?", "number"),
        "2": ("q", "How many cats?", "number"),
        "3": ("p", "Is it red?", "yes/no"),
        "4": ("q", "Is it red?", "yes/no"),
        "5": ("p", "how many?", "other"),
        "6": ("r", "how many?", "number"),
    }
    right = {"1": "2", "2": "3", "3": "yes", "4": "no", "5": "many", "6": "6"}
    rows = [(each, *values, right[each]) for each, values in questions.items()]
    columns = ["question_id", "image_id", "question", "answer_type", "answer"]
    pairs = pair_table([("1", "2"), ("2", "1"), ("4", "3"), ("5", "6")])
    return {"questions": pl.LazyFrame(rows, schema=columns, orient="row"), "pairs": pairs.lazy()}


def answers(**said: str) -> pl.DataFrame:
    """Predictions by question."""
    return pl.DataFrame({"question_id": [each[1:] for each in said], "answer": list(said.values())})


def test_all_kinds_of_pairs() -> None:
    """Both right, identical and different over all pairs, and both right among counting questions."""
    predictions = answers(q6="6", q5="6", q4="no", q3="yes", q2="3", q1="2")
    measured = {each.part: (each.value, each.questions) for each in PAIRS.measure(predictions, benchmark())}
    assert measured == {
        "both right": (2 / 3, 6),
        "identical answers": (1 / 3, 6),
        "different answers": (2 / 3, 6),
        "both right, number": (1.0, 2),
        "both right, how many": (0.5, 4),
    }


def test_two_by_two() -> None:
    """Pictures p and q share two questions; the pair with picture r is in no group."""
    wrong_once = answers(q1="2", q2="3", q3="yes", q4="yes", q5="6", q6="6")
    measured = {each.part: each.value for each in GROUPS.measure(wrong_once, benchmark())}
    assert measured == {"question": 0.5, "image": 0.5, "group": 0.0, "single answers": 0.75}


@given(st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=6))
def test_groups_literally(outcomes: list[tuple[bool, bool, bool, bool]]) -> None:
    """With q0i0, q0i1, q1i0, q1i1: question = both pictures, picture = both questions, group = all four."""
    names = list(product(range(len(outcomes)), "01", "01"))  # group, question, picture
    ids = {(group, question, picture): f"{group}-{question}{picture}" for group, question, picture in names}
    questions = pl.DataFrame(
        {"question_id": list(ids.values()), "image_id": [f"{group}-{picture}" for group, _, picture in names]}
    )
    pairs = pair_table([(ids[g, q, "1"], ids[g, q, "0"]) for g, q in product(range(len(outcomes)), "01")])
    flat = [float(right) for outcome in outcomes for right in outcome]
    scores = pl.DataFrame({"question_id": list(ids.values()), "score": flat})
    expected = [
        (
            ((a and b) + (c and d)) / 2,
            ((a and c) + (b and d)) / 2,
            float(a and b and c and d),
            (a + b + c + d) / 4,
        )
        for a, b, c, d in outcomes
    ]
    for order in (scores, scores[::-1]):
        found = group_accuracies(square_groups(pairs, questions), order).drop("group").rows()
        assert [pytest.approx(row) for row in expected] == found


def test_groups_have_exactly_two_questions() -> None:
    """Three questions about the same two pictures are no group of two by two, and neither is one."""
    ids = [str(number) for number in range(6)]
    questions = pl.DataFrame({"question_id": ids, "image_id": ["p", "q"] * 3})
    three = pair_table(list(pairwise(ids))[::2])
    assert square_groups(three, questions).height == 0
    assert square_groups(three.head(1), questions).height == 0
    assert square_groups(three.head(2), questions)["group"].to_list() == ["p q", "p q"]


def test_always_the_same_answer() -> None:
    """Who never looks gets no pair right and answers all identically."""
    predictions = pl.DataFrame({"question_id": [str(number) for number in range(1, 7)], "answer": ["2"] * 6})
    both, identical, different, *_ = PAIRS.measure(predictions, benchmark())
    assert (both.value, identical.value, different.value) == (0.0, 1.0, 0.0)


def test_abstaining_twice_is_saying_the_same() -> None:
    """Missing answers are wrong and identical, so that shares add up."""
    silent = pl.DataFrame({"question_id": ["1", "2"], "answer": [None, None]}, schema_overrides={"answer": pl.String})
    both, identical, different, *_ = PAIRS.measure(silent, benchmark())
    assert (both.value, identical.value, different.value) == (0.0, 1.0, 0.0)


def test_nothing_to_measure() -> None:
    """Pairs of which one question is not predicted do not count; without any there is a reason."""
    single = answers(q1="2", q3="yes")
    for metric in (PAIRS, GROUPS):
        for predictions in (single, single.clear()):
            with pytest.raises(Absent, match="predicted and graded"):
                metric.measure(predictions, benchmark())
    numbers = PAIRS.measure(answers(q3="yes", q4="no"), benchmark())[3]
    assert (numbers.value, numbers.absent) == (None, "no pair of number questions is predicted and graded")
