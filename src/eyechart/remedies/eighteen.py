"""Eighteen choices per question, as Antol et al. 2015, section 3, make them.

The correct answer; three plausible ones that people gave without the image, topped up from the nearest questions by a
bag of words; the ten most popular answers; and correct answers of random questions until 18 are unique, shuffled.
Answers are the same if they are after normalisation; nothing else is filtered.
"""

import numpy as np
import polars as pl

from eyechart.remedies.likeness import Likeness
from eyechart.remedies.offers import permuted
from eyechart.remedies.search import Found, Search
from eyechart.remedies.triplets import Places

__all__ = ["EIGHTEEN", "ONLY_EQUAL", "PLAUSIBLE", "eighteen_choices"]

EIGHTEEN, PLAUSIBLE = 18, 3
_POPULAR = 10

ONLY_EQUAL = Likeness(threshold=2.0, contained="no", inflected=False, synonyms=False)
"""Answers are alike if they are the same."""


def eighteen_choices(search: Search, blind: tuple[Places, Places]) -> pl.DataFrame:
    """Choices of a range of questions; of the plausible ones, those that people gave have the origin ``human``.

    ``blind`` are pairs of a question, counted from the first row, and an answer that somebody gave without the image.
    The search looks for three decoys and finds alike only what is equal.

    >>> from eyechart.remedies import Answers, Pool, Searching, Triplets
    >>> from eyechart.text import text_encoder
    >>> rows = [(str(n), str(n), f"What is it {n}?", f"thing {n}", None) for n in range(30)]
    >>> names = ["question_id", "image_id", "question", "answer", "split"]
    >>> asked = pl.DataFrame(rows, schema=names, orient="row")
    >>> triplets = Triplets(asked, Answers(asked["answer"].to_list(), ONLY_EQUAL))
    >>> pool = Pool.of(triplets, np.arange(30), text_encoder("bag-of-words"))
    >>> blind = np.array([0]), triplets.answers.coded(["thing 9"])
    >>> choices = eighteen_choices(Search(triplets, pool, range(30), Searching()), blind)
    >>> choices.height, choices.filter(origin="human")["choice"].to_list()
    (540, ['thing 9'])
    """
    plausible = Found.none(search.target, PLAUSIBLE)
    search.offer(plausible, [], blind)
    near = search.qou([plausible.answer])
    popular = np.tile(search.triplets.popular[:_POPULAR], (search.rows.size, 1))
    column = np.arange(PLAUSIBLE)[None]
    topped = np.where(column < PLAUSIBLE - plausible.count[:, None], near.answer, -1)
    named = {
        "target": search.target[:, None],
        "human": plausible.answer,
        "plausible": topped,
        "popular": popular,
    }
    own = _unique(named)
    lacking = EIGHTEEN - np.count_nonzero(np.hstack(list(own.values())) >= 0, axis=1)
    random = search.random([np.hstack(list(own.values()))], int(lacking.max(initial=0)))
    left = np.arange(random.answer.shape[1])[None] < lacking[:, None]
    own["random"] = np.where(left, random.answer, -1)
    return _rows(search, own)


def _unique(named: dict[str, Places]) -> dict[str, Places]:
    """Each answer of a question once, under the first name that has it."""
    before: list[Places] = []
    unique = {}
    for name, answers in named.items():
        kept = []
        for answer in answers.T:
            again = np.any([answer == other for other in before], axis=0) if before else np.zeros(answer.size, np.bool_)
            kept.append(np.where(again, -1, answer))
            before.append(kept[-1])
        unique[name] = np.column_stack(kept)
    return unique


def _rows(search: Search, named: dict[str, Places]) -> pl.DataFrame:
    ids = search.triplets.ids.gather(search.pool.triplet[search.rows])
    said, shown = search.triplets.said, pl.Series(search.triplets.answers.shown)
    parts = []
    for origin, answers in named.items():
        place, column = np.nonzero(answers >= 0)
        texts = (
            said.gather(search.pool.triplet[search.rows])
            if origin == "target"
            else shown.gather(answers[place, column])
        )
        names = {"place": place, "question_id": ids.gather(place), "choice": texts}
        parts.append(pl.DataFrame(names).with_columns(origin=pl.lit(origin), is_target=pl.lit(origin == "target")))
    rows = permuted(pl.concat(parts), search.how.seed)
    return rows.select("question_id", "position", "choice", "is_target", "origin")
