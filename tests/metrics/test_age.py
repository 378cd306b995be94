"""Age and common sense equal literal sums, and the constants give the mean age that the paper prints."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.metrics.age import AGE, AGES, COMMONSENSE, estimates, question_ages, question_commonsense
from eyechart.metrics.kinds import Absent

VOTES = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from([*AGES, None])), min_size=1, max_size=20)
SCORES = st.fixed_dictionaries({each: st.sampled_from([0.0, 0.3, 1.0]) for each in "123"})


@given(VOTES, SCORES)
def test_both_forms(votes: list[tuple[str, str | None]], scores: dict[str, float]) -> None:
    """The paper's form divides by the number of questions, the normalised one by the sum of accuracies."""
    ages = {}
    for question in sorted({question for question, age in votes if age}):
        years = [AGES[age] for number, age in votes if number == question and age]
        ages[question] = sum(years) / len(years)
    judgements = pl.DataFrame(votes, schema={"question_id": pl.String, "youngest_age": pl.String}, orient="row")
    scored = pl.DataFrame({"question_id": list(scores), "score": list(scores.values())})
    found = question_ages(judgements)
    assert dict(found.iter_rows()) == pytest.approx(ages)
    if not ages:
        with pytest.raises(Absent, match="judged by people"):
            estimates(found, scored, "age")
        return
    products = [age * scores[question] for question, age in ages.items()]
    right = sum(scores[question] for question in ages)
    for order in (scored, scored[::-1]):
        paper, normalized, questions = estimates(found, order, "age")
        assert paper.value == pytest.approx(sum(products) / len(ages))
        assert normalized.value == (pytest.approx(sum(products) / right) if right else None)
        assert questions.value == pytest.approx(sum(ages.values()) / len(ages))


def test_the_printed_mean_age() -> None:
    """The shares of section 4 (15.3, 39.7, 28.4, 11.2, 5.5 percent) and the middles of the groups give 8.92 years."""
    shares = dict(zip(AGES, (15.3, 39.7, 28.4, 11.2, 5.5), strict=True))
    assert round(sum(AGES[group] * share for group, share in shares.items()) / sum(shares.values()), 2) == 8.92


def test_a_perfect_model_is_as_old_as_the_questions() -> None:
    """With every answer right both forms are the questions' mean age; with none, 0 and nothing."""
    judgements = {"question_id": ["1", "1", "2"], "youngest_age": ["3-4", "5-8", "18+"]}
    tables = {
        "judgements": pl.LazyFrame(judgements),
        "questions": pl.LazyFrame({"question_id": ["1", "2"], "answer": ["a", "b"]}),
    }
    right = pl.DataFrame({"question_id": ["2", "1"], "answer": ["b", "a"]})
    assert [each.value for each in AGE.measure(right, tables)] == [13.0, 13.0, 13.0]
    wrong = AGE.measure(right.with_columns(answer=pl.lit("c")), tables)
    assert [each.value for each in wrong] == [0.0, None, 13.0]
    assert wrong[1].absent == "no answer is right"


def test_common_sense() -> None:
    """A question's degree is the share of yes votes; a person without a vote does not count."""
    votes = pl.DataFrame({"question_id": ["1", "1", "1", "2"], "needs_commonsense": [True, False, None, False]})
    assert question_commonsense(votes).rows() == [("1", 0.5), ("2", 0.0)]
    tables = {"judgements": votes.lazy(), "questions": pl.LazyFrame({"question_id": ["1"], "answer": ["a"]})}
    measured = COMMONSENSE.measure(pl.DataFrame({"question_id": ["1"], "answer": ["a"]}), tables)
    assert [(each.part, each.value, each.questions) for each in measured] == [
        ("common sense, as in the paper", 0.5, 1),
        ("common sense, normalised", 0.5, 1),
        ("common sense of the questions", 0.5, 1),
    ]
