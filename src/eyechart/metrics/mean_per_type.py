"""Every kind of question counts the same: means over types (Kafle and Kanan 2017, TDIUC) and over answer classes.

With an accuracy per type of question, MPT is their arithmetic or harmonic mean. The normalised forms (N-MPT) take as
accuracy of a type the mean over its distinct reference answers, so that a frequent answer counts no more than a rare
one. Class-normalised accuracy (Malinowski, Visual Turing Test tutorial) does the same over the whole set.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from eyechart.errors import DataError
from eyechart.metrics.agreement import named_ids
from eyechart.metrics.correctness import correctness, picked_columns, seen_answers
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables

__all__ = [
    "CLASS_NORMALIZED",
    "CLEAN",
    "MEAN_PER_TYPE",
    "RAMEN",
    "TDIUC",
    "TypeProfile",
    "answer_classes",
    "class_normalized_accuracy",
    "mean_per_type",
    "per_type",
    "tdiuc_scores",
]


@dataclass(frozen=True, slots=True)
class TypeProfile:
    """What an evaluation does where the paper is silent.

    >>> TDIUC.epsilon
    1e-12
    """

    name: str
    epsilon: float
    """Added to every type's accuracy (a share: the programs add 1e-10 to percentages), so that a harmonic mean with a
    type at zero is tiny instead of zero."""
    absent: Literal["left out", "zero", "refused"]
    """What becomes of a type of which nothing was predicted."""
    strange: Literal["wrong", "refused"]
    """What becomes of a predicted answer that the answer key does not list."""


CLEAN = TypeProfile("eyechart", 0.0, "left out", "wrong")
TDIUC = TypeProfile("tdiuc", 1e-12, "refused", "refused")
"""The authors' evaluation program, whose crashes are errors here."""
RAMEN = TypeProfile("ramen", 1e-12, "zero", "wrong")
"""The fork that the RAMEN models were evaluated with (Shrestha et al. 2019)."""


