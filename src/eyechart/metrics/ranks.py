"""Where the right choice stands among all choices, by the model's scores: mean rank, reciprocal rank, recall at k.

Choices with the same score stand in no order, so each measure is its expectation over all orders of them: a model that
scores every choice the same does as well as guessing, however the file is sorted.
"""

import numpy as np
import polars as pl

from eyechart.errors import DataError
from eyechart.metrics.agreement import named_ids
from eyechart.metrics.correctness import picked_columns
from eyechart.metrics.kinds import Absent, ItemMetric, Tables

__all__ = [
    "MEAN_RANK",
    "RECALL_AT_1",
    "RECALL_AT_5",
    "RECIPROCAL_RANK",
    "placed_targets",
    "ranks",
    "recall_at",
    "recalls",
    "reciprocal_ranks",
]


def placed_targets(predictions: pl.DataFrame, choices: pl.DataFrame) -> pl.DataFrame:
    """For every predicted question with choices: how many wrong choices score above the right one, how many the same.

    Both are null, with a flag, where not exactly one choice is marked as right.

    >>> choices = pl.DataFrame({"question_id": ["1"] * 3, "position": [0, 1, 2], "is_target": [False, True, False]})
    >>> placed_targets(pl.DataFrame({"question_id": ["1"], "scores": [[0.5, 0.2, 0.2]]}), choices).row(0)
    ('1', 1, 1, None)
    """
    offered = (
        choices.sort("question_id", "position")
        .group_by("question_id", maintain_order=True)
        .agg(
            choices=pl.len(),
            targets=pl.col("is_target").fill_null(value=False).sum(),
            target=pl.col("is_target").fill_null(value=False).arg_max(),
        )
    )
    joined = predictions.select("question_id", "scores").join(offered, on="question_id", maintain_order="left")
    if joined.height and joined["scores"].null_count() == joined.height:
        raise Absent("the predictions hold no scores of choices")
    _check_scores(joined)
    rows = joined.with_row_index("_row").with_columns(
        _target=pl.col("scores").list.get(pl.col("target"), null_on_oob=True)
    )
    scores = rows.select("_row", "_target", "scores").explode("scores")
    counts = scores.group_by("_row").agg(
        above=(pl.col("scores") > pl.col("_target")).sum().cast(pl.Int64),
        tied=(pl.col("scores") == pl.col("_target")).sum().cast(pl.Int64) - 1,
    )
    marked = pl.col("targets") == 1
    return (
        rows.join(counts, on="_row", how="left", maintain_order="left")
        .with_columns(pl.when(marked).then(pl.col("above", "tied")))
        .select(
            "question_id",
            "above",
            "tied",
            flag=pl.when(~marked).then(pl.format("{} choices are marked as right", "targets")),
        )
    )


def _check_scores(joined: pl.DataFrame) -> None:
    """Refuse scores that are missing, not numbers, or not one a choice."""
    scores = pl.col("scores")
    short = joined.filter(scores.is_null() | (scores.list.len() != pl.col("choices")))
    if short.height:
        found = short["scores"].list.len()[0] or 0
        raise DataError(
            f"predictions: found {found} scores for the {short['choices'][0]} choices of a question in "
            f"{short.height:,} questions ({named_ids(short['question_id'])}), expected one a choice, in their order; "
            "correct them"
        )
    unknown = scores.list.eval(pl.element().is_null() | pl.element().is_nan()).list.any()
    wrong = joined.filter(unknown)["question_id"]
    if wrong.len():
        raise DataError(
            f"predictions: found scores that are not numbers for {wrong.len():,} questions ({named_ids(wrong)}), "
            "expected a number a choice; correct them"
        )


def ranks(placed: pl.DataFrame) -> pl.Series:
    """The expected rank of the right choice, 1 for the best.

    >>> ranks(pl.DataFrame({"above": [0, 1], "tied": [0, 1]})).to_list()
    [1.0, 2.5]
    """
    return placed.select(score=1 + pl.col("above") + pl.col("tied") / 2)["score"]


def reciprocal_ranks(placed: pl.DataFrame) -> pl.Series:
    """The expected reciprocal rank: the mean of 1/rank over the places that the tied choices share.

    >>> reciprocal_ranks(pl.DataFrame({"above": [0, 1], "tied": [0, 1]})).round(4).to_list()
    [1.0, 0.4167]
    """
    most = int(placed.select((pl.col("above") + pl.col("tied")).max()).item() or 0) + 1
    sums = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
    known = placed.select("above", "tied").drop_nulls()
    above, tied = known["above"].to_numpy(), known["tied"].to_numpy()
    values = pl.Series("score", (sums[above + tied + 1] - sums[above]) / (tied + 1), dtype=pl.Float64)
    where = placed.select(place=pl.when(pl.col("above").is_not_null()).then(pl.col("above").is_not_null().cum_sum()))
    return values.gather(where["place"].cast(pl.Int64) - 1)


def recalls(placed: pl.DataFrame, k: int) -> pl.Series:
    """The probability that the right choice is among the first k.

    >>> recalls(pl.DataFrame({"above": [0, 1], "tied": [0, 1]}), 2).to_list()
    [1.0, 0.5]
    """
    return placed.select(score=((k - pl.col("above")) / (pl.col("tied") + 1)).clip(0.0, 1.0))["score"]


def recall_at(k: int) -> ItemMetric:
    """Recall at k as a metric.

    >>> recall_at(3).name
    'recall@3'
    """

    def score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
        placed = _placed(predictions, tables)
        return placed.select("question_id", recalls(placed, k), "flag")

    return ItemMetric(f"recall@{k}", f"right choice among the first {k}", ("choices",), score, of_answers=False)


def _placed(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    if "scores" not in predictions.columns:
        raise Absent("the predictions hold no scores of choices")
    return placed_targets(predictions, picked_columns(tables, "choices", "question_id", "position", "is_target"))


def _score_ranks(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    placed = _placed(predictions, tables)
    return placed.select("question_id", ranks(placed), "flag")


def _score_reciprocal(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    placed = _placed(predictions, tables)
    return placed.select("question_id", reciprocal_ranks(placed).alias("score"), "flag")


MEAN_RANK = ItemMetric(
    "mean-rank",
    "rank of the right choice",
    ("choices",),
    _score_ranks,
    unit="number",
    higher_is_better=False,
    of_answers=False,
)
RECIPROCAL_RANK = ItemMetric(
    "mrr", "reciprocal rank of the right choice", ("choices",), _score_reciprocal, of_answers=False
)
RECALL_AT_1 = recall_at(1)
RECALL_AT_5 = recall_at(5)
