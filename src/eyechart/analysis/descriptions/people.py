"""How far people agree, how sure they are, how well they do (VQA v1, section 4.2, table 1; MaSSeS, figures 3 to 5)."""

import polars as pl

from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total
from eyechart.analysis.views import Views
from eyechart.errors import MissingDependencyError
from eyechart.metrics import Absent, agreement_bands, group_similar, human_accuracies, masses_scores, unique_answers
from eyechart.text import packaged_vectors

__all__ = ["accuracy", "agreement", "meaning", "reliability", "uniqueness"]

_BANDS = {"many": "7 or more the same", "some": "3 to 6", "few": "fewer than 3"}
_SHOWN = {"image": "question and picture", "caption": "question and caption", "nothing": "question alone"}
_BINS = 10


def _answers(views: Views) -> pl.DataFrame:
    columns = ("question_id", "worker_id", "answer", "confidence", "shown")
    answers = views["answers"].select(columns).collect(engine="streaming")
    if not answers.height:
        raise Absent("there are no answers of people")
    return answers


def _seen(views: Views) -> pl.DataFrame:
    return _answers(views).filter(pl.col("shown").fill_null("image") == "image")


def agreement(views: Views) -> list[Result]:
    """How many people give the same answer, by how sure they are."""
    bands = agreement_bands(_seen(views)).drop_nulls("confidence")
    if not bands.height:
        raise Absent("nobody said how sure they were")
    long = bands.unpivot(list(_BANDS), index=["confidence", "questions"], variable_name="band", value_name="count")
    rows = long.select(
        confidence=pl.format("{} to {}", pl.col("confidence").round(1), (pl.col("confidence") + 0.1).round(1)),
        same=pl.col("band").replace_strict(_BANDS),
        share=pl.col("count") / pl.col("questions"),
        questions="count",
    ).sort("confidence", maintain_order=True)
    agreed = total(bands["many"]) / total(bands["questions"])
    title = f"Seven or more people give the same answer to {agreed:.0%} of questions"
    about = (
        "Questions by the mean confidence of their answers (yes 1, maybe ½, no 0) and by how many answers are the "
        "same (VQA v1, figure 6)."
    )
    chart = Chart("stack", x="confidence", y="share", color="same", y_title="share of questions", percent=True)
    return [Result("agreement", title, about, rows, chart)]


def accuracy(views: Views) -> list[Result]:
    """How well people do with the picture, with a caption, and blind (VQA v1, table 1)."""
    from eyechart.metrics import clustered_means

    scored = human_accuracies(_answers(views))
    known = views["questions"].select("question_id", "image_id", "answer_type").collect(engine="streaming")
    told = scored.join(known, on="question_id").with_columns(pl.col("image_id").fill_null(pl.col("question_id")))
    if not told.height:
        raise Absent("no question was answered by two people")
    every = told.with_columns(answer_type=pl.lit("all"))
    both = pl.concat([every, told.drop_nulls("answer_type")])
    means = clustered_means(both, by=["shown", "answer_type"])
    rows = means.select(
        shown=pl.col("shown").replace_strict(_SHOWN),
        answer_type="answer_type",
        accuracy="value",
        low="low",
        high="high",
        questions="questions",
    ).sort(
        pl.col("shown").replace_strict({name: place for place, name in enumerate(_SHOWN.values())}),
        pl.col("answer_type") != "all",
        "answer_type",
    )
    best = rows.filter(pl.col("shown") == _SHOWN["image"], pl.col("answer_type") == "all")
    title = (
        f"People who see the picture are right {best['accuracy'].item():.1%} of the time"
        if best.height
        else "People without the picture"
    )
    about = (
        "Each person against the others by VQA accuracy; those without the picture against those with it; intervals "
        "clustered by image (VQA v1, table 1: 83.30 % with the picture, 40.81 % without)."
    )
    chart = Chart(
        "dots", x="answer_type", y="accuracy", color="shown", low="low", high="high", y_title="accuracy", percent=True
    )
    return [Result("human-accuracy", title, about, rows, chart)]


def uniqueness(views: Views) -> list[Result]:
    """How many different answers people give to a question."""
    seen = views.said.filter(pl.col("shown") == "image")
    people = seen.group_by("question_id").agg(answers=pl.len().cast(pl.Int64), people=pl.col("people").sum())
    several = people.filter(pl.col("people") > 1)
    if not several.height:
        raise Absent("no question was answered by two people")
    rows = several.group_by("answers").agg(questions=pl.len().cast(pl.Int64)).sort("answers")
    rows = rows.with_columns(share=pl.col("questions") / pl.col("questions").sum())
    _, normal = unique_answers(_seen(views))
    title = f"A question gets {normal.value:.2f} different answers on average"
    about = "Different answers per question, after normalisation, of people who saw the picture (VQA v1, section 4.2)."
    chart = Chart(
        "columns", x="answers", y="share", x_title="different answers", y_title="share of questions", percent=True
    )
    return [Result("unique-answers", title, about, rows, chart)]


def reliability(views: Views) -> list[Result]:
    """How far people agree on each question: S of MaSSeS (its figures 3 to 5)."""
    return [_histogram(views, "s", "subjectivity", "S")]


def meaning(views: Views) -> list[Result]:
    """How far people agree on each question when answers of like meaning are one: SES of MaSSeS."""
    return [_histogram(views, "ses", "semantic-similarity", "SES at 0.9")]


def _histogram(views: Views, part: str, name: str, label: str) -> Result:
    pattern = views.said.filter(pl.col("shown") == "image").select("question_id", "answer", frequency="people")
    if part == "ses":
        try:
            pattern = group_similar(pattern, packaged_vectors())
        except MissingDependencyError as error:
            raise Absent(str(error)) from error
    any_answer = pattern.unique("question_id", keep="first", maintain_order=True).select("question_id", "answer")
    values = masses_scores(any_answer, pattern)[part].drop_nulls()
    if not values.len():
        raise Absent("no question was answered by two people")
    bins = (values * _BINS + 1e-6).floor().clip(0, _BINS - 1).cast(pl.Int64)
    counted = bins.alias("bin").value_counts(name="questions").sort("bin")
    rows = counted.select(
        value=pl.format("{} to {}", (pl.col("bin") / _BINS).round(1), ((pl.col("bin") + 1) / _BINS).round(1)),
        share=pl.col("questions") / values.len(),
        questions="questions",
    )
    agreed, mean = total(values > 1 - 1e-6) / values.len(), total(values) / values.len()
    title = f"{agreed:.0%} of questions have one answer that everybody gives; the mean of {part.upper()} is {mean:.2f}"
    about = f"{label} of each question: 1 if all people agree, 0 if each says something else (MaSSeS, section 3)."
    chart = Chart("columns", x="value", y="share", x_title=label, y_title="share of questions", percent=True)
    return Result(name, title, about, rows, chart)
