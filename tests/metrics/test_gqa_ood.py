"""GQA-OOD's head and tail equal a literal count over groups and answers."""

import math
from collections import Counter, defaultdict
from statistics import fmean, pstdev

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from eyechart.metrics import GQA_OOD, ood_answers, ood_confusion

ROWS = st.lists(st.tuples(st.sampled_from(["a", "b", "c", None]), st.sampled_from("vwxyz")), min_size=1, max_size=40)


def literal_parts(rows: list[tuple[str | None, str]], alpha: float = 0.2) -> dict[tuple[str, str], str]:
    """Group by group: entropy, who is uneven, who is rare."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for group, answer in rows:
        groups[group or "none"][answer] += 1
    evenness = {}
    for group, counts in groups.items():
        shares = [count / counts.total() for count in counts.values()]
        spread = -sum(share * math.log(share) for share in shares)
        evenness[group] = spread / math.log(len(shares)) if len(shares) > 1 else 1.0
    limit = fmean(evenness.values()) - pstdev(evenness.values())
    parts = {}
    for group, counts in groups.items():
        if evenness[group] > limit + 1e-9:
            continue
        average = counts.total() / len(counts)
        for answer, count in counts.items():
            parts[group, answer] = "tail" if count < average * (1 + alpha) - 1e-6 else "head"
    return parts


@given(ROWS)
def test_parts_are_the_literal_ones(rows: list[tuple[str | None, str]]) -> None:
    """Which answers are of the head and which of the tail, and that even groups are left out."""
    found = ood_answers(pl.DataFrame(rows, schema=["group_local", "answer"], orient="row", schema_overrides=TEXTS))
    assert {(group, answer): part for group, answer, _, part in found.rows()} == literal_parts(rows)


TEXTS = {"group_local": pl.String, "answer": pl.String}

UNEVEN = [("a", "red")] * 8 + [("a", "blue"), ("a", "grey")] + [("b", "x"), ("b", "y")] * 3 + [("c", "z")]


def test_accuracy_of_parts() -> None:
    """Head, tail and all; the published thresholds leave no middle, and a reason says so."""
    ids = [str(number) for number in range(len(UNEVEN))]
    questions = pl.LazyFrame(
        {
            "question_id": ids,
            "group_local": [group for group, _ in UNEVEN],
            "answer": [answer for _, answer in UNEVEN],
            "balanced": [True] * len(ids),
        }
    )
    guesses = pl.DataFrame({"question_id": ids, "answer": ["red"] * len(ids)})
    measured = {each.part: (each.value, each.questions) for each in GQA_OOD.measure(guesses, {"questions": questions})}
    assert measured == {"all": (0.8, 10), "head": (1.0, 8), "mid": (None, 0), "tail": (0.0, 2)}


def test_middle_with_two_thresholds() -> None:
    """An answer between two thresholds is of the middle."""
    rows = [("a", "x")] * 6 + [("a", "y")] * 3 + [("a", "z")]
    found = ood_answers(pl.DataFrame(rows, schema=TEXTS, orient="row"), tail_alpha=-0.5, head_alpha=0.5)
    assert {answer: part for _, answer, _, part in found.rows()} == {"x": "head", "y": "mid", "z": "tail"}


def test_confusion() -> None:
    """True and predicted parts of each question; what the group does not have is mid."""
    answers = ood_answers(pl.DataFrame(UNEVEN, schema=TEXTS, orient="row"))
    judged = pl.DataFrame(
        {
            "group_local": ["a", "a", "a", "b"],
            "gold": ["red", "blue", "red", "x"],
            "predicted": ["blue", "red", "sky", "x"],
        }
    )
    assert ood_confusion(judged, answers).rows() == [("head", "mid", 1), ("head", "tail", 1), ("tail", "head", 1)]
