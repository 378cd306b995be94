"""MaSSeS: majority, subjectivity and semantic similarity of people's answers (Jolly, Pezzelle et al. 2018, section 3).

With f(a) of n people giving answer a, and MAX the largest f: MA = f(prediction) / MAX, S = (MAX - 1) / (n - 1), MAS
their product. For SES at threshold t, answers whose cosine with the centroid of the distinct answers is at least t
become one answer that takes all their frequencies; SES is S, and MASSES is MA times S, after that. The paper writes S
as a normalised Wasserstein distance; every value it prints (figure 2, table 2) is this closed form, cut to two digits.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from eyechart.errors import MissingDependencyError
from eyechart.metrics.correctness import correctness, seen_answers
from eyechart.metrics.kinds import Absent, ItemMetric, Measure, SetMetric, Tables
from eyechart.text import WordVectors, normalize_answers, packaged_vectors, split_rows, text_vectors

__all__ = [
    "FEASIBILITY",
    "MAJORITY",
    "MAS",
    "MASSES_0_7",
    "MASSES_0_9",
    "SES_0_7",
    "SES_0_9",
    "SUBJECTIVITY",
    "THRESHOLD",
    "centroid_cosines",
    "feasibility",
    "group_similar",
    "masses_metrics",
    "masses_scores",
    "patterns",
]

Vectors = Callable[[], WordVectors]
"""Opens word vectors when they are needed."""

THRESHOLD = 0.9
"""The strict threshold, that of the paper's examples; 0.7 is its tolerant one."""
_ROUNDING = 1e-6
_PIECE = 1 << 15
"""So many vectors are gathered at once."""


def patterns(answers: pl.DataFrame) -> pl.DataFrame:
    """What people said to each question: question_id, answer (normalised), frequency.

    >>> patterns(pl.DataFrame({"question_id": ["1"] * 3, "answer": ["Red", "red", "blue"]})).rows()
    [('1', 'red', 2), ('1', 'blue', 1)]
    """
    given = answers.select("question_id", "answer").drop_nulls()
    counted = given.group_by("question_id", "answer", maintain_order=True).agg(frequency=pl.len().cast(pl.Int64))
    spelled = counted.with_columns(normalize_answers(counted["answer"]).alias("answer"))
    return spelled.group_by("question_id", "answer", maintain_order=True).agg(pl.col("frequency").sum())


