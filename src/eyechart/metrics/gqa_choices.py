"""GQA validity and plausibility: is the answer of the right kind, and does the world know it (Hudson and Manning 2019)?

Valid answers are in the scope of the question (a colour for a colour); plausible ones occur for its subject somewhere
in the dataset (section 4.4). Both lists come with the questions of training and validation.
"""

import polars as pl

from eyechart.metrics.gqa_accuracy import balanced_questions, gqa_spelled, named
from eyechart.metrics.kinds import Absent, ItemMetric, Tables

__all__ = ["COMMON", "GQA_PLAUSIBILITY", "GQA_VALIDITY", "gqa_belonging"]

COMMON = ("color", "material", "shape")
"""The answers to questions about what things have in common; the published script takes these whatever is listed."""

_IS_COMMON = pl.col("detailed").str.contains("Common", literal=True).fill_null(value=False)


def gqa_belonging(answered: pl.DataFrame, choices: pl.DataFrame, profile: str = "strict") -> pl.DataFrame:
    """Whether each prediction is among the choices of its question; null where none are listed.

    ``answered`` has question_id, predicted (as the profile spells it) and detailed; ``choices`` has question_id and
    choice.

    >>> answered = pl.DataFrame({"question_id": ["1"], "predicted": ["red"], "detailed": ["directOf"]})
    >>> gqa_belonging(answered, pl.DataFrame({"question_id": ["1", "1"], "choice": ["red", "blue"]})).rows()
    [('1', 1.0)]
    """
    spelled = choices.select("question_id", predicted=gqa_spelled(choices["choice"], profile))
    hits = answered.join(spelled, on=["question_id", "predicted"], how="semi").select("question_id", hit=pl.lit(1.0))
    listed = choices.filter(pl.col("question_id").ne_missing(pl.col("question_id").shift()))
    misses = listed.select("question_id", missed=pl.lit(0.0)).unique("question_id")
    rows = answered.join(hits.unique("question_id"), on="question_id", how="left", maintain_order="left")
    rows = rows.join(misses, on="question_id", how="left", maintain_order="left")
    known = pl.coalesce("hit", "missed")
    common = pl.col("predicted").is_in(COMMON).cast(pl.Float64)
    return rows.select("question_id", score=pl.when(_IS_COMMON).then(common).otherwise(known))


def _metric(name: str, title: str, origin: str) -> ItemMetric:
    def score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
        listed = tables["choices"].filter(pl.col("origin") == origin).select("question_id", "choice").collect()
        if not listed.height:
            raise Absent(f"choices: found no {origin} answers, expected some; GQA's choices files have them")
        answered = balanced_questions(tables, "question_id", "detailed").join(
            predictions.select("question_id", predicted="answer"), on="question_id"
        )
        scores = gqa_belonging(answered, listed)
        without = scores.filter(pl.col("score").is_null())["question_id"]
        if without.len():
            raise Absent(f"choices: found no {origin} answers for {named(without)} questions, expected some for each")
        return predictions.select("question_id").join(scores, on="question_id", how="left", maintain_order="left")

    return ItemMetric(name, title, ("questions", "choices"), score)


GQA_VALIDITY = _metric("gqa validity", "GQA validity: answers in the scope of the question", "valid")
GQA_PLAUSIBILITY = _metric("gqa plausibility", "GQA plausibility: answers that occur for the subject", "plausible")
