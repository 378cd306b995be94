"""Choices from decoys, the principles they keep to, sheets, and 18 choices."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from eyechart.errors import DataError
from eyechart.remedies import (
    ONLY_EQUAL,
    Answers,
    Pool,
    Search,
    Searching,
    Triplets,
    ambiguity_sheet,
    choices_of,
    eighteen_choices,
    false_decoys,
    likelihoods,
    neutrality,
    permuted,
    principle_scores,
)
from eyechart.text import text_encoder

NO_ORIGINALS = pl.DataFrame(schema={"question_id": pl.String, "choice": pl.String, "is_target": pl.Boolean})


def test_the_target_stands_at_every_place_equally_often() -> None:
    """Chi square of the positions of 7,000 targets is small, whatever the words are."""
    asked = 7000
    rows = pl.DataFrame(
        {
            "question_id": np.repeat([f"q{number}" for number in range(asked)], 7),
            "choice": ["target", *"abcdef"] * asked,
            "place": np.repeat(np.arange(asked), 7),
        }
    )
    placed = permuted(rows, seed=3).filter(choice="target")["position"]
    counts = np.bincount(placed.to_numpy(), minlength=7)
    assert ((counts - asked / 7) ** 2 / (asked / 7)).sum() < 22.5  # 0.1 % of fair draws are beyond


def test_equal_choices_are_offered_once_and_own_decoys_stay() -> None:
    """An original that is also a new decoy keeps the new one's origin; one that equals the target goes."""
    targets = pl.DataFrame({"question_id": ["1"], "answer": ["cat"]})
    decoys = pl.DataFrame({"question_id": ["1"], "kind": ["iou"], "decoy": ["Dog"], "origin": ["iou"]})
    old = pl.DataFrame({"question_id": ["1"] * 3, "choice": ["dog", "the cat", "cow"], "is_target": [False] * 3})
    made = choices_of(targets, decoys, old, ["orig", "iou"])
    assert sorted(made.select("choice", "origin").rows()) == [("Dog", "iou"), ("cat", "target"), ("cow", "orig")]
    assert sorted(made["position"]) == [0, 1, 2]


def literal_likelihood(choices: pl.DataFrame, answer: str, k: int) -> float:
    """Eq. (2) of Chao et al. 2018, as printed."""
    rows = choices.filter(choice=answer)
    if not rows.height:
        return 0.5
    targets, decoys = rows["is_target"].sum(), (~rows["is_target"]).sum()
    return targets / (targets + decoys / k)


def made_choices(questions: int, k: int, *, biased: bool) -> pl.DataFrame:
    """Targets from one set of answers; decoys from the same, or mostly from another."""
    draw = np.random.default_rng(2)
    answers = [f"answer {letter}" for letter in "bcdefghijk"]
    rows = []
    for number in range(questions):
        target = answers[draw.integers(10)]
        pool = [each for each in answers if each != target] + [f"never {n}" for n in range(20 if biased else 0)]
        decoys = draw.choice(pool, k, replace=False)
        rows += [(str(number), target, True), *((str(number), str(each), False) for each in decoys)]
    return pl.DataFrame(rows, schema=["question_id", "choice", "is_target"], orient="row")


def test_likelihoods_are_equation_2() -> None:
    """Every answer's number is the literal formula's."""
    choices = made_choices(80, 3, biased=True)
    found = dict(likelihoods(choices).select("choice", "probability").iter_rows())
    assert found == {each: pytest.approx(literal_likelihood(choices, each, 3)) for each in found}


def test_neutrality_tells_biased_decoys() -> None:
    """Where decoys are never targets, counting answers is enough; where they are the targets, it is no help."""
    asked = pl.DataFrame({"question_id": [str(n) for n in range(600)], "image_id": [str(n) for n in range(600)]})
    asked = asked.with_columns(split=pl.lit(None, pl.String))
    biased, fair = (neutrality(made_choices(600, 3, biased=each), asked) for each in (True, False))
    assert biased.accuracy > 0.6
    assert fair.accuracy < 0.3
    assert biased.chance == fair.chance == 0.25
    assert fair.targets_as_decoys == 1.0 > biased.targets_as_decoys


