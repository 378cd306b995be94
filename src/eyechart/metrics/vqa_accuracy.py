"""VQA accuracy: right as far as people gave the answer (Antol et al. 2015, section 5; official evaluation of 2021).

An answer that three of the other people gave is fully right. Each of the N people is left out in turn and the scores
are averaged, so with k of N people giving the answer the accuracy is [(N - k) min(1, k/3) + k min(1, (k - 1)/3)] / N.
Both sides are normalised, unless people were unanimous: then spelling may be what the question is about.
"""

from collections.abc import Sequence

import polars as pl

from eyechart.text import clean_answer, normalize_answers

__all__ = ["vqa_accuracies", "vqa_accuracy"]

_ENOUGH = 3
"""This many other people giving the answer make it fully right."""


def vqa_accuracy(prediction: str, answers: Sequence[str]) -> float:
    """The accuracy of one answer against people's answers.

    >>> vqa_accuracy("yes.", ["yes"] * 3 + ["no"] * 7)
    0.9
    >>> vqa_accuracy("Yes", ["yes"] * 10)  # people were unanimous, so nothing is normalised
    0.0
    """
    given = pl.DataFrame({"question_id": ["1"] * len(answers), "answer": list(answers)})
    predicted = pl.DataFrame({"question_id": ["1"], "answer": [prediction]})
    return float(vqa_accuracies(predicted, given)["score"].item())


def vqa_accuracies(predictions: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """The accuracy of every predicted question that people answered, as columns question_id and score.

    >>> people = pl.DataFrame({"question_id": ["7"] * 4, "answer": ["two", "2", "2", "3"]})
    >>> vqa_accuracies(pl.DataFrame({"question_id": ["7"], "answer": ["2"]}), people).rows()
    [('7', 0.75)]
    """
    given = _both_spellings(answers.select("question_id", "answer"))
    unanimous = given.group_by("question_id").agg(pl.col("clean").n_unique() == 1)
    guess = _both_spellings(predictions.select("question_id", "answer")).join(
        unanimous.rename({"clean": "unanimous"}), on="question_id", maintain_order="left"
    )
    compared = given.join(guess, on="question_id", suffix="_predicted").select(
        "question_id",
        same=pl.when("unanimous")
        .then(pl.col("clean") == pl.col("clean_predicted"))
        .otherwise(pl.col("normal") == pl.col("normal_predicted")),
    )
    scores = compared.group_by("question_id").agg(score=_left_out_mean(pl.col("same").sum(), pl.len()))
    return predictions.select("question_id").join(scores, on="question_id", how="left", maintain_order="left")


def _both_spellings(rows: pl.DataFrame) -> pl.DataFrame:
    distinct = rows["answer"].unique().drop_nulls()
    clean = pl.Series([clean_answer(answer) for answer in distinct], dtype=pl.String)
    spelled = pl.DataFrame({"answer": distinct, "clean": clean, "normal": normalize_answers(clean)})
    return rows.join(spelled, on="answer", how="left", maintain_order="left").drop("answer")


def _left_out_mean(same: pl.Expr, people: pl.Expr) -> pl.Expr:
    """The closed form of the mean over all people left out in turn."""
    k, n = same.cast(pl.Float64), people.cast(pl.Float64)
    if_other_left_out = (k / _ENOUGH).clip(0, 1)
    if_match_left_out = ((k - 1) / _ENOUGH).clip(0, 1)
    return ((n - k) * if_other_left_out + k * if_match_left_out) / n
