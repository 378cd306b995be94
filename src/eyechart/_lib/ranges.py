"""One HTTP request for the rest of a file: what the server sends, and whether it fits what is there already."""

import http.client
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec

from eyechart.errors import DownloadError, UsageError

__all__ = [
    "InterruptedTransferError",
    "OtherContentError",
    "Rest",
    "Version",
    "check_address",
    "request_rest",
    "size_on_server",
]

_AGENT = "eyechart"
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers after which another attempt may succeed."""

_CHANGED = "the file on the server is another one now"

_RANGE = re.compile(r"bytes (?P<start>\d+)-\d+/(?P<total>\d+|\*)")


class InterruptedTransferError(Exception):
    """The connection failed in a way that may pass; the caller tries again."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait
        """The pause that the server asks for."""


class OtherContentError(InterruptedTransferError):
    """What the server has does not continue the bytes at hand: begin again."""


class Version(msgspec.Struct, frozen=True):
    """By what a server tells one content of an address from another."""

    url: str
    etag: str | None = None
    last_modified: str | None = None
    total: int | None = None

    @property
    def validator(self) -> str | None:
        """What If-Range can name: a strong tag or a date; without one a server cannot promise the same content."""
        strong = self.etag is not None and not self.etag.startswith("W/")
        return self.etag if strong else self.last_modified


@dataclass(frozen=True)
class Rest:
    """An answer: the bytes from ``start`` to the end of this version."""

    body: http.client.HTTPResponse | None
    """None when nothing is missing."""
    start: int
    version: Version

    def read(self, size: int) -> bytes:
        """Some bytes; none at the end."""
        if self.body is None:
            return b""
        try:
            return self.body.read1(size)
        except (http.client.HTTPException, OSError) as error:
            raise InterruptedTransferError(_reason(error)) from error


def check_address(url: str) -> str:
    """Refuse an address that is not on the web.

    >>> check_address("https://example.org/a.zip")
    'https://example.org/a.zip'
    >>> check_address("file:///etc/passwd")
    Traceback (most recent call last):
    eyechart.errors.UsageError: 'file:///etc/passwd': found another kind of address, expected http:// or https:// ...
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in url):
        raise UsageError(f"{url!r}: found another kind of address, expected http:// or https:// with a host; check it")
    return url


@contextmanager
def request_rest(url: str, start: int, known: Version | None, *, timeout: float) -> Iterator[Rest]:
    """Ask for the bytes from ``start`` on, if the server still has the known version, and for all of them if not."""
    headers = {}
    if start and known is not None:
        headers["Range"] = f"bytes={start}-"
        if known.validator:
            headers["If-Range"] = known.validator
    try:
        with _open(url, headers, timeout) as answer:
            yield _understood(answer, url, start, known)
    except urllib.error.HTTPError as error:
        with error:
            rest = _satisfied(error, start, known) if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE else None
            if rest is None:
                raise _refusal(error, url) from error
        yield rest


def size_on_server(url: str, *, timeout: float = 10.0) -> int | None:
    """How large a file is, if the server tells without sending it."""
    try:
        with _open(url, {}, timeout, method="HEAD") as answer:
            return _length(answer.headers)
    except (urllib.error.HTTPError, InterruptedTransferError):
        return None


@contextmanager
def _open(url: str, headers: dict[str, str], timeout: float, method: str = "GET") -> Iterator[Any]:  # HTTPResponse
    # Without identity a server may compress on the way, and byte ranges would count compressed bytes.
    asked = {"User-Agent": _AGENT, "Accept-Encoding": "identity"} | headers
    request = urllib.request.Request(check_address(url), headers=asked, method=method)  # noqa: S310  # address checked
    try:
        answer = urllib.request.build_opener(_WebRedirects).open(request, timeout=timeout)
    except urllib.error.HTTPError:
        raise
    except urllib.error.URLError as error:
        if isinstance(error.reason, ssl.SSLCertVerificationError):
            raise DownloadError(
                f"{url}: found a certificate that does not hold ({error.reason.verify_message}), expected a trusted "
                "one; check this machine's clock and certificates, or name a mirror"
            ) from error
        raise InterruptedTransferError(_reason(error)) from error
    except (http.client.HTTPException, OSError) as error:
        raise InterruptedTransferError(_reason(error)) from error
    with answer:
        yield answer


class _WebRedirects(urllib.request.HTTPRedirectHandler):
    """The standard handler would follow to ftp as well."""

    def redirect_request(  # the signature is the standard library's
        self,
        req: urllib.request.Request,
        fp: Any,  # as the standard library has it
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        check_address(urljoin(req.full_url, newurl))
        asked = super().redirect_request(req, fp, code, msg, headers, newurl)
        if asked is not None and req.get_method() == "HEAD":
            asked.method = "HEAD"
        return asked


def _understood(answer: http.client.HTTPResponse, url: str, start: int, known: Version | None) -> Rest:
    etag, modified = answer.headers.get("ETag"), answer.headers.get("Last-Modified")
    if answer.status != HTTPStatus.PARTIAL_CONTENT:
        return Rest(answer, 0, Version(url, etag, modified, _length(answer.headers)))
    stated = _RANGE.match(answer.headers.get("Content-Range", ""))
    if stated is None or int(stated["start"]) != start or known is None:
        raise OtherContentError(f"the server sent the range {answer.headers.get('Content-Range')!r}, not from {start}")
    total = None if stated["total"] == "*" else int(stated["total"])
    # Some servers do not know If-Range: then the tags and the size must tell.
    same = total in {None, known.total} or known.total is None
    if not same or (etag and known.etag and etag != known.etag):
        raise OtherContentError(_CHANGED)
    return Rest(answer, start, msgspec.structs.replace(known, total=known.total or total))


def _satisfied(error: urllib.error.HTTPError, start: int, known: Version | None) -> Rest | None:
    """A range beyond the end: all is there already, or the file has become shorter."""
    if not start or known is None:
        return None
    if error.headers.get("Content-Range") == f"bytes */{start}" and known.total in {None, start}:
        return Rest(None, start, msgspec.structs.replace(known, total=start))
    raise OtherContentError(_CHANGED)


def _refusal(error: urllib.error.HTTPError, url: str) -> Exception:
    said = f"{error.code} {error.reason}".strip()
    if error.code in _PASSING:
        wait = error.headers.get("Retry-After", "")
        return InterruptedTransferError(f"the server answered {said}", float(wait) if wait.isdigit() else 0.0)
    return DownloadError(
        f"{url}: the server answered {said!r}, expected the file; look at the owner's page for its address now, "
        "or name a mirror"
    )


def _length(headers: http.client.HTTPMessage) -> int | None:
    stated = headers.get("Content-Length", "")
    return int(stated) if stated.isdigit() else None


def _reason(error: BaseException) -> str:
    inner = getattr(error, "reason", None) or error
    return str(inner) or type(inner).__name__