def test_principles_of_one_question() -> None:
    """A decoy that is a target of the image has IoU 1, one of a like question QoU above one of an unlike question."""
    names = ["question_id", "image_id", "answer", "group"]
    rows = [
        ("1", "a", "cat", 0),
        ("2", "a", "park", 1),
        ("3", "b", "dog", 0),
        ("4", "c", "cat", 0),
        ("5", "c", "six", 1),
    ]
    targets = pl.DataFrame(rows, schema=names, orient="row")
    vectors = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    choices = [("1", "cat", True), ("1", "dog", False), ("1", "park", False), ("1", "six", False)]
    offered = pl.DataFrame(choices, schema=["question_id", "choice", "is_target"], orient="row")
    scored = principle_scores(offered, targets, vectors).row(0, named=True)
    assert scored["iou"] == pytest.approx(1 / 3)
    assert scored["qou"] == pytest.approx(1 / 3)


def test_sheet_and_rate() -> None:
    """Kinds are sampled alike; filled sheets give rates with intervals; other words are told."""
    asked = pl.DataFrame({"question_id": [str(n) for n in range(50)]}).with_columns(
        image_id=pl.lit("i"), picture=pl.lit("i.jpg"), question=pl.lit("Who?"), answer=pl.lit("woman")
    )
    decoys = asked.select("question_id", decoy=pl.lit("lady")).join(pl.DataFrame({"kind": ["qou", "iou"]}), how="cross")
    sheet = ambiguity_sheet(asked, decoys, 20)
    assert Counter(sheet["kind"]) == {"qou": 10, "iou": 10}
    filled = sheet.with_columns(also_right=pl.Series(["yes"] * 5 + ["No"] * 15))
    rate = false_decoys(filled)["all"]
    assert (rate.judged, rate.right, rate.rate) == (20, 5, 0.25)
    assert rate.low == pytest.approx(0.1119, abs=1e-3)  # Wilson's interval by hand
    assert rate.high == pytest.approx(0.4687, abs=1e-3)
    with pytest.raises(DataError, match="expected yes or no"):
        false_decoys(filled.with_columns(also_right=pl.lit("perhaps")))


def test_eighteen_choices_are_those_of_vqa() -> None:
    """One right, people's plausible ones first, ten popular, all different, 18 in all."""
    draw = np.random.default_rng(4)
    answers = [f"thing {number}" for number in range(60)]
    rows = [
        (f"q{n:03}", f"i{n}", f"What is {('on', 'in', 'by')[n % 3]} it?", answers[int(60 * draw.random() ** 3)], None)
        for n in range(300)
    ]
    asked = pl.DataFrame(rows, schema=["question_id", "image_id", "question", "answer", "split"], orient="row")
    triplets = Triplets(asked, Answers([*answers, "a guess"], ONLY_EQUAL))
    pool = Pool.of(triplets, np.arange(300), text_encoder("bag-of-words"))
    search = Search(triplets, pool, range(300), Searching())
    blind = (np.array([0, 0, 7]), triplets.answers.coded(["a guess", "thing 59", "a guess"]))
    made = eighteen_choices(search, blind)
    counts = made.group_by("question_id").agg(pl.len(), pl.col("choice").n_unique().alias("different"))
    assert set(counts["len"]) == set(counts["different"]) == {18}
    assert made.filter("is_target").height == 300
    assert made.filter(origin="human").height == 3
    popular = {triplets.answers.shown[code] for code in triplets.popular[:10]}
    offered = made.group_by("question_id").agg("choice")["choice"]
    assert all(popular <= set(each) for each in offered)
    plausible = made.filter(pl.col("origin").is_in(["human", "plausible"])).group_by("question_id").len()["len"]
    assert set(plausible) == {3}
