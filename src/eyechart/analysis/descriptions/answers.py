"""What is answered: how long, how often, to which kinds of questions (VQA v1, section 4.2 and figure 5)."""

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.views import Views
from eyechart.errors import MissingDependencyError
from eyechart.metrics import Absent
from eyechart.text import tagged_words

__all__ = ["answer_lengths", "blind_answers_by_kind", "coverage", "seen_answers_by_kind", "shares", "top_answers"]

_MOST_KINDS, _MOST_ANSWERS, _TOP = 15, 8, 30
_LONGEST = 5
_LARGEST = 5
"""A title tells of one of so many largest kinds."""
_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_NUMBER = r"^[0-9]+$"


def answer_lengths(views: Views) -> list[Result]:
    """How many words answers have."""
    number = pl.col("answer").str.split(" ").list.len().clip(1, _LONGEST).cast(pl.Int64)
    counted = views.answer_counts.group_by(words=number).agg(answers=pl.col("times").sum()).sort("words")
    if not counted.height:
        raise Absent("there are no answers")
    rows = counted.with_columns(share=pl.col("answers") / pl.col("answers").sum())
    single = rows.filter(pl.col("words") == 1)["share"].sum()
    about = (
        f"Words per answer, after the official normalisation; {_LONGEST} stands for {_LONGEST} and more (VQA v1, "
        "section 4.2)."
    )
    chart = Chart(
        "columns", x="words", y="share", x_title="words in the answer", y_title="share of answers", percent=True
    )
    return [Result("answer-length", f"{single:.0%} of answers are a single word", about, rows, chart)]


def seen_answers_by_kind(views: Views) -> list[Result]:
    """What is answered to each kind of question by people who see the picture (VQA v1, figure 5)."""
    rows, title = _by_kind(views, "image")
    return [Result("answers-by-kind", title, _about("with the picture"), rows, _stack())]


def blind_answers_by_kind(views: Views) -> list[Result]:
    """What is answered to each kind of question by people who do not see the picture (VQA v1, figure 5, below)."""
    rows, title = _by_kind(views, "nothing")
    return [
        Result("answers-by-kind-blind", f"Without the picture: {title}", _about("without the picture"), rows, _stack())
    ]


def _about(how: str) -> str:
    return (
        f"Answers given {how}: the {_MOST_ANSWERS} most frequent to each of the {_MOST_KINDS} most frequent kinds of "
        "questions (VQA v1, figure 5)."
    )


def _stack() -> Chart:
    return Chart(
        "stack", x="kind", y="share", color="answer", y_title="share of the answers to this kind", percent=True
    )


def _by_kind(views: Views, shown: str) -> tuple[pl.DataFrame, str]:
    told = _counted_by_kind(views, shown)
    if not told.height:
        raise Absent("no answered question has a kind")
    all_ = pl.col("answers").sum().over("kind")
    rows = told.with_columns(all=all_, share=pl.col("answers") / all_).filter(
        pl.struct(-pl.col("all"), "kind").rank("dense") <= _MOST_KINDS,
        # Ties by name, so that the same benchmark gives the same picture.
        pl.struct(-pl.col("answers"), "answer").rank("ordinal").over("kind") <= _MOST_ANSWERS,
    )
    rows = rows.sort("all", "kind", "answers", "answer", descending=[True, False, True, False])
    firsts = rows.filter(pl.int_range(pl.len()).over("kind") == 0).head(_LARGEST)
    kind, answer, share = (
        firsts.sort("share", "all", descending=True, maintain_order=True).select("kind", "answer", "share").row(0)
    )
    return rows.select("kind", "answer", "share", "answers"), f"“{kind}” is answered “{answer}” {share:.0%} of the time"


