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

__all__ = ["MIXED", "PUBLISHED_MIX", "Balance", "Level", "balance", "entropies"]

PUBLISHED_MIX: Mapping[str, float] = {"query": 0.49, "verify": 0.215, "logical": 0.15, "choose": 0.115, "compare": 0.03}
"""The structural types of GQA's balanced questions, in shares."""
MIXED = ("mix of types", "more yes than no in the mix")
"""The rules that come after the answers have been evened out."""

_BINARY = ("yes", "no")
_DRAW, _ROW = "draw", "row"
_ROUNDING = 1e-6
_OFFSET = Key(0, "balance: offset")


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
    measure: str | None = None
    """A type that is kept whole, by which the others are measured: of them there are at most as many as their shares
    allow, fewer where they are scarce, and what has no share stays. Without it the shares are met exactly, the scarcest
    type decides how many questions there are, and what has no share is left out."""
    once: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"repeated": ("image_id", "question")})
    """Questions that agree in some columns are asked once; the name of the rule to the columns."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.mix and (min(self.mix.values()) <= 0 or abs(sum(self.mix.values()) - 1) > 1e-6):  # noqa: PLR2004  # rounding
            raise UsageError(f"mix: found {dict(self.mix)}, expected shares above 0 that add up to 1; correct them")

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns by which answers are evened out."""
        return tuple(dict.fromkeys(name for level in self.levels for name in level.by))

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of words that are needed to know of each question."""
        return tuple(dict.fromkeys(["answer", *self.groups, *self.even_by, *([self.mix_by] if self.mix else [])]))

    @property
    def columns(self) -> tuple[str, ...]:
        """Everything that is needed to know of each question."""
        named = [name for names in self.once.values() for name in names]
        return tuple(dict.fromkeys(["question_id", *self.labels, *named]))

    def draws(self, question_ids: pl.Series) -> pl.Series:
        """A number for each question, by which it stays or goes: of equals the smaller stay.

        >>> Balance(seed=1).draws(pl.Series(["7", "8"]))[0] == Key(1, "balance").of("7")
        True
        """
        codes = pl.select(key_of(pl.lit(question_ids))).to_series()
        return pl.Series(_DRAW, Key(self.seed, "balance").array(codes.to_numpy()))


def balance(questions: pl.DataFrame, how: Balance = Balance()) -> pl.Series:
    """For every question the rule that drops it; null if it is kept.

    Columns may hold words, categories or numbers: what agrees is all that matters. A column ``draw``, made by
    ``Balance.draws``, may stand for the ids.

    >>> colors = ["green"] * 9 + ["red"] * 4 + ["blue"] * 3
    >>> asked = pl.DataFrame({"question_id": [str(n) for n in range(16)], "answer": colors, "kind": "color"})
    >>> rules = balance(asked, Balance(levels=(Level(("kind",)),), even_by=("kind",), once={}))
    >>> asked.filter(rules.is_null())["answer"].value_counts(sort=True).rows()[0], rules.drop_nulls().unique().to_list()
    (('green', 5), ['kind'])
    """
    if _DRAW not in questions.columns:
        questions = questions.with_columns(how.draws(questions["question_id"]))
    left = questions.select(_DRAW, *(set(how.columns) - {"question_id"})).with_row_index(_ROW)
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
    for name, columns in how.once.items():
        yield name, partial(_once, by=columns)
    for level in how.levels:
        yield " + ".join(level.by), partial(_smooth, level=level)
    if how.even_by:
        yield "yes or no", partial(_even, by=how.even_by)
        yield "only one answer", partial(_lone, by=how.even_by, most=how.lone)
        # Of each type, so that a mix of them is even, too.
        yield "more yes than no", partial(_even, by=(how.mix_by,) if how.mix else ())
    if how.mix:
        yield MIXED[0], partial(_mix, how=how)
    if how.mix and how.even_by:
        yield MIXED[1], partial(_even, by=())


def _once(left: pl.DataFrame, by: tuple[str, ...]) -> pl.Series:
    """Of rows that agree the one with the smallest draw; what is unknown agrees with nothing."""
    known = left.select(_ROW, _DRAW, *by).filter(pl.all_horizontal(pl.col(name).is_not_null() for name in by))
    several = known.filter(pl.struct(by).is_duplicated())
    lost = several.filter(pl.col(_DRAW) > pl.col(_DRAW).min().over(by)).select(_ROW)
    return _without(left, lost)


def _smooth(left: pl.DataFrame, level: Level) -> pl.Series:
    """Answers of each group as the smoothing says; yes and no, and questions without a group, are left as they are."""
    groups = [pl.col(name) for name in level.by]
    smoothed = pl.all_horizontal(*(group.is_not_null() for group in groups)) & ~pl.col("answer").is_in(_BINARY)
    counted = (
        left.lazy()
        .filter(smoothed)
        .group_by(*level.by, "answer")
        .agg(n=pl.len().cast(pl.Int64))
        .sort(*groups, "n", pl.col("answer").cast(pl.String), descending=[*(False for _ in groups), True, False])
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


def _mix(left: pl.DataFrame, how: Balance) -> pl.Series:
    """As many of each type as its share of the whole.

    Every answer of every group gives up the same part of its questions, so that what was evened out stays even.
    """
    by = how.mix_by
    counts = dict(left.group_by(by).len().iter_rows())
    allowed = _allowed(counts, how)
    fewer = pl.DataFrame({by: list(allowed), "most": list(allowed.values())}, schema_overrides={by: left.schema[by]})
    groups = tuple(dict.fromkeys([by, *how.groups, *how.even_by]))
    placed = left.with_columns(group=pl.struct(groups).hash(1)).with_columns(
        rank=pl.col(_DRAW).rank("ordinal").over("group", "answer"), size=pl.len().over("group", "answer")
    )
    # Which part of the first question of a group is given up is drawn: else small groups would all stay, or all go.
    least = placed.group_by("group").agg(pl.col(_DRAW).min())
    offsets = least.select("group", offset=pl.Series(_OFFSET.array(least[_DRAW].to_numpy()) / float(1 << 64)))
    reached = placed.join(offsets, on="group", maintain_order="left").select(
        _ROW, by, pl.struct((pl.col("rank") - pl.col("offset")) / pl.col("size"), _DRAW).rank("ordinal").alias(_DRAW)
    )
    return _at_most(reached, fewer, (by,))


def _allowed(counts: Mapping[str, int], how: Balance) -> dict[str, int]:
    """How many questions of each type there may be."""
    if how.measure is not None:
        whole = counts.get(how.measure, 0) / how.mix[how.measure]
        return {kind: int(whole * how.mix[kind] + _ROUNDING) for kind in counts if whole and kind in how.mix}
    missing = [kind for kind in how.mix if kind not in counts]
    if missing:
        raise UsageError(
            f"mix: found no question of type {missing[0]!r} in {how.mix_by}, expected some of every type that has a "
            "share; leave it out"
        )
    whole = min(counts[kind] / share for kind, share in how.mix.items())
    return {kind: int(whole * how.mix.get(kind, 0) + _ROUNDING) for kind in counts}


def _at_most(left: pl.DataFrame, fewer: pl.DataFrame, by: tuple[str, ...]) -> pl.Series:
    """Which rows stay if some groups keep only so many: those with the smallest draws."""
    affected = left.select(_ROW, _DRAW, *by).join(fewer, on=by, nulls_equal=True)
    lost = (
        affected.lazy()
        .with_columns(group=pl.struct(by).hash())
        .sort("group", _DRAW)
        .filter(pl.int_range(pl.len()).over("group") >= pl.col("most"))
        .select(_ROW)
        .collect()
    )
    return _without(left, lost)


def _without(left: pl.DataFrame, lost: pl.DataFrame) -> pl.Series:
    """Which rows stay if some go."""
    return left.select(~pl.col(_ROW).is_in(lost[_ROW].implode())).to_series()


def entropies(questions: pl.DataFrame, by: str | None = None) -> float:
    """The entropy of the answers in bits; with groups its mean over the questions of these groups.

    >>> asked = pl.DataFrame({"answer": ["a", "b", "a", "a"], "kind": ["x", "x", "y", "y"]})
    >>> round(entropies(asked), 3), entropies(asked, "kind")
    (0.811, 0.5)
    """
    groups = [] if by is None else [by]
    counted = questions.group_by(*groups, "answer").agg(n=pl.len()).drop_nulls()
    if not counted.height:
        return 0.0
    whole = pl.col("n").sum().over(by) if by else pl.col("n").sum()
    bits = counted.select(-(pl.col("n") * (pl.col("n") / whole).log(2)).sum() / pl.col("n").sum())
    return abs(float(bits.item()))
