"""VQA accuracy equals the literal average over all people left out, and the numbers of the official evaluation."""

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.metrics import (
    PROFILES,
    VQA_MULTIPLE_CHOICE,
    Absent,
    check_questions,
    profile,
    vqa_accuracies,
    vqa_accuracy,
)
from eyechart.tables import TABLES
from eyechart.text import (
    clean_answer,
    contractions,
    normalize_answer,
    normalize_answers,
    normalize_words,
    plain_answers,
    strip_punctuation,
)

ANSWERS = st.sampled_from(["yes", "Yes", "yes.", "no", "none", "0", "two", "2", "a", "", "x-ray", " red\n"])


def literal_accuracy(prediction: str, answers: list[str]) -> float:
    """Leave each person out in turn, count the others who agree, a third each, at most one (VQA v1, section 5)."""
    cleaned, guess = [clean_answer(answer) for answer in answers], clean_answer(prediction)
    if len(set(cleaned)) > 1:
        cleaned, guess = [normalize_answer(answer) for answer in cleaned], normalize_answer(guess)
    scores = []
    for left_out in range(len(cleaned)):
        others = cleaned[:left_out] + cleaned[left_out + 1 :]
        scores.append(min(1.0, others.count(guess) / 3))
    return sum(scores) / len(scores)


@given(ANSWERS, st.lists(ANSWERS, min_size=1, max_size=12))
def test_closed_form_is_the_literal_average(prediction: str, answers: list[str]) -> None:
    """The closed form agrees with leaving people out one by one."""
    assert vqa_accuracy(prediction, answers) == pytest.approx(literal_accuracy(prediction, answers))