def _counted_by_kind(views: Views, shown: str) -> pl.DataFrame:
    if "answers" not in views:
        return views.answered(kind=views.kind).rename({"people": "answers"})
    given = views.said.filter(pl.col("shown") == shown)
    if not given.height:
        raise Absent(f"nobody answered who was shown {'the picture' if shown == 'image' else shown}")
    joined = given.lazy().join(views.kinds.drop_nulls(), on="question_id")
    return joined.group_by("kind", "answer").agg(answers=pl.col("people").sum()).collect(engine="streaming")


def top_answers(views: Views) -> list[Result]:
    """The most frequent answers, with their part of speech."""
    counted = views.answer_counts
    if not counted.height:
        raise Absent("there are no answers")
    rows = counted.head(_TOP).with_columns(share=pl.col("times") / counted["times"].sum())
    try:
        parts = tagged_words(rows["answer"]).group_by("text", maintain_order=True).agg(part=pl.col("part").last())
        rows = rows.with_columns(parts.sort("text")["part"])
    except MissingDependencyError:
        rows = rows.with_columns(part=pl.lit("answer"))
    covered = rows["share"].sum()
    title = f"The {rows.height} most frequent of {counted.height:,} different answers are {covered:.0%} of all"
    about = "The most frequent answers after normalisation; the part of speech is that of an answer's last word."
    chart = Chart("bars", x="answer", y="share", color="part", y_title="share of answers", percent=True)
    return [Result("top-answers", title, about, rows.select("answer", "part", "times", "share"), chart)]


def coverage(views: Views) -> list[Result]:
    """Which share of all answers the K most frequent cover: how large a closed vocabulary has to be."""
    counted = views.answer_counts
    if not counted.height:
        raise Absent("there are no answers")
    share = (counted["times"].cum_sum() / counted["times"].sum()).to_list()
    sizes = [size for size in _SIZES if size < counted.height] + [counted.height]
    rows = pl.DataFrame({"answers": sizes, "share": [share[size - 1] for size in sizes], "of": "all answers"})
    told = min(1000, sizes[-1])
    covered = share[told - 1]
    about = (
        "The share of all given answers that are among the K most frequent (VQA v1, section 5.1: 82.67 % for K = "
        "1,000)."
    )
    chart = Chart(
        "lines",
        x="answers",
        y="share",
        color="of",
        x_title="K most frequent answers",
        y_title="share covered",
        percent=True,
    )
    return [
        Result("answer-coverage", f"The {told:,} most frequent answers cover {covered:.1%} of all", about, rows, chart)
    ]


def shares(views: Views) -> list[Result]:
    """How many answers are yes or no, numbers, and anything else."""
    counted = views.answer_counts
    if not counted.height:
        raise Absent("there are no answers")
    kind = (
        pl.when(pl.col("answer").is_in(["yes", "no"]))
        .then(pl.lit("yes/no"))
        .when(pl.col("answer").str.contains(_NUMBER))
        .then(pl.lit("number"))
        .otherwise(pl.lit("other"))
    )
    rows = counted.group_by(kind=kind).agg(different=pl.len().cast(pl.Int64), times=pl.col("times").sum())
    rows = rows.with_columns(share=pl.col("times") / pl.col("times").sum()).sort(
        "share", "kind", descending=[True, False]
    )
    share = dict(rows.select("kind", "share").iter_rows())
    yes = _times(counted, "yes")
    binary = yes + _times(counted, "no")
    tail = f"; of these {yes / binary:.0%} say yes" if binary else ""
    title = f"{share.get('yes/no', 0):.0%} of answers are yes or no{tail}"
    about = (
        "Answers by what they are, after normalisation (VQA v1, section 4.2: 38.4 % yes/no, of which 58.8 % yes; 12.3 "
        "% numbers)."
    )
    chart = Chart("bars", x="kind", y="share", y_title="share of answers", percent=True)
    return [Result("answer-kinds", title, about, rows, chart)]


def _times(counted: pl.DataFrame, answer: str) -> int:
    return int(counted.filter(pl.col("answer") == answer)["times"].sum())
