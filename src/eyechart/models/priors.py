"""Answers that need no picture and no network: counts of the training set.

Random, the most frequent answer, the most frequent of the question's type or group (VQA v1, section 4; GQA, section
4.3), and how often a choice was right when it was offered (Being Negative but Constructively, equation 2), which also
finds out whether the place or the length of a choice gives it away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.errors import DataError
from eyechart.models.choosing import choose
from eyechart.models.examples import Examples

__all__ = ["ChoicePrior", "Prior", "RandomAnswers", "choice_prior", "fit_choice_prior", "fit_prior", "fit_random"]

Options = Mapping[str, Any]  # the options of a recipe, as TOML has them
State = dict[str, Any]  # JSON

_FEWEST_OF_A_TYPE = 30
_NOTHING_KNOWN = 0.5


@dataclass(frozen=True)
class RandomAnswers:
    """Any of the most frequent answers, or any of the choices, equally likely."""

    answers: Sequence[str]

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """A draw per question that knows nothing but its id."""
        if examples.choices.height:
            return choose(examples.choices.with_columns(score=pl.lit(0.0)), seed).with_columns(
                confidence=1 / pl.col("scores").list.len()
            )
        drawn = Key(seed, "random answer").over(key_of(pl.col("question_id"))) % len(self.answers)
        names = pl.Series(list(self.answers), dtype=pl.String)
        return examples.questions.select(
            "question_id",
            answer=drawn.cast(pl.Int64).map_batches(names.gather, return_dtype=pl.String),
            confidence=pl.lit(1 / len(self.answers)),
        )

    def state(self) -> State:
        """What is saved."""
        return {"answers": list(self.answers)}


def fit_random(train: Examples, options: Options) -> RandomAnswers:
    """The most frequent answers, of which any is drawn.

    >>> from eyechart.models.examples import examples_of
    >>> asked = pl.DataFrame({"question_id": ["1", "2"], "answer": ["no", "yes"]})
    >>> fit_random(examples_of({"questions": asked.lazy()}), {}).answers
    ['no', 'yes']
    """
    counts = _counted(train.questions.select("answer"), [])
    if not counts.height:
        raise DataError("training: found no question with an answer, expected some to draw from; import annotations")
    return RandomAnswers(counts["answer"].head(int(options.get("answers", 1000))).to_list())


@dataclass(frozen=True)
class Prior:
    """The most frequent answer, of the question's group where there is one."""

    by: str | None
    counts: pl.DataFrame
    """group (null for all), answer, share, count; the most frequent of a group first."""

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """The group's most frequent answer; where choices are offered, the most frequent of them."""
        grouped = self._grouped(examples.questions)
        if examples.choices.height:
            return self._chosen(grouped, examples.choices, seed)
        best = self.counts.unique("group", keep="first", maintain_order=True)
        joined = grouped.join(best, on="group", how="left", nulls_equal=True, maintain_order="left")
        return joined.select("question_id", "answer", confidence="share")

    def _grouped(self, questions: pl.DataFrame) -> pl.DataFrame:
        """Questions with their group; what was not seen in training belongs to all."""
        if self.by is None:
            return questions.select("question_id", group=pl.lit(None, dtype=pl.String))
        known = self.counts["group"].drop_nulls().unique()
        group = pl.when(pl.col(self.by).is_in(known.implode())).then(self.by)
        return questions.select("question_id", group=group)

    def _chosen(self, grouped: pl.DataFrame, choices: pl.DataFrame, seed: int) -> pl.DataFrame:
        """Scores are shares in the group; a hair of the overall share decides among those the group does not know."""
        overall = self.counts.filter(pl.col("group").is_null()).select(choice="answer", overall="share")
        own = self.counts.select("group", choice="answer", own="share")
        scored = (
            choices.join(grouped, on="question_id", maintain_order="left")
            .join(own, on=["group", "choice"], how="left", nulls_equal=True, maintain_order="left")
            .join(overall, on="choice", how="left", maintain_order="left")
        )
        score = pl.col("own").fill_null(0.0) + 1e-6 * pl.col("overall").fill_null(0.0)
        return choose(scored.select("question_id", "position", "choice", score=score), seed)

    def state(self) -> State:
        """What is saved."""
        return {"by": self.by, "counts": self.counts.to_dict(as_series=False)}

    @classmethod
    def restore(cls, state: State) -> "Prior":
        """From what was saved."""
        return cls(state["by"], pl.DataFrame(state["counts"], schema=_COUNTS))


_COUNTS = pl.Schema({"group": pl.String, "answer": pl.String, "count": pl.Int64, "share": pl.Float64})


