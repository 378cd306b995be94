"""Smoothed counts keep their contract, and equal a literal second implementation that walks group by group."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.remedies import Smoothing, smoothed_counts

HOWS = st.builds(
    Smoothing,
    bound=st.floats(0.2, 5),
    least_ratio=st.floats(0.05, 0.9),
    most_ratio=st.floats(0.9, 1),
    tail=st.floats(0, 0.5),
    cliff=st.sampled_from([0, 0.01, 0.1]),
)


def zipf(answers: int, top: int) -> list[int]:
    """Counts that fall as one over the rank."""
    return [max(1, top // (rank + 1)) for rank in range(answers)]


def geometric(answers: int, top: int, ratio: float) -> list[int]:
    """Counts that fall by a constant ratio."""
    return [max(1, int(top * ratio**rank)) for rank in range(answers)]


GROUPS = st.one_of(
    st.builds(zipf, st.integers(1, 60), st.integers(1, 10_000)),
    st.builds(geometric, st.integers(1, 30), st.integers(1, 100_000), st.floats(0.1, 0.99)),
    st.tuples(st.integers(1, 5000), st.integers(1, 5000)).map(lambda two: sorted(two, reverse=True)),
    st.integers(1, 10_000).map(lambda count: [count]),
    st.builds(lambda count, answers: [count] * answers, st.integers(1, 500), st.integers(1, 30)),
    st.lists(st.integers(1, 10_000), min_size=1, max_size=30).map(lambda counts: sorted(counts, reverse=True)),
)


def smoothed(counts: list[int], how: Smoothing) -> list[int]:
    """One group."""
    result: list[int] = smoothed_counts(np.zeros(len(counts), dtype=np.int64), np.array(counts), how).tolist()
    return result


def left_out_from(counts: list[int], how: Smoothing) -> int:
    """The first answer behind a cliff, or the number of answers if there is none."""
    for place in range(1, len(counts)):
        rest = sum(counts[place:])
        if counts[place] < how.least_ratio * counts[place - 1] and rest < how.cliff * sum(counts):
            return place
    return len(counts)


def literal(counts: list[int], how: Smoothing) -> list[int]:
    """The procedure of section 8, a step at a time."""
    cut = left_out_from(counts, how)
    kept = counts[:cut]
    level = [float(count) for count in kept]
    for place in range(cut - 2, -1, -1):
        level[place] = min(level[place], level[place + 1] / how.least_ratio)
    whole = sum(kept)
    for place in range(cut - 1):
        if sum(kept[place + 1 :]) < how.tail * whole:
            break
        head, tail = sum(level[: place + 1]), sum(level[place + 1 :])
        nearest = level[place + 1] / max(how.most_ratio, kept[place + 1] / kept[place])
        factor = min(1.0, max(how.bound * (place + 1) * tail / head, nearest / level[place]))
        level = [count * factor for count in level[: place + 1]] + level[place + 1 :]
    return [int(count + 1e-6) for count in level] + [0] * (len(counts) - cut)


@given(GROUPS, HOWS)
def test_equals_the_literal_procedure(counts: list[int], how: Smoothing) -> None:
    """Whole arrays give what one loop gives, up to the rounding of one question."""
    assert np.abs(np.array(smoothed(counts, how)) - literal(counts, how)).max() <= 1


@given(st.lists(GROUPS, min_size=1, max_size=6), HOWS)
def test_groups_do_not_know_each_other(groups: list[list[int]], how: Smoothing) -> None:
    """Many groups at once are each smoothed as if they were alone."""
    numbers = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    together = smoothed_counts(numbers, np.concatenate(groups), how)
    alone = np.concatenate([smoothed(group, how) for group in groups])
    assert np.abs(together - alone).max() <= 1


@given(GROUPS, HOWS)
def test_the_contract_holds(counts: list[int], how: Smoothing) -> None:
    """Order, ratios of every pair of neighbours and bounds of heads, as the module says, up to whole questions."""
    cut = left_out_from(counts, how)
    kept = smoothed(counts, how)
    assert kept[cut:] == [0] * (len(counts) - cut)
    total = sum(counts[:cut])
    for place in range(cut):
        assert kept[place] <= counts[place]
    for place in range(cut - 1):
        more, fewer = kept[place], kept[place + 1]
        most = max(how.most_ratio, counts[place + 1] / counts[place])
        assert fewer <= more
        assert fewer + 1 >= how.least_ratio * more - 1e-6
        assert fewer <= most * (more + 1) + 1e-6
        if sum(counts[place + 1 : cut]) >= how.tail * total * (1 + 1e-9):
            head, tail = sum(kept[: place + 1]), sum(kept[place + 1 : cut]) + cut - place - 1
            as_near_as_allowed = fewer + 1 >= most * more - 1e-6
            assert head <= how.bound * (place + 1) * tail + 1e-6 or as_near_as_allowed


@given(
    st.one_of(
        st.builds(zipf, st.integers(2, 60), st.integers(5_000, 50_000)),
        st.builds(geometric, st.integers(2, 12), st.just(1_000_000), st.floats(0.4, 0.99)),
    )
)
def test_natural_groups_become_more_even(counts: list[int]) -> None:
    """Of counts that fall as the world's do, the entropy does not fall."""

    def bits(values: list[int]) -> float:
        shares = np.array([value for value in values if value]) / sum(values)
        return float(-(shares * np.log2(shares)).sum())

    assert bits(smoothed(counts, Smoothing())) >= bits(counts[: left_out_from(counts, Smoothing())]) - 0.01


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([50] * 10, [50] * 10), ([7], [7]), ([900, 100], [105, 100]), ([500, 200, 20, 1], [60, 40, 20, 0]), ([], [])],
)
def test_known_groups(counts: list[int], expected: list[int]) -> None:
    """Flat and lone answers stay; of two the rarer stays rarer; one curious answer is not the measure of all."""
    assert smoothed(counts, Smoothing()) == expected


@pytest.mark.parametrize("wrong", [{"bound": 0}, {"least_ratio": 0}, {"most_ratio": 1.1}, {"tail": 1}, {"cliff": -0.1}])
def test_settings_that_make_no_sense(wrong: dict[str, float]) -> None:
    """The message names what was found."""
    with pytest.raises(ValueError, match=r"found .* expected"):
        Smoothing(**wrong)
