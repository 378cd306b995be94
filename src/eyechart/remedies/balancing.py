"""Balance the answers of a set of questions, so that guessing from the question alone pays less.

Any questions will do that have columns by which they can be grouped: generated ones their global and local labels,
people's their question types. Which questions stay is decided by counts and by a keyed hash of their ids, so neither
the order of rows nor the number of workers matters (Hudson and Manning 2019, sections 3.4 and 8).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.errors import UsageError
from eyechart.remedies.smoothing import Smoothing, smoothed_counts

__all__ = ["Balance", "Level", "balance", "entropies"]

_BINARY = ("yes", "no")
_DRAW, _ROW = "draw", "row"
_ROUNDING = 1e-6


class Level(NamedTuple):
    """Columns that make groups, and how the answers of each group are evened out."""

    by: tuple[str, ...]
    smoothing: Smoothing = Smoothing()


@dataclass(frozen=True)
class Balance:
    """What is done, in this order: repeated questions, each level, yes and no, the mix of types."""

    levels: tuple[Level, ...] = (Level(("group_global",)), Level(("group_local",)))
    even_by: tuple[str, ...] = ("group_local",)
    """As many yes as no in each group of these columns, and then in all."""
    lone: int = 1
    """Questions that a group keeps in which all answers are the same: nothing there is left to find out."""
    mix_by: str = "structural"
    mix: Mapping[str, float] = field(default_factory=dict[str, float])
    """Shares of the types among what is kept; empty for as they come."""
    once_by: tuple[str, ...] = ("image_id", "question")
    """Questions that agree in these columns are asked once."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.mix and (min(self.mix.values()) <= 0 or abs(sum(self.mix.values()) - 1) > 1e-6):  # noqa: PLR2004  # rounding
            raise UsageError(f"mix: found {dict(self.mix)}, expected shares above 0 that add up to 1; correct them")

    @property
    def columns(self) -> tuple[str, ...]:
        """What is needed to know of each question."""
        grouping = [name for level in self.levels for name in level.by]
        mixing = [self.mix_by] if self.mix else []
        return tuple(dict.fromkeys(["question_id", "answer", *self.once_by, *grouping, *self.even_by, *mixing]))


def balance(questions: pl.DataFrame, how: Balance = Balance()) -> pl.Series:
    """For every question the rule that drops it; null if it is kept.

    >>> colors = ["green"] * 9 + ["red"] * 4 + ["blue"] * 3
    >>> asked = pl.DataFrame({"question_id": [str(n) for n in range(16)], "answer": colors, "kind": "color"})
    >>> rules = balance(asked, Balance(levels=(Level(("kind",)),), even_by=("kind",), once_by=()))
    >>> asked.filter(rules.is_null())["answer"].value_counts(sort=True).rows()[0], rules.drop_nulls().unique().to_list()
    (('green', 5), ['kind'])
    """
    draws = Key(how.seed, "balance").over(key_of(pl.col("question_id")))
    left = questions.select(how.columns).with_columns(draws.alias(_DRAW)).with_row_index(_ROW)
    dropped = [left.head(0).select(_ROW, rule=pl.lit(""))]
    for name, rule in _rules(how):
        keep = rule(left)
        dropped.append(left.filter(~keep).select(_ROW, rule=pl.lit(name)))
        left = left.filter(keep)
    rows = pl.DataFrame({_ROW: pl.int_range(questions.height, dtype=pl.UInt32, eager=True)})
    return rows.join(pl.concat(dropped), on=_ROW, how="left", maintain_order="left")["rule"]


Rule = Callable[[pl.DataFrame], pl.Series]
"""From the questions that are left to which of them stay."""


def _rules(how: Balance) -> Iterator[tuple[str, Rule]]:
    if how.once_by:
        yield "repeated", partial(_once, by=how.once_by)
    for level in how.levels:
        yield " + ".join(level.by), partial(_smooth, level=level)
    if how.even_by:
        yield "yes or no", partial(_even, by=how.even_by)
        yield "only one answer", partial(_lone, by=how.even_by, most=how.lone)
        yield "more yes than no", partial(_even, by=())
    if how.mix:
        yield "mix of types", partial(_mix, by=how.mix_by, shares=how.mix)


def _once(left: pl.DataFrame, by: tuple[str, ...]) -> pl.Series:
    return left.select(pl.col(_DRAW) == pl.col(_DRAW).min().over(by)).to_series()


