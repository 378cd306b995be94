"""The age and the common sense of a model (Antol et al. 2015, section 5 and appendix V).

People say how old somebody must be to answer a question, and whether it needs common sense. The model's age is the
mean over the judged questions of the question's age times the model's accuracy on it. The paper calls this a weighted
average but the numbers it prints (4.74 of 8.98 years at about 54 % accuracy) are those of the plain mean of products;
divided by the sum of the accuracies instead, a model that is right on every second question, whatever its age, would be
as old as the questions. Both are given, each by its name.
"""

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from eyechart.metrics.correctness import correctness, picked_columns
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables

__all__ = ["AGE", "AGES", "COMMONSENSE", "estimates", "question_ages", "question_commonsense"]

AGES: Mapping[str, float] = MappingProxyType({"3-4": 3.5, "5-8": 6.5, "9-12": 10.5, "13-17": 15.0, "18+": 21.0})
"""Years for each group: its middle. The paper does not say what 18+ counts as; with 21, the shares of the groups that
it prints give the mean age that it prints, 8.92, and with 20 or 22 they do not."""


def question_ages(judgements: pl.DataFrame) -> pl.DataFrame:
    """The mean age that people think a question needs.

    >>> question_ages(pl.DataFrame({"question_id": ["1", "1"], "youngest_age": ["3-4", "5-8"]})).rows()
    [('1', 5.0)]
    """
    years = pl.col("youngest_age").replace_strict(dict(AGES), default=None, return_dtype=pl.Float64)
    return _means(judgements.select("question_id", value=years))


def question_commonsense(judgements: pl.DataFrame) -> pl.DataFrame:
    """The share of people who think that a question needs common sense.

    >>> question_commonsense(pl.DataFrame({"question_id": ["1", "1"], "needs_commonsense": [True, False]})).rows()
    [('1', 0.5)]
    """
    return _means(judgements.select("question_id", value=pl.col("needs_commonsense").cast(pl.Float64)))


def _means(values: pl.DataFrame) -> pl.DataFrame:
    return values.drop_nulls().group_by("question_id").agg(pl.col("value").mean()).sort("question_id")


def estimates(degrees: pl.DataFrame, scores: pl.DataFrame, what: str) -> list[Measure]:
    """A model's degree of something: the paper's, the one divided by the accuracies, and the questions' own.

    >>> degrees = pl.DataFrame({"question_id": ["1", "2"], "value": [4.0, 10.0]})
    >>> scores = pl.DataFrame({"question_id": ["1", "2"], "score": [1.0, 0.5]})
    >>> [(each.part, each.value) for each in estimates(degrees, scores, "age")]
    [('age, as in the paper', 4.5), ('age, normalised', 6.0), ('age of the questions', 7.0)]
    """
    both = degrees.join(scores.drop_nulls("score"), on="question_id").sort("question_id")
    if not both.height:
        raise Absent("none of the predicted questions has been judged by people")
    value, score = both["value"].to_numpy(), both["score"].to_numpy()
    right, count = float(score.sum()), both.height
    normalized = float((value * score).sum()) / right if right else None
    return [
        Measure(f"{what}, as in the paper", float((value * score).mean()), count),
        Measure(f"{what}, normalised", normalized, count, None if right else "no answer is right"),
        Measure(f"{what} of the questions", float(value.mean()), count),
    ]


def _measure_age(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    judged = question_ages(picked_columns(tables, "judgements", "question_id", "youngest_age"))
    return estimates(judged, correctness(predictions, tables), "age")


def _measure_commonsense(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    judged = question_commonsense(picked_columns(tables, "judgements", "question_id", "needs_commonsense"))
    return estimates(judged, correctness(predictions, tables), "common sense")


AGE = SetMetric("age", "how old the model seems", ("judgements",), _measure_age, unit="years")
COMMONSENSE = SetMetric("commonsense", "how much common sense the model has", ("judgements",), _measure_commonsense)
