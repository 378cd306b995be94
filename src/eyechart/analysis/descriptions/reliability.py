"""Accuracy against how far people agree, and against MASSES (MaSSeS, sections 4 and 5, figures 4, 6 and 7)."""

import polars as pl

from eyechart.analysis.descriptions.diagnosis import Exam
from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total
from eyechart.errors import MissingDependencyError
from eyechart.metrics import Absent, clustered_means, group_similar, masses_scores
from eyechart.text import packaged_vectors

__all__ = ["by_agreement", "disagreements", "masses_against_accuracy", "scores_apart"]

_SIDE, _TENTHS = 4, 10
_MOST = 20
_ROUNDING = 1e-6
"""Shares such as 0.3 are not exact in binary, and belong to the bin that they begin."""


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
    cell = [_bin(name, _SIDE).alias(name) for name in ("score", "masses")]
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


def scores_apart(exam: Exam) -> list[Result]:
    """How the scores of VQA accuracy and those of MASSES are spread (MaSSeS, figure 4)."""
    known = _with_masses(exam)
    names = {"score": "VQA accuracy", "masses": "MASSES"}
    counted = [
        known.group_by(bin=_bin(column, _TENTHS)).agg(questions=pl.len().cast(pl.Int64)).with_columns(of=pl.lit(name))
        for column, name in names.items()
    ]
    rows = pl.concat(counted).sort("bin", "of", descending=[False, True])
    rows = rows.select(score=_tenths("bin"), of="of", share=pl.col("questions") / known.height, questions="questions")
    full = [known.filter(pl.col(column) > 1 - _ROUNDING).height / known.height for column in names]
    title = f"{full[0]:.0%} of answers get the full score from VQA accuracy, {full[1]:.0%} from MASSES"
    about = "Answers by their score under both metrics, MASSES at 0.9 (MaSSeS, figure 4)."
    chart = Chart("dots", x="score", y="share", color="of", y_title="share of answers", percent=True)
    return [Result("masses-and-accuracy", title, about, rows, chart)]


def by_agreement(exam: Exam) -> list[Result]:
    """Accuracy of questions by how far people agree on them: how feasible they are (MaSSeS, figure 7)."""
    known = _with_masses(exam).drop_nulls("ses").with_columns(bin=_bin("ses", _TENTHS))
    means = clustered_means(known, by=["bin"]).sort("bin")
    rows = means.select(
        agreement=_tenths("bin"),
        accuracy="value",
        low=pl.col("low").clip(0, 1).fill_null(pl.col("value")),
        high=pl.col("high").clip(0, 1).fill_null(pl.col("value")),
        questions="questions",
    )
    title = (
        f"{rows['accuracy'][-1]:.0%} right where people agree by {rows['agreement'][-1]}, {rows['accuracy'][0]:.0%} by "
        f"{rows['agreement'][0]}"
    )
    about = (
        "Accuracy by SES at 0.9, the reliability of people's answers by meaning, with 95 % intervals clustered by "
        "image (MaSSeS, section 5 and figure 7)."
    )
    chart = Chart("dots", x="agreement", y="accuracy", low="low", high="high", y_title="accuracy", percent=True)
    return [Result("accuracy-by-agreement", title, about, rows, chart)]


def _bin(column: str, bins: int) -> pl.Expr:
    return (pl.col(column) * bins + _ROUNDING).floor().clip(0, bins - 1).cast(pl.Int64)


def _tenths(column: str) -> pl.Expr:
    ends = ((pl.col(column) + more) / _TENTHS for more in (0, 1))
    return pl.format("{} to {}", *(end.round(1) for end in ends))


def disagreements(exam: Exam) -> list[Result]:
    """The questions that VQA accuracy and MASSES grade most differently."""
    gap = pl.col("score") - pl.col("masses")
    known = _with_masses(exam).with_columns(gap=gap)
    rows = known.sort(pl.col("gap").abs(), "question_id", descending=[True, False]).head(_MOST)
    rows = rows.select(
        "question_id", "question", answered="guess", accuracy="score", masses="masses", reliability="ses"
    )
    title = f"VQA accuracy and MASSES differ by {total(known['gap'].abs()) / known.height:.2f} on average"
    about = "The questions on which the two differ most (MaSSeS, section 5)."
    return [Result("masses-disagreements", title, about, rows)]