def _smooth(left: pl.DataFrame, level: Level) -> pl.Series:
    """Answers of each group as the smoothing says; yes and no, and questions without a group, are left as they are."""
    groups = [pl.col(name) for name in level.by]
    smoothed = pl.all_horizontal(*(group.is_not_null() for group in groups)) & ~pl.col("answer").is_in(_BINARY)
    counted = (
        left.lazy()
        .filter(smoothed)
        .group_by(*level.by, "answer")
        .agg(n=pl.len().cast(pl.Int64))
        .sort(*level.by, "n", "answer", descending=[*(False for _ in groups), True, False])
        .with_columns(group=pl.struct(level.by).rle_id())
        .collect()
    )
    most = smoothed_counts(counted["group"].to_numpy(), counted["n"].to_numpy(), level.smoothing)
    fewer = counted.with_columns(most=pl.Series(most)).filter(pl.col("most") < pl.col("n")).drop("group", "n")
    return _at_most(left, fewer, (*level.by, "answer"))


def _even(left: pl.DataFrame, by: tuple[str, ...]) -> pl.Series:
    """As many yes as no, where there are both."""
    binary = left.filter(pl.col("answer").is_in(_BINARY))
    counted = binary.group_by(*by, "answer").agg(n=pl.len()) if by else binary.group_by("answer").agg(n=pl.len())
    both = pl.len() == 2  # noqa: PLR2004  # yes and no
    fewest = pl.when(both.over(by) if by else both).then(pl.col("n").min().over(by) if by else pl.col("n").min())
    fewer = counted.with_columns(most=fewest).filter(pl.col("most") < pl.col("n")).drop("n")
    return _at_most(left, fewer, (*by, "answer"))


def _lone(left: pl.DataFrame, by: tuple[str, ...], most: int) -> pl.Series:
    """A few questions of each group whose answers are all the same."""
    known = left.filter(pl.all_horizontal(pl.col(name).is_not_null() for name in by))
    counted = known.group_by(by).agg(n=pl.len(), answers=pl.col("answer").n_unique())
    fewer = counted.filter(pl.col("answers") == 1, pl.col("n") > most).select(*by, most=pl.lit(most))
    return _at_most(left, fewer, by)


def _mix(left: pl.DataFrame, by: str, shares: Mapping[str, float]) -> pl.Series:
    """As many of each type as its share of the largest set that can be made; types without a share are left out."""
    counts = dict(left.group_by(by).len().iter_rows())
    missing = [kind for kind in shares if kind not in counts]
    if missing:
        raise UsageError(
            f"mix: found no question of type {missing[0]!r} in {by}, expected some of every type that has a share; "
            "leave it out"
        )
    whole = min(counts[kind] / share for kind, share in shares.items())
    allowed = {kind: int(whole * shares.get(kind, 0) + _ROUNDING) for kind in counts}
    fewer = pl.DataFrame({by: list(allowed), "most": list(allowed.values())}, schema_overrides={by: pl.String})
    return _at_most(left, fewer, (by,))


def _at_most(left: pl.DataFrame, fewer: pl.DataFrame, by: tuple[str, ...]) -> pl.Series:
    """Which rows stay if some groups keep only so many: those with the smallest draws."""
    affected = left.select(_ROW, _DRAW, *by).join(fewer, on=by, nulls_equal=True)
    lost = (
        affected.lazy()
        .sort(*by, _DRAW)
        .filter(pl.int_range(pl.len()).over(by) >= pl.col("most"))
        .select(_ROW, lost=pl.lit(value=True))
        .collect()
    )
    return left.select(_ROW).join(lost, on=_ROW, how="left", maintain_order="left")["lost"].is_null()


def entropies(questions: pl.DataFrame, by: str | None = None) -> float:
    """The entropy of the answers in bits; with groups its mean over the questions of these groups.

    >>> asked = pl.DataFrame({"answer": ["a", "b", "a", "a"], "kind": ["x", "x", "y", "y"]})
    >>> round(entropies(asked), 3), entropies(asked, "kind")
    (0.811, 0.5)
    """
    grouped = questions.select("answer", group=pl.lit("") if by is None else pl.col(by)).drop_nulls()
    if not grouped.height:
        return 0.0
    counted = grouped.group_by("group", "answer").agg(n=pl.len())
    share = pl.col("n") / pl.col("n").sum().over("group")
    bits = counted.select(-(pl.col("n") * share.log(2)).sum() / pl.col("n").sum())
    return abs(float(bits.item()))
