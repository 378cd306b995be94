"""How well people do, and how far they agree, from their answers alone (Antol et al. 2015, section 4, figure 6).

A person's answer is graded as a model's is: right as far as others gave it, a third for each, at most one. Those who
saw the picture are compared with the others who did; those who saw a caption or nothing, with everybody who saw it.
"""

from collections.abc import Callable

import numpy as np
import polars as pl

from eyechart.metrics.correctness import picked_columns
from eyechart.metrics.kinds import Absent, Measure, Tables
from eyechart.metrics.vqa_accuracy import vqa_accuracies
from eyechart.text import clean_answer, normalize_answers

__all__ = [
    "agreement_bands",
    "human_accuracies",
    "human_accuracy",
    "krippendorff_alpha",
    "mean_confidence",
    "measure_people",
    "multiple_choice_accuracy",
    "unique_answers",
]

_ENOUGH = 3
_MANY = 7
_SURE = {"yes": 1.0, "maybe": 0.5, "no": 0.0}
"""The paper scales confidence from 0 to 1 without saying where maybe is; here it is in the middle."""

_TENTHS = {tenth: tenth / 10 for tenth in range(10)}


def human_accuracies(answers: pl.DataFrame) -> pl.DataFrame:
    """The mean accuracy of the people who answered a question: question_id, shown, people, score.

    A question that one person alone saw has nobody to compare with and is left out.

    >>> said = pl.DataFrame({"question_id": ["1"] * 4, "answer": ["red", "red", "Red", "blue"]})
    >>> human_accuracies(said).rows()
    [('1', 'image', 4, 0.5)]
    """
    given = _with_shown(answers).drop_nulls("answer")
    seen = given.filter(pl.col("shown") == "image")
    return pl.concat([_among_themselves(seen), *_against(given, seen)]).sort("question_id", "shown")


def _with_shown(answers: pl.DataFrame) -> pl.DataFrame:
    shown = pl.col("shown").fill_null("image") if "shown" in answers.columns else pl.lit("image")
    return answers.with_columns(shown=shown)


def _among_themselves(seen: pl.DataFrame) -> pl.DataFrame:
    """Each person against the others.

    Whether people were unanimous does not matter: then their answers are also the same when normalised.
    """
    normal = _normal(seen)
    same = normal.group_by("question_id", "answer").agg(same=pl.len().cast(pl.Int64))
    others = ((pl.col("same") - 1) / _ENOUGH).clip(0.0, 1.0)
    return (
        same.group_by("question_id")
        .agg(
            shown=pl.lit("image"),
            people=pl.col("same").sum(),
            score=(others * pl.col("same")).sum() / pl.col("same").sum(),
        )
        .filter(pl.col("people") > 1)
    )


def _against(given: pl.DataFrame, seen: pl.DataFrame) -> list[pl.DataFrame]:
    """People who saw a caption or nothing, each against everybody who saw the picture."""
    results = []
    for shown in ("caption", "nothing"):
        blind = given.filter(pl.col("shown") == shown).select("question_id", "answer")
        distinct = blind.group_by("question_id", "answer").agg(people=pl.len().cast(pl.Int64))
        graded = _graded(distinct, seen)
        results.append(
            graded.drop_nulls("score")
            .group_by("question_id")
            .agg(
                shown=pl.lit(shown),
                people=pl.col("people").sum(),
                score=(pl.col("score") * pl.col("people")).sum() / pl.col("people").sum(),
            )
        )
    return results


def _graded(given: pl.DataFrame, seen: pl.DataFrame) -> pl.DataFrame:
    """VQA accuracy of several answers to one question: the first of all questions, then the second, and so on."""
    turns = given.sort("question_id", "answer").with_columns(_turn=pl.int_range(pl.len()).over("question_id"))
    graded = [
        turn.join(vqa_accuracies(turn, seen).select("question_id", "score"), on="question_id")
        for turn in turns.partition_by("_turn", maintain_order=True)
    ]
    return pl.concat(graded).drop("_turn") if graded else given.with_columns(score=pl.lit(0.0))


def _normal(answers: pl.DataFrame) -> pl.DataFrame:
    return answers.with_columns(normalize_answers(answers["answer"].cast(pl.String)).alias("answer"))


