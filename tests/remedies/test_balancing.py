"""Balancing whole sets: what each rule drops, that order does not matter, and that entropy rises."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart._lib.keyed import Key
from eyechart.errors import UsageError
from eyechart.remedies import Balance, Level, balance, entropies, split_by_image

KIND = Balance(levels=(Level(("kind",)),), even_by=("kind",), once={})


def asked(*answers: str, kind: str = "color") -> pl.DataFrame:
    """Questions of one kind with these answers."""
    return pl.DataFrame(
        {"question_id": [f"{kind}{number}" for number in range(len(answers))], "answer": answers, "kind": kind},
        schema=dict.fromkeys(["question_id", "answer", "kind"], pl.String),
    )


def natural_world(questions: int = 20_000) -> pl.DataFrame:
    """Skewed answers in a hundred groups of two sizes of grouping, with yes and no among them."""
    draw = Key(1, "natural world")
    rows = []
    for number in range(questions):
        thing = draw.choice([1 / (rank + 1) for rank in range(40)], number, 1)
        colour = draw.choice([0.5**rank for rank in range(8)], number, 2)
        yes = draw.uniform(number, 3) < 0.8
        binary = number % 3 == 0
        rows.append(
            {
                "question_id": str(number),
                "image_id": str(number // 10),
                "question": f"{thing} {number}",
                "answer": ("yes" if yes else "no") if binary else f"colour {(colour + thing) % 8}",
                "group_global": None if binary else "color",
                "group_local": f"{'verify' if binary else 'query'} {thing}",
                "structural": "verify" if binary else "query",
            }
        )
    return pl.DataFrame(rows)


def test_entropy_rises_and_every_drop_has_a_rule() -> None:
    """The local distributions of a natural world become more even."""
    world = natural_world()
    rules = balance(world)
    kept = world.filter(rules.is_null())
    queries, kept_queries = (each.filter(pl.col("structural") == "query") for each in (world, kept))
    assert entropies(kept_queries, "group_local") > entropies(queries, "group_local") + 0.3
    assert set(rules.drop_nulls()) <= {
        "group_global",
        "group_local",
        "yes or no",
        "only one answer",
        "more yes than no",
    }
    assert kept.height > 1000


def test_yes_and_no_are_even() -> None:
    """In each group that has both, and in all."""
    world = natural_world()
    kept = world.filter(balance(world).is_null()).filter(pl.col("answer").is_in(["yes", "no"]))
    assert Counter(kept["answer"])["yes"] == Counter(kept["answer"])["no"] > 100


@given(st.lists(st.sampled_from(["red", "red", "red", "blue", "yes", "yes", "no", "x"]), max_size=40), st.randoms())
def test_order_of_rows_does_not_matter(answers: list[str], random: st.randoms) -> None:  # type: ignore[valid-type]
    """Which questions stay depends on their ids alone."""
    rows = asked(*answers)
    order = random.sample(range(len(answers)), len(answers))  # type: ignore[attr-defined]  # hypothesis gives a Random
    kept = set(rows.filter(balance(rows, KIND).is_null())["question_id"])
    shuffled = rows[order] if order else rows
    assert set(shuffled.filter(balance(shuffled, KIND).is_null())["question_id"]) == kept


def test_groups_with_one_answer_keep_a_few() -> None:
    """Where all answers are the same there is nothing to find out."""
    rows = pl.concat([asked(*["white"] * 9, kind="snow"), asked("yes", "yes", "yes", kind="grass")])
    kept = rows.filter(balance(rows, KIND).is_null())
    assert sorted(kept["kind"]) == ["grass", "snow"]


def test_questions_without_a_group_stay() -> None:
    """Null is no group."""
    rows = asked(*["red"] * 5).with_columns(kind=pl.lit(None, pl.String))
    assert balance(rows, Balance(levels=(Level(("kind",)),), even_by=(), once={})).null_count() == 5


def test_repeated_questions_are_asked_once() -> None:
    """Of equal questions about one image one stays."""
    rows = asked("red", "red", "blue").with_columns(image_id=pl.lit("1"), question=pl.Series(["a", "a", "b"]))
    rules = balance(rows, Balance(levels=(), even_by=()))
    assert sorted(map(str, rules)) == ["None", "None", "repeated"]


def test_the_mix_has_the_wanted_shares() -> None:
    """Types come in the shares that were asked for, and as many as there can be."""
    rows = pl.concat(
        [asked(*["red"] * 60, kind="query"), asked(*["red"] * 30, kind="verify"), asked("red", kind="odd")]
    )
    how = Balance(levels=(), even_by=(), once={}, mix_by="kind", mix={"query": 0.5, "verify": 0.5})
    kept = rows.filter(balance(rows, how).is_null())
    assert Counter(kept["kind"]) == {"query": 30, "verify": 30}


def test_a_measure_is_kept_whole() -> None:
    """Of the other types there are at most as many as their shares say; scarce ones and those without a share stay."""
    kinds = {"query": 50, "verify": 100, "choose": 3, "odd": 20}
    rows = pl.concat([asked(*["red"] * count, kind=kind) for kind, count in kinds.items()])
    shares = {"query": 0.5, "verify": 0.3, "choose": 0.2}
    how = Balance(levels=(), even_by=(), once={}, mix_by="kind", mix=shares, measure="query")
    kept = rows.filter(balance(rows, how).is_null())
    assert Counter(kept["kind"]) == {"query": 50, "verify": 30, "choose": 3, "odd": 20}
    without = rows.filter(pl.col("kind") != "query")
    assert balance(without, how).null_count() == without.height


def test_the_mix_leaves_groups_even() -> None:
    """What a mix takes it takes from every answer of every group alike: yes stays as frequent as no."""
    world = natural_world()
    how = Balance(mix={"query": 0.9, "verify": 0.1})
    kept = world.filter(balance(world, how).is_null())
    assert abs((kept["structural"] == "verify").mean() - 0.1) < 0.005
    answers = kept.filter(pl.col("answer").is_in(["yes", "no"])).group_by("group_local", "answer").len()
    assert answers["answer"].n_unique() == 2
    most = answers.group_by("group_local").agg(apart=pl.col("len").max() - pl.col("len").min(), both=pl.len())
    assert most.filter(pl.col("both") == 2)["apart"].max() <= 1


def test_impossible_mixes_are_told() -> None:
    """Shares must add up, and every type that has one must occur."""
    with pytest.raises(UsageError, match="add up to 1"):
        Balance(mix={"query": 0.5})
    with pytest.raises(UsageError, match="no question of type 'choose'"):
        balance(asked("red"), Balance(levels=(), even_by=(), once={}, mix_by="kind", mix={"choose": 1.0}))


def test_splits_follow_shares_and_pictures() -> None:
    """Shares are met, and more pictures move none of those that were there."""
    shares = {"train": 0.7, "val": 0.1, "test": 0.1, "challenge": 0.1}
    pictures = pl.DataFrame({"image_id": [str(number) for number in range(20_000)]})
    split = split_by_image(pl.col("image_id"), shares)
    drawn = pictures.with_columns(split=split)
    for name, share in shares.items():
        assert abs(drawn["split"].to_list().count(name) / 20_000 - share) < 0.01
    assert pictures.head(100).with_columns(split=split).equals(drawn.head(100))


@pytest.mark.parametrize("shares", [{}, {"train": 0.5}, {"train": 1.5, "val": -0.5}])
def test_impossible_splits_are_told(shares: dict[str, float]) -> None:
    """Shares must be above 0 and add up."""
    with pytest.raises(UsageError, match="found .* expected shares above 0 that add up to 1"):
        split_by_image(pl.col("image_id"), shares)
