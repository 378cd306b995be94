"""Does a model know which questions cannot be answered? Average precision and F1 (Gurari et al. 2018, VizWiz).

What is looked for is *unanswerable*: a question's label is 1 - answerable, its score 1.0 - the predicted probability
that it is answerable. Average precision is the sum over the distinct scores, from the highest down, of the precision of
everything scored as high or higher times the recall that was gained; questions with the same score enter together, so
the order of the file does not matter. F1 takes as found what is scored above one half. Both are VizWiz's definitions.
"""

import numpy as np
import polars as pl

from eyechart.metrics.correctness import check_shares, picked_columns
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables

__all__ = ["ANSWERABILITY", "average_precision", "f1_score"]

_HALF = 0.5


def average_precision(labels: np.ndarray, scores: np.ndarray) -> float | None:
    """The area under the steps of precision over recall; None where nothing is to be found.

    >>> average_precision(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.5]))
    0.8333333333333333
    """
    wanted = int(labels.sum())
    if not wanted:
        return None
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(labels[order])
    last_of_ties = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    precision = found[last_of_ties] / (last_of_ties + 1)
    gained = np.diff(found[last_of_ties], prepend=0) / wanted
    return float((precision * gained).sum())


def f1_score(labels: np.ndarray, found: np.ndarray) -> float | None:
    """The harmonic mean of precision and recall; None where nothing is to be found and nothing was.

    >>> f1_score(np.array([1, 0, 1]), np.array([True, True, False]))
    0.5
    """
    total = int(labels.sum()) + int(found.sum())
    return 2 * int((labels * found).sum()) / total if total else None


def _measure(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    if "answerable" not in predictions.columns or not predictions["answerable"].count():
        raise Absent("the predictions do not say which questions are answerable")
    truth = picked_columns(tables, "questions", "question_id", "answerable").drop_nulls()
    labelled = predictions.select("question_id", predicted="answerable").join(truth, on="question_id")
    if not labelled.height:
        raise Absent("nobody has said which of the predicted questions are answerable")
    check_shares(labelled, "predicted", "the probability of being answerable")
    labels = 1 - labelled["answerable"].cast(pl.Int64).to_numpy()
    scores = 1.0 - labelled["predicted"].to_numpy()
    values = {"average precision": average_precision(labels, scores), "F1": f1_score(labels, scores > _HALF)}
    reason = "every predicted question is answerable"
    return [Measure(part, value, labelled.height, reason if value is None else None) for part, value in values.items()]


ANSWERABILITY = SetMetric("answerability", "finding unanswerable questions", ("questions",), _measure, of_answers=False)
