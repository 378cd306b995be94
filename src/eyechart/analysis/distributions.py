"""Probabilities of test statistics, in the few lines that the analyses need."""

import math

__all__ = ["chi_square", "chi_square_p_value"]

_PRECISION = 1e-15
_MOST_TERMS = 100_000


def chi_square(counts: list[int]) -> float:
    """Pearson's statistic of some counts against equal shares.

    >>> chi_square([30, 10, 20])
    10.0
    """
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def chi_square_p_value(statistic: float, freedom: int) -> float:
    """How probable a chi-square statistic at least this large is, by chance.

    >>> round(chi_square_p_value(3.841459, 1), 6)
    0.05
    """
    return _upper_gamma(freedom / 2, statistic / 2)


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - scale * _lower_series(a, x) if x < a + 1 else scale * _upper_fraction(a, x)


def _lower_series(a: float, x: float) -> float:
    """The sum of x^n / (a (a+1) ... (a+n)), which is quick below a + 1 (DLMF 8.11.4)."""
    term = total = 1 / a
    for n in range(1, _MOST_TERMS):
        term *= x / (a + n)
        total += term
        if term < total * _PRECISION:
            break
    return total


def _upper_fraction(a: float, x: float) -> float:
    """The continued fraction 1/(x+1-a- 1(1-a)/(x+3-a- ...)), by Lentz' method; quick above a + 1 (DLMF 8.9.2)."""
    b = x + 1 - a
    c, d = math.inf, 1 / b
    fraction = d
    for n in range(1, _MOST_TERMS):
        factor, b = n * (a - n), b + 2
        d = 1 / (b + factor * d)
        c = b + factor / c
        fraction *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return fraction
