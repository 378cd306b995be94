"""GQA-OOD: accuracy on frequent and on rare answers among like questions (Kervadec et al. 2021, section 3).

Like questions share a local group. Groups whose answers are spread evenly are left out: those whose entropy, over the
logarithm of the number of answers, exceeds the mean of all groups minus one standard deviation. In the others, an
answer is of the head if it is given at least (1 + alpha) times as often as an average answer of the group, else of the
tail; the published sets have alpha = 0.2. With two thresholds, what lies between them is the middle.
"""

import math

import polars as pl

from eyechart.metrics.gqa_accuracy import balanced_questions, gqa_judged
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables

__all__ = ["GQA_OOD", "OOD_ALPHA", "ood_answers", "ood_confusion"]

OOD_ALPHA = 0.2
"""The published size of the tail."""

_PARTS = ("head", "mid", "tail")
_NEAR = 1e-9
"""Smaller differences come from rounding, not from counting."""


def ood_answers(
    questions: pl.DataFrame, *, tail_alpha: float = OOD_ALPHA, head_alpha: float = OOD_ALPHA
) -> pl.DataFrame:
    """Of every answer in an uneven group, how many questions have it and which part it belongs to.

    Needs group_local and answer of all balanced questions of a split. Questions without group are one group.

    >>> rows = [("a", "red")] * 8 + [("a", "blue"), ("a", "grey")] + [("b", "x"), ("b", "y")] * 3 + [("c", "z")]
    >>> questions = pl.DataFrame(rows, schema=["group_local", "answer"], orient="row")
    >>> ood_answers(questions).rows()
    [('a', 'blue', 1, 'tail'), ('a', 'grey', 1, 'tail'), ('a', 'red', 8, 'head')]
    """
    counts = (
        questions.select(pl.col("group_local").fill_null("none"), "answer")
        .drop_nulls()
        .group_by("group_local", "answer")
        .agg(questions=pl.len())
        .sort("group_local", "answer")
        .with_columns(share=pl.col("questions") / pl.col("questions").sum().over("group_local"))
    )
    entropy = -(pl.col("share") * pl.col("share").log()).sum() / pl.len().log(math.e)
    groups = counts.group_by("group_local", maintain_order=True).agg(
        # One answer is as even as can be: the published code divides its entropy by itself.
        evenness=pl.when(pl.len() > 1).then(entropy).otherwise(1.0),
        average=1 / pl.len(),
    )
    limit = pl.col("evenness").mean() - pl.col("evenness").std(ddof=0)
    uneven = groups.filter(pl.col("evenness") <= limit + _NEAR)
    excess = pl.col("share") / pl.col("average") - 1
    part = (
        pl.when(excess < tail_alpha - _NEAR)
        .then(pl.lit("tail"))
        .when(excess >= head_alpha - _NEAR)
        .then(pl.lit("head"))
        .otherwise(pl.lit("mid"))
    )
    placed = counts.join(uneven, on="group_local", maintain_order="left")
    return placed.select("group_local", "answer", pl.col("questions").cast(pl.Int64), part=part)


def ood_confusion(judged: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """How many questions have a true answer of one part and a predicted one of another; mid is neither head nor tail.

    ``judged`` has group_local, gold and predicted; an answer that the group does not have is mid.

    >>> answers = pl.DataFrame({"group_local": ["a"], "answer": ["red"], "questions": [8], "part": ["head"]})
    >>> judged = pl.DataFrame({"group_local": ["a"] * 2, "gold": ["red"] * 2, "predicted": ["red", "sky"]})
    >>> ood_confusion(judged, answers).rows()
    [('head', 'head', 1), ('head', 'mid', 1)]
    """
    rows = judged.with_columns(pl.col("group_local").fill_null("none"))
    part = answers.select("group_local", "answer", "part")
    true = part.rename({"answer": "gold", "part": "true"})
    made = part.rename({"answer": "predicted", "part": "made"})
    both = rows.join(true, on=["group_local", "gold"]).join(made, on=["group_local", "predicted"], how="left")
    filled = both.with_columns(pl.col("made").fill_null("mid"))
    return filled.group_by("true", "made").agg(questions=pl.len().cast(pl.Int64)).sort("true", "made")


def _measure(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    questions = balanced_questions(tables, "question_id", "answer", "group_local")
    if not questions["group_local"].count():
        raise Absent("questions: found no local groups, expected some to tell rare answers from frequent ones")
    answers = ood_answers(questions)
    judged = gqa_judged(predictions, questions).drop_nulls(["predicted", "gold"])
    placed = judged.with_columns(pl.col("group_local").fill_null("none")).join(
        answers, left_on=["group_local", "gold"], right_on=["group_local", "answer"]
    )
    return [_accuracy("all", placed), *(_accuracy(part, placed.filter(pl.col("part") == part)) for part in _PARTS)]


def _accuracy(part: str, rows: pl.DataFrame) -> Measure:
    if not rows.height:
        return Measure(part, None, absent=f"found no predicted question whose answer is of the part {part!r}")
    return Measure(part, float(rows.select(pl.col("right").mean()).item()), rows.height)


GQA_OOD = SetMetric(
    "gqa-ood",
    "GQA-OOD: accuracy on frequent (head) and rare (tail) answers of uneven groups",
    ("questions",),
    _measure,
)