def centroid_cosines(pattern: pl.DataFrame, vectors: WordVectors) -> pl.DataFrame:
    """Add a column ``cosine``: how near each answer is to the centroid of the distinct answers to its question.

    The vector of an answer is the mean of its words' vectors, the centroid their mean however frequent the answers are;
    negative cosines count as 0, as does an answer without a known word.

    >>> said = pl.DataFrame({"question_id": ["1"] * 2, "answer": ["racket", "rackets"], "frequency": [6, 4]})
    >>> centroid_cosines(said, packaged_vectors())["cosine"].min() > 0.8
    True
    """
    distinct = pattern["answer"].unique(maintain_order=True)
    matrix, _ = text_vectors(distinct.to_list(), vectors)
    rows = pattern.with_row_index("row").sort("question_id", maintain_order=True)
    answer = rows["answer"].replace_strict(distinct, pl.int_range(distinct.len(), eager=True)).to_numpy()
    question, place = rows["question_id"].rle_id().to_numpy(), rows["row"].to_numpy()
    start = split_rows(np.bincount(question))
    cosines = np.zeros(pattern.height, np.float32)
    for size in np.unique(np.diff(start)).tolist():
        firsts = start[:-1][np.diff(start) == size]
        for begin in range(0, firsts.size, _PIECE // size):
            cells = firsts[begin : begin + _PIECE // size, None] + np.arange(size)
            cosines[place[cells]] = _cosines(matrix[answer[cells]])
    return pattern.with_columns(cosine=pl.Series(np.maximum(cosines, 0)))


def _cosines(answers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines with the centroid, of questions x answers x dimensions; 0 where either has no length."""
    centroids = answers.sum(axis=1)
    length = np.sqrt(np.einsum("qad,qad->qa", answers, answers) * np.einsum("qd,qd->q", centroids, centroids)[:, None])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(length > 0, np.einsum("qad,qd->qa", answers, centroids) / length, np.float32(0))


def group_similar(pattern: pl.DataFrame, vectors: WordVectors, threshold: float = THRESHOLD) -> pl.DataFrame:
    """Add a column ``similar``: whether an answer is as near to the centroid as the threshold says.

    >>> said = pl.DataFrame({"question_id": ["1"] * 2, "answer": ["racket", "rackets"], "frequency": [6, 4]})
    >>> group_similar(said, packaged_vectors(), 0.8)["similar"].to_list()
    [True, True]
    """
    near = pattern if "cosine" in pattern.columns else centroid_cosines(pattern, vectors)
    return near.with_columns(similar=pl.col("cosine") >= threshold - _ROUNDING)


def masses_scores(predictions: pl.DataFrame, pattern: pl.DataFrame) -> pl.DataFrame:
    """Every component of every prediction: question_id, ma, s, mas, and with a column ``similar`` also ses and masses.

    A prediction that nobody gave has ma, mas and masses 0; s and ses need two people, and are null with one.

    >>> said = pl.DataFrame({"question_id": ["1"] * 2, "answer": ["white", "green"], "frequency": [6, 4]})
    >>> guess = pl.DataFrame({"question_id": ["1"], "answer": ["green"]})
    >>> masses_scores(guess, said).select(pl.col("ma", "s", "mas").round(2)).rows()
    [(0.67, 0.56, 0.37)]
    """
    said = pattern if "similar" in pattern.columns else pattern.with_columns(similar=pl.lit(value=False))
    alike, frequency = pl.col("similar"), pl.col("frequency")
    people = said.group_by("question_id").agg(
        people=frequency.sum(),
        most=frequency.max(),
        together=frequency.filter(alike).sum(),
        most_alone=frequency.filter(~alike).max().fill_null(0),
    )
    spelled = predictions.select(
        "question_id", answer=normalize_answers(predictions["answer"].cast(pl.String)).fill_null("")
    )
    guess = spelled.join(people, on="question_id", how="left", maintain_order="left").join(
        said, on=["question_id", "answer"], how="left", maintain_order="left"
    )
    given = frequency.fill_null(0)
    most_after = pl.max_horizontal("together", "most_alone")
    given_after = pl.when(alike.fill_null(value=False)).then("together").otherwise(given)
    scored = guess.select(
        "question_id",
        ma=given / pl.col("most"),
        s=_reliability(pl.col("most")),
        ses=_reliability(most_after),
        ma_after=given_after / most_after,
    )
    parts = ["question_id", "ma", "s", (pl.col("ma") * pl.col("s")).alias("mas")]
    if "similar" in pattern.columns:
        parts += ["ses", (pl.col("ma_after") * pl.col("ses")).alias("masses")]
    return scored.select(parts)


def _reliability(most: pl.Expr) -> pl.Expr:
    """1 if all agree, 0 if everybody says something else; one person can do neither."""
    return pl.when(pl.col("people") > 1).then((most - 1) / (pl.col("people") - 1))


def feasibility(scores: pl.DataFrame, reliability: pl.DataFrame, *, bins: int = 10) -> pl.DataFrame:
    """Mean score of the questions of each bin of SES (figure 7): low, high, questions, score; the last bin is closed.

    >>> scores = pl.DataFrame({"question_id": ["1", "2"], "score": [1.0, 0.0]})
    >>> feasibility(scores, pl.DataFrame({"question_id": ["1", "2"], "ses": [1.0, 0.2]}), bins=2).rows()
    [(0.0, 0.5, 1, 0.0), (0.5, 1.0, 1, 1.0)]
    """
    both = scores.select("question_id", "score").join(reliability.select("question_id", "ses"), on="question_id")
    place = (pl.col("ses") * bins + _ROUNDING).floor().clip(0, bins - 1).cast(pl.Int64)
    found = both.drop_nulls().group_by(bin=place).agg(questions=pl.len().cast(pl.Int64), score=pl.col("score").mean())
    every = pl.DataFrame({"bin": range(bins)}, schema={"bin": pl.Int64})
    return every.join(found, on="bin", how="left", maintain_order="left").select(
        low=pl.col("bin") / bins,
        high=(pl.col("bin") + 1) / bins,
        questions=pl.col("questions").fill_null(0),
        score="score",
    )


def _feasibilities(predictions: pl.DataFrame, tables: Tables, *, vectors: Vectors) -> list[Measure]:
    """Mean accuracy of the questions of each bin of SES; an empty bin has a reason instead."""
    scores = correctness(predictions, tables)
    reliability = _similar_part(predictions, tables, part="ses", vectors=vectors, threshold=THRESHOLD)
    binned = feasibility(scores, reliability.rename({"score": "ses"}))
    if not binned["questions"].sum():
        raise Absent("no question has answers of two people")
    return [
        Measure(f"SES {low:.1f} to {high:.1f}", score, questions, None if questions else "no question is as reliable")
        for low, high, questions, score in binned.iter_rows()
    ]


def _part(predictions: pl.DataFrame, tables: Tables, *, part: str) -> pl.DataFrame:
    scored = masses_scores(predictions, patterns(seen_answers(tables)))
    return scored.select("question_id", score=part)


def _similar_part(
    predictions: pl.DataFrame, tables: Tables, *, part: str, vectors: Vectors, threshold: float
) -> pl.DataFrame:
    try:
        pattern = group_similar(patterns(seen_answers(tables)), vectors(), threshold)
    except MissingDependencyError as error:
        raise Absent(str(error)) from error
    return masses_scores(predictions, pattern).select("question_id", score=part)


def masses_metrics(threshold: float = THRESHOLD, vectors: Vectors = packaged_vectors) -> tuple[ItemMetric, ItemMetric]:
    """SES and MASSES at any threshold, with any word vectors.

    >>> [metric.name for metric in masses_metrics(0.8)]
    ['ses-0.8', 'masses-0.8']
    """
    parts = (("ses", "reliability of the answers, by meaning"), ("masses", "MASSES"))
    ses, masses = (
        ItemMetric(
            f"{part}-{threshold:g}",
            f"{title}, at {threshold:g}",
            ("answers",),
            partial(_similar_part, part=part, vectors=vectors, threshold=threshold),
            made_with=lambda: vectors().source,
        )
        for part, title in parts
    )
    return ses, masses


def feasibility_metric(vectors: Vectors = packaged_vectors) -> SetMetric:
    """Accuracy by SES, with any word vectors.

    >>> feasibility_metric().name
    'feasibility'
    """
    return SetMetric(
        "feasibility",
        "accuracy by reliability of the answers (SES at 0.9)",
        ("answers",),
        partial(_feasibilities, vectors=vectors),
        made_with=lambda: vectors().source,
    )


MAJORITY = ItemMetric("ma", "share of the majority's frequency", ("answers",), partial(_part, part="ma"))
SUBJECTIVITY = ItemMetric("s", "reliability of the answers", ("answers",), partial(_part, part="s"))
MAS = ItemMetric("mas", "majority times reliability", ("answers",), partial(_part, part="mas"))
SES_0_9, MASSES_0_9 = masses_metrics(0.9)
SES_0_7, MASSES_0_7 = masses_metrics(0.7)
FEASIBILITY = feasibility_metric()
