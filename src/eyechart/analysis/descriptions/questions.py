"""What is asked: the first words of questions, their length, their kinds (VQA v1, section 4.1 and figures 3 and 4)."""

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total
from eyechart.analysis.views import DEPTH, Views, words
from eyechart.metrics import Absent

__all__ = ["endings", "kinds", "lengths", "openings"]

_RINGS = 4
_SMALLEST = 0.004
"""Parts of a ring that are smaller share of all are drawn together."""
_LONGEST = 25
_MOST_KINDS = 30
_MOST_ENDINGS, _MOST_ANSWERS = 20, 6
_TELLING = 0.02
"""The title tells of an ending with at least this share of the questions."""


def openings(views: Views) -> list[Result]:
    """Questions by their first four words; after a prefix, by the next five."""
    rings = DEPTH if views.prefix else _RINGS
    named = [f"word_{place + 1}" for place in range(rings)]
    counted = views.openings.group_by(named).agg(pl.col("questions").sum())
    asked = int(total(counted["questions"]))
    if not asked:
        begun = f" that begins with “{' '.join(views.prefix)}”" if views.prefix else " with a text"
        raise Absent(f"there is no question{begun}")
    merged = _merged_small(counted, named, asked)
    firsts = (
        views.openings.group_by("word_1")
        .agg(pl.col("questions").sum())
        .sort("questions", "word_1", descending=[True, False])
    )
    word, most = firsts.row(0)
    start = " ".join((*views.prefix, word or ""))
    title = f"{most / asked:.0%} of {asked:,} questions begin with “{start.strip()}”"
    about = (
        f"Questions by their first {rings} words, from the middle outwards; beginnings rarer than {_SMALLEST:.1%} are "
        "drawn together (VQA v1, figure 3)."
    )
    chart = Chart("sunburst", y="questions", path=tuple(named))
    return [Result("first-words", title, about, merged, chart)]


def _merged_small(counted: pl.DataFrame, named: list[str], asked: int) -> pl.DataFrame:
    """Rare words become "…", and what comes after them is no longer told apart."""
    rows = counted
    for place, name in enumerate(named):
        path = named[: place + 1]
        share = pl.col("questions").sum().over(path) / asked
        rare = pl.col(name).is_not_null() & (
            (share < _SMALLEST) | (pl.col(named[place - 1]) == "…" if place else pl.lit(value=False))
        )
        after = [pl.when(rare).then(None).otherwise(pl.col(later)).alias(later) for later in named[place + 1 :]]
        rows = rows.with_columns(pl.when(rare).then(pl.lit("…")).otherwise(pl.col(name)).alias(name), *after)
    merged = rows.group_by(named).agg(pl.col("questions").sum())
    return merged.sort(["questions", *named], descending=[True, *[False] * len(named)])


def lengths(views: Views) -> list[Result]:
    """How many words questions have."""
    words = pl.col("words").clip(0, _LONGEST)
    counted = views.lengths.group_by(words).agg(pl.col("questions").sum()).sort("words")
    if not counted.height:
        raise Absent("no question has a text")
    shares = counted.with_columns(share=pl.col("questions") / pl.col("questions").sum())
    low, middle, high = (_quantile(counted, share) for share in (0.05, 0.5, 0.95))
    title = f"Questions have {middle} words as a rule, 9 in 10 of them {low} to {high}"
    about = f"Words per question; {_LONGEST} stands for {_LONGEST} and more (VQA v1, figure 4; GQA, figure 5)."
    chart = Chart(
        "columns", x="words", y="share", x_title="words in the question", y_title="share of questions", percent=True
    )
    return [Result("question-length", title, about, shares, chart)]


def _quantile(counted: pl.DataFrame, share: float) -> int:
    below = counted["questions"].cum_sum() / counted["questions"].sum()
    return int(counted["words"].gather(int(total(below < share))).item())


def kinds(views: Views) -> list[Result]:
    """How often each kind of question is asked."""
    counted = (
        views.kinds.drop_nulls()
        .group_by("kind")
        .agg(questions=pl.len().cast(pl.Int64))
        .sort("questions", "kind", descending=[True, False])
        .collect(engine="streaming")
    )
    if not counted.height:
        raise Absent("no question has a kind")
    shares = counted.with_columns(share=pl.col("questions") / pl.col("questions").sum())
    kind, share = shares.select("kind", "share").row(0)
    title = f"The most frequent of {shares.height} kinds of questions, “{kind}”, makes {share:.0%}"
    shown = f"The {_MOST_KINDS} most frequent. " if shares.height > _MOST_KINDS else ""
    about = f"{shown}Kinds are the dataset's own labels; without any, the first words by the published list."
    chart = Chart("bars", x="kind", y="share", y_title="share of questions", percent=True)
    return [Result("question-kinds", title, about, shares.head(_MOST_KINDS), chart)]


def endings(views: Views) -> list[Result]:
    """What is answered to "What is …" questions that end with the same word."""
    asked = words(pl.col("question"))
    told = views.answered(
        pl.col("question").str.contains(r"(?i)^\W*what (is|are)\b"), ending=asked.list.get(-1, null_on_oob=True)
    ).rename({"people": "questions"})
    if not told.height:
        raise Absent("no question begins with “What is” and has an answer")
    most = told.with_columns(all=pl.col("questions").sum().over("ending")).filter(
        pl.struct(-pl.col("all"), "ending").rank("dense") <= _MOST_ENDINGS,
        pl.struct(-pl.col("questions"), "answer").rank("ordinal").over("ending") <= _MOST_ANSWERS,
    )
    rows = most.select("ending", "answer", share=pl.col("questions") / pl.col("all"), questions="questions", all="all")
    rows = rows.sort("all", "ending", "questions", "answer", descending=[True, False, True, False])
    large = rows.filter(pl.col("all") >= _TELLING * total(told["questions"]))
    last, answer, share = (
        (large if large.height else rows)
        .sort("share", "all", descending=True)
        .select("ending", "answer", "share")
        .row(0)
    )
    title = f"“What is … {last}?” is answered “{answer}” {share:.0%} of the time"
    about = (
        f"Questions that begin with “What is” or “What are”, by their last word: the {_MOST_ANSWERS} most frequent "
        "answers of each."
    )
    chart = Chart(
        "stack", x="ending", y="share", color="answer", y_title="share of the ending's questions", percent=True
    )
    return [Result("what-is-endings", title, about, rows.drop("all"), chart)]