def fit_prior(train: Examples, options: Options) -> Prior:
    """Counts of answers, of all questions and by a column of them.

    >>> from eyechart.models.examples import examples_of
    >>> asked = {"question_id": ["1", "2", "3"], "answer": ["no", "yes", "no"], "question_type": ["is", "is", "is"]}
    >>> prior = fit_prior(examples_of({"questions": pl.LazyFrame(asked)}), {})
    >>> prior.counts.select("answer", "count").rows()
    [('no', 2), ('yes', 1)]
    """
    by = options.get("by")
    answered = train.questions.drop_nulls("answer")
    if not answered.height:
        raise DataError("training: found no question with an answer, expected some to count; import annotations")
    parts = [_counted(answered.select("answer"), [])]
    if by is not None:
        fewest = int(options.get("fewest", _FEWEST_OF_A_TYPE if by == "question_type" else 1))
        grouped = answered.select("answer", group=by).drop_nulls("group").filter(pl.len().over("group") >= fewest)
        parts.append(_counted(grouped, ["group"]))
    whole = pl.concat(
        [
            part.with_columns(pl.lit(None, pl.String).alias("group")) if "group" not in part.columns else part
            for part in parts
        ],
        how="diagonal",
    )
    return Prior(by, whole.select(_COUNTS.names()).cast(_COUNTS))


def _counted(answers: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Answers with count and share, the most frequent first, then in alphabetical order."""
    counted = answers.drop_nulls("answer").group_by(*by, "answer").agg(count=pl.len().cast(pl.Int64))
    total = pl.col("count").sum().over(by) if by else pl.col("count").sum()
    ordered = counted.sort(*by, "count", "answer", descending=[*[False] * len(by), True, False])
    return ordered.with_columns(share=pl.col("count") / total)


@dataclass(frozen=True)
class ChoicePrior:
    """How likely a choice is right by something that can be seen of it alone: its words, its place, or its length."""

    feature: str
    likely: dict[str, float] = field(default_factory=dict[str, float])

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """The likeliest choice; one that was never seen has probability one half."""
        return choose(self.scored(examples.choices), seed)

    def scored(self, choices: pl.DataFrame) -> pl.DataFrame:
        """Choices with the probability of each."""
        if not choices.height:
            raise DataError("predictions: found no choices, expected some; this model answers multiple choice only")
        key = choices.select("question_id", "position", "choice").with_columns(_key=_feature(self.feature))
        known = pl.DataFrame(
            {"_key": list(self.likely), "score": list(self.likely.values())},
            schema={"_key": pl.String, "score": pl.Float64},
        )
        joined = key.join(known, on="_key", how="left", maintain_order="left")
        return joined.with_columns(pl.col("score").fill_null(_NOTHING_KNOWN)).drop("_key")

    def state(self) -> State:
        """What is saved."""
        return {"feature": self.feature, "likely": self.likely}

    @classmethod
    def restore(cls, state: State) -> "ChoicePrior":
        """From what was saved."""
        return cls(state["feature"], state["likely"])


def fit_choice_prior(train: Examples, options: Options) -> ChoicePrior:
    """Equation 2 over the words of choices, or over their place or the rank of their length.

    >>> from eyechart.models.examples import examples_of
    >>> offered = {"question_id": ["1"] * 2, "position": [0, 1], "choice": ["a", "b"], "is_target": [True, False]}
    >>> asked = pl.LazyFrame({"question_id": ["1"], "answer": ["a"]})
    >>> fit_choice_prior(examples_of({"questions": asked, "choices": pl.LazyFrame(offered)}), {}).likely
    {'a': 1.0, 'b': 0.0}
    """
    feature = str(options.get("feature", "words"))
    with_target = train.with_choices().choices
    if not with_target.height:
        raise DataError("training: found no choices with a known target, expected some; add them with a remedy")
    return ChoicePrior(feature, choice_prior(with_target.with_columns(_key=_feature(feature))))


def choice_prior(choices: pl.DataFrame) -> dict[str, float]:
    """P = t / (t + d / K) of each key, where K is the number of decoys of the question that a decoy belongs to.

    >>> rows = {"question_id": ["1"] * 3, "_key": ["a", "b", "b"], "is_target": [True, False, False]}
    >>> choice_prior(pl.DataFrame(rows))
    {'a': 1.0, 'b': 0.0}
    """
    target = pl.col("is_target").fill_null(value=False)
    decoys = (~target).sum().over("question_id")
    weighed = choices.with_columns(
        _target=target.cast(pl.Float64), _decoy=pl.when(~target).then(1 / decoys).otherwise(0.0)
    )
    sums = weighed.group_by("_key").agg(pl.col("_target").sum(), pl.col("_decoy").sum()).sort("_key")
    likely = sums.select("_key", p=pl.col("_target") / (pl.col("_target") + pl.col("_decoy")))
    return dict(likely.iter_rows())


def _feature(name: str) -> pl.Expr:
    """What is looked at of a choice, as text."""
    if name == "position":
        return pl.col("position").cast(pl.String)
    if name == "length":
        # From the longest; equally long ones share a rank.
        length = pl.col("choice").str.len_chars()
        return length.rank("min", descending=True).over("question_id").cast(pl.Int64).cast(pl.String)
    return pl.col("choice")
