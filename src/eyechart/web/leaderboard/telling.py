"""One page in three forms: for people, as JSON, and as CSV for a spreadsheet; the address says which."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Query, Request
from starlette.responses import Response

from eyechart.web.ui import answer

__all__ = ["Form", "saved", "shown"]

Form = Annotated[Literal["page", "json", "csv"], Query(description="How to answer: a page, JSON or CSV.")]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def shown(
    request: Request,
    form: Literal["page", "json", "csv"],
    template: str,
    /,
    *,
    told: object,
    head: Sequence[str],
    table: Iterable[Sequence[object]],
    **context: Any,  # whatever a template shows
) -> Response:
    """An answer in the form that was asked for: ``told`` is the JSON, ``head`` and ``table`` the CSV."""
    if form == "json":
        return Response(msgspec.json.encode(told), media_type="application/json")
    if form == "csv":
        return Response(saved(head, table), media_type="text/csv; charset=utf-8", headers=_SAVED)
    return answer(request, template, told=told, forms=("csv", "json"), **context)


_SAVED = {"Content-Disposition": 'attachment; filename="table.csv"'}


def saved(head: Sequence[str], table: Iterable[Sequence[object]]) -> str:
    r"""A table as CSV; texts that a spreadsheet would take for a formula begin with an apostrophe.

    >>> saved(["team", "score"], [["=1+1", -2.5], ["cats", None]])
    "team,score\r\n'=1+1,-2.5\r\ncats,\r\n"
    """
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(head)
    writer.writerows([[_cell(value) for value in row] for row in table])
    return written.getvalue()


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
