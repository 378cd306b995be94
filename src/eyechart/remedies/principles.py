"""How well decoys keep to the three principles of Chao et al. 2018, section 3.2: QoU, IoU and neutrality.

A decoy is as good as it is plausible beside the target: each score of a question is the mean over its decoys of
min(1, plausibility of the decoy / plausibility of the target), so that 1 means that the answers alone, the question
alone or the image alone do not tell them apart.

- neutrality: plausibility is P(correct | C) of eq. (2), how often C is a target and how often a decoy;
- qou: the cosine between the question and the mean of the questions that have C as their target, this one left out;
- iou: 1 if C is the target of a question about the same image, else 0.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.text import normalize_answers

__all__ = ["Neutrality", "likelihoods", "neutrality", "principle_scores"]

_NEVER_SEEN = 0.5
_PIECE = 1 << 16
_FOLDS = 2

Vectors = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]


def likelihoods(choices: pl.DataFrame) -> pl.DataFrame:
    """For each answer how often it is a target and a decoy, and how likely it is then right: eq. (2).

    >>> rows = {"question_id": ["1", "1", "2", "2"], "choice": ["x", "b", "x", "c"], "is_target": [True, False] * 2}
    >>> likelihoods(pl.DataFrame(rows)).sort("choice").rows()
    [('b', 0, 1, 0.0), ('c', 0, 1, 0.0), ('x', 2, 0, 1.0)]
    """
    target = pl.col("is_target")
    questions = choices["question_id"].n_unique()
    decoys = max(1.0, (choices.height - questions) / max(1, questions))
    counted = choices.group_by(choice=normalize_answers(choices["choice"])).agg(
        targets=target.sum().cast(pl.Int64), decoys=(~target).sum().cast(pl.Int64)
    )
    return counted.with_columns(probability=pl.col("targets") / (pl.col("targets") + pl.col("decoys") / decoys))


class Neutrality(NamedTuple):
    """What the answers alone tell."""

    accuracy: float
    """Of choosing the answer that eq. (2) makes most likely, learned from other pictures; ties count by chance."""
    chance: float
    targets_as_decoys: float
    """The share of decoys that are the target of some question; 1 is neutral."""


def neutrality(choices: pl.DataFrame, questions: pl.DataFrame) -> Neutrality:
    """What counting answers as targets and decoys gives away.

    Counts are of the split ``train`` and answers of the other splits; without them, of one half of the pictures for the
    other. ``questions`` has question_id, image_id and split.

    >>> rows = [(str(q), c, c == "x") for q in range(8) for c in "xy"]
    >>> choices = pl.DataFrame(rows, schema=["question_id", "choice", "is_target"], orient="row")
    >>> questions = pl.DataFrame({"question_id": [str(q) for q in range(8)], "image_id": [str(q) for q in range(8)]})
    >>> neutrality(choices, questions.with_columns(split=pl.lit("train")))
    Neutrality(accuracy=1.0, chance=0.5, targets_as_decoys=0.0)
    """
    rows = choices.select("question_id", "choice", "is_target").drop_nulls()
    folded = rows.join(_folds(questions), on="question_id").with_columns(normal=normalize_answers(rows["choice"]))
    wins: list[pl.DataFrame] = []
    for fold in folded["tested"].unique().drop_nulls().sort():
        learned = likelihoods(folded.filter(pl.col("learned") != fold)).select(normal="choice", p="probability")
        asked = folded.filter(pl.col("tested") == fold).join(learned, on="normal", how="left")
        wins.append(_wins(asked.with_columns(pl.col("p").fill_null(_NEVER_SEEN))))
    chances = pl.concat(wins) if wins else pl.DataFrame({"won": [0.0], "chance": [0.0]})
    return Neutrality(_mean(chances["won"]), _mean(chances["chance"]), _share_as_decoys(rows))


def _mean(values: pl.Series) -> float:
    return float(values.cast(pl.Float64).to_numpy().mean()) if values.len() else 0.0


def _folds(questions: pl.DataFrame) -> pl.DataFrame:
    """Which questions are learned from and which are tested: a number each, learned from those of other numbers."""
    splits = questions["split"].drop_nulls().unique().to_list() if "split" in questions.columns else []
    if "train" in splits and len(splits) > 1:
        train = pl.col("split") == "train"
        fold = pl.when(train).then(0).otherwise(1)
        return questions.select("question_id", learned=fold, tested=pl.when(~train).then(1))
    half = (Key(0, "halves").over(key_of(pl.col("image_id"))) % _FOLDS).cast(pl.Int32)
    return questions.select("question_id", learned=half, tested=half)


def _wins(asked: pl.DataFrame) -> pl.DataFrame:
    """How likely the best choice of each question is its target, and how likely a guess is."""
    best = pl.col("p") == pl.col("p").max().over("question_id")
    return (
        asked.with_columns(best=best)
        .group_by("question_id", maintain_order=True)
        .agg(won=(pl.col("best") & pl.col("is_target")).sum() / pl.col("best").sum(), chance=1 / pl.len())
    )


def _share_as_decoys(rows: pl.DataFrame) -> float:
    counted = likelihoods(rows)
    used = counted.filter(pl.col("targets") > 0)
    return int(used["decoys"].sum()) / max(1, int(counted["decoys"].sum()))


def principle_scores(choices: pl.DataFrame, targets: pl.DataFrame, vectors: Vectors) -> pl.DataFrame:
    """Scores of each question that has decoys: question_id, neutrality, qou, iou.

    ``targets`` has question_id, image_id and answer of all questions, and ``group``, the row of its question's vector.

    >>> rows = {"question_id": ["1", "2"], "image_id": ["i", "i"], "answer": ["cat", "park"], "group": [0, 1]}
    >>> choices = {"question_id": ["1", "1"], "choice": ["cat", "park"], "is_target": [True, False]}
    >>> scores = principle_scores(pl.DataFrame(choices), pl.DataFrame(rows), np.eye(2, dtype=np.float32))
    >>> scores.select("question_id", "iou").rows()
    [('1', 1.0)]
    """
    known = targets.with_columns(normal=normalize_answers(targets["answer"]))
    rows = choices.with_columns(normal=normalize_answers(choices["choice"])).join(
        known.select("question_id", "image_id", "group", own="normal"), on="question_id", maintain_order="left"
    )
    learned = likelihoods(choices).select(normal="choice", probability="probability")
    there = known.select("image_id", "normal").unique().with_columns(iou=pl.lit(1.0))
    fits = _fits(rows, known, vectors)
    plausible = (
        rows.with_columns(qou=pl.Series(fits))
        .join(learned, on="normal", how="left", maintain_order="left")
        .join(there, on=["image_id", "normal"], how="left", maintain_order="left")
        .with_columns(pl.col("iou").fill_null(0.0))
        .rename({"probability": "neutrality"})
    )
    names = ("neutrality", "qou", "iou")
    of_target = plausible.filter("is_target").select("question_id", *(pl.col(n).alias(f"{n}_target") for n in names))
    ratios = plausible.filter(~pl.col("is_target")).join(of_target, on="question_id")
    each = (pl.col(n).clip(0) / pl.col(f"{n}_target").clip(1e-9) for n in names)
    return ratios.group_by("question_id", maintain_order=True).agg(
        *(ratio.clip(0, 1).mean().alias(name) for ratio, name in zip(each, names, strict=True))
    )


def _fits(rows: pl.DataFrame, known: pl.DataFrame, vectors: Vectors) -> Exact:
    """How well each choice fits its question: the cosine to the mean of the other questions that have it as target."""
    answers = known["normal"].unique().sort()
    number = pl.int_range(answers.len(), eager=True)
    sums = np.zeros((answers.len(), vectors.shape[1]), np.float32)
    code = known["normal"].replace_strict(answers, number, return_dtype=pl.Int64).to_numpy()
    np.add.at(sums, code, vectors[known["group"].to_numpy()])
    choice = rows["normal"].replace_strict(answers, number, default=-1, return_dtype=pl.Int64).to_numpy()
    group, own = rows["group"].to_numpy(), (rows["normal"] == rows["own"]).to_numpy()
    fits = np.zeros(rows.height)
    for begin in range(0, rows.height, _PIECE):
        some = slice(begin, begin + _PIECE)
        question = vectors[group[some]]
        others = np.where(choice[some, None] >= 0, sums[choice[some]], 0.0) - question * own[some, None]
        length = np.sqrt(np.einsum("ij,ij->i", others, others))
        dots = np.einsum("ij,ij->i", others, question)
        fits[some] = np.where(length > 1e-3, dots / np.maximum(length, 1e-9), 0.0)  # noqa: PLR2004  # rounding
    return fits
