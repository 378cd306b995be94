"""What generated questions are made of: their types and steps (GQA, section 3 and figure 6)."""

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import weighted_mean
from eyechart.analysis.views import Views
from eyechart.metrics import Absent

__all__ = ["detailed", "entropies", "group_entropies", "grouped_answers", "semantic", "steps", "structural"]

_MOST = 30


def structural(views: Views) -> list[Result]:
    """Questions by structural type."""
    return [_shares(views, "structural", "structural type")]


def semantic(views: Views) -> list[Result]:
    """Questions by semantic type."""
    return [_shares(views, "semantic", "semantic type")]


def detailed(views: Views) -> list[Result]:
    """Questions by detailed type."""
    return [_shares(views, "detailed", "detailed type")]


def _shares(views: Views, column: str, label: str) -> Result:
    counted = views["questions"].drop_nulls(column).group_by(column).agg(questions=pl.len().cast(pl.Int64))
    rows = counted.sort("questions", column, descending=[True, False]).collect(engine="streaming")
    if not rows.height:
        raise Absent(f"no question has a {label}")
    rows = rows.with_columns(share=pl.col("questions") / pl.col("questions").sum())
    value, share = rows.select(column, "share").row(0)
    title = f"“{value}” is the most frequent {label}: {share:.0%} of questions"
    chart = Chart("bars", x=column, y="share", y_title="share of questions", percent=True)
    return Result(f"{column}-types", title, f"Questions by {label} (GQA, figure 6).", rows.head(_MOST), chart)


def steps(views: Views) -> list[Result]:
    """How many steps of reasoning programs have."""
    number = pl.col("program").list.len().cast(pl.Int64)
    counted = views["questions"].drop_nulls("program").group_by(steps=number).agg(questions=pl.len().cast(pl.Int64))
    rows = counted.sort("steps").collect(engine="streaming")
    if not rows.height:
        raise Absent("no question has a program")
    rows = rows.with_columns(share=pl.col("questions") / pl.col("questions").sum())
    mean = weighted_mean(rows["steps"], rows["questions"])
    chart = Chart(
        "columns", x="steps", y="share", x_title="steps of the program", y_title="share of questions", percent=True
    )
    return [
        Result(
            "steps", f"Answering takes {mean:.1f} steps on average", "Steps per program (GQA, figure 6).", rows, chart
        )
    ]


def entropies(views: Views) -> list[Result]:
    """How evenly answers are spread within each group whose answers compete: what balancing raises."""
    rows = group_entropies(views)
    if not rows.height:
        raise Absent("no question has a group and an answer")
    weighted = weighted_mean(rows["entropy"], rows["questions"])
    title = f"Within a group of questions, answers carry {weighted:.2f} bits on average"
    about = (
        f"Entropy of the answers of the {min(rows.height, _MOST)} largest groups; the mean is over all, weighted by "
        "questions. 0 bits: always the same answer; 1: two that are equally frequent."
    )
    chart = Chart("bars", x="group", y="entropy", y_title="entropy in bits")
    return [Result("answer-entropy", title, about, rows.head(_MOST), chart)]


def grouped_answers(views: Views) -> pl.DataFrame:
    """How often each answer is right in each group whose answers compete (else, kind of question): group, answer, n."""
    return views.answered(group=pl.coalesce("group_global", views.kind)).rename({"people": "n"})


def group_entropies(views: Views) -> pl.DataFrame:
    """The entropy in bits of each group's answers: group, questions, answers, entropy, top (answer), top_share."""
    counted = grouped_answers(views)
    share = pl.col("n") / pl.col("n").sum().over("group")
    parts = counted.sort("group", "n", "answer").with_columns(bits=-share * share.log(2))
    rows = parts.group_by("group", maintain_order=True).agg(
        questions=pl.col("n").sum(),
        answers=pl.len().cast(pl.Int64),
        entropy=pl.col("bits").sum(),
        top=pl.col("answer").last(),
        top_share=pl.col("n").last() / pl.col("n").sum(),
    )
    return rows.sort("questions", "group", descending=[True, False])
