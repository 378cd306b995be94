"""From decoys that were found to rows: how each was found, and the choices that are offered.

The order of the choices is a keyed permutation, so that the target stands at every place equally often.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.remedies.search import ORIGINAL, POPULAR, Found, Search
from eyechart.text import normalize_answers

__all__ = ["KINDS", "VARIANTS", "choices_of", "decoy_rows", "keyed_draws", "permuted"]

KINDS = ("qou", "iou", "random")
"""Kinds of decoys that can be made; ``orig`` are those that a benchmark has already."""

VARIANTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "orig": ("orig",),
        "iou": ("iou",),
        "qou": ("qou",),
        "iou+qou": ("iou", "qou"),
        "all": ("orig", "iou", "qou"),
        "random": ("random",),
    }
)
"""The sets that are compared in Chao et al. 2018, section 5.2, and random decoys as a control."""

_ORDER = {"target": 0, "qou": 1, "iou": 1, "random": 1, "orig": 2}
"""Of equal choices the one with the least number stays."""


def decoy_rows(search: Search, kind: str, found: Found) -> pl.DataFrame:
    """Rows of the table of decoys.

    >>> from eyechart.remedies import Answers, Pool, Searching, Triplets
    >>> rows = [("1", "a", "Who?", "a cat"), ("2", "b", "Who?", "a dog")]
    >>> asked = pl.DataFrame(rows, schema=["question_id", "image_id", "question", "answer"], orient="row")
    >>> triplets = Triplets(asked, Answers(["a cat", "a dog"]))
    >>> search = Search(triplets, Pool.of(triplets, np.arange(2), None), range(2), Searching(k=1))
    >>> decoy_rows(search, "qou", search.qou([])).select("question_id", "decoy", "source_id").rows()
    [('1', 'a dog', '2'), ('2', 'a cat', '1')]
    """
    query, column = np.nonzero(found.answer >= 0)
    row, answer = found.row[query, column], found.answer[query, column]
    triplets, pool = search.triplets, search.pool
    source = pl.Series(np.where(row >= 0, pool.triplet[np.maximum(row, 0)], -1))
    source = source.set(source < 0, None)
    origin = np.select([row == ORIGINAL, row == POPULAR], ["orig", "popular"], kind)
    return pl.DataFrame(
        {
            "question_id": triplets.ids.gather(pool.triplet[search.rows[query]]),
            "kind": pl.repeat(kind, query.size, eager=True),
            "rank": column + 1,
            "decoy": pl.select(
                pl.coalesce(triplets.said.gather(source), pl.Series(triplets.answers.shown).gather(answer))
            ).to_series(),
            "origin": origin,
            "source_id": triplets.ids.gather(source),
            "similarity": pl.Series(found.score[query, column], nan_to_null=True),
            "candidate": found.place[query, column],
            "wup": triplets.answers.similarities(search.target[query], answer),
            "filters": pl.repeat(" ".join(triplets.answers.how.names), query.size, eager=True),
        }
    )


def choices_of(
    targets: pl.DataFrame, decoys: pl.DataFrame, originals: pl.DataFrame, kinds: Sequence[str], seed: int = 0
) -> pl.DataFrame:
    """The choices of questions: their target, and their decoys of some kinds; equal ones are offered once.

    >>> targets = pl.DataFrame({"question_id": ["1"], "answer": ["cat"]})
    >>> rows = {"question_id": ["1"] * 2, "kind": ["qou"] * 2, "decoy": ["dog", "Dog."], "origin": ["qou"] * 2}
    >>> originals = pl.DataFrame(schema={"question_id": pl.String, "choice": pl.String, "is_target": pl.Boolean})
    >>> choices_of(targets, pl.DataFrame(rows), originals, ["qou"]).sort("choice").rows()
    [('1', 1, 'cat', True, 'target'), ('1', 0, 'dog', False, 'qou')]
    """
    made = decoys.filter(pl.col("kind").is_in(list(kinds))).select(
        "question_id", pl.col("decoy").alias("choice"), "kind", "origin"
    )
    right = targets.select("question_id", choice="answer", kind=pl.lit("target"), origin=pl.lit("target"))
    old = originals.filter(~pl.col("is_target").fill_null(value=False)).select(
        "question_id", "choice", kind=pl.lit("orig"), origin=pl.lit("orig")
    )
    offered = pl.concat([right, made, old] if "orig" in kinds else [right, made])
    normal = normalize_answers(offered["choice"])
    unique = (
        offered.with_columns(normal=normal, order=pl.col("kind").replace_strict(_ORDER, return_dtype=pl.Int8))
        .sort("order", maintain_order=True)
        .unique(["question_id", "normal"], keep="first", maintain_order=True)
    )
    order = targets.select("question_id").with_row_index("place")
    return permuted(unique.join(order, on="question_id", maintain_order="left"), seed).select(
        "question_id", "position", "choice", pl.col("kind").eq("target").alias("is_target"), "origin"
    )


def permuted(choices: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Choices with a position each, by a draw for question and choice; ``place`` orders the questions.

    >>> rows = {"question_id": ["1", "1", "1"], "choice": ["a", "b", "c"], "place": [0, 0, 0]}
    >>> sorted(permuted(pl.DataFrame(rows), seed=1)["position"])
    [0, 1, 2]
    """
    ordered = choices.with_columns(draw=keyed_draws(choices, ("question_id", "choice"), Key(seed, "choices"))).sort(
        "place", "draw", "choice"
    )
    return ordered.with_columns(position=pl.int_range(pl.len()).over("question_id")).drop("place", "draw")


def keyed_draws(rows: pl.DataFrame, names: Sequence[str], key: Key) -> pl.Series:
    """A draw for each row by some of its columns of strings.

    >>> rows = pl.DataFrame({"a": ["1", "2"], "b": ["x", "x"]})
    >>> keyed_draws(rows, ["a", "b"], Key(1, "draw")).to_list() == [Key(1, "draw").of(a, "x") for a in "12"]
    True
    """
    # As arrays: an expression over two columns of codes would work out the codes of the first many times.
    codes = rows.select(key_of(pl.col(name)).alias(name) for name in names)
    return pl.Series(key.array(*(codes[name].to_numpy() for name in names)))
