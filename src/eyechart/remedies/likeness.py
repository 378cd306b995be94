"""When two answers are too much alike for one to be a wrong alternative to the other: a stack of filters.

String matching and Wu-Palmer similarity of at least 0.9 are the filters of Chao et al. 2018, section 4.1; equality up
to inflection and shared WordNet senses come before the latter. Answers on one scale (left and right, colours, numbers)
may be excepted from similarity: the taxonomy has them close together, and yet never both are right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.errors import UsageError
from eyechart.metrics import TERMS
from eyechart.registry import did_you_mean
from eyechart.remedies.inflections import forms_of
from eyechart.remedies.scales import SCALES, Scales
from eyechart.text import Nouns, Senses, expand, normalize_answer, packaged_nouns, split_rows, text_encoder

__all__ = ["FILTERS", "Answers", "Likeness"]

Places = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]
Reasons = npt.NDArray[np.uint8]
Exact = npt.NDArray[np.float64]

FILTERS = ("different", "equal", "contained", "inflected", "synonym", "similar", "same meaning")
"""Why two answers are alike, by number; ``different`` if they are not."""
_EQUAL, _CONTAINED, _INFLECTED, _SYNONYM, _SIMILAR, _MEANING = range(1, len(FILTERS))
_LESS = 0.1
"""By which a similarity below the threshold counts in sets (Malinowski and Fritz 2014, section 4)."""
WORDS = "words"


@dataclass(frozen=True)
class Likeness:
    """What makes two answers alike.

    >>> Likeness(terms="phrases")
    Traceback (most recent call last):
    eyechart.errors.UsageError: terms: found 'phrases', expected one of endings, strings, underscores, words; \
