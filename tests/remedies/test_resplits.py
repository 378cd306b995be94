"""Divisions: supersets keep what is fixed, priors change, heads and tails are those of GQA-OOD."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from eyechart.errors import DataError, UsageError
from eyechart.remedies import changing_priors, head_and_tail, superset_splits


def images(count: int) -> pl.DataFrame:
    """Images with ids in COCO."""
    return pl.DataFrame({"image_id": [f"i{n}" for n in range(count)], "coco_id": [str(n) for n in range(count)]})


def test_splits_contain_those_of_another_benchmark() -> None:
    """Fixed images keep their split, and the shares of all come out nearly."""
    fixed = {str(n): ("train", "val", "test")[n % 3] for n in range(300)}
    other = pl.DataFrame({"image_id": [f"v{n}" for n in fixed], "coco_id": list(fixed), "split": list(fixed.values())})
    made = superset_splits(images(3000), other, {"train": 0.5, "val": 0.2, "test": 0.3})
    found = dict(made.iter_rows())
    assert all(found[f"i{n}"] == split for n, split in fixed.items())
    counts = Counter(found.values())
    assert counts["train"] / 3000 == pytest.approx(0.5, abs=0.03)
    assert counts["val"] / 3000 == pytest.approx(0.2, abs=0.03)
    later = superset_splits(images(3001), other, {"train": 0.5, "val": 0.2, "test": 0.3})
    assert (later.head(3000)["split"] == made["split"]).sum() > 2990


def test_contradictions_are_told() -> None:
    """An image in two splits, or shares that do not add up."""
    other = pl.DataFrame({"image_id": ["x", "y"], "coco_id": ["1", "1"], "split": ["train", "val"]})
    with pytest.raises(DataError, match="in two splits"):
        superset_splits(images(3), other, {"train": 1.0})
    with pytest.raises(UsageError, match="add up to 1"):
        superset_splits(images(3), other.head(0), {"train": 0.5})


def skewed(questions: int = 4000) -> pl.DataFrame:
    """Questions of some types with skewed answers."""
    draw = np.random.default_rng(1)
    kinds = ["what color is", "how many", "is there"]
    answers = {
        "what color is": ["white", "red", "blue", "green", "black"],
        "how many": ["1", "2", "3", "4"],
        "is there": ["yes", "no"],
    }
    rows = []
    for _ in range(questions):
        kind = kinds[draw.integers(3)]
        options = answers[kind]
        answer = options[min(len(options) - 1, int(draw.exponential(1.0)))]
        rows.append((f"{kind} it?", kind, answer))
    return pl.DataFrame(rows, schema=["question", "question_type", "answer"], orient="row")


def test_priors_change_between_train_and_test() -> None:
    """No type and answer is in both; the most frequent answer of train fails in test; about a third is tested."""
    asked = skewed()
    parts = asked.with_columns(part=changing_priors(asked))
    groups = parts.group_by("question_type", "answer").agg(pl.col("part").n_unique())
    assert set(groups["part"]) == {1}
    share = (parts["part"] == "test").mean()
    assert 0.3 < share < 0.65
    train, test = (parts.filter(part=name) for name in ("train", "test"))
    prior = train.group_by("question_type").agg(guess=pl.col("answer").mode().first())
    assert test.join(prior, on="question_type").filter(pl.col("guess") == pl.col("answer")).height == 0


def test_the_training_set_covers_words_of_the_test_set() -> None:
    """A word that several groups have is in both parts: that is what the greedy choice is for."""
    rows = [
        (f"what {thing}?", f"what {thing}", colour)
        for thing in ("cup", "hat", "car")
        for colour in ("red", "blue", "tan")
    ]
    asked = pl.DataFrame(rows * 5, schema=["question", "question_type", "answer"], orient="row")
    parts = asked.with_columns(part=changing_priors(asked))
    train, test = (parts.filter(part=name) for name in ("train", "test"))
    assert set(test["answer"]) <= set(train["answer"]) or set(test["question_type"]) <= set(train["question_type"])


def test_order_of_questions_does_not_matter() -> None:
    """Parts follow from types and answers alone."""
    asked = skewed(500)
    shuffled = asked.with_row_index().sample(fraction=1, shuffle=True, seed=2)
    parts = changing_priors(shuffled.drop("index"))
    back = shuffled.with_columns(part=parts).sort("index")["part"]
    assert back.to_list() == changing_priors(asked).to_list()


def test_heads_and_tails() -> None:
    """In an uneven group the frequent answer is the head; even groups have neither."""
    asked = pl.DataFrame({"kind": ["a"] * 10 + ["b"] * 6, "answer": ["red"] * 8 + ["blue", "tan"] + ["x", "y"] * 3})
    parts = head_and_tail(asked.vstack(pl.DataFrame({"kind": ["c"], "answer": ["z"]})), by="kind")
    assert parts.to_list() == ["head"] * 8 + ["tail"] * 2 + [None] * 7