def per_type(scores: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Each type's accuracy, plain and as the mean over its reference answers; null where nothing was predicted.

    >>> questions = pl.DataFrame({"question_id": ["1", "2", "3"], "question_type": ["color"] * 3,
    ...                           "answer": ["red", "red", "blue"]})
    >>> per_type(pl.DataFrame({"question_id": ["1", "2", "3"], "score": [1.0, 1.0, 0.0]}), questions).row(0)[2:]
    (0.6666666666666666, 0.5)
    """
    asked = questions.drop_nulls("question_type").select("question_id", "question_type", "answer")
    scored = asked.join(scores.drop_nulls("score"), on="question_id")
    plain = scored.group_by("question_type").agg(questions=pl.len(), accuracy=pl.col("score").mean())
    answers = scored.group_by("question_type", "answer").agg(pl.col("score").mean()).sort("question_type", "answer")
    normalized = answers.group_by("question_type").agg(normalized=pl.col("score").mean())
    return (
        asked.select("question_type")
        .unique()
        .join(plain.join(normalized, on="question_type"), on="question_type", how="left")
        .with_columns(pl.col("questions").fill_null(0))
        .sort("question_type")
    )


def mean_per_type(types: pl.DataFrame, profile: TypeProfile = CLEAN) -> list[Measure]:
    """Arithmetic and harmonic MPT and N-MPT, from the table of types; then the types that are left out.

    >>> types = pl.DataFrame({"question_type": ["color", "counting"], "questions": [3, 1],
    ...                       "accuracy": [0.6, 0.3], "normalized": [0.5, 0.3]})
    >>> [(each.part, round(each.value, 3)) for each in mean_per_type(types)]
    [('arithmetic', 0.45), ('harmonic', 0.4), ('normalised arithmetic', 0.4), ('normalised harmonic', 0.375)]
    """
    absent = types.filter(pl.col("accuracy").is_null())["question_type"]
    if absent.len() and profile.absent == "refused":
        raise DataError(
            f"predictions: found none for {absent.len():,} types of questions ({named_ids(absent)}), expected some "
            f"for each, as profile {profile.name} does; add them"
        )
    used = types.fill_null(0.0) if profile.absent == "zero" else types.drop_nulls("accuracy")
    if not used.height:
        raise Absent("no question that was predicted has a type")
    questions = int(used["questions"].sum())
    measures = []
    for label, column in (("", "accuracy"), ("normalised ", "normalized")):
        shares = used[column].to_numpy() + profile.epsilon
        measures += [
            Measure(f"{label}arithmetic", float(shares.mean()), questions),
            Measure(f"{label}harmonic", _harmonic_mean(shares), questions),
        ]
    left_out = absent if profile.absent == "left out" else absent.clear()
    return measures + [Measure(each, None, 0, "nothing was predicted for this type") for each in left_out]


def _harmonic_mean(shares: np.ndarray) -> float:
    return 0.0 if (shares == 0).any() else float(len(shares) / (1 / shares).sum())


def tdiuc_scores(
    predictions: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    answer_key: Collection[str] | None = None,
    profile: TypeProfile = CLEAN,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Scores by exact comparison, and the questions as the answer key sees them, both for ``per_type``.

    Reference answers outside the key become one answer, null, that no prediction can match.

    >>> questions = pl.DataFrame({"question_id": ["1", "2"], "question_type": ["color"] * 2, "answer": ["red", "teal"]})
    >>> predictions = pl.DataFrame({"question_id": ["1", "2"], "answer": ["red", "teal"]})
    >>> scores, _ = tdiuc_scores(predictions, questions, answer_key=["red", "blue"])
    >>> scores["score"].to_list()
    [1.0, 0.0]
    """
    if answer_key is not None:
        listed = pl.Series(list(answer_key), dtype=pl.String).implode()
        strange = predictions.filter(~pl.col("answer").is_in(listed, nulls_equal=True))
        if strange.height and profile.strange == "refused":
            raise DataError(
                f"predictions: found {strange.height:,} answers outside the answer key for questions "
                f"{named_ids(strange['question_id'])} (the first: {strange['answer'][0]!r}), expected only answers of "
                "the key; correct them or choose another profile"
            )
        inside = pl.col("answer").is_in(listed)
        questions = questions.with_columns(answer=pl.when(inside).then("answer"))
    joined = predictions.select("question_id", predicted="answer").join(questions, on="question_id")
    same = (pl.col("predicted") == pl.col("answer")).fill_null(value=False)
    return joined.select("question_id", score=same.cast(pl.Float64)), questions


def answer_classes(answers: pl.DataFrame) -> pl.DataFrame:
    """The class of each question: its answer that is most frequent in the whole table.

    Answers of sure people come first, if there are any; of equally frequent ones, the first in the order of their
    characters' code points. Spelling counts, nothing is normalised.

    >>> said = [("1", "cat", "yes"), ("1", "dog", "no"), ("2", "dog", "maybe"), ("2", "dog", "no")]
    >>> columns = ["question_id", "answer", "confidence"]
    >>> answer_classes(pl.DataFrame(said, schema=columns, orient="row")).sort("question_id").rows()
    [('1', 'cat'), ('2', 'dog')]
    """
    preferred = (
        answers.group_by("answer").agg(_frequency=pl.len()).sort("_frequency", "answer", descending=[True, False])
    ).with_row_index("_place")
    place = pl.col("_place")
    sure = answers.join(preferred.select("answer", "_place"), on="answer").group_by("question_id")
    best = sure.agg(place.filter(pl.col("confidence") == "yes").min().fill_null(place.min()).alias("_place"))
    return best.join(preferred, on="_place").select("question_id", answer_class="answer")


def class_normalized_accuracy(scores: pl.DataFrame, answers: pl.DataFrame) -> Measure:
    """The mean over answer classes of their mean accuracy (kraino's ``classNormalizedOverall``).

    >>> said = pl.DataFrame({"question_id": ["1", "2", "3"], "answer": ["a", "a", "b"], "confidence": ["yes"] * 3})
    >>> class_normalized_accuracy(pl.DataFrame({"question_id": ["1", "2", "3"], "score": [1.0, 0.0, 1.0]}), said).value
    0.75
    """
    classed = scores.drop_nulls("score").join(answer_classes(answers), on="question_id")
    if not classed.height:
        raise Absent("no predicted question has answers of people")
    means = classed.group_by("answer_class").agg(pl.col("score").mean()).sort("answer_class")
    return Measure("class-normalised", float(means["score"].to_numpy().mean()), classed.height)


def _measure_types(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    questions = picked_columns(tables, "questions", "question_id", "question_type", "answer")
    measures = mean_per_type(per_type(correctness(predictions, tables), questions))
    if questions["answer"].count():
        return measures
    without = "the questions have no reference answers"
    return [Measure(m.part, None, 0, without) if m.part.startswith("normalised") else m for m in measures]


def _measure_classes(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    return [class_normalized_accuracy(correctness(predictions, tables), seen_answers(tables))]


MEAN_PER_TYPE = SetMetric(
    "mean-per-type", "mean over types of questions, plain and normalised", ("questions",), _measure_types
)
CLASS_NORMALIZED = SetMetric(
    "class-normalised", "mean over answer classes of VQA accuracy", ("answers",), _measure_classes
)
