"""How templates write numbers, shares, moments and spans."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from markupsafe import Markup

__all__ = ["FILTERS", "amount", "moment", "money", "share", "span"]


def amount(value: float) -> str:
    """A number as people read it.

    >>> amount(1234567), amount(0.25)
    ('1,234,567', '0.25')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def share(value: float | None) -> str:
    """A share as a percentage; a dash for what is not known.

    >>> share(0.623)
    '62.3 %'
    """
    return "–" if value is None else f"{100 * value:.1f} %"  # noqa: RUF001 - the dash of tables


def money(cents: int, currency: str = "USD") -> str:
    """An amount of money from its smallest unit.

    >>> money(21500)
    '215.00 USD'
    """
    return f"{cents / 100:,.2f} {currency}"


def moment(value: datetime | None) -> Markup:
    """A moment, for people and for machines.

    >>> from datetime import UTC
    >>> str(moment(datetime(2026, 11, 20, 9, 5, tzinfo=UTC)))
    '<time datetime="2026-11-20T09:05:00+00:00">20 Nov 2026, 09:05 UTC</time>'
    """
    if value is None:
        return Markup("–")  # noqa: RUF001 - the dash of tables
    return Markup('<time datetime="{}">{}</time>').format(
        value.isoformat(timespec="seconds"), value.strftime("%-d %b %Y, %H:%M UTC")
    )


def span(seconds: float | timedelta | None) -> str:
    """A span of time in its two largest units.

    >>> span(75), span(4000), span(12.34)
    ('1 min 15 s', '1 h 6 min', '12.3 s')
    """
    if seconds is None:
        return "–"  # noqa: RUF001 - the dash of tables
    total = seconds.total_seconds() if isinstance(seconds, timedelta) else float(seconds)
    if total < 60:  # noqa: PLR2004 - a minute
        return f"{total:.3g} s"
    minutes, rest = divmod(round(total), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


FILTERS: Mapping[str, Callable[..., object]] = {
    "amount": amount,
    "moment": moment,
    "money": money,
    "share": share,
    "span": span,
}
