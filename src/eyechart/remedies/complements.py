"""Complementary pairs: the same question about a similar picture, with another answer (Goyal et al. 2017, section 3).

What people, an executor or an editor found for each question is a *pick*: another picture, and what is known of the
answer there. From picks follow the new questions, the table of pairs, and the sets of training and test questions that
the paper compares: trained and tested on the unbalanced set (UU), tested on the balanced one (UB), trained on a half of
the balanced set that is as large as the unbalanced one (BhalfB), or on all of it (BB).
"""

from typing import NamedTuple

import polars as pl

from eyechart._lib.keyed import Key, key_of, uniform
from eyechart.errors import DataError
from eyechart.remedies.balancing import entropies
from eyechart.text import normalize_answers

__all__ = [
    "DESIGNS",
    "PICK_COLUMNS",
    "Complements",
    "Entropy",
    "complement_tasks",
    "complements",
    "design_splits",
    "entropy_change",
    "read_picks",
]

DESIGNS = ("UU", "UB", "BhalfB", "BB")
"""Trained on / tested on: Unbalanced, Balanced, and a half of Balanced."""

PICK_COLUMNS = {
    "question_id": pl.String,
    "image_id": pl.String,
    "rank": pl.Int32,
    "answer": pl.String,
    "change": pl.String,
    "reason": pl.String,
    "worker_id": pl.String,
}
"""A pick: which image, its rank among the nearest, the answer there, what was changed; or why it is not possible."""

_SUFFIX = "-c"
_TESTED = ("val", "test", "test-dev", "testdev", "validation")
_MARKS = ("not possible", "impossible", "none", "")


class Complements(NamedTuple):
    """What picks make of a benchmark's questions."""

    questions: pl.DataFrame
    """The new ones, about the other pictures."""
    pairs: pl.DataFrame
    unpaired: pl.DataFrame


def complements(questions: pl.DataFrame, picks: pl.DataFrame, origin: str) -> Complements:
    """New questions, pairs and refusals from picks; ``questions`` are rows of the table with their answers.

    >>> asked = pl.DataFrame({"question_id": ["1"], "image_id": ["a"], "question": ["Is it red?"], "answer": ["yes"]})
    >>> picks = pl.DataFrame([{"question_id": "1", "image_id": "b", "rank": 3, "answer": "no"}], schema=PICK_COLUMNS)
    >>> made = complements(asked, picks, "people")
    >>> made.questions.rows(), made.pairs.rows()
    ([('1-c', 'b', 'Is it red?', 'no')], [('1', '1-c', 'people', 3, None, False)])
    """
    found = picks.drop_nulls("image_id").unique("question_id", keep="first", maintain_order=True)
    kept = questions.join(
        found.select("question_id", picked="image_id", said="answer", rank="rank", change="change"),
        on="question_id",
        maintain_order="left",
    )
    new_id = (pl.col("question_id") + _SUFFIX).alias("complement_id")
    pairs = kept.select(
        "question_id",
        new_id,
        pl.lit(origin).alias("origin"),
        "rank",
        "change",
        same_answer=normalize_answers(kept["answer"]) == normalize_answers(kept["said"]),
    )
    fresh = kept.with_columns(pl.col("picked").alias("image_id"), pl.col("said").alias("answer"), new_id).with_columns(
        pl.col("complement_id").alias("question_id")
    )
    about_this_picture = [name for name in ("full_answer", "program") if name in fresh.columns]
    fresh = fresh.with_columns(pl.lit(None, fresh.schema[name]).alias(name) for name in about_this_picture)
    lost = picks.filter(pl.col("image_id").is_null()).join(found, on="question_id", how="anti")
    return Complements(
        fresh.select(questions.columns),
        pairs,
        lost.select("question_id", pl.col("reason").fill_null("not possible"), "worker_id"),
    )


