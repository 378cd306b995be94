"""Where a model is right, against counts made by hand."""

import polars as pl
import pytest

from eyechart.analysis import Told, diagnose
from eyechart.tables import TABLES

QUESTIONS = [
    ("1", "a", "What color is it?", "query", "color", "red"),
    ("2", "a", "What color is the old dog?", "query", "color", "blue"),
    ("3", "b", "What color is the cup?", "query", "color", "red"),
    ("4", "b", "What color is the cat?", "query", "color", "green"),
    ("5", "c", "Is it red?", "verify", "red", "yes"),
]
GUESSES = ["red", "red", "red", "red", "no"]


def exam(judgements: bool = False, people: bool = False) -> dict[str, Told]:  # noqa: FBT001, FBT002  # two switches of a test
    """The diagnoses of a model that answers red to every colour."""
    columns = ("question_id", "image_id", "question", "structural", "group_global", "answer")
    questions = pl.DataFrame(QUESTIONS, schema=dict.fromkeys(columns, pl.String), orient="row")
    tables = {"questions": TABLES["questions"].conform(questions).lazy()}
    if judgements:
        ages = [("1", "3-4"), ("2", "3-4"), ("3", "5-8"), ("4", "18+"), ("5", "18+")]
        rows = pl.DataFrame(
            [(q, "w", age) for q, age in ages], schema=["question_id", "worker_id", "youngest_age"], orient="row"
        )
        tables["judgements"] = TABLES["judgements"].conform(rows).lazy()
    if people:
        said = [
            (q, str(worker), answer)
            for q, *_, right in QUESTIONS
            for worker, answer in enumerate([right] * 3 + ["pink"])
        ]
        rows = pl.DataFrame(said, schema=["question_id", "worker_id", "answer"], orient="row")
        tables["answers"] = TABLES["answers"].conform(rows).lazy()
    guesses = pl.DataFrame({"question_id": [q for q, *_ in QUESTIONS], "answer": GUESSES})
    return {told.name: told for told in diagnose(tables, guesses)}


def test_accuracy_of_groups() -> None:
    """Two of four queries are right, and the one verification is not."""
    rows = exam()["accuracy-by-structural"].results[0].rows
    assert dict(rows.select("structural type", "accuracy").iter_rows()) == {"query": 0.5, "verify": 0.0}


def test_groups_of_numbers_stand_in_order() -> None:
    """Two words before three, and ten after nine."""
    rows = exam()["accuracy-by-words"].results[0].rows
    assert rows["words"].to_list() == ["3", "4", "5", "6"]


def test_right_given_the_answer_and_the_answer_given_right() -> None:
    """Red is always found, and is everything that is right."""
    found = exam()
    rows = found["accuracy-by-answer"].results[0].rows
    assert rows.select("answer", "accuracy", "questions").rows() == [
        ("red", 1.0, 2),
        ("blue", 0.0, 1),
        ("green", 0.0, 1),
        ("yes", 0.0, 1),
    ]
    assert found["answers-when-right"].results[0].rows.rows() == [("red", 1.0, 2)]


def test_what_is_taken_for_what() -> None:
    """Blue and green are taken for red; yes/no questions have too few answers to be confused."""
    found = exam()["confusion"].results[0]
    cells = {(truth, guess): share for truth, guess, share in found.rows.select("truth", "guess", "share").iter_rows()}
    assert cells["blue", "red"] == 1
    assert cells["red", "red"] == 1
    assert found.title == "100% of “blue” are taken for “red”"


def test_ages_of_what_is_right() -> None:
    """Right are questions of 3.5 and 6.5 years; wrong are one of 3.5 and two of 21."""
    told = exam(judgements=True)
    by_age = dict(told["accuracy-by-age"].results[0].rows.select("age", "accuracy").iter_rows())
    assert by_age == {"3-4": 0.5, "5-8": 1.0, "18+": 0.0}
    by_accuracy = told["age-by-accuracy"].results[0]
    shares = {
        (bin_, age): share for bin_, age, share in by_accuracy.rows.select("accuracy", "age", "share").iter_rows()
    }
    assert shares == {
        ("0 to 20 %", "3-4"): pytest.approx(1 / 3),
        ("0 to 20 %", "18+"): pytest.approx(2 / 3),
        ("80 to 100 %", "3-4"): 0.5,
        ("80 to 100 %", "5-8"): 0.5,
    }
    assert by_accuracy.title == "Questions answered best need 5.0 years, those answered worst 15.2"


def test_accuracy_against_masses() -> None:
    """Shares of the two-way histogram add up; an answer that three of four give is fully right by neither."""
    told = exam(people=True)
    rows = told["masses-against-accuracy"].results[0].rows
    assert rows["share"].sum() == pytest.approx(1)
    assert rows.filter(accuracy="0 to 0.25", masses="0 to 0.25")["questions"].item() == 3
    listed = told["masses-disagreements"].results[0].rows
    assert listed.height == 5
    assert (listed["accuracy"] - listed["masses"]).abs().is_sorted(descending=True)


def test_scores_of_both_metrics_and_agreement() -> None:
    """Three of four people agree (S and SES 2/3); two answers are theirs, graded 3/4 by leaving one out."""
    told = exam(people=True)
    spread = told["masses-and-accuracy"].results[0].rows
    shares = {(of, score): share for score, of, share, _ in spread.iter_rows()}
    assert shares == {
        ("VQA accuracy", "0.0 to 0.1"): pytest.approx(0.6),
        ("MASSES", "0.0 to 0.1"): pytest.approx(0.6),
        ("VQA accuracy", "0.7 to 0.8"): pytest.approx(0.4),
        ("MASSES", "0.6 to 0.7"): pytest.approx(0.4),
    }
    agreement = told["accuracy-by-agreement"].results[0].rows
    assert agreement.select("agreement", "accuracy", "questions").rows() == [("0.6 to 0.7", pytest.approx(0.3), 5)]


def test_reasons_where_nothing_can_be_said() -> None:
    """Without judgements and without people, three diagnoses say why they are missing."""
    absent = {name for name, told in exam().items() if told.absent}
    assert {"accuracy-by-age", "age-by-accuracy", "masses-against-accuracy", "accuracy-by-semantic"} <= absent
