"""Two benchmarks side by side: sizes, entropies, answers, and what one covers of the other (GQA, table 3)."""

import polars as pl

from eyechart.analysis.descriptions.programs import group_entropies, grouped_answers
from eyechart.analysis.results import Chart, Result
from eyechart.analysis.sums import total, weighted_mean
from eyechart.analysis.views import Views, words
from eyechart.errors import MissingDependencyError
from eyechart.metrics import Absent
from eyechart.text import tagged_words

__all__ = ["answers", "coverage", "entropy", "sizes"]

_MOST_GROUPS, _MOST_ANSWERS = 8, 10
_ONE, _OTHER = "this", "other"
_PARTS = ("verb", "noun", "adjective", "preposition")
_PLACE = r",(to the )?(left|right|above|below|behind|in front|on|under|beneath|inside|in|near|next to|beside|between)\b"
"""A step about a relation in space names it behind a comma."""
_COMPOSED = 3
"""A program of so many steps combines what it finds."""


def _any_step(step: pl.Expr) -> pl.Expr:
    return pl.col("program").list.eval(step).list.any()


_OPERATION, _ARGUMENT = pl.element().struct.field("operation"), pl.element().struct.field("argument")
_KINDS = {
    "relation": _any_step(_OPERATION.str.contains(r"relate|\brel\b")),
    "spatial": _any_step(_OPERATION.str.contains(r"relate|\brel\b") & _ARGUMENT.str.contains(_PLACE)),
    "logical": pl.col("structural") == "logical",
    "comparative": pl.col("structural") == "compare",
    "compositional": pl.col("program").list.len() >= _COMPOSED,
}
"""What the paper counts by hand, by programs; unknown where there are none."""


def sizes(one: Views, other: Views) -> list[Result]:
    """How large both are, how varied, how easily guessed."""
    rows = pl.DataFrame(
        {"what": list(_LABELS.values()), _ONE: list(_facts(one).values()), _OTHER: list(_facts(other).values())}
    )
    known = rows.filter(pl.col(_ONE).is_not_null() | pl.col(_OTHER).is_not_null())
    asked = {name: int(known[name][0] or 0) for name in (_ONE, _OTHER)}
    if not any(asked.values()):
        raise Absent("neither benchmark has questions")
    title = f"{asked[_ONE]:,} questions here, {asked[_OTHER]:,} there"
    about = (
        "Both benchmarks, counted in the same way (GQA, table 3). Texts are compared in lower case, answers "
        "normalised; parts of speech and kinds of reasoning are those of 20,000 questions at the most, compositional "
        f"are programs of {_COMPOSED} or more steps."
    )
    return [Result("head-to-head", title, about, known)]


_LABELS = {
    "questions": "questions",
    "images": "images with questions",
    "per_image": "questions per image",
    "unique": "different questions",
    "vocabulary": "different words in questions",
    "words": "words per question",
    **{f"{part}s": f"{part}s per question" for part in _PARTS},
    **{kind: f"share of {kind} questions" for kind in _KINDS},
    "answers": "different answers",
    "binary": "share answered yes or no",
    "top": "share of the most frequent answer",
    "entropy": "entropy of answers within groups, bits",
    "steps": "steps per program",
}


def _facts(views: Views) -> dict[str, float | None]:
    asked = views["questions"]
    text = pl.col("question").str.to_lowercase()
    said = words(pl.col("question"))
    counted = asked.select(
        questions=pl.len(),
        images=pl.col("image_id").n_unique(),
        unique=text.drop_nulls().n_unique(),
        words=said.list.len().mean(),
        steps=pl.col("program").list.len().mean(),
    ).collect(engine="streaming")
    vocabulary = (
        asked.select(word=said.explode(empty_as_null=True))
        .drop_nulls()
        .select(pl.col("word").n_unique())
        .collect(engine="streaming")
    )
    facts: dict[str, float | None] = (
        dict.fromkeys(_LABELS) | counted.row(0, named=True) | {"vocabulary": vocabulary.item()}
    )
    facts["per_image"] = counted["questions"].item() / max(1, counted["images"].item())
    facts |= _parts_of_speech(views) | _reasoning(views)
    given = views.answer_counts
    if given.height:
        every = total(given["times"])
        binary = total(given.filter(pl.col("answer").is_in(["yes", "no"]))["times"])
        facts |= {"answers": given.height, "binary": binary / every, "top": given["times"][0] / every}
    if (groups := group_entropies(views)).height:
        facts["entropy"] = weighted_mean(groups["entropy"], groups["questions"])
    return {name: None if value is None else float(value) for name, value in facts.items()}


def _parts_of_speech(views: Views) -> dict[str, float | None]:
    try:
        told = tagged_words(views.sampled["question"])
    except MissingDependencyError:
        return {}
    counted = dict(told["part"].value_counts().iter_rows())
    return {f"{part}s": counted.get(part, 0) / max(1, views.sampled.height) for part in _PARTS}


