"""Where a model is right and where it is wrong: by kind, age, length, answer; what it takes for what.

VQA v1, section 5.4 and its figures of Pr(correct | answer); MaSSeS, figure 7 and section 5.
"""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total
from eyechart.analysis.views import Views
from eyechart.errors import MissingDependencyError
from eyechart.metrics import (
    AGES,
    Absent,
    clustered_means,
    correctness,
    group_similar,
    groups_of,
    masses_scores,
    question_ages,
)
from eyechart.text import normalize_answers, packaged_vectors

__all__ = [
    "Exam",
    "by_age",
    "by_answer",
    "by_column",
    "confusion",
    "disagreements",
    "masses_against_accuracy",
    "years_by_accuracy",
]

_MOST_GROUPS, _MOST_ANSWERS, _MOST_CONFUSED = 20, 50, 8
_BINS = 5
_TELLING = 0.02
"""A title tells of groups with at least this share of the questions."""
_SIDE = 4


@dataclass(frozen=True)
class Exam:
    """A model's answers to a benchmark, with how right each is.

    >>> views = Views({"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["cat"]})})
    >>> Exam(views, pl.DataFrame({"question_id": ["1"], "answer": ["cat"]})).scored["score"].to_list()
    [1.0]
    """

    views: Views
    predictions: pl.DataFrame

    @cached_property
    def scored(self) -> pl.DataFrame:
        """Each predicted question with its columns, the prediction (guess), and its score from 0 to 1."""
        tables = {name: self.views[name] for name in self.views.tables}
        scores = correctness(self.predictions, tables)
        guesses = self.predictions.select("question_id", guess="answer")
        asked = groups_of(self.views["questions"].collect())
        known = scores.join(guesses, on="question_id").join(asked, on="question_id", maintain_order="left")
        kinds = self.views.kinds.collect()
        return known.join(kinds, on="question_id", how="left", suffix="_of_question").with_columns(
            pl.col("image_id").fill_null(pl.col("question_id"))
        )


def by_column(exam: Exam, column: str, name: str, label: str) -> list[Result]:
    """Accuracy of each group of questions, with its interval clustered by image."""
    known = exam.scored.drop_nulls(column)
    if known[column].n_unique() < 2:  # noqa: PLR2004  # nothing to compare
        raise Absent(f"questions do not differ in their {label}")
    means = clustered_means(known.with_columns(pl.col(column).cast(pl.String)), by=[column])
    largest = means.sort("questions", column, descending=[True, False]).head(_MOST_GROUPS)
    order = pl.col(column).cast(pl.Int64, strict=False)
    rows = largest.sort(order, -pl.col("value"), column, nulls_last=True).select(
        pl.col(column).alias(label), accuracy="value", low=_share("low"), high=_share("high"), questions="questions"
    )
    telling = rows.filter(pl.col("questions") >= _TELLING * known.height)
    ranked = (telling if telling.height > 1 else rows).sort("accuracy", label, descending=[True, False])
    best, worst = ranked.row(0, named=True), ranked.row(-1, named=True)
    title = f"Best at “{best[label]}” ({best['accuracy']:.0%}), worst at “{worst[label]}” ({worst['accuracy']:.0%})"
    about = f"Accuracy by {label} of the {rows.height} largest groups, with 95 % intervals clustered by image."
    return [Result(name, title, about, rows, _dots(label))]


def _share(bound: str) -> pl.Expr:
    """A share lies between 0 and 1, whatever the normal approximation says."""
    return pl.col(bound).clip(0, 1).fill_null(pl.col("value"))


def _dots(label: str) -> Chart:
    return Chart("dots", x=label, y="accuracy", low="low", high="high", y_title="accuracy", percent=True)


def by_age(exam: Exam) -> list[Result]:
    """Accuracy by how old one has to be to answer."""
    ages = question_ages(exam.views["judgements"].collect())
    if not ages.height:
        raise Absent("nobody judged how old one has to be")
    groups = pl.DataFrame({"value": list(AGES.values()), "age": list(AGES)})
    nearest = ages.sort("value").join_asof(groups, on="value", strategy="nearest")
    known = exam.scored.join(nearest.select("question_id", "age"), on="question_id")
    means = clustered_means(known, by=["age"]).sort(pl.col("age").replace_strict(dict(AGES)))
    rows = means.select("age", accuracy="value", low=_share("low"), high=_share("high"), questions="questions")
    title = (
        f"{rows['accuracy'][0]:.0%} right where {rows['age'][0]} years are enough, {rows['accuracy'][-1]:.0%} at "
        f"{rows['age'][-1]}"
    )
    about = (
        "Accuracy by the mean age that people say a question needs, in the group nearest to it (VQA v1, section 5.4)."
    )
    return [Result("accuracy-by-age", title, about, rows, _dots("age"))]


