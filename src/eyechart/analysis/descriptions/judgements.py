"""What people say that questions need: an age, and common sense (VQA v1, section 4.3, figure 7 and table 3)."""

import math

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total
from eyechart.analysis.views import Views
from eyechart.metrics import AGES, Absent, question_ages, question_commonsense

__all__ = ["ages", "commonsense", "kinds_by_age", "kinds_by_sense"]

_FEWEST = 30
"""A kind of question with fewer judged questions says nothing of its kind, unless all have fewer."""


def ages(views: Views) -> list[Result]:
    """How old one has to be to answer, as most people judge."""
    judgements = _judgements(views, "youngest_age")
    votes = judgements.group_by("question_id", "youngest_age").agg(votes=pl.len())
    years = pl.col("youngest_age").replace_strict(dict(AGES), return_dtype=pl.Float64)
    ranked = votes.sort("question_id", "votes", years, descending=[False, True, False])
    most = ranked.unique("question_id", keep="first", maintain_order=True)
    counted = most.group_by("youngest_age").agg(questions=pl.len().cast(pl.Int64)).sort(years)
    rows = counted.with_columns(share=pl.col("questions") / most.height)
    means = question_ages(judgements)["value"]
    title = f"A question needs somebody of {total(means) / means.len():.1f} years on average"
    about = (
        "Questions by the youngest group that could answer, as most people judge, the younger of several; the mean is "
        "over all judgements (VQA v1, section 4.3: 8.92 years)."
    )
    chart = Chart(
        "columns",
        x="youngest_age",
        y="share",
        x_title="youngest who could answer",
        y_title="share of questions",
        percent=True,
    )
    return [Result("age", title, about, rows, chart)]


def commonsense(views: Views) -> list[Result]:
    """How many judges say that a question needs common sense."""
    judgements = _judgements(views, "needs_commonsense")
    judged = judgements.group_by("question_id").agg(
        yes=pl.col("needs_commonsense").sum().cast(pl.Int64), judges=pl.len().cast(pl.Int64)
    )
    share = pl.col("yes") / pl.col("judges")
    counted = judged.group_by(said=pl.format("{} of {}", "yes", "judges"), order=share).agg(
        questions=pl.len().cast(pl.Int64)
    )
    rows = counted.sort("order", "said").select(
        "said", share=pl.col("questions") / judged.height, questions="questions"
    )
    need = total(judged["yes"] * 2 > judged["judges"]) / judged.height
    title = f"Most judges say of {need:.0%} of questions that they need common sense"
    about = "Questions by how many of those who judged them said that common sense is needed (VQA v1, section 4.3)."
    chart = Chart(
        "columns", x="said", y="share", x_title="judges who say so", y_title="share of questions", percent=True
    )
    return [Result("commonsense", title, about, rows, chart)]


def kinds_by_age(views: Views) -> list[Result]:
    """How old one has to be for each kind of question."""
    rows = _by_kind(_judged(views)).sort("age", "kind", descending=[True, False])
    title = f"“{rows['kind'][0]}” needs the oldest, “{rows['kind'][-1]}” the youngest"
    about = "Mean age that people say a kind of question needs (VQA v1, table 3)."
    chart = Chart("bars", x="kind", y="age", y_title="mean age in years")
    return [Result("age-by-kind", title, about, rows, chart)]


def kinds_by_sense(views: Views) -> list[Result]:
    """How often each kind of question needs common sense, and how that goes with age."""
    judged = _judged(views)
    rows = _by_kind(judged).sort("commonsense", "kind", descending=[True, False])
    title = f"“{rows['kind'][0]}” needs common sense most: {rows['commonsense'][0]:.0%} of judges say so"
    about = (
        "The share of judges who say that common sense is needed, by kind of question (VQA v1, table 3). Spearman's "
        f"rank correlation with age: {_rank(judged)} among questions (0.58 in section 4.3), {_rank(rows)} among kinds."
    )
    chart = Chart("bars", x="kind", y="commonsense", y_title="share of judges", percent=True)
    return [Result("sense-by-kind", title, about, rows, chart)]


def _judged(views: Views) -> pl.DataFrame:
    """Questions that were judged in both ways: question_id, age, commonsense, kind."""
    age = question_ages(_judgements(views, "youngest_age")).rename({"value": "age"})
    sense = question_commonsense(_judgements(views, "needs_commonsense")).rename({"value": "commonsense"})
    return age.lazy().join(sense.lazy(), on="question_id").join(views.kinds.drop_nulls(), on="question_id").collect()


def _by_kind(judged: pl.DataFrame) -> pl.DataFrame:
    means = judged.group_by("kind").agg(
        questions=pl.len().cast(pl.Int64), age=pl.col("age").mean(), commonsense=pl.col("commonsense").mean()
    )
    fewest = min(_FEWEST, max(means["questions"], default=0))
    rows = means.filter(pl.col("questions") >= fewest)
    if rows.height < 2:  # noqa: PLR2004  # a correlation needs two
        raise Absent("fewer than two kinds of questions were judged")
    return rows


def _rank(rows: pl.DataFrame) -> str:
    rank = rows.select(pl.corr("age", "commonsense", method="spearman")).item()
    return "none" if rank is None or math.isnan(rank) else f"{rank:.2f}"


def _judgements(views: Views, column: str) -> pl.DataFrame:
    judgements = views["judgements"].select("question_id", column).drop_nulls().collect(engine="streaming")
    if not judgements.height:
        raise Absent("there are no judgements of age" if column == "youngest_age" else "nobody judged common sense")
    return judgements