def _reasoning(views: Views) -> dict[str, float | None]:
    asked = views.sampled.drop_nulls("program")
    return asked.select(each.fill_null(value=False).mean().alias(kind) for kind, each in _KINDS.items()).row(
        0, named=True
    )


def entropy(one: Views, other: Views) -> list[Result]:
    """How evenly answers are spread in each group of both (the before and after of a remedy)."""
    here, there = group_entropies(one), group_entropies(other)
    both = here.join(there, on="group", suffix="_other")
    if not both.height:
        raise Absent("the two have no group of questions in common")
    means = [weighted_mean(rows["entropy"], rows["questions"]) for rows in (here, there)]
    change = means[0] / means[1] - 1 if means[1] else 0.0
    varied = both.filter(pl.max_horizontal("entropy", "entropy_other") > 0)
    top = (varied if varied.height else both).sort("questions", "group", descending=[True, False]).head(30)
    rows = pl.concat(
        [
            top.select("group", of=pl.lit(_ONE), entropy="entropy"),
            top.select("group", of=pl.lit(_OTHER), entropy="entropy_other"),
        ]
    )
    rows = rows.sort(
        pl.col("group").replace_strict({name: place for place, name in enumerate(top["group"])}), maintain_order=True
    )
    how = "more" if change >= 0 else "less"
    title = (
        f"Answers carry {abs(change):.0%} {how} information within groups here ({means[0]:.2f} bits) than there "
        f"({means[1]:.2f} bits)"
    )
    about = (
        f"Entropy of the answers of the {top.height} largest groups of questions that have more than one answer; means "
        "are over all groups, weighted by questions (VQA v2, section 3: +56 %; GQA, figure 5)."
    )
    chart = Chart("dots", x="group", y="entropy", color="of", y_title="entropy in bits")
    return [Result("entropy-before-after", title, about, rows, chart)]


def answers(one: Views, other: Views) -> list[Result]:
    """The answers of the largest groups of both, below each other."""
    tables = {name: grouped_answers(views) for name, views in ((_ONE, one), (_OTHER, other))}
    groups = (
        tables[_ONE]
        .group_by("group")
        .agg(n=pl.col("n").sum())
        .sort("n", "group", descending=[True, False])["group"]
        .head(_MOST_GROUPS)
    )
    if not all(counted.height for counted in tables.values()):
        raise Absent("not both have questions with a group and an answer")
    parts = []
    for name, counted in tables.items():
        kept = counted.filter(pl.col("group").is_in(groups.implode())).with_columns(
            share=pl.col("n") / pl.col("n").sum().over("group")
        )
        ranked = kept.filter(pl.struct(-pl.col("n"), "answer").rank("ordinal").over("group") <= _MOST_ANSWERS)
        parts.append(ranked.with_columns(of=pl.lit(name)))
    place = {name: number for number, name in enumerate(groups)}
    rows = pl.concat(parts).sort(
        pl.col("group").replace_strict(place), "of", "n", "answer", descending=[False, True, True, False]
    )
    rows = rows.select(group=pl.format("{}, {}", "group", "of"), answer="answer", share="share", questions="n")
    tops = [
        tables[name].group_by("group").agg(pl.col("n").max() / pl.col("n").sum(), all=pl.col("n").sum())
        for name in tables
    ]
    means = [weighted_mean(each["n"], each["all"]) for each in tops]
    title = f"The most frequent answer of a group takes {means[0]:.0%} here and {means[1]:.0%} there"
    about = f"The {_MOST_ANSWERS} most frequent answers of the {groups.len()} largest groups (GQA, figures 5 and 10)."
    chart = Chart("stack", x="group", y="share", color="answer", y_title="share of the group", percent=True)
    return [Result("answers-before-after", title, about, rows, chart)]


def coverage(one: Views, other: Views) -> list[Result]:
    """Which share of each one's questions and answers the other has, too."""
    rows = []
    for what, found in (("question texts", _texts), ("answers", _answers)):
        here, there = found(one), found(other)
        if here.height and there.height:
            rows += [
                (f"{what} here that are also there", _covered(here, there)),
                (f"{what} there that are also here", _covered(there, here)),
            ]
    if not rows:
        raise Absent("there is nothing to compare")
    shares = pl.DataFrame(rows, schema=["what", "share"], orient="row")
    what, share = shares.sort("share", descending=True, maintain_order=True).row(0)
    about = "Counted as often as they are asked or given; questions in lower case, answers normalised."
    chart = Chart("bars", x="what", y="share", percent=True)
    return [Result("covered", f"{share:.0%} of {what}", about, shares, chart)]


def _texts(views: Views) -> pl.DataFrame:
    text = words(pl.col("question")).list.join(" ")
    return (
        views["questions"]
        .group_by(key=text)
        .agg(times=pl.len().cast(pl.Int64))
        .drop_nulls()
        .collect(engine="streaming")
    )


def _answers(views: Views) -> pl.DataFrame:
    return views.answer_counts.select(key="answer", times="times")


def _covered(one: pl.DataFrame, other: pl.DataFrame) -> float:
    return total(one.join(other, on="key", how="semi")["times"]) / total(one["times"])
