"""The chi-square test: against tables, and against the integral that defines it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.analysis import chi_square, chi_square_p_value


@pytest.mark.parametrize(
    ("statistic", "freedom", "expected"),
    [
        (2.706, 1, 0.10),
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (10.828, 1, 0.001),
        (5.991, 2, 0.05),
        (9.210, 2, 0.01),
        (7.815, 3, 0.05),
        (3.940, 10, 0.95),
        (18.307, 10, 0.05),
        (29.588, 10, 0.001),
        (27.587, 17, 0.05),
        (77.929, 100, 0.95),
        (124.342, 100, 0.05),
    ],
)
def test_printed_tables(statistic: float, freedom: int, expected: float) -> None:
    """The critical values that every textbook prints."""
    assert expected == pytest.approx(chi_square_p_value(statistic, freedom), rel=1e-3)


def literal(statistic: float, freedom: int, steps: int = 20_000) -> float:
    """One minus the integral of the density, by Simpson's rule over the square root, where it has no pole."""
    end = math.sqrt(statistic)
    width = end / steps

    def density(root: float) -> float:
        # With t = root^2 the density t^(k/2 - 1) e^(-t/2) dt becomes 2 root^(k - 1) e^(-root^2 / 2) droot.
        scale = 2 ** (freedom / 2) * math.gamma(freedom / 2)
        return 2 * root ** (freedom - 1) * math.exp(-(root**2) / 2) / scale

    inner = sum((4 if step % 2 else 2) * density(step * width) for step in range(1, steps))
    return 1 - width / 3 * (density(0.0) + inner + density(end))


@given(st.floats(0.01, 80), st.integers(1, 40))
def test_it_equals_the_integral(statistic: float, freedom: int) -> None:
    """On both sides of the place where the series gives way to the fraction."""
    assert literal(statistic, freedom, 2000) == pytest.approx(chi_square_p_value(statistic, freedom), abs=1e-7)


@given(st.floats(0, 1e6), st.integers(1, 10_000))
def test_it_is_a_probability(statistic: float, freedom: int) -> None:
    """Whatever the arguments."""
    assert -1e-12 <= chi_square_p_value(statistic, freedom) <= 1


def test_two_degrees_of_freedom_have_a_closed_form() -> None:
    """The tail is exp(-x/2), down to the smallest numbers."""
    for statistic in (0.0, 0.5, 3.0, 4.5, 50.0, 1000.0):
        assert math.exp(-statistic / 2) == pytest.approx(chi_square_p_value(statistic, 2), rel=1e-11)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=20))
def test_the_statistic_is_pearson_s(counts: list[int]) -> None:
    """The sum of (observed - expected)^2 / expected."""
    expected = sum(counts) / len(counts)
    assert sum((n - expected) ** 2 / expected for n in counts) == pytest.approx(chi_square(counts))