known names are endings, strings, underscores, words
    """

    threshold: float = 0.9
    """Wu-Palmer similarity from which answers are alike; above 1 for none."""
    senses: Literal["all", "first"] = "all"
    """The largest similarity of all pairs of noun senses, or that of the first ones."""
    direction: Literal["both", "either", "from-target", "to-target"] = "both"
    """NLTK's similarity depends on which word comes first: both orders must reach the threshold (as in WUPS, and as the
    0.632 of lady and woman), or either one, or one that is chosen."""
    terms: str = "strings"
    """What is looked up of an answer: ``strings`` its items between commas; ``underscores`` these with underscores for
    spaces; ``endings`` the longest ending that is a noun; ``words`` every noun among its words, as a set."""
    contained: Literal["characters", "words", "no"] = "characters"
    """Whether one answer may contain the other: compared without spaces, or as whole words, or not at all."""
    inflected: bool = True
    """Whether dog and dogs are alike."""
    synonyms: bool = True
    """Whether words that share a WordNet sense are alike."""
    meaning: float | None = None
    """Cosine of averaged word vectors from which answers are alike; none if not said."""
    vectors: str = "wordllama"
    """The word vectors for ``meaning``."""
    scales: tuple[str, ...] = ()
    """Scales whose answers are different, however similar, of colors, directions, numbers, opposites, seasons, sizes,
    times and weather."""

    def __post_init__(self) -> None:
        names = sorted([*TERMS, WORDS])
        if self.terms not in names:
            raise UsageError(
                f"terms: found {self.terms!r}, expected one of {', '.join(names)}; {did_you_mean(self.terms, names)}"
            )
        if unknown := [name for name in self.scales if name not in SCALES]:
            raise UsageError(
                f"scales: found {unknown[0]!r}, expected some of {', '.join(SCALES)}; "
                f"{did_you_mean(unknown[0], SCALES)}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The filters that are on."""
        on = (
            True,
            True,
            self.contained != "no",
            self.inflected,
            self.synonyms,
            self.threshold <= 1,
            bool(self.meaning),
        )
        return tuple(name for name, used in zip(FILTERS[1:], on[1:], strict=True) if used)


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of each answer, as rows of numbers."""

    start: Places
    term: Places

    @property
    def counts(self) -> Places:
        return np.diff(self.start)


class Answers:
    """Distinct answers, each with a number, and which of them are alike.

    >>> answers = Answers(["Daytime.", "during the daytime", "night", "daytime"])
    >>> answers.codes.tolist(), answers.normal
    ([0, 1, 2, 0], ['daytime', 'during daytime', 'night'])
    >>> [FILTERS[reason] for reason in answers.alike(np.array([0, 0, 0]), np.array([0, 1, 2]))]
    ['equal', 'contained', 'different']
    """

    def __init__(self, answers: Sequence[str], how: Likeness = Likeness(), nouns: Nouns | None = None) -> None:
        self.how = how
        distinct = pl.Series("answer", answers, dtype=pl.String).unique().sort()
        normal = pl.Series("normal", [normalize_answer(each) or each.strip().lower() for each in distinct], pl.String)
        # Of spellings that are one answer the alphabetically first is shown and looked up.
        spelled = pl.DataFrame([distinct, normal]).group_by("normal").agg(pl.col("answer").min()).sort("normal")
        self.normal: list[str] = spelled["normal"].to_list()
        self.shown: list[str] = spelled["answer"].to_list()
        code = normal.replace_strict(spelled["normal"], pl.int_range(spelled.height, eager=True), return_dtype=pl.Int64)
        self._code = dict(zip(distinct, code, strict=True))
        self.codes = self.coded(answers)
        self._nouns = nouns

    def __len__(self) -> int:
        return len(self.normal)

    def coded(self, answers: Sequence[str]) -> Places:
        """The numbers of answers that are among the distinct ones."""
        return np.fromiter(map(self._code.__getitem__, answers), np.int64, len(answers))

    def alike(self, first: Places, second: Places) -> Reasons:
        """Why the answers of each pair of numbers are alike, as a place in ``FILTERS``; equal pairs are judged once.

        The first is the target, for similarities that depend on the order.
        """
        pairs, place = np.unique(first * len(self) + second, return_inverse=True)
        reasons = self._judged(*np.divmod(pairs, len(self)))
        return reasons[place]

    def _judged(self, first: Places, second: Places) -> Reasons:
        reasons = np.zeros(first.size, np.uint8)
        reasons[first == second] = _EQUAL
        how = self.how
        tests = (
            (how.contained != "no", _CONTAINED, self._contained),
            (how.inflected, _INFLECTED, self._inflected),
            (how.synonyms, _SYNONYM, self._synonymous),
            (how.threshold <= 1, _SIMILAR, self._similar),
            (how.meaning is not None, _MEANING, self._same_meaning),
        )
        for used, reason, test in tests:
            left = np.flatnonzero(reasons == 0)
            if used and left.size:
                reasons[left[test(first[left], second[left])]] = reason
        return reasons

    def _contained(self, first: Places, second: Places) -> Bools:
        one, other = (self._containing.gather(places).alias(name) for places, name in ((first, "a"), (second, "b")))
        either = pl.col("a").str.contains(pl.col("b"), literal=True) | pl.col("b").str.contains(
            pl.col("a"), literal=True
        )
        return pl.DataFrame([one, other]).select(either.fill_null(value=False)).to_series().to_numpy()

    @cached_property
    def _containing(self) -> pl.Series:
        normal = pl.Series(self.normal, dtype=pl.String)
        if self.how.contained == "words":
            return " " + normal + " "
        return normal.str.replace_all(" ", "", literal=True)

    def _inflected(self, first: Places, second: Places) -> Bools:
        return self._listed(self._same_forms, first, second)

    def _synonymous(self, first: Places, second: Places) -> Bools:
        return self._listed(self._same_senses, first, second) & ~self._on_one_scale(first, second)

    def _listed(self, pairs: Places, first: Places, second: Places) -> Bools:
        return np.isin(first * len(self) + second, pairs)

    @cached_property
    def _same_forms(self) -> Places:
        forms = [forms_of(each, self.nouns) for each in self.normal]
        return self._sharing(np.repeat(np.arange(len(self)), list(map(len, forms))), [f for row in forms for f in row])

    @cached_property
    def _same_senses(self) -> Places:
        senses = self.nouns.senses([each.replace(" ", "_") for each in self.normal])
        senses = senses if self.how.senses == "all" else senses.first
        return self._sharing(np.repeat(np.arange(len(self)), np.diff(senses.start)), senses.synset)

    def _sharing(self, answer: Places, what: Sequence[str] | Places) -> Places:
        """Pairs of different answers that have something in common, sorted."""
        rows = pl.DataFrame({"answer": answer, "what": what}).unique()
        rows = rows.filter(pl.len().over("what") > 1)
        both = rows.join(rows, on="what", suffix="_other").filter(pl.col("answer") != pl.col("answer_other"))
        return both.select(pl.col("answer") * len(self) + pl.col("answer_other")).to_series().unique().sort().to_numpy()

    def _similar(self, first: Places, second: Places) -> Bools:
        reached = np.zeros(first.size, np.bool_)
        compared = np.flatnonzero(~self._on_one_scale(first, second))
        scores = self._set_similarities(first[compared], second[compared], self.how.threshold)
        reached[compared] = scores >= self.how.threshold
        return reached

    def _on_one_scale(self, first: Places, second: Places) -> Bools:
        return self._scales.share(first, second) if self.how.scales else np.zeros(first.size, np.bool_)

    @cached_property
    def _scales(self) -> Scales:
        return Scales(self.normal, self.how.scales)

    def similarities(self, first: Places, second: Places) -> Exact:
        """Wu-Palmer similarity of answers as the options say, undiminished below the threshold.

        >>> answers = Answers(["cat", "dog", "lady", "woman"])
        >>> answers.similarities(np.array([0, 2]), np.array([1, 3])).round(3).tolist()
        [0.857, 0.632]
        """
        pairs, place = np.unique(first * len(self) + second, return_inverse=True)
        return self._set_similarities(*np.divmod(pairs, len(self)), 0.0)[place]

    def _set_similarities(self, first: Places, second: Places, threshold: float) -> Exact:
        """WUPS: the smaller of prod max over the terms of the first, and over those of the second."""
        scores = np.zeros(first.size)
        counts = self._terms.counts
        single = (counts[first] == 1) & (counts[second] == 1)
        one, other = (self._terms.start[places[single]] for places in (first, second))
        scores[single] = self._measures(self._terms.term[one], self._terms.term[other], threshold)
        many = np.flatnonzero(~single & (counts[first] > 0) & (counts[second] > 0))
        scores[many] = np.minimum(
            self._products(first[many], second[many], threshold, turned=False),
            self._products(second[many], first[many], threshold, turned=True),
        )
        return scores

    def _products(self, one: Places, other: Places, threshold: float, *, turned: bool) -> Exact:
        """For each pair the product over the terms of one of the largest measure to a term of the other."""
        if not one.size:
            return np.zeros(0)
        counts, start = self._terms.counts, self._terms.start
        width = np.repeat(counts[other], counts[one])
        mine = np.repeat(self._terms.term[expand(start[one], counts[one])], width)
        theirs = self._terms.term[expand(np.repeat(start[other], counts[one]), width)]
        measures = self._measures(theirs, mine, threshold) if turned else self._measures(mine, theirs, threshold)
        nearest = np.maximum.reduceat(measures, split_rows(width)[:-1])
        products: Exact = np.multiply.reduceat(nearest, split_rows(counts[one])[:-1])
        return products

    def _measures(self, first: Places, second: Places, threshold: float) -> Exact:
        """Similarity of terms; below the threshold only a tenth of it counts."""
        ways = {"to-target": [(second, first)], "from-target": [(first, second)]}
        found = [self._wup(*pair) for pair in ways.get(self.how.direction, [(first, second), (second, first)])]
        nearest = np.min(found, axis=0) if self.how.direction == "both" else np.max(found, axis=0)
        nearest = np.where(first == second, 1.0, nearest)
        return np.where(nearest < threshold, nearest * _LESS, nearest)

    def _wup(self, first: Places, second: Places) -> Exact:
        """Of terms without a noun sense it is 0; the others are few, and so is what has to be laid out for them."""
        scores = np.zeros(first.size)
        has = np.diff(self._senses.start) > 0
        known = np.flatnonzero(has[first] & has[second])
        if not known.size:
            return scores
        used, place = np.unique(np.concatenate([first[known], second[known]]), return_inverse=True)
        scores[known] = self.nouns.sense_similarities(
            self._senses.of(used), place[: known.size], place[known.size :], all_senses=self.how.senses == "all"
        )
        return scores

    @cached_property
    def _senses(self) -> Senses:
        return self.nouns.senses(self._term_words)

    @property
    def nouns(self) -> Nouns:
        """WordNet."""
        self._nouns = self._nouns or packaged_nouns()
        return self._nouns

    @cached_property
    def _looked_up(self) -> tuple[_Terms, list[str]]:
        number: dict[str, int] = {}
        rows = [self._terms_of(shown) for shown in self.shown]
        flat = [number.setdefault(term, len(number)) for row in rows for term in row]
        return _Terms(split_rows(np.array([len(row) for row in rows], np.int64)), np.array(flat, np.int64)), list(
            number
        )

    @property
    def _terms(self) -> _Terms:
        return self._looked_up[0]

    @property
    def _term_words(self) -> list[str]:
        return self._looked_up[1]

    def _terms_of(self, answer: str) -> list[str]:
        items = list(dict.fromkeys(filter(None, map(normalize_answer, answer.split(",")))))
        if self.how.terms == WORDS:
            words = dict.fromkeys(word for item in items for word in item.split())
            return [word for word in words if self.nouns.base_forms(word)]
        policy = TERMS[self.how.terms]
        return [policy.term(policy.spell(item), self.nouns) for item in items]

    def _same_meaning(self, first: Places, second: Places) -> Bools:
        vectors = self._vectors
        cosines = np.einsum("ij,ij->i", vectors[first], vectors[second], dtype=np.float64)
        near: Bools = cosines >= (self.how.meaning or 1)
        return near & ~self._on_one_scale(first, second)

    @cached_property
    def _vectors(self) -> npt.NDArray[np.float32]:
        return text_encoder(self.how.vectors).encode(self.normal)[0]
