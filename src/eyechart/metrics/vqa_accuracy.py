"""VQA accuracy: right as far as people gave the answer (Antol et al. 2015, section 5; the official evaluations).

An answer that three of the other people gave is fully right. Each of the N people is left out in turn and the scores
are averaged, so with k of N people giving the answer the accuracy is [(N - k) min(1, k/3) + k min(1, (k - 1)/3)] / N.
How the two sides are spelled before they are compared is the profile's affair.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from eyechart.errors import DataError
from eyechart.metrics.kinds import Absent, ItemMetric, Tables
from eyechart.metrics.vqa_profiles import PROFILES, Profile, Spelling, profile
from eyechart.text import clean_answer, clean_answers, normalize_answer, normalize_answers, plain_answers

__all__ = [
    "VQA_2016",
    "VQA_ACCURACY",
    "VQA_ALWAYS",
    "VQA_MULTIPLE_CHOICE",
    "VQA_NAIVE",
    "VQA_VIZWIZ",
    "check_picks",
    "vqa_accuracies",
    "vqa_accuracy",
]

_ENOUGH = 3
"""This many other people giving the answer make it fully right."""

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Shares = NDArray[np.float64]

DEFAULT = PROFILES["official-2021"]


def vqa_accuracy(prediction: str, answers: Sequence[str], profile_name: str = DEFAULT.name) -> float:
    """The accuracy of one answer against people's answers.

    >>> vqa_accuracy("yes.", ["yes"] * 3 + ["no"] * 7)
    0.9
    >>> vqa_accuracy("Yes", ["yes"] * 10)  # people were unanimous, so nothing is normalised
    0.0
    >>> vqa_accuracy("Yes", ["yes"] * 10, "always")
    1.0
    """
    given = pl.DataFrame({"question_id": ["1"] * len(answers), "answer": list(answers)}, schema=_ANSWERS)
    predicted = pl.DataFrame({"question_id": ["1"], "answer": [prediction]})
    (score,) = vqa_accuracies(predicted, given, profile(profile_name))["score"]
    if score is None:
        raise DataError("answers: found none, expected at least one person's answer; leave the question out")
    return float(score)


_ANSWERS = {"question_id": pl.String, "answer": pl.String}


def vqa_accuracies(
    predictions: pl.DataFrame, answers: pl.DataFrame, rule: Profile = DEFAULT, *, flags: bool = True
) -> pl.DataFrame:
    """The accuracy of every prediction: question_id, score (null if nobody answered), and a flag where a quirk decided.

    Answers may have a column ``identity``: people whose spelled answer and identity are equal leave the count together
    where the official evaluation compares whole records. Without it everybody is somebody else.

    >>> people = pl.DataFrame({"question_id": ["7"] * 4, "answer": ["two", "2", "2", "3"]})
    >>> vqa_accuracies(pl.DataFrame({"question_id": ["7"], "answer": ["2"]}), people).rows()
    [('7', 0.75, None)]
    """
    compared = _Comparison(predictions, answers, rule)
    scores = pl.Series("score", compared.scores).fill_nan(None)
    rows = pl.DataFrame({"question_id": predictions["question_id"], "score": scores})
    return rows.with_columns(compared.flags) if flags else rows


class _Comparison:
    """Predictions and answers as numbers: equal numbers are equal strings, so comparing is counting.

    Everything is an array over predictions or over answers; each distinct string is spelled once, and only if it is not
    plain, because no profile changes those.
    """

    def __init__(self, predictions: pl.DataFrame, answers: pl.DataFrame, rule: Profile) -> None:
        self.rule = rule
        self.size = predictions.height
        known, self.question = _placed(answers, predictions["question_id"])
        self.coding = _Coding()
        coded = self.coding.codes(pl.concat([predictions["answer"], known["answer"]]))
        self.strings = self.coding.strings()
        self.guess, self.given = coded[: self.size], coded[self.size :]
        identified = rule.by_content and "identity" in known.columns
        self.identity = self.coding.codes(known["identity"]) if identified else None
        self.people = np.bincount(self.question, minlength=self.size)
        self.special = np.flatnonzero(~plain_answers(self.strings).to_numpy())
        self.spellings: dict[Spelling, Codes] = {}

    @cached_property
    def same(self) -> Flags:
        """Whether each answer is the prediction, by the profile."""
        return self._same(gated=True)

    @cached_property
    def scores(self) -> Shares:
        """The score of each prediction; not a number where nobody answered."""
        if self.identity is not None:
            return self._score_by_content(self.identity)
        return self._score(self.same)

    @cached_property
    def flags(self) -> pl.Series:
        """Per prediction, the quirk without which the score would be another, if there is one."""
        counted = self._count(self.same)
        emptied: Flags = (self._spelled(self.rule.prediction)[self.guess] == self.coding.codes(pl.Series([""]))) & (
            counted > 0
        )
        by_none = counted != self._count(self.same & ~self._crossed_by_none())
        gate = np.zeros(self.size, dtype=bool)
        if self.rule.unanimous != "no gate":
            gate = counted != self._count(self._same(gated=False))
        repeated = ~np.isclose(self.scores, self._score(self.same), equal_nan=True)
        flags = np.select([gate, repeated, emptied, by_none], ["unanimous", "repeated", "emptied", "none is 0"], "")
        return pl.Series("flag", flags).replace("", None)

    def _crossed_by_none(self) -> Flags:
        """Whether just one of prediction and answer has the word none, which is spelled 0."""
        has_none = np.zeros(len(self.strings), dtype=bool)
        has_none[self.special] = self.strings.gather(self.special).str.contains(_NONE).to_numpy()
        crossed: Flags = has_none[self.given] != has_none[self.guess][self.question]
        return crossed

    def _same(self, *, gated: bool) -> Flags:
        given = self._spelled(self.rule.references)[self.given]
        guess = self._spelled(self.rule.prediction)[self.guess][self.question]
        same: Flags = given == guess
        if not gated or self.rule.unanimous == "no gate":
            return same
        raw = self._spelled(clean_answer if self.rule.unanimous == "clean both" else str)
        unanimous = self._unanimous(raw[self.given])[self.question]
        spoken = raw[self.guess][self.question] if self.rule.unanimous == "clean both" else guess
        gate: Flags = np.where(unanimous, raw[self.given] == spoken, same)
        return gate

    def _unanimous(self, given: Codes) -> Flags:
        """Whether all answers to each question have the same number."""
        one = np.zeros(self.size, dtype=np.int64)
        one[self.question] = given
        agreed: Flags = self._count(given != one[self.question]) == 0
        return agreed

    def _score(self, same: Flags) -> Shares:
        """The closed form of leaving everybody out in turn."""
        k, n = self._count(same), self.people
        with np.errstate(invalid="ignore", divide="ignore"):
            if not self.rule.leave_one_out:
                return np.where(n > 0, np.minimum(k / _ENOUGH, 1), np.nan)
            return ((n - k) * np.minimum(k / _ENOUGH, 1) + k * np.clip((k - 1) / _ENOUGH, 0, 1)) / n

    def _score_by_content(self, identity: Codes) -> Shares:
        """Leave out, with each person, all whose record is the same: their number in place of one."""
        unlike = self._spelled(self.rule.references)[self.given]
        records = pl.DataFrame({"question": self.question, "identity": identity, "answer": unlike})
        if not records.is_duplicated().any():
            return self._score(self.same)
        alike = records.select(pl.len().over("question", "identity", "answer")).to_series().to_numpy()
        others = self._count(self.same)[self.question] - np.where(self.same, alike, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.bincount(self.question, np.minimum(others / _ENOUGH, 1), self.size) / self.people

    def _count(self, chosen: Flags) -> Codes:
        return np.bincount(self.question[chosen], minlength=self.size)

    def _spelled(self, spelling: Spelling) -> Codes:
        """A number for each distinct string as it is spelled; equal across spellings."""
        if spelling not in self.spellings:
            numbers = np.arange(len(self.strings))
            numbers[self.special] = self.coding.codes(_spelled_together(self.strings.gather(self.special), spelling))
            self.spellings[spelling] = numbers
        return self.spellings[spelling]


_NONE = r"(?i)(?:^|\s)none(?:\s|$)"


_TOGETHER: Mapping[Spelling, Callable[[pl.Series], pl.Series]] = {
    clean_answer: clean_answers,
    normalize_answer: normalize_answers,
}
"""Spellings that a whole column can have at once."""


def _spelled_together(answers: pl.Series, spelling: Spelling) -> pl.Series:
    together = _TOGETHER.get(spelling)
    return together(answers) if together else pl.Series([spelling(answer) for answer in answers], dtype=pl.String)


def _placed(answers: pl.DataFrame, question_ids: pl.Series) -> tuple[pl.DataFrame, Codes]:
    """The answers to these questions, each with the place of its question among them."""
    asked = answers["question_id"]
    begins = asked.ne_missing(asked.shift()).to_numpy()
    # Answers to one question mostly stand together, so only the first of each run is looked up.
    runs = asked.filter(pl.Series(begins))
    coding = _Coding()
    coded = coding.codes(pl.concat([question_ids, runs]))
    place = np.full(coding.count, -1, dtype=np.int64)
    place[coded[: len(question_ids)]] = np.arange(len(question_ids))
    places = place[coded[len(question_ids) :]][np.cumsum(begins) - 1]
    known = places >= 0
    return (answers, places) if known.all() else (answers.filter(pl.Series(known)), places[known])


class _Coding:
    """Small numbers for strings, the same for equal ones, counted from 0; null counts as an empty string."""

    def __init__(self) -> None:
        self.kind = pl.Categorical(pl.Categories.random())
        # Polars forgets categories that no column holds.
        self.alive = pl.Series([""]).cast(self.kind)
        self.count = 1

    def codes(self, values: pl.Series) -> Codes:
        codes = values.fill_null("").cast(self.kind).to_physical().to_numpy().astype(np.int64)
        self.count = max(self.count, int(codes.max(initial=-1)) + 1)
        return codes

    def strings(self) -> pl.Series:
        """The string of each number so far."""
        numbers = pl.Series(np.arange(self.count, dtype=np.uint32))
        return numbers.cat.to(self.kind).cast(pl.String)


def check_picks(predictions: pl.DataFrame, choices: pl.DataFrame) -> None:
    """Refuse predictions that are none of the choices of their question.

    >>> offered = pl.DataFrame({"question_id": ["1", "1"], "choice": ["red", "blue"]})
    >>> check_picks(pl.DataFrame({"question_id": ["1"], "answer": ["green"]}), offered)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.errors.DataError: predictions: found 1 that are none of the choices (1: 'green'), expected picks; ...
    """
    asked = predictions.join(
        choices.select("question_id").unique(), on="question_id", how="semi", maintain_order="left"
    )
    offered = choices.select("question_id", answer="choice")
    strays = asked.join(offered, on=["question_id", "answer"], how="anti", maintain_order="left")
    if strays.height:
        listed = ", ".join(
            f"{key}: {answer!r}" for key, answer in strays.head(3).select("question_id", "answer").rows()
        )
        raise DataError(
            f"predictions: found {strays.height:,} that are none of the choices ({listed}), expected picks; "
            "restrict the model to the choices, or grade as open-ended"
        )


def _score(predictions: pl.DataFrame, tables: Tables, *, rule: Profile) -> pl.DataFrame:
    shown = pl.col("shown").fill_null("image") == "image"
    return vqa_accuracies(predictions, tables["answers"].filter(shown).select("question_id", "answer").collect(), rule)


def _score_picks(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    choices = tables["choices"].select("question_id", "choice").collect()
    picks = predictions.join(choices, on="question_id", how="semi", maintain_order="left")
    try:
        check_picks(picks, choices)
    except DataError as strays:
        raise Absent(str(strays)) from strays
    return _score(picks, tables, rule=DEFAULT)


def _metric(name: str, rule: Profile) -> ItemMetric:
    return ItemMetric(name, f"VQA accuracy ({rule.name})", ("answers",), partial(_score, rule=rule))


VQA_ACCURACY = _metric("vqa", DEFAULT)
VQA_2016, VQA_ALWAYS, VQA_VIZWIZ, VQA_NAIVE = (
    _metric(f"vqa-{name}", PROFILES[name]) for name in ("official-2016", "always", "vizwiz", "naive")
)
VQA_MULTIPLE_CHOICE = ItemMetric(
    "vqa-multiple-choice", "VQA accuracy of picks among the choices", ("answers", "choices"), _score_picks
)
