"""Every no is a sentence: as a page for people, as a problem document (RFC 9457) for programs."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from eyechart.errors import DataError, EyechartError, UnknownNameError, UsageError, WorkError
from eyechart.web.ui.pages import answer

__all__ = ["REFUSALS", "RefusalError", "refuse_in_sentences"]

_SENTENCES = {
    400: "The request could not be read; send it as the form or the programming interface describes it.",
    401: "Nobody is signed in here, and this needs somebody who is; sign in and try again.",
    403: "This account may not do that; ask an administrator of this site for the role it needs.",
    404: "There is nothing at this address; it may be misspelt, or what was here is gone.",
    405: "This address cannot be used in this way; follow a link or a button of a page.",
    413: "That is larger than this site takes; send less at once.",
    429: "That was tried too often in a short time; wait a few minutes and try again.",
    500: "Something went wrong on our side, and it has been noted; what you had sent before is safe.",
}
_HEADINGS = {
    400: "That could not be read",
    401: "Please sign in",
    403: "Not with this account",
    404: "Nothing here",
    409: "Somebody was faster",
    413: "Too large",
    422: "Not quite",
    429: "A moment, please",
    500: "Our mistake",
}


def _documented(status: int) -> dict[str, Any]:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {
            "text/html": {"schema": {"type": "string"}},
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}},
        },
    }


REFUSALS: dict[int | str, dict[str, Any]] = {
    303: {"description": "On to another page."},
    **{status: _documented(status) for status in (400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429)},
}
"""The refusals that any handler may answer with, for the description of the programming interface."""


class RefusalError(EyechartError):
    """A no with its status and its sentence.

    >>> RefusalError(404, "There is no study called 'cats'.").status
    404
    """

    def __init__(self, status: int, sentence: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence or _SENTENCES.get(status, HTTPStatus(status).phrase + "."))
        self.status = status
        self.headers = dict(headers or {})


def refuse_in_sentences(site: FastAPI) -> None:
    """Teach an application to answer whatever goes wrong."""
    site.add_exception_handler(RefusalError, _refused)
    site.add_exception_handler(HTTPException, _framework)
    site.add_exception_handler(RequestValidationError, _invalid)
    site.add_exception_handler(EyechartError, _mistake)
    site.add_exception_handler(Exception, _broken)


def wants_json(request: Request) -> bool:
    """Whether a program asks: at an address for programs, or by preferring JSON; scripts of pages are programs."""
    if request.url.path.startswith("/api/"):
        return True
    wanted, dest = (request.headers.get(name, "") for name in ("accept", "sec-fetch-dest"))
    return ("json" in wanted and "text/html" not in wanted) or dest == "empty"


async def _refused(request: Request, error: Exception) -> Response:
    status, headers = getattr(error, "status", 500), getattr(error, "headers", {})
    if status == HTTPStatus.UNAUTHORIZED and not wants_json(request) and request.method in {"GET", "HEAD"}:
        onward = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(onward)}", HTTPStatus.SEE_OTHER)
    return _no(request, status, str(error), headers)


async def _framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - what it is registered for
    sentence = _SENTENCES.get(error.status_code) or str(error.detail)
    return _no(request, error.status_code, sentence, error.headers or {})


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - what it is registered for
    told = [f"{_place(each['loc'])}: {each['msg'][:1].lower()}{each['msg'][1:]}" for each in error.errors()[:5]]
    return _no(request, HTTPStatus.UNPROCESSABLE_ENTITY, "; ".join(told) + ".", {})


async def _mistake(request: Request, error: Exception) -> Response:
    statuses = {UnknownNameError: 404, UsageError: 422, DataError: 422, WorkError: 409}
    status = next((status for kind, status in statuses.items() if isinstance(error, kind)), 500)
    return _no(request, status, str(error), {})


async def _broken(request: Request, error: Exception) -> Response:  # noqa: ARG001 - the traceback is logged by the server
    return _no(request, 500, _SENTENCES[500], {})


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location[1:]) or "the request"


def _no(request: Request, status: int, sentence: str, headers: Mapping[str, str]) -> Response:
    heading = _HEADINGS.get(status, HTTPStatus(status).phrase)
    if wants_json(request):
        problem = {"title": heading, "status": status, "detail": sentence}
        return JSONResponse(problem, status, headers, media_type="application/problem+json")
    page = answer(request, "ui/refusal.html", status=status, heading=heading, sentence=sentence)
    page.headers.update(headers)
    return page
