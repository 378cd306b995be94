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


def money(millionths: int, currency: str) -> str:
    """An amount of money from millionths, with as many places as it needs but two at least.

    >>> money(215_000_000, "USD"), money(12_500, "USD")
    ('215.00 USD', '0.0125 USD')
    """
    whole, _, places = f"{millionths / 1_000_000:,.6f}".partition(".")
    return f"{whole}.{places.rstrip('0').ljust(2, '0')} {currency}"


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

    >>> span(75), span(4000), span(900), span(12.34)
    ('1 min 15 s', '1 h 6 min', '15 min', '12.3 s')
    """
    if seconds is None:
        return "–"  # noqa: RUF001 - the dash of tables
    total = seconds.total_seconds() if isinstance(seconds, timedelta) else float(seconds)
    if total < 60:  # noqa: PLR2004 - a minute
        return f"{total:.1f} s"
    minutes, rest = divmod(round(total), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "min")] if hours else [(minutes, "min"), (rest, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count)


FILTERS: Mapping[str, Callable[..., object]] = {
    "amount": amount,
    "moment": moment,
    "money": money,
    "share": share,
    "span": span,
}
