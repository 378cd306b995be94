"""Answers in one spelling: the normalisation of the official VQA evaluation, with all its quirks.

The steps are those of the evaluation as released in 2021: clean, take out punctuation, then lower case, digits for
number words, no articles, contractions. Whether an answer is normalised at all is the metric's business.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import polars as pl

__all__ = [
    "PUNCTUATION",
    "clean_answer",
    "clean_answers",
    "contractions",
    "normalize_answer",
    "normalize_answers",
    "normalize_words",
    "plain_answers",
    "strip_punctuation",
]

PUNCTUATION = ';/[]"{}()=+\\_-><@`,?!'
"""The 21 marks that are taken out; all others stay, a period before a digit among them."""

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: str(number) for number, word in enumerate(_WORDS)} | {"none": "0"}
_ARTICLES = frozenset({"a", "an", "the"})

_COMMA_BETWEEN_DIGITS = re.compile(r"\d,\d")
_MARK = re.compile(f"[{re.escape(PUNCTUATION)}]")
_PERIOD = re.compile(r"\.(?!\d)")
# The official pattern means to spare a period behind a digit, but looks ahead for the text "<=digit", which no period
# is; so "3." loses its period. And re.UNICODE stands where the number of replacements belongs: its value is 32.
_MOST_PERIODS = 32


@cache
def contractions() -> Mapping[str, str]:
    """The official table: a word as people type it, and the contraction that it becomes.

    >>> contractions()["dont"], contractions()["somebody'd"]
    ("don't", 'somebodyd')
    """
    text = files("eyechart.text").joinpath("contractions.toml").read_text("utf-8")
    entries = [entry for group in tomllib.loads(text).values() for entry in group.items()]
    return MappingProxyType({found: written for written, forms in entries for found in forms})


def clean_answer(answer: str) -> str:
    r"""Spaces for line breaks and tabs, none at the ends; the evaluation does this to every answer.

    >>> clean_answer(" Yes,\nit is ")
    'Yes, it is'
    """
    return answer.replace("\n", " ").replace("\t", " ").strip()


def clean_answers(answers: pl.Series) -> pl.Series:
    r"""A column of answers, cleaned.

    >>> clean_answers(pl.Series("answer", ["yes ", None, "so\tso"])).to_list()
    ['yes', None, 'so so']
    """
    unclean = answers.str.contains(r"^[\s\x1c-\x1f]|[\s\x1c-\x1f]$|[\n\t]").fill_null(value=False)
    cleaned = [clean_answer(answer) for answer in answers.filter(unclean)]
    return answers.scatter(unclean.arg_true(), cleaned) if cleaned else answers


def strip_punctuation(answer: str) -> str:
    """Delete a mark that stands beside a space anywhere, make the others spaces; drop periods not before a digit.

    A comma between two digits, anywhere, has every mark deleted.

    >>> strip_punctuation("x-ray"), strip_punctuation("t - shirt and x-ray"), strip_punctuation("1,000-2,000")
    ('x ray', 't  shirt and xray', '10002000')
    """
    stripped = answer
    if marks := _MARK.findall(answer):
        delete_all = _COMMA_BETWEEN_DIGITS.search(answer) is not None
        for mark in dict.fromkeys(marks):
            delete = delete_all or f"{mark} " in answer or f" {mark}" in answer
            stripped = stripped.replace(mark, "" if delete else " ")
    return _PERIOD.sub("", stripped, count=_MOST_PERIODS) if "." in stripped else stripped


def normalize_words(answer: str, restored: Mapping[str, str] | None = None) -> str:
    """Lower case, digits for zero to ten and none, no articles, contractions with their apostrophes.

    ``restored`` replaces the official table of contractions; releases differ in it.

    >>> normalize_words("The dog and two cats dont play")
    "dog and 2 cats don't play"
    """
    table = contractions() if restored is None else restored
    words = [_NUMBERS.get(word, word) for word in answer.lower().split()]
    return " ".join([table.get(word, word) for word in words if word not in _ARTICLES])


def normalize_answer(answer: str) -> str:
    """An answer as the official evaluation compares it.

    >>> [normalize_answer(answer) for answer in ("Two.", "none", "A", "3.5", "50%", "Yes, it is!")]
    ['2', '0', '', '3.5', '50%', 'yes it is']
    """
    return normalize_words(strip_punctuation(clean_answer(answer)))


def plain_answers(answers: pl.Series) -> pl.Series:
    """Whether each answer is one that no step changes: lower-case words of a to z and digits, and none of them special.

    Most answers are; whoever has many spells only the others.

    >>> plain_answers(pl.Series(["red car", "Red", "x-ray", "two", "dont", " red", ""])).to_list()
    [True, False, False, False, False, False, True]
    """
    words = "|".join(map(re.escape, [*_NUMBERS, *_ARTICLES, *filter(str.isalnum, contractions())]))
    shaped = answers.str.contains(r"^(?-u:[a-z0-9]+(?: [a-z0-9]+)*)?$")
    return shaped & ~answers.str.contains(rf"(?-u:\b(?:{words})\b)")


def normalize_answers(answers: pl.Series) -> pl.Series:
    """A column of answers, normalised; each distinct answer is worked on once, and nearly all of them together.

    >>> normalize_answers(pl.Series("answer", ["Two", None, "two."])).to_list()
    ['2', None, '2']
    """
    distinct = answers.unique().drop_nulls().cast(pl.String)
    distinct = distinct.filter(~plain_answers(distinct))
    if not distinct.len():
        return answers.cast(pl.String)
    simple = _simple(distinct)
    together, alone = distinct.filter(simple), distinct.filter(~simple)
    spelled = pl.Series([normalize_answer(answer) for answer in alone], dtype=pl.String)
    before, after = pl.concat([together, alone]), pl.concat([_normalized_together(together), spelled])
    changed = before != after
    return answers.replace(before.filter(changed), after.filter(changed))


def _simple(answers: pl.Series) -> pl.Series:
    """Printable ASCII, no comma between digits, at most one period: what regular expressions of columns can do."""
    return answers.str.contains(r"^[ -~\n\t]*$") & ~answers.str.contains(r"[0-9],[0-9]|\.[^.]*\.")


def _normalized_together(answers: pl.Series) -> pl.Series:
    """The steps of ``normalize_answer`` over a column of simple answers."""
    cleaned = answers.rename("said").str.replace_all(r"[\n\t]", " ").str.strip_chars(" ")
    stripped = cleaned
    for mark in PUNCTUATION:
        has = cleaned.str.contains(mark, literal=True)
        if has.any():
            beside = cleaned.str.contains(f"{mark} ", literal=True) | cleaned.str.contains(f" {mark}", literal=True)
            deleted, spaced = (stripped.str.replace_all(mark, other, literal=True) for other in ("", " "))
            stripped = deleted.zip_with(has & beside, spaced)
    stripped = stripped.str.replace(r"\.([^0-9]|$)", "$1")
    words = pl.DataFrame({"word": stripped.str.to_lowercase().str.split(" ")}).with_row_index("place").explode("word")
    told = words.filter(~pl.col("word").is_in(["", *_ARTICLES])).with_columns(pl.col("word").replace(_spellings()))
    joined = told.group_by("place", maintain_order=True).agg(pl.col("word").str.join(" "))
    places = pl.DataFrame({"place": pl.int_range(answers.len(), dtype=pl.UInt32, eager=True)})
    return places.join(joined, on="place", how="left", maintain_order="left")["word"].fill_null("")


@cache
def _spellings() -> dict[str, str]:
    """What becomes of each word that has another spelling."""
    table = contractions()
    digits = {word: table.get(digit, digit) for word, digit in _NUMBERS.items()}
    return {**table, **digits}
