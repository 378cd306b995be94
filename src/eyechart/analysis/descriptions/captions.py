"""What questions and answers tell that captions do not (VQA v1, section 4.4 and appendix I, its figures)."""

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.views import Views
from eyechart.metrics import Absent

__all__ = ["ks_statistic", "prepositions", "words_apart", "words_per_sentence"]

_PARTS = ("noun", "verb", "adjective")
_CAPTIONS, _ASKED = "captions", "questions and answers"
_PLACES = {_ASKED: 0, "both": 1, _CAPTIONS: 2}
"""From left to right, as the circles of the paper's figures."""
_MOST_WORDS = 40
_FEWEST = 5
_MOST = 8
_SPATIAL = (
    "above", "across", "against", "along", "among", "around", "at", "before", "behind", "below", "beneath", "beside",
    "between", "beyond", "by", "down", "in", "inside", "into", "near", "next", "off", "on", "onto", "out", "outside",
    "over", "past", "through", "toward", "towards", "under", "underneath", "up", "upon", "within",
)  # fmt: skip


def _told(views: Views) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tagged words of captions, and of questions with their answer; each with the number of its sentence."""
    if not views.tagged_captions.height:
        raise Absent("there are no captions")
    if not views.tagged_questions.height:
        raise Absent("no question has a text")
    return views.tagged_captions, views.tagged_questions


def words_per_sentence(views: Views) -> list[Result]:
    """Nouns, verbs and adjectives per caption, and per question with its answer; are the distributions the same?"""
    captions, asked = _told(views)
    rows, tests = [], []
    for part in _PARTS:
        one, other = (_per_sentence(told, part) for told in (captions, asked))
        distance, p = ks_statistic(one, other)
        tests.append((part, distance, p))
        rows += [_shares(one, part, _CAPTIONS), _shares(other, part, _ASKED)]
    part, distance, p = max(tests, key=lambda test: test[1])
    title = (
        f"Captions differ from questions and answers most in their {part}s (Kolmogorov-Smirnov D = {distance:.2f}, p "
        f"{_p(p)})"
    )
    each = "; ".join(f"{part}s D = {distance:.3f}, p {_p(p)}" for part, distance, p in tests)
    about = f"Words of a kind per sentence, {_MOST} for {_MOST} and more: {each} (VQA v1, appendix I)."
    chart = Chart(
        "lines",
        x="words",
        y="share",
        color="of",
        facet="part",
        x_title="words in the sentence",
        y_title="share of sentences",
        percent=True,
    )
    return [Result("captions-apart", title, about, pl.concat(rows), chart)]


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"  # noqa: PLR2004  # as papers print it


def _per_sentence(told: pl.DataFrame, part: str) -> pl.Series:
    return told.group_by("text", maintain_order=True).agg((pl.col("part") == part).sum().cast(pl.Int64).alias("words"))[
        "words"
    ]


def _shares(counts: pl.Series, part: str, of: str) -> pl.DataFrame:
    told = counts.clip(0, _MOST).value_counts(name="sentences").sort("words")
    return told.sort("words").select(
        "words", share=pl.col("sentences") / counts.len(), part=pl.lit(f"{part}s"), of=pl.lit(of)
    )


def ks_statistic(one: pl.Series, other: pl.Series) -> tuple[float, float]:
    """The two-sample Kolmogorov-Smirnov statistic and its p-value by the limit distribution.

    Ties make the p-value of counts an upper bound.

    >>> ks_statistic(pl.Series([1, 2, 3, 4]), pl.Series([1, 2, 3, 4]))
    (0.0, 1.0)
    """
    import math

    counted = pl.concat([pl.DataFrame({"v": one, "a": 1.0, "b": 0.0}), pl.DataFrame({"v": other, "a": 0.0, "b": 1.0})])
    below = counted.group_by("v").agg(pl.col("a", "b").sum()).sort("v").select(pl.col("a", "b").cum_sum())
    distance = float((below["a"] / one.len() - below["b"] / other.len()).abs().max() or 0.0)  # type: ignore[arg-type]  # a float
    reach = distance * math.sqrt(one.len() * other.len() / (one.len() + other.len()))
    if reach < 0.2:  # noqa: PLR2004  # below, the series is 1 to twelve digits
        return distance, 1.0
    terms = (2 * (-1) ** (k - 1) * math.exp(-2 * k * k * reach * reach) for k in range(1, 101))
    return distance, min(1.0, max(0.0, sum(terms)))


def words_apart(views: Views, part: str) -> list[Result]:
    """Which words of a kind are typical of captions, which of questions and answers, and which of both."""
    captions, asked = _told(views)
    one, other = (
        told.filter(part=part).group_by("word").agg(times=pl.len().cast(pl.Int64)) for told in (captions, asked)
    )
    both = one.join(other, on="word", how="full", coalesce=True, suffix="_asked").with_columns(
        pl.col("times", "times_asked").fill_null(0)
    )
    told = both.with_columns(here=_portion("times"), there=_portion("times_asked")).filter(
        pl.col("times") + pl.col("times_asked") >= _FEWEST
    )
    here, there = pl.col("here"), pl.col("there")
    typical = here / (here + there)
    place = (
        pl.when(typical > 2 / 3)
        .then(pl.lit(_CAPTIONS))
        .when(typical < 1 / 3)
        .then(pl.lit(_ASKED))
        .otherwise(pl.lit("both"))
    )
    # The size in the middle is the harmonic mean of both, as in the paper.
    size = pl.when(place == "both").then(2 * here * there / (here + there)).otherwise(pl.max_horizontal(here, there))
    rows = told.select("word", place=place, share=size).sort("share", "word", descending=[True, False])
    rows = rows.group_by("place", maintain_order=True).head(_MOST_WORDS)
    if not rows.height:
        raise Absent(f"no {part} is frequent enough")
    rows = rows.sort(pl.col("place").replace_strict(_PLACES), maintain_order=True)
    about = (
        f"The {part}s of captions, and of questions with their answer: a word is typical of one side if it is twice as "
        "frequent there, and as large as it is frequent (VQA v1, appendix I, figures 15 to 20)."
    )
    chart = Chart("words", x="word", y="share", color="place")
    return [Result(f"captions-{part}s", _most_typical(rows, part), about, rows, chart)]


def _portion(times: str) -> pl.Expr:
    return pl.col(times) / pl.max_horizontal(pl.col(times).sum(), 1)


def _most_typical(rows: pl.DataFrame, part: str) -> str:
    first = dict(rows.unique("place", keep="first", maintain_order=True).select("place", "word").iter_rows())
    told = [f"“{first[place]}” of {place}" for place in (_CAPTIONS, _ASKED) if place in first]
    if not told:
        return f"Captions and questions use the same {part}s"
    return f"{' and '.join(told)} {'is' if len(told) == 1 else 'are'} the most typical {part}{'s' * (len(told) > 1)}"


def prepositions(views: Views) -> list[Result]:
    """How often captions, and questions with answers, say where things are."""
    captions, asked = _told(views)
    sides = {_CAPTIONS: captions, _ASKED: asked}
    rows = pl.concat(
        told.filter(pl.col("word").is_in(_SPATIAL))
        .group_by("word")
        .agg(times=pl.len().cast(pl.Int64))
        .select("word", of=pl.lit(of), share=pl.col("times") / told["text"].n_unique())
        for of, told in sides.items()
    )
    if not rows.height:
        raise Absent("no preposition of place is said")
    most = pl.col("share").max().over("word")
    rows = rows.sort(-most, "word", "of").filter(pl.col("word").rle_id() < _MOST_WORDS // 2)
    one, other = (rows.filter(pl.col("of") == of)["share"].sum() for of in sides)
    title = f"Captions say where things are {one:.2f} times a sentence, questions and answers {other:.2f} times"
    about = "Spatial prepositions per sentence (VQA v1, appendix I)."
    chart = Chart("dots", x="word", y="share", color="of", y_title="per sentence")
    return [Result("captions-prepositions", title, about, rows, chart)]