CURLY = {word: spelled.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") for word, spelled in contractions().items()}


def literal_of_profile(name: str, prediction: str, answers: list[str]) -> float:
    """Each profile as its table in the documentation says it, one person after the other."""
    guess, given = clean_answer(prediction), list(answers)
    if name == "naive":
        return min(1.0, answers.count(prediction) / 3)
    if name == "official-2016":
        given = given if len(set(given)) == 1 else [strip_punctuation(answer) for answer in given]
        guess = normalize_answer(guess)
    if name == "always":
        guess, given = normalize_answer(guess), [normalize_answer(answer) for answer in given]
    if name == "vizwiz":
        guess = normalize_words(strip_punctuation(guess), CURLY)
    scores = []
    for left_out in range(len(given)):
        others = given[:left_out] + given[left_out + 1 :]
        scores.append(min(1.0, others.count(guess) / 3))
    return sum(scores) / len(scores)


@pytest.mark.parametrize("name", ["official-2016", "always", "vizwiz", "naive"])
@given(prediction=ANSWERS, answers=st.lists(ANSWERS, min_size=1, max_size=12))
def test_every_profile_is_the_literal_one(name: str, prediction: str, answers: list[str]) -> None:
    """Rules of one name, each against its own loops."""
    assert vqa_accuracy(prediction, answers, name) == pytest.approx(literal_of_profile(name, prediction, answers))


@pytest.mark.parametrize(
    ("prediction", "answers", "rule", "flag"),
    [
        ("Yes", ["yes"] * 10, "official-2021", "unanimous"),
        ("yes", ["yes"] * 10, "official-2021", None),
        ("Yes", ["yes"] * 9 + ["Yes"], "official-2021", None),
        ("the", ["a"] * 5 + ["b"] * 5, "official-2021", "emptied"),
        ("the", ["b"] * 10, "official-2021", None),
        ("none", ["0"] * 5 + ["1"] * 5, "official-2021", "none is 0"),
        ("0", ["None"] * 5 + ["1"] * 5, "official-2021", "none is 0"),
        ("none", ["none"] * 5 + ["1"] * 5, "official-2021", None),
        ("none", ["0"] * 5 + ["1"] * 5, "naive", None),
        ("none", ["0"] * 5 + ["1"] * 5, "vizwiz", "none is 0"),
        ("x-ray", ["x-ray"] * 10, "official-2016", "unanimous"),
    ],
)
def test_flags_say_where_a_quirk_decided(prediction: str, answers: list[str], rule: str, flag: str | None) -> None:
    """A flag is there if the score would be another without the quirk, and only then."""
    people = pl.DataFrame({"question_id": ["1"] * 10, "answer": answers})
    guess = pl.DataFrame({"question_id": ["1"], "answer": [prediction]})
    assert vqa_accuracies(guess, people, profile(rule))["flag"].to_list() == [flag]


def test_equal_records_are_flagged() -> None:
    """Eight equal records leave together, so that "yes" scores 20 in place of 100."""
    answers = ["yes"] * 8 + ["no"] * 2
    people = pl.DataFrame({"question_id": ["1"] * 10, "answer": answers, "identity": ["x"] * 10})
    guess = pl.DataFrame({"question_id": ["1"], "answer": ["yes"]})
    assert vqa_accuracies(guess, people).rows() == [("1", pytest.approx(0.2), "repeated")]


def test_picks_must_be_choices() -> None:
    """Multiple-choice accuracy is that of picks; an answer that was not offered leaves no number, only a reason."""
    tables = {
        "answers": TABLES["answers"].conform(pl.DataFrame({"question_id": ["1"] * 4, "answer": ["red"] * 4})).lazy(),
        "choices": pl.LazyFrame({"question_id": ["1", "1"], "choice": ["red", "blue"]}),
    }
    picks = pl.DataFrame({"question_id": ["1"], "answer": ["red"]})
    assert VQA_MULTIPLE_CHOICE.score(picks, tables)["score"].to_list() == [1.0]
    with pytest.raises(Absent, match=r"none of the choices \(1: 'green'\)"):
        VQA_MULTIPLE_CHOICE.score(picks.with_columns(answer=pl.lit("green")), tables)


@pytest.mark.parametrize(("matches", "expected"), [(0, 0), (1, 30), (2, 60), (3, 90), (4, 100), (10, 100)])
def test_ten_people(matches: int, expected: float) -> None:
    """With ten people there are five possible scores."""
    answers = ["cat"] * matches + ["dog", "cow", "hen", "pig", "ox", "ant", "bee", "elk", "emu", "owl"][matches:]
    assert 100 * vqa_accuracy("cat", answers) == pytest.approx(expected)


def test_order_of_predictions_is_kept() -> None:
    """Scores come in the order of the predictions, null where nobody answered."""
    people = pl.DataFrame({"question_id": ["1", "1", "2", "2"], "answer": ["a1", "a1", "b1", "b1"]})
    guesses = pl.DataFrame({"question_id": ["3", "2", "1"], "answer": ["x", "b1", "a2"]})
    assert vqa_accuracies(guesses, people)["score"].to_list() == [None, pytest.approx(1 / 3), 0.0]


@pytest.mark.real_data
@pytest.mark.parametrize("rule", ["official-2021", "official-2016"])
@pytest.mark.parametrize("results", ["noisy", "majority"])
def test_official_numbers(real_data: Path, results: str, rule: str) -> None:
    """Every question's score, and the mean, are those of the official evaluation, in both of its forms."""
    folder = real_data / "vqa_v2"
    expected = json.loads((folder / "expected_scores.json").read_text())[rule][results]
    annotations = json.loads((folder / "annotations.json").read_text())["annotations"]
    predicted = json.loads((folder / f"results_{results}.json").read_text())
    people = [(str(record["question_id"]), given["answer"]) for record in annotations for given in record["answers"]]
    guesses = [(str(record["question_id"]), record["answer"]) for record in predicted]
    columns = {"question_id": pl.String, "answer": pl.String}
    guessed = pl.DataFrame(guesses, schema=columns, orient="row")
    scores = vqa_accuracies(guessed, pl.DataFrame(people, schema=columns, orient="row"), profile(rule))
    assert {key: round(100 * score, 2) for key, score, _flag in scores.iter_rows()} == expected["per_question"]
    assert round(100 * float(str(scores["score"].mean())), 2) == expected["overall"]


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (["1", "2", "2"], r"found more than one for 1 questions \(2\)"),
        (["1", "2", "9"], r"found 1 for questions that the benchmark does not have \(9\)"),
        (["1"], r"found none for 1 of 2 questions \(2\)"),
    ],
)
def test_ids_must_agree(predicted: list[str], message: str) -> None:
    """Repeated, unknown and missing ids are counted and listed."""
    questions = pl.DataFrame({"question_id": ["1", "2"]})
    with pytest.raises(DataError, match=message):
        check_questions(pl.DataFrame({"question_id": predicted}), questions)


WORDS = st.lists(
    st.sampled_from(["red", "x2", "two", "a", "dont", "Car", "x-ray", "none", "é", " ", "3.", ""]), max_size=4
)


@given(st.one_of(WORDS.map(" ".join), st.text(max_size=8)))
def test_no_profile_changes_what_is_plain(answer: str) -> None:
    """Plain answers are not spelled at all, which is right only if the spellings of all profiles leave them alone."""
    if plain_answers(pl.Series([answer])).item():
        spellings = {spelling for rule in PROFILES.values() for spelling in (rule.prediction, rule.references)}
        assert {spelling(answer) for spelling in spellings} | {clean_answer(answer)} == {answer}


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=9))
def test_a_column_is_normalised_as_each_of_its_answers(answers: list[str]) -> None:
    """Leaving out plain answers gives what normalising every one gives."""
    assert normalize_answers(pl.Series(answers)).to_list() == [normalize_answer(answer) for answer in answers]
