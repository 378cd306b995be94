"""Means over types equal a literal second implementation, with the quirks of two programs under their names."""

from collections import Counter, defaultdict
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.metrics.kinds import Absent, Measure
from eyechart.metrics.mean_per_type import (
    CLASS_NORMALIZED,
    CLEAN,
    MEAN_PER_TYPE,
    RAMEN,
    TDIUC,
    answer_classes,
    class_normalized_accuracy,
    mean_per_type,
    per_type,
    tdiuc_scores,
)
from eyechart.metrics.vqa_accuracy import vqa_accuracies

Record = tuple[str, str, str]  # type, reference, prediction
RECORDS = st.lists(
    st.tuples(st.sampled_from(["color", "counting", "absurd"]), st.sampled_from("abc"), st.sampled_from("abcd")),
    min_size=1,
    max_size=30,
)


def tables(records: list[Record], unasked: tuple[str, ...] = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Questions and predictions, with questions of further types that nothing is predicted for."""
    kinds = [record[0] for record in records] + list(unasked)
    questions = pl.DataFrame(
        {
            "question_id": [str(number) for number in range(len(kinds))],
            "question_type": kinds,
            "answer": [record[1] for record in records] + ["a"] * len(unasked),
        }
    )
    predictions = questions.head(len(records)).select(
        "question_id", pl.Series("answer", [record[2] for record in records], dtype=pl.String)
    )
    return questions, predictions


def literal_means(records: list[Record], epsilon: float, zero_types: tuple[str, ...] = ()) -> dict[str, float]:
    """Loops over dictionaries, in percent, as the published programs are written."""
    plain: dict[str, list[bool]] = defaultdict(list)
    by_answer: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for kind, reference, prediction in records:
        plain[kind].append(reference == prediction)
        by_answer[kind][reference].append(reference == prediction)
    shares = [100 * sum(hits) / len(hits) + epsilon for hits in plain.values()]
    normal = [
        100 * sum(sum(hits) / len(hits) for hits in answers.values()) / len(answers) + epsilon
        for answers in by_answer.values()
    ]
    shares, normal = shares + [epsilon] * len(zero_types), normal + [epsilon] * len(zero_types)
    harmonic = [0.0 if 0 in values else len(values) / sum(1 / value for value in values) for values in (shares, normal)]
    return {
        "arithmetic": sum(shares) / len(shares) / 100,
        "harmonic": harmonic[0] / 100,
        "normalised arithmetic": sum(normal) / len(normal) / 100,
        "normalised harmonic": harmonic[1] / 100,
    }


def values(measures: list[Measure]) -> dict[str, float | None]:
    """The numbers by part."""
    return {measure.part: measure.value for measure in measures}


@given(RECORDS)
def test_clean_means_are_the_literal_ones(records: list[Record]) -> None:
    """Without an epsilon a type at zero makes the harmonic mean zero."""
    questions, predictions = tables(records)
    scores, questions = tdiuc_scores(predictions, questions)
    assert values(mean_per_type(per_type(scores, questions))) == pytest.approx(literal_means(records, 0.0))


@given(RECORDS)
def test_epsilon_and_empty_types_of_the_fork(records: list[Record]) -> None:
    """The fork adds 1e-10 to percentages and counts a type without predictions as zero."""
    questions, predictions = tables(records, unasked=("sport",))
    scores, questions = tdiuc_scores(predictions, questions, profile=RAMEN)
    expected = literal_means(records, 1e-10, ("sport",))
    assert values(mean_per_type(per_type(scores, questions), RAMEN)) == pytest.approx(expected, rel=1e-9)


def test_one_zero_type_of_twelve() -> None:
    """With the epsilon, one type at zero of twelve leaves a harmonic mean of 12e-10 percent."""
    records = [(f"type {number}", "a", "a" if number else "b") for number in range(12)]
    questions, predictions = tables(records)
    scores, questions = tdiuc_scores(predictions, questions, profile=TDIUC)
    types = per_type(scores, questions)
    assert values(mean_per_type(types, TDIUC))["harmonic"] == pytest.approx(12e-12, rel=1e-6)
    assert values(mean_per_type(types, CLEAN))["harmonic"] == 0.0


def test_types_without_predictions() -> None:
    """They are named and left out; the authors' program stops."""
    questions, predictions = tables([("color", "a", "a")], unasked=("sport",))
    scores, questions = tdiuc_scores(predictions, questions)
    types = per_type(scores, questions)
    *means, left_out = mean_per_type(types)
    assert [mean.value for mean in means] == [1.0] * 4
    assert left_out == Measure("sport", None, 0, "nothing was predicted for this type")
    with pytest.raises(DataError, match=r"found none for 1 types of questions \(sport\)"):
        mean_per_type(types, TDIUC)


def test_answer_key() -> None:
    """References outside the key merge and cannot be matched; predictions outside it stop the authors' program."""
    questions, predictions = tables(
        [("color", "a", "a"), ("color", "b", "b"), ("color", "c", "c"), ("color", "c", "a")]
    )
    scores, seen = tdiuc_scores(predictions, questions, answer_key={"a"})
    assert scores.sort("question_id")["score"].to_list() == [1.0, 0.0, 0.0, 0.0]
    assert values(mean_per_type(per_type(scores, seen)))["normalised arithmetic"] == 0.5
    with pytest.raises(
        DataError, match=r"found 2 answers outside the answer key for questions 1, 2 \(the first: 'b'\)"
    ):
        tdiuc_scores(predictions, questions, answer_key=["a"], profile=TDIUC)


@given(RECORDS, st.randoms(use_true_random=False))
def test_order_does_not_matter(records: list[Record], shuffle: Random) -> None:
    """Rows in another order give the same numbers."""
    questions, predictions = tables(records)
    rows = list(predictions.iter_rows())
    shuffle.shuffle(rows)
    shuffled = pl.DataFrame(rows, schema=predictions.schema, orient="row")
    one, other = (
        values(mean_per_type(per_type(*tdiuc_scores(given_predictions, questions))))
        for given_predictions in (predictions, shuffled)
    )
    assert one == pytest.approx(other)


def test_nothing_predicted() -> None:
    """No predictions, or no types, give a reason."""
    questions, predictions = tables([("color", "a", "a")])
    with pytest.raises(Absent, match="no question that was predicted has a type"):
        MEAN_PER_TYPE.measure(predictions.clear(), {"questions": questions.lazy()})
    with pytest.raises(Absent, match="no predicted question has answers"):
        CLASS_NORMALIZED.measure(predictions, {"questions": questions.lazy()})


def test_measures_types_by_references() -> None:
    """As a metric it grades by references where there is one a question."""
    questions, predictions = tables([("color", "a", "a"), ("counting", "b", "a")])
    measured = MEAN_PER_TYPE.measure(predictions, {"questions": questions.lazy()})
    assert (measured[0].value, measured[0].questions, measured[1].value) == (0.5, 2, 0.0)


def test_without_references_there_is_no_normalised_mean() -> None:
    """Types whose reference answers nobody knows have an accuracy, but no mean over answers."""
    questions, predictions = tables([("color", "a", "a"), ("counting", "b", "a")])
    graded = predictions.with_columns(score=pl.Series([1.0, 0.0]))
    bare = questions.with_columns(answer=pl.lit(None, dtype=pl.String)).lazy()
    measured = MEAN_PER_TYPE.measure(graded, {"questions": bare})
    assert [each.value for each in measured] == [0.5, 0.0, None, None]
    assert measured[2].absent == "the questions have no reference answers"


Said = list[tuple[str, str, str]]  # question, answer, confidence
SAID = st.lists(
    st.tuples(st.sampled_from("123"), st.sampled_from(["cat", "dog", "Dog"]), st.sampled_from(["yes", "maybe", "no"])),
    min_size=1,
    max_size=20,
)


def literal_classes(said: Said) -> dict[str, str]:
    """Among the sure answers, else all, in alphabetical order the first of the most frequent in the file."""
    frequency = Counter(answer for _, answer, _ in said)
    classes = {}
    for question in {question for question, _, _ in said}:
        mine = [(answer, sure) for number, answer, sure in said if number == question]
        candidates = sorted([answer for answer, sure in mine if sure == "yes"] or [answer for answer, _ in mine])
        classes[question] = max(candidates, key=lambda answer: frequency[answer])
    return classes


@given(SAID)
def test_answer_classes(said: Said) -> None:
    """Classes are those of the program, and the metric is the mean over classes of their mean VQA accuracy."""
    answers = pl.DataFrame(said, schema=["question_id", "answer", "confidence"], orient="row")
    classes = literal_classes(said)
    assert dict(answer_classes(answers).iter_rows()) == classes
    predictions = pl.DataFrame({"question_id": list(classes), "answer": ["dog"] * len(classes)})
    scores = vqa_accuracies(predictions, answers).select("question_id", "score")
    grouped: dict[str, list[float]] = defaultdict(list)
    for question, score in scores.iter_rows():
        grouped[classes[question]].append(score)
    expected = sum(sum(each) / len(each) for each in grouped.values()) / len(grouped)
    assert class_normalized_accuracy(scores, answers).value == pytest.approx(expected)