def complement_tasks(questions: pl.DataFrame, neighbours: pl.DataFrame, candidates: int = 24) -> pl.DataFrame:
    """One task per question for the picker of pictures: the question, its answer, and the nearest pictures.

    >>> asked = pl.DataFrame({"question_id": ["1"], "image_id": ["a"], "question": ["Is it red?"], "answer": ["yes"]})
    >>> near = pl.DataFrame({"image_id": ["a", "a"], "rank": [2, 1], "neighbour_id": ["c", "b"]})
    >>> complement_tasks(asked, near).row(0, named=True)["candidates"]
    ['b', 'c']
    """
    nearest = neighbours.filter(pl.col("rank") <= candidates).sort("image_id", "rank")
    lists = nearest.group_by("image_id", maintain_order=True).agg(candidates="neighbour_id")
    return questions.join(lists, on="image_id", maintain_order="left").select(
        "question_id", "image_id", "question", "answer", "candidates"
    )


def read_picks(rows: pl.DataFrame, where: str) -> pl.DataFrame:
    """Picks of people: question_id, image_id or picked (empty or "not possible"), and if known reason and worker_id.

    >>> rows = pl.DataFrame({"question_id": ["1", "2"], "image_id": ["b", "not possible"], "reason": [None, "no cat"]})
    >>> read_picks(rows, "picks.csv").select("question_id", "image_id", "reason").rows()
    [('1', 'b', None), ('2', None, 'no cat')]
    """
    if "image_id" not in rows.columns and "picked" in rows.columns:
        rows = rows.rename({"picked": "image_id"})
    for name in ("question_id", "image_id"):
        if name not in rows.columns:
            raise DataError(
                f"{where}: found no column {name!r}, expected question_id and image_id of each pick; add it"
            )
    absent = [name for name in PICK_COLUMNS if name not in rows.columns]
    wanted = rows.with_columns(pl.lit(None, PICK_COLUMNS[name]).alias(name) for name in absent)
    refused = pl.col("image_id").fill_null("").str.to_lowercase().is_in(_MARKS)
    return wanted.select(pl.col(name).cast(dtype) for name, dtype in PICK_COLUMNS.items()).with_columns(
        image_id=pl.when(~refused).then("image_id")
    )


def design_splits(questions: pl.DataFrame, pairs: pl.DataFrame, seed: int = 0) -> pl.DataFrame:
    """Which questions each design trains and tests on: question_id, scheme, part.

    ``questions`` has question_id and split, old and new ones; of a pair, both are in the half or neither is.

    >>> asked = pl.DataFrame({"question_id": ["1", "1-c", "2"], "split": ["train", "train", "val"]})
    >>> rows = design_splits(asked, pl.DataFrame({"question_id": ["1"], "complement_id": ["1-c"]}))
    >>> sorted(rows.filter(pl.col("scheme") == "UB").rows())
    [('1', 'UB', 'train'), ('2', 'UB', 'test')]
    """
    partner = pairs.select(question_id="complement_id", pair="question_id")
    rows = questions.join(partner, on="question_id", how="left", maintain_order="left").with_columns(
        old=pl.col("pair").is_null(),
        pair=pl.coalesce("pair", "question_id"),
        part=pl.col("split").replace_strict({"train": "train", **dict.fromkeys(_TESTED, "test")}, default=None),
    )
    train = rows.filter(pl.col("part") == "train")
    share = train["old"].sum() / max(1, train.height)
    half = uniform(Key(seed, "half").over(key_of(pl.col("pair")))) < share
    is_test, old = pl.col("part") == "test", pl.col("old")
    chosen = {"UU": old, "UB": old | is_test, "BhalfB": half | is_test, "BB": pl.lit(value=True)}
    known = rows.drop_nulls("part")
    return pl.concat(
        known.filter(chosen[name]).select("question_id", pl.lit(name).alias("scheme"), "part") for name in DESIGNS
    )


class Entropy(NamedTuple):
    """Entropy of answers in bits, averaged over question types by their frequency, before and after."""

    before: float
    after: float

    @property
    def change(self) -> float:
        """By how much it rises."""
        return self.after / self.before - 1 if self.before else 0.0


def entropy_change(before: pl.DataFrame, after: pl.DataFrame, by: str = "question_type") -> Entropy:
    """How much more varied answers have become (Goyal et al. 2017, section 3: 56 %).

    >>> before = pl.DataFrame({"question_type": ["is"] * 3, "answer": ["yes", "yes", "no"]})
    >>> after = pl.DataFrame({"question_type": ["is"] * 4, "answer": ["yes", "yes", "no", "no"]})
    >>> round(entropy_change(before, after).change, 3)
    0.089
    """
    return Entropy(entropies(before, by), entropies(after, by))
