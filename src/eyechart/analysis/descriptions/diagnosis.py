"""Where a model is right and where it is wrong: by kind, age, length, answer; what it takes for what.

VQA v1, section 5 and figures 9 to 12.
"""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.views import Views
from eyechart.metrics import AGES, Absent, clustered_means, correctness, groups_of, question_ages
from eyechart.text import normalize_answers

__all__ = ["Exam", "by_age", "by_answer", "by_column", "confusion", "when_right", "years_by_accuracy"]

_MOST_GROUPS, _MOST_ANSWERS, _MOST_CONFUSED = 20, 50, 8
_BINS = 5
_TELLING = 0.02
"""A title tells of groups with at least this share of the questions."""


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
    ends = [f"{_called(row[label], label)} ({row['accuracy']:.0%})" for row in (best, worst)]
    title = f"Best at {ends[0]}, worst at {ends[1]}"
    about = f"Accuracy by {label} of the {rows.height} largest groups, with 95 % intervals clustered by image."
    return [Result(name, title, about, rows, _dots(label))]


def _called(value: str, label: str) -> str:
    """10 words, but “what color”."""
    return f"{value} {label}" if value.isdecimal() else f"“{value}”"


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
    known = exam.scored.join(_nearest_group(ages), on="question_id")
    means = clustered_means(known, by=["age"]).sort(pl.col("age").replace_strict(dict(AGES)))
    rows = means.select("age", accuracy="value", low=_share("low"), high=_share("high"), questions="questions")
    title = (
        f"{rows['accuracy'][0]:.0%} right where {rows['age'][0]} years are enough, {rows['accuracy'][-1]:.0%} at "
        f"{rows['age'][-1]}"
    )
    about = "Accuracy by the mean age that people say a question needs, in the group nearest to it (VQA v1, figure 11)."
    return [Result("accuracy-by-age", title, about, rows, _dots("age"))]


def _nearest_group(ages: pl.DataFrame) -> pl.DataFrame:
    """The age group nearest to the mean age of a question: question_id, age."""
    groups = pl.DataFrame({"value": list(AGES.values()), "age": list(AGES)})
    nearest = ages.sort("value").join_asof(groups, on="value", strategy="nearest")
    return nearest.select("question_id", "age")


def years_by_accuracy(exam: Exam) -> list[Result]:
    """How old one has to be for the questions that are answered well, and for those answered badly."""
    ages = question_ages(exam.views["judgements"].collect()).rename({"value": "years"})
    known = exam.scored.join(_nearest_group(ages.rename({"years": "value"})), on="question_id").join(
        ages, on="question_id"
    )
    if not known.height:
        raise Absent("nobody judged how old one has to be")
    place = (pl.col("score") * _BINS).floor().clip(0, _BINS - 1).cast(pl.Int64)
    binned = known.with_columns(bin=place)
    counted = binned.group_by("bin", "age").agg(questions=pl.len().cast(pl.Int64))
    label = pl.format("{} to {} %", pl.col("bin") * (100 // _BINS), (pl.col("bin") + 1) * (100 // _BINS))
    rows = counted.sort("bin", pl.col("age").replace_strict(dict(AGES))).select(
        accuracy=label,
        age="age",
        share=pl.col("questions") / pl.col("questions").sum().over("bin"),
        questions="questions",
    )
    means = binned.group_by("bin").agg(pl.col("years").mean()).sort("bin")["years"]
    title = f"Questions answered best need {means[-1]:.1f} years, those answered worst {means[0]:.1f}"
    about = (
        "Questions by the age group that they need, in bins of how well they are answered; years are means of what "
        "people say (VQA v1, figure 12)."
    )
    chart = Chart("stack", x="accuracy", y="share", color="age", y_title="share of questions", percent=True)
    return [Result("age-by-accuracy", title, about, rows, chart)]


def by_answer(exam: Exam) -> list[Result]:
    """Pr(correct | answer) of the most frequent right answers (VQA v1, figure 9)."""
    reference = exam.views.reference.rename({"answer": "truth"})
    known = exam.scored.join(reference, on="question_id")
    if not known.height:
        raise Absent("no predicted question has a reference answer")
    largest = known.group_by("truth").len().sort("len", "truth", descending=[True, False]).head(_MOST_ANSWERS)
    means = clustered_means(known.join(largest, on="truth", how="semi"), by=["truth"])
    rows = means.sort("value", "truth", descending=[True, False]).select(
        answer="truth", accuracy="value", low=_share("low"), high=_share("high"), questions="questions"
    )
    best, worst = rows.row(0, named=True), rows.row(-1, named=True)
    title = (
        f"“{best['answer']}” is found {best['accuracy']:.0%} of the time, “{worst['answer']}” {worst['accuracy']:.0%}"
    )
    about = (
        f"How often the {rows.height} most frequent answers are found where they are right: Pr(correct | answer), with "
        "95 % intervals clustered by image (VQA v1, figure 9)."
    )
    return [Result("accuracy-by-answer", title, about, rows, _dots("answer"))]


def when_right(exam: Exam) -> list[Result]:
    """Pr(answer | correct): what is said where it is right (VQA v1, figure 10)."""
    right = exam.scored.filter(pl.col("score") >= 1).drop_nulls("guess")
    if not right.height:
        raise Absent("no answer is fully right")
    said = right.with_columns(answer=_normal(right, "guess"))
    counted = said.group_by("answer").agg(questions=pl.len().cast(pl.Int64))
    rows = counted.sort("questions", "answer", descending=[True, False]).head(_MOST_ANSWERS)
    rows = rows.select("answer", share=pl.col("questions") / right.height, questions="questions")
    answer, share = rows.select("answer", "share").row(0)
    title = f"“{answer}” makes {share:.0%} of all that is right"
    about = (
        f"The {rows.height} answers that are most often said where they are fully right: Pr(answer | correct) (VQA v1, "
        "figure 10)."
    )
    chart = Chart("bars", x="answer", y="share", y_title="share of what is right", percent=True)
    return [Result("answers-when-right", title, about, rows, chart)]


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
