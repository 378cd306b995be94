"""GQA consistency: does a model that is right about a question also know what follows (Hudson and Manning 2019, 4.4)?

Over the balanced questions that are answered correctly and entail others, the mean share of these others, balanced or
not, that are answered correctly too.
"""

import polars as pl

from eyechart.metrics.gqa_accuracy import gqa_judged, named, table
from eyechart.metrics.kinds import Absent, ItemMetric, Tables

__all__ = ["GQA_CONSISTENCY", "GQA_CONSISTENCY_EQUIVALENT", "GQA_CONSISTENCY_LENIENT", "followers", "gqa_consistencies"]


def followers(entailments: pl.LazyFrame, *, equivalent: bool = False) -> pl.DataFrame:
    """Which questions follow from which, in the sense of GQA: every rule but equivalence is an entailment.

    What GQA's files list twice counts twice, as in the published script; what two other rules yield counts once.
    With ``equivalent``, questions that mean the same follow as well, and each counts once.

    >>> rows = pl.LazyFrame({"question_id": ["1", "1"], "entailed_id": ["2", "3"], "rule": ["entailed", "equivalent"]})
    >>> followers(rows).rows(), followers(rows, equivalent=True).rows()
    ([('1', '2')], [('1', '2'), ('1', '3')])
    """
    pair = ["question_id", "entailed_id"]
    others = entailments.filter(pl.col("question_id") != pl.col("entailed_id"))
    if equivalent:
        return others.select(pair).unique(maintain_order=True).collect()
    listed = others.filter(pl.col("rule") == "entailed").select(pair).collect()
    derived = others.filter(~pl.col("rule").is_in(["entailed", "equivalent"])).select(pair).unique(maintain_order=True)
    found = derived.collect()
    return pl.concat([listed, found.join(listed, on=pair, how="anti", maintain_order="left")]) if len(found) else listed


def gqa_consistencies(judged: pl.DataFrame, follows: pl.DataFrame, *, lenient: bool = False) -> pl.DataFrame:
    """The consistency of every balanced question that was answered correctly and entails others.

    ``judged`` has question_id, balanced and right (null without prediction) of all questions; of the result, ``score``
    is null where nothing is known of any entailed question, ``entailed`` counts them and ``unknown`` those of which
    nothing is known. Unless ``lenient``, a single unknown one makes consistency absent, with its id in the reason.

    >>> judged = pl.DataFrame({"question_id": ["1", "2"], "balanced": [True, False], "right": [True, False]})
    >>> gqa_consistencies(judged, pl.DataFrame({"question_id": ["1"], "entailed_id": ["2"]})).rows()
    [('1', 0.0, 1, 0)]
    """
    asked = judged.filter(pl.col("balanced") & pl.col("right")).select("question_id")
    known = judged.select(entailed_id="question_id", right="right")
    rows = follows.join(asked, on="question_id", how="semi", maintain_order="left").join(
        known, on="entailed_id", how="left", maintain_order="left"
    )
    unknown = rows.filter(pl.col("right").is_null())["entailed_id"].unique(maintain_order=True)
    if unknown.len() and not lenient:
        outside = unknown.filter(~unknown.is_in(judged["question_id"].implode()))
        where = f", {outside.len():,} of them not in the questions at all" if outside.len() else ""
        raise Absent(
            f"consistency: found no prediction for {named(unknown)} entailed questions{where}, expected one for each; "
            "use the file of all questions, not only balanced ones, and predict all of it"
        )
    scores = rows.group_by("question_id", maintain_order=True).agg(
        score=pl.col("right").mean(), entailed=pl.len(), unknown=pl.col("right").null_count()
    )
    if not scores["score"].count():
        found = "prediction for an entailed question" if scores.height else "correct answer to one that entails others"
        raise Absent(f"consistency: found no {found}, expected some")
    return scores


def _metric(name: str, title: str, *, equivalent: bool = False, lenient: bool = False) -> ItemMetric:
    def score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
        questions = table(tables, "questions").select("question_id", "answer", "balanced").collect()
        follows = followers(table(tables, "entailments"), equivalent=equivalent)
        if not follows.height:
            raise Absent("consistency: found no entailed questions, expected some; training and validation have them")
        found = gqa_consistencies(gqa_judged(predictions, questions), follows, lenient=lenient)
        partly = pl.when(pl.col("unknown") > 0).then(
            pl.format("{} of {} entailed questions are not known", "unknown", "entailed")
        )
        scores = found.select("question_id", "score", flag=partly)
        return predictions.select("question_id").join(scores, on="question_id", how="left", maintain_order="left")

    return ItemMetric(name, title, ("questions", "entailments"), score)


GQA_CONSISTENCY = _metric("gqa-consistency", "GQA consistency: right about what a right answer entails")
GQA_CONSISTENCY_EQUIVALENT = _metric(
    "gqa-consistency-equivalent",
    "GQA consistency over entailed and equivalent questions",
    equivalent=True,
)
GQA_CONSISTENCY_LENIENT = _metric(
    "gqa-consistency-known",
    "GQA consistency over those entailed questions that have a prediction",
    lenient=True,
)
