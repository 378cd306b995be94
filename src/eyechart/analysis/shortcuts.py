"""What can be answered without looking: accuracies of models that see only a part, beside chance and beside all.

Being Negative but Constructively (section 3) names three principles of multiple-choice questions. Neutrality: choices
alone do not tell the right one. Question-only unresolvable (QoU): neither does the question with them. Image-only
unresolvable (IoU): neither does the picture with them. Open questions have a prior, the question and the picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from eyechart.metrics import clustered_means

__all__ = ["Shortcut", "Verdict", "expected_scores", "shortcuts", "verdicts"]

NEUTRAL_WITHIN = 5.0
"""Points above chance that choices alone may reach."""
APART = 10.0
"""Points that a question or a picture alone must stay behind everything together."""

Judged = Literal["holds", "broken", "unclear"]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """How often one part is enough.

    >>> Shortcut("question", 0.7, 0.68, 0.72, 0.25, 2000).above_chance
    45.0
    """

    probe: str
    value: float
    low: float | None
    high: float | None
    chance: float
    questions: int
    to_full: float | None = None
    """Points behind the model that sees everything."""

    @property
    def above_chance(self) -> float:
        """Points."""
        return round(100 * (self.value - self.chance), 6)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one principle comes to, in a sentence."""

    principle: str
    judged: Judged
    sentence: str


def expected_scores(predictions: pl.DataFrame, choices: pl.DataFrame) -> pl.DataFrame:
    """How often each question would be right if equal scores were decided by lot: question_id, score.

    >>> predictions = pl.DataFrame({"question_id": ["1"], "scores": [[0.5, 0.5, 0.1]]})
    >>> offered = {"question_id": ["1"] * 3, "position": [0, 1, 2], "is_target": [True, False, False]}
    >>> expected_scores(predictions, pl.DataFrame(offered)).rows()
    [('1', 0.5)]
    """
    ordered = choices.sort("position").group_by("question_id").agg("is_target")
    joined = predictions.select("question_id", "scores").join(ordered, on="question_id", maintain_order="left")
    each = joined.explode("scores", "is_target")
    best = each.filter(pl.col("scores") >= pl.col("scores").max().over("question_id") - 1e-9)
    return best.group_by("question_id", maintain_order=True).agg(
        score=pl.col("is_target").fill_null(value=False).cast(pl.Float64).mean()
    )


def shortcuts(scores: pl.DataFrame, chance: float, full: str) -> list[Shortcut]:
    """One per probe: mean, interval clustered by image, chance, and what is missing to the model that sees everything.

    ``scores`` has question_id, image_id, probe, score.

    >>> rows = {"question_id": ["1", "2"] * 2, "image_id": ["a", "b"] * 2, "probe": ["Q", "Q", "Q+I", "Q+I"],
    ...     "score": [1.0, 0.0, 1.0, 1.0]}
    >>> [(each.probe, each.value, each.to_full) for each in shortcuts(pl.DataFrame(rows), 0.25, "Q+I")]
    [('Q', 0.5, 50.0), ('Q+I', 1.0, 0.0)]
    """
    means = {row["probe"]: row for row in clustered_means(scores, by=["probe"]).iter_rows(named=True)}
    best = means[full]["value"] if full in means else None
    return [
        Shortcut(
            probe,
            row["value"],
            None if row["low"] is None else max(0.0, row["low"]),
            None if row["high"] is None else min(1.0, row["high"]),
            chance,
            row["questions"],
            None if best is None else round(100 * (best - row["value"]), 6),
        )
        for probe, row in means.items()
    ]


def verdicts(found: Sequence[Shortcut], *, choices: bool) -> list[Verdict]:
    """A sentence per principle.

    >>> found = [Shortcut("A", 0.52, 0.51, 0.53, 0.25, 900, 13.0), Shortcut("I+Q+A", 0.65, 0.64, 0.66, 0.25, 900, 0.0)]
    >>> verdicts(found, choices=True)[0].sentence
    'Neutrality is broken: from the choices alone 52.0 % (51.0 to 53.0) are right, 27.0 points above chance (25.0).'
    """
    by_name = {each.probe: each for each in found}
    return _of_choices(by_name) if choices else _of_open(by_name)


def _of_choices(found: Mapping[str, Shortcut]) -> list[Verdict]:
    told = []
    alone = [found[name] for name in ("A", "words", "position", "length") if name in found]
    if alone:
        worst = max(alone, key=lambda each: each.value)
        seen = {
            "A": "the choices alone",
            "words": "how often each choice was right",
            "position": "the place of the choices",
        }
        told.append(_against_chance("Neutrality", worst, seen.get(worst.probe, "the length of the choices")))
    for principle, probe, seen_by in (("QoU", "Q+A", "question and choices"), ("IoU", "I+A", "picture and choices")):
        if probe in found and "I+Q+A" in found:
            told.append(_against_full(principle, found[probe], seen_by))
    return told


def _of_open(found: Mapping[str, Shortcut]) -> list[Verdict]:
    told = []
    if "prior" in found:
        told.append(_against_chance("An even prior", found["prior"], "the most frequent answer"))
    for principle, probe, seen in (("QoU", "Q", "the question"), ("IoU", "I", "the picture")):
        if probe in found and "prior" in found:
            told.append(_against_prior(principle, found[probe], found["prior"], seen))
    return told


def _against_chance(principle: str, found: Shortcut, seen: str) -> Verdict:
    low, high = found.low or 0.0, 1.0 if found.high is None else found.high
    edge = found.chance + NEUTRAL_WITHIN / 100
    judged: Judged = "holds" if high <= edge else "broken" if low > edge else "unclear"
    above = f"{found.above_chance:.1f} points above chance ({100 * found.chance:.1f})"
    return Verdict(principle, judged, f"{principle} {_judged(judged)}: from {seen} {_share(found)} are right, {above}.")


def _against_full(principle: str, found: Shortcut, seen: str) -> Verdict:
    behind = found.to_full or 0.0
    margin = 50 * ((found.high or found.value) - (found.low or found.value))
    judged: Judged = "holds" if behind - margin >= APART else "broken" if behind + margin < APART else "unclear"
    facts = f"from {seen} {_share(found)} are right, {behind:.1f} points behind everything together"
    return Verdict(principle, judged, f"{principle} {_judged(judged)}: {facts}.")


def _against_prior(principle: str, found: Shortcut, prior: Shortcut, seen: str) -> Verdict:
    gained = 100 * (found.value - prior.value)
    margin = 50 * ((found.high or found.value) - (found.low or found.value))
    edge = NEUTRAL_WITHIN
    judged: Judged = "holds" if gained + margin <= edge else "broken" if gained - margin > edge else "unclear"
    facts = f"from {seen} alone {_share(found)} are right, {gained:.1f} points more than by the most frequent answer"
    return Verdict(principle, judged, f"{principle} {_judged(judged)}: {facts}.")


def _judged(judged: Judged) -> str:
    return "is unclear" if judged == "unclear" else {"holds": "holds", "broken": "is broken"}[judged]


def _share(found: Shortcut) -> str:
    if found.low is None or found.high is None:
        return f"{100 * found.value:.1f} %"
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"