def years_by_accuracy(exam: Exam) -> list[Result]:
    """How old the questions are that are answered well, or badly."""
    ages = question_ages(exam.views["judgements"].collect()).rename({"value": "age"})
    known = exam.scored.join(ages, on="question_id")
    if not known.height:
        raise Absent("nobody judged how old one has to be")
    place = (pl.col("score") * _BINS).floor().clip(0, _BINS - 1).cast(pl.Int64)
    means = clustered_means(known.with_columns(bin=place, score="age"), by=["bin"]).sort("bin")
    label = pl.format("{} to {} %", pl.col("bin") * (100 // _BINS), (pl.col("bin") + 1) * (100 // _BINS))
    rows = means.select(accuracy=label, age="value", low="low", high="high", questions="questions")
    title = f"Questions answered best need {rows['age'][-1]:.1f} years, those answered worst {rows['age'][0]:.1f}"
    about = "Mean age that people say questions need, by how well they are answered (VQA v1, section 5.4)."
    chart = Chart("dots", x="accuracy", y="age", low="low", high="high", y_title="mean age in years")
    return [Result("age-by-accuracy", title, about, rows, chart)]


def by_answer(exam: Exam) -> list[Result]:
    """Pr(correct | answer) and Pr(answer | correct) of the most frequent answers (VQA v1, section 5.4)."""
    reference = exam.views.reference.rename({"answer": "truth"})
    known = exam.scored.join(reference, on="question_id")
    if not known.height:
        raise Absent("no predicted question has a reference answer")
    counted = known.group_by("truth").agg(questions=pl.len().cast(pl.Int64), right=pl.col("score").sum())
    every = total(counted["right"])
    ranked = counted.sort("questions", "truth", descending=[True, False]).head(_MOST_ANSWERS)
    rows = ranked.select(
        answer="truth",
        correct_given_answer=pl.col("right") / pl.col("questions"),
        answer_given_correct=pl.col("right") / (every or 1),
        questions="questions",
    )
    shown = rows.unpivot(
        ["correct_given_answer", "answer_given_correct"],
        index=["answer", "questions"],
        variable_name="of",
        value_name="share",
    )
    names = {"correct_given_answer": "right, given the answer", "answer_given_correct": "the answer, given right"}
    place = {answer: number for number, answer in enumerate(rows["answer"])}
    shown = shown.with_columns(pl.col("of").replace_strict(names)).sort(pl.col("answer").replace_strict(place), "of")
    top = rows.sort("answer_given_correct", "answer", descending=[True, False]).row(0, named=True)
    title = f"“{top['answer']}” makes {top['answer_given_correct']:.0%} of all that is right"
    about = (
        f"How often the {rows.height} most frequent answers are found where they are right, and how much of everything "
        "right they are (VQA v1, section 5.4)."
    )
    chart = Chart("dots", x="answer", y="share", color="of", y_title="share", percent=True)
    return [Result("accuracy-by-answer", title, about, shown.select("answer", "of", "share", "questions"), chart)]


def confusion(exam: Exam) -> list[Result]:
    """What is taken for what within the largest group whose answers compete."""
    reference = exam.views.reference.rename({"answer": "truth"})
    group = pl.coalesce("group_global", "kind_of_question")
    known = exam.scored.join(reference, on="question_id").with_columns(group=group, guess=_normal(exam.scored, "guess"))
    wrong = known.drop_nulls(["group", "guess"]).filter(pl.col("truth").n_unique().over("group") > 2)  # noqa: PLR2004  # more than yes and no
    if not wrong.height:
        raise Absent("no group of questions has more than two answers")
    name = wrong.group_by("group").len().sort("len", "group", descending=[True, False])["group"][0]
    told = wrong.filter(pl.col("group") == name)
    top = (
        told.group_by("truth")
        .len()
        .sort("len", "truth", descending=[True, False])["truth"]
        .head(_MOST_CONFUSED)
        .to_list()
    )
    other = "anything else"
    cell = told.filter(pl.col("truth").is_in(top)).with_columns(
        guess=pl.when(pl.col("guess").is_in(top)).then("guess").otherwise(pl.lit(other))
    )
    counted = cell.group_by("truth", "guess").agg(questions=pl.len().cast(pl.Int64))
    whole = (
        pl.DataFrame({"truth": top})
        .join(pl.DataFrame({"guess": [*top, other]}), how="cross")
        .join(counted, on=["truth", "guess"], how="left", maintain_order="left")
    )
    rows = whole.with_columns(pl.col("questions").fill_null(0)).with_columns(
        share=pl.col("questions") / pl.col("questions").sum().over("truth")
    )
    mistakes = rows.filter(pl.col("truth") != pl.col("guess"), pl.col("guess") != other).sort(
        "share", "truth", "guess", descending=[True, False, False]
    )
    worst = mistakes.row(0, named=True)
    taken = f"{worst['share']:.0%} of “{worst['truth']}” are taken for “{worst['guess']}”"
    title = taken if worst["share"] else "No frequent answer is taken for another"
    about = (
        "What was answered (across) where something else was right (down), in the largest group of questions, "
        f"“{name}”."
    )
    chart = Chart("heatmap", x="guess", color="truth", y="share", x_title="answered", percent=True)
    return [Result("confusion", title, about, rows, chart)]


def _normal(rows: pl.DataFrame, column: str) -> pl.Expr:
    known = rows[column].drop_nulls().unique(maintain_order=True)
    return pl.col(column).replace_strict(known, normalize_answers(known), default=None, return_dtype=pl.String)


def _with_masses(exam: Exam) -> pl.DataFrame:
    said = exam.views.said.filter(pl.col("shown") == "image").select("question_id", "answer", frequency="people")
    if "answers" not in exam.views.tables or not said.height:
        raise Absent("there are no answers of people")
    try:
        pattern = group_similar(said, packaged_vectors())
    except MissingDependencyError as error:
        raise Absent(str(error)) from error
    parts = masses_scores(exam.predictions.select("question_id", "answer").drop_nulls(), pattern)
    known = exam.scored.join(parts.select("question_id", "masses", "ses"), on="question_id").drop_nulls("masses")
    if not known.height:
        raise Absent("no predicted question was answered by two people")
    return known


def masses_against_accuracy(exam: Exam) -> list[Result]:
    """How VQA accuracy and MASSES grade the same answers (MaSSeS, section 5)."""
    known = _with_masses(exam)
    cell = [
        (pl.col(name) * _SIDE).floor().clip(0, _SIDE - 1).cast(pl.Int64).alias(name) for name in ("score", "masses")
    ]
    counted = known.select(cell).group_by("score", "masses").agg(questions=pl.len().cast(pl.Int64))
    places = pl.DataFrame({"score": range(_SIDE)}, schema={"score": pl.Int64})
    whole = places.join(pl.DataFrame({"masses": range(_SIDE - 1, -1, -1)}, schema={"masses": pl.Int64}), how="cross")
    told = whole.join(counted, on=["score", "masses"], how="left").sort("masses", "score", descending=[True, False])
    label = {place: f"{place / _SIDE:g} to {(place + 1) / _SIDE:g}" for place in range(_SIDE)}
    rows = told.select(
        accuracy=pl.col("score").replace_strict(label),
        masses=pl.col("masses").replace_strict(label),
        share=pl.col("questions").fill_null(0) / known.height,
        questions=pl.col("questions").fill_null(0),
    )
    low = known.filter(pl.col("score") >= 1, pl.col("masses") * 2 < 1).height
    title = f"{low / known.height:.0%} of answers are fully right by VQA accuracy, but less than half by MASSES"
    about = "Questions by VQA accuracy (across) and MASSES at 0.9 (down) of the same answer (MaSSeS, section 5)."
    chart = Chart("heatmap", x="accuracy", color="masses", y="share", x_title="VQA accuracy", percent=True)
    return [Result("masses-against-accuracy", title, about, rows, chart)]


def disagreements(exam: Exam) -> list[Result]:
    """The questions that VQA accuracy and MASSES grade most differently."""
    gap = pl.col("score") - pl.col("masses")
    known = _with_masses(exam).with_columns(gap=gap)
    rows = known.sort(pl.col("gap").abs(), "question_id", descending=[True, False]).head(_MOST_GROUPS)
    rows = rows.select(
        "question_id", "question", answered="guess", accuracy="score", masses="masses", reliability="ses"
    )
    title = f"VQA accuracy and MASSES differ by {total(known['gap'].abs()) / known.height:.2f} on average"
    about = "The questions on which the two differ most (MaSSeS, section 5)."
    return [Result("masses-disagreements", title, about, rows)]
