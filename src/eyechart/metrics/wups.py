"""WUPS: Wu-Palmer similarity of sets of answers (Malinowski and Fritz 2014, section 4), and its consensus forms.

The score of answers A against predictions T is the smaller of prod over a of max over t of m(a, t), and prod over t of
max over a of m(t, a). Two items measure 1 if they are the same string; else the largest Wu-Palmer similarity of any two
noun senses, a tenth of it below the threshold, and 0 without noun senses. At threshold -1 only equal strings count,
which is the set accuracy of DAQUAR. ACM and MCM (Malinowski, Rohrbach and Fritz 2015, section 4.3) are the mean and the
maximum over the people who answered.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from eyechart.errors import MissingDependencyError, UsageError
from eyechart.metrics.correctness import picked_columns, seen_answers
from eyechart.metrics.kinds import Absent, ItemMetric, Tables
from eyechart.registry import did_you_mean
from eyechart.text import Nouns, expand, packaged_nouns, split_rows

__all__ = [
    "SET_ACCURACY",
    "TERMS",
    "WUPS_0_0",
    "WUPS_0_9",
    "WUPS_ACM_0_0",
    "WUPS_ACM_0_9",
    "WUPS_MCM_0_0",
    "WUPS_MCM_0_9",
    "consensus_wups_scores",
    "set_scores",
    "wups",
    "wups_scores",
]

ONLY_EQUAL = -1.0
"""The threshold at which similarity does not count."""
_LESS = 0.1
_ITEMS = ","

Codes = NDArray[np.integer]
Scores = NDArray[np.float64]
Consensus = Literal["acm", "mcm"]


def _as_it_is(item: str) -> str:
    return item


def _underscored(item: str) -> str:
    return "_".join(item.lower().split())


def _whole(spelled: str, _nouns: Nouns) -> str:
    return spelled


def _longest_ending(spelled: str, nouns: Nouns) -> str:
    words = spelled.split("_")
    endings = ("_".join(words[begin:]) for begin in range(len(words)))
    return next((ending for ending in endings if nouns.base_forms(ending)), spelled)


@dataclass(frozen=True, slots=True)
class _Terms:
    """How an item is compared, and what of it is looked up."""

    spell: Callable[[str], str]
    term: Callable[[str, Nouns], str]


TERMS: Mapping[str, _Terms] = MappingProxyType(
    {
        "strings": _Terms(_as_it_is, _whole),
        "underscores": _Terms(_underscored, _whole),
        "endings": _Terms(_underscored, _longest_ending),
    }
)
"""What becomes of an item of several words. ``strings``, the default, is the original script: it stands as it is, and
only underscores find it. ``underscores``: lower case, underscores for spaces. ``endings``: so, and if that is no noun,
its longest ending that is one ("big garbage can" is looked up as garbage_can)."""


@dataclass(frozen=True, slots=True)
class _Sets:
    """Answers as rows of items; an item is a number."""

    start: Codes
    item: Codes

    @property
    def counts(self) -> Codes:
        return np.diff(self.start)

    def rows(self, chosen: Codes) -> "_Sets":
        counts = self.counts[chosen]
        return _Sets(split_rows(counts), self.item[expand(self.start[:-1][chosen], counts)])


def wups(
    answer: str, prediction: str, threshold: float = 0.9, *, terms: str = "strings", nouns: Nouns | None = None
) -> float:
    """The score of one prediction; several items are separated by commas.

    >>> wups("dog", "cat"), wups("dog", "cat", 0.0)
    (0.08571428571428572, 0.8571428571428571)
    >>> wups("book, pen", "pen, book", -1), wups("book, pen", "book", -1), wups("book", "book, book", -1)
    (1.0, 0.0, 1.0)
    """
    scores = set_scores(pl.Series([answer]), pl.Series([prediction]), threshold, terms=terms, nouns=nouns)
    return float(scores[0])


def set_scores(
    answers: pl.Series, predictions: pl.Series, threshold: float, *, terms: str = "strings", nouns: Nouns | None = None
) -> Scores:
    """The score of each row; equal rows are worked out once.

    >>> set_scores(pl.Series(["dog", "dog"]), pl.Series(["dog", "cat"]), 0.0).tolist()
    [1.0, 0.8571428571428571]
    """
    if terms not in TERMS:
        raise UsageError(f"terms: found {terms!r}, expected one of {', '.join(TERMS)}; {did_you_mean(terms, TERMS)}")
    texts = pl.concat([answers.cast(pl.String), predictions.cast(pl.String)]).fill_null("")
    distinct = texts.unique(maintain_order=True)
    sets, items = _sets(distinct.to_list())
    codes = texts.replace_strict(distinct, pl.int_range(distinct.len(), eager=True)).to_numpy()
    pairs, place = np.unique(codes[: answers.len()] * distinct.len() + codes[answers.len() :], return_inverse=True)
    mine, theirs = sets.rows(pairs // distinct.len()), sets.rows(pairs % distinct.len())
    measured = _Measured(items, threshold, terms, nouns)
    scores: Scores = np.minimum(measured.products(mine, theirs), measured.products(theirs, mine))[place]
    return scores


def _sets(texts: Sequence[str]) -> tuple[_Sets, list[str]]:
    items: dict[str, int] = {}
    split = [[item.strip() for item in text.split(_ITEMS)] for text in texts]
    flat = [items.setdefault(item, len(items)) for row in split for item in row]
    return _Sets(split_rows(np.array([len(row) for row in split])), np.array(flat, np.int64)), list(items)


class _Measured:
    """Items and how near they are to each other."""

    def __init__(self, items: Sequence[str], threshold: float, terms: str, nouns: Nouns | None) -> None:
        self._threshold = threshold
        self._size = len(items)
        spelled = [TERMS[terms].spell(item) for item in items]
        self._spelling, _ = _numbered(spelled)
        if threshold != ONLY_EQUAL:
            self._nouns = nouns or packaged_nouns()
            self._term, distinct = _numbered([TERMS[terms].term(item, self._nouns) for item in spelled])
            self._senses = self._nouns.senses(distinct)

    def products(self, one: _Sets, other: _Sets) -> Scores:
        """For each row, the product over the items of one of the largest measure to an item of the other."""
        if not one.item.size:
            return np.zeros(0)
        width = np.repeat(other.counts, one.counts)
        first = np.repeat(one.item, width)
        second = other.item[expand(np.repeat(other.start[:-1], one.counts), width)]
        nearest = np.maximum.reduceat(self._measures(first, second), split_rows(width)[:-1])
        products: Scores = np.multiply.reduceat(nearest, one.start[:-1])
        return products

    def _measures(self, first: Codes, second: Codes) -> Scores:
        same = self._spelling[first] == self._spelling[second]
        if self._threshold == ONLY_EQUAL:
            return np.where(same, 1.0, 0.0)
        distinct, place = np.unique(
            self._term[first[~same]] * self._size + self._term[second[~same]], return_inverse=True
        )
        near = self._nouns.sense_similarities(self._senses, distinct // self._size, distinct % self._size)
        measures = np.ones(first.size)
        measures[~same] = np.where(near < self._threshold, near * _LESS, near)[place]
        return measures


def _numbered(texts: Sequence[str]) -> tuple[Codes, list[str]]:
    """Equal numbers for equal strings, and the string of each number."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64), list(numbers)


