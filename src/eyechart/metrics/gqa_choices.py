"""GQA validity and plausibility: is the answer of the right kind, and does the world know it (Hudson and Manning 2019)?

Valid answers are in the scope of the question (a colour for a colour); plausible ones occur for its subject somewhere
in the dataset (section 4.4). Both lists come with the questions of training and validation.
"""

from collections.abc import Sequence
from itertools import chain

import polars as pl

from eyechart.metrics.gqa_accuracy import balanced_questions, gqa_spelled, named, table
from eyechart.metrics.kinds import Absent, ItemMetric, Tables

__all__ = ["COMMON", "GQA_PLAUSIBILITY", "GQA_VALIDITY", "gqa_belonging", "gqa_listed"]

COMMON = ("color", "material", "shape")
"""The answers to questions about what things have in common; the published script takes these whatever is listed."""

_IS_COMMON = pl.col("detailed").str.contains("Common", literal=True).fill_null(value=False)


def gqa_belonging(answered: pl.DataFrame, listed: pl.DataFrame) -> pl.DataFrame:
    """The score of each prediction: is it among the choices of its question? Null where no choices are known.

    ``answered`` has question_id, predicted and detailed; ``listed`` says of each question that has choices whether what
    is predicted is among them.

    >>> guesses = {"question_id": ["1", "2"], "predicted": ["red", "color"], "detailed": ["of", "Common"]}
    >>> answered = pl.DataFrame(guesses)
    >>> gqa_belonging(answered, pl.DataFrame({"question_id": ["1"], "listed": [False]})).rows()
    [('1', 0.0), ('2', 1.0)]
    """
    rows = answered.join(listed, on="question_id", how="left", maintain_order="left")
    belongs = pl.when(_IS_COMMON).then(pl.col("predicted").is_in(COMMON)).otherwise(pl.col("listed"))
    return rows.select("question_id", score=belongs.cast(pl.Float64))


def gqa_listed(predicted: Sequence[str], choices: Sequence[Sequence[str]], profile: str = "strict") -> list[bool]:
    """Whether each prediction, as the profile spells it, is among its choices.

    >>> gqa_listed(["red", "red"], [["red", "blue"], ["Red."]]), gqa_listed(["red"], [["Red."]], "lenient")
    ([True, False], [True])
    """
    if profile == "strict":
        return [guess in listed for guess, listed in zip(predicted, choices, strict=True)]
    distinct = pl.Series(list(dict.fromkeys(chain.from_iterable(choices))), dtype=pl.String)
    spelled = dict(zip(distinct, gqa_spelled(distinct, profile), strict=True))
    pairs = zip(predicted, choices, strict=True)
    return [any(spelled[choice] == guess for choice in listed) for guess, listed in pairs]


def _metric(name: str, title: str, origin: str) -> ItemMetric:
    def score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
        listed = table(tables, "choices").filter(pl.col("origin") == origin).select("question_id", "choice").collect()
        if not listed.height:
            raise Absent(f"choices: found no {origin} answers, expected some; GQA's choices files have them")
        answered = balanced_questions(tables, "question_id", "detailed").join(
            predictions.select("question_id", predicted="answer"), on="question_id"
        )
        hits = answered.join(
            listed, left_on=["question_id", "predicted"], right_on=["question_id", "choice"], how="semi"
        )
        known = listed.select("question_id").unique()
        among = known.with_columns(listed=pl.col("question_id").is_in(hits["question_id"].implode()))
        scores = gqa_belonging(answered, among)
        without = scores.filter(pl.col("score").is_null())["question_id"]
        if without.len():
            raise Absent(f"choices: found no {origin} answers for {named(without)} questions, expected some for each")
        return predictions.select("question_id").join(scores, on="question_id", how="left", maintain_order="left")

    return ItemMetric(name, title, ("questions", "choices"), score)


GQA_VALIDITY = _metric("gqa-validity", "GQA validity: answers in the scope of the question", "valid")
GQA_PLAUSIBILITY = _metric("gqa-plausibility", "GQA plausibility: answers that occur for the subject", "plausible")
