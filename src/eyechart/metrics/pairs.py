"""The same question about two similar pictures with different answers: who does not look cannot get both right.

Goyal et al. 2017 (VQA v2, section 4) count pairs with both answers right, with identical and with different
predictions; Zhang et al. 2018 (counting) the pairs where both questions score 100 %, also among counting questions
alone. Two questions about the same two pictures make a group of two by two (NaturalBench, Li et al. 2024;
Winoground, Thrush et al. 2022): a question is right if it is right about both pictures, a picture if both of its
questions are right, a group if all four are.
"""

import polars as pl

from eyechart.metrics.correctness import correctness, picked_columns
from eyechart.metrics.kinds import Absent, Measure, SetMetric, Tables
from eyechart.text import normalize_answers

__all__ = ["GROUPS", "PAIRS", "group_accuracies", "paired_answers", "square_groups"]

_ENTIRELY = 1 - 1e-9
"""From this score on an answer is entirely right; with ten people that is four of them."""


def paired_answers(pairs: pl.DataFrame, graded: pl.DataFrame) -> pl.DataFrame:
    """The pairs of which both questions are graded: whether both are right, and whether the answers are identical.

    A pair counts once, whichever of its questions comes first. Answers are identical if they are after VQA's
    normalisation; two missing answers are.

    >>> graded = pl.DataFrame({"question_id": ["1", "2"], "answer": ["Yes", "yes"], "score": [1.0, 0.9]})
    >>> paired_answers(pl.DataFrame({"question_id": ["1"], "complement_id": ["2"]}), graded).row(0)
    ('1', '2', False, True)
    """
    normal = normalize_answers(graded["answer"].cast(pl.String))
    told = graded.select("question_id", normal.alias("said"), right=pl.col("score") >= _ENTIRELY)
    return (
        _once(pairs)
        .join(told, on="question_id")
        .join(told, left_on="complement_id", right_on="question_id", suffix="_other")
        .select(
            "question_id",
            "complement_id",
            both_right=pl.col("right") & pl.col("right_other"),
            identical=pl.col("said").eq_missing(pl.col("said_other")),
        )
        .sort("question_id", "complement_id")
    )


def _once(pairs: pl.DataFrame) -> pl.DataFrame:
    """Every pair of two different questions once, in order."""
    first, second = pl.col("question_id"), pl.col("complement_id")
    ordered = pairs.select(question_id=pl.min_horizontal(first, second), complement_id=pl.max_horizontal(first, second))
    return ordered.filter(first != second).unique().sort("question_id", "complement_id")


def square_groups(pairs: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Pairs that share their two pictures with exactly one other pair: group, question_id, complement_id.

    In each row the question about the group's first picture comes first.

    >>> questions = pl.DataFrame({"question_id": ["1", "2", "3", "4"], "image_id": ["a", "b", "a", "b"]})
    >>> square_groups(pl.DataFrame({"question_id": ["1", "4"], "complement_id": ["2", "3"]}), questions).rows()
    [('a b', '1', '2'), ('a b', '3', '4')]
    """
    places = questions.select("question_id", "image_id").drop_nulls()
    placed = (
        _once(pairs)
        .join(places, on="question_id")
        .join(places, left_on="complement_id", right_on="question_id", suffix="_other")
        .filter(pl.col("image_id") != pl.col("image_id_other"))
    )
    swapped = pl.col("image_id") > pl.col("image_id_other")
    one, other = pl.col("question_id"), pl.col("complement_id")
    grouped = placed.select(
        pl.struct(
            pl.min_horizontal("image_id", "image_id_other").alias("one"),
            pl.max_horizontal("image_id", "image_id_other").alias("other"),
        ).alias("images"),
        question_id=pl.when(swapped).then(other).otherwise(one),
        complement_id=pl.when(swapped).then(one).otherwise(other),
    )
    square = grouped.filter(pl.len().over("images") == 2)  # noqa: PLR2004  # two questions about two pictures
    images = pl.col("images").struct
    return square.select(
        pl.format("{} {}", images.field("one"), images.field("other")).alias("group"), "question_id", "complement_id"
    ).sort("group", "question_id")


def group_accuracies(groups: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """For each group whose four questions are graded: the share of questions and of pictures right, and all four.

    >>> groups = pl.DataFrame({"group": ["g", "g"], "question_id": ["1", "3"], "complement_id": ["2", "4"]})
    >>> scores = pl.DataFrame({"question_id": ["1", "2", "3", "4"], "score": [1.0, 1.0, 1.0, 0.0]})
    >>> group_accuracies(groups, scores).row(0)
    ('g', 0.5, 0.5, 0.0, 0.75)
    """
    right = scores.drop_nulls("score").select("question_id", right=pl.col("score") >= _ENTIRELY)
    graded = groups.join(right, on="question_id").join(
        right, left_on="complement_id", right_on="question_id", suffix="_other"
    )
    here, there = pl.col("right"), pl.col("right_other")
    return (
        graded.filter(pl.len().over("group") == 2)  # noqa: PLR2004  # both pairs are graded
        .group_by("group")
        .agg(
            question=(here & there).mean(),
            image=(here.all().cast(pl.Float64) + there.all().cast(pl.Float64)) / 2,
            all_four=(here & there).all().cast(pl.Float64),
            single=(here.mean() + there.mean()) / 2,
        )
        .sort("group")
    )


def _measure_pairs(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    questions = picked_columns(tables, "questions", "question_id", "question", "answer_type")
    graded = predictions.select("question_id", "answer").join(correctness(predictions, tables), on="question_id")
    told = paired_answers(picked_columns(tables, "pairs", "question_id", "complement_id"), graded)
    if not told.height:
        raise Absent("no complementary pair has both of its questions predicted and graded")
    numbers = questions.filter(pl.col("answer_type") == "number")
    counting = questions.filter(pl.col("question").str.to_lowercase().str.starts_with("how many"))
    shares = [
        Measure("both right", _share(told["both_right"]), 2 * told.height),
        Measure("identical answers", _share(told["identical"]), 2 * told.height),
        Measure("different answers", _share(~told["identical"]), 2 * told.height),
    ]
    for name, kind in (("number", numbers), ("how many", counting)):
        both = told.join(kind, on="question_id", how="semi").join(
            kind, left_on="complement_id", right_on="question_id", how="semi"
        )
        reason = None if both.height else f"no pair of {name} questions is predicted and graded"
        shares.append(Measure(f"both right, {name}", _share(both["both_right"]), 2 * both.height, reason))
    return shares


def _share(flags: pl.Series) -> float | None:
    return int(flags.sum()) / flags.len() if flags.len() else None


def _measure_groups(predictions: pl.DataFrame, tables: Tables) -> list[Measure]:
    pairs = picked_columns(tables, "pairs", "question_id", "complement_id")
    groups = square_groups(pairs, picked_columns(tables, "questions", "question_id", "image_id"))
    graded = group_accuracies(groups, correctness(predictions, tables))
    if not graded.height:
        raise Absent("no two pictures share two paired questions that are all predicted and graded")
    parts = {"question": "question", "image": "image", "group": "all_four", "single answers": "single"}
    return [Measure(part, float(graded[column].to_numpy().mean()), 4 * graded.height) for part, column in parts.items()]


PAIRS = SetMetric("pairs", "complementary pairs", ("pairs", "questions"), _measure_pairs)
GROUPS = SetMetric("groups", "two questions about two pictures", ("pairs", "questions"), _measure_groups)