def wups_scores(
    predictions: pl.DataFrame,
    questions: pl.DataFrame,
    threshold: float = 0.9,
    *,
    terms: str = "strings",
    nouns: Nouns | None = None,
) -> pl.DataFrame:
    """Each prediction against the reference answer of its question: question_id, score (null without one).

    >>> asked = pl.DataFrame({"question_id": ["1"], "answer": ["dog"]})
    >>> wups_scores(pl.DataFrame({"question_id": ["1"], "answer": ["dog"]}), asked).rows()
    [('1', 1.0)]
    """
    both = predictions.select("question_id", prediction="answer").join(
        questions.select("question_id", "answer"), on="question_id", how="left", maintain_order="left"
    )
    known = both["answer"].is_not_null().to_numpy()
    scores = np.full(both.height, np.nan)
    graded = both.filter(pl.Series(known))
    scores[known] = set_scores(graded["answer"], graded["prediction"], threshold, terms=terms, nouns=nouns)
    return both.select("question_id", score=pl.Series(scores).fill_nan(None))


def consensus_wups_scores(
    predictions: pl.DataFrame,
    answers: pl.DataFrame,
    threshold: float = 0.9,
    *,
    terms: str = "strings",
    nouns: Nouns | None = None,
) -> pl.DataFrame:
    """Each prediction against everybody's answer: question_id, acm (the mean of the scores), mcm (the largest).

    >>> people = pl.DataFrame({"question_id": ["1", "1"], "answer": ["dog", "cat"]})
    >>> guess = pl.DataFrame({"question_id": ["1"], "answer": ["dog"]})
    >>> consensus_wups_scores(guess, people, 0.0).select(pl.col("acm", "mcm").round(4)).rows()
    [(0.9286, 1.0)]
    """
    counted = answers.drop_nulls("answer").group_by("question_id", "answer").agg(people=pl.len())
    both = counted.join(predictions.select("question_id", prediction="answer"), on="question_id")
    score = pl.Series(set_scores(both["answer"], both["prediction"], threshold, terms=terms, nouns=nouns))
    merged = (
        both.with_columns(score=score)
        .group_by("question_id")
        .agg(
            acm=(pl.col("score") * pl.col("people")).sum() / pl.col("people").sum(),
            mcm=pl.col("score").max(),
        )
    )
    return predictions.select("question_id").join(merged, on="question_id", how="left", maintain_order="left")


