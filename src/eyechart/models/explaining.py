"""Counter-examples without the network: its settings, the rankings that it is held against, and recall."""

from pathlib import Path
from typing import Literal

import msgspec
import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.models.examples import Examples

__all__ = ["CONTROLS", "ExplainerSettings", "control_scores", "explain", "recall_at", "train_explainer"]

CONTROLS = ("random", "distance", "hard-negative", "rank-only")
"""Rankings that no explanation should lose to."""


class ExplainerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes, and how the two losses are weighed; the paper gives neither weight nor margin."""

    neighbours: int = 24
    width: int = 1024
    word: int = 300
    state: int = 512
    embedding: int = 300
    weight: float = 1.0
    margin: float = 0.1
    sees: Literal["everything", "rank"] = "everything"
    dropout: float = 0.5
    epochs: int = 30
    rate: float = 1e-3
    batch: int = 64


def train_explainer(
    examples: Examples,
    neighbours: pl.DataFrame,
    chosen: pl.DataFrame,
    settings: ExplainerSettings,
    *,
    folder: Path,
    seed: int = 0,
) -> None:
    """Train an explainer into a folder.

    >>> from eyechart.models.examples import examples_of
    >>> none = pl.DataFrame(schema={"image_id": pl.String, "rank": pl.Int32, "neighbour_id": pl.String})
    >>> asked = examples_of({"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["yes"]})})
    >>> train_explainer(asked, none, none, ExplainerSettings(), folder=Path("nowhere"))
    Traceback (most recent call last):
    eyechart.errors.UsageError: explain: found no features, expected some; make them with `eyechart encode`
    """
    from eyechart.models.counterexample import fit_explainer

    fit_explainer(examples, neighbours, chosen, settings, seed).save(folder)


def explain(folder: Path, examples: Examples, neighbours: pl.DataFrame) -> pl.DataFrame:
    """Neighbours of each question's picture, from the fittest counter-example down, by a trained explainer.

    >>> from eyechart.models.examples import examples_of
    >>> explain(Path("nowhere"), examples_of({}), pl.DataFrame())
    Traceback (most recent call last):
    eyechart.errors.UsageError: nowhere: found no explainer.json, expected an explainer; train one with ...
    """
    from eyechart.models.counterexample import load_explainer

    return load_explainer(folder).explain(examples, neighbours)


def control_scores(explained: pl.DataFrame, chosen: pl.DataFrame, control: str, seed: int = 0) -> pl.DataFrame:
    """The same neighbours in a control's order: by lot, by distance, equal answers first, or by people's rank.

    For the last one ``chosen`` tells the rank of each of people's choices.

    >>> rows = pl.DataFrame({"question_id": ["1", "1"], "neighbour_id": ["a", "b"], "rank": [2, 1], "place": [1, 2],
    ...     "answer": ["x", "x"], "their_answer": ["y", "x"], "score": [0.5, 0.2]})
    >>> control_scores(rows, pl.DataFrame({"rank": [1]}), "distance")["neighbour_id"].to_list()
    ['b', 'a']
    """
    orders: dict[str, pl.Expr] = {
        "random": Key(seed, "random counter-example").over(
            key_of(pl.col("question_id")), key_of(pl.col("neighbour_id"))
        ),
        "distance": pl.col("rank"),
        # The neighbours that get the same answer, nearest first.
        "hard-negative": (pl.col("their_answer") != pl.col("answer")).cast(pl.Int64) * 10_000 + pl.col("rank"),
    }
    if control == "rank-only":
        counts = chosen.group_by("rank").agg(picked=pl.len())
        explained = explained.join(counts, on="rank", how="left", maintain_order="left")
        orders[control] = -pl.col("picked").fill_null(0).cast(pl.Int64) * 10_000 + pl.col("rank")
    ordered = explained.with_columns(_order=orders[control]).sort("question_id", "_order", maintain_order=True)
    return ordered.with_columns(place=pl.int_range(1, pl.len() + 1).over("question_id")).drop("_order")


def recall_at(ranked: pl.DataFrame, chosen: pl.DataFrame, k: int) -> pl.DataFrame:
    """question_id, score: 1 where the neighbour that people chose is among the first k.

    >>> ranked = pl.DataFrame({"question_id": ["1", "1"], "neighbour_id": ["a", "b"], "place": [1, 2]})
    >>> recall_at(ranked, pl.DataFrame({"question_id": ["1"], "neighbour_id": ["b"]}), 1).rows()
    [('1', 0.0)]
    """
    known = ranked.join(chosen.unique(maintain_order=True), on=["question_id", "neighbour_id"], maintain_order="left")
    return known.group_by("question_id", maintain_order=True).agg(score=(pl.col("place") <= k).any().cast(pl.Float64))
