"""The pages of the browser. Every view is an address, and every address of questions is also there as JSON and CSV."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from eyechart.errors import UsageError
from eyechart.pipeline.browsing import MATCHES, WITHIN, Shelf, Wanted, leaf, picture_of
from eyechart.web.browse.chain import chain
from eyechart.web.browse.shelves import shelf_named, shelves_of
from eyechart.web.browse.statistics import chapters, told
from eyechart.web.browse.views import address, boxes, chips, entries, marked
from eyechart.web.ui import Here, RefusalError, answer, demand

__all__ = ["BESIDE", "demanded_view", "pages"]

BESIDE = ("answers", "choices", "captions")
"""What a list can show beside each question."""
_VIEW = ("after", "before", "start", "as", "rest", "with")
"""Parts of an address that say how, not what."""
_A_WEEK = "private, max-age=604800"

pages = APIRouter(
    prefix="/browse",
    default_response_class=HTMLResponse,
    dependencies=[Depends(demand("requester"))],
)

Start = Annotated[int, Query(ge=0, le=2**31)]
Row = Annotated[int | None, Query(ge=0, le=2**31)]


def demanded_view(request: Request, apart_from: Sequence[str] = ()) -> tuple[Wanted, dict[str, list[str]]]:
    """What an address wants, and what it says of how to show it."""
    query: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        if value:  # a form sends what nobody filled in, too
            query.setdefault(name, []).append(value)
    how = {name: query.pop(name) for name in (*_VIEW, *apart_from) if name in query}
    for name in how.get("with", []):
        if name not in BESIDE:
            raise UsageError(f"with: found {name[:40]!r}, expected one of {', '.join(BESIDE)}; choose one")
    return Wanted.read(query), how


@pages.get("")
def benchmarks_page(request: Request, site: Here) -> Response:
    """Every benchmark that is open here; the only one is opened at once."""
    shelves = shelves_of(site)
    if len(shelves) == 1:
        return RedirectResponse(address(next(iter(shelves)), Wanted()), 303)
    return answer(request, "browse/benchmarks.html", shelves=shelves)


@pages.get("/{name}")
def questions_page(
    request: Request, site: Here, name: str, after: Row = None, before: Row = None, start: Start = 0
) -> Response:
    """The questions, or the pictures, that the address wants."""
    shelf = shelf_named(site, name)
    wanted, how = demanded_view(request)
    if "" in request.query_params.values():
        return RedirectResponse(address(name, wanted, **{each: values[-1] for each, values in how.items()}), 303)
    beside = [each for each in how.get("with", []) if each in shelf.benchmark]
    shared = _shared(name, shelf, wanted, how)
    if how.get("as") == ["pictures"]:
        shown = shelf.pictures(wanted, start=start, rest=how.get("rest") == ["yes"])
        by_picture = shown.questions.partition_by("image_id", as_dict=True, maintain_order=True)
        listed = [
            (image, entries(shelf, by_picture[(image,)], wanted) if (image,) in by_picture else [])
            for image in shown.image_ids
        ]
        return answer(request, "browse/pictures.html", shown=shown, listed=listed, **shared)
    page = shelf.page(wanted, after=after, before=before)
    return answer(
        request, "browse/questions.html", page=page, entries=entries(shelf, page.questions, wanted, beside), **shared
    )


def _shared(name: str, shelf: Shelf, wanted: Wanted, how: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What both lists show around them."""
    kept = {each: values[-1] for each, values in how.items() if each in {"as", "rest", "with"}}
    benchmark = shelf.benchmark
    return {
        "name": name,
        "shelf": shelf,
        "wanted": wanted,
        "how": kept,
        "chips": list(chips(name, wanted, **kept)),
        "link": lambda **further: address(name, wanted, **{**kept, **further}),
        "matches": MATCHES,
        "within": [each for each in WITHIN if each != "caption" or "captions" in benchmark],
        "beside": [each for each in BESIDE if each in benchmark],
    }


@pages.get("/{name}/question/{question_id:path}")
def question_page(request: Request, site: Here, name: str, question_id: str) -> Response:
    """One question, and everything that hangs on it."""
    shelf = shelf_named(site, name)
    found = leaf(shelf, question_id)
    measures = {each: shelf.values(each)[found.question["row"]] for each in shelf.measures if each not in shelf.runs}
    return answer(
        request,
        "browse/question.html",
        name=name,
        shelf=shelf,
        leaf=found,
        boxes=boxes(found),
        pieces=marked(found),
        chain=chain(found.steps),
        measures={each: float(value) for each, value in measures.items() if value == value},  # noqa: PLR0124 - a number
        shared=_canvas(found.image, boxes(found)),
    )


def _canvas(image: Mapping[str, Any], seen: Sequence[Any]) -> tuple[float, float]:
    """How large the picture is in the pixels of its boxes."""
    right = max((each.box[0] + each.box[2] for each in seen if each.box), default=0.0)
    low = max((each.box[1] + each.box[3] for each in seen if each.box), default=0.0)
    return image.get("width") or right or 400.0, image.get("height") or low or 300.0


@pages.get("/{name}/picture/{image_id:path}", responses={200: {"content": {"image/*": {}}}})
def picture_file(site: Here, name: str, image_id: str, *, small: bool = False) -> Response:
    """A picture, whole or as a list shows it."""
    found = picture_of(shelf_named(site, name).benchmark, image_id, small=small)
    if found is None:
        raise RefusalError(404, f"{name}: there is no picture of the image {image_id[:80]!r}.")
    content, kind = found
    return Response(content, media_type=kind, headers={"Cache-Control": _A_WEEK})


@pages.get("/{name}/statistics")
def statistics_page(request: Request, site: Here, name: str) -> Response:
    """What can be told of a benchmark, by chapter."""
    shelf = shelf_named(site, name)
    return answer(request, "browse/statistics.html", name=name, shelf=shelf, chapters=chapters(shelf), told=None)


@pages.get("/{name}/statistics/{description}")
def statistic_page(request: Request, site: Here, name: str, description: str) -> Response:
    """One description with its figures."""
    shelf = shelf_named(site, name)
    return answer(
        request,
        "browse/statistics.html",
        name=name,
        shelf=shelf,
        chapters=chapters(shelf),
        told=told(shelf, description),
    )