def _against_reference(predictions: pl.DataFrame, tables: Tables, *, threshold: float) -> pl.DataFrame:
    questions = picked_columns(tables, "questions", "question_id", "answer").drop_nulls("answer")
    if not questions.height:
        raise Absent("the questions have no reference answers")
    with_reason = partial(wups_scores, predictions, questions, threshold)
    return _or_absent(with_reason)


def _against_people(predictions: pl.DataFrame, tables: Tables, *, threshold: float, how: Consensus) -> pl.DataFrame:
    scored = _or_absent(partial(consensus_wups_scores, predictions, seen_answers(tables), threshold))
    return scored.select("question_id", score=how)


def _or_absent(scores: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    try:
        return scores()
    except MissingDependencyError as error:
        raise Absent(str(error)) from error


def _wordnet() -> str:
    return packaged_nouns().source


def wups_metric(threshold: float) -> ItemMetric:
    """WUPS against the reference answer, at any threshold.

    >>> wups_metric(0.5).name
    'wups-0.5'
    """
    return _single(f"wups-{threshold}", f"WUPS at {threshold}", threshold)


def consensus_wups_metric(threshold: float, how: Consensus) -> ItemMetric:
    """WUPS against everybody's answers, at any threshold.

    >>> consensus_wups_metric(0.5, "mcm").title
    'WUPS at 0.5, nearest person'
    """
    against = {"acm": "mean over people", "mcm": "nearest person"}[how]
    score = partial(_against_people, threshold=threshold, how=how)
    name, title = f"wups-{how}-{threshold}", f"WUPS at {threshold}, {against}"
    return ItemMetric(name, title, ("answers",), score, made_with=_wordnet)


def _single(name: str, title: str, threshold: float) -> ItemMetric:
    score = partial(_against_reference, threshold=threshold)
    return ItemMetric(name, title, ("questions",), score, made_with=None if threshold == ONLY_EQUAL else _wordnet)


SET_ACCURACY = _single("set-accuracy", "accuracy of sets of answers", ONLY_EQUAL)
WUPS_0_9, WUPS_0_0 = wups_metric(0.9), wups_metric(0.0)
WUPS_ACM_0_9, WUPS_ACM_0_0 = (consensus_wups_metric(threshold, "acm") for threshold in (0.9, 0.0))
WUPS_MCM_0_9, WUPS_MCM_0_0 = (consensus_wups_metric(threshold, "mcm") for threshold in (0.9, 0.0))
