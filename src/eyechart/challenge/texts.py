"""What strangers write into fields: kept as they wrote it, unless no page or database can hold it."""

import unicodedata
from urllib.parse import urlsplit

from eyechart.errors import UsageError

__all__ = ["link", "one_line", "paragraphs"]

_LINE_ENDS = {"\n", "\r", "\t"}


def one_line(text: str, what: str, *, most: int, required: bool = True) -> str:
    """A text without line ends or other control characters.

    >>> one_line("  MCB + attention ", "the method's name", most=120)
    'MCB + attention'
    """
    stripped = text.strip()
    if required and not stripped:
        raise UsageError(f"Something is missing: {what}; fill it in.")
    if len(stripped) > most:
        raise UsageError(f"Too long: {what} has {len(stripped):,} characters, expected at most {most:,}; shorten it.")
    for sign in stripped:
        if _unfit(sign) or sign in _LINE_ENDS:
            raise UsageError(f"Not a plain text: {what} has a {_name(sign)} in it, expected one line; take it out.")
    return stripped


def paragraphs(text: str, what: str, *, most: int) -> str:
    r"""A text that may have several lines.

    >>> paragraphs("one\r\ntwo", "the description", most=100)
    'one\ntwo'
    """
    unified = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(unified) > most:
        raise UsageError(f"Too long: {what} has {len(unified):,} characters, expected at most {most:,}; shorten it.")
    for sign in unified:
        if _unfit(sign) and sign not in _LINE_ENDS:
            raise UsageError(f"Not a plain text: {what} has a {_name(sign)} in it; take it out.")
    return unified


def link(text: str, what: str, *, most: int) -> str:
    """An address that a page may link to: of the web, or none.

    >>> link("https://example.org/paper", "the reference", most=500)
    'https://example.org/paper'
    """
    line = one_line(text, what, most=most, required=False)
    if not line:
        return ""
    try:
        parts = urlsplit(line)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.netloc or " " in line:
        raise UsageError(f"Not an address of the web: {what} is {line[:60]!r}, expected https://…; correct it.")
    return line


def _unfit(sign: str) -> bool:
    """Control characters, lone halves of pairs, and marks that turn the direction of what stands around them."""
    return (
        unicodedata.category(sign) in {"Cc", "Cs"} or sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


def _name(sign: str) -> str:
    return f"sign U+{ord(sign):04X}"
