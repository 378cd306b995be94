"""Answer normalisation: as the official evaluation does it, quirks included."""

import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.text.answers import (
    PUNCTUATION,
    clean_answer,
    clean_answers,
    contractions,
    normalize_answer,
    normalize_answers,
    normalize_words,
)

MARKS = [";", "/", "[", "]", '"', "{", "}", "(", ")", "=", "+", "\\", "_", "-", ">", "<", "@", "`", ",", "?", "!"]
DIGITS = {
    "none": "0",
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
}


def literal(answer: str) -> str:
    """The description of the official evaluation, sentence by sentence and without a thought for speed."""
    for white in ("\n", "\t"):
        answer = answer.replace(white, " ")
    answer = answer.strip()
    text = answer
    for mark in MARKS:
        beside_a_space = mark + " " in answer or " " + mark in answer
        comma_in_number = re.search(r"(\d)(\,)(\d)", answer) is not None
        text = text.replace(mark, "" if beside_a_space or comma_in_number else " ")
    # Period by period: the look-ahead for "<=digit" at a period is never there, and 32 is the most.
    kept, dropped = "", 0
    for place, character in enumerate(text):
        typo = re.match(r"<=\d", text[place:]) is not None
        before_digit = re.match(r"\d", text[place + 1 :]) is not None
        if character == "." and not typo and not before_digit and dropped < int(re.UNICODE):
            dropped += 1
        else:
            kept += character
    words = []
    for word in kept.lower().split():
        number = DIGITS.get(word, word)
        if number not in {"a", "an", "the"}:
            words.append(number)
    return " ".join(contractions().get(word, word) for word in words)


PIECES = st.one_of(
    st.sampled_from([*MARKS, ".", ",", " ", "\n", "\t", "\r", "'", ":", "%", "<=3.", "1,0", "٣,٤", "İ", "\u2028"]),
    st.sampled_from(
        [*DIGITS, "a", "The", "an", "AN", "dont", "Im", "im", "somebody'd", "x-ray", "3.5", ".5", "u.s.a."]
    ),
    st.text(max_size=4),
)
ANSWERS = st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=6).map(" ".join)


@given(ANSWERS)
def test_it_equals_the_literal_description(answer: str) -> None:
    """Regular expressions and skipped steps change nothing."""
    assert literal(answer) == normalize_answer(answer)


@given(st.lists(st.none() | ANSWERS, max_size=8))
def test_a_column_is_normalised_row_by_row(answers: list[str | None]) -> None:
    """Working on distinct values gives the same; nulls stay."""
    expected = [None if answer is None else normalize_answer(answer) for answer in answers]
    assert expected == normalize_answers(pl.Series(answers, dtype=pl.String)).to_list()


@given(st.lists(st.none() | ANSWERS | st.text("\x1c\x1f\x85\u2003 \r\n\ta", max_size=3), max_size=8))
def test_a_column_is_cleaned_row_by_row(answers: list[str | None]) -> None:
    """Only answers that change are touched, and all of these are."""
    expected = [None if answer is None else clean_answer(answer) for answer in answers]
    assert expected == clean_answers(pl.Series(answers, dtype=pl.String)).to_list()


def test_a_column_keeps_its_name_and_may_be_empty() -> None:
    """So that it can replace a column of a frame."""
    column = pl.Series("answer", [], dtype=pl.String)
    assert (pl.String, "answer") == (normalize_answers(column).dtype, normalize_answers(column).name)


@pytest.mark.parametrize(
    ("answer", "normal"),
    [
        ("3.", "3"),
        ("u.s.a.", "usa"),
        ("5. 6", "5 6"),
        (".5", ".5"),
        ("3.5", "3.5"),
        ("." * 40, "." * 8),
        ("1,000-2,000", "10002000"),
        ("1,000 - 2", "1000 2"),
        ("t - shirt and x-ray", "t shirt and xray"),
        ("red ,white", "red white"),
        ("x-ray", "x ray"),
        ("50%", "50%"),
        ("black & white", "black & white"),
        ("10:30", "10:30"),
        ("one on left", "1 on left"),
        ("no-one", "no 1"),
        ("twenty one", "twenty 1"),
        ("eleven", "eleven"),
        ("none", "0"),
        ("a", ""),
        ("?", ""),
        ("a/c", "c"),
        ("somebody'd", "somebodyd"),
        ("Im", "im"),
        ("hes", "he's"),
        ("cant", "can't"),
        ("its", "its"),
        (" two\ndogs\t", "2 dogs"),
    ],
)
def test_documented_quirks(answer: str, normal: str) -> None:
    """Each oddity of the official evaluation is kept, for its numbers are the ones that are compared."""
    assert normal == normalize_answer(answer)


def test_normalising_twice_may_differ_from_once() -> None:
    """A mark between words becomes a space, which makes the next one stand beside a space: normalise once only."""
    once = normalize_answer("a...........................................b")
    assert once != normalize_answer(once)


def test_the_contractions_are_the_published_ones() -> None:
    """120 forms; those with capitals are never met; two stand for themselves; one points the wrong way."""
    table = contractions()
    assert len(table) == 120
    assert {"Im", "Ive", "Id've", "I'dve"} == {form for form in table if form != form.lower()}
    assert {"let's", "she's"} == {form for form, written in table.items() if form == written}
    assert {"somebody'd"} == {form for form, written in table.items() if len(written) < len(form)}
    assert {"its", "ill", "id", "shell", "were", "shes"}.isdisjoint(table)


def test_contractions_only_add_apostrophes() -> None:
    """But for the one that points the wrong way, no letter differs."""
    assert all(form.replace("'", "") == written.replace("'", "") for form, written in contractions().items())


def test_another_table_of_contractions_can_be_given() -> None:
    """Releases before 2016 wrote curly apostrophes, and other evaluations still do."""
    assert normalize_words("dont", {"dont": "don\u2019t"}) == "don\N{RIGHT SINGLE QUOTATION MARK}t"


def test_twenty_one_marks_are_taken_out() -> None:
    """In the order of the official list."""
    assert list(PUNCTUATION) == MARKS
    assert clean_answer("a\rb") == "a\rb"
