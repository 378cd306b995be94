"""Means with honest intervals: questions about one image are one draw, not many.

The variance of a mean over N questions in C images is C/(C-1) times the sum over images of the squared sum of
deviations, over N squared (the cluster-robust variance; Cameron and Miller, A Practitioner's Guide to Cluster-Robust
Inference, 2015, section II). A single image has no interval.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

__all__ = [
    "Z95",
    "bootstrap_interval",
    "clustered_means",
    "holm",
    "jackknife_interval",
    "p_value",
    "paired_differences",
]

Z95 = 1.959963984540054
"""The normal quantile of a 95 % interval."""


def clustered_means(scores: pl.DataFrame, *, by: Sequence[str] = (), cluster: str = "image_id") -> pl.DataFrame:
    """The mean score of each group, with its 95 % interval clustered by image; null scores are left out.

    >>> rows = pl.DataFrame({"image_id": ["a", "a", "b", "b"], "score": [1.0, 0.0, 1.0, 1.0]})
    >>> clustered_means(rows).select("value", "questions", "images").row(0)
    (0.75, 4, 2)
    """
    known = scores.drop_nulls("score")
    # In order, so that sums of floats are the same bits on every run.
    per_image = known.group_by(*by, cluster, maintain_order=True).agg(
        pl.col("score").sum().alias("sum"), pl.len().alias("n")
    )
    total = (
        per_image.with_columns(value=pl.col("sum").sum() / pl.col("n").sum())
        if not by
        else per_image.with_columns(value=pl.col("sum").sum().over(*by) / pl.col("n").sum().over(*by))
    )
    deviation = (pl.col("sum") - pl.col("value") * pl.col("n")).pow(2).sum()
    images, questions = pl.len(), pl.col("n").sum()
    error = pl.when(images > 1).then((images / (images - 1) * deviation).sqrt() / questions)
    summary = [
        pl.col("value").first(),
        error.alias("error"),
        questions.alias("questions"),
        images.alias("images"),
    ]
    grouped = total.group_by(*by, maintain_order=True).agg(summary) if by else total.select(summary)
    return grouped.with_columns(
        low=pl.col("value") - Z95 * pl.col("error"), high=pl.col("value") + Z95 * pl.col("error")
    )


def paired_differences(
    one: pl.DataFrame, other: pl.DataFrame, *, by: Sequence[str] = (), cluster: str = "image_id"
) -> pl.DataFrame:
    """How much better the second is on the same questions: difference, interval, and p-value, per group.

    Both have question_id and score; the first also has the image and the groups. Errors of the same question cancel, so
    the interval is narrower than those of the two means.

    >>> a = pl.DataFrame({"question_id": ["1", "2"], "image_id": ["x", "y"], "score": [0.0, 1.0]})
    >>> b = pl.DataFrame({"question_id": ["1", "2"], "score": [1.0, 1.0]})
    >>> paired_differences(a, b)["value"].item()
    0.5
    """
    both = one.join(other.select("question_id", other="score"), on="question_id", maintain_order="left")
    differences = both.with_columns(score=pl.col("other") - pl.col("score"))
    means = clustered_means(differences, by=by, cluster=cluster)
    # Models that never differ are no evidence of a difference, though 0 / 0 has no value.
    z = (means["value"] / means["error"]).fill_nan(0.0)
    return means.with_columns(p=pl.Series([p_value(each) for each in z], dtype=pl.Float64))


def p_value(z: float | None) -> float | None:
    """The two-sided p-value of a standard normal statistic.

    >>> round(p_value(1.959963984540054), 6)
    0.05
    """
    return None if z is None or math.isnan(z) else math.erfc(abs(z) / math.sqrt(2))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values corrected for their number (Holm 1979): the smallest times m, the next times m - 1, never decreasing.

    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        corrected[place] = largest
    return corrected


def bootstrap_interval(
    scores: pl.DataFrame, *, draws: int = 2000, seed: int = 0, cluster: str = "image_id"
) -> tuple[float, float] | None:
    """A percentile interval of the mean from resampled images; None for a single image.

    >>> rows = pl.DataFrame({"image_id": ["a", "b", "c"], "score": [0.0, 1.0, 1.0]})
    >>> low, high = bootstrap_interval(rows)
    >>> low < 2 / 3 < high
    True
    """
    per_image = scores.drop_nulls("score").group_by(cluster).agg(pl.col("score").sum(), pl.len()).sort(cluster)
    images = per_image.height
    if images < 2:  # noqa: PLR2004  # one image cannot vary
        return None
    sums, counts = per_image["score"].to_numpy(), per_image["len"].to_numpy()
    generator = np.random.Generator(np.random.Philox(seed))
    means = np.empty(draws)
    for draw in range(draws):
        chosen = generator.integers(0, images, images)
        means[draw] = sums[chosen].sum() / counts[chosen].sum()
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def jackknife_interval(
    measure: Callable[[pl.DataFrame], Mapping[str, float | None]],
    rows: pl.DataFrame,
    *,
    groups: int = 40,
    cluster: str = "image_id",
) -> dict[str, tuple[float, float] | None]:
    """95 % intervals of any numbers of a set, by leaving out one group of images at a time (delete-a-group jackknife).

    Images are put into groups by a hash of their ids, so that the interval is the same on every run. A number that
    cannot be computed for every group has no interval.

    >>> rows = pl.DataFrame({"image_id": [str(i) for i in range(400)], "x": [i % 2 for i in range(400)]})
    >>> low, high = jackknife_interval(lambda kept: {"mean": kept["x"].mean()}, rows)["mean"]
    >>> low < 0.5 < high
    True
    """
    images = rows[cluster].unique().sort()
    used = min(groups, images.len())
    whole = measure(rows)
    if used < 2:  # noqa: PLR2004  # nothing to leave out
        return dict.fromkeys(whole)
    placed = rows.with_columns(_group=_keyed_group(rows[cluster], used))
    left_out = [measure(placed.filter(pl.col("_group") != group).drop("_group")) for group in range(used)]
    return {part: _jackknife(value, [each.get(part) for each in left_out]) for part, value in whole.items()}


def _keyed_group(ids: pl.Series, groups: int) -> pl.Series:
    """A group number per id, by the id alone."""
    import zlib

    distinct = ids.unique().drop_nulls()
    numbers = pl.Series([zlib.crc32(each.encode()) % groups for each in distinct], dtype=pl.Int32)
    return ids.replace_strict(distinct, numbers, default=0, return_dtype=pl.Int32)


def _jackknife(value: float | None, left_out: Sequence[float | None]) -> tuple[float, float] | None:
    known = [each for each in left_out if each is not None]
    if value is None or len(known) < len(left_out):
        return None
    mean = sum(known) / len(known)
    error = math.sqrt((len(known) - 1) / len(known) * sum((each - mean) ** 2 for each in known))
    return value - Z95 * error, value + Z95 * error