def human_accuracy(answers: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Mean human accuracy by what people saw, over all questions and by type of answer.

    >>> said = pl.DataFrame({"question_id": ["1"] * 4, "answer": ["red"] * 4})
    >>> asked = pl.DataFrame({"question_id": ["1"], "answer_type": ["other"]})
    >>> human_accuracy(said, asked).rows()
    [('image', 'all', 1, 1.0), ('image', 'other', 1, 1.0)]
    """
    scored = human_accuracies(answers).join(questions.select("question_id", "answer_type"), on="question_id")
    every = scored.with_columns(answer_type=pl.lit("all"))
    order = pl.col("answer_type") != "all"
    return (
        pl.concat([every, scored.drop_nulls("answer_type")])
        .group_by("shown", "answer_type")
        .agg(questions=pl.len().cast(pl.Int64), accuracy=pl.col("score").sort().mean())
        .sort("shown", order, "answer_type")
    )


def multiple_choice_accuracy(picked: pl.DataFrame, answers: pl.DataFrame) -> tuple[Measure, Measure]:
    """The accuracy of the choice that most people picked, and the mean accuracy of all picks (table 6).

    Where several choices were picked equally often, the majority's accuracy is the mean of theirs; the paper does not
    say. Accuracies are VQA's, against the answers of people who saw the picture.

    >>> answers = pl.DataFrame({"question_id": ["1"] * 4, "answer": ["red"] * 4})
    >>> picked = pl.DataFrame({"question_id": ["1"] * 3, "answer": ["red", "red", "blue"]})
    >>> [round(each.value, 2) for each in multiple_choice_accuracy(picked, answers)]
    [1.0, 0.67]
    """
    seen = _with_shown(answers).filter(pl.col("shown") == "image")
    votes = picked.drop_nulls("answer").group_by("question_id", "answer").agg(votes=pl.len().cast(pl.Int64))
    graded = _graded(votes, seen).drop_nulls("score")
    if not graded.height:
        raise Absent("nobody picked a choice of a question that has answers of people")
    most = pl.col("votes") == pl.col("votes").max()
    questions = (
        graded.group_by("question_id")
        .agg(
            majority=pl.col("score").filter(most).mean(),
            average=(pl.col("score") * pl.col("votes")).sum() / pl.col("votes").sum(),
        )
        .sort("question_id")
    )
    majority, average = (float(questions[name].to_numpy().mean()) for name in ("majority", "average"))
    count = questions.height
    return Measure("majority of people", majority, count), Measure("average of people", average, count)


def agreement_bands(answers: pl.DataFrame) -> pl.DataFrame:
    """By mean confidence: the questions, and how many have 7 or more same answers, 3 to 6, and fewer (figure 6).

    Confidence is 1 for yes, 0.5 for maybe, 0 for no; its bins are tenths, the last with 1. Questions of which nobody
    said how sure they were have no bin. Answers are the same if they are after normalisation. The bands are counts of
    people, meant for ten a question.

    >>> said = pl.DataFrame({"question_id": ["1"] * 8, "answer": ["red"] * 8, "confidence": ["yes"] * 8})
    >>> agreement_bands(said).rows()
    [(0.9, 1, 1, 0, 0)]
    """
    given = _normal(answers.drop_nulls("answer"))
    most = given.group_by("question_id", "answer").agg(same=pl.len()).group_by("question_id").agg(pl.col("same").max())
    banded = most.join(_confidences(answers), on="question_id", how="left").with_columns(
        # Ten people's mean is a multiple of a twentieth; rounding keeps it on its side of a bin's edge.
        tenth=(pl.col("confidence") * 10).round(6).floor().clip(0, 9).cast(pl.Int64)
    )
    same = pl.col("same")
    return (
        banded.group_by("tenth")
        .agg(
            questions=pl.len().cast(pl.Int64),
            many=(same >= _MANY).sum().cast(pl.Int64),
            some=same.is_between(_ENOUGH, _MANY - 1).sum().cast(pl.Int64),
            few=(same < _ENOUGH).sum().cast(pl.Int64),
        )
        .sort("tenth")
        .select(
            pl.col("tenth").replace_strict(_TENTHS, default=None, return_dtype=pl.Float64).alias("confidence"),
            "questions",
            "many",
            "some",
            "few",
        )
    )


def _confidences(answers: pl.DataFrame) -> pl.DataFrame:
    sure = pl.col("confidence").replace_strict(_SURE, default=None, return_dtype=pl.Float64)
    known = answers.select("question_id", confidence=sure).drop_nulls()
    return known.group_by("question_id").agg(pl.col("confidence").mean())


def mean_confidence(answers: pl.DataFrame) -> Measure:
    """How sure people were: the mean over questions of their mean confidence.

    >>> mean_confidence(pl.DataFrame({"question_id": ["1", "1"], "confidence": ["yes", "maybe"]})).value
    0.75
    """
    means = _confidences(answers).sort("question_id")
    if not means.height:
        raise Absent("nobody said how sure they were")
    return Measure("confidence", float(means["confidence"].to_numpy().mean()), means.height)


def unique_answers(answers: pl.DataFrame) -> tuple[Measure, Measure]:
    """The mean number of distinct answers to a question: as typed, and after normalisation.

    >>> said = pl.DataFrame({"question_id": ["1", "1", "1"], "answer": ["2", "two", "3"]})
    >>> [each.value for each in unique_answers(said)]
    [3.0, 2.0]
    """
    given = answers.drop_nulls("answer")
    if not given.height:
        raise Absent("there are no answers of people")
    cleaned = given.with_columns(_mapped(given["answer"], clean_answer).alias("answer"))
    raw, normal = (
        int(rows.group_by("question_id").agg(pl.col("answer").n_unique())["answer"].sum())
        for rows in (cleaned, _normal(given))
    )
    count = given["question_id"].n_unique()
    return Measure("unique answers", raw / count, count), Measure("unique answers, normalised", normal / count, count)


def _mapped(values: pl.Series, spell: Callable[[str], str]) -> pl.Series:
    """A column spelled otherwise; each distinct value is worked on once."""
    distinct = values.unique().drop_nulls()
    spelled = pl.Series([spell(each) for each in distinct], dtype=pl.String)
    return values.replace_strict(distinct, spelled, default=None, return_dtype=pl.String)


def krippendorff_alpha(values: pl.DataFrame, unit: str = "question_id", value: str = "answer") -> Measure:
    """Krippendorff's alpha for names: 1 - observed disagreement / the disagreement of chance (Krippendorff 2011).

    Rows are values that somebody gave to a unit. Missing values, and units with one value, do not count. Nothing is
    normalised. It cannot be computed if everybody always says the same.

    >>> rows = pl.DataFrame({"question_id": ["1", "1", "2", "2"], "answer": ["a", "a", "b", "b"]})
    >>> krippendorff_alpha(rows).value
    1.0
    """
    cells = values.select(unit=unit, value=value).drop_nulls().group_by("unit", "value").agg(n=pl.len().cast(pl.Int64))
    cells = cells.with_columns(m=pl.col("n").sum().over("unit")).filter(pl.col("m") > 1)
    units = cells["unit"].n_unique()
    total = int(cells["n"].sum())
    if not total:
        raise Absent("no question has two values to compare")
    per_value = cells.group_by("value").agg(pl.col("n").sum())["n"].to_numpy().astype(np.float64)
    n, m = cells["n"].to_numpy().astype(np.float64), cells["m"].to_numpy()
    observed = float(np.sort(n * (m - n) / (m - 1)).sum())
    expected = float((per_value * (total - per_value)).sum()) / (total - 1)
    if not expected:
        raise Absent("everybody gave the same value everywhere, so chance agreement cannot be told apart")
    return Measure("Krippendorff's alpha", 1 - observed / expected, units)


def measure_people(tables: Tables) -> list[Measure]:
    """What can be said of a benchmark's people: accuracy by what they saw, unique answers, agreement, confidence.

    >>> said = {"question_id": ["1"] * 4, "answer": ["red", "red", "red", "blue"]}
    >>> measure_people({"answers": pl.LazyFrame(said), "questions": pl.LazyFrame({"question_id": ["1"]})})[0]
    Measure(part='accuracy, image, all', value=0.5, questions=1, absent=None)
    """
    answers = picked_columns(tables, "answers", "question_id", "answer", "confidence", "shown")
    seen = _with_shown(answers).filter(pl.col("shown") == "image")
    by_type = human_accuracy(answers, picked_columns(tables, "questions", "question_id", "answer_type"))
    measures = [
        Measure(f"accuracy, {shown}, {kind}", accuracy, count) for shown, kind, count, accuracy in by_type.iter_rows()
    ]
    measures += _or_absent("unique answers", lambda: list(unique_answers(seen)))
    measures += _or_absent("Krippendorff's alpha", lambda: [krippendorff_alpha(_normal(seen))])
    measures += _or_absent("confidence", lambda: [mean_confidence(seen)])
    alpha = "Krippendorff's alpha of confidence"
    return measures + _or_absent(alpha, lambda: [_renamed(alpha, krippendorff_alpha(seen, value="confidence"))])


def _renamed(part: str, measure: Measure) -> Measure:
    return Measure(part, measure.value, measure.questions, measure.absent)


def _or_absent(part: str, compute: Callable[[], list[Measure]]) -> list[Measure]:
    try:
        return compute()
    except Absent as reason:
        return [Measure(part, None, 0, str(reason))]
