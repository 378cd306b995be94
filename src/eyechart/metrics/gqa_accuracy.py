"""GQA accuracy: an answer is right if it is the answer, letter by letter (Hudson and Manning 2019, section 4.4).

Only balanced questions count. Profiles that forgive spelling have names, because published numbers differ in them.
"""

from collections.abc import Mapping

import polars as pl

from eyechart.errors import UnknownNameError
from eyechart.metrics.kinds import Absent, ItemMetric, Tables
from eyechart.registry import did_you_mean
from eyechart.tables import TABLES
from eyechart.text import normalize_answers

__all__ = [
    "GQA_ACCURACY",
    "GQA_ACCURACY_LENIENT",
    "GQA_ACCURACY_VQA",
    "GQA_GROUPS",
    "GQA_PROFILES",
    "balanced_questions",
    "gqa_accuracy",
    "gqa_judged",
    "gqa_spelled",
    "named",
    "table",
]

GQA_PROFILES: Mapping[str, str] = {
    "strict": "letter by letter, as the published script",
    "lower": "blanks at the ends and capitals ignored, as VLMEvalKit does: 'yes.' is wrong",
    "lenient": "blanks at the ends, capitals and periods at the end ignored, as InternVL and LLaVA do before scoring",
    "unpunctuated": "capitals and all punctuation ignored, as the exact match of lmms-eval does",
    "vqa": "both sides normalised as in the VQA evaluation, as mmpretrain does",
}
"""The profiles of spelling, with what each forgives."""

_MARKS = r"[!-/:-@\[-`{-~]"
"""The punctuation of ASCII."""

_ANSWER = pl.col("answer")
_SPELLINGS: Mapping[str, pl.Expr] = {
    "strict": _ANSWER,
    "lower": _ANSWER.str.strip_chars().str.to_lowercase(),
    "lenient": _ANSWER.str.strip_chars().str.to_lowercase().str.strip_chars_end(".").str.strip_chars(),
    "unpunctuated": _ANSWER.str.to_lowercase().str.replace_all(_MARKS, ""),
}

_BLANKS = r"[^\s\x1c-\x1f]+"
"""Runs of what Python does not split words at."""

_FREE_STEPS = ("exist", "query: name", "choose name")
"""A step whose text holds one of these only asks for the result; it is not counted."""

_STEP_TEXT = pl.concat_str(
    pl.element().struct.field("operation"), pl.lit(": "), pl.element().struct.field("argument").fill_null("")
)

GQA_GROUPS: Mapping[str, pl.Expr] = {
    "kind": pl.when(pl.col("structural") == "query").then(pl.lit("open")).otherwise(pl.lit("binary")),
    "structural": pl.col("structural"),
    "semantic": pl.col("semantic"),
    "detailed": pl.col("detailed"),
    "words": pl.col("question").str.count_matches(_BLANKS).cast(pl.Int64),
    "steps": pl.col("program").list.eval(~_STEP_TEXT.str.contains_any(list(_FREE_STEPS))).list.sum().cast(pl.Int64),
}
"""What GQA's scores are told apart by: expressions over the table of questions."""


def gqa_spelled(answers: pl.Series, profile: str) -> pl.Series:
    """A column of answers as a profile compares them.

    >>> answers = pl.Series(["Yes.", " yes", "two dogs!"])
    >>> {profile: gqa_spelled(answers, profile).to_list() for profile in ("lower", "lenient", "vqa")}
    {'lower': ['yes.', 'yes', 'two dogs!'], 'lenient': ['yes', 'yes', 'two dogs!'], 'vqa': ['yes', 'yes', '2 dogs']}
    """
    if profile not in GQA_PROFILES:
        raise UnknownNameError(f"no profile is called {profile!r}: {did_you_mean(profile, GQA_PROFILES)}")
    if profile == "strict":
        return answers
    if profile == "vqa":
        return normalize_answers(answers)
    return answers.rename("answer").to_frame().select(_SPELLINGS[profile]).to_series().rename(answers.name)


def gqa_judged(predictions: pl.DataFrame, questions: pl.DataFrame, profile: str = "strict") -> pl.DataFrame:
    """Questions with the answer (gold), what was predicted, and whether that is right; null where nothing was.

    >>> questions = pl.DataFrame({"question_id": ["1", "2"], "answer": ["yes", "red"]})
    >>> gqa_judged(pl.DataFrame({"question_id": ["1"], "answer": ["Yes"]}), questions, "lower").rows()
    [('1', 'yes', 'yes', True), ('2', 'red', None, None)]
    """
    predicted = predictions.select("question_id", predicted=gqa_spelled(predictions["answer"], profile))
    gold = questions.with_columns(gold=gqa_spelled(questions["answer"], profile)).drop("answer")
    joined = gold.join(predicted, on="question_id", how="left", maintain_order="left")
    return joined.with_columns(right=pl.col("gold") == pl.col("predicted"))


def balanced_questions(tables: Tables, *columns: str) -> pl.DataFrame:
    """These columns of the balanced questions; absent if there are none.

    >>> table = pl.LazyFrame({"question_id": ["1", "2"], "balanced": [True, None]})
    >>> balanced_questions({"questions": table}, "question_id").rows()
    [('1',)]
    """
    found = table(tables, "questions").filter(pl.col("balanced")).select(columns).collect()
    if not found.height:
        raise Absent("questions: found none that is balanced, expected some, because only these count in GQA")
    return found


def table(tables: Tables, name: str) -> pl.LazyFrame:
    """A table of a benchmark; without rows if it is not there.

    >>> table({}, "mentions").collect().height
    0
    """
    return tables[name] if name in tables else TABLES[name].empty().lazy()


def named(ids: pl.Series, most: int = 3) -> str:
    """How many there are, and the first of them, for a message.

    >>> named(pl.Series(["a", "b", "c", "d"]))
    '4 (a, b, c, …)'
    """
    return f"{ids.len():,} ({', '.join(ids.head(most))}{', …' if ids.len() > most else ''})"


def gqa_accuracy(profile: str) -> ItemMetric:
    """GQA accuracy with a profile of spelling.

    >>> table = pl.LazyFrame({"question_id": ["1", "2"], "answer": ["yes", "red"], "balanced": [True, False]})
    >>> guesses = pl.DataFrame({"question_id": ["1", "2"], "answer": ["Yes.", "red"]})
    >>> gqa_accuracy("lenient").score(guesses, {"questions": table}).rows()
    [('1', 1.0), ('2', None)]
    """

    def score(predictions: pl.DataFrame, tables: Tables) -> pl.DataFrame:
        judged = gqa_judged(predictions, balanced_questions(tables, "question_id", "answer"), profile)
        scores = judged.select("question_id", score=pl.col("right").cast(pl.Float64))
        return predictions.select("question_id").join(scores, on="question_id", how="left", maintain_order="left")

    gqa_spelled(pl.Series(dtype=pl.String), profile)
    name = "gqa-accuracy" if profile == "strict" else f"gqa-accuracy-{profile}"
    return ItemMetric(name, f"GQA accuracy: {GQA_PROFILES[profile]}", ("questions",), score)


GQA_ACCURACY = gqa_accuracy("strict")
GQA_ACCURACY_LENIENT = gqa_accuracy("lenient")
GQA_ACCURACY_VQA = gqa_accuracy("vqa")
