"""Search for decoys: the lazy search finds what going through all candidates one by one finds."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from eyechart._lib.keyed import Key
from eyechart._lib.shuffles import unshuffled
from eyechart.remedies.likeness import Answers, Likeness
from eyechart.remedies.search import Search, Searching
from eyechart.remedies.triplets import Pool, Triplets
from eyechart.text import text_encoder

THINGS = ("car", "cat", "ball", "hat", "tree", "boat")
COLORS = ("red", "blue", "green", "dark green", "white", "black")


def asked(questions: int = 400, *, twins: bool = True) -> pl.DataFrame:
    """A small world in which many questions have the same words and many answers are alike."""
    draw = Key(3, "small world")
    rows = []
    for number in range(questions):
        thing = THINGS[draw.choice([9, 5, 3, 2, 1, 1], number, 1)]
        kind = draw.choice([5, 3, 2], number, 2)
        question = (f"What color is the {thing}?", f"Is there a {thing}?", f"What is on the {thing} {number % 40}?")[
            kind
        ]
        answers = (COLORS, ("yes", "no"), (*THINGS, "two dogs", "dog", "a dog"))[kind]
        answer = answers[draw.choice([1 / (rank + 1) for rank in range(len(answers))], number, 3)]
        rows.append((f"q{number:03}", f"i{number // (5 if twins else 1)}", question, answer, f"s{number % 2}"))
    return pl.DataFrame(rows, schema=["question_id", "image_id", "question", "answer", "split"], orient="row")


@cache
def all_pairs(answers: Answers) -> np.ndarray:
    """Which answers are alike, as a table."""
    return answers.alike(*np.divmod(np.arange(len(answers) ** 2), len(answers))).reshape(len(answers), -1)


def one_by_one(triplets: Triplets, pool: Pool, row: int, how: Searching, taken: tuple[int, ...] = ()) -> list[tuple]:
    """The literal procedure: all triplets by similarity, each held against the target and what is kept."""
    me = pool.triplet[row]
    group = pool.group[row]
    cosines = np.round(pool.vectors.astype(np.float64) @ pool.vectors[group].astype(np.float64), 6)
    cosines[group] = 2.0
    keys = Key(how.seed, "ties").array(triplets.key[me][None], pool.group_key[pool.group])
    sizes = pool.members.sizes[pool.group]
    within = np.arange(len(pool)) - pool.members.start[pool.group]
    tie = unshuffled(within, sizes, keys) if how.ties == "random" else within
    order = np.lexsort((tie, pool.group, -cosines[pool.group]))[: how.most]
    likeness = all_pairs(triplets.answers)
    kept: list[tuple] = []
    for place, other in enumerate(order, 1):
        answer = triplets.target[pool.triplet[other]]
        against = [triplets.target[me], *taken, *(each[0] for each in kept)]
        alike = likeness[against, answer]
        same_image = pool.image[other] == pool.image[row] and not how.same_image
        if other != row and not same_image and not alike.any() and len(kept) < how.k:
            kept.append((int(answer), int(other), place))
    return kept


@pytest.mark.parametrize(
    "how",
    [Searching(), Searching(k=5, most=60, seed=4), Searching(same_image=True, ties="id"), Searching(k=2, most=1)],
    ids=["paper", "few", "ties by id", "nearest only"],
)
def test_search_is_that_of_going_through_all(how: Searching) -> None:
    """Draws, levels and blocks leave no trace in the result."""
    questions = asked()
    triplets = Triplets(questions, Answers(questions["answer"].to_list(), Likeness()))
    pool = Pool.of(triplets, np.arange(len(triplets)), text_encoder("bag-of-words"))
    found = Search(triplets, pool, range(len(pool)), how).qou([])
    for row in range(0, len(pool), 3):
        mine = [
            (int(a), int(r), int(p))
            for a, r, p in zip(found.answer[row], found.row[row], found.place[row], strict=True)
            if a >= 0
        ]
        assert mine == one_by_one(triplets, pool, row, how)


def test_levels_are_followed_lazily(monkeypatch: pytest.MonkeyPatch) -> None:
    """With tiny levels, draws and blocks the result is the same."""
    questions = asked(300)
    triplets = Triplets(questions, Answers(questions["answer"].to_list()))
    pool = Pool.of(triplets, np.arange(len(triplets)), text_encoder("bag-of-words"))
    expected = Search(triplets, pool, range(len(pool)), Searching(k=4)).qou([])
    for name, value in {"_DRAWN": (2, 3), "_DEEPER": (2, 5, 10_000), "_AT_ONCE": 1, "_CELLS": 50}.items():
        monkeypatch.setattr(f"eyechart.remedies.search.{name}", value)
    found = Search(triplets, pool, range(len(pool)), Searching(k=4)).qou([])
    for name in ("answer", "row", "place", "score"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
