"""The browser for programs: the questions of a view as JSON or CSV, the same addresses as for people."""

from typing import Annotated, Any

import msgspec
import polars as pl
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from eyechart.web.browse.pages import demanded_view
from eyechart.web.browse.shelves import shelf_named, shelves_of
from eyechart.web.ui import Here, demand

__all__ = ["api"]

api = APIRouter(prefix="/browse", tags=["browse"], dependencies=[Depends(demand("requester"))])

_MOST = 1000


@api.get("", summary="The benchmarks that are open here.")
def benchmarks(site: Here) -> dict[str, dict[str, int]]:
    """Names, and how many rows each table has."""
    return {name: dict(shelf.benchmark.manifest.rows) for name, shelf in shelves_of(site).items()}


@api.get("/{name}", summary="The questions of a view.", response_model=None)
def questions(
    request: Request,
    site: Here,
    name: str,
    after: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    size: Annotated[int, Query(ge=1, le=_MOST)] = 100,
) -> dict[str, Any] | Response:
    """A page of them with the row to ask after for the next one; as CSV where the client prefers it.

    Filters are those of the pages: text, match, within, split, answer_type, object, low.agreement and so on.
    """
    wanted, _ = demanded_view(request, apart_from=("size",))
    page = shelf_named(site, name).page(wanted, after=after, size=size)
    if "text/csv" in request.headers.get("accept", ""):
        flat = page.questions.with_columns(
            program=pl.col("program").map_elements(lambda each: msgspec.json.encode(each.to_list()).decode(), pl.String)
        )
        return Response(flat.write_csv(), media_type="text/csv")
    return {"total": page.total, "after": page.after, "questions": page.questions.to_dicts()}
