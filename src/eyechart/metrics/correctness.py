"""How right each answer is, by the measure that fits the benchmark; what metrics over sets and pairs build on."""

import polars as pl

from eyechart.errors import DataError
from eyechart.metrics.agreement import named_ids
from eyechart.metrics.kinds import Absent, ItemMetric, Tables
from eyechart.metrics.vqa_accuracy import vqa_accuracies
from eyechart.tables import TABLES

__all__ = ["ACCURACY", "check_shares", "correctness", "graded", "picked_columns", "seen_answers"]


def correctness(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    """The predicted questions that can be graded, with their scores from 0 to 1.

    VQA accuracy where several people who saw the picture answered a question; otherwise 1 for the reference answer,
    letter for letter, and 0 for any other. VQA accuracy is 0 for everything when there is one answer a question, so the
    benchmark as a whole decides. No answer is a wrong answer. Predictions that were graded before keep their scores.

    >>> tables = {"questions": pl.LazyFrame({"question_id": ["1", "2"], "answer": ["cat", "dog"]})}
    >>> predictions = pl.DataFrame({"question_id": ["2", "1"], "answer": ["dog", "Cat"]})
    >>> correctness(predictions, tables).rows()
    [('2', 1.0), ('1', 0.0)]
    """
    if "score" in predictions.columns:
        return _known(predictions, predictions.select("question_id", "score"))
    answers = seen_answers(tables)
    if answers.select(pl.col("question_id").is_duplicated().any()).item():
        scored = _agreements(predictions, answers)
    else:
        scored = _exact_matches(predictions, picked_columns(tables, "questions", "question_id", "answer"))
    return _known(predictions, scored)


def _known(predictions: pl.DataFrame, scored: pl.DataFrame) -> pl.DataFrame:
    known = scored.drop_nulls("score")
    if predictions.height and not known.height:
        raise Absent("there are no answers of people and no reference answers for the predicted questions")
    return known


def graded(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    """Predictions with a column score, null where there is nothing to compare with.

    Whoever measures many subsets of the same predictions grades them once, before.

    >>> tables = {"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["cat"]})}
    >>> graded(pl.DataFrame({"question_id": ["1", "2"], "answer": ["cat", "dog"]}), tables)["score"].to_list()
    [1.0, None]
    """
    try:
        scores = correctness(predictions, tables)
    except Absent:
        return predictions.with_columns(score=pl.lit(None, dtype=pl.Float64))
    return predictions.join(scores, on="question_id", how="left", maintain_order="left")


def _agreements(predictions: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    answered = predictions.drop_nulls("answer")
    silent = predictions.filter(pl.col("answer").is_null()).join(answers, on="question_id", how="semi")
    return pl.concat(
        [
            vqa_accuracies(answered, answers).select("question_id", "score"),
            silent.select("question_id", score=pl.lit(0.0)),
        ]
    )


def _exact_matches(predictions: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    reference = questions.drop_nulls().rename({"answer": "reference"})
    joined = predictions.select("question_id", "answer").join(
        reference, on="question_id", how="left", maintain_order="left"
    )
    same = (pl.col("answer") == pl.col("reference")).fill_null(value=False)
    return joined.select("question_id", score=pl.when(pl.col("reference").is_not_null()).then(same.cast(pl.Float64)))


def seen_answers(tables: Tables) -> pl.DataFrame:
    """Answers of people who saw the picture, which is all of them where nothing else is said.

    >>> said = {"question_id": ["1", "1"], "answer": ["cat", "dog"], "shown": ["image", "caption"]}
    >>> seen_answers({"answers": pl.LazyFrame(said)})["answer"].to_list()
    ['cat']
    """
    answers = picked_columns(tables, "answers", "question_id", "worker_id", "answer", "confidence", "shown")
    return answers.filter(pl.col("shown").is_null() | (pl.col("shown") == "image"))


def picked_columns(tables: Tables, name: str, *columns: str) -> pl.DataFrame:
    """Columns of a table; a table that is not there has no rows, a column that is not there is null.

    >>> picked_columns({"pairs": pl.LazyFrame({"question_id": ["1"]})}, "pairs", "question_id", "origin").rows()
    [('1', None)]
    """
    schema = TABLES[name].schema
    if name not in tables:
        return pl.DataFrame(schema={column: schema[column] for column in columns})
    there = tables[name].collect_schema()
    missing = {column: pl.lit(None, dtype=schema[column]) for column in columns if column not in there}
    return tables[name].with_columns(**missing).select(columns).collect()


def check_shares(predictions: pl.DataFrame, column: str, what: str) -> None:
    """Refuse NaN, values outside 0 to 1, and answers without the value, naming their questions.

    >>> check_shares(pl.DataFrame({"question_id": ["7"], "confidence": [1.5]}), "confidence", "a confidence")
    Traceback (most recent call last):
    eyechart.errors.DataError: predictions: found 1.5 as a confidence of 1 questions (7), expected 0 to 1; correct them
    """
    value = pl.col(column)
    missing = predictions.filter(value.is_null())["question_id"]
    if missing.len():
        raise DataError(
            f"predictions: found no value for {what} for {missing.len():,} of {predictions.height:,} questions "
            f"({named_ids(missing)}), expected one for each; add them"
        )
    wrong = predictions.filter(value.is_nan() | ~value.is_between(0, 1))
    if wrong.height:
        raise DataError(
            f"predictions: found {wrong[column][0]} as {what} of {wrong.height:,} questions "
            f"({named_ids(wrong['question_id'])}), expected 0 to 1; correct them"
        )


ACCURACY = ItemMetric(
    "accuracy", "accuracy: as people answer where several did, else exact", ("questions",), correctness
)
"""What every benchmark with answers has, whatever made it."""
