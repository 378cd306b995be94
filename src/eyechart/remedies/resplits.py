"""Other splits: those that contain another benchmark's, those whose priors change, and parts by frequency of answer."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import polars as pl

from eyechart._lib.keyed import Key, key_of, uniform
from eyechart.errors import DataError, UsageError
from eyechart.metrics import ood_answers
from eyechart.remedies.offers import keyed_draws
from eyechart.text import word_bags

__all__ = ["changing_priors", "head_and_tail", "superset_splits"]

_ROUNDING = 1e-6
_STOP_WORDS = frozenset(
    {"a", "an", "and", "are", "at", "be", "by", "do", "does", "for", "from", "has", "have", "how", "in", "is", "it"}
    | {"of", "on", "or", "that", "the", "there", "this", "to", "was", "what", "with"}
)


def superset_splits(
    images: pl.DataFrame, other: pl.DataFrame, shares: Mapping[str, float], seed: int = 0
) -> pl.DataFrame:
    """A split for each image: that of the other benchmark where it has the image, else drawn so that shares come out.

    Images are the same if their ids are, or their ids in COCO (the partition of Chao et al. 2018, section 5.1).

    >>> images = pl.DataFrame({"image_id": ["1", "2"], "coco_id": ["7", None]})
    >>> other = pl.DataFrame({"image_id": ["x"], "coco_id": ["7"], "split": ["val"]})
    >>> superset_splits(images, other, {"train": 1.0}).rows()
    [('1', 'val'), ('2', 'train')]
    """
    if not shares or min(shares.values()) < 0 or abs(sum(shares.values()) - 1) > _ROUNDING:
        raise UsageError(f"splits: found {dict(shares)}, expected shares that add up to 1; correct them")
    placed = _placed(images, other)
    counts = dict(placed.drop_nulls("fixed").group_by("fixed").len().iter_rows())
    wanted = {name: max(0.0, share * placed.height - counts.get(name, 0)) for name, share in shares.items()}
    left = sum(wanted.values()) or 1.0
    bounds = np.cumsum([0.0, *(value / left for value in wanted.values())])
    drawn = uniform(Key(seed, "superset").over(key_of(pl.col("image_id"))))
    chosen = pl.lit(list(shares)[-1])
    for name, (low, high) in zip(shares, pairwise(bounds), strict=True):
        chosen = pl.when((drawn >= low) & (drawn < high)).then(pl.lit(name)).otherwise(chosen)
    return placed.select("image_id", split=pl.coalesce("fixed", chosen))


def _placed(images: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """Images with the split that the other benchmark gives them."""
    by_id = other.select("image_id", by_id="split").drop_nulls().unique()
    by_coco = other.select("coco_id", by_coco="split").drop_nulls().unique()
    for found, key in ((by_id, "image_id"), (by_coco, "coco_id")):
        twice = found.filter(pl.len().over(key) > 1)
        if twice.height:
            raise DataError(
                f"other benchmark: found image {twice[key][0]} in two splits, expected it in one; correct its splits"
            )
    return (
        images.select("image_id", "coco_id")
        .join(by_id, on="image_id", how="left", maintain_order="left")
        .join(by_coco, on="coco_id", how="left", maintain_order="left")
        .with_columns(fixed=pl.coalesce("by_id", "by_coco"))
    )


def changing_priors(questions: pl.DataFrame, test_share: float = 1 / 3, seed: int = 0) -> pl.Series:
    """Train or test for each question, so that per question type other answers prevail in each (Agrawal et al. 2018).

    Questions of one type and answer stay together (section 3.1 there). Groups go to the test set one after the other,
    in keyed random order; after each, the group that covers most words that only the test set has goes to the training
    set, until the test set has its share. ``questions`` has question, question_type and answer.

    >>> rows = {"question": ["What color?"] * 4, "question_type": ["what"] * 4, "answer": ["red", "red", "blue", "tan"]}
    >>> parts = changing_priors(pl.DataFrame(rows))
    >>> parts[0] == parts[1], sorted(set(parts))
    (True, ['test', 'train'])
    """
    keyed = questions.select(
        kind=pl.col("question_type").fill_null(""),
        answer=pl.col("answer").fill_null(""),
        words=word_bags(questions["question"]),
    )
    groups = keyed.group_by("kind", "answer").agg(size=pl.len(), words=pl.col("words").unique())
    drawn = keyed_draws(groups, ("kind", "answer"), Key(seed, "changing priors"))
    groups = groups.with_columns(draw=drawn).sort("draw", "kind", "answer")
    concepts = [_concepts(*row) for row in groups.select("kind", "answer").iter_rows()]
    in_test = _test_groups(concepts, groups["size"].to_list(), test_share * questions.height)
    part = groups.select("kind", "answer", part=pl.Series(np.where(in_test, "test", "train")))
    return keyed.join(part, on=["kind", "answer"], how="left", maintain_order="left")["part"]


def _concepts(kind: str, answer: str) -> frozenset[str]:
    """The words of a group: of its question type and its answer, without stop words."""
    return frozenset(f"{kind} {answer}".lower().split()) - _STOP_WORDS


def _test_groups(concepts: list[frozenset[str]], sizes: list[int], wanted: float) -> list[bool]:
    """Which groups are tested; the others are learned from."""
    holders: dict[str, list[int]] = {}
    for group, words in enumerate(concepts):
        for word in words:
            holders.setdefault(word, []).append(group)
    free = np.ones(len(sizes), np.bool_)
    tests = np.zeros(len(sizes), np.bool_)
    covers = np.zeros(len(sizes), np.int64)
    learned: set[str] = set()
    open_words: set[str] = set()
    tested = 0
    for group in range(len(sizes)):
        if tested >= wanted or not free.any():
            break
        if not free[group]:
            continue
        free[group], tests[group], tested = False, True, tested + sizes[group]
        for word in concepts[group] - learned - open_words:
            covers[holders[word]] += 1
        open_words |= concepts[group] - learned
        best = int(np.where(free, covers, 0).argmax())
        if free[best] and covers[best] > 0:
            free[best] = False
            for word in concepts[best] & open_words:
                covers[holders[word]] -= 1
            learned |= concepts[best]
            open_words -= concepts[best]
    return tests.tolist()


def head_and_tail(questions: pl.DataFrame, alpha: float = 0.2, by: str = "group_local") -> pl.Series:
    """For each question whether its answer is frequent (head) or rare (tail) in its group; null in even groups.

    The parts of GQA-OOD (Kervadec et al. 2021, section 3); other benchmarks group by another column.

    >>> answers = ["red"] * 8 + ["blue"] * 2 + ["x", "y"] * 3 + ["z"]
    >>> questions = pl.DataFrame({"kind": ["a"] * 10 + ["b"] * 6 + ["c"], "answer": answers})
    >>> head_and_tail(questions, by="kind").to_list()[6:11]
    ['head', 'head', 'tail', 'tail', None]
    """
    grouped = questions.select(group_local=pl.col(by).fill_null("none"), answer="answer")
    parts = ood_answers(grouped, tail_alpha=alpha, head_alpha=alpha).select("group_local", "answer", "part")
    return grouped.join(parts, on=["group_local", "answer"], how="left", maintain_order="left")["part"]
